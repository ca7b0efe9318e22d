/**
 * IndexedDB by promises, as far as it is used here.
 */

/**
 * @param {string} name
 * @param {number} version
 * @param {(database: IDBDatabase, upgrade: IDBTransaction | null) => void} create makes the tables of a database that is new, or
 *   aborts the transaction, and there is none as before
 * @returns {Promise<IDBDatabase>}
 */
export function openDatabase(name, version, create) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => create(request.result, request.transaction);
    request.onsuccess = () => {
      // Another tab that clears or upgrades must not wait for this one.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () =>
      reject(new DOMException('the database is held by another version', 'InvalidStateError'));
  });
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
export function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * Runs `work` in one transaction and waits until it is on disk.
 * @template T
 * @param {IDBDatabase} database
 * @param {string[]} tables
 * @param {IDBTransactionMode} mode
 * @param {(transaction: IDBTransaction) => Promise<T>} work
 * @param {AbortSignal} [signal] ends it without a change while it runs
 * @returns {Promise<T>}
 */
export async function transact(database, tables, mode, work, signal) {
  signal?.throwIfAborted();
  // Relaxed, a transaction is complete when the system has it, and lost with the power.
  const transaction = database.transaction(
    tables,
    mode,
    mode === 'readwrite' ? { durability: 'strict' } : {},
  );
  const abort = () => transaction.abort();
  signal?.addEventListener('abort', abort, { once: true });
  const complete = new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(undefined);
    transaction.onabort = () => reject(transaction.error ?? new DOMException('aborted', 'AbortError'));
  });
  complete.catch(() => {});
  try {
    const result = await work(transaction);
    await complete;
    return result;
  } catch (error) {
    try {
      transaction.abort();
    } catch {
      // It has ended by itself.
    }
    // One request that fails ends the others with an error that says nothing.
    throw transaction.error ?? error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IdbStore, MemoryStore } from './store.js';

/**
 * A database that takes everything and answers nothing found; its transactions, and the files that it takes, are what the
 * test looks at.
 * @param {{ takesBlobs?: boolean }} [options]
 */
function recorder({ takesBlobs = true } = {}) {
  /** @type {{ mode: string, durability: string | undefined, aborted: boolean }[]} */
  const transactions = [];
  /** @param {any} result */
  const request = (result) => {
    /** @type {any} */
    const pending = { result };
    setImmediate(() => pending.onsuccess?.());
    return pending;
  };
  /** @type {unknown[]} */
  const stored = [];
  const table = {
    put: (/** @type {unknown} */ value) => {
      stored.push(value);
      return request(undefined);
    },
    delete: () => request(undefined),
    clear: () => request(undefined),
    get: () => request(undefined),
    getAll: () => request([]),
    getKey: () => request('id'),
  };
  const database = {
    transaction: (/** @type {string[]} */ _, /** @type {string} */ mode, /** @type {any} */ options) => {
      const record = { mode, durability: options?.durability, aborted: false };
      transactions.push(record);
      /** @type {any} */
      const transaction = {
        objectStore: () => table,
        abort: () => {
          record.aborted = true;
          transaction.onabort?.();
        },
      };
      setTimeout(() => {
        const isRefused = !takesBlobs && stored.splice(0).some((value) => value instanceof Blob);
        if (isRefused) transaction.error = new DOMException('Error preparing Blob/File data', 'UnknownError');
        isRefused ? transaction.onabort?.() : transaction.oncomplete?.();
      }, 20);
      return transaction;
    },
  };
  return { store: new IdbStore(/** @type {any} */ (database)), transactions };
}

const kept = /** @type {any} */ ({
  document: { id: 'id', formatVersion: 1 },
  file: new Blob(['%PDF']),
  segment: new Uint8Array(1),
  vectors: [],
});

globalThis.IDBKeyRange ??= /** @type {any} */ ({ bound: () => null });

test('whatever stores waits until it is on disk', async () => {
  const { store, transactions } = recorder();
  await store.put(kept);
  await store.putVectors('id', 1, [{ start: 0, count: 1, fingerprint: 'm', bytes: new Uint8Array(1) }]);
  await store.take('id');
  await store.dropVectors('id');
  await store.clear();
  const writing = transactions.filter(({ mode }) => mode === 'readwrite');
  assert.deepEqual(
    writing.map(({ durability }) => durability),
    Array(5).fill('strict'),
  );
});

test('storing that is cancelled is rolled back', async () => {
  const { store, transactions } = recorder();
  const controller = new AbortController();
  const stored = store.put(kept, controller.signal);
  setTimeout(() => controller.abort(), 5);
  await assert.rejects(stored);
  assert.deepEqual(
    transactions.map(({ aborted }) => aborted),
    [true],
  );
  await assert.rejects(store.put(kept, AbortSignal.abort()));
  assert.equal(transactions.length, 1, 'cancelled before it begins, it does not begin');
});

test('a file is stored as its bytes where the browser refuses blobs', async () => {
  const { store, transactions } = recorder({ takesBlobs: false });
  await store.put(kept);
  assert.equal(transactions.length, 2);
  await store.put(kept);
  assert.equal(transactions.length, 3, 'once is enough to know it');
});

test('bytes that a store in memory hands out may be transferred', async () => {
  const store = new MemoryStore();
  await store.put({ ...kept, file: new Uint8Array([1, 2]) });
  const given = /** @type {Uint8Array<ArrayBuffer>} */ (await store.file('id'));
  structuredClone(given, { transfer: [given.buffer] });
  assert.deepEqual(await store.file('id'), new Uint8Array([1, 2]));
  const { segment } = (await store.read('id')) ?? {};
  assert.ok(segment);
  structuredClone(segment, { transfer: [segment.buffer] });
  assert.equal(
    (await store.read('id'))?.segment?.length,
    1,
    'all that is stored is given as a copy, and stays',
  );
  assert.equal(await store.read('other'), null);
});

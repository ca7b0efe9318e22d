/**
 * Storage of a library in the browser: the file itself, its segment, and its vectors batch by batch, keyed by
 * document id and format version. Each change is one transaction, so a page closed at any moment leaves a
 * document whole or absent. A segment of another format version is never overwritten unasked: it lies under
 * its own key until the person indexes the document again or removes it.
 *
 * IndexedDB because it is everywhere, also where OPFS is not; where it is refused (private windows, blocked
 * site data) a store in memory takes its place and says so.
 */

/**
 * @typedef {object} StoredDocument
 * @property {string} id
 * @property {string} name
 * @property {string | null} title
 * @property {number} nPages
 * @property {number} nPassages
 * @property {import('./protocol.js').DocumentInfo['diags']} diags
 * @property {number} bytes
 * @property {number} addedAt
 * @property {number} formatVersion of its newest segment
 * @property {number} segmentBytes
 * @property {boolean} removed taken out, but may still be put back; swept at the next opening
 */

/** @typedef {{ start: number, count: number, fingerprint: string, bytes: Uint8Array }} VectorBatch */

/**
 * @typedef {object} Store
 * @property {boolean} persistent
 * @property {() => Promise<StoredDocument[]>} list oldest first
 * @property {(document: StoredDocument, file: Blob, segment: Uint8Array, replaced: string[]) => Promise<void>} put
 *   stores a document whole, and drops those it replaces and its own earlier segment and vectors
 * @property {(id: string, formatVersion: number) => Promise<Uint8Array | null>} segment
 * @property {(id: string) => Promise<Blob | null>} file
 * @property {(id: string, formatVersion: number, batch: VectorBatch) => Promise<void>} putVectors
 *   does nothing when the document is no longer there
 * @property {(id: string, formatVersion: number) => Promise<VectorBatch[]>} vectors by `start`
 * @property {(id: string) => Promise<void>} dropVectors
 * @property {(id: string, removed: boolean) => Promise<void>} mark
 * @property {(ids: string[]) => Promise<void>} remove
 * @property {() => Promise<void>} clear
 * @property {() => Promise<Map<string, number>>} usage bytes kept of each document
 * @property {() => void} close
 */

const databaseVersion = 1;
const tables = ['documents', 'files', 'segments', 'vectors'];

/**
 * @param {string} name
 * @returns {Promise<Store>}
 */
export async function openStore(name) {
  try {
    return new IdbStore(await openDatabase(name));
  } catch {
    return new MemoryStore();
  }
}

/** @param {string} name @returns {Promise<IDBDatabase>} */
function openDatabase(name) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, databaseVersion);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('documents', { keyPath: 'id' });
      request.result.createObjectStore('files');
      request.result.createObjectStore('segments');
      request.result.createObjectStore('vectors');
    };
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
function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Every key that belongs to a document: [id, …].
 * @param {string} id */
const keysOf = (id) => IDBKeyRange.bound([id], [id, []]);

/** @implements {Store} */
class IdbStore {
  persistent = true;
  /** @type {IDBDatabase} */
  #database;

  /** @param {IDBDatabase} database */
  constructor(database) {
    this.#database = database;
  }

  /**
   * Runs `work` in one transaction and waits until it is on disk.
   * @template T
   * @param {IDBTransactionMode} mode
   * @param {(transaction: IDBTransaction) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async #transact(mode, work) {
    const transaction = this.#database.transaction(tables, mode);
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
      throw error;
    }
  }

  async list() {
    /** @type {StoredDocument[]} */
    const documents = await this.#transact('readonly', (t) => settled(t.objectStore('documents').getAll()));
    return documents.sort((a, b) => a.addedAt - b.addedAt || (a.id < b.id ? -1 : 1));
  }

  /** @type {Store['put']} */
  async put(document, file, segment, replaced) {
    await this.#transact('readwrite', async (t) => {
      for (const id of new Set([...replaced, document.id])) erase(t, id);
      t.objectStore('documents').put(document);
      t.objectStore('files').put(file, document.id);
      await settled(t.objectStore('segments').put(segment, [document.id, document.formatVersion]));
    });
  }

  /** @type {Store['segment']} */
  async segment(id, formatVersion) {
    return (
      (await this.#transact('readonly', (t) =>
        settled(t.objectStore('segments').get([id, formatVersion])),
      )) ?? null
    );
  }

  /** @type {Store['file']} */
  async file(id) {
    return (await this.#transact('readonly', (t) => settled(t.objectStore('files').get(id)))) ?? null;
  }

  /** @type {Store['putVectors']} */
  async putVectors(id, formatVersion, batch) {
    await this.#transact('readwrite', async (t) => {
      const present = await settled(t.objectStore('documents').getKey(id));
      if (present === undefined) return;
      await settled(t.objectStore('vectors').put(batch, [id, formatVersion, batch.start]));
    });
  }

  /** @type {Store['vectors']} */
  async vectors(id, formatVersion) {
    const range = IDBKeyRange.bound([id, formatVersion], [id, formatVersion, []]);
    return this.#transact('readonly', (t) => settled(t.objectStore('vectors').getAll(range)));
  }

  /** @param {string} id */
  async dropVectors(id) {
    await this.#transact('readwrite', (t) => settled(t.objectStore('vectors').delete(keysOf(id))));
  }

  /** @type {Store['mark']} */
  async mark(id, removed) {
    await this.#transact('readwrite', async (t) => {
      /** @type {StoredDocument | undefined} */
      const document = await settled(t.objectStore('documents').get(id));
      if (document) await settled(t.objectStore('documents').put({ ...document, removed }));
    });
  }

  /** @param {string[]} ids */
  async remove(ids) {
    await this.#transact('readwrite', async (t) => {
      for (const id of ids) erase(t, id);
    });
  }

  async clear() {
    await this.#transact('readwrite', async (t) => {
      for (const table of tables) t.objectStore(table).clear();
    });
  }

  async usage() {
    return this.#transact('readonly', async (t) => {
      /** @type {StoredDocument[]} */
      const documents = await settled(t.objectStore('documents').getAll());
      /** @type {Map<string, number>} */
      const used = new Map();
      for (const document of documents) {
        /** @type {VectorBatch[]} */
        const batches = await settled(t.objectStore('vectors').getAll(keysOf(document.id)));
        const vectors = batches.reduce((sum, batch) => sum + batch.bytes.byteLength, 0);
        used.set(document.id, document.bytes + document.segmentBytes + vectors);
      }
      return used;
    });
  }

  close() {
    this.#database.close();
  }
}

/** @param {IDBTransaction} transaction @param {string} id */
function erase(transaction, id) {
  transaction.objectStore('documents').delete(id);
  transaction.objectStore('files').delete(id);
  transaction.objectStore('segments').delete(keysOf(id));
  transaction.objectStore('vectors').delete(keysOf(id));
}

/**
 * The same store without a browser behind it.
 * @implements {Store}
 */
export class MemoryStore {
  persistent = false;
  /** @type {Map<string, { document: StoredDocument, file: Blob, segments: Map<number, Uint8Array>, vectors: Map<string, VectorBatch> }>} */
  #entries = new Map();

  async list() {
    return Array.from(this.#entries.values(), (entry) => entry.document).sort(
      (a, b) => a.addedAt - b.addedAt,
    );
  }

  /** @type {Store['put']} */
  async put(document, file, segment, replaced) {
    for (const id of replaced) this.#entries.delete(id);
    const segments = new Map([[document.formatVersion, segment]]);
    this.#entries.set(document.id, { document, file, segments, vectors: new Map() });
  }

  /** @type {Store['segment']} */
  async segment(id, formatVersion) {
    return this.#entries.get(id)?.segments.get(formatVersion) ?? null;
  }

  /** @type {Store['file']} */
  async file(id) {
    return this.#entries.get(id)?.file ?? null;
  }

  /** @type {Store['putVectors']} */
  async putVectors(id, formatVersion, batch) {
    this.#entries.get(id)?.vectors.set(`${formatVersion}/${batch.start}`, batch);
  }

  /** @type {Store['vectors']} */
  async vectors(id, formatVersion) {
    return Array.from(this.#entries.get(id)?.vectors ?? [])
      .filter(([key]) => key.startsWith(`${formatVersion}/`))
      .map(([, batch]) => batch)
      .sort((a, b) => a.start - b.start);
  }

  /** @param {string} id */
  async dropVectors(id) {
    this.#entries.get(id)?.vectors.clear();
  }

  /** @type {Store['mark']} */
  async mark(id, removed) {
    const entry = this.#entries.get(id);
    if (entry) entry.document = { ...entry.document, removed };
  }

  /** @param {string[]} ids */
  async remove(ids) {
    for (const id of ids) this.#entries.delete(id);
  }

  async clear() {
    this.#entries.clear();
  }

  async usage() {
    /** @type {Map<string, number>} */
    const used = new Map();
    for (const [id, { document, vectors }] of this.#entries) {
      const bytes = Array.from(vectors.values()).reduce((sum, batch) => sum + batch.bytes.byteLength, 0);
      used.set(id, document.bytes + document.segmentBytes + bytes);
    }
    return used;
  }

  close() {}
}

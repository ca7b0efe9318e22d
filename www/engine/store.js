/**
 * Storage of a library in the browser: the file itself, its segment, and its vectors batch by batch, keyed by
 * document id and format version. Each change is one transaction, flushed to disk before it counts, so a page
 * closed at any moment leaves a document whole or absent. A segment of another format version is never
 * overwritten unasked: it lies under its own key until the person indexes the document again or removes it.
 * What is taken out is gone from here at once; who may put it back holds it.
 *
 * IndexedDB because it is everywhere, also where OPFS is not; where it is refused (private windows, blocked
 * site data) a store in memory takes its place and says so.
 */

import { bytesOf } from './content.js';
import { openDatabase, settled, transact } from './idb.js';

/**
 * @typedef {object} StoredDocument
 * @property {string} id
 * @property {string} name that no other document of the library has
 * @property {string} fileName
 * @property {string} folder of the file; empty where it is not known
 * @property {string | null} date that the document gives itself
 * @property {string | null} title
 * @property {number} nPages
 * @property {number} nPassages
 * @property {import('./protocol.js').DocumentInfo['diags']} diags
 * @property {number} bytes
 * @property {number} addedAt
 * @property {number} formatVersion of its newest segment
 * @property {number} segmentBytes
 */

/** @typedef {import('./content.js').Content} Content */
/** @typedef {{ start: number, count: number, fingerprint: string, bytes: Uint8Array }} VectorBatch */

/**
 * Everything that is stored of a document. `segment` is null where there is none of its format version.
 * @typedef {{ document: StoredDocument, file: Content, segment: Uint8Array | null, vectors: VectorBatch[] }} Kept
 */

/**
 * @typedef {object} Store
 * @property {boolean} persistent
 * @property {() => Promise<StoredDocument[]>} list oldest first
 * @property {(kept: Kept, signal?: AbortSignal) => Promise<void>} put
 *   stores a document whole in the place of what was stored of it; aborted in time, it changes nothing
 * @property {(all: Kept[], signal?: AbortSignal) => Promise<void>} putAll the same of several, of all or of none
 * @property {(id: string, formatVersion: number) => Promise<Uint8Array | null>} segment
 * @property {(id: string) => Promise<Content | null>} file
 * @property {(id: string, formatVersion: number, batches: VectorBatch[]) => Promise<void>} putVectors
 *   does nothing when the document is no longer there
 * @property {(id: string, formatVersion: number) => Promise<VectorBatch[]>} vectors by `start`
 * @property {(id: string) => Promise<void>} dropVectors
 * @property {(id: string) => Promise<Kept | null>} read all that is stored of a document, as a copy
 * @property {(id: string) => Promise<Kept | null>} take takes a document out and gives all of it
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
    return new IdbStore(await openDatabase(name, databaseVersion, createTables));
  } catch {
    return new MemoryStore();
  }
}

/** @param {IDBDatabase} database */
function createTables(database) {
  database.createObjectStore('documents', { keyPath: 'id' });
  database.createObjectStore('files');
  database.createObjectStore('segments');
  database.createObjectStore('vectors');
}

/** Every key that belongs to a document, or to it in a format version: [id, …].
 * @param {(string | number)[]} start */
const keysOf = (...start) => IDBKeyRange.bound(start, [...start, []]);

/** @implements {Store} */
export class IdbStore {
  persistent = true;
  /** @type {IDBDatabase} */
  #database;
  /** True where the browser takes bytes and no blobs. */
  #asBytes = false;

  /** @param {IDBDatabase} database */
  constructor(database) {
    this.#database = database;
  }

  /**
   * Runs `work` in one transaction over all tables.
   * @template T
   * @param {IDBTransactionMode} mode
   * @param {(transaction: IDBTransaction) => Promise<T>} work
   * @param {AbortSignal} [signal] ends it without a change while it runs
   */
  #transact(mode, work, signal) {
    return transact(this.#database, tables, mode, work, signal);
  }

  async list() {
    /** @type {StoredDocument[]} */
    const documents = await this.#transact('readonly', (t) => settled(t.objectStore('documents').getAll()));
    return documents.sort((a, b) => a.addedAt - b.addedAt || (a.id < b.id ? -1 : 1));
  }

  /** @type {Store['put']} */
  put(kept, signal) {
    return this.putAll([kept], signal);
  }

  /** @type {Store['putAll']} */
  async putAll(all, signal) {
    if (!this.#asBytes) {
      try {
        return await this.#put(all, signal);
      } catch (error) {
        if (!isBlobRefused(error)) throw error;
      }
    }
    const asBytes = all.map(async (kept) => ({ ...kept, file: await bytesOf(kept.file) }));
    await this.#put(await Promise.all(asBytes), signal);
    this.#asBytes = true;
  }

  /** @param {Kept[]} all @param {AbortSignal} [signal] */
  async #put(all, signal) {
    await this.#transact(
      'readwrite',
      async (t) => {
        const puts = all.map(({ document, file, segment, vectors }) => {
          const { id, formatVersion } = document;
          erase(t, id);
          t.objectStore('files').put(file, id);
          if (segment !== null) t.objectStore('segments').put(segment, [id, formatVersion]);
          for (const batch of vectors) t.objectStore('vectors').put(batch, [id, formatVersion, batch.start]);
          return settled(t.objectStore('documents').put(document));
        });
        await Promise.all(puts);
      },
      signal,
    );
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
  async putVectors(id, formatVersion, batches) {
    await this.#transact('readwrite', async (t) => {
      const present = await settled(t.objectStore('documents').getKey(id));
      if (present === undefined) return;
      const puts = batches.map((batch) =>
        t.objectStore('vectors').put(batch, [id, formatVersion, batch.start]),
      );
      await Promise.all(puts.map(settled));
    });
  }

  /** @type {Store['vectors']} */
  async vectors(id, formatVersion) {
    return this.#transact('readonly', (t) =>
      settled(t.objectStore('vectors').getAll(keysOf(id, formatVersion))),
    );
  }

  /** @param {string} id */
  async dropVectors(id) {
    await this.#transact('readwrite', (t) => settled(t.objectStore('vectors').delete(keysOf(id))));
  }

  /** @type {Store['read']} */
  read(id) {
    return this.#transact('readonly', (t) => keptIn(t, id));
  }

  /** @type {Store['take']} */
  async take(id) {
    // A stored blob may be a file that goes with its record, so its bytes are read first.
    const stored = (await this.file(id)) ?? new Blob();
    const bytes = stored instanceof Blob ? await stored.arrayBuffer().catch(() => null) : null;
    const file = bytes ? new Blob([bytes], { type: /** @type {Blob} */ (stored).type }) : stored;
    return this.#transact('readwrite', async (t) => {
      const kept = await keptIn(t, id);
      erase(t, id);
      return kept && { ...kept, file };
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

/** True for the error by which private windows of WebKit refuse a blob. @param {unknown} error */
const isBlobRefused = (error) => error instanceof DOMException && error.name === 'UnknownError';

/** @param {IDBTransaction} transaction @param {string} id @returns {Promise<Kept | null>} */
async function keptIn(transaction, id) {
  const get = (/** @type {string} */ table, /** @type {IDBValidKey} */ key) =>
    settled(transaction.objectStore(table).get(key));
  /** @type {StoredDocument | undefined} */
  const document = await get('documents', id);
  if (!document) return null;
  const { formatVersion } = document;
  const file = (await get('files', id)) ?? new Blob();
  const segment = (await get('segments', [id, formatVersion])) ?? null;
  /** @type {VectorBatch[]} */
  const vectors = await settled(transaction.objectStore('vectors').getAll(keysOf(id, formatVersion)));
  return { document, file, segment, vectors };
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
  /** @type {Map<string, Kept>} */
  #entries = new Map();

  async list() {
    return Array.from(this.#entries.values(), (entry) => entry.document).sort(
      (a, b) => a.addedAt - b.addedAt,
    );
  }

  /** @type {Store['put']} */
  put(kept, signal) {
    return this.putAll([kept], signal);
  }

  /** @type {Store['putAll']} */
  async putAll(all, signal) {
    signal?.throwIfAborted();
    for (const kept of all) this.#entries.set(kept.document.id, { ...kept, vectors: [...kept.vectors] });
  }

  /** @type {Store['segment']} */
  async segment(id, formatVersion) {
    const entry = this.#entries.get(id);
    return entry?.document.formatVersion === formatVersion ? entry.segment : null;
  }

  /** @type {Store['file']} */
  async file(id) {
    const file = this.#entries.get(id)?.file ?? null;
    // What is handed out may be transferred.
    return file instanceof Uint8Array ? file.slice() : file;
  }

  /** @type {Store['putVectors']} */
  async putVectors(id, formatVersion, batches) {
    const entry = this.#entries.get(id);
    if (entry?.document.formatVersion !== formatVersion) return;
    const starts = new Set(batches.map(({ start }) => start));
    entry.vectors = [...entry.vectors.filter(({ start }) => !starts.has(start)), ...batches];
  }

  /** @type {Store['vectors']} */
  async vectors(id, formatVersion) {
    const entry = this.#entries.get(id);
    if (entry?.document.formatVersion !== formatVersion) return [];
    return [...entry.vectors].sort((a, b) => a.start - b.start);
  }

  /** @param {string} id */
  async dropVectors(id) {
    const entry = this.#entries.get(id);
    if (entry) entry.vectors = [];
  }

  /** @type {Store['read']} */
  async read(id) {
    const entry = this.#entries.get(id);
    // What is handed out may be transferred.
    return entry ? structuredClone(entry) : null;
  }

  /** @type {Store['take']} */
  async take(id) {
    const entry = this.#entries.get(id) ?? null;
    this.#entries.delete(id);
    return entry;
  }

  async clear() {
    this.#entries.clear();
  }

  async usage() {
    /** @type {Map<string, number>} */
    const used = new Map();
    for (const [id, { document, vectors }] of this.#entries) {
      const bytes = vectors.reduce((sum, batch) => sum + batch.bytes.byteLength, 0);
      used.set(id, document.bytes + document.segmentBytes + bytes);
    }
    return used;
  }

  close() {}
}

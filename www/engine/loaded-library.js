/**
 * The engine's library in this worker, in step with the store: its documents, where each lies, and how they are put in. Every call
 * into wasm is timed; a long document is read in several, with other requests in between.
 */

import { entryOf, listedOf } from './entry.js';
import { EngineError, isFatal, toPlain } from './errors.js';
import { nextMessage } from './next-message.js';
import { MemoryStore } from './store.js';
import { TaskTimes } from './task-times.js';

/** @typedef {import('./entry.js').Entry} Entry */
/** @typedef {import('./protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./store.js').StoredDocument} StoredDocument */

export class LoadedLibrary {
  /** The engine's own. */
  engine;
  /** @type {Map<string, Entry>} */
  entries = new Map();
  /** Null until the library is opened. @type {Store | null} */
  store = null;
  /** Documents that could not be stored. */
  unstored = new MemoryStore();
  times = new TaskTimes();
  /** The document that wasm is working on: told when it traps. @type {string | null} */
  working = null;
  #wasm;

  /** @param {Pick<typeof import('pincite-wasm'), 'Library' | 'SegmentReader'>} wasm */
  constructor(wasm) {
    this.#wasm = wasm;
    this.engine = new wasm.Library();
  }

  get stored() {
    if (this.store === null) throw new EngineError('internal', 'the library is not open');
    return this.store;
  }

  /** Where a document lies. @param {string} id */
  storeOf(id) {
    return this.entries.get(id)?.kept === false ? this.unstored : this.stored;
  }

  /** Records of the library as all tabs have it, and those of this one that could not be stored. */
  async records() {
    const unstored = await this.unstored.list();
    return [...(await this.stored.list()), ...unstored];
  }

  /**
   * One call into wasm, timed.
   * @template T
   * @param {string} name
   * @param {string | null} document
   * @param {() => T} call
   * @returns {T}
   */
  timed(name, document, call) {
    const begin = performance.now();
    this.working = document;
    let result;
    try {
      result = call();
    } catch (error) {
      // A lost instance is told with the document; an error of the engine has been dealt with.
      if (!isFatal(error)) this.working = null;
      throw error;
    }
    this.working = null;
    this.times.add(name, performance.now() - begin);
    return result;
  }

  /**
   * Reads a segment into the library, in short tasks.
   * @param {string} id @param {Uint8Array} segment @param {string} name
   */
  async read(id, segment, name) {
    const reader = this.timed('add', id, () => new this.#wasm.SegmentReader(segment));
    while (this.timed('add', id, () => reader.read())) await nextMessage();
    return this.timed('add', id, () => this.engine.addRead(reader, name));
  }

  /**
   * Puts a stored document into the library, with the vectors that are there.
   * @param {StoredDocument} stored
   * @param {EngineError | null} damaged when it is known that it cannot be read
   * @param {boolean} kept false if it lies in memory
   * @returns {Promise<Entry>}
   */
  async load(stored, damaged = null, kept = true) {
    const entry = entryOf(stored, kept);
    this.entries.set(stored.id, entry);
    const store = this.storeOf(stored.id);
    try {
      if (damaged) throw damaged;
      const segment = await store.segment(stored.id, stored.formatVersion);
      if (segment === null) throw new EngineError('index-damaged', 'the stored segment is missing');
      entry.info = await this.read(stored.id, segment, stored.name);
    } catch (error) {
      if (isFatal(error)) throw error;
      entry.problem = toPlain(error);
      return entry;
    }
    for (const batch of await store.vectors(stored.id, stored.formatVersion)) this.addBatch(entry, batch);
    return entry;
  }

  /** @param {Entry} entry @param {import('./store.js').VectorBatch} batch */
  addBatch(entry, batch) {
    try {
      this.timed('add-vectors', entry.stored.id, () => this.engine.addVectors(batch.bytes));
      entry.embedded.add(batch.start);
      entry.fingerprint = batch.fingerprint;
      entry.vectorBytes += batch.bytes.byteLength;
    } catch (error) {
      // A batch that cannot be read is embedded again; the text of the document is there without it.
      if (isFatal(error)) throw error;
    }
  }

  /** Takes a document out of the engine. @param {string} id */
  unload(id) {
    this.timed('remove', id, () => this.engine.remove(id));
  }

  /** @param {Entry} entry @returns {LibraryDocument} */
  listed(entry) {
    return listedOf(entry, entry.info === null ? [] : this.engine.passagesWithoutVectors(entry.stored.id));
  }
}

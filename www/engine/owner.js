/**
 * The owner's side: one `Library` and the store, kept in step. Every request is one short call into wasm with
 * storage around it; nothing here runs long (each call is timed, `stats` tells). Changes run one after the
 * other; questions are answered in between.
 */

import { EngineError, isFatal, toPlain } from './errors.js';
import { OpenQuestions } from './open-questions.js';
import { batchSize } from './protocol.js';
import { openStore } from './store.js';

/** @typedef {import('./protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {import('./protocol.js').DocumentInfo} DocumentInfo */
/** @typedef {import('./protocol.js').OwnerRequest} OwnerRequest */
/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./store.js').StoredDocument} StoredDocument */
/** @typedef {Pick<typeof import('pincite-wasm'), 'Library' | 'version' | 'formatVersion' | 'profiles' | 'readProfile'>} Wasm */

/**
 * A document that is in the library or would be if it could be read.
 * @typedef {object} Entry
 * @property {StoredDocument} stored
 * @property {DocumentInfo | null} info null when it could not be read
 * @property {Set<number>} embedded first passages of the batches that are there
 * @property {string | null} fingerprint of the model its vectors are from
 * @property {import('./errors.js').PlainError | null} problem
 * @property {boolean} kept
 * @property {number} vectorBytes
 */

export class Owner {
  #wasm;
  #library;
  #openStore;
  /** @type {Store | null} */
  #store = null;
  /** @type {Map<string, Entry>} */
  #entries = new Map();
  /** @type {Promise<unknown>} */
  #changes = Promise.resolve();
  /** @type {{ name: string, ms: number }[]} */
  #tasks = [];
  #questions;
  #graphs = 0;
  /** The document that wasm is working on: told when it traps. @type {string | null} */
  working = null;

  /**
   * @param {Wasm} wasm
   * @param {(name: string) => Promise<Store>} [open] another store, for tests
   */
  constructor(wasm, open = openStore) {
    this.#wasm = wasm;
    this.#library = new wasm.Library();
    this.#questions = new OpenQuestions(this.#library);
    this.#openStore = open;
  }

  /**
   * @param {OwnerRequest} request
   * @param {(document: LibraryDocument) => void} onDocument
   * @returns {Promise<unknown>}
   */
  async handle(request, onDocument) {
    switch (request.type) {
      case 'open':
        return this.#change(() => this.#open(request.library, new Set(request.skip), onDocument));
      case 'commit':
        return this.#change(() => this.#commit(request));
      case 'remove':
        return this.#change(() => this.#remove(request.document));
      case 'restore':
        return this.#change(() => this.#restore(request.document));
      case 'forget':
        return this.#change(async () => {
          if (!this.#entries.has(request.document)) await this.#stored.remove([request.document]);
          return null;
        });
      case 'passages':
        return this.#timed('passages', request.document, () =>
          this.#library.passages(request.document, request.start, request.limit),
        );
      case 'text':
        return this.#timed('text', request.document, () =>
          this.#library.documentText(request.document, request.start, request.limit),
        );
      case 'put-vectors':
        return this.#change(() => this.#putVectors(request));
      case 'use-model':
        return this.#change(() => this.#useModel(request.fingerprint));
      case 'graph-points':
        return this.#change(async () => this.#graphPoints(request.ann));
      case 'set-graph':
        return this.#change(async () => this.#setGraph(request.links));
      case 'ask-begin':
      case 'ask-search':
      case 'ask-reply':
      case 'ask-end':
      case 'ask-drop':
        return this.#timed(request.type, null, () => this.#questions.handle(request));
      case 'profiles':
        return this.#wasm.profiles();
      case 'read-profile':
        return this.#wasm.readProfile(request.file);
      case 'search':
        return this.#timed('search', null, () =>
          this.#library.search(request.query, {
            k: request.k,
            ...request.vector,
            filter: request.filter,
            glossary: request.glossary,
            ann: request.ann,
          }),
        );
      case 'file':
        return this.#stored.file(request.document);
      case 'usage':
        return this.#usage();
      case 'clear':
        return this.#change(() => this.#clear());
      case 'stats':
        return this.#stats();
    }
  }

  get #stored() {
    if (this.#store === null) throw new EngineError('internal', 'the library is not open');
    return this.#store;
  }

  /**
   * Changes run in order, each when the one before has ended, well or not.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  #change(work) {
    const result = this.#changes.then(work);
    this.#changes = result.catch(() => {});
    return result;
  }

  /**
   * One call into wasm, timed.
   * @template T
   * @param {string} name
   * @param {string | null} document
   * @param {() => T} call
   * @returns {T}
   */
  #timed(name, document, call) {
    const begin = performance.now();
    this.working = document;
    const result = call();
    this.working = null;
    this.#tasks.push({ name, ms: performance.now() - begin });
    if (this.#tasks.length > 10_000) this.#tasks.splice(0, 5_000);
    return result;
  }

  /** @param {string} library @param {Set<string>} skip @param {(document: LibraryDocument) => void} onDocument */
  async #open(library, skip, onDocument) {
    this.#store = await this.#openStore(library);
    const documents = await this.#stored.list();
    const removed = documents.filter((document) => document.removed).map((document) => document.id);
    if (removed.length > 0) await this.#stored.remove(removed);
    for (const stored of documents.filter((document) => !document.removed)) {
      const damaged = skip.has(stored.id)
        ? new EngineError('index-damaged', 'reading this document ended the engine')
        : null;
      onDocument(this.#listed(await this.#load(stored, damaged)));
    }
    return {
      persistent: this.#stored.persistent,
      formatVersion: this.#wasm.formatVersion(),
      version: this.#wasm.version(),
    };
  }

  /**
   * Puts a stored document into the library, with the vectors that are there.
   * @param {StoredDocument} stored
   * @param {EngineError | null} damaged when it is known that it cannot be read
   * @returns {Promise<Entry>}
   */
  async #load(stored, damaged = null) {
    /** @type {Entry} */
    const entry = {
      stored,
      info: null,
      embedded: new Set(),
      fingerprint: null,
      problem: null,
      kept: true,
      vectorBytes: 0,
    };
    this.#entries.set(stored.id, entry);
    try {
      if (damaged) throw damaged;
      const segment = await this.#stored.segment(stored.id, stored.formatVersion);
      if (segment === null) throw new EngineError('index-damaged', 'the stored segment is missing');
      entry.info = this.#timed('add', stored.id, () => this.#library.add(segment));
    } catch (error) {
      if (isFatal(error)) throw error;
      entry.problem = toPlain(error);
      return entry;
    }
    for (const batch of await this.#stored.vectors(stored.id, stored.formatVersion)) {
      try {
        this.#timed('add-vectors', stored.id, () => this.#library.addVectors(batch.bytes));
        entry.embedded.add(batch.start);
        entry.fingerprint = batch.fingerprint;
        entry.vectorBytes += batch.bytes.byteLength;
      } catch (error) {
        // A batch that cannot be read is embedded again; the text of the document is there without it.
        if (isFatal(error)) throw error;
      }
    }
    return entry;
  }

  /** @param {Extract<OwnerRequest, { type: 'commit' }>} request */
  async #commit({ file, bytes, segment, info }) {
    const before = this.#library.documents();
    const added = this.#timed('add', info.id, () => this.#library.add(segment));
    const present = new Set(this.#library.documents().map((document) => document.id));
    const replaced = before.map((document) => document.id).filter((id) => !present.has(id));
    for (const [id, entry] of this.#entries) {
      if (entry.info === null && entry.stored.name === info.name && id !== info.id) replaced.push(id);
    }
    for (const id of replaced) this.#entries.delete(id);
    const { title, nPages, nPassages, diags } = added;
    /** @type {StoredDocument} */
    const stored = {
      id: added.id,
      name: added.name,
      title,
      nPages,
      nPassages,
      diags,
      bytes,
      addedAt: Date.now(),
      formatVersion: this.#wasm.formatVersion(),
      segmentBytes: segment.byteLength,
      removed: false,
    };
    /** @type {Entry} */
    const entry = {
      stored,
      info: added,
      embedded: new Set(),
      fingerprint: null,
      problem: null,
      kept: true,
      vectorBytes: 0,
    };
    this.#entries.set(stored.id, entry);
    try {
      await this.#stored.put(stored, file, segment, replaced);
    } catch {
      // Out of space, or the file has changed on disk since: it can still be searched until the page closes.
      entry.kept = false;
    }
    return { document: this.#listed(entry), replaced };
  }

  /** @param {string} id */
  async #remove(id) {
    if (!this.#entries.delete(id)) return false;
    this.#timed('remove', id, () => this.#library.remove(id));
    await this.#stored.mark(id, true);
    return true;
  }

  /** @param {string} id */
  async #restore(id) {
    const stored = (await this.#stored.list()).find((document) => document.id === id);
    if (!stored || this.#entries.has(id)) return null;
    await this.#stored.mark(id, false);
    return this.#listed(await this.#load({ ...stored, removed: false }));
  }

  /** @param {Extract<OwnerRequest, { type: 'put-vectors' }>} request */
  async #putVectors({ document, start, count, vectors, fingerprint }) {
    const entry = this.#entries.get(document);
    if (!entry || entry.info === null) return null;
    const bytes = this.#timed('put-vectors', document, () =>
      this.#library.putVectors(document, start, count, vectors, fingerprint),
    );
    entry.embedded.add(start);
    entry.fingerprint = fingerprint;
    entry.vectorBytes += bytes.byteLength;
    try {
      await this.#stored.putVectors(document, entry.stored.formatVersion, {
        start,
        count,
        fingerprint,
        bytes,
      });
    } catch {
      entry.kept = false;
    }
    return this.#listed(entry);
  }

  /**
   * Takes the vectors of any other model out: two models' vectors cannot be compared.
   * @param {string} fingerprint
   */
  async #useModel(fingerprint) {
    /** @type {LibraryDocument[]} */
    const changed = [];
    for (const [id, entry] of this.#entries) {
      if (entry.fingerprint === null || entry.fingerprint === fingerprint) continue;
      await this.#stored.dropVectors(id);
      changed.push(this.#listed(await this.#load(entry.stored)));
    }
    return changed;
  }

  /** Points for a new graph over the vectors; null where none would pay. @param {import('./protocol.js').Ann} ann */
  #graphPoints(ann) {
    if (!this.#library.wantsGraph(ann)) return null;
    return this.#timed('graph-points', null, () => this.#library.graphPoints()) ?? null;
  }

  /** @param {Uint8Array} links made of the last points */
  #setGraph(links) {
    this.#timed('set-graph', null, () => this.#library.setGraph(links));
    this.#graphs += 1;
    return null;
  }

  async #usage() {
    const used = await this.#stored.usage();
    /** @type {StorageEstimate} */
    const estimate = (await globalThis.navigator?.storage?.estimate?.()) ?? {};
    return {
      documents: this.#entries.size,
      used: Array.from(used.values()).reduce((sum, bytes) => sum + bytes, 0),
      quota: estimate.quota ?? 0,
      persistent: this.#stored.persistent,
    };
  }

  async #clear() {
    for (const id of this.#entries.keys()) this.#timed('remove', id, () => this.#library.remove(id));
    this.#entries.clear();
    await this.#stored.clear();
    return null;
  }

  #stats() {
    const sorted = [...this.#tasks].sort((a, b) => a.ms - b.ms);
    const longest = sorted.at(-1);
    return {
      tasks: sorted.length,
      p95: sorted[Math.floor((sorted.length - 1) * 0.95)]?.ms ?? 0,
      longest: longest?.ms ?? 0,
      longestTask: longest?.name ?? '',
      graphs: this.#graphs,
    };
  }

  /** @param {Entry} entry @returns {LibraryDocument} */
  #listed({ stored, info, embedded, problem, kept, vectorBytes }) {
    const { id, name, title, nPages, nPassages, diags, bytes, addedAt, segmentBytes } = stored;
    /** @type {number[]} */
    const missing = [];
    let nEmbedded = 0;
    for (let start = 0; info !== null && start < nPassages; start += batchSize) {
      if (embedded.has(start)) nEmbedded += Math.min(batchSize, nPassages - start);
      else missing.push(start);
    }
    return {
      id,
      name,
      title,
      nPages,
      nPassages,
      nEmbedded,
      diags,
      bytes,
      addedAt,
      missing,
      kept,
      problem,
      stored: bytes + segmentBytes + vectorBytes,
    };
  }
}

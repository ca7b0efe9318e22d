/**
 * The owner's side: answers requests to one library. Every request is one short call into wasm with storage around it, or several
 * with other requests in between: a long document is read, prepared for questions and freed in tasks of some milliseconds (each is
 * timed, `stats` tells). Changes run one after the other, also with those of other tabs, and are told to them; questions are
 * answered in between.
 *
 * Nothing takes a document out but a request to do so: files of one name are both kept.
 */

import { Admission } from './admission.js';
import { EngineError, cancelled, isFatal, toPlain } from './errors.js';
import { LoadedLibrary } from './loaded-library.js';
import { nextMessage } from './next-message.js';
import { OpenQuestions } from './open-questions.js';
import { Ranking } from './ranking.js';
import { MemoryStore, openStore } from './store.js';
import { Tabs } from './tabs.js';

/** @typedef {import('./protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {import('./protocol.js').OwnerRequest} OwnerRequest */
/** @typedef {import('./protocol.js').Commit} Commit */
/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./tabs.js').Change} Change */
/** @typedef {Pick<Tabs, 'alone' | 'tell'>} TabsLike */
/** @typedef {Pick<typeof import('pincite-wasm'), 'Library' | 'SegmentReader' | 'distinctName' | 'version' | 'formatVersion' | 'profiles' | 'readProfile'>} Wasm */

/** Time without a change after which the documents are prepared for the next question, in milliseconds. */
const quietBeforePreparing = 1000;

export class Owner {
  #wasm;
  #library;
  #engine;
  #entries;
  #admission;
  #notify;
  #openStore;
  #openTabs;
  /** Null where nothing outlasts the page. @type {TabsLike | null} */
  #tabs = null;
  /** Commits that wait or run, by document. @type {Map<string, AbortController>} */
  #commits = new Map();
  /** @type {Promise<unknown>} */
  #changes = Promise.resolve();
  /** Runs when no change has come for a while. @type {ReturnType<typeof setTimeout> | undefined} */
  #quiet;
  #questions;
  #ranking;
  #graphs = 0;

  /**
   * @param {Wasm} wasm
   * @param {(event: Extract<import('./protocol.js').Event, { type: 'changed' | 'gone' | 'fatal' }>) => void} notify of
   *   what other tabs have changed
   * @param {string | null} thesaurus words for one concept, a group a line
   * @param {(name: string) => Promise<Store>} [open] another store, for tests
   * @param {(name: string, onChange: (change: Change) => void) => TabsLike} [openTabs] other tabs, for tests
   */
  constructor(
    wasm,
    notify,
    thesaurus,
    open = openStore,
    openTabs = (library, onChange) => new Tabs(library, onChange),
  ) {
    this.#wasm = wasm;
    this.#library = new LoadedLibrary(wasm);
    this.#engine = this.#library.engine;
    this.#entries = this.#library.entries;
    this.#admission = new Admission(wasm, this.#library, (change) => this.#tell(change));
    if (thesaurus !== null) this.#engine.useThesaurus(thesaurus);
    this.#questions = new OpenQuestions(this.#engine);
    this.#ranking = new Ranking(this.#engine);
    this.#notify = notify;
    this.#openStore = open;
    this.#openTabs = openTabs;
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
        return this.#commitUnlessCancelled(request);
      case 'commit-all':
        return this.#changeAlone(() => this.#admission.commitAll(request.commits));
      case 'cancel-commit':
        this.#commits.get(request.document)?.abort(cancelled());
        return null;
      case 'remove':
        return this.#changeAlone(() => this.#remove(request.document));
      case 'restore':
        return this.#changeAlone(() => this.#admission.restore(request.kept));
      case 'passages':
      case 'text': {
        const { type, document, start, limit } = request;
        const read = type === 'text' ? 'documentText' : 'passages';
        return this.#library.timed(type, document, () => this.#engine[read](document, start, limit));
      }
      case 'unembedded':
        return this.#library.timed('passages', request.document, () => this.#unembedded(request));
      case 'put-vectors':
        return this.#changeAlone(() => this.#putVectors(request));
      case 'use-model':
        return this.#changeAlone(() => this.#useModel(request.fingerprint));
      case 'graph-points':
        return this.#change(async () => this.#graphPoints(request.ann));
      case 'set-graph':
        return this.#change(async () => this.#setGraph(request.links));
      case 'ask-begin':
        await this.#prepare();
        return this.#library.timed(request.type, null, () =>
          this.#questions.handle(this.#ranking.asked(request)),
        );
      case 'ask-wanted':
      case 'ask-search':
      case 'ask-compared':
      case 'ask-reply':
      case 'ask-end':
      case 'ask-drop':
        return this.#library.timed(request.type, null, () => this.#questions.handle(request));
      case 'profiles':
        return this.#wasm.profiles();
      case 'read-profile':
        return this.#wasm.readProfile(request.file);
      case 'search':
      case 'try-search':
      case 'candidates':
      case 'shipped-ranker':
      case 'try-ranker':
      case 'keep-ranking':
        await this.#prepare();
        return this.#library.timed(request.type, null, () => this.#ranking.handle(request));
      case 'file':
        return this.#library.storeOf(request.document).file(request.document);
      case 'stored':
        return this.#library.storeOf(request.document).read(request.document);
      case 'usage':
        return this.#usage();
      case 'clear':
        return this.#changeAlone(() => this.#clear());
      case 'stats':
        return { ...this.#library.times.summary(), graphs: this.#graphs };
    }
  }

  /** The document that wasm is working on: told when it traps. */
  get working() {
    return this.#library.working;
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
    // Of a folder of files only the last is worth the work.
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      this.#prepare().catch((error) => this.#tellIfLost(error));
    }, quietBeforePreparing);
    return result;
  }

  /** What a question needs of the documents since they changed, in short tasks. Frees what was taken out, too. */
  async #prepare() {
    while (this.#library.timed('prepare', null, () => this.#engine.prepare())) await nextMessage();
  }

  /** A lost instance is told; any other error of the background is met again by who asks. @param {unknown} error */
  #tellIfLost(error) {
    if (isFatal(error))
      this.#notify({ type: 'fatal', message: toPlain(error).message, document: this.working });
  }

  /**
   * A change that other tabs wait for.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  #changeAlone(work) {
    return this.#change(() => (this.#tabs ? this.#tabs.alone(work) : work()));
  }

  /**
   * @param {string | null} library null for one in memory
   * @param {Set<string>} skip
   * @param {(document: LibraryDocument) => void} onDocument
   */
  async #open(library, skip, onDocument) {
    this.#library.store = library === null ? new MemoryStore() : await this.#openStore(library);
    // Before the store is read: what another tab stores meanwhile is read after it.
    if (library !== null && this.#library.stored.persistent)
      this.#tabs = this.#openTabs(library, (change) => {
        // What could not be read now is read at the next opening; a lost instance is replaced.
        this.#change(() => this.#follow(change)).catch((error) => this.#tellIfLost(error));
      });
    for (const stored of await this.#library.stored.list()) {
      const damaged = skip.has(stored.id)
        ? new EngineError('index-damaged', 'reading this document ended the engine')
        : null;
      onDocument(this.#library.listed(await this.#library.load(stored, damaged)));
    }
    if (library !== null && this.#library.stored.persistent) await this.#ranking.open(library);
    return {
      persistent: this.#library.stored.persistent,
      formatVersion: this.#wasm.formatVersion(),
      version: this.#wasm.version(),
    };
  }

  /** @param {Commit} request */
  async #commitUnlessCancelled(request) {
    const { id } = request.info;
    const controller = new AbortController();
    this.#commits.set(id, controller);
    try {
      return await this.#changeAlone(() => this.#admission.commit(request, controller.signal));
    } finally {
      if (this.#commits.get(id) === controller) this.#commits.delete(id);
    }
  }

  /** Takes a document out, of the store too; the page keeps what is needed to put it back. @param {string} id */
  async #remove(id) {
    if (!this.#entries.has(id)) return null;
    const kept = await this.#library.storeOf(id).take(id);
    this.#tell({ type: 'take', document: id });
    this.#entries.delete(id);
    this.#library.unload(id);
    return kept;
  }

  /** Takes over what another tab has stored. @param {Change} change */
  async #follow(change) {
    if (change.type === 'clear') {
      for (const [id, { kept }] of [...this.#entries]) if (kept) this.#drop(id);
      return this.#ranking.forget();
    }
    const { document: id } = change;
    const entry = this.#entries.get(id);
    if (change.type === 'vectors' && entry?.info) {
      const { formatVersion } = entry.stored;
      const batches = await this.#library.stored.vectors(id, formatVersion);
      const batch = batches.find(({ start }) => start === change.start);
      if (batch && !entry.embedded.has(change.start)) this.#library.addBatch(entry, batch);
    } else {
      const stored = (await this.#library.stored.list()).find((document) => document.id === id);
      if (!stored) return this.#drop(id);
      this.#library.unload(id);
      // What could not be stored here could be there.
      await this.#library.unstored.take(id);
      await this.#library.load(stored);
    }
    const now = this.#entries.get(id);
    if (now) this.#notify({ type: 'changed', document: this.#library.listed(now) });
  }

  /** Takes out what another tab has taken out. @param {string} id */
  #drop(id) {
    if (this.#entries.get(id)?.kept !== true) return;
    this.#entries.delete(id);
    this.#library.unload(id);
    this.#notify({ type: 'gone', document: id });
  }

  /** Tells the other tabs, unless it is about a document that only this one has. @param {Change} change */
  #tell(change) {
    if (change.type === 'clear' || this.#entries.get(change.document)?.kept !== false)
      this.#tabs?.tell(change);
  }

  /** @param {Extract<OwnerRequest, { type: 'unembedded' }>} request */
  #unembedded({ document, start, limit }) {
    /** @type {number[]} */
    const rows = [];
    for (const [from, end] of this.#engine.passagesWithoutVectors(document))
      for (let row = Math.max(from, start); row < Math.min(end, start + limit); row += 1) rows.push(row);
    return { rows, texts: this.#engine.passagesAt(document, new Uint32Array(rows)) };
  }

  /** @param {Extract<OwnerRequest, { type: 'put-vectors' }>} request */
  async #putVectors({ document, rows, vectors, fingerprint }) {
    const entry = this.#entries.get(document);
    if (!entry || entry.info === null) return null;
    const runs = this.#library.timed('put-vectors', document, () =>
      this.#engine.putSingleVectors(document, new Uint32Array(rows), vectors, fingerprint),
    );
    entry.fingerprint = fingerprint;
    for (const { start, bytes } of runs) {
      entry.embedded.add(start);
      entry.vectorBytes += bytes.byteLength;
    }
    const batches = runs.map((run) => ({ ...run, fingerprint }));
    // Batches that find no space are embedded again at the next opening.
    await this.#library
      .storeOf(document)
      .putVectors(document, entry.stored.formatVersion, batches)
      .then(() => {
        for (const { start } of batches) this.#tell({ type: 'vectors', document, start });
      })
      .catch(() => {});
    return this.#library.listed(entry);
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
      await this.#library.storeOf(id).dropVectors(id);
      this.#library.unload(id);
      changed.push(this.#library.listed(await this.#library.load(entry.stored, null, entry.kept)));
      this.#tell({ type: 'put', document: id });
    }
    return changed;
  }

  /** Points for a new graph over the vectors; null where none would pay. @param {import('./protocol.js').Ann} ann */
  #graphPoints(ann) {
    if (!this.#engine.wantsGraph(ann)) return null;
    return this.#library.timed('graph-points', null, () => this.#engine.graphPoints()) ?? null;
  }

  /** @param {Uint8Array} links made of the last points */
  #setGraph(links) {
    this.#library.timed('set-graph', null, () => this.#engine.setGraph(links));
    this.#graphs += 1;
    return null;
  }

  async #usage() {
    const used = await this.#library.stored.usage();
    /** @type {StorageEstimate} */
    const estimate = (await globalThis.navigator?.storage?.estimate?.()) ?? {};
    return {
      documents: this.#entries.size,
      used: Array.from(used.values()).reduce((sum, bytes) => sum + bytes, 0),
      quota: estimate.quota ?? 0,
      persistent: this.#library.stored.persistent,
    };
  }

  async #clear() {
    // Storage first: where that fails, all is there as before.
    await this.#library.stored.clear();
    await this.#library.unstored.clear();
    for (const id of this.#entries.keys()) this.#library.unload(id);
    this.#entries.clear();
    await this.#ranking.clear();
    this.#tell({ type: 'clear' });
    return null;
  }
}

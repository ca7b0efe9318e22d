/**
 * The owner's side: one `Library` and the store, kept in step. Every request is one short call into wasm with
 * storage around it, or several with other requests in between: a long document is read, prepared for questions and
 * freed in tasks of some milliseconds (each is timed, `stats` tells). Changes run one after the other, also with those
 * of other tabs, and are told to them; questions are answered in between.
 *
 * Nothing takes a document out but a request to do so: files of one name are both kept.
 */

import { entryOf, listedOf, namingOf, storedOf } from './entry.js';
import { EngineError, cancelled, isFatal, toPlain } from './errors.js';
import { nextMessage } from './next-message.js';
import { OpenQuestions } from './open-questions.js';
import { Ranking } from './ranking.js';
import { MemoryStore, openStore } from './store.js';
import { Tabs } from './tabs.js';
import { TaskTimes } from './task-times.js';

/** @typedef {import('./protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {import('./entry.js').Entry} Entry */
/** @typedef {import('./protocol.js').OwnerRequest} OwnerRequest */
/** @typedef {import('./protocol.js').Commit} Commit */
/** @typedef {import('./protocol.js').Committed} Committed */
/** @typedef {import('./errors.js').PlainError} PlainError */
/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./store.js').StoredDocument} StoredDocument */
/** @typedef {import('./store.js').Kept} Kept */
/** @typedef {import('./tabs.js').Change} Change */
/** @typedef {Pick<Tabs, 'alone' | 'tell'>} TabsLike */
/** @typedef {Pick<typeof import('pincite-wasm'), 'Library' | 'SegmentReader' | 'distinctName' | 'version' | 'formatVersion' | 'profiles' | 'readProfile'>} Wasm */

/** Time without a change after which the documents are prepared for the next question, in milliseconds. */
const quietBeforePreparing = 1000;

/** @typedef {{ kept: Kept, entry: Entry, before: Entry | null, isNew: boolean, namesake: string | null }} Admitted a document that was taken into the library; `before` is what stood in its place */

export class Owner {
  #wasm;
  #library;
  #notify;
  #openStore;
  #openTabs;
  /** @type {Store | null} */
  #store = null;
  /** Documents that could not be stored. */
  #unstored = new MemoryStore();
  /** Null where nothing outlasts the page. @type {TabsLike | null} */
  #tabs = null;
  /** Commits that wait or run, by document. @type {Map<string, AbortController>} */
  #commits = new Map();
  /** @type {Map<string, Entry>} */
  #entries = new Map();
  /** @type {Promise<unknown>} */
  #changes = Promise.resolve();
  /** Runs when no change has come for a while. @type {ReturnType<typeof setTimeout> | undefined} */
  #quiet;
  #times = new TaskTimes();
  #questions;
  #ranking;
  #graphs = 0;
  /** When the last document was added: no two at once, since their order is by this time. */
  #addedAt = 0;
  /** The document that wasm is working on: told when it traps. @type {string | null} */
  working = null;

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
    this.#library = new wasm.Library();
    if (thesaurus !== null) this.#library.useThesaurus(thesaurus);
    this.#questions = new OpenQuestions(this.#library);
    this.#ranking = new Ranking(this.#library);
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
        return this.#changeAlone(() => this.#commitAll(request.commits));
      case 'cancel-commit':
        this.#commits.get(request.document)?.abort(cancelled());
        return null;
      case 'remove':
        return this.#changeAlone(() => this.#remove(request.document));
      case 'restore':
        return this.#changeAlone(() => this.#restore(request.kept));
      case 'passages':
      case 'text': {
        const { type, document, start, limit } = request;
        const read = type === 'text' ? 'documentText' : 'passages';
        return this.#timed(type, document, () => this.#library[read](document, start, limit));
      }
      case 'unembedded':
        return this.#timed('passages', request.document, () => this.#unembedded(request));
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
        return this.#timed(request.type, null, () => this.#questions.handle(this.#ranking.asked(request)));
      case 'ask-wanted':
      case 'ask-search':
      case 'ask-compared':
      case 'ask-reply':
      case 'ask-end':
      case 'ask-drop':
        return this.#timed(request.type, null, () => this.#questions.handle(request));
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
        return this.#timed(request.type, null, () => this.#ranking.handle(request));
      case 'file':
        return this.#storeOf(request.document).file(request.document);
      case 'stored':
        return this.#storeOf(request.document).read(request.document);
      case 'usage':
        return this.#usage();
      case 'clear':
        return this.#changeAlone(() => this.#clear());
      case 'stats':
        return { ...this.#times.summary(), graphs: this.#graphs };
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
    // Of a folder of files only the last is worth the work.
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      this.#prepare().catch((error) => this.#tellIfLost(error));
    }, quietBeforePreparing);
    return result;
  }

  /** What a question needs of the documents since they changed, in short tasks. Frees what was taken out, too. */
  async #prepare() {
    while (this.#timed('prepare', null, () => this.#library.prepare())) await nextMessage();
  }

  /**
   * Reads a segment into the library, in short tasks.
   * @param {string} id @param {Uint8Array} segment @param {string} name
   */
  async #add(id, segment, name) {
    const reader = this.#timed('add', id, () => new this.#wasm.SegmentReader(segment));
    while (this.#timed('add', id, () => reader.read())) await nextMessage();
    return this.#timed('add', id, () => this.#library.addRead(reader, name));
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

  /** Where a document lies. @param {string} id */
  #storeOf(id) {
    return this.#entries.get(id)?.kept === false ? this.#unstored : this.#stored;
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
    let result;
    try {
      result = call();
    } catch (error) {
      // A lost instance is told with the document; an error of the engine has been dealt with.
      if (!isFatal(error)) this.working = null;
      throw error;
    }
    this.working = null;
    this.#times.add(name, performance.now() - begin);
    return result;
  }

  /**
   * @param {string | null} library null for one in memory
   * @param {Set<string>} skip
   * @param {(document: LibraryDocument) => void} onDocument
   */
  async #open(library, skip, onDocument) {
    this.#store = library === null ? new MemoryStore() : await this.#openStore(library);
    // Before the store is read: what another tab stores meanwhile is read after it.
    if (library !== null && this.#store.persistent)
      this.#tabs = this.#openTabs(library, (change) => {
        // What could not be read now is read at the next opening; a lost instance is replaced.
        this.#change(() => this.#follow(change)).catch((error) => this.#tellIfLost(error));
      });
    for (const stored of await this.#stored.list()) {
      const damaged = skip.has(stored.id)
        ? new EngineError('index-damaged', 'reading this document ended the engine')
        : null;
      onDocument(this.#listed(await this.#load(stored, damaged)));
    }
    if (library !== null && this.#store.persistent) await this.#ranking.open(library);
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
   * @param {boolean} kept false if it lies in memory
   * @returns {Promise<Entry>}
   */
  async #load(stored, damaged = null, kept = true) {
    const entry = entryOf(stored, kept);
    this.#entries.set(stored.id, entry);
    const store = this.#storeOf(stored.id);
    try {
      if (damaged) throw damaged;
      const segment = await store.segment(stored.id, stored.formatVersion);
      if (segment === null) throw new EngineError('index-damaged', 'the stored segment is missing');
      entry.info = await this.#add(stored.id, segment, stored.name);
    } catch (error) {
      if (isFatal(error)) throw error;
      entry.problem = toPlain(error);
      return entry;
    }
    for (const batch of await store.vectors(stored.id, stored.formatVersion)) this.#addBatch(entry, batch);
    return entry;
  }

  /** @param {Commit} request */
  async #commitUnlessCancelled(request) {
    const { id } = request.info;
    const controller = new AbortController();
    this.#commits.set(id, controller);
    try {
      return await this.#changeAlone(() => this.#commit(request, controller.signal));
    } finally {
      if (this.#commits.get(id) === controller) this.#commits.delete(id);
    }
  }

  /** Makes a file a document. Cancelled before it is stored, it leaves what was stored of it as it was. @param {Commit} commit @param {AbortSignal} signal */
  async #commit(commit, signal) {
    signal.throwIfAborted();
    const admitted = await this.#admit(commit, await this.#listedHere());
    const isStored = await this.#tryToStore([admitted.kept], signal);
    if (!isStored && signal.aborted) {
      await this.#takeBack(admitted);
      throw cancelled();
    }
    await this.#settle(admitted, isStored);
    return this.#committed(admitted);
  }

  /**
   * Makes files documents, which are stored in one transaction or, where that fails, one by one.
   * @param {Commit[]} commits
   * @returns {Promise<(Committed | { problem: PlainError })[]>}
   */
  async #commitAll(commits) {
    let others = await this.#listedHere();
    /** @type {(Admitted | { problem: PlainError })[]} */
    const all = [];
    let lost = null;
    for (const commit of commits) {
      try {
        const admitted = await this.#admit(commit, others);
        const { document } = admitted.kept;
        others = [...others.filter(({ id }) => id !== document.id), document];
        all.push(admitted);
      } catch (error) {
        if (isFatal(error)) lost = { error, working: this.working };
        if (lost !== null) break;
        all.push({ problem: toPlain(error) });
      }
    }
    // Also where this instance is lost: the next one reads from the store those before the document that ended it.
    const whole = all.flatMap((each) => ('kept' in each ? each : []));
    const areStored = await this.#tryToStore(whole.map(({ kept }) => kept));
    for (const each of whole) await this.#settle(each, areStored || (await this.#tryToStore([each.kept])));
    if (lost !== null) {
      this.working = lost.working;
      throw lost.error;
    }
    return all.map((each) => ('kept' in each ? this.#committed(each) : each));
  }

  /** Stores documents, all or none. @param {Kept[]} all @param {AbortSignal} [signal] @returns {Promise<boolean>} false where that failed */
  #tryToStore(all, signal) {
    return this.#stored.putAll(all, signal).then(
      () => true,
      () => false,
    );
  }

  /**
   * Takes a file into the library, which is not stored yet.
   * @param {Commit} commit
   * @param {StoredDocument[]} others documents of the library, also of other tabs
   * @returns {Promise<Admitted>}
   */
  async #admit(commit, others) {
    const { file, folder, segment, info, vectors = [] } = commit;
    const { id, date } = info;
    const known = others.find((other) => other.id === id) ?? null;
    const isSameFile = known !== null && [known.name, known.fileName].includes(info.name);
    const { name, fileName, namesake } = isSameFile
      ? { name: known.name, fileName: known.fileName, namesake: null }
      : this.#nameFor(
          info.name,
          { folder, date },
          others.filter((other) => other.id !== id),
        );
    const added = await this.#add(id, segment, name);
    this.#addedAt = Math.max(Date.now(), this.#addedAt + 1);
    const formatVersion = this.#wasm.formatVersion();
    const stored = storedOf(commit, added, { name, fileName, addedAt: this.#addedAt, formatVersion });
    const before = this.#entries.get(id) ?? null;
    const entry = { ...entryOf(stored, true), info: added };
    this.#entries.set(id, entry);
    for (const batch of vectors) this.#addBatch(entry, batch);
    const kept = { document: stored, file, segment, vectors };
    return { kept, entry, before, isNew: known === null, namesake };
  }

  /**
   * Notes whether a document could be stored. If not, since space ran out or the file has changed on disk, it can be used until
   * the page closes.
   * @param {Admitted} admitted @param {boolean} isStored
   */
  async #settle({ kept, entry }, isStored) {
    const { id } = kept.document;
    entry.kept = isStored;
    if (isStored) await this.#unstored.take(id);
    else await this.#unstored.put(kept);
    this.#tell({ type: 'put', document: id });
  }

  /** @param {Admitted} admitted @returns {Committed} */
  #committed({ entry, isNew, namesake }) {
    return { document: this.#listed(entry), isNew, namesake };
  }

  /** The library as it was before a document was taken in. @param {Admitted} admitted */
  async #takeBack({ kept, before }) {
    const { id } = kept.document;
    this.#entries.delete(id);
    this.#timed('remove', id, () => this.#library.remove(id));
    if (before) await this.#load(before.stored, null, before.kept);
  }

  /** Documents of the library as all tabs have it, and those of this one that could not be stored. */
  async #listedHere() {
    const unstored = await this.#unstored.list();
    return [...(await this.#stored.list()), ...unstored];
  }

  /** A name for a new document, as `namingOf` has it. @param {string} fileName @param {{ folder: string, date: string | null }} given @param {StoredDocument[]} others */
  #nameFor(fileName, given, others) {
    const { marks, taken, namesake } = namingOf(fileName, given, others);
    const name = this.#timed('name', null, () => this.#wasm.distinctName(fileName, marks, taken));
    return { name, fileName, namesake };
  }

  /** Takes a document out, of the store too; the page keeps what is needed to put it back. @param {string} id */
  async #remove(id) {
    if (!this.#entries.has(id)) return null;
    const kept = await this.#storeOf(id).take(id);
    this.#tell({ type: 'take', document: id });
    this.#entries.delete(id);
    this.#timed('remove', id, () => this.#library.remove(id));
    return kept;
  }

  /** @param {Kept} kept */
  async #restore(kept) {
    const { id } = kept.document;
    const others = await this.#listedHere();
    // It was added again meanwhile.
    if (others.some((other) => other.id === id)) return null;
    const isTaken = others.some((other) => other.name === kept.document.name);
    const name = isTaken
      ? this.#nameFor(kept.document.fileName, kept.document, others).name
      : kept.document.name;
    const back = { ...kept, document: { ...kept.document, name } };
    const isStored = await this.#tryToStore([back]);
    if (!isStored) await this.#unstored.put(back);
    const entry = await this.#load(back.document, null, isStored);
    this.#tell({ type: 'put', document: id });
    return this.#listed(entry);
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
      const batches = await this.#stored.vectors(id, formatVersion);
      const batch = batches.find(({ start }) => start === change.start);
      if (batch && !entry.embedded.has(change.start)) this.#addBatch(entry, batch);
    } else {
      const stored = (await this.#stored.list()).find((document) => document.id === id);
      if (!stored) return this.#drop(id);
      this.#timed('remove', id, () => this.#library.remove(id));
      await this.#load(stored);
    }
    const now = this.#entries.get(id);
    if (now) this.#notify({ type: 'changed', document: this.#listed(now) });
  }

  /** Takes out what another tab has taken out. @param {string} id */
  #drop(id) {
    if (this.#entries.get(id)?.kept !== true) return;
    this.#entries.delete(id);
    this.#timed('remove', id, () => this.#library.remove(id));
    this.#notify({ type: 'gone', document: id });
  }

  /** Tells the other tabs, unless it is about a document that only this one has. @param {Change} change */
  #tell(change) {
    if (change.type === 'clear' || this.#entries.get(change.document)?.kept !== false)
      this.#tabs?.tell(change);
  }

  /** @param {Entry} entry @param {import('./store.js').VectorBatch} batch */
  #addBatch(entry, batch) {
    try {
      this.#timed('add-vectors', entry.stored.id, () => this.#library.addVectors(batch.bytes));
      entry.embedded.add(batch.start);
      entry.fingerprint = batch.fingerprint;
      entry.vectorBytes += batch.bytes.byteLength;
    } catch (error) {
      // A batch that cannot be read is embedded again; the text of the document is there without it.
      if (isFatal(error)) throw error;
    }
  }

  /** @param {Extract<OwnerRequest, { type: 'unembedded' }>} request */
  #unembedded({ document, start, limit }) {
    /** @type {number[]} */
    const rows = [];
    for (const [from, end] of this.#library.passagesWithoutVectors(document))
      for (let row = Math.max(from, start); row < Math.min(end, start + limit); row += 1) rows.push(row);
    return { rows, texts: this.#library.passagesAt(document, new Uint32Array(rows)) };
  }

  /** @param {Extract<OwnerRequest, { type: 'put-vectors' }>} request */
  async #putVectors({ document, rows, vectors, fingerprint }) {
    const entry = this.#entries.get(document);
    if (!entry || entry.info === null) return null;
    const runs = this.#timed('put-vectors', document, () =>
      this.#library.putSingleVectors(document, new Uint32Array(rows), vectors, fingerprint),
    );
    entry.fingerprint = fingerprint;
    for (const { start, bytes } of runs) {
      entry.embedded.add(start);
      entry.vectorBytes += bytes.byteLength;
    }
    const batches = runs.map((run) => ({ ...run, fingerprint }));
    // Batches that find no space are embedded again at the next opening.
    await this.#storeOf(document)
      .putVectors(document, entry.stored.formatVersion, batches)
      .then(() => {
        for (const { start } of batches) this.#tell({ type: 'vectors', document, start });
      })
      .catch(() => {});
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
      await this.#storeOf(id).dropVectors(id);
      this.#timed('remove', id, () => this.#library.remove(id));
      changed.push(this.#listed(await this.#load(entry.stored, null, entry.kept)));
      this.#tell({ type: 'put', document: id });
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
    await this.#unstored.clear();
    await this.#ranking.clear();
    this.#tell({ type: 'clear' });
    return null;
  }

  /** @param {Entry} entry @returns {LibraryDocument} */
  #listed(entry) {
    return listedOf(entry, entry.info === null ? [] : this.#library.passagesWithoutVectors(entry.stored.id));
  }
}

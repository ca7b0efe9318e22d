/**
 * The engine as the page sees it: a library of documents, jobs that bring files into it, and questions. It
 * starts the owner and the pool, moves results from one to the other, and keeps the snapshot that the widget
 * draws. It holds no text of a document beyond what is being shown or embedded.
 *
 * A file becomes a document in one step (`commit`), as soon as it is parsed: from then on BM25 finds it. Its
 * vectors follow batch by batch, each stored when it is there, so a page closed meanwhile goes on where it was.
 */

import { ask } from './asking.js';
import { Channel } from './channel.js';
import { blobOf } from './content.js';
import { Embedding } from './embedding.js';
import { EngineError, cancelled, toPlain } from './errors.js';
import { poolSize, requireFeatures } from './features.js';
import { encoderAssets, engineAssets, ingestAssets, modelFiles, workerReady } from './files.js';
import { GraphLinking } from './graph-linking.js';
import { Ingest } from './ingest.js';
import { keepStorage } from './keep-storage.js';
import { KeptMarker } from './kept-marker.js';
import { LibraryOwner } from './library-owner.js';
import { fetchable, nameOf } from './link.js';
import { loadOnce } from './load-once.js';
import { Pool } from './pool.js';
import { RemovedDocuments } from './removed-documents.js';
import { startWorker } from './start-worker.js';

/** @typedef {import('./protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {import('./protocol.js').Answer} Answer */
/** @typedef {import('./protocol.js').SearchReply} SearchReply */
/** @typedef {import('./errors.js').PlainError} PlainError */

/** Default limits of a file; a caller can change them. @type {Limits} */
export const defaultLimits = { maxBytes: 256 * 1024 * 1024, maxPages: 20_000 };

/** @typedef {import('./ingest.js').Job} Job */
/** @typedef {import('./ingest.js').Limits} Limits */

/**
 * @typedef {object} Snapshot
 * @property {'opening' | 'open' | 'failed'} state
 * @property {PlainError | null} failure why the engine could not be started
 * @property {boolean} persistent whether documents outlast the page
 * @property {LibraryDocument[]} documents
 * @property {Job[]} jobs
 * @property {LibraryDocument[]} removed documents that can still be put back
 * @property {Map<string, string>} namesakes documents added in this session whose file has the name of an earlier one's,
 *   with that one, until the person decides
 * @property {import('./embedding.js').ModelState} model
 * @property {import('./embedding.js').EmbeddingProgress | null} embedding
 * @property {import('./gpu/trial.js').Refusal | null} gpuRefusal why no GPU embeds; null where one does or has not been tried
 */

/** Fired on every change of the snapshot. */
export class ChangeEvent extends Event {
  constructor() {
    super('change');
  }
}

export class Engine extends EventTarget {
  /** @type {Limits} */
  limits = { ...defaultLimits };
  /** Method of vector search; `auto` decides by their number. @type {import('./protocol.js').Ann} */
  ann = 'auto';
  /** Settles when the stored library has been loaded. @type {Promise<void>} */
  opened;
  /** @type {import('./gpu/choice.js').GpuSetting} */
  #gpu = 'auto';
  #base;
  #library;
  #vectors;
  /** @type {Snapshot['state']} */
  #state = 'opening';
  /** @type {PlainError | null} */
  #failure = null;
  /** @type {Map<string, LibraryDocument>} */
  #documents = new Map();
  /** Documents that were there when the owner was lost, until a new one has opened the library. @type {Map<string, LibraryDocument>} */
  #missed = new Map();
  #removed = new RemovedDocuments(
    () => this.#ask(),
    (id) => {
      this.#forget(id);
      this.#changed();
    },
  );
  /** @type {Map<string, string>} */
  #namesakes = new Map();
  /** Passwords given in this session, for the viewer. Never stored. @type {Map<string, string>} */
  #passwords = new Map();
  #marker;
  #owner;
  /** @type {Pool | null} */
  #pool = null;
  /** @type {Embedding | null} */
  #embedding = null;
  /** @type {GraphLinking | null} */
  #linking = null;
  #loadModel = loadOnce(() => modelFiles(this.#base));
  #loadEngine = loadOnce(() => engineAssets(this.#base));
  #loadIngest = loadOnce(() => ingestAssets(this.#base));
  #loadEncoder = loadOnce(() => encoderAssets(this.#base));
  #ingest = new Ingest({
    pool: async () => {
      await this.opened;
      return /** @type {Pool} */ (this.#pool);
    },
    owner: () => this.#ask(),
    limits: () => this.limits,
    document: (id) => this.#documents.get(id),
    model: () => this.#embedding?.fingerprint ?? null,
    onCommit: (committed, password) => this.#committed(committed, password),
    changed: () => this.#changed(),
  });
  /** True if this tab embeds what is stored. */
  #hasTurn = false;
  #endTurn = () => {};
  #closed = false;
  #notified = false;

  /**
   * @param {object} options
   * @param {import('./files.js').AssetBase} options.base
   * @param {string | null} [options.library] name of the stored library; null for one in memory that nothing is stored of
   * @param {boolean} [options.vectors] false where no model is loaded: passages are found by their words alone
   */
  constructor({ base, library = 'pincite', vectors = true }) {
    super();
    this.#base = base;
    this.#library = library;
    this.#vectors = vectors;
    this.#marker = new KeptMarker(library);
    this.#owner = new LibraryOwner({
      spawn: () => this.#spawn(this.#startOfOwner()),
      library,
      wasKept: () => this.#marker.isSet,
      onDocument: (document) => this.#list(document),
      onForeign: (event) => this.#follow(event),
      onLost: (opened) => this.#ownerLost(opened),
    });
    this.opened = this.#start();
    this.opened.catch((error) => this.#failed(error));
  }

  /** Use of a GPU for passages; questions never go to it. */
  get gpu() {
    return this.#gpu;
  }

  set gpu(setting) {
    this.#gpu = setting;
    this.#embedding?.pump();
  }

  /** @returns {Snapshot} */
  get snapshot() {
    const documents = this.#listed;
    return {
      state: this.#state,
      failure: this.#failure,
      persistent: this.#owner.persistent,
      documents: [...documents.values()],
      jobs: this.#ingest.jobs,
      removed: this.#removed.documents,
      namesakes: new Map([...this.#namesakes].filter((pair) => pair.every((id) => documents.has(id)))),
      model: this.#embedding?.model ?? 'cold',
      embedding: this.#embedding?.progress ?? null,
      gpuRefusal: this.#embedding?.gpuRefusal ?? null,
    };
  }

  /** All that the page lists, also while another owner is still opening the library. */
  get #listed() {
    return new Map([...this.#missed, ...this.#documents]);
  }

  /**
   * Brings a file into the library. Resolves when it can be searched; its vectors follow.
   * @param {File | Blob} file
   * @param {{ name?: string, password?: string | null }} [options]
   * @returns {Promise<LibraryDocument>}
   */
  add(file, { name = file instanceof File ? file.name : 'document', password = null } = {}) {
    const folder = file instanceof File ? (file.webkitRelativePath.split('/').at(-2) ?? '') : '';
    return this.#ingest.add(file, name, password, folder);
  }

  /**
   * Brings a file of a server into the library. Resolves when it can be searched, at once with the document that has its
   * bytes already. All of it is fetched; a transfer that breaks goes on by range, while the file is the same. `getAuth` gives
   * the value of the `Authorization` header, `signal` cancels.
   * @param {string | URL} address relative to the page
   * @param {import('./ingest.js').LinkOptions & { name?: string }} [options]
   * @returns {Promise<LibraryDocument>}
   */
  async addUrl(address, { name, ...options } = {}) {
    const url = fetchable(address);
    return this.#ingest.addLink(url, name ?? nameOf(url), options);
  }

  /**
   * Brings the documents of a packed library in that are not there yet (`pincite pack` makes one): nothing is read or embedded.
   * Resolves with all that can be searched then; `onFailed` is told of each other one. What it says of its documents is believed:
   * take one from your own server only. Cancelled, it leaves those that were added.
   * @param {Blob | string | URL} source the file, or its address relative to the page
   * @param {import('./ingest.js').PackedOptions & { name?: string }} [options] others as of `addUrl`
   * @returns {Promise<LibraryDocument[]>}
   */
  async addLibrary(source, { name, ...options } = {}) {
    const from = source instanceof Blob ? source : fetchable(source);
    const usual = from instanceof URL ? nameOf(from) : from instanceof File ? from.name : 'library';
    return this.#ingest.addPacked(from, name ?? usual, options);
  }

  /** Gives a locked file its password. @param {number} job @param {string} password */
  async unlock(job, password) {
    await this.#ingest.unlock(job, password);
  }

  /** Ends a job; nothing of its file remains. The list says "cancelled" until it is dismissed.
   * @param {number} job */
  cancel(job) {
    this.#ingest.cancel(job);
  }

  /** Takes the message of a job that is over from the list. @param {number} job */
  dismiss(job) {
    this.#ingest.dismiss(job);
  }

  /** Ends the embedding of a document and takes it out at once: nothing of its file remains.
   * @param {string} id */
  async cancelDocument(id) {
    const document = this.#listed.get(id);
    if (!document) return;
    this.#ingest.listCancelled(document.name, document.bytes);
    await this.remove(id, { undoMs: 0 });
  }

  /** Indexes a document again from its stored file. @param {string} id */
  async reindex(id) {
    const file = await this.file(id);
    const document = this.#documents.get(id);
    if (!document || !file)
      throw new EngineError('index-damaged', 'the stored file is missing', 'Add the file again.');
    return this.#ingest.add(file, document.name, this.password(id), '', id);
  }

  /**
   * Takes a document out, of the browser's storage too. For some seconds it can be put back with `restore`.
   * @param {string} id
   * @param {{ undoMs?: number }} [options] 0 for no way back
   */
  async remove(id, { undoMs = 10_000 } = {}) {
    if (this.#missed.has(id)) await this.opened;
    const document = this.#documents.get(id);
    if (!document) return false;
    const owner = this.#ask();
    this.#documents.delete(id);
    this.#embedding?.stop(id);
    this.#ingest.drop(id);
    const taken = this.#removed.take(document, undoMs);
    this.#changed();
    try {
      await taken;
    } catch (error) {
      // It is there as before; where another owner took over, that lists what is there.
      if (owner === this.#ask()) this.#list(document);
      throw error;
    }
    // What was on its way here, such as vectors that another tab made, has listed it meanwhile.
    this.#documents.delete(id);
    this.#changed();
    if (undoMs === 0) this.#forget(id);
    this.#embedding?.pump();
    return true;
  }

  /** Puts a removed document back. @param {string} id */
  async restore(id) {
    const document = await this.#removed.putBack(id);
    if (document === undefined) return false;
    if (document) this.#list(document);
    else this.#changed();
    this.#embedding?.pump();
    return document !== null;
  }

  /** Leaves a document beside the earlier one whose file has its name. @param {string} id */
  keepBoth(id) {
    this.#namesakes.delete(id);
    this.#changed();
  }

  /** Empties the library. Nothing of any document remains in the browser. */
  async clear() {
    if (this.#missed.size > 0) await this.opened;
    const owner = this.#ask();
    const documents = [...this.#documents.values()];
    this.#ingest.clear();
    for (const id of this.#documents.keys()) this.#embedding?.stop(id);
    this.#removed.clear();
    this.#documents.clear();
    this.#passwords.clear();
    this.#namesakes.clear();
    this.#changed();
    try {
      await owner.request({ type: 'clear' });
    } catch (error) {
      // As with a removal: it is all there as before.
      if (owner === this.#ask()) for (const document of documents) this.#list(document);
      throw error;
    }
    // What was on its way into the library was listed meanwhile, and is cleared with it.
    this.#documents.clear();
    this.#changed();
  }

  /**
   * Answers a question: from the documents alone, or with a language model.
   * @param {string} question
   * @param {import('./asking.js').AskSettings & { vectors?: 'auto' | 'wait' | 'none' }} [settings] `auto` searches without
   *   a query's embedding when it takes too long, `wait` waits for it, `none` looks at words alone, without the model
   * @returns {Promise<Answer>}
   */
  async ask(question, { vectors = 'auto', ...settings } = {}) {
    await this.opened;
    const embed = async (/** @type {string} */ query) =>
      vectors === 'none' ? null : this.#vector(query, vectors === 'wait');
    const embedding = {
      embed,
      prepare: this.#embedding?.prepare.bind(this.#embedding),
      compare: vectors === 'none' ? undefined : this.#embedding?.compare.bind(this.#embedding),
    };
    return ask(this.#ask(), embedding, question, { ann: this.ann, ...settings });
  }

  /** The profiles that ship, the default first. */
  async profiles() {
    await this.opened;
    return this.#ask().request({ type: 'profiles' });
  }

  /** A profile of the person's: its title and the endpoints that it names. Rejects with `profile-invalid`. @param {string} file TOML */
  async readProfile(file) {
    await this.opened;
    return this.#ask().request({ type: 'read-profile', file });
  }

  /**
   * @param {string} query
   * @param {{ k?: number, vectors?: 'auto' | 'wait' | 'none', filter?: import('./protocol.js').Filter | null, glossary?: import('./protocol.js').Glossary }} [options]
   * @returns {Promise<SearchReply>}
   */
  async search(query, { k = 10, vectors = 'auto', filter = null, glossary = {} } = {}) {
    await this.opened;
    const vector = vectors === 'none' ? null : await this.#vector(query, vectors === 'wait');
    return this.#ask().request({ type: 'search', query, vector, k, filter, glossary, ann: this.ann });
  }

  /**
   * Searches and changes of the ranking that the lab makes.
   * @template {import('./protocol.js').RankingRequest} R
   * @param {R} request
   */
  async ranking(request) {
    await this.opened;
    return this.#ask().request(request);
  }

  /** Vector of a question; null without a model. @param {string} question */
  vectorOf(question) {
    return this.#vector(question, true);
  }

  /** Blocks of a document's text, fewer than `limit` at its end. @param {string} id @param {number} start @param {number} limit */
  async text(id, start, limit) {
    if (this.#missed.has(id)) await this.opened;
    return this.#ask().request({ type: 'text', document: id, start, limit });
  }

  /** The stored file of a document. @param {string} id */
  async file(id) {
    if (this.#missed.has(id)) await this.opened;
    const content = await this.#ask().request({ type: 'file', document: id });
    const type = this.#documents.get(id)?.nPages ? 'application/pdf' : '';
    return content && blobOf(content, type);
  }

  /** All that is stored of a document. @param {string} id */
  async stored(id) {
    if (this.#missed.has(id)) await this.opened;
    return this.#ask().request({ type: 'stored', document: id });
  }

  /** The password that a document was opened with in this session. @param {string} id */
  password(id) {
    return this.#passwords.get(id) ?? null;
  }

  /** Bytes that the browser keeps. */
  async usage() {
    await this.opened;
    return this.#ask().request({ type: 'usage' });
  }

  /** The texts that are embedded, for measuring. @param {string} id @param {number} start @param {number} limit */
  async passages(id, start, limit) {
    return this.#ask().request({ type: 'passages', document: id, start, limit });
  }

  /** Times of the owner's tasks, in milliseconds, and of embedding and comparing, in seconds; and passages that a GPU embedded. */
  async stats() {
    const owner = await this.#ask().request({ type: 'stats' });
    const { seconds: embedSeconds = 0, nOnGpu = 0, compareSeconds = 0 } = this.#embedding ?? {};
    return { owner, embedSeconds, nOnGpu, compareSeconds, workers: this.#pool?.alive ?? 0 };
  }

  /**
   * Loads the model into a worker if none has it, so that the next question need not wait; not where there is nothing
   * that the model could read.
   */
  warm() {
    const documents = [...this.#documents.values()];
    if (this.#vectors && documents.some(({ nToEmbed }) => nToEmbed > 0)) void this.#embedding?.warm();
  }

  /** Ends every worker. What is stored stays. */
  close() {
    this.#closed = true;
    this.#endTurn();
    this.#ingest.clear();
    this.#removed.close();
    this.#embedding?.close();
    this.#linking?.close();
    this.#pool?.close();
    this.#owner.close(cancelled('the engine was closed'));
  }

  async #start() {
    requireFeatures();
    // The owner's worker starts while the engine is compiled. Where that fails, the first request says so.
    this.#loadEngine().catch(() => {});
    await workerReady('engine/worker.js');
    if (this.#closed) throw cancelled('the engine was closed');
    const pool = new Pool({
      spawn: () => this.#spawn(this.#loadModel().then((model) => ({ role: 'pool', model }))),
      ingest: this.#loadIngest,
      encoder: this.#loadEncoder,
      size: poolSize(navigator),
    });
    this.#pool = pool;
    this.#linking = new GraphLinking({ pool, owner: () => this.#ask(), ann: () => this.ann });
    this.#embedding = new Embedding({
      pool,
      owner: () => this.#ask(),
      documents: () => this.#documents.values(),
      onDocument: (document) => {
        if (this.#documents.has(document.id)) this.#list(document);
      },
      embeds: ({ kept }) => this.#vectors && (this.#hasTurn || !kept),
      onModel: () => this.#changed(),
      gpu: () => this.#gpu,
      onIdle: () => void this.#linking?.update(),
    });
    const wasKept = this.#marker.isSet;
    await this.#owner.open();
    this.#state = 'open';
    // Another tab that takes the last document out meanwhile takes the marker, too.
    if (wasKept && this.#documents.size === 0 && this.#marker.take()) this.#ingest.listLibraryLost();
    this.#changed();
    this.warm();
    // Whoever has no document will add one.
    if (this.#documents.size === 0) pool.expectFile();
    void this.#takeTurn();
  }

  /** @returns {Promise<import('./protocol.js').Start>} */
  async #startOfOwner() {
    const [engine, model] = await Promise.all([this.#loadEngine(), this.#loadModel()]);
    return { role: 'owner', engine, model };
  }

  /** @param {Promise<import('./protocol.js').Start>} start */
  #spawn(start) {
    return new Channel(startWorker('engine/worker.js', this.#base, { name: 'pincite' }), start);
  }

  /** Another owner takes over from what is stored. @param {Promise<void>} opened settles when it has opened the library */
  #ownerLost(opened) {
    for (const [id, document] of this.#documents) this.#missed.set(id, document);
    this.#documents.clear();
    this.opened = opened.then(() => {
      this.#listLost();
      this.#changed();
      this.#embedding?.pump();
    });
    this.opened.catch((error) => this.#failed(error));
  }

  /** Names what nothing stored, which is lost with its worker, so that it can be added again. */
  #listLost() {
    for (const [id, document] of this.#missed)
      if (!this.#documents.has(id)) {
        if (!this.#isStored(document)) this.#ingest.listLost(document.name, document.bytes);
        this.#forget(id);
      }
    this.#missed.clear();
  }

  /** There will be no owner. What is stored stays in the list: it is there when the page is loaded again. @param {unknown} error */
  #failed(error) {
    this.#state = 'failed';
    this.#failure = toPlain(error);
    for (const [id, document] of this.#missed)
      if (this.#isStored(document)) this.#documents.set(id, document);
    this.#listLost();
    this.#changed();
  }

  /** @param {LibraryDocument} document */
  #isStored({ kept }) {
    return kept && this.#owner.persistent;
  }

  /** Takes over what another tab has changed. @param {import('./channel.js').Foreign} event */
  #follow(event) {
    if (event.type === 'gone') {
      this.#documents.delete(event.document);
      this.#forget(event.document);
      this.#embedding?.stop(event.document);
      this.#changed();
      return;
    }
    this.#list(event.document);
    this.#embedding?.pump();
    // Where another tab embeds, this one needs the model for questions, and to know whether there is one.
    this.warm();
  }

  /** Waits for its turn to embed: of the tabs with one library one does, and the next when that is closed. */
  async #takeTurn() {
    const locks = /** @type {LockManager | undefined} */ (navigator.locks);
    /** @type {Promise<void>} */
    const end = new Promise((resolve) => (this.#endTurn = resolve));
    const begin = () => {
      this.#hasTurn = true;
      this.#embedding?.pump();
      return end;
    };
    await (locks && this.#owner.persistent
      ? locks.request(`pincite:${this.#library}:embed`, begin)
      : begin());
  }

  /** @param {string} text @param {boolean} patient */
  async #vector(text, patient) {
    return (this.#vectors && (await this.#embedding?.question(text, patient))) || null;
  }

  #ask() {
    return this.#owner.channel;
  }

  /** @param {import('./protocol.js').Replies['commit']} committed @param {string | null} password */
  #committed({ document, namesake }, password) {
    // It may have been taken out a moment ago.
    if (this.#removed.release(document.id)) this.#forget(document.id);
    if (password !== null) this.#passwords.set(document.id, password);
    if (namesake !== null) this.#namesakes.set(document.id, namesake);
    this.#list(document);
    if (this.#owner.persistent) void keepStorage();
    this.#embedding?.pump();
  }

  /** Forgets what is known in this session alone of a document that is gone. @param {string} id */
  #forget(id) {
    this.#passwords.delete(id);
    for (const pair of this.#namesakes) if (pair.includes(id)) this.#namesakes.delete(pair[0]);
  }

  /** @param {LibraryDocument} document */
  #list(document) {
    this.#documents.set(document.id, document);
    this.#changed();
  }

  /** Many changes in one turn are one event. */
  #changed() {
    if (this.#notified) return;
    this.#notified = true;
    queueMicrotask(() => {
      this.#notified = false;
      if (this.#state === 'open')
        this.#marker.update([...this.#listed.values()].some((document) => this.#isStored(document)));
      this.dispatchEvent(new ChangeEvent());
    });
  }
}

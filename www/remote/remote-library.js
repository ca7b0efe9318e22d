/**
 * A library on a server, beside the documents of this browser: the list of its documents, and questions to it. This is the
 * module that the widget loads when a page sets `library`; nothing of it is part of the first load, and it is given what it
 * shares with that, since importing it would cut that into more files.
 *
 * Nothing of the server is believed: replies are read strictly (`replies.js`), quotations looked up (`checking.js`), all of
 * its words shown as text. Nothing of it is stored.
 */

import { Access, readBy } from './access.js';
import { libraryAddress } from './address.js';
import { checked, checkedStatements } from './checking.js';
import { RemoteDocuments } from './documents.js';
import { LibraryError, libraryError } from './errors.js';
import { joinedEngine } from './joined-engine.js';
import { located, withoutFalse } from './joining.js';
import { jsonLines } from './lines.js';
import { LibraryPanel } from './panel.js';
import { askEvent, libraryList } from './replies.js';

/** @typedef {import('../engine/client.js').Engine} Engine */
/** @typedef {import('../engine/protocol.js').Answer} Answer */
/** @typedef {import('../engine/protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {import('./errors.js').LibraryReason} LibraryReason */
/** @typedef {import('./replies.js').ListedDocument} ListedDocument */

/** @typedef {import('./types.js').LibraryOptions} LibraryOptions */
/** @typedef {import('./types.js').LibraryStatus} LibraryStatus */

/**
 * @typedef {object} LibraryHost what the widget gives
 * @property {Engine} engine the documents of this browser
 * @property {() => import('../engine/files.js').AssetBase} base
 * @property {typeof import('../llm/transport.js').send} send
 * @property {import('../llm/ledger.js').Ledger} ledger
 * @property {import('../widget/shape.js').Reader<Answer>} readAnswer
 * @property {(status: LibraryStatus) => void} onState
 * @property {(error: import('../engine/errors.js').PlainError) => void} onError something went wrong that no call tells of
 */

/** A document of the library. @typedef {LibraryDocument & { library: string, date: string | null }} RemoteDocument */

/**
 * @typedef {object} LibraryQuestion
 * @property {{ question: string, answer: string }[]} history
 * @property {string | null} profile by its name; one that the library does not have is not sent
 * @property {string[] | null} documents null for all
 * @property {import('../engine/protocol.js').Filter | null} filter passages of the documents, without documents; null for all
 * @property {AbortSignal} signal
 * @property {(progress: import('./replies.js').AskProgress) => void} onProgress
 * @property {(done: number, total: number) => void} onCompared quotations that are compared
 */

/** Largest list of documents and answer, in bytes; longest line of an answer, in characters, and most lines. */
const maxListBytes = 16 * 1024 * 1024;
const maxAnswerBytes = 8 * 1024 * 1024;
const lines = { maxLine: 4 * 1024 * 1024, maxLines: 100_000 };
/** Time for an answer and for each piece of it, and for comparing its quotations, in milliseconds. */
const answerMs = 600_000;
const pieceMs = 120_000;
const compareMs = 30_000;
/** Waits before the library is looked for again, in milliseconds; the last is repeated. */
const waitsMs = [3_000, 10_000, 30_000, 60_000];
/** Why a question failed that the next request would fail for too. @type {readonly LibraryReason[]} */
const lasting = ['unauthorized', 'token', 'offline', 'unreachable', 'policy'];

export class RemoteLibrary extends EventTarget {
  /** Engine of the documents of this browser and of the library, as one: what the interface asks. @type {import('./joined-engine.js').AskedEngine} */
  engine;
  /** Its host, for people. */
  where = '';
  /** True if questions go to it. */
  isAsked = true;
  #host;
  #options;
  #opened;
  #controller = new AbortController();
  /** Ends the request for the list that is under way: only the newest counts. */
  #listing = new AbortController();
  /** @type {Access | null} */
  #access = null;
  /** @type {LibraryStatus['state']} */
  #state = 'connecting';
  /** @type {LibraryError | null} */
  #failure = null;
  /** Documents that are listed or were cited. @type {Map<string, RemoteDocument>} */
  #documents = new Map();
  #counts = { listed: 0, all: 0 };
  /** Names of its profiles. @type {Set<string>} */
  #profiles = new Set();
  /** Sentences of an answer that could not be compared with the documents that they cite. @type {WeakMap<Answer, number>} */
  #nUnchecked = new WeakMap();
  #nFailures = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #clock;
  #onOnline = () => this.connect();
  /** Of the view that is on show. @type {LibraryPanel | null} */
  #panel = null;

  /** @param {LibraryOptions} options @param {LibraryHost} host */
  constructor(options, host) {
    super();
    this.#options = options;
    this.#host = host;
    this.engine = joinedEngine(host.engine, this);
    this.#opened = new RemoteDocuments({
      engine: host.engine,
      base: host.base,
      signal: this.#controller.signal,
      access: () => this.#reached,
      isHere: (id) => this.isHere(id),
      listed: (id) => this.#documents.get(id),
      onKnown: (id, known) => this.#know(id, known),
      onMissing: (id, error, again) => this.#panel?.say(id, error, again),
    });
  }

  /** Begins to look for the library. */
  open() {
    const { url, token = null } = this.#options;
    const { send, ledger } = this.#host;
    try {
      const { root, where } = libraryAddress(url, document.baseURI);
      this.where = where;
      if (token !== null && typeof token !== 'function')
        throw new LibraryError('token', 'expected a function that gives the token');
      this.#access = new Access({ root, token, send, ledger });
    } catch (error) {
      return this.#fail(libraryError(error));
    }
    globalThis.addEventListener('online', this.#onOnline);
    this.connect();
  }

  /** Ends everything that is under way. */
  close() {
    clearTimeout(this.#clock);
    globalThis.removeEventListener('online', this.#onOnline);
    this.#controller.abort();
    this.#opened.close();
    this.#access?.close();
    this.#panel?.close();
    this.#panel = null;
  }

  /** Shows the library in a view; again with every change. @param {import('./panel.js').PanelHost} view */
  draw(view) {
    if (this.#panel?.isOf(view) !== true) {
      this.#panel?.close();
      this.#panel = new LibraryPanel(this, view);
    }
    this.#panel.update();
  }

  /** In the view that is on show. */
  get panel() {
    return this.#panel;
  }

  /** @returns {LibraryStatus} */
  get status() {
    return {
      url: String(this.#options.url),
      state: this.#state,
      reason: this.#state === 'failed' ? (this.#failure?.reason ?? null) : null,
      message: this.#state === 'failed' ? (this.#failure?.message ?? '') : '',
      nDocuments: this.#counts.all,
    };
  }

  get failure() {
    return this.#failure;
  }

  /** Documents that are listed or were cited. @returns {RemoteDocument[]} */
  get documents() {
    return [...this.#documents.values()];
  }

  /** Number of documents that are listed, and that the library has. */
  get counts() {
    return this.#counts;
  }

  /** @param {string} id */
  has(id) {
    return this.#documents.has(id);
  }

  /** True if this browser has a document itself. @param {string} id */
  isHere(id) {
    return this.#host.engine.snapshot.documents.some((document) => document.id === id && !document.problem);
  }

  /** Lists the documents anew; also after a failure. */
  connect() {
    void this.#connect();
  }

  /** Asks questions there, or no longer. @param {boolean} isAsked */
  choose(isAsked) {
    this.isAsked = isAsked;
    this.dispatchEvent(new Event('change'));
  }

  /**
   * Asks the library. Quotations are compared with its documents before the answer is there.
   * @param {string} question
   * @param {LibraryQuestion} asked
   * @returns {Promise<Answer>}
   * @throws {LibraryError}
   */
  async ask(question, { history, profile, documents, filter, signal, onProgress, onCompared }) {
    const body = {
      question,
      ...(history.length > 0 ? { history } : {}),
      ...(profile !== null && this.#profiles.has(profile) ? { profile } : {}),
      ...(documents === null ? {} : { documents }),
      ...(filter === null ? {} : { filter }),
    };
    const ended = AbortSignal.any([signal, this.#controller.signal]);
    const request = {
      path: 'ask',
      method: /** @type {const} */ ('POST'),
      step: 'library-ask',
      body,
      turns: history.length,
      headers: { accept: 'application/x-ndjson' },
      maxBytes: maxAnswerBytes,
      waitMs: pieceMs,
      wholeMs: answerMs,
      signal: ended,
    };
    const answer = await this.#reached
      .request(request, (reply) => this.#answerOf(reply, onProgress))
      .catch((error) => {
        const failure = libraryError(error);
        if (lasting.includes(failure.reason)) this.#fail(failure);
        throw failure;
      });
    if (this.#state === 'failed') this.connect();
    this.#listCited(answer);
    const compared = AbortSignal.any([ended, AbortSignal.timeout(compareMs)]);
    const options = { signal: compared, onProgress: onCompared };
    const citations = await checked(answer.citations, this.#opened.checkHost, options);
    const reader = (/** @type {string[]} */ ids) => this.#opened.reader(ids);
    const { statements, nUnchecked } = await checkedStatements({ ...answer, citations }, reader, compared);
    if (ended.aborted) throw new LibraryError('cancelled', 'cancelled');
    const lookedUp = withoutFalse({ ...answer, statements, citations });
    const result = located(lookedUp, this.where, (id) => this.isHere(id));
    this.#nUnchecked.set(result, nUnchecked);
    return result;
  }

  /** Number of sentences of an answer of `ask` that could not be compared with the documents that they cite. @param {Answer} answer */
  nUnchecked(answer) {
    return this.#nUnchecked.get(answer) ?? 0;
  }

  /** @param {string} id @param {number} start @param {number} limit */
  text(id, start, limit) {
    return this.#told(this.#opened.text(id, start, limit));
  }

  /** @param {string} id */
  file(id) {
    return this.#told(this.#opened.file(id));
  }

  /** @param {string} id */
  source(id) {
    return this.#told(this.#opened.source(id));
  }

  /** An error in the words of the view, for a person. @param {unknown} error */
  explained(error) {
    const failure = libraryError(error);
    return this.#panel?.explained(failure) ?? failure;
  }

  /** @param {import('../engine/errors.js').PlainError} error */
  tell(error) {
    this.#host.onError(error);
  }

  get #reached() {
    if (this.#access === null)
      throw this.#failure ?? new LibraryError('address', 'the library has no address');
    return this.#access;
  }

  async #connect() {
    clearTimeout(this.#clock);
    if (this.#access === null) return;
    if (this.#state === 'failed') this.#state = 'connecting';
    this.#changed();
    this.#listing.abort();
    this.#listing = new AbortController();
    const signal = AbortSignal.any([this.#controller.signal, this.#listing.signal]);
    const request = { path: 'library', method: /** @type {const} */ ('GET'), step: 'library-list' };
    try {
      const list = await this.#access.json({ ...request, maxBytes: maxListBytes, signal }, libraryList);
      if (!signal.aborted) this.#take(list);
    } catch (error) {
      if (!signal.aborted) this.#fail(libraryError(error));
    }
  }

  /** @param {import('./replies.js').LibraryList} list */
  #take({ documents, nDocuments, profiles }) {
    const before = this.#documents;
    // Of a list that has not all, those that were cited stay known.
    this.#documents = new Map(nDocuments > documents.length ? before : []);
    for (const each of documents)
      this.#documents.set(each.id, documentOf(each, this.where, before.get(each.id)?.bytes ?? 0));
    this.#counts = { listed: documents.length, all: nDocuments };
    this.#profiles = new Set(profiles);
    this.#state = 'open';
    this.#failure = null;
    this.#nFailures = 0;
    this.#changed();
  }

  /** @param {LibraryError} failure */
  #fail(failure) {
    this.#state = 'failed';
    this.#failure = failure;
    clearTimeout(this.#clock);
    if (failure.isPassing && !this.#controller.signal.aborted) {
      const wait = failure.retryAfterMs ?? waitsMs[this.#nFailures] ?? waitsMs.at(-1);
      this.#clock = setTimeout(() => this.connect(), wait);
      this.#nFailures += 1;
    }
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
    this.#host.onState(this.status);
  }

  /** The answer of a stream. @param {import('./access.js').Reply} reply @param {LibraryQuestion['onProgress']} onProgress */
  async #answerOf({ type, read }, onProgress) {
    if (type !== 'application/x-ndjson')
      throw new LibraryError('bad-reply', `expected lines of JSON, found ${type || 'no media type'}`);
    for await (const value of jsonLines(read(), lines)) {
      const event = readBy((each) => askEvent(each, this.#host.readAnswer), value);
      if ('answer' in event) return event.answer;
      onProgress(event.progress);
    }
    throw new LibraryError('cut-off', 'the stream ended without an answer');
  }

  /** Lists documents that are cited and were not listed. @param {Answer} answer */
  #listCited({ citations }) {
    for (const { documentId: id, document: name } of citations)
      if (!this.#documents.has(id) && !this.isHere(id))
        this.#documents.set(id, documentOf({ id, name, title: null, date: null, nPages: 0 }, this.where, 0));
    this.#changed();
  }

  /** What is learnt of a document when it is opened. @param {string} id @param {{ bytes?: number, nPages?: number }} known */
  #know(id, { bytes, nPages }) {
    const document = this.#documents.get(id);
    if (!document) return;
    document.bytes = bytes ?? document.bytes;
    // One that was cited and not listed.
    if (document.nPages === 0) document.nPages = nPages ?? 0;
  }

  /** @template T @param {Promise<T>} promise @returns {Promise<T>} */
  async #told(promise) {
    try {
      return await promise;
    } catch (error) {
      throw this.explained(error);
    }
  }
}

/** A document as the library of this browser lists its own. @param {ListedDocument} listed @param {string} library @param {number} bytes @returns {RemoteDocument} */
function documentOf(listed, library, bytes) {
  return {
    ...listed,
    library,
    bytes,
    nToEmbed: 0,
    nEmbedded: 0,
    diags: [],
    stored: 0,
    addedAt: 0,
    missing: [],
    kept: true,
    problem: null,
  };
}

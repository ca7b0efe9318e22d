/**
 * The engine of this browser's documents with a library on a server beside it: it lists the documents of both, asks both, and
 * finds what is opened where it lies. All else it leaves to the engine, as it is.
 *
 * To the library's server go the question with its filter, the chosen documents of that library, and of
 * earlier turns those that it answered itself, in its own words: nothing of a document of this browser. Nor is a language model
 * of the person's sent words of the library's documents.
 */

import { LibraryError, libraryError } from './errors.js';
import { joinAnswers } from './joining.js';

/** @typedef {import('../engine/client.js').Engine} Engine */
/** @typedef {import('../engine/protocol.js').Answer} Answer */
/** @typedef {import('../engine/protocol.js').Filter} Filter */
/** @typedef {import('../engine/asking.js').AskSettings} AskSettings */
/** @typedef {import('../engine/asking.js').EarlierTurn} EarlierTurn */
/** @typedef {import('./remote-library.js').RemoteLibrary} RemoteLibrary */
/** @typedef {import('../viewer/pdf.js').PdfSource} PdfSource */

/**
 * An engine that a library on a server may be beside. `source` is what the viewer opens of a document, `about` what is said of
 * an answer that the library was asked for, and whether a part of it is the library's.
 * @typedef {Engine & {
 *   source?: (id: string) => Promise<Blob | PdfSource | null>,
 *   about?: (answer: Answer, model: { name: string, where: string } | null) => { isRemote: boolean, notice: Node | null } | undefined,
 * }} AskedEngine
 */

/**
 * How the answer of both came about: what the panel says above it.
 * @typedef {object} Joined
 * @property {'here' | 'there' | 'both'} isOf the documents that it is made of
 * @property {boolean} wasHere true if the documents of this browser were asked
 * @property {Answer | null} there answer of the library
 * @property {LibraryError | 'skipped' | null} missing why the library gave none
 * @property {unknown} failedHere why the documents of this browser gave none
 */

/** Why documents of a library cannot be searched that the person leaves out. @type {import('../engine/errors.js').PlainError} */
const notAsked = { code: 'library-failed', message: 'the library is left out', hint: '' };
/** Most characters of an earlier answer, as `widget/conversation.js` sends them. */
const maxAnswer = 2_000;
/** Most earlier answers that are recalled. */
const maxTurns = 40;

/**
 * @param {Engine} engine
 * @param {RemoteLibrary} library
 * @returns {AskedEngine}
 */
export function joinedEngine(engine, library) {
  const joined = new JoinedEngine(engine, library);
  const own = new Set(Reflect.ownKeys(JoinedEngine.prototype).filter((key) => key !== 'constructor'));
  return new Proxy(engine, {
    get: (_, key) => {
      const owner = own.has(key) ? joined : engine;
      const value = Reflect.get(owner, key);
      // Private fields are found on their own object only.
      return typeof value === 'function' ? value.bind(owner) : value;
    },
    set: (_, key, value) => Reflect.set(engine, key, value),
  });
}

/** What both engines do otherwise than the one of this browser. */
class JoinedEngine {
  #engine;
  #library;
  /** What became of each answer. @type {WeakMap<Answer, Joined>} */
  #joined = new WeakMap();
  /** Answers of either, by the turn that an earlier one is recalled by. @type {Map<string, { here: Answer | null, there: Answer | null }>} */
  #turns = new Map();

  /** @param {Engine} engine @param {RemoteLibrary} library */
  constructor(engine, library) {
    this.#engine = engine;
    this.#library = library;
  }

  /** @returns {import('../engine/client.js').Snapshot} */
  get snapshot() {
    const { documents, ...rest } = this.#engine.snapshot;
    const here = new Set(documents.map(({ id }) => id));
    const problem = this.#library.isAsked ? null : notAsked;
    const there = this.#library.documents.filter(({ id }) => !here.has(id));
    return { ...rest, documents: [...documents, ...there.map((document) => ({ ...document, problem }))] };
  }

  /** @param {string} id @param {number} start @param {number} limit */
  text(id, start, limit) {
    return this.#isThere(id) ? this.#library.text(id, start, limit) : this.#engine.text(id, start, limit);
  }

  /** @param {string} id */
  file(id) {
    return this.#isThere(id) ? this.#library.file(id) : this.#engine.file(id);
  }

  /** @param {string} id @returns {Promise<Blob | PdfSource | null>} */
  source(id) {
    return this.#isThere(id) ? this.#library.source(id) : this.#engine.file(id);
  }

  /** What the widget says and does of an answer besides; undefined where the library has no part in it. @param {Answer} answer @param {{ name: string, where: string } | null} model its author here */
  about(answer, model) {
    const joined = this.#joined.get(answer);
    return (
      joined && {
        isRemote: joined.isOf !== 'here',
        notice: this.#library.panel?.notice(joined, answer, model) ?? null,
      }
    );
  }

  /**
   * @param {string} question
   * @param {AskSettings} [settings]
   * @returns {Promise<Answer>}
   */
  async ask(question, { onPace = () => {}, ...settings } = {}) {
    const { filter = null, signal, history = [] } = settings;
    const scope = this.#scope(filter);
    const turns = history.map((turn) => this.#turns.get(turnKey(turn.question, turn.answer)));
    const asked = {
      ...settings,
      filter: scope.filter,
      history: history.map((turn, at) => ofHere(turn, turns[at], (id) => this.#library.isHere(id))),
    };
    if (!scope.isThere) return this.#engine.ask(question, asked);
    const skipped = new AbortController();
    const ended = AbortSignal.any([skipped.signal, ...(signal ? [signal] : [])]);
    const pace = this.#library.panel?.pace(onPace, scope.isHere ? () => skipped.abort() : null);
    const [here, there] = await Promise.allSettled([
      scope.isHere ? this.#engine.ask(question, asked) : null,
      this.#library.ask(question, {
        history: turns.flatMap((turn, at) => ofThere(history[at], turn)),
        profile: settings.profile ?? null,
        documents: scope.there,
        filter: scope.passages,
        signal: ended,
        onProgress: (progress) => pace?.step(progress),
        onCompared: (done, total) => pace?.compared(done, total),
      }),
    ]);
    onPace('');
    if (signal?.aborted)
      throw here.status === 'rejected' ? here.reason : new LibraryError('cancelled', 'cancelled');
    return this.#answered(question, here, there, skipped.signal.aborted);
  }

  /**
   * @param {string} question
   * @param {PromiseSettledResult<Answer | null>} here
   * @param {PromiseSettledResult<Answer>} there
   * @param {boolean} wasSkipped
   */
  #answered(question, here, there, wasSkipped) {
    const ofHere = here.status === 'fulfilled' ? here.value : null;
    const ofThere = there.status === 'fulfilled' ? there.value : null;
    const failure = there.status === 'rejected' ? libraryError(there.reason) : null;
    if (ofHere === null && ofThere === null) {
      if (here.status === 'rejected') throw here.reason;
      throw this.#library.explained(failure);
    }
    if (failure && !wasSkipped) {
      const { code, message, hint } = this.#library.explained(failure);
      this.#library.tell({ code, message, hint });
    }
    /** @type {{ answer: Answer, isOf: Joined['isOf'] }} */
    const { answer, isOf } =
      ofHere && ofThere
        ? joinAnswers(ofHere, ofThere)
        : { answer: /** @type {Answer} */ (ofHere ?? ofThere), isOf: ofHere ? 'here' : 'there' };
    // A copy: the same answer may have been given before. Of the library's alone the engine here has nothing to say.
    const joined =
      isOf === 'there'
        ? {
            ...answer,
            vectors: /** @type {const} */ ('all'),
            trace: { ...answer.trace, glossary: [], also: [], calls: [] },
          }
        : { ...answer };
    this.#joined.set(joined, {
      isOf,
      wasHere: here.status === 'rejected' || here.value !== null,
      there: ofThere,
      missing: wasSkipped ? 'skipped' : failure,
      failedHere: here.status === 'rejected' ? here.reason : null,
    });
    for (const key of this.#turns.keys()) if (this.#turns.size >= maxTurns) this.#turns.delete(key);
    this.#turns.set(turnKey(question, (joined.answer || joined.message).slice(0, maxAnswer)), {
      here: ofHere,
      there: ofThere,
    });
    return joined;
  }

  /**
   * Where a question goes.
   * @param {Filter | null} filter of documents of both
   * @returns {{ filter: Filter | null, isHere: boolean, isThere: boolean, there: string[] | null, passages: Filter | null }} `filter`
   *   for this browser's documents, `isHere` true if any of those is looked in; `isThere` true if the library is asked, `there`
   *   its documents, null for all, and `passages` the filter without documents
   */
  #scope(filter) {
    const here = this.#engine.snapshot.documents.filter(({ problem }) => !problem);
    const chosen = filter?.documents && new Set(filter.documents);
    const ids = here.map(({ id }) => id).filter((id) => !chosen || chosen.has(id));
    const own = filter && { ...filter, ...(chosen ? { documents: ids } : {}) };
    const listed = this.#library.documents.map(({ id }) => id);
    const wanted = listed.filter((id) => !chosen || chosen.has(id));
    const { documents, ...passages } = filter ?? {};
    return {
      filter: own,
      isHere: ids.length > 0,
      isThere: this.#library.isAsked && (wanted.length > 0 || !documents),
      // All that are listed are all there are, also where the list has not all.
      there: wanted.length < listed.length ? wanted : null,
      passages: Object.keys(passages).length > 0 ? passages : null,
    };
  }

  /** True of a document of the library that this browser does not have itself. @param {string} id */
  #isThere(id) {
    return this.#library.has(id) && !this.#library.isHere(id);
  }
}

/** @param {string} question @param {string} answer */
const turnKey = (question, answer) => JSON.stringify([question, answer]);

/**
 * An earlier turn as the documents of this browser answered it: without words of others.
 * @param {EarlierTurn} turn
 * @param {{ here: Answer | null } | undefined} answers undefined of a turn that this library had no part in
 * @param {(id: string) => boolean} isHere
 * @returns {EarlierTurn}
 */
function ofHere({ question, answer, cites = [] }, answers, isHere) {
  const own = cites.filter(({ documentId }) => documentId === undefined || isHere(documentId));
  if (!answers) return { question, answer: own.length < cites.length ? '' : answer, cites: own };
  const { here } = answers;
  const cited = new Set(here?.citations.map(({ documentId }) => documentId));
  return {
    question,
    answer: (here?.answer || here?.message || '').slice(0, maxAnswer),
    cites: own.filter(({ documentId }) => documentId !== undefined && cited.has(documentId)),
  };
}

/** An earlier turn as the library answered it; none that it was not asked. @param {EarlierTurn | undefined} turn @param {{ there: Answer | null } | undefined} answers */
function ofThere(turn, answers) {
  if (!turn || !answers?.there) return [];
  const { answer, message } = answers.there;
  return [{ question: turn.question, answer: (answer || message).slice(0, maxAnswer) }];
}

/**
 * All that the lab computes with: searches and candidates by the library's engine, training and measures by a worker of the
 * lab's own, which is started when it is first needed.
 */

import { EngineError, fromPlain } from '../engine/errors.js';
import { labAssets, workerReady } from '../engine/files.js';
import { startWorker } from '../engine/start-worker.js';
import { answerRankingOf } from './settings.js';

/** @typedef {import('../engine/client.js').Engine} Engine */
/** @typedef {import('../engine/protocol.js').SearchReply} SearchReply */
/** @typedef {import('../engine/protocol.js').KeptRanking} KeptRanking */
/** @typedef {import('./protocol.js').LabRequest} LabRequest */
/** @typedef {import('./protocol.js').LabReplies} LabReplies */
/** @typedef {import('./settings.js').LabSettings} LabSettings */
/** @typedef {import('pincite-wasm').GoldPlace} GoldPlace */
/** @typedef {(documents: number, share: number) => void} OnWait so many documents are not embedded yet; `share` of all passages that are, 0 to 1 */
/** @typedef {Pick<import('../engine/asking.js').AskSettings, 'model' | 'profile' | 'glossary'>} Answering settings of the page's answers */
/** @typedef {{ resolve: (result: any) => void, reject: (error: Error) => void, onProgress?: (progress: import('./protocol.js').TrainerProgress) => void }} Pending */

const workerFile = 'lab/worker.js';

export class LabEngine {
  #engine;
  #base;
  /** @type {Promise<Worker> | null} */
  #worker = null;
  /** @type {Map<number, Pending>} */
  #pending = new Map();
  #lastId = 0;

  /** @param {() => Engine} engine @param {() => import('../engine/files.js').AssetBase} base */
  constructor(engine, base) {
    this.#engine = engine;
    this.#base = base;
  }

  /** Documents that can be searched. */
  get documents() {
    return this.#engine().snapshot.documents.filter(({ problem }) => problem === null);
  }

  /**
   * Searches with settings of its own.
   * @param {string} query @param {LabSettings} settings @param {GoldPlace[]} gold
   * @param {{ explain?: boolean, filter?: import('../engine/protocol.js').Filter }} [options]
   * @returns {Promise<SearchReply>}
   */
  async search(query, settings, gold, { explain = false, filter } = {}) {
    const { ranker, vectors, ...options } = settings;
    const vector = vectors ? await this.#engine().vectorOf(query) : null;
    return this.#engine().ranking({
      type: 'try-search',
      query,
      vector,
      ranker,
      options: { ...options, gold, explain, ...(filter ? { filter } : {}) },
    });
  }

  /** Candidates of a question, with their features and labels. @param {string} query @param {LabSettings} settings @param {GoldPlace[]} gold */
  async candidates(query, { ranker: _, vectors, ...options }, gold) {
    const vector = vectors ? await this.#engine().vectorOf(query) : null;
    return this.#engine().ranking({ type: 'candidates', query, vector, options: { ...options, gold } });
  }

  /** The ranker that ships, as LightGBM's text. */
  shippedRanker() {
    return this.#engine().ranking({ type: 'shipped-ranker' });
  }

  /**
   * Waits until no passage waits for its vector, so that the same run gives the same figures; not where there are no vectors,
   * nor where none came for a minute.
   * @param {AbortSignal} signal
   * @param {OnWait} onWait
   */
  async embedded(signal, onWait) {
    const engine = this.#engine();
    if ((await engine.vectorOf('a')) === null) return;
    let [passages, since] = [-1, 0];
    while (!signal.aborted) {
      const waiting = this.documents.filter(({ missing }) => missing.length > 0);
      if (waiting.length === 0) return;
      const sum = (/** @type {number[]} */ all) => all.reduce((total, each) => total + each, 0);
      const nToEmbed = sum(this.documents.map((document) => document.nToEmbed));
      const left = nToEmbed - sum(this.documents.map(({ nEmbedded }) => nEmbedded));
      if (left !== passages) [passages, since] = [left, performance.now()];
      if (performance.now() - since > 60_000) return;
      onWait(waiting.length, nToEmbed > 0 ? 1 - left / nToEmbed : 0);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /**
   * The answer of the page, by its model or of the documents' own words.
   * @param {string} question @param {LabSettings} settings @param {Answering} answering @param {AbortSignal} signal
   */
  answer(question, settings, { model, profile, glossary }, signal) {
    const ranking = answerRankingOf(settings);
    return this.#engine().ask(question, {
      vectors: settings.vectors ? 'wait' : 'none',
      ...(ranking ? { ranking } : {}),
      model,
      profile,
      glossary,
      signal,
    });
  }

  /** Sets the ranker on trial. @param {string | null} ranker */
  async tryRanker(ranker) {
    await this.#engine().ranking({ type: 'try-ranker', ranker });
  }

  /** Sets what every search uses from now on. @param {KeptRanking} ranking */
  async keepRanking(ranking) {
    await this.#engine().ranking({ type: 'keep-ranking', ranking });
  }

  /**
   * @template {LabRequest} R
   * @param {R} request
   * @param {Pick<Pending, 'onProgress'>} [listeners]
   * @returns {Promise<LabReplies[R['type']]>}
   */
  async request(request, { onProgress } = {}) {
    this.#worker ??= this.#start();
    this.#worker.catch(() => (this.#worker = null));
    const worker = await this.#worker;
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, ...(onProgress ? { onProgress } : {}) });
      worker.postMessage({ ...request, id });
    });
  }

  /** Ends the training that is under way after its round. */
  async cancelTraining() {
    (await this.#worker)?.postMessage({ type: 'cancel' });
  }

  /** Ends the worker. */
  close() {
    const worker = this.#worker;
    this.#worker = null;
    void worker?.then((started) => started.terminate()).catch(() => {});
    this.#lose('the lab was closed');
  }

  async #start() {
    const [assets] = await Promise.all([labAssets(this.#base()), workerReady(workerFile)]);
    const worker = startWorker(workerFile, this.#base(), { name: 'pincite lab' });
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      worker.terminate();
      this.#worker = null;
      this.#lose(event.message || 'its worker could not be started');
    };
    worker.postMessage({ type: 'init', ...assets });
    return worker;
  }

  /** @param {import('./protocol.js').FromLab} event */
  #receive(event) {
    const pending = this.#pending.get(event.id);
    if (!pending) return;
    if (event.type === 'progress') return pending.onProgress?.(event.progress);
    this.#pending.delete(event.id);
    if (event.type === 'done') return pending.resolve(event.result);
    pending.reject(fromPlain(event.error));
    // An instance that trapped is not used again.
    if (event.error.code === 'internal') this.close();
  }

  /** @param {string} why */
  #lose(why) {
    for (const { reject } of this.#pending.values()) reject(new EngineError('internal', why));
    this.#pending.clear();
  }
}

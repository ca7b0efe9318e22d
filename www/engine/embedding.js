/**
 * Embedding, in the background and for questions. Passages are fetched from the owner a batch at a time, oldest
 * document first, embedded in the pool, and handed back to the owner, which stores each batch. A question
 * waits for its embedding up to a limit, then it is asked without.
 *
 * The passages that a question's words find go before all others: the batches under way end at their next step, with
 * what they have, the passages are embedded, best first, as far as there is time, and the background goes on. No
 * passage is embedded twice. The passages that a search found are compared with the question token by token in the
 * same way: by all workers, the best first, while the background stands still.
 *
 * Where there is a GPU that makes the same vectors faster, it embeds the background.
 */

import { EmbeddingRate } from './embedding-rate.js';
import { toPlain } from './errors.js';
import { GpuChoice } from './gpu/choice.js';
import { batchSize } from './protocol.js';

/** @typedef {import('./protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {import('./protocol.js').QueryVector} QueryVector */
/** @typedef {import('./protocol.js').TokenMatches} TokenMatches */
/** @typedef {import('./pool.js').Pool} Pool */
/** @typedef {import('./channel.js').Channel} Channel */
/** @typedef {import('pincite-wasm').WantedPassage} WantedPassage */
/** @typedef {'cold' | 'loading' | 'ready' | 'missing'} ModelState */
/** @typedef {{ controller: AbortController, starts: Set<number> }} Running */
/** @typedef {{ tokensPerSecond: number, secondsLeft: number, onGpu: boolean }} EmbeddingProgress */

/**
 * Longest wait for the embedding of a question, in milliseconds; then it is asked without. Where all passages have their vectors that
 * would be another answer, on a slow machine alone.
 */
const [patience, patienceWhenComplete] = [1_500, 8_000];

/** Longest time that passages are embedded for a search, in milliseconds; the others are ranked without a vector. */
const passagesTime = 2_000;

/** Longest time that passages are compared with a query, in milliseconds; the others keep the order of the search. */
const compareTime = 3_000;

/** Longest wait for hurried workers, in milliseconds: one that still loads the model ends only when it has it. */
const hurriedTime = 1_000;

/** Longest wait for batches under way to end and to be stored, in milliseconds. */
const batchEndTime = 1_000;

export class Embedding {
  /** Time that workers spent embedding batches. */
  seconds = 0;
  /** Passages that a GPU embedded. */
  nOnGpu = 0;
  /** Time that workers spent comparing passages with questions. */
  compareSeconds = 0;
  /** @type {ModelState} */
  model = 'cold';

  #pool;
  #owner;
  #documents;
  #onDocument;
  #embeds;
  #onModel;
  #onIdle;
  /** @type {string | null} */
  #fingerprint = null;
  #inFlight = 0;
  /** Number of questions that passages are being embedded for or compared with: the background waits. */
  #questions = 0;
  /** Called when no batch is under way any more. @type {(() => void)[]} */
  #waiting = [];
  #closed = false;
  #rate = new EmbeddingRate();
  #gpu;
  /** Batches under way, by document. @type {Map<string, Running>} */
  #running = new Map();
  /** Documents whose embedding failed in this session: not tried again. @type {Set<string>} */
  #skipped = new Set();

  /**
   * @param {object} options
   * @param {Pool} options.pool
   * @param {() => Channel} options.owner
   * @param {() => Iterable<LibraryDocument>} options.documents
   * @param {(document: LibraryDocument) => void} options.onDocument a document has more vectors than before
   * @param {(document: LibraryDocument) => boolean} [options.embeds] false for a document that another tab embeds
   * @param {() => void} options.onModel the state of the model has changed
   * @param {() => import('./gpu/choice.js').GpuSetting} [options.gpu] whether a GPU may embed
   * @param {() => void} [options.onIdle] every document has its vectors, as far as they can be had
   */
  constructor({
    pool,
    owner,
    documents,
    onDocument,
    embeds = () => true,
    onModel,
    gpu = () => 'never',
    onIdle = () => {},
  }) {
    this.#gpu = new GpuChoice(pool, gpu);
    this.#pool = pool;
    this.#owner = owner;
    this.#documents = documents;
    this.#onDocument = onDocument;
    this.#embeds = embeds;
    this.#onModel = onModel;
    this.#onIdle = onIdle;
  }

  /** Starts as many batches as there are workers. */
  pump() {
    if (this.#closed || this.model === 'missing' || this.#questions > 0) return;
    this.#considerGpu();
    if (this.#gpu.goesFirst) return;
    for (const { id, missing } of this.#missing()) {
      for (const start of missing) {
        if (this.#inFlight >= this.#pool.batches) return;
        const running = this.#running.get(id) ?? { controller: new AbortController(), starts: new Set() };
        if (running.starts.has(start)) continue;
        this.#running.set(id, running);
        running.starts.add(start);
        this.#inFlight += 1;
        void this.#batch(id, start, running);
      }
    }
    if (this.#inFlight === 0) this.#onIdle();
  }

  /** Speed of embedding and seconds left; null where nothing is embedded, or it is not known yet. @returns {EmbeddingProgress | null} */
  get progress() {
    const passages = this.#passagesLeft;
    const tokensPerSecond = this.#rate.tokensPerSecond(this.#workers);
    const secondsLeft = this.#rate.secondsFor(passages, this.#workers);
    if (passages === 0 || this.model === 'missing' || tokensPerSecond === null || secondsLeft === null)
      return null;
    return { tokensPerSecond, secondsLeft, onGpu: this.#rate.onGpu };
  }

  /** Why no GPU embeds; null where one does or has not been tried. */
  get gpuRefusal() {
    return this.#gpu.refusal;
  }

  get #workers() {
    return this.#rate.onGpu ? 1 : this.#pool.size;
  }

  get #passagesLeft() {
    return this.#missing().reduce((sum, { nToEmbed, nEmbedded }) => sum + nToEmbed - nEmbedded, 0);
  }

  /** Documents that still have passages to embed. */
  #missing() {
    return [...this.#documents()].filter(
      (document) =>
        document.missing.length > 0 &&
        !document.problem &&
        !this.#skipped.has(document.id) &&
        this.#embeds(document),
    );
  }

  #considerGpu() {
    const rate = this.#rate.onGpu ? null : this.#rate.tokensPerSecond(this.#pool.size);
    const tried = this.#gpu.consider({ passages: this.#passagesLeft, rate });
    void tried
      ?.catch((error) => {
        const { code } = toPlain(error);
        if (code === 'model-missing' || code === 'model-mismatch') this.#failed(error);
      })
      .then(() => {
        this.#onModel();
        this.pump();
      });
  }

  /** Counts what a worker embedded. @param {import('./protocol.js').Embedded} embedded */
  #count({ done, seconds, tokens, onGpu, lost }) {
    this.seconds += seconds;
    if (lost !== null) this.#gpu.lost(lost);
    if (onGpu) this.nOnGpu += done.length;
    this.#rate.add({ tokens, passages: done.length, seconds }, onGpu);
  }

  /** Ends what is under way for a document. @param {string} id */
  stop(id) {
    this.#running.get(id)?.controller.abort();
    this.#running.delete(id);
  }

  /** Stops for good. */
  close() {
    this.#closed = true;
    for (const id of [...this.#running.keys()]) this.stop(id);
  }

  /** Loads the model into a worker if none has it, so that the next question need not wait. */
  async warm() {
    if (this.model === 'missing' || this.#pool.modelReady) return;
    if (this.model === 'loading') return;
    this.#setModel('loading');
    try {
      const { fingerprint } = await this.#pool.run({ type: 'warm' });
      await this.#useModel(fingerprint);
    } catch (error) {
      this.#failed(error);
    }
  }

  /**
   * The vector of a question; null when no document has vectors, there is no model, or it takes too long.
   * @param {string} question
   * @param {boolean} patient wait as long as it takes
   * @returns {Promise<QueryVector | null>}
   */
  async question(question, patient) {
    if (this.model === 'missing') return null;
    const documents = [...this.#documents()].filter(({ problem }) => !problem);
    // While the model is loading for the first time nothing could be compared with the question.
    const isSoon = patient || this.#pool.modelReady;
    if (!documents.some(({ nToEmbed, nEmbedded }) => (isSoon ? nToEmbed : nEmbedded) > 0)) return null;
    if (!this.#pool.modelReady && this.model === 'ready') this.#setModel('cold');
    const warmed = this.warm();
    if (patient) await (this.#pool.modelReady ? warmed : this.#pool.run({ type: 'warm' }).catch(() => {}));
    const longest = this.#isComplete ? patienceWhenComplete : patience;
    const embedded = this.#whenReady(patient ? 0 : longest).then(() => this.#pool.embedQuery(question));
    const reply = await (patient ? embedded : Promise.race([embedded, after(longest)]));
    // A vector of another model than the library's cannot be compared with it.
    return reply && (this.#fingerprint === null || reply.fingerprint === this.#fingerprint) ? reply : null;
  }

  /** @param {number} ms */
  async #whenReady(ms) {
    const isLoading = () => !this.#pool.modelReady && this.model !== 'missing';
    for (let waited = 0; waited < ms && isLoading(); waited += 50) await after(50);
  }

  /**
   * Embeds the passages that a search would have vectors of, best first, as far as there is time.
   * @param {() => Promise<WantedPassage[]>} list asked when all that is embedded so far is in the library
   */
  async prepare(list) {
    if (this.model === 'missing' || this.#isComplete) return;
    await this.#beforeBackground(async () => {
      if (this.#inFlight > 0)
        await Promise.race([
          new Promise((done) => this.#waiting.push(() => done(null))),
          after(batchEndTime),
        ]);
      const wanted = await list();
      await this.#deal(wanted, 'embed-first', passagesTime, (share) => this.#embedFirst(share));
    });
  }

  /**
   * Compares a query with the passages that a search found, token by token, as far as there is time.
   * @param {string} query
   * @param {string[][]} passages best first, each in pieces, such as its sentences
   * @returns {Promise<(TokenMatches | null)[]>} in the order of the passages, null for one that was not compared; empty
   *   where no worker has the model
   */
  async compare(query, passages) {
    if (this.model === 'missing' || !this.#pool.modelReady || passages.length === 0) return [];
    return this.#beforeBackground(async () => {
      const shares = await this.#deal(passages, 'compare', compareTime, (share) =>
        this.#matches(query, share),
      );
      return passages.map((_, at) => shares[at % shares.length]?.[Math.floor(at / shares.length)] ?? null);
    });
  }

  /**
   * Does what a question waits for; the background stands still meanwhile.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async #beforeBackground(work) {
    this.#questions += 1;
    try {
      this.#pool.hurry('embed');
      return await work();
    } finally {
      this.#questions -= 1;
      this.pump();
    }
  }

  /**
   * Deals passages out to the workers in turn, so that the best are done first, and hurries them when time is up.
   * @template T, R
   * @param {T[]} passages best first
   * @param {import('./pool.js').InSteps} type what the workers do with them
   * @param {number} time in milliseconds
   * @param {(share: T[]) => Promise<R>} run has a worker do its share
   * @returns {Promise<R[]>} results by share
   */
  async #deal(passages, type, time, run) {
    const timer = setTimeout(() => this.#pool.hurry(type), time);
    const n = this.#pool.size;
    const shares = Array.from({ length: n }, (_, share) => passages.filter((_, at) => at % n === share));
    try {
      return await Promise.all(shares.map(run));
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Has a worker compare its share; what is missing at the end was not compared.
   * @param {string} query
   * @param {string[][]} passages
   * @returns {Promise<TokenMatches[]>}
   */
  async #matches(query, passages) {
    if (passages.length === 0) return [];
    try {
      const compared = await Promise.race([
        this.#pool.run({ type: 'compare', query, passages }),
        after(compareTime + hurriedTime),
      ]);
      this.compareSeconds += compared?.seconds ?? 0;
      return compared?.matches ?? [];
    } catch {
      // Its worker is lost: its passages keep the order of the search.
      return [];
    }
  }

  get #isComplete() {
    return [...this.#documents()].every(({ missing }) => missing.length === 0);
  }

  /** @param {WantedPassage[]} passages */
  async #embedFirst(passages) {
    if (passages.length === 0) return;
    const owner = this.#owner();
    try {
      const texts = passages.map(({ text }) => text);
      const embedded = await this.#pool.run({ type: 'embed-first', texts });
      const { done, vectors, fingerprint } = embedded;
      this.#count(embedded);
      const dimensions = vectors.length / done.length;
      /** @type {Map<string, number[]>} */
      const byDocument = new Map();
      done.forEach((position, at) => {
        const id = passages[position]?.document ?? '';
        byDocument.set(id, [...(byDocument.get(id) ?? []), at]);
      });
      for (const [id, places] of byDocument) {
        const values = new Float32Array(places.length * dimensions);
        places.forEach((at, row) => {
          values.set(vectors.subarray(at * dimensions, (at + 1) * dimensions), row * dimensions);
        });
        const rows = places.map((at) => passages[done[at] ?? 0]?.row ?? 0);
        await this.#put(owner, id, { rows, vectors: values, fingerprint });
      }
    } catch {
      // Its worker or the owner is lost: the passages are ranked without vectors.
    }
  }

  /**
   * @param {Channel} owner
   * @param {string} id
   * @param {{ rows: number[], vectors: Float32Array, fingerprint: string }} embedded
   */
  async #put(owner, id, embedded) {
    const document = await owner.request({ type: 'put-vectors', document: id, ...embedded });
    if (document) this.#onDocument(document);
  }

  /** @param {string} id @param {number} start @param {Running} running */
  async #batch(id, start, running) {
    const { signal } = running.controller;
    if (this.model === 'cold') this.#setModel('loading');
    const owner = this.#owner();
    try {
      const { rows, texts } = await owner.request({
        type: 'unembedded',
        document: id,
        start,
        limit: batchSize,
      });
      // A question that came meanwhile goes first; the batch is begun again after it.
      if (this.#questions > 0) return;
      const embedded = await this.#pool.run({ type: 'embed', texts }, { signal });
      const { done, vectors, fingerprint } = embedded;
      this.#count(embedded);
      if (done.length > 0) await this.#useModel(fingerprint);
      if (signal.aborted || done.length === 0) return;
      await this.#put(owner, id, { rows: done.map((position) => rows[position] ?? 0), vectors, fingerprint });
    } catch (error) {
      if (!owner.ended) this.#batchFailed(id, error);
    } finally {
      this.#inFlight -= 1;
      running.starts.delete(start);
      if (running.starts.size === 0 && this.#running.get(id) === running) this.#running.delete(id);
      if (this.#inFlight === 0) for (const done of this.#waiting.splice(0)) done();
      // When the owner is lost, the new one says when to go on; it may have done so while the batch ran.
      if (!this.#closed && !this.#owner().ended) this.pump();
    }
  }

  /** @param {string} id @param {unknown} error */
  #batchFailed(id, error) {
    const { code } = toPlain(error);
    if (code === 'model-missing' || code === 'model-mismatch') this.#failed(error);
    // A batch that ended its worker is not tried again in this session; the next opening does.
    else if (code !== 'cancelled') this.#skipped.add(id);
  }

  /** Fingerprint of the model; null before it is loaded. */
  get fingerprint() {
    return this.#fingerprint;
  }

  /** @param {string} fingerprint */
  async #useModel(fingerprint) {
    this.#setModel('ready');
    if (this.#fingerprint === fingerprint) return;
    this.#fingerprint = fingerprint;
    const changed = await this.#owner().request({ type: 'use-model', fingerprint });
    for (const document of changed) this.#onDocument(document);
    this.pump();
  }

  /** @param {unknown} error */
  #failed(error) {
    this.#setModel(toPlain(error).code === 'cancelled' ? 'cold' : 'missing');
  }

  /** @param {ModelState} state */
  #setModel(state) {
    if (this.model === state) return;
    this.model = state;
    this.#onModel();
  }
}

/** @param {number} ms @returns {Promise<null>} */
function after(ms) {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms));
}

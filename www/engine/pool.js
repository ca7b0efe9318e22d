/**
 * The pool: a few workers, made when there is work, one background task each. Parsing goes before embedding,
 * so that documents can be searched soon; a question's embedding goes to a worker that has the model ready,
 * between two steps of whatever batch it is at. Cancelling ends the worker, and the next task gets a new one.
 * Workers that idle are released; the last one with the model is kept longer, warm for questions. Where a worker has a
 * GPU that won its trial, it alone embeds files, and the processor is left to the page.
 */

import { cancelled, toPlain } from './errors.js';
import { transfers } from './protocol.js';

/** @typedef {import('./channel.js').Channel} Channel */
/** @typedef {import('./protocol.js').PoolRequest} PoolRequest */
/** @typedef {import('./protocol.js').Replies} Replies */
/** @typedef {import('./protocol.js').Progress} Progress */
/** @typedef {'embed' | 'embed-first' | 'compare'} InSteps tasks that can end early, with what they have */

/**
 * @typedef {object} Slot
 * @property {Channel} channel
 * @property {PoolRequest['type'] | null} task what it is at
 * @property {boolean} canRead true if it was given what files are read with
 * @property {'none' | 'loading' | 'ready'} model
 * @property {boolean} gpu true if it embeds on a GPU
 * @property {number} questions embeddings of questions in flight
 * @property {ReturnType<typeof setTimeout> | null} release
 */

/**
 * @typedef {object} Task
 * @property {PoolRequest} request
 * @property {AbortSignal} signal
 * @property {(progress: Progress) => void} onProgress
 * @property {number} nLost workers that were ended under it from outside
 * @property {(result: any) => void} resolve
 * @property {(error: Error) => void} reject
 */

/** Parsing first: order of the queue by type. @type {Record<PoolRequest['type'], number>} */
const urgency = {
  'take-ingest': 0,
  'take-encoder': 0,
  'embed-query': 0,
  hurry: 0,
  'embed-first': 0,
  compare: 0,
  hash: 1,
  parse: 1,
  warm: 2,
  'release-gpu': 2,
  'try-gpu': 2,
  embed: 3,
  'link-graph': 4,
};

/** @returns {Replies['embed']} */
const nothingEmbedded = () => ({
  done: [],
  vectors: new Float32Array(),
  fingerprint: '',
  seconds: 0,
  tokens: 0,
  onGpu: false,
  lost: null,
});

/** Results of tasks that ended before they began. @type {{ [T in InSteps]: () => Replies[T] }} */
const nothingDone = {
  embed: nothingEmbedded,
  'embed-first': nothingEmbedded,
  compare: () => ({ done: 0, matches: [], seconds: 0 }),
};

/** Time in milliseconds until a page that has opened its library has drawn it. */
const calm = 500;

/** Tasks that are one long call without the model: a worker at one answers no question. @param {PoolRequest['type'] | null} type */
const isLong = (type) => type === 'hash' || needsIngest(type);

/** Tasks that need the module that files are read with. @param {PoolRequest['type'] | null} type */
const needsIngest = (type) => type === 'parse' || type === 'link-graph';

/** True of what can be asked of another worker: what gave no bytes away, and no question waits for. @param {PoolRequest} request */
const isRepeatable = (request) =>
  transfers(request).length === 0 && request.type !== 'embed-first' && request.type !== 'compare';

export class Pool {
  #spawn;
  #ingest;
  #encoder;
  #size;
  #idleMs;
  #warmMs;
  /** @type {Slot[]} */
  #slots = [];
  /** @type {Task[]} */
  #queue = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #expecting;

  /**
   * @param {object} options
   * @param {() => Channel} options.spawn makes a worker
   * @param {() => Promise<import('./protocol.js').ModuleAssets>} options.ingest what a worker reads files with, loaded when the
   *   first one needs it
   * @param {() => Promise<import('./protocol.js').EncoderAssets>} options.encoder what a worker embeds with, loaded when the
   *   first one needs it
   * @param {number} options.size most workers at a time
   * @param {number} [options.idleMs] how long an idle worker is kept
   * @param {number} [options.warmMs] how long the last one with the model is kept
   */
  constructor({ spawn, ingest, encoder, size, idleMs = 20_000, warmMs = 600_000 }) {
    this.#spawn = spawn;
    this.#ingest = ingest;
    this.#encoder = encoder;
    this.#size = size;
    this.#idleMs = idleMs;
    this.#warmMs = warmMs;
  }

  get size() {
    return this.#size;
  }

  /** Workers alive, for tests and figures. */
  get alive() {
    return this.#slots.length;
  }

  /** True if a worker embeds on a GPU. */
  get hasGpu() {
    return this.#slots.some(({ gpu }) => gpu);
  }

  /** Batches that are worth having under way: one for each worker that embeds, and one that waits for the GPU. */
  get batches() {
    return this.hasGpu ? 2 : this.#size;
  }

  /** True if a worker has the model loaded and is not at a long task. */
  get modelReady() {
    return this.#warmSlot() !== undefined;
  }

  /**
   * Runs a background task when a worker is free. Aborting takes it out of the queue, or ends its worker.
   * @template {Exclude<PoolRequest, { type: 'embed-query' | 'hurry' | 'take-ingest' | 'take-encoder' }>} R
   * @param {R} request
   * @param {{ signal?: AbortSignal, onProgress?: (progress: Progress) => void }} [options]
   * @returns {Promise<Replies[R['type']]>}
   */
  run(request, { signal = new AbortController().signal, onProgress = () => {} } = {}) {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(cancelled());
      /** @type {Task} */
      const task = { request, signal, onProgress, nLost: 0, resolve, reject };
      const at = this.#queue.findIndex((other) => urgency[other.request.type] > urgency[request.type]);
      this.#queue.splice(at < 0 ? this.#queue.length : at, 0, task);
      signal.addEventListener(
        'abort',
        () => {
          const queued = this.#queue.indexOf(task);
          if (queued < 0) return;
          this.#queue.splice(queued, 1);
          reject(cancelled());
        },
        { once: true },
      );
      this.#next();
    });
  }

  /**
   * The embedding of a question, from a worker that is ready for it; null when none is.
   * @param {string} text
   * @returns {Promise<Replies['embed-query'] | null>}
   */
  async embedQuery(text) {
    const slot = this.#warmSlot();
    if (!slot) return null;
    slot.questions += 1;
    this.#hold(slot);
    try {
      return await slot.channel.request({ type: 'embed-query', text });
    } catch {
      // Its worker was ended under it, or is lost: the question is asked without a vector.
      return null;
    } finally {
      slot.questions -= 1;
      this.#rest(slot);
    }
  }

  /**
   * Ends tasks of this type early: those that run give what they have, those that wait give nothing.
   * @param {InSteps} type
   */
  hurry(type) {
    const waiting = this.#queue.filter(({ request }) => request.type === type);
    this.#queue = this.#queue.filter(({ request }) => request.type !== type);
    for (const { resolve } of waiting) resolve(nothingDone[type]());
    for (const { task, channel } of this.#slots)
      if (task === type) void channel.request({ type: 'hurry' }).catch(() => {});
  }

  /** Has the workers embed by themselves again. */
  releaseGpu() {
    for (const slot of this.#slots.filter(({ gpu }) => gpu)) {
      slot.gpu = false;
      void slot.channel.request({ type: 'release-gpu' }).catch(() => {});
    }
    this.#next();
  }

  /** Loads what files are read with before there is one, once the page has drawn what its visitor waits for. */
  expectFile() {
    this.#expecting = setTimeout(() => this.#ingest().catch(() => {}), calm);
  }

  /** Ends every worker; what runs or waits is rejected. */
  close() {
    clearTimeout(this.#expecting);
    for (const task of this.#queue.splice(0)) task.reject(cancelled());
    for (const slot of [...this.#slots]) this.#drop(slot);
  }

  #warmSlot() {
    return this.#slots
      .filter((slot) => slot.model === 'ready' && !isLong(slot.task))
      .sort((a, b) => Number(a.task !== null) - Number(b.task !== null) || a.questions - b.questions)[0];
  }

  #next() {
    while (this.#queue.length > 0) {
      const slot = this.#freeSlot(/** @type {Task} */ (this.#queue[0]).request.type);
      if (!slot) return;
      void this.#work(slot, /** @type {Task} */ (this.#queue.shift()));
    }
  }

  /** An idle worker, for embedding one that has the model; a new one while the pool may grow.
   * @param {PoolRequest['type']} type */
  #freeSlot(type) {
    const idle = this.#slots.filter(isIdle);
    if (type === 'embed' && this.hasGpu) return idle.find(({ gpu }) => gpu) ?? null;
    const suited = idle.find((slot) => (slot.model !== 'none') === !isLong(type));
    if (suited) return suited;
    if (this.#slots.length < this.#size && (idle.length === 0 || isLong(type))) return this.#add();
    return idle[0] ?? null;
  }

  #add() {
    /** @type {Slot} */
    const slot = {
      channel: this.#spawn(),
      task: null,
      canRead: false,
      model: 'none',
      gpu: false,
      questions: 0,
      release: null,
    };
    slot.channel.onFatal = () => {
      this.#drop(slot);
      this.#next();
    };
    this.#slots.push(slot);
    return slot;
  }

  /** @param {Slot} slot @param {Task} task */
  async #work(slot, task) {
    const { request, signal, onProgress, resolve, reject } = task;
    this.#hold(slot);
    slot.task = request.type;
    if (needsIngest(request.type) && !slot.canRead) {
      slot.canRead = true;
      void this.#giveIngest(slot);
    }
    if (!isLong(request.type) && slot.model === 'none') {
      slot.model = 'loading';
      void this.#giveEncoder(slot);
    }
    const cancel = () => {
      this.#drop(slot);
      this.#next();
    };
    signal.addEventListener('abort', cancel, { once: true });
    const mayRepeat = isRepeatable(request); // its bytes are gone when it is sent
    try {
      const result = await slot.channel.request(request, { onProgress });
      if (!isLong(request.type)) slot.model = 'ready';
      if (request.type === 'try-gpu') slot.gpu = result === null;
      if (slot.gpu && (request.type === 'embed' || request.type === 'embed-first'))
        slot.gpu = /** @type {import('./protocol.js').Embedded} */ (result).onGpu;
      resolve(result);
    } catch (error) {
      if (slot.model === 'loading') slot.model = 'none';
      // It may be for want of the module; a worker that has it takes no other.
      if (needsIngest(request.type)) slot.canRead = false;
      // The file need not be the cause, so it is tried again: as often as there may be workers that were ended with this one.
      const isRepeated = mayRepeat && slot.channel.vanished && !signal.aborted;
      if (isRepeated && task.nLost++ < this.#size) this.#queue.unshift(task);
      else reject(/** @type {Error} */ (error));
    } finally {
      signal.removeEventListener('abort', cancel);
      slot.task = null;
      this.#rest(slot);
      this.#next();
    }
  }

  /** Gives a worker what it reads files with; its task waits for that. @param {Slot} slot */
  async #giveIngest({ channel }) {
    const given = await toGive(this.#ingest());
    // A worker that was ended meanwhile needs it no more.
    await channel.request({ type: 'take-ingest', given }).catch(() => {});
  }

  /** Gives a worker what it embeds with; its task waits for that. @param {Slot} slot */
  async #giveEncoder({ channel }) {
    const given = await toGive(this.#encoder());
    await channel.request({ type: 'take-encoder', given }).catch(() => {});
  }

  /** @param {Slot} slot */
  #hold(slot) {
    if (slot.release !== null) clearTimeout(slot.release);
    slot.release = null;
  }

  /** Starts the time after which an idle worker is released.
   * @param {Slot} slot */
  #rest(slot) {
    this.#hold(slot);
    if (this.#slots.includes(slot) && isIdle(slot)) this.#after(this.#idleMs, slot, () => this.#idled(slot));
  }

  /** The last worker with the model is kept longer, without its GPU. @param {Slot} slot */
  #idled(slot) {
    const lastWarm =
      slot.model === 'ready' && this.#slots.every((other) => other === slot || other.model !== 'ready');
    if (!lastWarm) return this.#drop(slot);
    if (slot.gpu) this.releaseGpu();
    this.#after(this.#warmMs, slot, () => this.#drop(slot));
  }

  /** @param {number} ms @param {Slot} slot @param {() => void} then what becomes of it when it has idled so long */
  #after(ms, slot, then) {
    slot.release = setTimeout(() => {
      if (isIdle(slot)) then();
    }, ms);
  }

  /** @param {Slot} slot */
  #drop(slot) {
    this.#hold(slot);
    const at = this.#slots.indexOf(slot);
    if (at >= 0) this.#slots.splice(at, 1);
    slot.channel.end(cancelled());
  }
}

/**
 * @template T
 * @param {Promise<T>} assets
 * @returns {Promise<import('./protocol.js').Given<T>>}
 */
function toGive(assets) {
  return assets.then(
    (assets) => ({ assets, problem: null }),
    (error) => ({ assets: null, problem: toPlain(error) }),
  );
}

/** @param {Slot} slot */
function isIdle({ task, questions }) {
  return task === null && questions === 0;
}

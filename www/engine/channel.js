/**
 * One worker as seen from the page: requests out, their replies back, and one end for everything in flight
 * when the worker is ended or its wasm instance is lost.
 */

import { EngineError, fromPlain } from './errors.js';
import { build, transfers } from './protocol.js';

/** @typedef {import('./protocol.js').Replies} Replies */
/** @typedef {import('./protocol.js').Progress} Progress */
/** @typedef {import('./protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {import('./protocol.js').OwnerRequest | import('./protocol.js').PoolRequest} AnyRequest */
/** @typedef {{ onProgress?: (progress: Progress) => void, onDocument?: (document: LibraryDocument) => void }} Listeners */
/** @typedef {Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror' | 'onmessageerror'>} WorkerLike */

/**
 * @typedef {object} Fatal
 * @property {EngineError} error
 * @property {string | null} document what the engine was working on
 */

/** @typedef {Extract<import('./protocol.js').Event, { type: 'changed' | 'gone' }>} Foreign */

/** Longest silence of a worker that starts, in milliseconds: one that is ended before it holds a lock cannot be missed otherwise. */
const silence = 60_000;

export class Channel {
  /** Called once when the worker is lost, not when it is ended on purpose. @type {(fatal: Fatal) => void} */
  onFatal = () => {};
  /** Called when another tab has changed the library. @type {(event: Foreign) => void} */
  onForeign = () => {};
  /** True if the worker was ended from outside, and not by what it worked on, as far as can be told. */
  vanished = false;
  /** Settles when the engine is compiled and running in the worker. @type {Promise<void>} */
  ready;

  #worker;
  #nextId = 1;
  /** Why it has ended; null while it has not. @type {EngineError | null} */
  #ended = null;
  /** @type {Promise<void>} */
  #initialised;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #unheard;
  /** @type {Map<number, Listeners & { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  #pending = new Map();
  /** @type {{ resolve: () => void, reject: (error: Error) => void }} */
  #readiness;

  /**
   * @param {WorkerLike} worker
   * @param {Promise<import('./protocol.js').Start>} start the worker starts while it is loaded; requests wait for it, and fail
   *   with it
   */
  constructor(worker, start) {
    this.#worker = worker;
    this.#readiness = { resolve: () => {}, reject: () => {} };
    this.ready = new Promise((resolve, reject) => (this.#readiness = { resolve, reject }));
    this.ready.catch(() => {});
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#lose(event.message || 'the worker could not be started', null);
    };
    worker.onmessageerror = () => this.#lose('a message could not be read', null);
    this.#initialised = start.then((start) => {
      worker.postMessage({ type: 'init', start, build });
      if (!this.#ended) this.#unheard = setTimeout(() => this.#vanish(), silence);
    });
    this.#initialised.catch((error) => this.end(error));
  }

  /** True if the worker was lost or ended. */
  get ended() {
    return this.#ended !== null;
  }

  /**
   * @template {AnyRequest} R
   * @param {R} request
   * @param {Listeners} [listeners]
   * @returns {Promise<Replies[R['type']]>}
   */
  request(request, listeners = {}) {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, ...listeners });
      const send = () => {
        try {
          this.#worker.postMessage({ ...request, id }, transfers(request));
        } catch (error) {
          this.#pending.delete(id);
          reject(error);
        }
      };
      this.#initialised.then(send, () => {}); // it is rejected with all that is pending
    });
  }

  /** Ends the worker now; what is in flight, and what is asked of it later, is rejected with `reason`.
   * @param {EngineError} reason */
  end(reason) {
    if (this.#ended) return;
    this.#ended = reason;
    clearTimeout(this.#unheard);
    this.#worker.terminate();
    this.#readiness.reject(reason);
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }

  /** @param {import('./protocol.js').Event} event */
  #receive(event) {
    if (this.#ended) return;
    clearTimeout(this.#unheard);
    if (event.type === 'ready') return this.#readiness.resolve();
    if (event.type === 'alive') {
      if (event.lock !== null) void navigator.locks.request(event.lock, () => this.#vanish());
      return;
    }
    if (event.type === 'fatal') return this.#lose(event.message, event.document);
    if (event.type === 'changed' || event.type === 'gone') return this.onForeign(event);
    const pending = this.#pending.get(event.id);
    if (!pending) return;
    switch (event.type) {
      case 'progress':
        return pending.onProgress?.(event.progress);
      case 'document':
        return pending.onDocument?.(event.document);
      case 'done':
        this.#pending.delete(event.id);
        return pending.resolve(event.result);
      case 'error':
        this.#pending.delete(event.id);
        return pending.reject(fromPlain(event.error));
    }
  }

  /** The worker is no more: its lock is free, or it was never heard of. */
  #vanish() {
    if (this.#ended) return;
    this.vanished = true;
    this.#lose('its worker was ended', null);
  }

  /** @param {string} message @param {string | null} document */
  #lose(message, document) {
    if (this.#ended) return;
    const error = new EngineError('internal', `the engine stopped: ${message}`);
    this.end(error);
    this.onFatal({ error, document });
  }
}

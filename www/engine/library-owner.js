/**
 * The owner of the library as the page has it: a worker, and another one when that is lost. The other opens what is stored,
 * without the documents over which those before it were lost.
 */

import { EngineError, fromPlain, toPlain } from './errors.js';

/** @typedef {import('./channel.js').Channel} Channel */
/** @typedef {import('./protocol.js').LibraryDocument} LibraryDocument */

/** Most owners that are replaced one after another. */
const maxLost = 5;

export class LibraryOwner {
  /** True if documents outlast the page. */
  persistent = true;
  #host;
  /** @type {Channel | null} */
  #channel = null;
  /** Settles when the library is open: of the newest owner. @type {Promise<void>} */
  #opened = Promise.resolve();
  #steadyMs;
  /** Owners that were lost one after another, none of which was steady. */
  #nLost = 0;
  /** When the newest owner opened the library; infinite before. */
  #openedAt = Infinity;
  /** True if an owner has opened the library. */
  #wasOpen = false;

  /**
   * @param {object} host
   * @param {() => Channel} host.spawn makes a worker
   * @param {string | null} host.library name of the stored library; null for one in memory
   * @param {() => boolean} host.wasKept true if documents of the library were stored when it was open before, on whatever page
   * @param {(document: LibraryDocument) => void} host.onDocument told of each document as the library is opened
   * @param {(event: import('./channel.js').Foreign) => void} host.onForeign another tab has changed the library
   * @param {(opened: Promise<void>) => void} host.onLost the owner was lost; `opened` resolves when another has opened the library,
   *   and rejects where there will be none: each request is rejected then
   * @param {number} [steadyMs] time after which the loss of an owner counts as the first. An answer proves less: the page asks
   *   by itself too, also between two losses for one cause
   */
  constructor(host, steadyMs = 60_000) {
    this.#host = host;
    this.#steadyMs = steadyMs;
  }

  /** Opens the library. */
  open() {
    this.#opened = this.#start([]);
    return this.#opened;
  }

  /** The worker, which may have ended. */
  get channel() {
    if (!this.#channel) throw new EngineError('internal', 'the engine is not running');
    return this.#channel;
  }

  /** Ends the worker for good. @param {EngineError} reason */
  close(reason) {
    this.#channel?.end(reason);
    this.#channel = null;
  }

  /** @param {string[]} skip documents that ended the engine when they were loaded */
  async #start(skip) {
    const { spawn, library, wasKept, onDocument, onForeign } = this.#host;
    const channel = spawn();
    this.#channel = channel;
    this.#openedAt = Infinity;
    let isLost = false;
    channel.onForeign = onForeign;
    channel.onFatal = ({ document }) => {
      isLost = true;
      this.#replace(document === null ? skip : [...skip, document]);
    };
    try {
      const { persistent } = await channel.request({ type: 'open', library, skip }, { onDocument });
      // An empty store in memory would stand in the place of all that is stored.
      const isStored = this.#wasOpen ? this.persistent : wasKept();
      if (isStored && !persistent) throw new Error('the browser refused its storage');
      this.persistent = persistent;
      this.#wasOpen = true;
      this.#openedAt = performance.now();
    } catch (error) {
      if (isLost) return this.#opened;
      // A first owner that fails otherwise, as where files of the engine are missing, has said so.
      if (channel.ended || !(this.#wasOpen || (wasKept() && toPlain(error).code === 'internal'))) throw error;
      const failure = this.persistent ? unreachable(error) : fromPlain(toPlain(error));
      channel.end(failure);
      throw failure;
    }
  }

  /** @param {string[]} skip */
  #replace(skip) {
    const isSteady = performance.now() - this.#openedAt > this.#steadyMs;
    this.#nLost = isSteady ? 1 : this.#nLost + 1;
    this.#opened = this.#nLost > maxLost ? Promise.reject(stoppedAgain()) : this.#start(skip);
    this.#host.onLost(this.#opened);
  }
}

function stoppedAgain() {
  const hint = 'Reload the page. If that does not help, clear the library.';
  return new EngineError('internal', 'the engine stopped again and again', hint);
}

/** The stored library cannot be opened by the owner that is to go on with it. @param {unknown} cause */
function unreachable(cause) {
  return new EngineError(
    'storage-failed',
    `the stored library could not be opened again: ${toPlain(cause).message}`,
    'Its documents are still in this browser. Reload the page.',
  );
}

/**
 * The owner of the library as the page has it: a worker, and another one when that is lost. The other opens what is stored,
 * without the documents over which those before it were lost.
 */

import { EngineError } from './errors.js';

/** @typedef {import('./channel.js').Channel} Channel */
/** @typedef {import('./protocol.js').LibraryDocument} LibraryDocument */

/** Most owners that are replaced. */
const maxLost = 5;

export class LibraryOwner {
  /** True if documents outlast the page. */
  persistent = true;
  #host;
  /** @type {Channel | null} */
  #channel = null;
  /** Settles when the library is open: of the newest owner. @type {Promise<void>} */
  #opened = Promise.resolve();
  #nLost = 0;

  /**
   * @param {object} host
   * @param {() => Channel} host.spawn makes a worker
   * @param {string | null} host.library name of the stored library; null for one in memory
   * @param {(document: LibraryDocument) => void} host.onDocument told of each document as the library is opened
   * @param {(event: import('./channel.js').Foreign) => void} host.onForeign another tab has changed the library
   * @param {(opened: Promise<void>) => void} host.onLost the owner was lost; `opened` settles when another has opened the library
   * @param {(error: EngineError) => void} host.onFailed the owner was lost, and there will be no other
   */
  constructor(host) {
    this.#host = host;
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
    const { spawn, library, onDocument, onForeign } = this.#host;
    const channel = spawn();
    this.#channel = channel;
    let isReplaced = false;
    channel.onForeign = onForeign;
    channel.onFatal = ({ document }) => {
      isReplaced = this.#replace(document === null ? skip : [...skip, document]);
    };
    try {
      const { persistent } = await channel.request({ type: 'open', library, skip }, { onDocument });
      this.persistent = persistent;
    } catch (error) {
      if (isReplaced) return this.#opened;
      throw error;
    }
  }

  /** @param {string[]} skip @returns {boolean} false where the owner was the last */
  #replace(skip) {
    this.#nLost += 1;
    if (this.#nLost > maxLost) {
      const hint = 'Reload the page. If that does not help, clear the library.';
      this.#host.onFailed(new EngineError('internal', 'the engine stopped again and again', hint));
      return false;
    }
    this.#opened = this.#start(skip);
    this.#host.onLost(this.#opened);
    return true;
  }
}

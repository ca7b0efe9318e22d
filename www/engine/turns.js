/**
 * Turns of files: only so many bytes of files are in memory at a time. A large file waits until it is alone; small ones
 * go together, as many as fit. Files get their turns in the order in which they came.
 */

import { cancelled } from './errors.js';

/** Most bytes of files in memory at a time, unless one file alone has more. */
export const maxBytesInHand = 48 * 1024 * 1024;

export class Turns {
  #maxBytes;
  #inHand = 0;
  /** @type {{ bytes: number, begin: () => void }[]} */
  #waiting = [];

  /** @param {number} [maxBytes] */
  constructor(maxBytes = maxBytesInHand) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of the files whose turn it is. */
  get inHand() {
    return this.#inHand;
  }

  /**
   * Runs `work` when it is the turn of a file of this size. Aborting gives up the turn.
   * @template T
   * @param {number} bytes
   * @param {AbortSignal} signal
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async run(bytes, signal, work) {
    await this.#turn(bytes, signal);
    try {
      return await work();
    } finally {
      this.#inHand -= bytes;
      this.#next();
    }
  }

  /** @param {number} bytes @param {AbortSignal} signal @returns {Promise<void>} */
  #turn(bytes, signal) {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(cancelled());
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        reject(cancelled());
        this.#next();
      };
      const entry = {
        bytes,
        begin: () => {
          signal.removeEventListener('abort', leave);
          this.#inHand += bytes;
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(entry);
      this.#next();
    });
  }

  #next() {
    for (let first = this.#waiting[0]; first && this.#fits(first.bytes); first = this.#waiting[0]) {
      this.#waiting.shift();
      first.begin();
    }
  }

  /** @param {number} bytes */
  #fits(bytes) {
    return this.#inHand === 0 || this.#inHand + bytes <= this.#maxBytes;
  }
}

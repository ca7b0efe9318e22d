/**
 * Tabs with one library. A change is made under a lock of the library, so that two tabs never choose the same name for two
 * documents, and is told to the other tabs when it is stored; they read it from the store. Without Web Locks (a page that is
 * not in a secure context) changes are told all the same, and each is a transaction of its own.
 */

/**
 * @typedef {(
 *   | { type: 'put', document: string }
 *   | { type: 'vectors', document: string, start: number }
 *   | { type: 'take', document: string }
 *   | { type: 'clear' }
 * )} Change what a tab has stored
 */

export class Tabs {
  #name;
  #channel;

  /** @param {string} library @param {(change: Change) => void} onChange of another tab */
  constructor(library, onChange) {
    this.#name = `pincite:${library}`;
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = ({ data }) => onChange(data);
  }

  /**
   * Runs `work` while no other tab changes the library.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async alone(work) {
    const locks = /** @type {LockManager | undefined} */ (globalThis.navigator?.locks);
    return locks ? locks.request(this.#name, work) : work();
  }

  /** Tells the other tabs. @param {Change} change */
  tell(change) {
    this.#channel.postMessage(change);
  }
}

/**
 * Documents that were taken out and can be put back for some seconds. What is needed for that is held here and nowhere else:
 * not in storage, and not in a worker, which may be lost.
 */

/** @typedef {import('./protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {{ document: LibraryDocument, kept: Promise<import('./protocol.js').Kept | null>, timer: ReturnType<typeof setTimeout> }} Removed */

export class RemovedDocuments {
  /** @type {Map<string, Removed>} */
  #removed = new Map();
  #owner;
  #onForget;

  /**
   * @param {() => Pick<import('./channel.js').Channel, 'request'>} owner
   * @param {(id: string) => void} onForget called when a document can no longer be put back
   */
  constructor(owner, onForget) {
    this.#owner = owner;
    this.#onForget = onForget;
  }

  /** @returns {LibraryDocument[]} */
  get documents() {
    return Array.from(this.#removed.values(), ({ document }) => document);
  }

  /**
   * Takes a document out of the library. Where that fails, there is nothing to put back.
   * @param {LibraryDocument} document
   * @param {number} undoMs how long it can be put back, in milliseconds; 0 for no way back
   */
  take(document, undoMs) {
    const { id } = document;
    const kept = this.#owner().request({ type: 'remove', document: id });
    // Another tab may have added again what was taken out here before: its time is no longer that of this one.
    this.release(id);
    const forget = () => {
      if (this.#removed.get(id)?.kept === kept && this.release(id)) this.#onForget(id);
    };
    const timer = setTimeout(forget, undoMs);
    if (undoMs > 0) this.#removed.set(id, { document, kept, timer });
    kept.catch(forget);
    return kept;
  }

  /**
   * Puts a document back.
   * @param {string} id
   * @returns {Promise<LibraryDocument | null | undefined>} null where the library has it already, undefined where it is not held
   */
  async putBack(id) {
    const removed = this.#removed.get(id);
    if (!removed) return undefined;
    clearTimeout(removed.timer);
    const kept = await removed.kept;
    const document = kept && (await this.#owner().request({ type: 'restore', kept }));
    this.#removed.delete(id);
    return document;
  }

  /** Lets go of a document that was added again. @param {string} id */
  release(id) {
    const removed = this.#removed.get(id);
    if (removed) clearTimeout(removed.timer);
    return this.#removed.delete(id);
  }

  /** Lets go of all. */
  clear() {
    this.close();
    this.#removed.clear();
  }

  /** Ends the waiting. */
  close() {
    for (const { timer } of this.#removed.values()) clearTimeout(timer);
  }
}

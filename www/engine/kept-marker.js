/**
 * A marker outside IndexedDB, which says that a library has documents: one that cannot be opened, or that the browser has lost,
 * would look like a new one. It tells nothing of them. Browsers write it late: ended right after the last document was taken out,
 * one may still have it.
 */

import { storageOf } from './small-storage.js';

export class KeptMarker {
  #key;
  #storage;
  /** As this tab has set it: what other tabs set meanwhile stays. */
  #own = false;

  /** @param {string | null} library null for one that nothing is stored of @param {Storage | null} [storage] null where there is none */
  constructor(library, storage = storageOf('localStorage')) {
    this.#key = `pincite:${library}:kept`;
    this.#storage = library === null ? null : storage;
  }

  get isSet() {
    return (this.#storage?.getItem(this.#key) ?? null) !== null;
  }

  /** Sets the marker, or removes it, where this is news. @param {boolean} hasDocuments */
  update(hasDocuments) {
    if (hasDocuments === this.#own) return;
    this.#own = hasDocuments;
    try {
      if (hasDocuments) this.#storage?.setItem(this.#key, '');
      else this.#storage?.removeItem(this.#key);
    } catch {
      // Without space for it, a loss is not noticed.
    }
  }

  /** Removes the marker. True if it was there. */
  take() {
    const { isSet } = this;
    this.#storage?.removeItem(this.#key);
    return isSet;
  }
}

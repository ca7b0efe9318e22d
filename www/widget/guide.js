/**
 * Help of the widget: the keyboard map with the button that opens it, and the tour, which is loaded when it is first shown. It begins by itself on a first visit where the page asks for that, and never a second time: where
 * nothing can be remembered it does not begin at all.
 */

import { el } from '../dom/elements.js';
import { keys } from '../dom/keys.js';
import { storageOf } from '../engine/small-storage.js';
import { KeyHelp } from '../viewer/key-help.js';

/** Key under which the browser remembers that the tour was shown, for all libraries together. */
const shownKey = 'pincite:tour';

export class Guide {
  #host;
  #keys;
  /** @type {import('./tour.js').Tour | null} */
  #tour = null;
  /** The element that had the focus when the tour began. @type {HTMLElement | null} */
  #opener = null;

  /**
   * @param {object} host
   * @param {import('../strings/index.js').Strings} host.strings
   * @param {HTMLElement} host.shell of the widget, which map and tour are put into
   * @param {(text: string) => void} host.announce
   * @param {() => HTMLElement | null} host.focused the element of the widget that has the focus
   * @param {(title: string) => void} host.onTry something is about to be loaded that may have failed before
   * @param {(error: unknown, title: string) => void} host.onFailure something could not be loaded
   */
  constructor(host) {
    this.#host = host;
    const { strings, shell, onTry, onFailure } = host;
    this.#keys = new KeyHelp({
      strings,
      shell,
      places: keyPlaces,
      further: () => [this.#tourButton()],
      onTry,
      onFailure,
    });
  }

  /** The button that opens the keyboard map. */
  get button() {
    return this.#keys.button;
  }

  /** Opens the keyboard map. */
  showKeys() {
    return this.#keys.show();
  }

  /** Begins the tour, which takes the focus if it was asked for. @param {boolean} isAsked */
  async startTour(isAsked) {
    const { strings, shell, announce, focused, onTry, onFailure } = this.#host;
    onTry(strings.tour.failed);
    try {
      const { Tour } = await import('./tour.js');
      this.#tour ??= new Tour({ strings, shell, announce, onEnd: (hadFocus) => this.#ended(hadFocus) });
    } catch (error) {
      return onFailure(error, strings.tour.failed);
    }
    this.#opener = focused();
    this.#tour.start(isAsked);
  }

  /** Begins the tour on a first visit. */
  welcome() {
    try {
      const storage = storageOf('localStorage');
      if (storage === null || storage.getItem(shownKey) !== null) return;
      storage.setItem(shownKey, 'shown');
    } catch {
      return; // nothing can be stored, so it would begin at every visit
    }
    void this.startTour(false);
  }

  /** Follows what has changed on the page. */
  update() {
    this.#tour?.refresh();
  }

  /** Ends the tour. @returns {boolean} false where there is none */
  leave() {
    if (!this.#tour?.isOpen) return false;
    this.#tour.end();
    return true;
  }

  close() {
    this.#keys.close();
    this.#tour?.end();
  }

  #tourButton() {
    const onclick = () => {
      this.#keys.close();
      void this.startTour(true);
    };
    return el('button', { type: 'button', class: 'quiet', onclick }, this.#host.strings.tour.start);
  }

  /** @param {boolean} hadFocus */
  #ended(hadFocus) {
    if (hadFocus) (this.#opener?.isConnected ? this.#opener : this.button).focus();
    this.#opener = null;
  }
}

const keyPlaces = /** @type {import('../dom/keys.js').KeyPlace[]} */ (Object.keys(keys));

/**
 * The live region for screen readers. News is said at once; progress at most every few seconds, and then the latest,
 * so that a long step is named even if it began right after another. News in the same words as before is said again.
 */

import { el } from '../../dom/elements.js';

/** The least time between two tellings of progress. */
const pauseMs = 4_000;

export class LiveRegion {
  element = el('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });
  #said = '';
  #at = -pauseMs;
  /** @type {string | null} */
  #waiting = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {string} text @param {boolean} now that it is no mere progress */
  say(text, now) {
    const wait = this.#at + pauseMs - performance.now();
    if (now || wait <= 0) return this.#speak(text, now);
    this.#waiting = text;
    this.#timer ??= setTimeout(() => {
      if (this.#waiting !== null) this.#speak(this.#waiting, false);
    }, wait);
  }

  /** @param {string} text @param {boolean} again whether the same words are news */
  #speak(text, again) {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = null;
    if (text === this.#said && !again) return;
    this.#at = performance.now();
    this.#said = text;
    // The same text would be no change, and so not be read.
    this.element.textContent = text === this.element.textContent ? `${text}\u00a0` : text;
  }
}

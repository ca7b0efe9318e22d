/**
 * Line above the question that says what failed of the page itself. It goes when the same is tried again, or when it is dismissed.
 */

import { el, fill } from '../../dom/elements.js';
import { iconButton } from '../../dom/icons.js';

export class FailureBanner {
  element = el('div', { class: 'failure', role: 'alert', hidden: true });
  #label;
  #onDismiss;
  /** The failure that was shown last. @type {{ about: string, text: string } | null} */
  #shown = null;

  /** @param {string} label of the button that dismisses it @param {() => void} onDismiss the focus is to go elsewhere */
  constructor(label, onDismiss) {
    this.#label = label;
    this.#onDismiss = onDismiss;
  }

  /** Shows a failure, unless it is there or was dismissed. @param {string} about what failed @param {string} title @param {string} hint */
  show(about, title, hint) {
    const text = `${title}\n${hint}`;
    if (this.#shown?.text === text) return;
    this.#shown = { about, text };
    const dismiss = iconButton('close', this.#label, () => {
      this.element.hidden = true;
      this.#onDismiss();
    });
    fill(
      this.element,
      el('div', { class: 'note warning' }, el('div', {}, el('p', {}, title), el('p', {}, hint)), dismiss),
    );
    this.element.hidden = false;
  }

  /** Takes away what failed: it works, or is tried again. @param {string} about */
  clear(about) {
    if (this.#shown?.about !== about) return;
    this.#shown = null;
    this.element.hidden = true;
  }
}

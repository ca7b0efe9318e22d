/**
 * The button of the floating layout: it opens the panel, and in the panel closes it. Elsewhere it is hidden.
 */

import { el, fill } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';

export class Launcher {
  element;
  #strings;

  /** @param {import('../../strings/index.js').Strings} strings @param {() => void} onToggle */
  constructor(strings, onToggle) {
    this.#strings = strings;
    this.element = el('button', { type: 'button', class: 'launcher', part: 'launcher', onclick: onToggle });
  }

  /** @param {boolean} isFloating @param {boolean} isOpen */
  update(isFloating, isOpen) {
    this.element.hidden = !isFloating;
    this.element.ariaExpanded = String(isOpen);
    this.element.ariaLabel = isOpen ? this.#strings.widget.close : this.#strings.widget.ask;
    fill(this.element, icon(isOpen ? 'close' : 'search'), !isOpen && this.#strings.widget.ask);
  }
}

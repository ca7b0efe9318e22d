/**
 * From citation to citation of an answer: "Citation 2 of 5" between two buttons, in the viewer's bar.
 */

import { el } from '../dom/elements.js';
import { iconButton } from '../dom/icons.js';
import { shortcutsOf } from '../dom/keys.js';

/**
 * @typedef {object} CitationTurn a citation among those of its answer
 * @property {number} at 1-based
 * @property {number} n citations of the answer
 * @property {(at: number) => void} go opens another
 */

export class CitationSteps {
  element;
  #strings;
  #text = el('span', { class: 'cited-at' });
  #earlier;
  #later;
  /** @type {CitationTurn | null} */
  #cited = null;

  /** @param {import('../strings/index.js').Strings} strings */
  constructor(strings) {
    this.#strings = strings;
    const { viewer } = strings;
    this.#earlier = iconButton('up', viewer.previousCitation, () => this.step(-1), {
      'aria-keyshortcuts': shortcutsOf('viewer', 'openPrevious'),
    });
    this.#later = iconButton('down', viewer.nextCitation, () => this.step(1), {
      'aria-keyshortcuts': shortcutsOf('viewer', 'openNext'),
    });
    this.element = el(
      'div',
      { class: 'viewer-citations', role: 'group', 'aria-label': viewer.citations, hidden: true },
      this.#earlier,
      this.#text,
      this.#later,
    );
  }

  /** Place of what is shown among the citations; empty for a document opened by itself. */
  get place() {
    return this.#cited ? this.#strings.viewer.citedAt(this.#cited.at, this.#cited.n) : '';
  }

  /** @param {CitationTurn | null} cited */
  show(cited) {
    this.#cited = cited;
    this.element.hidden = cited === null;
    this.#text.textContent = this.place;
    if (cited === null) return;
    // Not disabled: a button that is pressed at the last citation keeps the focus.
    this.#earlier.setAttribute('aria-disabled', String(cited.at <= 1));
    this.#later.setAttribute('aria-disabled', String(cited.at >= cited.n));
  }

  /** Opens the citation before or after this one. @param {1 | -1} direction */
  step(direction) {
    const cited = this.#cited;
    if (!cited) return;
    const at = cited.at + direction;
    if (at >= 1 && at <= cited.n) cited.go(at);
  }
}

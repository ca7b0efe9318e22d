/**
 * The bar above a document: its title, and the tools that turn its pages and scale it.
 */

import { el } from '../dom/elements.js';
import { iconButton } from '../dom/icons.js';
import { shortcutsOf } from '../dom/keys.js';

/**
 * @typedef {object} BarActions
 * @property {(number: number) => void} goTo a page, 1-based; NaN for one that there is not
 * @property {(by: 1 | -1) => void} turn to the next page or the one before
 * @property {(direction: 1 | -1) => void} step zooms
 * @property {(zoom: 'text' | 'page') => void} fit
 * @property {() => void} find opens the search
 * @property {() => void} print opens the choice of what is printed
 * @property {() => void} save saves the file
 * @property {(name: string) => void} pane opens or closes a pane beside the document
 * @property {() => void} close
 */

/** @param {import('../dom/keys.js').KeyAction<'viewer'>} action */
const keys = (action) => ({ 'aria-keyshortcuts': shortcutsOf('viewer', action) });

/** Tools that stand together on a line. @param {...HTMLElement} tools */
const group = (...tools) => el('span', { class: 'tool-group' }, ...tools);

export class ViewerBar {
  element;
  #strings;
  #title = el('h2', { class: 'viewer-title' });
  #pageInput;
  #pageCount = el('span', { class: 'page-count' });
  #nPages = 0;
  /** Numbers that the document prints on its pages; null where it names none. @type {readonly string[] | null} */
  #labels = null;
  /** @type {Record<'text' | 'page', HTMLButtonElement>} */
  #fits;
  /** @type {Readonly<Record<string, HTMLButtonElement>>} */
  #panes;

  /**
   * @param {import('../strings/index.js').Strings} strings
   * @param {BarActions} actions
   * @param {HTMLElement} citations steps through them, beside the title
   * @param {HTMLElement} findBar below the tools
   */
  constructor(strings, { goTo, turn, step, fit, find, print, save, pane, close }, citations, findBar) {
    this.#strings = strings;
    const { viewer } = strings;
    const ofPages = { class: 'icon-button of-pages' };
    this.#pageInput = el('input', {
      class: 'page-input',
      type: 'text',
      inputMode: 'numeric',
      'aria-label': viewer.page,
      onchange: () => goTo(this.#pageNamed(this.#pageInput.value)),
    });
    this.#fits = {
      text: iconButton('width', viewer.fitText, () => fit('text'), { ...keys('fitText'), ...ofPages }),
      page: iconButton('whole', viewer.fitPage, () => fit('page'), { ...keys('fitPage'), ...ofPages }),
    };
    this.#panes = {
      sections: iconButton('list', viewer.sections, () => pane('sections'), { 'aria-expanded': 'false' }),
      thumbnails: iconButton('pages', viewer.thumbnails, () => pane('thumbnails'), {
        'aria-expanded': 'false',
        ...ofPages,
      }),
    };
    this.element = el(
      'header',
      { class: 'viewer-bar' },
      this.#title,
      citations,
      iconButton('close', viewer.close, close, { class: 'icon-button viewer-close' }),
      el(
        'div',
        { class: 'viewer-tools', role: 'toolbar', 'aria-label': viewer.tools },
        group(...Object.values(this.#panes)),
        group(
          iconButton('previous', viewer.previous, () => turn(-1), ofPages),
          el('span', { class: 'page-of of-pages' }, this.#pageInput, this.#pageCount),
          iconButton('next', viewer.next, () => turn(1), ofPages),
        ),
        group(
          iconButton('smaller', viewer.zoomOut, () => step(-1), keys('zoomOut')),
          iconButton('larger', viewer.zoomIn, () => step(1), keys('zoomIn')),
          this.#fits.page,
          this.#fits.text,
        ),
        group(
          iconButton('search', viewer.find, find, keys('find')),
          iconButton('print', viewer.print, print, { 'aria-haspopup': 'dialog', ...keys('print') }),
          iconButton('save', viewer.save, save),
        ),
      ),
      findBar,
    );
  }

  /** @param {string} title @param {string} name of the file */
  showTitle(title, name) {
    this.#title.textContent = title;
    this.#title.title = name;
  }

  /** @param {number} nPages 0 while they are not known @param {readonly string[] | null} [labels] numbers that are printed on them */
  showCount(nPages, labels = null) {
    this.#nPages = nPages;
    this.#labels = labels;
    // Printed numbers have letters.
    this.#pageInput.inputMode = labels === null ? 'numeric' : 'text';
    this.#pageCount.textContent = nPages > 0 ? this.#strings.viewer.of(nPages) : '';
  }

  /** Shows the page that is read, by the number that is printed on it, unless another is being typed. @param {number} number 1-based */
  showPage(number) {
    const { activeElement } = /** @type {ShadowRoot} */ (this.element.getRootNode());
    if (this.#pageInput === activeElement) return;
    const label = this.#labels?.[number - 1] || String(number);
    const { of, labelled } = this.#strings.viewer;
    this.#pageInput.value = label;
    this.#pageCount.textContent =
      label === String(number) ? of(this.#nPages) : labelled(number, this.#nPages);
  }

  /** The page with such a printed number, or else the one counted so, 1-based. @param {string} typed */
  #pageNamed(typed) {
    const name = typed.trim().toLowerCase();
    const idx = this.#labels?.findIndex((label) => label.toLowerCase() === name) ?? -1;
    return idx < 0 ? Number.parseInt(name, 10) : idx + 1;
  }

  /** @param {string | null} shown name of the pane that is open */
  markPane(shown) {
    for (const [name, button] of Object.entries(this.#panes))
      button.setAttribute('aria-expanded', String(name === shown));
  }

  /** @param {import('./pages.js').Zoom} zoom */
  markFit(zoom) {
    for (const [fit, button] of Object.entries(this.#fits))
      button.setAttribute('aria-pressed', String(zoom === fit));
  }
}

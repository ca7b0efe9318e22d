/**
 * The pane beside a document, which shows one of several contents: sections or thumbnails. Where the viewer is narrow it
 * lies over the document.
 */

import { el } from '../dom/elements.js';
import { iconButton } from '../dom/icons.js';

/**
 * @typedef {object} PaneContent
 * @property {string} label
 * @property {HTMLElement} element
 * @property {() => Promise<void> | void} show it is about to be seen
 * @property {() => void} hide
 * @property {() => void} focus
 */

export class SidePane {
  element;
  #contents;
  #onChange;
  #title = el('h3', { class: 'pane-title' });
  #body = el('div', { class: 'pane-body' });
  /** Name of what is shown. @type {string | null} */
  #shown = null;

  /**
   * @param {string} close label of the button
   * @param {Readonly<Record<string, PaneContent>>} contents by name
   * @param {(shown: string | null) => void} onChange
   */
  constructor(close, contents, onChange) {
    this.#contents = contents;
    this.#onChange = onChange;
    this.element = el(
      'aside',
      { class: 'viewer-pane', hidden: true },
      el(
        'div',
        { class: 'pane-head' },
        this.#title,
        iconButton('close', close, () => this.close()),
      ),
      this.#body,
    );
  }

  /** Name of what is shown; null while the pane is closed. */
  get shown() {
    return this.#shown;
  }

  /** True if it lies over the document. */
  get isOver() {
    return this.#shown !== null && getComputedStyle(this.element).position === 'absolute';
  }

  /** Shows a content and takes the focus, or closes the pane if it is shown. @param {string} name */
  async toggle(name) {
    if (this.#shown === name) return this.close();
    const content = this.#contents[name];
    if (!content) return;
    this.#contents[this.#shown ?? '']?.hide();
    this.#shown = name;
    this.#title.textContent = content.label;
    this.element.setAttribute('aria-label', content.label);
    this.#body.replaceChildren(content.element);
    this.element.hidden = false;
    this.#onChange(name);
    await content.show();
    if (this.#shown === name) content.focus();
  }

  /** Shows what is open of another document. */
  refresh() {
    void this.#contents[this.#shown ?? '']?.show();
  }

  close() {
    if (this.#shown === null) return;
    this.#contents[this.#shown]?.hide();
    this.#shown = null;
    this.element.hidden = true;
    this.#onChange(null);
  }
}

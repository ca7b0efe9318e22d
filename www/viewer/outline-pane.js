/**
 * The pane of sections: a tree of the document's headings, or of its bookmarks where it has no headings. It is read when it
 * is shown for the first time.
 */

import { el } from '../dom/elements.js';
import { Tree } from '../dom/tree.js';
import { bookmarksOf, headingsOf } from './outline.js';

/** @typedef {import('./outline.js').Section} Section */
/** @typedef {{ blocks: import('./text.js').BlockSource, pdf: import('./pdf.js').PdfDocument | null }} Outlined text of a document, and its file where it is a PDF */

export class OutlinePane {
  element;
  #strings;
  #message = el('p', { class: 'pane-message', role: 'status' });
  /** @type {Tree<Section>} */
  #tree;
  /** @type {Outlined | null} */
  #document = null;
  #isRead = false;

  /** @param {import('../strings/index.js').Strings} strings @param {(section: Section) => void} onChoose */
  constructor(strings, onChoose) {
    this.#strings = strings;
    this.#tree = new Tree(strings.viewer.sections, onChoose);
    this.element = el('div', { class: 'outline' }, this.#message, this.#tree.element);
  }

  /** Takes another document, or none. @param {Outlined | null} document */
  attach(document) {
    this.#document = document;
    this.#isRead = false;
    this.#tree.show([]);
    this.#message.textContent = '';
  }

  /** Reads the sections, unless they are there. */
  async show() {
    const document = this.#document;
    if (document === null || this.#isRead) return;
    this.#isRead = true;
    this.#message.textContent = this.#strings.viewer.readingSections;
    const isWanted = () => document === this.#document;
    let sections = await headingsOf(document.blocks, isWanted).catch(() => []);
    if (sections.length === 0 && document.pdf && isWanted()) sections = await bookmarksOf(document.pdf);
    if (!isWanted()) return;
    this.#message.textContent = sections.length === 0 ? this.#strings.viewer.noSections : '';
    this.#tree.show(sections);
  }

  focus() {
    this.#tree.focus();
  }
}

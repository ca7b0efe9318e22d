/**
 * The bar below a document in the viewer that marks words of it as the answer of a question: those that are selected there, or
 * that are typed, so that a keyboard without caret can mark too. In a document without pages the words are looked up: their
 * place is the passage that has them. The bar goes when the viewer closes or shows another document.
 */

import { el } from '../../dom/elements.js';
import { usual } from '../settings.js';

/** @typedef {import('../questions.js').Place} Place */
/** @typedef {import('../../engine/protocol.js').LibraryDocument} LibraryDocument */

export class Marker {
  element;
  #texts;
  #host;
  #onMark;
  /** @type {LibraryDocument | null} */
  #document = null;
  #question = el('p', { class: 'strong', dir: 'auto' });
  #words = el('textarea', { id: 'pincite-lab-words', rows: 2, maxLength: 10_000, dir: 'auto' });
  #pages = el('input', { id: 'pincite-lab-pages', type: 'text', inputMode: 'numeric', size: 6 });
  #pagesField;
  #status = el('p', { class: 'fine', role: 'status' });
  #onSelect = () => this.#follow();
  #onViewer = () => {
    if (this.#host.viewer.key !== this.#document?.id) this.close();
  };

  /** @param {import('../lab.js').PartHost} host @param {(place: Place) => string} onMark takes a place; gives why not, nothing where it does */
  constructor(host, onMark) {
    const { texts } = host;
    this.#texts = texts;
    this.#host = host;
    this.#onMark = onMark;
    this.#pagesField = el('div', {}, el('label', { for: 'pincite-lab-pages' }, texts.page), this.#pages);
    this.element = el(
      'form',
      {
        class: 'lab-marker',
        'aria-label': texts.marking,
        noValidate: true,
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          void this.#mark();
        },
        // The viewer's keys are not typed here.
        onkeydown: (/** @type {KeyboardEvent} */ event) => event.key !== 'Escape' && event.stopPropagation(),
      },
      this.#question,
      el(
        'div',
        { class: 'lab-inline' },
        el(
          'div',
          { class: 'lab-words' },
          el('label', { for: 'pincite-lab-words' }, texts.words),
          this.#words,
        ),
        this.#pagesField,
      ),
      el(
        'div',
        { class: 'dialog-actions' },
        el('button', { type: 'submit', class: 'primary' }, texts.mark),
        el(
          'button',
          { type: 'button', class: 'quiet', onclick: () => this.#host.viewer.close() },
          texts.markDone,
        ),
      ),
      this.#status,
    );
  }

  /** Opens a document to mark in. @param {LibraryDocument} document @param {string} question */
  open(document, question) {
    this.#document = document;
    this.#question.textContent = question;
    this.#words.value = '';
    this.#pages.value = '';
    this.#status.textContent = '';
    this.#pagesField.hidden = document.nPages === 0;
    const { viewer } = this.#host;
    if (!this.element.isConnected) {
      viewer.element.append(this.element);
      viewer.addEventListener('change', this.#onViewer);
      globalThis.document.addEventListener('selectionchange', this.#onSelect);
    }
    this.#host.show(document, { page: 1, spans: [], places: document.nPages > 0 ? null : [], quote: '' });
    this.#words.focus();
  }

  /** Takes the bar away. */
  close() {
    this.#host.viewer.removeEventListener('change', this.#onViewer);
    globalThis.document.removeEventListener('selectionchange', this.#onSelect);
    this.element.remove();
    this.#document = null;
  }

  /** Takes over what is selected in the document. */
  #follow() {
    const selected = selectedIn(this.#host.viewer.element);
    if (selected === null) return;
    this.#words.value = selected.words;
    this.#pages.value = selected.pages;
  }

  async #mark() {
    const document = this.#document;
    if (document === null) return;
    const texts = this.#texts;
    const quote = this.#words.value.replace(/\s+/g, ' ').trim();
    /** @type {[number, number] | null} */
    let range = null;
    try {
      if (document.nPages === 0) range = await this.#rangeOf(document, quote);
    } catch (error) {
      this.#status.textContent = texts.failed(this.#host.describe(error));
      return;
    }
    if (this.#document !== document) return;
    const pages = document.nPages === 0 ? [] : this.#pagesWritten(document.nPages);
    if (document.nPages === 0 ? range === null : pages.length === 0) {
      this.#status.textContent =
        document.nPages === 0 ? texts.wordsNotFound : texts.whichPage(document.nPages);
      return (document.nPages === 0 ? this.#words : this.#pages).focus();
    }
    const place = { document: document.name, pages, range, quote };
    const why = this.#onMark(place);
    if (why !== '') {
      this.#status.textContent = why;
      return this.#host.announce(why);
    }
    this.#words.value = '';
    this.#status.textContent = texts.marked(this.#host.nameOf(place));
    this.#words.focus();
  }

  /** @param {number} most */
  #pagesWritten(most) {
    const written = this.#pages.value.trim() || String(this.#shownPage);
    const pages = written.split(/[,;\s]+/).map(Number);
    return pages.every((page) => Number.isInteger(page) && page >= 1 && page <= most)
      ? [...new Set(pages)]
      : [];
  }

  /** The page that the viewer's bar names. */
  get #shownPage() {
    const input = this.#host.viewer.element.querySelector('.page-input');
    return input instanceof HTMLInputElement ? Number(input.value) : 1;
  }

  /** Passage of a document that has the words, in bytes of its text. @param {LibraryDocument} document @param {string} quote @returns {Promise<[number, number] | null>} */
  async #rangeOf({ id }, quote) {
    if (quote === '') return null;
    const { hits } = await this.#host.state.engine.search(
      quote.slice(0, 300),
      { ...usual, vectors: false, units: 'child' },
      [],
      { filter: { documents: [id] } },
    );
    const plain = (/** @type {string} */ text) => text.normalize('NFKC').replace(/\s+/g, '').toLowerCase();
    const hit = hits.find(({ text }) => plain(text).includes(plain(quote)));
    const [first, last] = [hit?.spans[0], hit?.spans.at(-1)];
    return first && last ? [first.range[0], last.range[1]] : null;
  }
}

/** Words that are selected in an element of a shadow tree, with their pages; null where nothing is. @param {HTMLElement} element */
function selectedIn(element) {
  const root = /** @type {ShadowRoot & { getSelection?: () => Selection | null }} */ (element.getRootNode());
  // Chromium has the selection of a shadow tree at its root, Firefox at the document, and Safari by composed ranges.
  const selection = root.getSelection?.() ?? document.getSelection();
  const [composed] = root.getSelection ? [] : composedRanges(selection, root);
  const range = composed ?? (selection?.rangeCount ? selection.getRangeAt(0) : null);
  if (!range || range.collapsed || !element.contains(range.startContainer)) return null;
  const inDocument = (/** @type {Node} */ node) => node.parentElement?.closest('.viewer-pages, .viewer-text');
  if (!inDocument(range.startContainer)) return null;
  const live = new Range();
  live.setStart(range.startContainer, range.startOffset);
  live.setEnd(range.endContainer, range.endOffset);
  const words = (String(selection) || String(live)).replace(/\s+/g, ' ').trim();
  const pageOf = (/** @type {Node} */ node) =>
    Number(
      (node instanceof Element ? node : node.parentElement)?.closest('.page-view')?.getAttribute('data-page'),
    );
  const [from, to] = [pageOf(range.startContainer), pageOf(range.endContainer)];
  const n = Math.min(20, Math.max(0, to - from));
  const pages = from > 0 ? Array.from({ length: n + 1 }, (_, at) => from + at).join(', ') : '';
  return words === '' ? null : { words, pages };
}

/** @param {Selection | null} selection @param {ShadowRoot} root @returns {StaticRange[]} */
function composedRanges(selection, root) {
  /** @type {((options: { shadowRoots: ShadowRoot[] }) => StaticRange[]) | undefined} */
  const read = selection ? Reflect.get(selection, 'getComposedRanges') : undefined;
  return selection && read ? read.call(selection, { shadowRoots: [root] }) : [];
}

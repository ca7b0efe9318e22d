/**
 * The viewer: one document, a PDF as its pages or a document without pages as text, opened at a cited place with the cited
 * words lit; above it the bar that turns and scales it.
 */

import { el } from '../dom/elements.js';
import { ViewerBar } from './bar.js';
import { CitationSteps } from './citation-steps.js';
import { FindBar } from './find-bar.js';
import { pagesSource, textSource } from './find-source.js';
import { PagesView } from './pages.js';
import { passwordForm } from './password-form.js';
import { TextView } from './text.js';

/**
 * @typedef {object} ViewRequest what to open
 * @property {string} key tells documents apart
 * @property {string} name
 * @property {() => Promise<Blob | null>} file
 * @property {string | null} password
 * @property {number} page 1-based
 * @property {number} nPages pages that the engine read; 0 where it is not known
 * @property {import('./pages.js').PageQuads[]} spans
 * @property {string} quote for the announcement
 * @property {import('./citation-steps.js').CitationTurn | null} cited among the citations of its answer; null for a document opened by itself
 * @property {{ source: import('./text.js').BlockSource, places: readonly import('./text.js').BlockRange[] } | null} text of a document without pages
 */

export class Viewer {
  element;

  #strings;
  #base;
  #onClose;
  #announce;
  #message = el('div', { class: 'viewer-message', role: 'status' });
  #bar;
  #citations;
  #find;
  #pages;
  #text;
  /** The element that had the focus when the search was opened. @type {HTMLElement | null} */
  #sought = null;
  /** @type {ViewRequest | null} */
  #shown = null;
  #turn = 0;

  /**
   * @param {object} options
   * @param {import('../strings/index.js').Strings} options.strings
   * @param {() => URL} options.base the folder that holds `viewer/`
   * @param {() => void} options.onClose
   * @param {(text: string) => void} options.announce
   */
  constructor({ strings, base, onClose, announce }) {
    this.#strings = strings;
    this.#base = base;
    this.#onClose = onClose;
    this.#announce = announce;
    this.#citations = new CitationSteps(strings);
    this.#find = new FindBar(strings, { announce, onClose: () => this.#refocus() });
    this.#text = new TextView(strings, (blocks) => this.#find.redraw(blocks));
    this.#pages = new PagesView(strings, {
      onCurrent: (number) => this.#bar.showPage(number),
      onZoom: (zoom) => this.#bar.markFit(zoom),
      onText: (number) => this.#find.redraw([number - 1]),
    });
    this.#bar = new ViewerBar(
      strings,
      {
        goTo: (number) => this.#pages.goTo(number),
        turn: (by) => this.#turnPage(by),
        step: (direction) => this.#step(direction),
        fit: (zoom) => this.#fit(zoom),
        find: () => this.#openFind(),
        close: () => this.close(),
      },
      this.#citations.element,
      this.#find.element,
    );
    this.#bar.markFit('text');
    this.element = el(
      'section',
      { class: 'viewer', part: 'viewer', 'aria-label': strings.viewer.label, hidden: true },
      this.#bar.element,
      this.#message,
      this.#pages.element,
      this.#text.element,
    );
    this.element.addEventListener('keydown', (event) => this.#key(event));
  }

  get isOpen() {
    return this.#shown !== null;
  }

  /** Opens a document at a page, or moves there when it is open already.
   * @param {ViewRequest} shown */
  async open(shown) {
    const turn = ++this.#turn;
    const same = this.#shown?.key === shown.key && (this.#pages.isOpen || this.#text.isOpen);
    this.#shown = shown;
    this.element.hidden = false;
    this.#bar.showTitle(shown.name);
    this.element.classList.toggle('as-text', shown.text !== null);
    this.#citations.show(shown.cited);
    try {
      if (shown.text !== null) return await this.#showText(shown.text, shown.quote, same, turn);
      if (!same) await this.#load(shown, turn);
      if (turn !== this.#turn) return;
      await this.#showPages(shown);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#say(
        error instanceof Error && error.name === 'PasswordException'
          ? this.#strings.viewer.staysLocked
          : this.#strings.viewer.cannotBeShown,
      );
    }
  }

  close() {
    if (this.#shown === null) return;
    this.#turn += 1;
    this.#shown = null;
    this.element.hidden = true;
    this.#find.close();
    this.#unload();
    this.#pages.setZoom('text');
    this.#onClose();
  }

  /** Closes what was opened last: the search, or the viewer. */
  escape() {
    if (this.#find.isOpen) this.#find.close();
    else this.close();
  }

  focus() {
    if (this.#text.isOpen) this.#text.focus();
    else this.#pages.focus();
  }

  /**
   * @param {NonNullable<ViewRequest['text']>} text
   * @param {string} quote
   * @param {boolean} same
   * @param {number} turn
   */
  async #showText({ source, places }, quote, same, turn) {
    if (!same) {
      this.#unload();
      this.#say(this.#strings.viewer.opening);
    }
    await this.#text.show(same ? null : source, places);
    if (turn !== this.#turn) return;
    this.#say('');
    if (!same) this.#find.attach(textSource(this.#text));
    this.#announceShown(quote === '' ? this.#strings.viewer.textShown : this.#strings.viewer.wordsLit(quote));
  }

  /** @param {ViewRequest} shown @param {number} turn */
  async #load(shown, turn) {
    this.#unload();
    this.#say(this.#strings.viewer.opening);
    const [{ openPdf }, file] = await Promise.all([import('./pdf.js'), shown.file()]);
    if (file === null) throw new Error('the file is not stored');
    const data = await file.arrayBuffer();
    if (turn !== this.#turn) return;
    const pdf = await openPdf({
      data,
      base: this.#base(),
      password: shown.password,
      askPassword: (wrong) => this.#askPassword(wrong),
    });
    if (turn !== this.#turn) return void pdf.loadingTask.destroy();
    this.#say('');
    this.#bar.showCount(pdf.numPages);
    await this.#pages.open(pdf);
    if (turn === this.#turn) this.#find.attach(pagesSource(this.#pages));
  }

  #unload() {
    this.#find.attach(null);
    this.#pages.close();
    this.#text.close();
    this.#bar.showCount(0);
  }

  /** @param {ViewRequest} shown */
  async #showPages({ page, nPages: nRead, spans: cited, quote: said }) {
    const { viewer } = this.#strings;
    const { nPages } = this.#pages;
    // Where pages are counted otherwise here, this may be another page: nothing on it is lit.
    const isOther = nRead > 0 && nRead !== nPages;
    const [spans, quote] = isOther ? [[], ''] : [cited, said];
    this.#say(isOther ? viewer.otherPages(nPages, nRead) : '');
    const number = await this.#pages.show(page, spans);
    if (number === null) return;
    this.#announceShown(
      quote === '' ? viewer.pageShown(number, nPages) : viewer.pageLit(number, nPages, quote),
    );
  }

  /** Announces what is shown, after its place among the citations. @param {string} text */
  #announceShown(text) {
    const { sentence, sentences } = this.#strings.format;
    const { place } = this.#citations;
    this.#announce(sentences([place && sentence(place), text]));
  }

  #openFind() {
    if (!this.#find.isOpen) {
      const { activeElement } = /** @type {ShadowRoot} */ (this.element.getRootNode());
      this.#sought = activeElement instanceof HTMLElement ? activeElement : null;
    }
    this.#find.open();
  }

  /** Gives the focus back to where it was before the search; in Safari a button that is pressed has none. */
  #refocus() {
    if (this.#sought?.isConnected && this.element.contains(this.#sought)) this.#sought.focus();
    else this.focus();
    this.#sought = null;
  }

  /** @param {1 | -1} by */
  #turnPage(by) {
    this.#pages.goTo(this.#pages.current + by);
  }

  /** @param {'text' | 'page'} zoom */
  #fit(zoom) {
    if (this.#text.isOpen) this.#text.step(0);
    else this.#pages.setZoom(zoom);
  }

  /** @param {1 | -1} direction */
  #step(direction) {
    if (this.#text.isOpen) return this.#text.step(direction);
    const percent = this.#pages.step(direction);
    if (percent !== null) this.#announce(this.#strings.viewer.zoomed(percent));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowRight: () => this.#turnPage(1),
      ArrowLeft: () => this.#turnPage(-1),
      '+': () => this.#step(1),
      '-': () => this.#step(-1),
      0: () => this.#fit('text'),
      9: () => this.#fit('page'),
      n: () => this.#citations.step(1),
      p: () => this.#citations.step(-1),
    };
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (isCommand && event.key.toLowerCase() === 'f') {
      event.preventDefault();
      return this.#openFind();
    }
    if (event.target instanceof HTMLInputElement) return;
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** @param {string} text */
  #say(text) {
    this.#message.replaceChildren(text);
    this.#message.hidden = text === '';
  }

  /** @param {boolean} wrong @returns {Promise<string>} */
  async #askPassword(wrong) {
    const { element, input, entered } = passwordForm(this.#strings);
    this.#message.hidden = false;
    this.#message.replaceChildren(
      wrong ? this.#strings.viewer.wrongPassword : this.#strings.viewer.locked,
      element,
    );
    input.focus();
    const password = await entered;
    this.#say(this.#strings.viewer.opening);
    return password;
  }
}

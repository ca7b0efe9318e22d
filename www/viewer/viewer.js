/**
 * The viewer: one document, a PDF as its pages or a document without pages as text, opened at a cited place with the cited
 * words lit; above it the bar that turns and scales it.
 */

import { el } from '../dom/elements.js';
import { actionOf, isTyping } from '../dom/keys.js';
import { save } from '../dom/save.js';
import { ViewerBar } from './bar.js';
import { CitationSteps } from './citation-steps.js';
import { FindBar } from './find-bar.js';
import { pagesSource, textSource } from './find-source.js';
import { goToSection } from './outline.js';
import { OutlinePane } from './outline-pane.js';
import { PagesView } from './pages.js';
import { passwordForm } from './password-form.js';
import { SidePane } from './side-pane.js';
import { TextView } from './text.js';
import { ThumbnailPane } from './thumbnails.js';

/**
 * @typedef {object} ViewRequest what to open
 * @property {string} key tells documents apart
 * @property {string} name of the file
 * @property {string} title what it is called on show
 * @property {boolean} [isRemoved] true if the document is no longer in the library
 * @property {() => Promise<Blob | import('./pdf.js').PdfSource | null>} file
 * @property {string | null} password
 * @property {number} page 1-based
 * @property {number} nPages pages that the engine read; 0 where it is not known
 * @property {import('./pages.js').PageQuads[]} spans
 * @property {string} quote for the announcement
 * @property {import('./citation-steps.js').CitationTurn | null} cited among the citations of its answer; null for a document opened by itself
 * @property {import('./text.js').BlockSource} blocks text of the document
 * @property {readonly import('./text.js').BlockRange[] | null} places cited in a document without pages, which is shown as text; null in one with pages
 */

/** Width of the page below which the viewer covers everything else, in CSS pixels. */
export const coveredWidth = 736;

/** Fires `change` when another document is opened, and when the viewer is closed. */
export class Viewer extends EventTarget {
  element;

  #strings;
  #base;
  #onClose;
  #announce;
  #message = el('div', { class: 'viewer-message', role: 'status' });
  #bar;
  #citations;
  #find;
  #outline;
  #thumbnails;
  #pane;
  #pages;
  #text;
  /** Lit words of a document with pages. @type {import('./pages.js').PageQuads[]} */
  #lit = [];
  /** Made when it is first asked for. @type {import('./print-dialog.js').PrintDialog | null} */
  #printing = null;
  /** The element that had the focus when the search was opened. @type {HTMLElement | null} */
  #sought = null;
  /** @type {ViewRequest | null} */
  #shown = null;
  #turn = 0;

  /**
   * @param {object} options
   * @param {import('../strings/index.js').Strings} options.strings
   * @param {() => import('../engine/files.js').AssetBase} options.base
   * @param {() => void} options.onClose
   * @param {(text: string) => void} options.announce
   */
  constructor({ strings, base, onClose, announce }) {
    super();
    this.#strings = strings;
    this.#base = base;
    this.#onClose = onClose;
    this.#announce = announce;
    this.#citations = new CitationSteps(strings);
    this.#find = new FindBar(strings, { announce, onClose: () => this.#refocus() });
    this.#text = new TextView(strings, (blocks) => this.#find.redraw(blocks));
    this.#pages = new PagesView(strings, {
      onCurrent: (number) => {
        this.#bar.showPage(number);
        this.#thumbnails.markCurrent(number);
      },
      onZoom: (zoom) => this.#bar.markFit(zoom),
      onText: (number) => this.#find.redraw([number - 1]),
    });
    this.#thumbnails = new ThumbnailPane(strings, (number) => this.#goToPage(number));
    this.#outline = new OutlinePane(strings, (section) => void this.#goToSection(section));
    this.#pane = new SidePane(
      strings.viewer.closePane,
      {
        sections: {
          label: strings.viewer.sections,
          element: this.#outline.element,
          show: () => this.#outline.show(),
          hide: () => {},
          focus: () => this.#outline.focus(),
        },
        thumbnails: {
          label: strings.viewer.thumbnails,
          element: this.#thumbnails.element,
          show: () => this.#thumbnails.show(),
          hide: () => this.#thumbnails.hide(),
          focus: () => this.#thumbnails.focus(),
        },
      },
      (shown) => this.#bar.markPane(shown),
    );
    this.#bar = new ViewerBar(
      strings,
      {
        goTo: (number) => this.#pages.goTo(number),
        turn: (by) => this.#turnPage(by),
        step: (direction) => this.#step(direction),
        fit: (zoom) => this.#fit(zoom),
        find: () => this.#openFind(),
        print: () => void this.#print(),
        save: () => void this.#save(),
        pane: (name) => void this.#pane.toggle(name),
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
      el('div', { class: 'viewer-body' }, this.#pane.element, this.#pages.element, this.#text.element),
    );
    this.element.addEventListener('keydown', (event) => this.#key(event));
  }

  get isOpen() {
    return this.#shown !== null;
  }

  /** Key of the document that is shown; null where none is. */
  get key() {
    return this.#shown?.key ?? null;
  }

  /** Opens a document at a page, or moves there when it is open already.
   * @param {ViewRequest} shown */
  async open(shown) {
    const turn = ++this.#turn;
    const isOther = this.key !== shown.key;
    const same = !isOther && (this.#pages.isOpen || this.#text.isOpen);
    this.#shown = shown;
    if (isOther) this.dispatchEvent(new Event('change'));
    this.element.hidden = false;
    this.#bar.showTitle(shown.title, shown.name);
    this.element.classList.toggle('as-text', shown.places !== null);
    this.#citations.show(shown.cited);
    this.element.classList.toggle('gone', shown.isRemoved === true);
    try {
      if (shown.isRemoved) return this.#showRemoved();
      if (shown.places !== null) return await this.#showText(shown, shown.places, same, turn);
      if (!same) await this.#load(shown, turn);
      if (turn !== this.#turn) return;
      await this.#showPages(shown);
    } catch (error) {
      if (turn !== this.#turn) return;
      const { name, told } = /** @type {{ name?: string, told?: string }} */ (error);
      const { viewer } = this.#strings;
      this.#say(name === 'PasswordException' ? viewer.staysLocked : (told ?? viewer.cannotBeShown));
    }
  }

  close() {
    if (this.#shown === null) return;
    this.#turn += 1;
    this.#shown = null;
    this.element.hidden = true;
    this.#find.close();
    this.#pane.close();
    this.#printing?.close();
    this.#unload();
    this.#pages.setZoom('text');
    this.dispatchEvent(new Event('change'));
    this.#onClose();
  }

  /** Closes the search, or the pane that lies over the document or has the focus, or else the viewer. */
  escape() {
    if (this.#find.isOpen) this.#find.close();
    else if (this.#pane.isOver || this.#pane.element.contains(this.#focused)) this.#closePane();
    else this.close();
  }

  focus() {
    const close = this.element.querySelector('.gone .viewer-close');
    if (close instanceof HTMLElement) close.focus();
    else if (this.#text.isOpen) this.#text.focus();
    else this.#pages.focus();
  }

  /**
   * @param {ViewRequest} shown
   * @param {NonNullable<ViewRequest['places']>} places
   * @param {boolean} same
   * @param {number} turn
   */
  async #showText({ blocks, quote }, places, same, turn) {
    if (!same) {
      this.#unload();
      this.#say(this.#strings.viewer.opening);
    }
    await this.#text.show(same ? null : blocks, places);
    if (turn !== this.#turn) return;
    this.#say('');
    if (!same) this.#attach(textSource(this.#text), blocks);
    this.#announceShown(quote === '' ? this.#strings.viewer.textShown : this.#strings.viewer.wordsLit(quote));
  }

  /** Nothing can be done with a document that is not there, but to go on to the next citation. */
  #showRemoved() {
    const { removed } = this.#strings.viewer;
    this.#find.close();
    this.#pane.close();
    this.#unload();
    this.#say(removed);
    this.#announceShown(removed);
  }

  /** @param {ViewRequest} shown @param {number} turn */
  async #load(shown, turn) {
    this.#unload();
    this.#say(this.#strings.viewer.opening);
    const [{ openPdf }, file] = await Promise.all([import('./pdf.js'), shown.file()]);
    if (file === null) throw new Error('the file is not stored');
    const source = file instanceof Blob ? { data: new Uint8Array(await file.arrayBuffer()) } : file;
    if (turn !== this.#turn) return;
    const pdf = await openPdf({
      source,
      base: this.#base(),
      password: shown.password,
      askPassword: (wrong) => this.#askPassword(wrong),
    });
    if (turn !== this.#turn) return void pdf.loadingTask.destroy();
    this.#say('');
    this.#bar.showCount(pdf.numPages, await pdf.getPageLabels().catch(() => null));
    await this.#pages.open(pdf);
    if (turn === this.#turn) this.#attach(pagesSource(this.#pages), shown.blocks);
  }

  /**
   * Gives the document to the tools that look through it.
   * @param {import('./find-source.js').LitSource} source
   * @param {import('./text.js').BlockSource} blocks
   */
  #attach(source, blocks) {
    this.#find.attach(source);
    const { pdf } = this.#pages;
    this.#outline.attach({ blocks, pdf });
    this.#thumbnails.attach(pdf);
    if (pdf === null && this.#pane.shown === 'thumbnails') this.#pane.close();
    this.#pane.refresh();
  }

  #unload() {
    this.#find.attach(null);
    this.#outline.attach(null);
    this.#thumbnails.attach(null);
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
    this.#lit = spans;
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

  /** @param {import('./outline.js').Section} section */
  async #goToSection(section) {
    const { place } = section;
    let isThere = true;
    if (!this.#text.isOpen) isThere = await goToSection(section, this.#pages);
    else if ('block' in place) this.#text.reveal(place.block, 0, place.length);
    const { viewer } = this.#strings;
    const page = this.#pages.isOpen ? this.#pages.current : 0;
    this.#announce(isThere ? viewer.sectionShown(section.title, page) : viewer.leadsNowhere);
    if (isThere && this.#pane.isOver) this.#closePane();
  }

  /** @param {number} number 1-based */
  #goToPage(number) {
    this.#pages.goTo(number);
    this.#announce(this.#strings.viewer.pageShown(number, this.#pages.nPages));
    if (this.#pane.isOver) this.#closePane();
  }

  #closePane() {
    this.#pane.close();
    this.focus();
  }

  /** The element of the viewer's tree that has the focus. @returns {HTMLElement | null} */
  get #focused() {
    const { activeElement } = /** @type {ShadowRoot} */ (this.element.getRootNode());
    return activeElement instanceof HTMLElement ? activeElement : null;
  }

  #openFind() {
    if (!this.#find.isOpen) {
      this.#sought = this.#focused;
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

  async #print() {
    const shown = this.#shown;
    if (shown === null || !(this.#pages.isOpen || this.#text.isOpen)) return;
    try {
      const { PrintDialog } = await import('./print-dialog.js');
      this.#printing ??= new PrintDialog(this.#strings, this.#announce);
    } catch {
      return this.#say(this.#strings.print.notLoaded);
    }
    if (shown !== this.#shown) return;
    if (!this.#printing.element.isConnected) this.element.append(this.#printing.element);
    const { name: title } = shown;
    const { pdf, nPages, current } = this.#pages;
    if (pdf) this.#printing.open({ kind: 'pages', title, pdf, nPages, current, spans: this.#lit });
    else this.#printing.open({ kind: 'text', title, ...this.#text.printable });
  }

  /** Saves the file as it was added, bit for bit. */
  async #save() {
    if (this.#shown === null) return;
    const { name, file } = this.#shown;
    try {
      const source = await file();
      const blob = source instanceof Blob;
      const bytes = /** @type {BlobPart | undefined} */ (blob ? source : await this.#pages.pdf?.getData());
      if (bytes) save(name, new Blob([bytes]), blob ? source.type : 'application/pdf');
    } catch {
      this.#say(this.#strings.viewer.notSaved);
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    /** @type {Record<import('../dom/keys.js').KeyAction<'viewer'>, () => void>} */
    const actions = {
      nextPage: () => this.#turnPage(1),
      previousPage: () => this.#turnPage(-1),
      zoomIn: () => this.#step(1),
      zoomOut: () => this.#step(-1),
      fitText: () => this.#fit('text'),
      fitPage: () => this.#fit('page'),
      openNext: () => this.#citations.step(1),
      openPrevious: () => this.#citations.step(-1),
      find: () => this.#openFind(),
      print: () => void this.#print(),
    };
    const action = actionOf('viewer', event);
    if (action === null || isTyping(event)) return;
    event.preventDefault();
    actions[action]();
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

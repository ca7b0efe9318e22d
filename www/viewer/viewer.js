/**
 * The viewer: one PDF, its pages in a column, drawn when they come near and released when they are far. It opens at a
 * cited page with the cited words lit and the text column around them as wide as the viewer. pdf.js draws; its text
 * layer lies over the page, invisible, for selecting and for screen readers; the lit boxes lie between the two. A
 * document without pages is shown as text in the same place.
 */

import { el } from '../dom/elements.js';
import { iconButton } from '../dom/icons.js';
import { CitationSteps } from './citation-steps.js';
import { columnOf } from './column.js';
import { boxOf } from './highlight.js';
import { clear, size } from './page-view.js';
import { passwordForm } from './password-form.js';
import { TextView } from './text.js';

/** @typedef {import('./pdf.js').PdfDocument} PdfDocument */
/** @typedef {import('./pdf.js').PdfPage} PdfPage */
/** @typedef {import('./pdf.js').PageViewport} PageViewport */
/** @typedef {import('./page-view.js').PageView} PageView */
/** @typedef {{ page: number, quads: number[][] }} PageQuads quads on a page, 1-based */

/**
 * @typedef {object} ViewRequest what to open
 * @property {string} key tells documents apart
 * @property {string} name
 * @property {() => Promise<Blob | null>} file
 * @property {string | null} password
 * @property {number} page 1-based
 * @property {number} nPages pages that the engine read; 0 where it is not known
 * @property {PageQuads[]} spans
 * @property {string} quote for the announcement
 * @property {import('./citation-steps.js').CitationTurn | null} cited among the citations of its answer; null for a document opened by itself
 * @property {{ source: import('./text.js').BlockSource, places: readonly import('./text.js').BlockRange[] } | null} text of a document without pages
 */

/** Sharpness is capped: a canvas of more pixels than this is refused by some devices. */
const maxPixels = 16_000_000;
const zooms = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];
/** Scale that no fitting exceeds. */
const maxFit = 2.2;
/** CSS pixels beside a column that fills the viewer. */
const margin = 12;

/** @typedef {'text' | 'page' | number} Zoom fitted to the column or to the whole page, or CSS pixels per point */

export class Viewer {
  element;

  #strings;
  #base;
  #onClose;
  #announce;
  #pages;
  #title = el('h2', { class: 'viewer-title' });
  #pageInput;
  #pageCount = el('span', { class: 'page-count' });
  #message = el('div', { class: 'viewer-message', role: 'status' });
  #text;
  /** @type {PdfDocument | null} */
  #pdf = null;
  /** @type {ViewRequest | null} */
  #shown = null;
  /** @type {PageView[]} */
  #views = [];
  #citations;
  /** @type {Zoom} */
  #zoom = 'text';
  /**
   * The column that the text is fitted to, and its page.
   * @type {{ number: number, column: import('./column.js').Column } | null}
   */
  #column = null;
  /** @type {Record<'text' | 'page', HTMLButtonElement>} */
  #fits;
  #current = 1;
  #turn = 0;
  #near;
  #resize;

  /**
   * @param {object} options
   * @param {import('../strings/index.js').Strings} options.strings
   * @param {() => import('../engine/files.js').AssetBase} options.base
   * @param {() => void} options.onClose
   * @param {(text: string) => void} options.announce
   */
  constructor({ strings, base, onClose, announce }) {
    this.#strings = strings;
    this.#base = base;
    this.#onClose = onClose;
    this.#announce = announce;
    this.#pages = el('div', {
      class: 'viewer-pages',
      tabIndex: 0,
      role: 'region',
      'aria-label': strings.viewer.pages,
    });
    this.#pageInput = el('input', {
      class: 'page-input',
      type: 'text',
      inputMode: 'numeric',
      'aria-label': strings.viewer.page,
    });
    this.#text = new TextView(strings);
    this.#fits = {
      text: iconButton('width', strings.viewer.fitText, () => this.#setZoom('text'), {
        'aria-keyshortcuts': '0',
        class: 'icon-button of-pages',
      }),
      page: iconButton('whole', strings.viewer.fitPage, () => this.#setZoom('page'), {
        'aria-keyshortcuts': '9',
        class: 'icon-button of-pages',
      }),
    };
    this.#citations = new CitationSteps(strings);
    this.element = el(
      'section',
      { class: 'viewer', part: 'viewer', 'aria-label': strings.viewer.label, hidden: true },
      el(
        'header',
        { class: 'viewer-bar' },
        this.#title,
        el(
          'div',
          { class: 'viewer-tools', role: 'toolbar', 'aria-label': strings.viewer.tools },
          iconButton('previous', strings.viewer.previous, () => this.goTo(this.#current - 1), {
            class: 'icon-button of-pages',
          }),
          el('span', { class: 'page-of of-pages' }, this.#pageInput, this.#pageCount),
          iconButton('next', strings.viewer.next, () => this.goTo(this.#current + 1), {
            class: 'icon-button of-pages',
          }),
          el('span', { class: 'tool-gap' }),
          iconButton('smaller', strings.viewer.zoomOut, () => this.#step(-1), { 'aria-keyshortcuts': '-' }),
          iconButton('larger', strings.viewer.zoomIn, () => this.#step(1), { 'aria-keyshortcuts': '+' }),
          this.#fits.page,
          this.#fits.text,
        ),
        iconButton('close', strings.viewer.close, () => this.close()),
        this.#citations.element,
      ),
      this.#message,
      this.#pages,
      this.#text.element,
    );
    this.#pageInput.addEventListener('change', () => this.goTo(Number.parseInt(this.#pageInput.value, 10)));
    this.#pages.addEventListener('scroll', () => this.#followScroll(), { passive: true });
    this.element.addEventListener('keydown', (event) => this.#key(event));
    this.#markFit();
    this.#near = new IntersectionObserver((entries) => this.#seen(entries), {
      root: this.#pages,
      rootMargin: '60% 0px',
    });
    this.#resize = new ResizeObserver(() => this.#scaleAll());
  }

  get isOpen() {
    return this.#shown !== null;
  }

  /** Opens a document at a page, or moves there when it is open already.
   * @param {ViewRequest} shown */
  async open(shown) {
    const turn = ++this.#turn;
    const same = this.#shown?.key === shown.key && (this.#pdf !== null || this.#text.isOpen);
    this.#shown = shown;
    this.element.hidden = false;
    this.#title.textContent = shown.name;
    this.#title.title = shown.name;
    this.element.classList.toggle('as-text', shown.text !== null);
    this.#citations.show(shown.cited);
    try {
      if (shown.text !== null) return await this.#showText(shown.text, shown.quote, same, turn);
      if (!same) await this.#load(shown, turn);
      if (turn !== this.#turn) return;
      await this.#show(shown, turn);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#say(
        error instanceof Error && error.name === 'PasswordException'
          ? this.#strings.viewer.staysLocked
          : this.#strings.viewer.cannotBeShown,
      );
    }
  }

  /** Announces what is shown, after its place among the citations. @param {string} text */
  #announceShown(text) {
    const { sentence, sentences } = this.#strings.format;
    const { place } = this.#citations;
    this.#announce(sentences([place && sentence(place), text]));
  }

  close() {
    if (this.#shown === null) return;
    this.#turn += 1;
    this.#shown = null;
    this.element.hidden = true;
    this.#unload();
    this.#zoom = 'text';
    this.#markFit();
    this.#onClose();
  }

  /** @param {number} number 1-based */
  goTo(number) {
    const view = this.#views[Math.min(this.#views.length, Math.max(1, number || this.#current)) - 1];
    if (!view) return;
    this.#pages.scrollTop = view.element.offsetTop - 8;
    this.#setCurrent(view.number);
  }

  focus() {
    if (this.#text.isOpen) this.#text.focus();
    else this.#pages.focus({ preventScroll: true });
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
    this.#pdf = pdf;
    this.#say('');
    this.#pageCount.textContent = this.#strings.viewer.of(pdf.numPages);
    const first = await pdf.getPage(1);
    const natural = first.getViewport({ scale: 1 });
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const element = el('div', { class: 'page-view', 'data-page': number });
      this.#views.push({ number, element, page: null, natural: null, drawing: null, drawnAt: 0 });
      // Pages are as large as the first until they are known.
      size(element, natural);
      this.#near.observe(element);
    }
    this.#pages.append(...this.#views.map((view) => view.element));
    this.#resize.observe(this.#pages);
    this.#scaleAll();
  }

  #unload() {
    this.#near.disconnect();
    this.#resize.disconnect();
    for (const view of this.#views) view.drawing?.cancel();
    this.#views = [];
    this.#column = null;
    this.#text.close();
    this.#pages.replaceChildren();
    this.#pageCount.textContent = '';
    void this.#pdf?.loadingTask.destroy();
    this.#pdf = null;
  }

  /** @param {ViewRequest} shown @param {number} turn */
  async #show({ page, nPages, spans: cited, quote: said }, turn) {
    for (const view of this.#views) view.element.querySelector('.lights')?.remove();
    // Where pages are counted otherwise here, this may be another page: nothing on it is lit.
    const isOther = nPages > 0 && nPages !== this.#views.length;
    const [spans, quote] = isOther ? [[], ''] : [cited, said];
    this.#say(isOther ? this.#strings.viewer.otherPages(this.#views.length, nPages) : '');
    const target = this.#views[Math.min(this.#views.length, Math.max(1, page)) - 1];
    if (!target) return;
    const lit = [...new Set([target.number, ...spans.map((span) => span.page)])];
    for (const number of lit) {
      const view = this.#views[number - 1];
      if (view) await this.#know(view);
    }
    await this.#learnColumn(
      target,
      spans.filter((span) => span.page === target.number).flatMap((span) => span.quads),
    );
    if (turn !== this.#turn) return;
    this.#scaleAll();
    for (const number of lit) {
      const view = this.#views[number - 1];
      if (view)
        this.#light(
          view,
          spans.filter((span) => span.page === number).flatMap((span) => span.quads),
        );
    }
    this.#reveal(target);
    this.#setCurrent(target.number);
    await this.#draw(target);
    this.#announceShown(
      quote === ''
        ? this.#strings.viewer.pageShown(target.number, this.#views.length)
        : this.#strings.viewer.pageLit(target.number, this.#views.length, quote),
    );
  }

  /** @param {PageView} view @param {number[][]} quads */
  #light(view, quads) {
    const viewport = view.natural;
    if (!viewport || quads.length === 0) return;
    const layer = el('div', { class: 'lights', 'aria-hidden': 'true' });
    for (const quad of quads) {
      const box = boxOf(quad, viewport);
      if (!box) continue;
      const light = el('div', { class: 'light' });
      for (const [name, value] of Object.entries(box)) light.style.setProperty(name, `${value}%`);
      layer.append(light);
    }
    view.element.querySelector('canvas')?.after(layer) ?? view.element.prepend(layer);
  }

  /** Scrolls so that the first lit box stands in the upper third.
   * @param {PageView} view */
  #reveal(view) {
    const light = /** @type {HTMLElement | null} */ (view.element.querySelector('.light'));
    const top = view.element.offsetTop + (light ? light.offsetTop - this.#pages.clientHeight / 4 : -8);
    this.#pages.scrollTop = Math.max(view.element.offsetTop - 8, top);
    if (this.#zoom === 'text' && this.#column) this.#showColumn();
    else
      this.#pages.scrollLeft =
        light && typeof this.#zoom === 'number' ? Math.max(0, light.offsetLeft - 24) : 0;
  }

  /** Scrolls sideways so that the column stands in the middle. */
  #showColumn() {
    const view = this.#column && this.#views[this.#column.number - 1];
    if (!this.#column || !view?.natural) return;
    const scale = this.#scaleOf(view.natural);
    const { left, width } = this.#column.column;
    this.#pages.scrollLeft =
      view.element.offsetLeft + (left + width / 2) * scale - this.#pages.clientWidth / 2;
  }

  /** Learns which column of a page the text is fitted to. A page whose text cannot be read has none.
   * @param {PageView} view @param {readonly number[][]} quads lit on it */
  async #learnColumn(view, quads) {
    const { page, natural } = view;
    if (!page || !natural) return;
    const { items } = await page.getTextContent().catch(() => ({ items: [] }));
    if (!this.#views.includes(view)) return;
    const boxes = quads.flatMap((quad) => boxOf(quad, natural) ?? []);
    const column = columnOf(
      items.flatMap((item) => ('str' in item ? item : [])),
      natural,
      boxes,
    );
    this.#column = column && { number: view.number, column };
  }

  /** Learns the size of a page.
   * @param {PageView} view */
  async #know(view) {
    if (view.natural || !this.#pdf) return;
    view.page = await this.#pdf.getPage(view.number);
    view.natural = view.page.getViewport({ scale: 1 });
    size(view.element, view.natural);
    this.#scale(view);
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #seen(entries) {
    for (const { target, isIntersecting } of entries) {
      const view = this.#views.find(({ element }) => element === target);
      if (!view) continue;
      if (isIntersecting) void this.#draw(view);
      else if (view.drawnAt > 0) clear(view);
    }
  }

  /** Draws a page, unless its document is closed meanwhile.
   * @param {PageView} view */
  async #draw(view) {
    const pdf = this.#pdf;
    try {
      await this.#drawPage(view);
    } catch (error) {
      if (pdf === this.#pdf) throw error;
    }
  }

  /** @param {PageView} view */
  async #drawPage(view) {
    await this.#know(view);
    const { page, natural } = view;
    if (!page || !natural) return;
    const scale = this.#scaleOf(natural);
    if (view.drawnAt === scale) return;
    view.drawing?.cancel();
    view.drawnAt = scale;
    const ratio = Math.min(
      globalThis.devicePixelRatio || 1,
      2.5,
      Math.sqrt(maxPixels / (natural.width * natural.height)) / scale,
    );
    const viewport = page.getViewport({ scale: scale * ratio });
    const canvas = el('canvas', {
      width: Math.floor(viewport.width),
      height: Math.floor(viewport.height),
      'aria-hidden': 'true',
    });
    const drawing = page.render({ canvas, viewport });
    view.drawing = drawing;
    try {
      await drawing.promise;
    } catch {
      // Cancelled, because it went out of sight or another scale was asked for; or damaged, then it stays white.
      return;
    }
    if (view.drawing !== drawing) return;
    view.element.querySelector('canvas')?.remove();
    view.element.prepend(canvas);
    await this.#layText(view, page, natural);
  }

  /** @param {PageView} view @param {PdfPage} page @param {PageViewport} natural */
  async #layText(view, page, natural) {
    const { TextLayer } = await import('./pdf.js');
    if (view.element.querySelector('.text-layer') || !this.#views.includes(view)) return;
    const container = el('div', { class: 'text-layer' });
    view.element.append(container);
    const layer = new TextLayer({
      textContentSource: page.streamTextContent(),
      container,
      viewport: natural,
    });
    await layer.render().catch(() => container.remove());
  }

  /** @param {PageViewport} natural */
  #scaleOf(natural) {
    if (typeof this.#zoom === 'number') return this.#zoom;
    const { clientWidth, clientHeight } = this.#pages;
    const byWidth = Math.max(120, clientWidth - 32) / natural.width;
    if (this.#zoom === 'page')
      return Math.min(maxFit, byWidth, Math.max(120, clientHeight - 24) / natural.height);
    const width = this.#column?.column.width;
    return Math.min(maxFit, width ? Math.max(120, clientWidth - 2 * margin) / width : byWidth);
  }

  /** @param {PageView} view */
  #scale(view) {
    const natural = view.natural ?? this.#views.find((other) => other.natural)?.natural;
    if (natural) view.element.style.setProperty('--total-scale-factor', String(this.#scaleOf(natural)));
  }

  #scaleAll() {
    const anchor = this.#views[this.#current - 1];
    const before = anchor
      ? (this.#pages.scrollTop - anchor.element.offsetTop) / Math.max(1, anchor.element.offsetHeight)
      : 0;
    for (const view of this.#views) this.#scale(view);
    if (anchor) this.#pages.scrollTop = anchor.element.offsetTop + before * anchor.element.offsetHeight;
    if (this.#zoom === 'text') this.#showColumn();
    for (const view of this.#views) if (view.drawnAt > 0) void this.#draw(view);
  }

  /** @param {Zoom} zoom */
  #setZoom(zoom) {
    if (this.#text.isOpen) return this.#text.step(0);
    this.#zoom = zoom;
    this.#markFit();
    if (zoom === 'text' && this.#column?.number !== this.#current)
      this.#fitCurrent().catch(() => {}); // the document was closed meanwhile
    else this.#scaleAll();
    this.#sayZoom();
  }

  /** Fits the text of the page that is read now, which is not the cited one. */
  async #fitCurrent() {
    const view = this.#views[this.#current - 1];
    if (!view) return;
    await this.#know(view);
    await this.#learnColumn(view, []);
    if (this.#zoom === 'text' && this.#views.includes(view)) this.#scaleAll();
  }

  #markFit() {
    for (const [fit, button] of Object.entries(this.#fits))
      button.setAttribute('aria-pressed', String(this.#zoom === fit));
  }

  /** Tells screen readers the size of the page, but not that it is fitted: the buttons are pressed. */
  #sayZoom() {
    if (typeof this.#zoom === 'number') this.#announce(this.#strings.viewer.zoomed(this.#zoom * 100));
  }

  /** @param {1 | -1} direction */
  #step(direction) {
    if (this.#text.isOpen) return this.#text.step(direction);
    const natural = this.#views[this.#current - 1]?.natural;
    if (!natural) return;
    const now = this.#scaleOf(natural);
    const next =
      direction > 0
        ? zooms.find((zoom) => zoom > now + 0.01)
        : [...zooms].reverse().find((zoom) => zoom < now - 0.01);
    if (next !== undefined) this.#setZoom(next);
  }

  #followScroll() {
    const middle = this.#pages.scrollTop + this.#pages.clientHeight / 3;
    let [low, high] = [0, this.#views.length - 1];
    while (low < high) {
      const probe = Math.ceil((low + high) / 2);
      if ((this.#views[probe]?.element.offsetTop ?? 0) <= middle) low = probe;
      else high = probe - 1;
    }
    this.#setCurrent(low + 1);
  }

  /** @param {number} number */
  #setCurrent(number) {
    this.#current = number;
    if (this.#pageInput !== /** @type {ShadowRoot} */ (this.element.getRootNode()).activeElement)
      this.#pageInput.value = String(number);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowRight: () => this.goTo(this.#current + 1),
      ArrowLeft: () => this.goTo(this.#current - 1),
      '+': () => this.#step(1),
      '-': () => this.#step(-1),
      0: () => this.#setZoom('text'),
      9: () => this.#setZoom('page'),
      n: () => this.#citations.step(1),
      p: () => this.#citations.step(-1),
    };
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

/**
 * The pages of a PDF in a column, drawn when they come near and released when they are far. A page opens with the cited
 * words lit and the text column around them as wide as the viewer. pdf.js draws; its text layer lies over the page,
 * invisible, for selecting and for screen readers; the lit boxes lie between the two.
 */

import { el } from '../dom/elements.js';
import { columnOf } from './column.js';
import { boxOf } from './highlight.js';
import { pageText, rangeIn } from './page-text.js';
import { clear, draw, pageView, size } from './page-view.js';
import { scrollTo } from '../dom/scroll.js';

/** @typedef {import('./pdf.js').PdfDocument} PdfDocument */
/** @typedef {import('./pdf.js').PageViewport} PageViewport */
/** @typedef {import('./page-view.js').PageView} PageView */
/** @typedef {{ page: number, quads: number[][] }} PageQuads quads on a page, 1-based */
/** @typedef {'text' | 'page' | number} Zoom fitted to the column or to the whole page, or CSS pixels per point */

const zooms = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];
/** Scale that no fitting exceeds. */
const maxFit = 2.2;
/** CSS pixels beside a column that fills the viewer. */
const margin = 12;
/** Time that a page has to be near before it is drawn, in milliseconds. */
const stayMs = 60;

export class PagesView {
  element;

  #onCurrent;
  #onZoom;
  #onText;
  /** @type {PdfDocument | null} */
  #pdf = null;
  /** @type {PageView[]} */
  #views = [];
  /** Those in the window, or near it. @type {Set<PageView>} */
  #inReach = new Set();
  /** @type {Zoom} */
  #zoom = 'text';
  /**
   * The column that the text is fitted to, and its page.
   * @type {{ number: number, column: import('./column.js').Column } | null}
   */
  #column = null;
  #current = 1;
  #turn = 0;
  /** CSS pixels that the pages have, as of the last scaling. */
  #room = { width: 0, height: 0 };
  #near;
  #resize;

  /**
   * @param {import('../strings/index.js').Strings} strings
   * @param {object} told
   * @param {(number: number) => void} told.onCurrent another page is read, 1-based
   * @param {(zoom: Zoom) => void} told.onZoom
   * @param {(number: number) => void} told.onText the text of a page is laid over it, or gone with it
   */
  constructor(strings, { onCurrent, onZoom, onText }) {
    this.#onCurrent = onCurrent;
    this.#onZoom = onZoom;
    this.#onText = onText;
    this.element = el('div', {
      class: 'viewer-pages',
      tabIndex: 0,
      role: 'region',
      'aria-label': strings.viewer.pages,
    });
    this.element.addEventListener('scroll', () => this.#followScroll(), { passive: true });
    this.#near = new IntersectionObserver((entries) => this.#seen(entries), {
      root: this.element,
      rootMargin: '60% 0px',
    });
    this.#resize = new ResizeObserver(() => this.#scaleAll());
  }

  get isOpen() {
    return this.#pdf !== null;
  }

  /** The document that is open. */
  get pdf() {
    return this.#pdf;
  }

  /** Number of pages; 0 without a document. */
  get nPages() {
    return this.#views.length;
  }

  /** The page that is read, 1-based. */
  get current() {
    return this.#current;
  }

  /** Lays out a document, which is closed with the view. @param {PdfDocument} pdf */
  async open(pdf) {
    this.#pdf = pdf;
    const first = await pdf.getPage(1);
    if (pdf !== this.#pdf) return;
    const natural = first.getViewport({ scale: 1 });
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const element = el('div', { class: 'page-view', 'data-page': number });
      this.#views.push(pageView(number, element));
      // Pages are as large as the first until they are known.
      size(element, natural);
      this.#near.observe(element);
    }
    this.element.append(...this.#views.map((view) => view.element));
    this.#resize.observe(this.element);
    this.#scaleAll();
  }

  close() {
    this.#turn += 1;
    this.#near.disconnect();
    this.#resize.disconnect();
    for (const view of this.#views) view.drawing?.cancel();
    this.#views = [];
    this.#inReach.clear();
    this.#column = null;
    this.element.replaceChildren();
    void this.#pdf?.loadingTask.destroy();
    this.#pdf = null;
  }

  /**
   * Goes to a page and lights words.
   * @param {number} page 1-based
   * @param {readonly PageQuads[]} spans
   * @returns {Promise<number | null>} the page shown, when it is drawn; null if another was asked for meanwhile
   */
  async show(page, spans) {
    const turn = ++this.#turn;
    for (const view of this.#views) view.element.querySelector('.lights')?.remove();
    const target = this.#viewOf(page);
    if (!target) return null;
    const lit = [...new Set([target.number, ...spans.map((span) => span.page)])];
    /** @param {number} number */
    const quadsOn = (number) => spans.filter((span) => span.page === number).flatMap((span) => span.quads);
    const views = lit.flatMap((number) => this.#views[number - 1] ?? []);
    for (const view of views) await this.#know(view);
    await this.#learnColumn(target, quadsOn(target.number));
    if (turn !== this.#turn) return null;
    this.#scaleAll();
    for (const view of views) this.#light(view, quadsOn(view.number));
    this.#reveal(target);
    this.#setCurrent(target.number);
    await this.#draw(target);
    return turn === this.#turn ? target.number : null;
  }

  /** @param {number} number 1-based; the nearest page that there is */
  goTo(number) {
    const view = this.#viewOf(number || this.#current);
    if (!view) return;
    this.element.scrollTop = view.element.offsetTop - 8;
    this.#setCurrent(view.number);
  }

  /** Goes to a height on a page. @param {number} number 1-based @param {number | null} y in PDF user space; null for its top */
  async goToHeight(number, y) {
    const view = this.#views[number - 1];
    if (view) await this.#know(view);
    this.goTo(number);
    if (y === null || !view?.natural) return;
    const [, top = 0] = view.natural.convertToViewportPoint(0, y);
    const within = Math.min(view.natural.height, Math.max(0, top));
    this.element.scrollTop = view.element.offsetTop + within * this.#scaleOf(view.natural) - 24;
  }

  /** Text of a page; empty without a document. @param {number} number 1-based @returns {Promise<string>} */
  async textOf(number) {
    const page = await this.#pdf?.getPage(number);
    return page ? pageText(page) : '';
  }

  /** Numbers of the pages that have their text laid over them. */
  get withText() {
    return this.#views.filter(({ layer }) => layer.length > 0).map(({ number }) => number);
  }

  /**
   * Range of part of a page's text; null where it is not laid over the page.
   * @param {number} number 1-based @param {number} from code units @param {number} to
   */
  rangeOf(number, from, to) {
    const view = this.#views[number - 1];
    return view ? rangeIn(view.layer, from, to) : null;
  }

  /**
   * Scrolls to part of a page's text.
   * @param {number} number 1-based @param {number} from code units @param {number} to
   */
  async reveal(number, from, to) {
    const view = this.#views[number - 1];
    if (!view) return;
    await this.#know(view);
    if (view.layer.length === 0) this.goTo(number);
    await this.#draw(view);
    const range = this.rangeOf(number, from, to);
    if (!range) return this.goTo(number);
    scrollTo(this.element, range);
    this.#setCurrent(number);
  }

  focus() {
    this.element.focus({ preventScroll: true });
  }

  /** @param {Zoom} zoom */
  setZoom(zoom) {
    this.#zoom = zoom;
    if (this.isOpen && zoom === 'text' && this.#column?.number !== this.#current)
      this.#fitCurrent().catch(() => {}); // the document was closed meanwhile
    else this.#scaleAll();
    this.#onZoom(zoom);
  }

  /** Zooms in or out. @param {1 | -1} direction @returns {number | null} the new size in per cent, null where it stays */
  step(direction) {
    const natural = this.#views[this.#current - 1]?.natural;
    if (!natural) return null;
    const now = this.#scaleOf(natural);
    const next =
      direction > 0
        ? zooms.find((zoom) => zoom > now + 0.01)
        : [...zooms].reverse().find((zoom) => zoom < now - 0.01);
    if (next === undefined) return null;
    this.setZoom(next);
    return next * 100;
  }

  /** @param {number} number 1-based */
  #viewOf(number) {
    return this.#views[Math.min(this.#views.length, Math.max(1, number)) - 1];
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
    const top = view.element.offsetTop + (light ? light.offsetTop - this.element.clientHeight / 4 : -8);
    this.element.scrollTop = Math.max(view.element.offsetTop - 8, top);
    if (this.#zoom === 'text' && this.#column) this.#showColumn();
    else
      this.element.scrollLeft =
        light && typeof this.#zoom === 'number' ? Math.max(0, light.offsetLeft - 24) : 0;
  }

  /** Scrolls sideways so that the column stands in the middle. */
  #showColumn() {
    const view = this.#column && this.#views[this.#column.number - 1];
    if (!this.#column || !view?.natural) return;
    const scale = this.#scaleOf(view.natural);
    const { left, width } = this.#column.column;
    this.element.scrollLeft =
      view.element.offsetLeft + (left + width / 2) * scale - this.element.clientWidth / 2;
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
      if (isIntersecting) {
        this.#inReach.add(view);
        void this.#drawIfItStays(view);
        continue;
      }
      this.#inReach.delete(view);
      if (view.drawnAt > 0) {
        clear(view);
        this.#onText(view.number);
      }
    }
  }

  /** Draws a page that is still near after a moment: of those that fly by, each would cost a frame or two. @param {PageView} view */
  async #drawIfItStays(view) {
    await new Promise((resolve) => setTimeout(resolve, stayMs));
    if (!this.#inReach.has(view)) return;
    await this.#know(view).catch(() => {});
    if (this.#inReach.has(view)) await this.#draw(view);
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
    if (view.drawnAt !== scale) {
      view.drawnAt = scale;
      view.drawn = draw(view, page, scale);
      void view.drawn.then(() => view.layer.length > 0 && this.#onText(view.number));
    }
    await view.drawn;
  }

  /** @param {PageViewport} natural */
  #scaleOf(natural) {
    if (typeof this.#zoom === 'number') return this.#zoom;
    const { width: room, height } = this.#room;
    const byWidth = Math.max(120, room - 32) / natural.width;
    if (this.#zoom === 'page') return Math.min(maxFit, byWidth, Math.max(120, height - 24) / natural.height);
    const width = this.#column?.column.width;
    return Math.min(maxFit, width ? Math.max(120, room - 2 * margin) / width : byWidth);
  }

  /** @param {PageView} view @param {PageViewport | null} [usual] of a page whose own is not known yet */
  #scale(view, usual = null) {
    const natural = view.natural ?? usual;
    if (natural) view.element.style.setProperty('--total-scale-factor', String(this.#scaleOf(natural)));
  }

  #scaleAll() {
    const anchor = this.#views[this.#current - 1];
    const before = anchor
      ? (this.element.scrollTop - anchor.element.offsetTop) / Math.max(1, anchor.element.offsetHeight)
      : 0;
    // Read before anything is written: otherwise each page has all of them laid out anew.
    this.#room = { width: this.element.clientWidth, height: this.element.clientHeight };
    const usual = this.#views.find(({ natural }) => natural)?.natural ?? null;
    for (const view of this.#views) this.#scale(view, usual);
    if (anchor) this.element.scrollTop = anchor.element.offsetTop + before * anchor.element.offsetHeight;
    if (this.#zoom === 'text') this.#showColumn();
    for (const view of this.#views) if (view.drawnAt > 0) void this.#draw(view);
  }

  /** Fits the text of the page that is read now, which is not the cited one. */
  async #fitCurrent() {
    const view = this.#views[this.#current - 1];
    if (!view) return;
    await this.#know(view);
    await this.#learnColumn(view, []);
    if (this.#zoom === 'text' && this.#views.includes(view)) this.#scaleAll();
  }

  #followScroll() {
    const middle = this.element.scrollTop + this.element.clientHeight / 3;
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
    this.#onCurrent(number);
  }
}

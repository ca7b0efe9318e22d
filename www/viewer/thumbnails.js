/**
 * The pane of thumbnails: the pages of a PDF as small pictures, a list box with the page that is read selected. Pictures
 * are drawn one after the other while they are near what is seen, and released when they are far: a file of a thousand
 * pages costs a thousand empty boxes of the same size, and the pictures of some dozens.
 */

import { el } from '../dom/elements.js';
import { actionOf } from '../dom/keys.js';

/** @typedef {import('./pdf.js').PdfDocument} PdfDocument */
/** @typedef {{ canvas: HTMLCanvasElement, drawing: { cancel: () => void } }} Picture */

/** CSS pixels of the longer side of a thumbnail. */
const side = 150;

export class ThumbnailPane {
  element;
  #strings;
  #onChoose;
  /** @type {PdfDocument | null} */
  #pdf = null;
  /** One per page. @type {HTMLElement[]} */
  #options = [];
  /** Page that the Tab key goes to, 1-based. */
  #active = 1;
  /** Page that is read, 1-based. */
  #current = 1;
  /** Pages that are near what is seen, in the order in which they came. @type {Set<number>} */
  #near = new Set();
  /** Pictures that are drawn or being drawn, by page. @type {Map<number, Picture>} */
  #pictures = new Map();
  #isDrawing = false;
  /** @type {IntersectionObserver | null} */
  #seen = null;

  /** @param {import('../strings/index.js').Strings} strings @param {(number: number) => void} onChoose */
  constructor(strings, onChoose) {
    this.#strings = strings;
    this.#onChoose = onChoose;
    this.element = el('div', {
      class: 'thumbnails',
      role: 'listbox',
      'aria-label': strings.viewer.thumbnails,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
      onclick: (/** @type {Event} */ event) => this.#click(event),
    });
  }

  /** Takes another document, or none. @param {PdfDocument | null} pdf */
  attach(pdf) {
    this.hide();
    this.#pdf = pdf;
    this.#options = [];
    this.#active = this.#current = 1;
    this.element.replaceChildren();
  }

  /** Lays out the pages, unless they are there, and draws those that are seen. */
  async show() {
    const pdf = this.#pdf;
    if (pdf === null) return;
    if (this.#options.length === 0) {
      const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
      if (pdf !== this.#pdf || this.#options.length > 0) return;
      const scale = side / Math.max(width, height, 1);
      this.element.style.setProperty('--thumbnail-width', `${Math.max(40, width * scale)}px`);
      this.element.style.setProperty('--thumbnail-height', `${Math.max(40, height * scale)}px`);
      this.#options = Array.from({ length: pdf.numPages }, (_, at) => this.#option(at + 1));
      this.element.replaceChildren(...this.#options);
    }
    this.#select(this.#current);
    this.#go(this.#current, false);
    // Its root is the pane that scrolls, which holds this element only while it is shown.
    this.#seen ??= new IntersectionObserver((entries) => this.#follow(entries), {
      root: this.element.parentElement,
      rootMargin: '50% 0px',
    });
    for (const option of this.#options) this.#seen.observe(option);
  }

  /** Releases the pictures. */
  hide() {
    this.#seen?.disconnect();
    this.#seen = null;
    this.#near.clear();
    for (const number of [...this.#pictures.keys()]) this.#release(number);
  }

  focus() {
    this.#options[this.#active - 1]?.focus({ preventScroll: true });
  }

  /** Marks the page that is read. @param {number} number 1-based */
  markCurrent(number) {
    const isSame = number === this.#current;
    this.#current = number;
    if (isSame || this.#options.length === 0) return;
    this.#select(number);
    // Whoever goes through the list by keys keeps their place in it.
    const { activeElement } = /** @type {ShadowRoot} */ (this.element.getRootNode());
    if (!this.element.contains(activeElement)) this.#go(number, false);
  }

  /** @param {number} number */
  #option(number) {
    return el(
      'div',
      {
        class: 'thumbnail',
        'data-page': number,
        role: 'option',
        tabIndex: -1,
        'aria-selected': 'false',
        'aria-label': this.#strings.viewer.thumbnail(number),
      },
      el('span', { class: 'thumbnail-page' }),
      el('span', { class: 'thumbnail-number', 'aria-hidden': 'true' }, String(number)),
    );
  }

  /** @param {number} number */
  #select(number) {
    this.element.querySelector('[aria-selected=true]')?.setAttribute('aria-selected', 'false');
    this.#options[number - 1]?.setAttribute('aria-selected', 'true');
  }

  /** Makes a page the one that the Tab key goes to, in sight. @param {number} number @param {boolean} takesFocus */
  #go(number, takesFocus) {
    const option = this.#options[number - 1];
    const pane = this.element.parentElement;
    if (!option || !pane) return;
    const before = this.#options[this.#active - 1];
    if (before) before.tabIndex = -1;
    option.tabIndex = 0;
    this.#active = number;
    const [view, box] = [pane.getBoundingClientRect(), option.getBoundingClientRect()];
    if (box.top < view.top) pane.scrollTop -= view.top - box.top;
    else if (box.bottom > view.bottom) pane.scrollTop += box.bottom - view.bottom;
    if (takesFocus) option.focus({ preventScroll: true });
  }

  /** @param {number} number */
  #choose(number) {
    this.#go(number, true);
    this.#onChoose(number);
  }

  /** @param {Event} event */
  #click({ target }) {
    const option = target instanceof Element && target.closest('.thumbnail');
    if (option) this.#choose(numberOf(option));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const last = this.#options.length;
    const actions = {
      nextThumbnail: () => this.#go(Math.min(last, this.#active + 1), true),
      previousThumbnail: () => this.#go(Math.max(1, this.#active - 1), true),
      firstThumbnail: () => this.#go(1, true),
      lastThumbnail: () => this.#go(last, true),
      openThumbnail: () => this.#choose(this.#active),
    };
    const action = actionOf('thumbnails', event);
    if (action === null || last === 0) return;
    event.preventDefault();
    event.stopPropagation();
    actions[action]();
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #follow(entries) {
    for (const { target, isIntersecting } of entries) {
      const number = numberOf(target);
      if (isIntersecting) this.#near.add(number);
      else {
        this.#near.delete(number);
        this.#release(number);
      }
    }
    void this.#drawNear();
  }

  /** Draws what is near, one page after the other. */
  async #drawNear() {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    for (;;) {
      const number = [...this.#near].find((each) => !this.#pictures.has(each));
      if (number === undefined) break;
      await this.#draw(number);
    }
    this.#isDrawing = false;
  }

  /** Draws a page; one that cannot be drawn stays white. @param {number} number */
  async #draw(number) {
    const pdf = this.#pdf;
    const canvas = el('canvas', { 'aria-hidden': 'true' });
    const picture = { canvas, drawing: { cancel: () => {} } };
    this.#pictures.set(number, picture);
    const isWanted = () => this.#pictures.get(number) === picture;
    try {
      const page = await pdf?.getPage(number);
      if (!page || !isWanted()) return;
      const natural = page.getViewport({ scale: 1 });
      const ratio = Math.min(globalThis.devicePixelRatio || 1, 2);
      const viewport = page.getViewport({
        scale: (ratio * side) / Math.max(natural.width, natural.height, 1),
      });
      canvas.width = Math.max(1, Math.floor(viewport.width));
      canvas.height = Math.max(1, Math.floor(viewport.height));
      const drawing = page.render({ canvas, viewport });
      picture.drawing = drawing;
      await drawing.promise;
      if (isWanted()) this.#options[number - 1]?.querySelector('.thumbnail-page')?.replaceChildren(canvas);
      page.cleanup();
    } catch {
      // Cancelled, because it went out of sight; closed meanwhile; or damaged.
    }
  }

  /** @param {number} number */
  #release(number) {
    const picture = this.#pictures.get(number);
    if (!picture) return;
    this.#pictures.delete(number);
    picture.drawing.cancel();
    // A canvas of no size gives its memory back at once.
    picture.canvas.width = picture.canvas.height = 0;
    picture.canvas.remove();
  }
}

/** @param {Element} option */
const numberOf = (option) => Number(option.getAttribute('data-page'));

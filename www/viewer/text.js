/**
 * A document without pages, as text: its blocks as headings, paragraphs, items, tables and notes, the cited
 * words lit. All of it is text nodes. Blocks come in batches while the person reads, and those off screen are not
 * laid out: a long document delays nothing.
 */

import { el, fill } from '../dom/elements.js';
import { scrollTo } from '../dom/scroll.js';

/** @typedef {import('../engine/protocol.js').TextBlock} TextBlock */
/** @typedef {import('../engine/protocol.js').BlockRange} BlockRange */
/** @typedef {(start: number, limit: number) => Promise<TextBlock[]>} BlockSource blocks from one on; fewer at the end */
/** @typedef {{ start: number, end: number }} Extent UTF-16 code units of a block's text */
/** @typedef {{ block: TextBlock, element: HTMLElement }} BlockView a block on screen */

/** Blocks that are asked for and laid out at once. */
const pieceLength = 100;
const zooms = [0.8, 0.9, 1, 1.15, 1.3, 1.5, 1.75, 2];
const usualZoom = 2;
/** Frames until what was just laid out has its size. */
const settlingFrames = 6;

export class TextView {
  element;
  #strings;
  #body = el('div', { class: 'text-body' });

  /** @type {BlockSource | null} */
  #source = null;
  /** @type {BlockView[]} */
  #views = [];
  /** The blocks with lit words. @type {number[]} */
  #lit = [];
  /** The piece that is on its way. @type {Promise<void> | null} */
  #piece = null;
  #complete = false;
  #zoom = usualZoom;
  #onText;
  /** Blocks of each piece that is near what is seen: the first, and the one after the last. @type {Map<Element, [number, number]>} */
  #pieces = new Map();
  /** @type {Set<Element>} */
  #onScreen = new Set();
  #near;

  /**
   * @param {import('../strings/index.js').Strings} strings
   * @param {(blocks: number[]) => void} onText other blocks came on screen, or these were laid out anew
   */
  constructor(strings, onText) {
    this.#strings = strings;
    this.#onText = onText;
    this.element = el(
      'div',
      { class: 'viewer-text', tabIndex: 0, role: 'region', 'aria-label': strings.viewer.text, hidden: true },
      this.#body,
    );
    this.#near = new IntersectionObserver((entries) => this.#seen(entries), {
      root: this.element,
      rootMargin: '60% 0px',
    });
  }

  get isOpen() {
    return this.#source !== null;
  }

  /**
   * Shows a document from its beginning, or at the lit words. Resolves when they can be seen; the rest of a new
   * document follows.
   * @param {BlockSource | null} source null keeps the document that is shown
   * @param {readonly BlockRange[]} places
   */
  async show(source, places) {
    if (source !== null) {
      this.close();
      this.#source = source;
      this.element.hidden = false;
    }
    const shown = this.#source;
    await this.#loadPast(Math.max(0, ...places.map(({ block }) => block)), shown);
    if (shown !== this.#source) return;
    this.#light(places);
    const light = this.#body.querySelector('.text-light');
    if (light) this.#follow(light, settlingFrames);
    void this.#loadPast(Infinity, shown).catch(() => {});
  }

  close() {
    this.#source = null;
    this.#views = [];
    this.#lit = [];
    this.#piece = null;
    this.#complete = false;
    this.#near.disconnect();
    this.#pieces.clear();
    this.#onScreen.clear();
    this.#body.replaceChildren();
    this.element.hidden = true;
    this.element.scrollTop = 0;
  }

  focus() {
    this.element.focus({ preventScroll: true });
  }

  /** @param {1 | -1 | 0} direction 0 for the usual size */
  step(direction) {
    this.#zoom =
      direction === 0 ? usualZoom : Math.min(zooms.length - 1, Math.max(0, this.#zoom + direction));
    this.#body.style.setProperty('--text-zoom', String(zooms[this.#zoom]));
  }

  /** Loads the document to its end. @returns {Promise<number>} number of its blocks */
  async complete() {
    await this.#loadPast(Infinity, this.#source);
    return this.#views.length;
  }

  /** Its text as it is printed; `complete` loads the rest. */
  get printable() {
    return { body: this.#body, isMarked: this.#lit.length > 0, complete: () => this.complete() };
  }

  /** Text of a block. @param {number} block */
  textOf(block) {
    return this.#views[block]?.block.text ?? '';
  }

  /** Blocks on screen and near it, in their order. @returns {number[]} */
  get onScreen() {
    return [...this.#onScreen]
      .flatMap((piece) => {
        const [first, end] = this.#pieces.get(piece) ?? [0, 0];
        return Array.from({ length: end - first }, (_, at) => first + at);
      })
      .sort((a, b) => a - b);
  }

  /** Range of part of a block's text. @param {number} block @param {number} from code units @param {number} to */
  rangeOf(block, from, to) {
    const view = this.#views[block];
    return view ? rangeIn(view, from, to) : null;
  }

  /** Scrolls to part of a block's text. @param {number} block @param {number} from code units @param {number} to */
  reveal(block, from, to) {
    const range = this.rangeOf(block, from, to);
    if (range) this.#follow(range, settlingFrames);
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #seen(entries) {
    for (const { target, isIntersecting } of entries)
      if (isIntersecting) this.#onScreen.add(target);
      else this.#onScreen.delete(target);
    this.#onText([]);
  }

  /** Loads pieces until a block is there or the document ends. @param {number} block @param {BlockSource | null} source */
  async #loadPast(block, source) {
    while (source !== null && source === this.#source && !this.#complete && this.#views.length <= block) {
      this.#piece ??= this.#load(source);
      await this.#piece;
    }
  }

  /** @param {BlockSource} source */
  async #load(source) {
    const blocks = await source(this.#views.length, pieceLength);
    if (source !== this.#source) return;
    this.#piece = null;
    this.#complete = blocks.length < pieceLength;
    const first = this.#views.length;
    const piece = this.#lay(blocks);
    this.#pieces.set(piece, [first, this.#views.length]);
    this.#body.append(piece);
    this.#near.observe(piece);
  }

  /** @param {TextBlock[]} blocks */
  #lay(blocks) {
    const piece = el('div', { class: 'text-piece' });
    /** @type {HTMLElement | null} */
    let list = null;
    for (const block of blocks) {
      const element = frame(block);
      element.dataset['block'] = String(this.#views.length);
      if (block.kind === 'footnote') element.tabIndex = -1;
      this.#views.push({ block, element });
      this.#paint({ block, element }, []);
      if (block.kind !== 'list') list = null;
      else if (list === null) {
        list = el('div', { role: 'list' });
        piece.append(list);
      }
      (list ?? piece).append(element);
    }
    return piece;
  }

  /** @param {readonly BlockRange[]} places */
  #light(places) {
    const before = this.#lit;
    for (const at of before) {
      const view = this.#views[at];
      if (view) this.#paint(view, []);
    }
    this.#lit = [...new Set(places.map(({ block }) => block))];
    for (const at of this.#lit) {
      const view = this.#views[at];
      if (view)
        this.#paint(
          view,
          places.filter(({ block }) => block === at),
        );
    }
    this.#onText([...before, ...this.#lit]);
  }

  /**
   * Scrolls to a place. What is laid out for the first time then grows and moves it, so it is followed for some frames.
   * @param {Element | Range} place
   * @param {number} frames
   */
  #follow(place, frames) {
    scrollTo(this.element, place);
    const node = place instanceof Element ? place : place.startContainer;
    if (frames > 0) requestAnimationFrame(() => node.isConnected && this.#follow(place, frames - 1));
  }

  /** @param {BlockView} view @param {readonly Extent[]} lit */
  #paint({ block, element }, lit) {
    if (block.kind !== 'table') {
      const number =
        block.kind === 'footnote' &&
        block.marker !== null &&
        el('sup', { class: 'note-number' }, `${block.marker} `);
      fill(element, number, ...this.#words(block, 0, block.text.length, lit));
      return;
    }
    const body = el('tbody');
    let at = 0;
    for (const line of block.text.split('\n')) {
      const row = el('tr');
      for (const cell of line.split('\t')) {
        row.append(el('td', {}, ...this.#words(block, at, at + cell.length, lit)));
        at += cell.length + 1;
      }
      body.append(row);
    }
    fill(element, el('table', {}, body));
  }

  /**
   * The words `from` to `to` of a block with the marks of notes between them, the lit ones in elements of their
   * own.
   * @param {TextBlock} block
   * @param {number} from
   * @param {number} to
   * @param {readonly Extent[]} lit
   */
  #words({ text, marks }, from, to, lit) {
    const inside = marks.filter(({ at }) => at >= from && at <= to);
    const cuts = [from, to, ...inside.map(({ at }) => at), ...lit.flatMap(({ start, end }) => [start, end])];
    const edges = [...new Set(cuts.filter((cut) => cut >= from && cut <= to))].sort((a, b) => a - b);
    /** @type {(Node | string)[]} */
    const nodes = [];
    for (const [at, edge] of edges.entries()) {
      for (const mark of inside.filter((mark) => mark.at === edge)) nodes.push(this.#mark(mark));
      const end = edges[at + 1];
      if (end === undefined) break;
      const words = text.slice(edge, end);
      const isLit = lit.some((range) => range.start <= edge && end <= range.end);
      nodes.push(isLit ? el('mark', { class: 'text-light' }, words) : words);
    }
    return nodes;
  }

  /** @param {TextBlock['marks'][number]} mark */
  #mark({ marker, note }) {
    if (note === null) return el('sup', {}, marker);
    const go = () => void this.#goTo(note);
    return el(
      'sup',
      {},
      el(
        'button',
        { type: 'button', class: 'note-mark', 'aria-label': this.#strings.viewer.note(marker), onclick: go },
        marker,
      ),
    );
  }

  /** @param {number} block */
  async #goTo(block) {
    await this.#loadPast(block, this.#source);
    const element = this.#views[block]?.element;
    if (!element) return;
    scrollTo(this.element, element);
    element.focus({ preventScroll: true });
  }
}

/** The element of a block, still empty. Which way it is written, its own words say. @param {TextBlock} block @returns {HTMLElement} */
function frame({ kind, role, level }) {
  const dir = 'auto';
  switch (kind) {
    case 'heading': {
      // The name of the document above is of level 2.
      const tag = /** @type {'h3' | 'h4' | 'h5' | 'h6'} */ (`h${Math.min(6, 2 + Math.max(1, level ?? 1))}`);
      return el(tag, { dir, class: role === 'title' ? 'text-title' : 'text-heading' });
    }
    case 'list':
      return el('p', { dir, class: 'text-item', role: 'listitem' });
    case 'footnote':
      return el('p', { dir, class: 'text-note', role: 'note' });
    case 'table':
      return el('div', { dir, class: 'text-table' });
    case 'paragraph':
      return role === 'quote'
        ? el('blockquote', { dir })
        : el('p', { dir, ...(role === 'caption' ? { class: 'text-caption' } : {}) });
  }
}

/**
 * Range of part of a block's text. The marks of notes, which are superscripts, are no part of it.
 * @param {BlockView} view
 * @param {number} from code units
 * @param {number} to
 * @returns {Range | null}
 */
function rangeIn({ block, element }, from, to) {
  const range = new Range();
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let isBegun = false;
  let end = 0;
  for (let node = nodes.nextNode(); node !== null && end < to; node = nodes.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest('sup')) continue;
    // Cells and rows of a table have a tab or a line break between them.
    const start = Math.max(end, block.text.indexOf(node.data, end));
    end = start + node.length;
    if (from >= end || to <= start) continue;
    if (!isBegun) range.setStart(node, Math.max(0, from - start));
    isBegun = true;
    range.setEnd(node, Math.min(node.length, to - start));
  }
  return isBegun ? range : null;
}

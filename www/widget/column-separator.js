/**
 * The separator between two columns, by the ARIA pattern of a window splitter: dragged, moved by the arrow keys, put back
 * by a double click. It sets a custom property of the shell, in pixels, and remembers it for the next visit.
 */

import { el } from '../dom/elements.js';
import { actionOf } from '../dom/keys.js';

/** Pixels that a key moves it. */
const step = 24;

export class ColumnSeparator {
  element;
  #shell;
  #options;

  /**
   * @param {HTMLElement} shell
   * @param {object} options
   * @param {string} options.name of the column: the custom property is `--NAME-width`
   * @param {string} options.label
   * @param {HTMLElement} options.column that gets wider and narrower
   * @param {1 | -1} options.side 1 where the column lies before the separator, -1 where it lies after it
   * @param {number} options.min pixels
   */
  constructor(shell, options) {
    this.#shell = shell;
    this.#options = options;
    const { name, label } = options;
    this.element = el('div', {
      class: `column-separator of-${name}`,
      role: 'separator',
      tabIndex: 0,
      'aria-orientation': 'vertical',
      'aria-label': label,
      ondblclick: () => this.#set(null),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
      onpointerdown: (/** @type {PointerEvent} */ event) => this.#drag(event),
    });
    this.#set(stored(name));
    new ResizeObserver(() => this.#tell()).observe(options.column);
  }

  get #width() {
    return this.#options.column.getBoundingClientRect().width;
  }

  /** Three fifths of the shell: the conversation keeps the rest. */
  get #max() {
    return Math.max(this.#options.min, Math.round((this.#shell.clientWidth * 3) / 5));
  }

  /** @param {number | null} width pixels; null for the usual one */
  #set(width) {
    const { name, min } = this.#options;
    if (width === null) this.#shell.style.removeProperty(`--${name}-width`);
    else this.#shell.style.setProperty(`--${name}-width`, `${Math.max(min, Math.round(width))}px`);
    store(name, width);
    this.#tell();
  }

  /** @param {number} width */
  #move(width) {
    this.#set(Math.min(this.#max, width));
  }

  /** Says where it stands, in per cent of the shell. */
  #tell() {
    const share = (/** @type {number} */ width) =>
      String(Math.round((100 * width) / Math.max(1, this.#shell.clientWidth)));
    this.element.setAttribute('aria-valuenow', share(this.#width));
    this.element.setAttribute('aria-valuemin', share(this.#options.min));
    this.element.setAttribute('aria-valuemax', share(this.#max));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { side, min } = this.#options;
    const actions = {
      moveLeft: () => this.#move(this.#width - side * step),
      moveRight: () => this.#move(this.#width + side * step),
      narrowest: () => this.#move(min),
      widest: () => this.#move(this.#max),
      usualWidth: () => this.#set(null),
    };
    const action = actionOf('columns', event);
    if (action === null) return;
    event.preventDefault();
    event.stopPropagation();
    actions[action]();
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    if (event.button !== 0) return;
    const [from, width] = [event.clientX, this.#width];
    const onMove = (/** @type {PointerEvent} */ { clientX }) =>
      this.#move(width + this.#options.side * (clientX - from));
    const end = () => this.element.removeEventListener('pointermove', onMove);
    this.element.setPointerCapture(event.pointerId);
    this.element.addEventListener('pointermove', onMove);
    this.element.addEventListener('lostpointercapture', end, { once: true });
  }
}

/** @param {string} name @returns {number | null} null where nothing is remembered, or may be */
function stored(name) {
  try {
    const width = Number(localStorage.getItem(`pincite:width:${name}`) ?? '');
    return Number.isFinite(width) && width > 0 ? width : null;
  } catch {
    return null;
  }
}

/** @param {string} name @param {number | null} width */
function store(name, width) {
  try {
    if (width === null) localStorage.removeItem(`pincite:width:${name}`);
    else localStorage.setItem(`pincite:width:${name}`, String(Math.round(width)));
  } catch {
    // A page that may store nothing forgets it.
  }
}

/**
 * The bar that finds words in the document: what is looked for, the number of matches and the place among them, and the way
 * from one to the next. Matches are marked on the page in a colour of their own: the highlighter is for cited words.
 */

import { el } from '../dom/elements.js';
import { iconButton } from '../dom/icons.js';
import { actionOf } from '../dom/keys.js';
import { Finder } from './finder.js';
import { FoundMarks } from './found-marks.js';

/** @typedef {import('./find-source.js').LitSource} LitSource */

/** Milliseconds after the last letter until the search begins. */
const pause = 120;

export class FindBar {
  element;
  #strings;
  #announce;
  #onClose;
  #input;
  #count = el('span', { class: 'find-count' });
  #matchCase;
  #wholeWords;
  #marks = new FoundMarks();
  #finder = new Finder(() => this.#changed());
  /** @type {LitSource | null} */
  #source = null;
  /** The match that was scrolled to last. @type {import('./finder.js').Match | null} */
  #revealed = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Number of the search. */
  #search = 0;

  /**
   * @param {import('../strings/index.js').Strings} strings
   * @param {object} told
   * @param {(text: string) => void} told.announce
   * @param {() => void} told.onClose the focus is to go back
   */
  constructor(strings, { announce, onClose }) {
    const { find } = strings;
    this.#strings = strings;
    this.#announce = announce;
    this.#onClose = onClose;
    this.#input = el('input', {
      class: 'find-input',
      type: 'search',
      maxLength: 300,
      autocomplete: 'off',
      spellcheck: false,
      enterKeyHint: 'search',
      placeholder: find.label,
      'aria-label': find.label,
      oninput: () => this.#soon(),
    });
    this.#matchCase = this.#option('Aa', find.matchCase);
    this.#wholeWords = this.#option('|a|', find.wholeWords);
    this.element = el(
      'div',
      { class: 'find-bar', role: 'search', 'aria-label': find.label, hidden: true },
      this.#input,
      this.#count,
      iconButton('up', find.previous, () => this.#step(-1)),
      iconButton('down', find.next, () => this.#step(1)),
      this.#matchCase,
      this.#wholeWords,
      iconButton('close', find.close, () => this.close()),
    );
    this.element.addEventListener('keydown', (event) => this.#key(event));
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** Opens the bar, or goes to its field; what was looked for before is looked for again. */
  open() {
    const wasOpen = this.isOpen;
    this.element.hidden = false;
    this.#input.focus();
    this.#input.select();
    if (!wasOpen) void this.#find();
  }

  /** Ends the search and unmarks its matches. */
  close() {
    if (!this.isOpen) return;
    this.element.hidden = true;
    this.#end();
    this.#onClose();
  }

  /** Takes another document, or none. @param {LitSource | null} source */
  attach(source) {
    this.#end();
    this.#source = source;
    this.#finder.attach(source);
    if (this.isOpen && source !== null) void this.#find();
  }

  /** Marks the matches in what has come on screen, and forgets those that have gone. @param {readonly number[]} changed parts that were laid out anew */
  redraw(changed = []) {
    if (!this.isOpen || this.#source === null) return;
    const shown = this.#source.onScreen();
    for (const part of this.#marks.parts)
      if (changed.includes(part) || !shown.includes(part)) this.#marks.set(part, []);
    const marked = this.#marks.parts;
    for (const part of shown) if (!marked.includes(part)) void this.#mark(part);
  }

  /** @param {string} face @param {string} label */
  #option(face, label) {
    const button = el(
      'button',
      { type: 'button', class: 'icon-button find-option', title: label, 'aria-pressed': 'false' },
      el('span', { 'aria-hidden': 'true' }, face),
      el('span', { class: 'visually-hidden' }, label),
    );
    button.addEventListener('click', () => {
      button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'));
      void this.#find();
    });
    return button;
  }

  #soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#find(), pause);
  }

  async #find() {
    this.#end();
    const search = this.#search;
    const isOn = (/** @type {HTMLElement} */ option) => option.getAttribute('aria-pressed') === 'true';
    await this.#finder.find(this.#input.value, {
      matchCase: isOn(this.#matchCase),
      wholeWords: isOn(this.#wholeWords),
    });
    if (search === this.#search && this.#isAsked) this.#say();
  }

  get #isAsked() {
    return this.#input.value.trim() !== '';
  }

  #end() {
    this.#search += 1;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#finder.cancel();
    this.#marks.clear();
    this.#revealed = null;
    this.#count.textContent = '';
  }

  /** @param {1 | -1} by */
  #step(by) {
    // What was typed just now is looked for first.
    if (this.#timer !== undefined) return void this.#find();
    this.#finder.step(by);
    if (this.#finder.state.isDone) this.#say();
  }

  #changed() {
    const { n, at, isDone } = this.#finder.state;
    const { find } = this.#strings;
    this.#count.textContent = this.#isAsked ? find.place(at, n, isDone) : '';
    this.element.classList.toggle('finds-nothing', this.#isAsked && isDone && n === 0);
    this.redraw();
    const match = this.#finder.current;
    if (match !== null && match !== this.#revealed) void this.#reveal(match);
  }

  #say() {
    const { n, at } = this.#finder.state;
    const { find, format } = this.#strings;
    this.#announce(
      n === 0 ? find.noMatch(this.#input.value.trim()) : format.sentence(find.place(at, n, true)),
    );
  }

  /** @param {number} part */
  async #mark(part) {
    const source = this.#source;
    const places = await this.#finder.places(part);
    if (source === null || source !== this.#source) return;
    this.#marks.set(
      part,
      places.flatMap(({ from, to }) => source.rangeOf(part, from, to) ?? []),
    );
    if (this.#revealed?.part === part) this.#markCurrent(places);
  }

  /** @param {import('./finder.js').Match} match */
  async #reveal(match) {
    const source = this.#source;
    this.#revealed = match;
    const places = await this.#finder.places(match.part);
    const place = places[match.nth];
    if (place && this.#revealed === match) await source?.reveal(match.part, place.from, place.to);
    if (this.#revealed === match) this.#markCurrent(places);
  }

  /** @param {readonly { from: number, to: number }[]} places in the part of the current match */
  #markCurrent(places) {
    const match = this.#revealed;
    const place = match && places[match.nth];
    this.#marks.setCurrent(place ? (this.#source?.rangeOf(match.part, place.from, place.to) ?? null) : null);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const action = actionOf('find', event);
    // On a button Enter presses the button.
    if (action === null || (action !== 'endSearch' && event.target !== this.#input)) return;
    if (action === 'endSearch') this.close();
    else this.#step(action === 'nextMatch' ? 1 : -1);
    event.preventDefault();
    event.stopPropagation();
  }
}

/**
 * Search for words through the parts of a document: pages, or blocks of a text. Parts are searched from the one that is
 * read to the end, then from the beginning, so that what is near is found first. Only the number of matches in
 * each part is kept: their places are found again where they are lit. A search ends when another begins.
 */

import { comparable, fold, occurrences, unfold } from '../dom/fold.js';

/** @typedef {import('../dom/fold.js').FindOptions} FindOptions */

/**
 * @typedef {object} FindSource a document that can be searched
 * @property {() => Promise<number>} count of its parts
 * @property {() => number} here the part that is read now, from 0
 * @property {(part: number) => Promise<string>} read text of a part; empty where it cannot be read
 */

/** @typedef {{ part: number, nth: number }} Match a match by its part and its number there, from 0 */
/** @typedef {{ n: number, at: number, isDone: boolean }} FindState matches so far, and the place of the current one among them, 1-based; 0 of none */

/** Parts that are read ahead of the search. */
const ahead = 4;
/** Milliseconds of searching between two turns for the page. */
const stretch = 12;

export class Finder {
  #onChange;
  /** @type {FindSource | null} */
  #source = null;
  /** Folded text of each part that was read. @type {Map<number, Promise<string>>} */
  #texts = new Map();
  /** Matches in each part. @type {number[]} */
  #counts = [];
  /** @type {Match | null} */
  #current = null;
  #words = '';
  /** @type {FindOptions} */
  #options = { matchCase: false, wholeWords: false };
  #isDone = true;
  #turn = 0;

  /** @param {() => void} onChange the state has changed */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** Takes another document, or none; the search ends. @param {FindSource | null} source */
  attach(source) {
    this.cancel();
    this.#source = source;
    this.#texts.clear();
  }

  /** Ends the search and forgets its matches. */
  cancel() {
    this.#turn += 1;
    this.#counts = [];
    this.#current = null;
    this.#words = '';
    this.#isDone = true;
  }

  /** @returns {FindState} */
  get state() {
    const { part, nth } = this.#current ?? { part: 0, nth: -1 };
    const sum = (/** @type {number[]} */ counts) => counts.reduce((total, count) => total + (count ?? 0), 0);
    return { n: sum(this.#counts), at: sum(this.#counts.slice(0, part)) + nth + 1, isDone: this.#isDone };
  }

  get current() {
    return this.#current;
  }

  /**
   * Begins a search. Resolves when it is over, or another has begun.
   * @param {string} words as typed
   * @param {FindOptions} options
   */
  async find(words, options) {
    this.cancel();
    const [turn, source] = [this.#turn, this.#source];
    this.#options = options;
    this.#words = comparable(fold(words).text, options.matchCase);
    if (source === null || this.#words === '') return this.#onChange();
    this.#isDone = false;
    this.#onChange();
    const nParts = await source.count();
    if (turn === this.#turn) this.#counts = new Array(nParts).fill(0);
    const from = Math.min(source.here(), Math.max(0, nParts - 1));
    let rested = performance.now();
    for (let step = 0; step < nParts && turn === this.#turn; step += 1) {
      for (let next = step; next < Math.min(nParts, step + ahead); next += 1)
        void this.#text(source, (from + next) % nParts);
      const part = (from + step) % nParts;
      const text = await this.#text(source, part);
      if (turn !== this.#turn) return;
      this.#count(part, text);
      if (performance.now() - rested < stretch) continue;
      this.#onChange();
      await new Promise((resolve) => setTimeout(resolve));
      rested = performance.now();
    }
    if (turn !== this.#turn) return;
    this.#isDone = true;
    this.#onChange();
  }

  /** Makes the match after the current one current, or the one before it; after the last comes the first. @param {1 | -1} by */
  step(by) {
    if (this.#current === null) return;
    const { part, nth } = this.#current;
    if (nth + by >= 0 && nth + by < (this.#counts[part] ?? 0)) this.#current = { part, nth: nth + by };
    else {
      const n = this.#counts.length;
      let other = part;
      do other = (other + by + n) % n;
      while ((this.#counts[other] ?? 0) === 0);
      this.#current = { part: other, nth: by > 0 ? 0 : (this.#counts[other] ?? 1) - 1 };
    }
    this.#onChange();
  }

  /**
   * Places of the matches in a part.
   * @param {number} part
   * @returns {Promise<{ from: number, to: number }[]>} code units of its text
   */
  async places(part) {
    const [turn, source] = [this.#turn, this.#source];
    if (source === null || !this.#counts[part]) return [];
    const original = await source.read(part).catch(() => '');
    if (turn !== this.#turn) return [];
    const folded = fold(original);
    const { matchCase, wholeWords } = this.#options;
    return occurrences(comparable(folded.text, matchCase), this.#words, wholeWords).map((start) =>
      unfold(original, folded, start, start + this.#words.length),
    );
  }

  /** @param {number} part @param {string} text folded */
  #count(part, text) {
    const { matchCase, wholeWords } = this.#options;
    const n = occurrences(comparable(text, matchCase), this.#words, wholeWords).length;
    this.#counts[part] = n;
    if (n > 0) this.#current ??= { part, nth: 0 };
  }

  /** @param {FindSource} source @param {number} part */
  #text(source, part) {
    const known = this.#texts.get(part);
    if (known) return known;
    const text = source.read(part).then(
      (original) => fold(original).text,
      () => '', // a damaged page has no words
    );
    this.#texts.set(part, text);
    return text;
  }
}

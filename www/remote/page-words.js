/**
 * The words of a PDF page as pdf.js reads them, and where a quotation stands in them word for word. Compared are letters
 * with their case, digits, punctuation, order and the borders of words; not compared, as in `crate/citations`, are white
 * space, kinds of quotation marks and dashes, ligatures and other compatibility forms, invisible characters, and a hyphen
 * at the end of a line. Raised marks of notes may stand between the words. Nothing is looked up by likeness: a word more,
 * less or otherwise is no match.
 *
 * One step a character of the page for each place where a quotation could begin: linear in practice, and at most
 * `maxSteps`, nor more than what is left of the steps that the caller grants.
 */

/** @typedef {{ str: string, transform: number[], width: number, height: number, hasEOL: boolean }} PageRun a run of pdf.js */
/** @typedef {{ run: number, at: number }} RunPlace a code unit of a run's text */
/** @typedef {{ start: number, end: number }} WordRange code units of the words of a page */
/** @typedef {{ left: number }} Steps that several look-ups may cost together */

/**
 * @typedef {object} PageWords
 * @property {string} text comparable; `soft` where a hyphen ends a line, `raised` before each raised character
 * @property {RunPlace[]} places by code unit of the text
 * @property {readonly PageRun[]} runs
 */

/** Stands for a hyphen at the end of a line: part of the word or not. */
const soft = '\u00ad';
/** Stands before a character that is raised, which may be left out: the mark of a note. */
const raised = '\ue000';
/** Most characters of a page that are compared. */
const maxCharacters = 200_000;
/** Most steps of looking one quotation up on a page. */
const maxSteps = 2_000_000;
/** Most runs of a page that are read; what comes after them is not known. */
export const maxRuns = 20_000;
/** Nothing but raised characters. */
export const onlyRaised = new RegExp(`^(?:${raised}.| )*$`, 'su');

const wordPart = /^[\p{L}\p{N}\p{M}]$/u;
/** Scripts that put nothing between their words. */
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u;
const unseen = /^[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ue000\ufeff]$/;
const superscript = /^[\u00b2\u00b3\u00b9\u2070-\u2099]$/;
/** @type {readonly (readonly [RegExp, string])[]} */
const kinds = [
  [/^[‘’‚‛′]$/, "'"],
  [/^[“”„‟«»″]$/, '"'],
  [/^[‐‑‒–—―−]$/, '-'],
];

/** A character as it is compared; empty where it is not. @param {string} character a code point */
function comparable(character) {
  if (character < '\u0080') return character;
  if (unseen.test(character)) return '';
  for (const [kind, plain] of kinds) if (kind.test(character)) return plain;
  return superscript.test(character) ? character : character.normalize('NFKC');
}

/** Words with their borders: white space stands between two words and nowhere else. */
class Comparable {
  text = '';
  /** @type {RunPlace[]} */
  places = [];
  /** The last character that is no raised one. */
  last = '';
  /** True if white space came since. */
  gap = false;

  /** @param {string} character comparable @param {RunPlace} place */
  add(character, place) {
    if (this.gap && borders(this.last) && borders(character)) this.#put(' ', place);
    this.gap = false;
    this.#put(character, place);
    this.last = character;
  }

  /** A character that may be left out. @param {string} character @param {RunPlace} place */
  addRaised(character, place) {
    this.#put(raised, place);
    this.#put(character, place);
  }

  /** Takes a hyphen at the end of a line for one that may be part of the word. */
  soften() {
    const before = this.text[this.text.length - 2] ?? '';
    if (this.last !== '-' || !/^\p{L}$/u.test(before)) return;
    this.text = this.text.slice(0, -1) + soft;
    this.last = soft;
  }

  /** @param {string} text @param {RunPlace} place */
  #put(text, place) {
    this.text += text;
    for (let unit = 0; unit < text.length; unit += 1) this.places.push(place);
  }
}

/** True if white space beside a character tells words apart. @param {string} character */
const borders = (character) => wordPart.test(character) && !unspaced.test(character);

/** @param {readonly unknown[]} items of pdf.js's text content @returns {PageWords} */
export function pageWords(items) {
  const runs = /** @type {PageRun[]} */ (
    items.filter((item) => typeof item === 'object' && item !== null && 'str' in item).slice(0, maxRuns)
  );
  const words = new Comparable();
  /** The last run that is not raised. @type {PageRun | null} */
  let base = null;
  for (const [run, item] of runs.entries()) {
    if (words.places.length > maxCharacters) break;
    const after = runs.slice(run + 1, run + 4).find(({ str }) => str.trim() !== '');
    // A raised figure after a figure is a power or a mark; which of both, a page does not say.
    const isMark =
      (base !== null && isRaised(item, base) && !/\p{N}$/u.test(words.last)) ||
      (after !== undefined && item.hasEOL === false && isRaised(item, after) && isStart(item, base));
    let at = 0;
    for (const character of item.str) {
      const place = { run, at };
      at += character.length;
      if (/\s/.test(character)) words.gap = true;
      else
        for (const plain of comparable(character))
          if (isMark) words.addRaised(plain, place);
          else words.add(plain, place);
    }
    if (!isMark && item.str.trim() !== '') base = item;
    if (item.hasEOL) {
      words.soften();
      words.gap = words.last !== soft;
    }
  }
  return { text: words.text, places: words.places, runs };
}

/** True if a run begins a line. @param {PageRun} run @param {PageRun | null} before */
function isStart({ transform }, before) {
  return before === null || Math.abs((transform[5] ?? 0) - (before.transform[5] ?? 0)) > before.height / 2;
}

/** True if a run is smaller than another and stands above its baseline: a few digits or letters, or a sign. @param {PageRun} run @param {PageRun} base */
function isRaised({ str, height, transform }, base) {
  const rise = (transform[5] ?? 0) - (base.transform[5] ?? 0);
  return (
    str.trim().length > 0 &&
    str.trim().length <= 4 &&
    height < 0.85 * base.height &&
    rise > 0.12 * base.height &&
    rise < base.height
  );
}

/** A quotation as it is looked up. @param {string} quote */
export function comparableWords(quote) {
  const words = new Comparable();
  const nowhere = { run: 0, at: 0 };
  for (const character of quote)
    if (/\s/.test(character)) words.gap = true;
    else for (const plain of comparable(character)) words.add(plain, nowhere);
  return words.text;
}

/**
 * Place of words on a page; null where they do not stand there as they are.
 * @param {PageWords} page
 * @param {string} words comparable
 * @param {number} [from] code unit of the page's text
 * @param {Steps} [steps]
 * @returns {WordRange | null}
 */
export function findWords(page, words, from = 0, steps = { left: maxSteps }) {
  const found = longestMatch(page, words, from, steps);
  return found !== null && found.n === words.length ? { start: found.start, end: found.end } : null;
}

/**
 * The longest beginning of words that stands on a page, up to the border of a word; all of them where they stand there.
 * @param {PageWords} page
 * @param {string} words comparable
 * @param {number} [from] code unit of the page's text
 * @param {Steps} [granted]
 * @returns {WordRange & { n: number } | null} `n` code units of the words
 */
export function longestMatch({ text }, words, from = 0, granted = { left: maxSteps }) {
  const first = words[0];
  if (first === undefined) return null;
  const most = Math.min(maxSteps, granted.left);
  let steps = 0;
  /** @type {WordRange & { n: number } | null} */
  let best = null;
  for (let start = text.indexOf(first, from); start >= 0; start = text.indexOf(first, start + 1)) {
    steps += 1;
    if (steps > most) break;
    if (!isBorder(text, start) || text[start - 1] === raised) continue;
    let [at, next] = [start, 0];
    for (;;) {
      steps += 1;
      if (next > (best?.n ?? 0) && text[at - 1] !== ' ' && isBorder(text, at) && isBorder(words, next))
        best = { start, end: at, n: next };
      if (next >= words.length || at >= text.length) break;
      const [found, wanted] = [text[at], words[next]];
      if (found === raised) {
        if (text[at + 1] === wanted) next += 1;
        at += 2;
      } else if (found === soft) {
        if (wanted === '-') next += 1;
        at += 1;
      } else if (found === wanted) {
        at += 1;
        next += 1;
      } else break;
    }
    if (best?.n === words.length) break;
  }
  granted.left -= steps;
  return best;
}

/** True if no word runs on across a place. @param {string} text @param {number} at */
function isBorder(text, at) {
  const [before = '', after = ''] = [text[at - 1], text[at]];
  return text[at - 2] === raised || !(borders(before) && borders(after));
}

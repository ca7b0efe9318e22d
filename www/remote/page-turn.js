/**
 * A quotation that begins at the end of one page and goes on at the beginning of the next. It stands there as one only if
 * nothing but the pages' furniture stands between: below its last line on the first page, and above its first line on the
 * second, its column has no lines but such as another page has at the same height (a running header or footer, its
 * numbers apart), numbers alone, and notes in smaller type. Anything else could be words that a quotation leaves out.
 */

import { findWords, longestMatch } from './page-words.js';

/** @typedef {import('./page-words.js').PageRun} PageRun */
/** @typedef {import('./page-words.js').PageWords} PageWords */
/** @typedef {import('./page-words.js').WordRange} WordRange */
/** @typedef {{ y: number, left: number, right: number, height: number, text: string }} Line in points */

/** Points by which the same line of two pages may differ in height. */
const sameHeight = 3;
/** Part of the height of the quotation's type below which a line is a note. */
const smaller = 0.92;
/** Most characters of a line without letters that is a page's number. */
const maxNumber = 16;

/**
 * @param {PageWords} page
 * @param {PageWords} next the page after it
 * @param {string} words comparable
 * @param {readonly PageWords[]} [others] further pages that may have the same furniture: left and right ones differ
 * @returns {[WordRange, WordRange] | null}
 */
export function findAcross(page, next, words, others = []) {
  const head = longestMatch(page, words);
  if (head === null || head.n === words.length) return null;
  const tail = findWords(next, words.slice(head.n).trimStart());
  if (tail === null) return null;
  const [lines, nextLines, ...more] = [page, next, ...others].map(({ runs }) => linesOf(runs));
  const last = lineAt(page, head.end - 1, lines ?? []);
  const first = lineAt(next, tail.start, nextLines ?? []);
  if (!last || !first) return null;
  const isClear =
    between(lines ?? [], last, -1).every(
      (line) => line.height < smaller * last.height || isFurniture(line, [nextLines ?? [], ...more].flat()),
    ) && between(nextLines ?? [], first, 1).every((line) => isFurniture(line, [lines ?? [], ...more].flat()));
  return isClear ? [{ start: head.start, end: head.end }, tail] : null;
}

/** Lines of a line's column below it, or above it. @param {readonly Line[]} lines @param {Line} from @param {1 | -1} side */
function between(lines, from, side) {
  return lines.filter(
    (line) => side * (line.y - from.y) > from.height / 2 && line.left < from.right && line.right > from.left,
  );
}

/** True if another page has the same line, or it is a number. @param {Line} line @param {readonly Line[]} others */
function isFurniture({ y, text }, others) {
  const words = withoutNumbers(text);
  if (!/\p{L}/u.test(words)) return text.length <= maxNumber;
  return others.some((other) => Math.abs(other.y - y) < sameHeight && withoutNumbers(other.text) === words);
}

/** @param {string} text */
const withoutNumbers = (text) => text.replace(/[\d\s]+/g, '');

/** The line of a place. @param {PageWords} page @param {number} at code unit of its text @param {readonly Line[]} lines */
function lineAt({ places, runs }, at, lines) {
  const y = runs[places[at]?.run ?? -1]?.transform[5] ?? Number.NaN;
  return lines.find((line) => Math.abs(line.y - y) < line.height / 2);
}

/** Lines of a page: runs at one height that are near each other. @param {readonly PageRun[]} runs @returns {Line[]} */
function linesOf(runs) {
  /** @type {Line[]} */
  const lines = [];
  for (const { str, transform, width, height } of runs) {
    if (str.trim() === '') continue;
    const [left = 0, y = 0] = transform.slice(4);
    const line = lines.find(
      (each) =>
        Math.abs(each.y - y) < Math.max(each.height, height) / 2 &&
        left < each.right + 2 * height &&
        left + width > each.left - 2 * height,
    );
    if (!line) {
      lines.push({ y, left, right: left + width, height, text: str });
      continue;
    }
    line.left = Math.min(line.left, left);
    line.right = Math.max(line.right, left + width);
    // A raised mark is part of its line.
    if (height > line.height) Object.assign(line, { y, height });
    line.text += str;
  }
  return lines;
}

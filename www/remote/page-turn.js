/**
 * A quotation that begins at the end of one page and goes on at the beginning of the next. It stands there as one only if
 * nothing but the pages' furniture stands between: after its last words on the first page, and before its first words on the
 * second, their own line has nothing but raised marks, and their column and those after it, or before it, have no lines but
 * such as another page has at the same height (a running header or footer, its numbers apart), numbers alone, and after the
 * first page's words notes in smaller type. Anything else could be words that a quotation leaves out.
 */

import { findWords, longestMatch, maxRuns, onlyRaised } from './page-words.js';

/** @typedef {import('./page-words.js').PageRun} PageRun */
/** @typedef {import('./page-words.js').PageWords} PageWords */
/** @typedef {import('./page-words.js').WordRange} WordRange */
/** @typedef {{ left: number, right: number }} Column in points */
/** @typedef {Column & { y: number, height: number, text: string, words: string, runs: Set<number> }} Line `words` without numbers, `runs` by their places in the page */

/** Points by which the same line of two pages may differ in height. */
const sameHeight = 3;
/** Part of the height of the quotation's type below which a line is a note. */
const smaller = 0.92;
/** Most characters of a line without letters that is a page's number. */
const maxNumber = 16;
/** Most space between two words of a line, and the distance within which lines show how wide their column is: in heights of the type. */
const maxGap = 1.2;
const nearby = 10;
/** Mark of an item, which may stand outside of its column: “(iv)”, “1.2.”. */
const label = /^\(?(?:\p{L}|[ivxl]{1,6}|[\d.]{1,8})[).]$/iu;
/** Most lines of a page; of one that has more nothing is said. */
const maxLines = 1_000;

/**
 * @param {PageWords} page
 * @param {PageWords} next the page after it
 * @param {string} words comparable
 * @param {readonly PageWords[]} [others] further pages that may have the same furniture: left and right ones differ
 * @param {import('./page-words.js').Steps} [steps]
 * @returns {[WordRange, WordRange] | null}
 */
export function findAcross(page, next, words, others = [], steps = undefined) {
  const head = longestMatch(page, words, 0, steps);
  if (head === null || head.n === words.length) return null;
  const tail = findWords(next, words.slice(head.n).trimStart(), 0, steps);
  if (tail === null) return null;
  const [lines = [], nextLines = [], ...more] = [page, next, ...others].map(linesOf);
  const after = between(page, head, lines, 1);
  const before = between(next, tail, nextLines, -1);
  if (!after || !before) return null;
  const isClear =
    after.lines.every(
      (line) => line.height < smaller * after.height || isFurniture(line, [nextLines, ...more].flat()),
    ) && before.lines.every((line) => isFurniture(line, [lines, ...more].flat()));
  return isClear ? [{ start: head.start, end: head.end }, tail] : null;
}

/**
 * Lines between the end of a range and that of its page, or its start and that of the page: farther on in its column, and in
 * the columns beyond. Null where the rest of its own line has words, too.
 * @param {PageWords} page @param {WordRange} range @param {readonly Line[]} lines @param {1 | -1} side 1 for after the range
 * @returns {{ lines: Line[], height: number } | null} `height` of the range's own line
 */
function between(page, range, lines, side) {
  const run = page.places[side > 0 ? range.end - 1 : range.start]?.run ?? -1;
  const own = lines.find(({ runs }) => runs.has(run));
  if (!own || lines.length > maxLines || page.runs.length >= maxRuns) return null;
  const near = lines.filter((line) => isBeside(line, own) && Math.abs(line.y - own.y) < nearby * own.height);
  const column = {
    left: Math.min(...near.map(({ left }) => left)),
    right: Math.max(...near.map(({ right }) => right)),
  };
  /** Runs at the height of the range. @type {Set<number>} */
  const row = new Set();
  const farther = lines.filter((line) => {
    if (!isBeside(line, column))
      return (
        !label.test(line.text.trim()) && (side > 0 ? line.left >= column.right : line.right <= column.left)
      );
    const down = side * (own.y - line.y);
    if (Math.abs(down) <= own.height / 2) for (const each of line.runs) row.add(each);
    return down > own.height / 2;
  });
  return onlyRaised.test(restOfRow(page, range, row, side)) ? { lines: farther, height: own.height } : null;
}

/** Words of a row beyond a range: after it there, or before it. @param {PageWords} page @param {WordRange} range @param {ReadonlySet<number>} row @param {1 | -1} side */
function restOfRow({ text, places, runs }, { start, end }, row, side) {
  const edge = side > 0 ? end - 1 : start;
  const at = places[edge]?.run ?? -1;
  const x = (/** @type {number} */ run) => runs[run]?.transform[4] ?? 0;
  let rest = '';
  for (const [unit, { run }] of places.entries()) {
    if (!row.has(run) || (unit >= start && unit < end)) continue;
    const distance = run === at ? unit - edge : x(run) - x(at);
    if (side * distance > 0) rest += text[unit];
  }
  return rest;
}

/** True if two have a part of the width in common. @param {Column} a @param {Column} b */
const isBeside = (a, b) => a.left < b.right && a.right > b.left;

/** True if another page has the same line, or it is a number. @param {Line} line @param {readonly Line[]} others */
function isFurniture({ y, text, words }, others) {
  if (!/\p{L}/u.test(words)) return text.length <= maxNumber;
  return others.some((other) => Math.abs(other.y - y) < sameHeight && other.words === words);
}

/** Lines of each page that was looked at. @type {WeakMap<PageWords, Line[]>} */
const known = new WeakMap();

/** Lines of a page: runs at one height that are near each other. @param {PageWords} page @returns {Line[]} */
function linesOf(page) {
  const lines = known.get(page) ?? [];
  if (known.has(page)) return lines;
  known.set(page, lines);
  for (const [run, { str, transform, width, height }] of page.runs.entries()) {
    if (str.trim() === '') continue;
    const [left = 0, y = 0] = transform.slice(4);
    const line = lines.find(
      (each) =>
        Math.abs(each.y - y) < Math.max(each.height, height) / 2 &&
        left < each.right + maxGap * height &&
        left + width > each.left - maxGap * height,
    );
    if (!line) {
      lines.push({ y, left, right: left + width, height, text: str, words: '', runs: new Set([run]) });
      if (lines.length > maxLines) break;
      continue;
    }
    line.left = Math.min(line.left, left);
    line.right = Math.max(line.right, left + width);
    // A raised mark is part of its line.
    if (height > line.height) Object.assign(line, { y, height });
    line.text += str;
    line.runs.add(run);
  }
  for (const line of lines) line.words = line.text.replace(/[\d\s]+/g, '');
  return lines;
}

/**
 * The sections of a document: as the engine read them from its headings, or else the bookmarks of the PDF. Both are
 * hostile input: bookmarks may be without end, go in circles or lead nowhere, so they are capped and their places are looked
 * up only when one is chosen.
 */

import { comparable, fold } from '../dom/fold.js';

/** @typedef {import('./text.js').BlockSource} BlockSource */
/** @typedef {import('./pdf.js').PdfDocument} PdfDocument */
/** @typedef {import('./pages.js').PagesView} PagesView */

/**
 * @typedef {object} Section
 * @property {string} title
 * @property {number} level from 1
 * @property {SectionPlace} place
 */

/**
 * @typedef {(
 *   | { block: number, length: number, start: string, share: number }
 *   | { dest: unknown }
 * )} SectionPlace
 * block with the heading and its length, the words that follow it, and how much of the document stands before it, 0 to 1;
 * or the destination of a bookmark
 */

/** Most sections that are listed. */
const maxSections = 5_000;
/** Bookmarks nested deeper than this are listed at this depth. */
const maxDepth = 12;
/** Longest title, in code units. */
const maxTitle = 200;
/** Milliseconds that pdf.js has for the bookmarks of a document. */
const patience = 8_000;
/** Blocks that are asked for at once. */
const pieceLength = 500;
/** Letters after a heading that tell its place from a table of contents and running headers. */
const startLength = 48;
/** Pages on each side of where a heading should stand, among which its mere title is enough. */
const vicinity = 40;

/**
 * Sections by the headings of a document's text.
 * @param {BlockSource} source
 * @param {() => boolean} isWanted false ends the reading
 * @returns {Promise<Section[]>}
 */
export async function headingsOf(source, isWanted) {
  /** @type {{ title: string, level: number, block: number, length: number, start: string, before: number }[]} */
  const found = [];
  let total = 0;
  for (let first = 0; isWanted(); first += pieceLength) {
    const blocks = await source(first, pieceLength);
    for (const [at, { kind, role, level, text }] of blocks.entries()) {
      if (kind !== 'footnote') follow(found, text);
      if (kind === 'heading' && role !== 'title' && found.length < maxSections)
        found.push({
          ...{ title: titleOf(text), level: level ?? 1, block: first + at },
          ...{ length: text.length, start: '', before: total },
        });
      total += text.length;
    }
    if (blocks.length < pieceLength) break;
  }
  return found
    .filter(({ title }) => title !== '')
    .map(({ title, level, before, ...place }) => ({
      title,
      level,
      place: { ...place, share: before / Math.max(1, total) },
    }));
}

/** Adds words to what follows the latest headings, until it is long enough. @param {{ start: string }[]} found @param {string} text */
function follow(found, text) {
  for (let at = found.length - 1; at >= 0; at -= 1) {
    const heading = found[at];
    if (!heading || heading.start.length >= startLength) return;
    heading.start += letters(text.slice(0, 4 * startLength)).slice(0, startLength - heading.start.length);
  }
}

/** Bookmarks of a PDF; none where they cannot be read. @param {PdfDocument} pdf @returns {Promise<Section[]>} */
export async function bookmarksOf(pdf) {
  const late = new Promise((resolve) => setTimeout(resolve, patience, null));
  const outline = await Promise.race([pdf.getOutline(), late]).catch(() => null);
  return flattened(Array.isArray(outline) ? outline : []);
}

/**
 * @param {readonly unknown[]} outline bookmarks as pdf.js gives them
 * @returns {Section[]}
 */
export function flattened(outline) {
  /** @type {Section[]} */
  const sections = [];
  const left = outline
    .slice(0, maxSections)
    .reverse()
    .map((item) => ({ item, level: 1 }));
  // Those without a title are not listed, but may not go on without end either.
  for (let looked = 0; looked < 4 * maxSections && sections.length < maxSections; looked += 1) {
    const next = left.pop();
    if (!next) break;
    const { item, level } = next;
    if (typeof item !== 'object' || item === null) continue;
    const { title, dest, items } = /** @type {Record<string, unknown>} */ (item);
    const name = typeof title === 'string' ? titleOf(title) : '';
    if (name !== '') sections.push({ title: name, level: Math.min(level, maxDepth), place: { dest } });
    const below = Array.isArray(items) ? items.slice(0, maxSections) : [];
    for (const child of below.reverse()) left.push({ item: child, level: level + 1 });
  }
  return sections;
}

/**
 * Goes to a section of a PDF.
 * @param {Section} section
 * @param {PagesView} pages
 * @returns {Promise<boolean>} false where it leads nowhere
 */
export async function goToSection({ title, place }, pages) {
  if ('dest' in place) return goToDestination(place.dest, pages);
  const { start, share } = place;
  const guess = Math.min(pages.nPages, 1 + Math.floor(share * pages.nPages));
  const found = await locate(title, start, guess, pages);
  if (found) await pages.reveal(found.number, found.from, found.to);
  else pages.goTo(guess);
  return true;
}

/**
 * Finds the page of a heading, from where it should stand outwards: the heading with the words that follow it, else the
 * nearest place with its title.
 * @param {string} title
 * @param {string} start
 * @param {number} guess 1-based
 * @param {Pick<PagesView, 'nPages' | 'textOf'>} pages
 * @returns {Promise<{ number: number, from: number, to: number } | null>} code units of the page's text
 */
export async function locate(title, start, guess, pages) {
  const heading = letters(title);
  if (heading === '') return null;
  /** @type {{ number: number, from: number, to: number } | null} */
  let near = null;
  for (let away = 0; away < pages.nPages && !(near && away > vicinity); away += 1) {
    for (const number of away === 0 ? [guess] : [guess + away, guess - away]) {
      if (number < 1 || number > pages.nPages) continue;
      const text = await pages.textOf(number).catch(() => '');
      const page = lettersOf(text);
      const whole = page.text.indexOf(heading + start);
      if (whole >= 0) return placeAt(page, number, whole, heading.length);
      const bare = page.text.indexOf(heading);
      if (bare >= 0) near ??= placeAt(page, number, bare, heading.length);
    }
  }
  return near;
}

/** @param {{ at: number[] }} page @param {number} number @param {number} start @param {number} length */
function placeAt({ at }, number, start, length) {
  return { number, from: at[start] ?? 0, to: (at[start + length - 1] ?? 0) + 1 };
}

/** @param {unknown} dest @param {PagesView} pages */
async function goToDestination(dest, pages) {
  const { pdf } = pages;
  try {
    const explicit = typeof dest === 'string' ? await pdf?.getDestination(dest) : dest;
    if (!pdf || !Array.isArray(explicit)) return false;
    const [page, mode, ...at] = explicit;
    const number = Number.isInteger(page) ? page + 1 : (await pdf.getPageIndex(page)) + 1;
    if (!(number >= 1 && number <= pdf.numPages)) return false;
    const height = mode?.name === 'XYZ' ? at[1] : /^FitB?H$/.test(mode?.name) ? at[0] : null;
    await pages.goToHeight(number, Number.isFinite(height) ? height : null);
    return true;
  } catch {
    return false;
  }
}

/** A title as it can be shown: without marks that nobody sees. @param {string} text */
function titleOf(text) {
  const seen = text.slice(0, 4 * maxTitle).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ');
  return seen.trim().slice(0, maxTitle);
}

/** Letters and digits of a text, as they are compared, with their places in it. @param {string} original */
function lettersOf(original) {
  const folded = fold(original);
  let text = '';
  /** @type {number[]} */
  const at = [];
  for (const [unit, character] of [...comparable(folded.text, false).split('').entries()])
    if (/[\p{L}\p{N}]/u.test(character)) {
      text += character;
      at.push(folded.at[unit] ?? 0);
    }
  return { text, at };
}

/** @param {string} text */
const letters = (text) => lettersOf(text).text;

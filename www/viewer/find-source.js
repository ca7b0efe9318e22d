/**
 * The two kinds of document as the search sees them: parts with a text each, of which some are on screen.
 */

/**
 * @typedef {import('./finder.js').FindSource & {
 *   onScreen: () => number[],
 *   rangeOf: (part: number, from: number, to: number) => Range | null,
 *   reveal: (part: number, from: number, to: number) => Promise<void>,
 * }} LitSource parts on screen, ranges of their text in code units, and how one is scrolled to
 */

/** A PDF: its parts are pages. @param {import('./pages.js').PagesView} pages @returns {LitSource} */
export function pagesSource(pages) {
  return {
    count: async () => pages.nPages,
    here: () => pages.current - 1,
    read: (part) => pages.textOf(part + 1),
    onScreen: () => pages.withText.map((number) => number - 1),
    rangeOf: (part, from, to) => pages.rangeOf(part + 1, from, to),
    reveal: (part, from, to) => pages.reveal(part + 1, from, to),
  };
}

/** A document without pages: its parts are blocks. @param {import('./text.js').TextView} text @returns {LitSource} */
export function textSource(text) {
  return {
    count: () => text.complete(),
    here: () => text.onScreen[0] ?? 0,
    read: async (part) => text.textOf(part),
    onScreen: () => text.onScreen,
    rangeOf: (part, from, to) => text.rangeOf(part, from, to),
    reveal: async (part, from, to) => text.reveal(part, from, to),
  };
}

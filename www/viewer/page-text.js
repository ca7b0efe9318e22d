/**
 * The text of a page as pdf.js reads it, and its places in the text layer: the runs that it is made of are, in the same
 * order, the elements of the layer.
 */

/** @typedef {{ str: string, hasEOL: boolean }} TextRun */

/**
 * @param {import('./pdf.js').PdfPage} page
 * @returns {Promise<string>} runs one after the other, a line break where a line ends
 */
export async function pageText(page) {
  const { items } = await page.getTextContent();
  return items.map((item) => ('str' in item ? item.str + lineEnd(item) : '')).join('');
}

/**
 * @param {readonly { element: HTMLElement, run: TextRun }[]} layer
 * @param {number} from code units of the page's text
 * @param {number} to
 * @returns {Range | null} null of nothing in the layer
 */
export function rangeIn(layer, from, to) {
  const range = new Range();
  let isBegun = false;
  let start = 0;
  for (const { element, run } of layer) {
    const end = start + run.str.length;
    const text = element.firstChild;
    if (text !== null && from < end && to > start) {
      if (!isBegun) range.setStart(text, Math.max(0, from - start));
      isBegun = true;
      range.setEnd(text, Math.min(run.str.length, to - start));
    }
    start = end + lineEnd(run).length;
    if (start >= to) break;
  }
  return isBegun ? range : null;
}

/** @param {TextRun} run */
function lineEnd({ hasEOL }) {
  return hasEOL ? '\n' : '';
}

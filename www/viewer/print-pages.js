/**
 * Pages of a PDF as pictures at print resolution. The browser's own view of the file would print its bytes, but it is a
 * plug-in in a frame, which the policies that this page lives under forbid. Pages are drawn one after the other on one
 * canvas, and kept as PNG, which the browser may put on disk.
 */

import { boxOf } from './highlight.js';

/** @typedef {import('./pdf.js').PdfDocument} PdfDocument */
/** @typedef {{ width: number, height: number, picture: Blob }} PrintedPage points, and what is on the page */

/** Dots per inch; pdf.js prints at the same. */
const resolution = 150;
/** Pixels of a page; larger ones are refused by some devices. */
const maxPixels = 16_000_000;
/** The highlighter, on paper. */
const markColour = '#ffe066';

/**
 * Draws pages, in the order in which they are asked for.
 * @param {PdfDocument} pdf
 * @param {readonly number[]} numbers 1-based
 * @param {readonly import('./pages.js').PageQuads[]} marked words to be marked
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<PrintedPage>}
 */
export async function* printedPages(pdf, numbers, marked, signal) {
  const canvas = document.createElement('canvas');
  try {
    for (const number of numbers) {
      signal.throwIfAborted();
      const quads = marked.filter(({ page }) => page === number).flatMap((span) => span.quads);
      yield await printedPage(pdf, number, quads, canvas, signal);
    }
  } finally {
    // A canvas of no size gives its memory back at once.
    canvas.width = canvas.height = 0;
  }
}

/**
 * @param {PdfDocument} pdf
 * @param {number} number
 * @param {readonly number[][]} quads
 * @param {HTMLCanvasElement} canvas
 * @param {AbortSignal} signal
 * @returns {Promise<PrintedPage>}
 */
async function printedPage(pdf, number, quads, canvas, signal) {
  const page = await pdf.getPage(number);
  const natural = page.getViewport({ scale: 1 });
  const { width, height } = natural;
  const scale = Math.min(resolution / 72, Math.sqrt(maxPixels / (width * height)));
  const viewport = page.getViewport({ scale });
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  const drawing = page.render({ canvas, viewport, intent: 'print', background: '#fff' });
  const cancel = () => drawing.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    await drawing.promise;
  } catch {
    // Cancelled; or damaged, then the page is printed as far as it goes, as it is shown.
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', cancel);
  }
  mark(canvas, quads, natural);
  page.cleanup();
  const picture = await new Promise((/** @type {(blob: Blob | null) => void} */ resolve) =>
    canvas.toBlob(resolve),
  );
  if (picture === null) throw new Error(`page ${number} could not be drawn: the device has no memory for it`);
  return { width, height, picture };
}

/** Marks words as a highlighter does. @param {HTMLCanvasElement} canvas @param {readonly number[][]} quads @param {import('./pdf.js').PageViewport} natural */
function mark(canvas, quads, natural) {
  const context = canvas.getContext('2d');
  if (!context) return;
  context.setTransform(canvas.width / 100, 0, 0, canvas.height / 100, 0, 0);
  context.globalCompositeOperation = 'multiply';
  context.fillStyle = markColour;
  for (const quad of quads) {
    const box = boxOf(quad, natural);
    if (box) context.fillRect(box.left, box.top, box.width, box.height);
  }
}

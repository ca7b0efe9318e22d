/**
 * One page on screen: its element, and what is drawn in it while it is near.
 */

import { el } from '../dom/elements.js';

/** @typedef {import('./pdf.js').PdfPage} PdfPage */
/** @typedef {import('./pdf.js').PageViewport} PageViewport */

/**
 * @typedef {object} PageView one page on screen
 * @property {number} number 1-based
 * @property {HTMLElement} element
 * @property {PdfPage | null} page
 * @property {PageViewport | null} natural at scale 1
 * @property {{ cancel: () => void } | null} drawing
 * @property {number} drawnAt scale of the drawing, 0 when there is none
 * @property {Promise<void>} drawn when the drawing and its text are there
 * @property {{ element: HTMLElement, run: import('./page-text.js').TextRun }[]} layer runs of text that are laid over the drawing
 */

/** Sharpness is capped: a canvas of more pixels than this is refused by some devices. */
const maxPixels = 16_000_000;

/** A page that nothing is known of yet. @param {number} number @param {HTMLElement} element @returns {PageView} */
export function pageView(number, element) {
  const drawn = Promise.resolve();
  return { number, element, page: null, natural: null, drawing: null, drawnAt: 0, drawn, layer: [] };
}

/** Gives a page its size. @param {HTMLElement} element @param {{ width: number, height: number }} natural at scale 1 */
export function size(element, { width, height }) {
  element.style.setProperty('--page-width', `${width}px`);
  element.style.setProperty('--page-height', `${height}px`);
}

/**
 * Draws a page and lays its text over it. Resolves when both are there, or the drawing was given up.
 * @param {PageView} view
 * @param {PdfPage} page
 * @param {number} scale CSS pixels per point
 */
export async function draw(view, page, scale) {
  view.drawing?.cancel();
  const natural = page.getViewport({ scale: 1 });
  const ratio = Math.min(
    globalThis.devicePixelRatio || 1,
    2.5,
    Math.sqrt(maxPixels / (natural.width * natural.height)) / scale,
  );
  const viewport = page.getViewport({ scale: scale * ratio });
  const canvas = el('canvas', {
    width: Math.floor(viewport.width),
    height: Math.floor(viewport.height),
    'aria-hidden': 'true',
  });
  const drawing = page.render({ canvas, viewport });
  view.drawing = drawing;
  try {
    await drawing.promise;
  } catch {
    // Cancelled, because it went out of sight or another scale was asked for; or damaged, then it stays white.
    return;
  }
  if (view.drawing !== drawing) return;
  view.element.querySelector('canvas')?.remove();
  view.element.prepend(canvas);
  if (!view.element.querySelector('.text-layer')) await layText(view, page, natural);
}

/** A page whose text cannot be read has none. @param {PageView} view @param {PdfPage} page @param {PageViewport} natural */
async function layText(view, page, natural) {
  const container = el('div', { class: 'text-layer' });
  view.element.append(container);
  try {
    const [{ TextLayer }, content] = await Promise.all([import('./pdf.js'), page.getTextContent()]);
    const layer = new TextLayer({ textContentSource: content, container, viewport: natural });
    await layer.render();
    if (!container.isConnected) return;
    const runs = content.items.flatMap((item) => ('str' in item ? item : []));
    view.layer = layer.textDivs.flatMap((element, at) => (runs[at] ? { element, run: runs[at] } : []));
  } catch {
    container.remove();
  }
}

/** Lets go of what was drawn; the lit boxes stay.
 * @param {PageView} view */
export function clear(view) {
  view.drawing?.cancel();
  view.drawing = null;
  view.drawnAt = 0;
  view.layer = [];
  const canvas = view.element.querySelector('canvas');
  // A canvas of no size gives its memory back at once.
  if (canvas) canvas.width = canvas.height = 0;
  canvas?.remove();
  view.element.querySelector('.text-layer')?.remove();
  view.page?.cleanup();
}

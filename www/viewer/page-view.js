/**
 * One page on screen: its element, and what is drawn in it while it is near.
 */

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
 */

/** Gives a page its size. @param {HTMLElement} element @param {{ width: number, height: number }} natural at scale 1 */
export function size(element, { width, height }) {
  element.style.setProperty('--page-width', `${width}px`);
  element.style.setProperty('--page-height', `${height}px`);
}

/** Lets go of what was drawn; the lit boxes stay.
 * @param {PageView} view */
export function clear(view) {
  view.drawing?.cancel();
  view.drawing = null;
  view.drawnAt = 0;
  const canvas = view.element.querySelector('canvas');
  // A canvas of no size gives its memory back at once.
  if (canvas) canvas.width = canvas.height = 0;
  canvas?.remove();
  view.element.querySelector('.text-layer')?.remove();
  view.page?.cleanup();
}

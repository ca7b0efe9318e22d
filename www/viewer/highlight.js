/**
 * Boxes of a citation on a page as drawn: quads in PDF user space become boxes in per cent of the page, so that
 * zooming moves nothing.
 */

/** @typedef {{ left: number, top: number, width: number, height: number }} Box per cent of the page as shown */
/** @typedef {{ width: number, height: number, convertToViewportPoint: (x: number, y: number) => number[] }} Viewport */

/**
 * @param {readonly number[]} quad `x y` of four corners
 * @param {Viewport} viewport of the page, at any scale
 * @returns {Box | null} null when the quad is not eight finite numbers
 */
export function boxOf(quad, viewport) {
  if (quad.length !== 8 || !quad.every(Number.isFinite)) return null;
  const xs = [];
  const ys = [];
  for (let corner = 0; corner < 8; corner += 2) {
    const [x = 0, y = 0] = viewport.convertToViewportPoint(quad[corner] ?? 0, quad[corner + 1] ?? 0);
    xs.push(x);
    ys.push(y);
  }
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  return {
    left: (100 * left) / viewport.width,
    top: (100 * top) / viewport.height,
    width: (100 * (right - left)) / viewport.width,
    height: (100 * (bottom - top)) / viewport.height,
  };
}

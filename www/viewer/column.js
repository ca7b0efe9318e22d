/**
 * The text column around lit words, in points of the page as shown: a page is scaled so that it fills the viewer. The
 * text near the words is projected on the width of the page; a gap there as wide as a gutter ends the column, but for section
 * numbers in its margin, which a pinpoint citation names.
 */

/** @typedef {{ str: string, transform: number[], width: number, height: number }} TextItem run in PDF user space */
/** @typedef {{ width: number, height: number, convertToViewportPoint: (x: number, y: number) => number[] }} Viewport */
/** @typedef {import('./highlight.js').Box} Box */
/** @typedef {{ left: number, width: number }} Column points from the left edge of the page */
/** @typedef {{ left: number, right: number, top: number, bottom: number }} Extent points */

/** Points between two runs of text that part columns. */
const gutter = 14;
/** Points above and below the lit words in which text tells how wide their column is. */
const reach = 120;
/** Points left of a column in which the numbers of its sections may hang; a column of text is wider. */
const hanging = 72;
/** Points of the narrowest column: a cell or a number is shown with what stands around it. */
const narrowest = 180;

/**
 * @param {readonly TextItem[]} items of the page
 * @param {Viewport} viewport of the page at scale 1
 * @param {readonly Box[]} lit per cent of the page; none for the column of all its text
 * @returns {Column | null} null where the page has neither text nor lit words
 */
export function columnOf(items, viewport, lit) {
  const words = lit.map((box) => ({
    left: (box.left * viewport.width) / 100,
    right: ((box.left + box.width) * viewport.width) / 100,
    top: (box.top * viewport.height) / 100,
    bottom: ((box.top + box.height) * viewport.height) / 100,
  }));
  const all = items.flatMap((item) => extentOf(item, viewport) ?? []);
  const first = words.length > 0 ? union(words) : union(all);
  if (first === null) return null;
  const near = all.filter(({ top, bottom }) => bottom > first.top - reach && top < first.bottom + reach);
  const { left, right } = words.length > 0 ? grown(first, near) : first;
  return widened(Math.max(0, left), Math.min(viewport.width, right), viewport.width);
}

/** The extent with all that gaps narrower than a gutter join to it. @param {Extent} from @param {Extent[]} near */
function grown(from, near) {
  let { left, right } = from;
  const sorted = [...near].sort((a, b) => a.left - b.left);
  // One way, then the other: each pass sees the runs in the order in which they lie.
  for (const run of sorted)
    if (run.left < right + gutter && run.right > left) right = Math.max(right, run.right);
  for (const run of [...sorted].sort((a, b) => b.right - a.right))
    if (run.right > left - gutter && run.left < right) left = Math.min(left, run.left);
  const beside = union(near.filter((run) => run.right <= left));
  return { left: beside && beside.left >= left - hanging ? beside.left : left, right };
}

/** @param {number} left @param {number} right @param {number} page @returns {Column} */
function widened(left, right, page) {
  const width = Math.min(page, Math.max(narrowest, right - left));
  const start = (left + right - width) / 2;
  return { left: Math.max(0, Math.min(page - width, start)), width };
}

/** @param {TextItem} item @param {Viewport} viewport @returns {Extent | null} null of white space, or off the page */
function extentOf({ str, transform, width, height }, viewport) {
  const [a = 1, b = 0, , , x = 0, y = 0] = transform;
  const length = Math.hypot(a, b) || 1;
  const [along, up] = [a / length, b / length];
  if (str.trim() === '' || ![along, up, x, y, width, height].every(Number.isFinite)) return null;
  const corners = [
    viewport.convertToViewportPoint(x, y),
    viewport.convertToViewportPoint(x + along * width - up * height, y + up * width + along * height),
  ];
  const [xs, ys] = [corners.map(([at = 0]) => at), corners.map(([, at = 0]) => at)];
  const extent = {
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
  };
  const isOn =
    extent.right > 0 && extent.left < viewport.width && extent.bottom > 0 && extent.top < viewport.height;
  return isOn ? extent : null;
}

/** @param {readonly Extent[]} extents @returns {Extent | null} null of none */
function union(extents) {
  return extents.reduce(
    (/** @type {Extent | null} */ whole, each) => ({
      left: Math.min(whole?.left ?? each.left, each.left),
      right: Math.max(whole?.right ?? each.right, each.right),
      top: Math.min(whole?.top ?? each.top, each.top),
      bottom: Math.max(whole?.bottom ?? each.bottom, each.bottom),
    }),
    null,
  );
}

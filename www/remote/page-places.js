/**
 * Where the words of a quotation are lit: the quads that the server gave for a page if they lie on the words that were found
 * there, else boxes of those words as pdf.js knows them, which are less exact within a line.
 */

/** @typedef {import('./page-words.js').PageWords} PageWords */
/** @typedef {import('./page-words.js').WordRange} WordRange */
/** @typedef {import('../engine/protocol.js').Citation['quads'][number]} Quad */
/** @typedef {{ left: number, right: number, bottom: number, top: number }} Box in points of the page, y upwards */

/** Part of a box of found words that the quads must cover, and part of a quad that must lie on found words. */
const covered = 0.5;
const used = 0.3;
/** Most pairs of boxes and quads that are compared. */
const maxPairs = 1_000_000;
/** Parts of the height of a run's type that are below and above its baseline. */
const descent = 0.2;
const ascent = 0.8;

/**
 * @param {PageWords} page
 * @param {readonly WordRange[]} ranges of the words on the page
 * @param {readonly Quad[]} claimed
 * @returns {Quad[]}
 */
export function placesOn(page, ranges, claimed) {
  const found = ranges.flatMap((range) => quadsOf(page, range));
  const [boxes, lights] = [found, claimed].map((quads) => quads.map(boxOf));
  const isOnWords =
    claimed.length > 0 &&
    claimed.length * found.length <= maxPairs &&
    (boxes ?? []).every((box) => overlap(box, lights ?? []) >= covered * area(box)) &&
    (lights ?? []).every((light) => overlap(light, boxes ?? []) >= used * area(light));
  return isOnWords ? [...claimed] : found;
}

/** Quads of words, one a run. @param {PageWords} page @param {WordRange} range @returns {Quad[]} */
function quadsOf({ places, runs }, { start, end }) {
  /** @type {Map<number, { from: number, to: number }>} */
  const parts = new Map();
  for (const { run, at } of places.slice(start, end)) {
    const part = parts.get(run);
    parts.set(run, { from: Math.min(at, part?.from ?? at), to: Math.max(at + 1, part?.to ?? 0) });
  }
  return [...parts].flatMap(([at, { from, to }]) => {
    const run = runs[at];
    if (!run || run.str.length === 0) return [];
    const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = run.transform;
    const [along, up] = [Math.hypot(a, b) || 1, Math.hypot(c, d) || 1];
    const point = (/** @type {number} */ share, /** @type {number} */ rise) => [
      x + (a / along) * run.width * share + (c / up) * run.height * rise,
      y + (b / along) * run.width * share + (d / up) * run.height * rise,
    ];
    const [first, last] = [from / run.str.length, to / run.str.length];
    const corners = [
      point(first, ascent),
      point(last, ascent),
      point(first, -descent),
      point(last, -descent),
    ];
    return [/** @type {Quad} */ (/** @type {unknown} */ (corners.flat()))];
  });
}

/** @param {readonly number[]} quad @returns {Box} */
function boxOf(quad) {
  const xs = quad.filter((_, at) => at % 2 === 0);
  const ys = quad.filter((_, at) => at % 2 === 1);
  return { left: Math.min(...xs), right: Math.max(...xs), bottom: Math.min(...ys), top: Math.max(...ys) };
}

/** @param {Box} box */
const area = ({ left, right, bottom, top }) => (right - left) * (top - bottom);

/** Area that a box has in common with others, which do not overlap each other. @param {Box} box @param {readonly Box[]} others */
function overlap(box, others) {
  return others.reduce((sum, other) => {
    const width = Math.min(box.right, other.right) - Math.max(box.left, other.left);
    const height = Math.min(box.top, other.top) - Math.max(box.bottom, other.bottom);
    return width > 0 && height > 0 ? sum + width * height : sum;
  }, 0);
}

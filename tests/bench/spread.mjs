/** Spread of a figure that was measured in several turns. */

/** @typedef {{ least: number, median: number, most: number }} Spread */

/** @param {number[]} numbers @returns {Spread} */
export function spread(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const [least = NaN] = sorted;
  return { least, median: sorted[sorted.length >> 1] ?? NaN, most: sorted.at(-1) ?? NaN };
}

/** @param {Spread} spread @param {number} [digits] behind the point */
export const spreadCell = ({ least, median, most }, digits = 2) =>
  `${median.toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;

/**
 * Documents for tests in which the page is killed: all of one name, the hardest case for what is told apart, each with a
 * word of its own in its first line and another in its last, so that a half one is noticed.
 */

import { createHash } from 'node:crypto';
import { pdf } from '../harness.mjs';

/** @typedef {{ name: string, bytes: Uint8Array, id: string, first: string, last: string }} Deed `id` is its SHA-256 */

/** A word that no other number gives; no rule of stemming shortens one that ends with x. @param {string} stem @param {number} n */
const wordOf = (stem, n) =>
  `${stem}${[...n.toString(20)].map((digit) => letters[Number.parseInt(digit, 20)]).join('')}x`;
const letters = 'bcdfghjklmnpqrtvwaou';

/** @param {number} n its number, from 0 @param {number} nLines of its one page @returns {Deed} */
export function deed(n, nLines) {
  const [first, last] = [wordOf('quil', n), wordOf('zam', n)];
  const body = Array.from(
    { length: nLines },
    (_, line) => `Section ${line + 1}. The payment of the penalty number ${n} is due in ${line + 2} days.`,
  );
  const file = pdf('deed.pdf', [`Deed of ${first}`, ...body, `Signed by ${last}.`]);
  return { ...file, id: createHash('sha256').update(file.bytes).digest('hex'), first, last };
}

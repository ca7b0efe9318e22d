/**
 * Derivation of a score as the engine gives it: a tree of named contributions, each level folded below the one above.
 */

import { el } from '../../dom/elements.js';

/** @typedef {import('pincite-wasm').Explanation} Explanation */

/** Contributions of one node that are shown. */
const most = 60;

/** @param {import('../../strings/lab/en.js').LabStrings} texts @param {Explanation} explanation */
export function explanation(texts, { value, description, details }) {
  return el(
    'details',
    { class: 'lab-why' },
    el('summary', {}, texts.why(description, value)),
    el('ul', {}, ...details.slice(0, most).map((each) => node(each))),
  );
}

/** @param {Explanation} explanation @returns {HTMLElement} */
function node({ value, description, details }) {
  const text = `${description} = ${Number(value.toPrecision(4))}`;
  if (details.length === 0) return el('li', {}, text);
  return el(
    'li',
    {},
    el(
      'details',
      {},
      el('summary', {}, text),
      el('ul', {}, ...details.slice(0, most).map((each) => node(each))),
    ),
  );
}

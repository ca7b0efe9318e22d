/**
 * Tables of the measures: the mean of each, and before and after with the interval of the difference.
 */

import { el } from '../../dom/elements.js';
import { cutoffs, measures } from '../judged.js';

/** @typedef {import('../protocol.js').RankedQuestion} RankedQuestion */
/** @typedef {import('../protocol.js').Difference} Difference */
/** @typedef {{ before: number[], after: number[], differences: Difference[] }} Comparison means in the order of the measures */

/** Means in the order of the measures. @param {import('../engine.js').LabEngine} engine @param {RankedQuestion[]} questions */
export async function measured(engine, questions) {
  const { at } = await engine.request({ type: 'measure', questions, ks: cutoffs });
  return measures.map(([name, k]) => at.find((cut) => cut.k === k)?.mean[name] ?? 0);
}

/**
 * The same questions, ranked before and after.
 * @param {import('../engine.js').LabEngine} engine
 * @param {RankedQuestion[]} before
 * @param {RankedQuestion[]} after
 * @returns {Promise<Comparison>}
 */
export async function compared(engine, before, after) {
  const [first, second] = await Promise.all(
    [before, after].map((questions) => engine.request({ type: 'measure', questions, ks: cutoffs })),
  );
  const values = (/** @type {typeof first} */ reply, /** @type {(typeof measures)[number]} */ [name, k]) =>
    reply?.at.find((cut) => cut.k === k)?.questions.map((question) => question?.[name] ?? 0) ?? [];
  const pairs = measures.map((measure) => ({
    before: values(first, measure),
    after: values(second, measure),
  }));
  const differences = await engine.request({ type: 'compare', pairs });
  const mean = (/** @type {number[]} */ all) =>
    all.reduce((sum, value) => sum + value, 0) / Math.max(1, all.length);
  return {
    before: pairs.map((pair) => mean(pair.before)),
    after: pairs.map((pair) => mean(pair.after)),
    differences,
  };
}

/** Number of measures that are surely better, and worse: whose interval is above 0, or below. @param {Comparison} comparison */
export function verdict({ differences }) {
  return {
    better: differences.filter(({ low }) => low > 0).length,
    worse: differences.filter(({ high }) => high < 0).length,
  };
}

/**
 * @param {import('../lab.js').PartHost} host
 * @param {number[] | null} whole means of a run over all its questions, or of another ranking over those of `pair`
 * @param {Comparison | null} pair
 * @param {string} [wholeName] head of the first means
 */
export function measureTable({ texts, measureNames }, whole, pair, wholeName = texts.now) {
  const share = (/** @type {number | undefined} */ value) => (value ?? 0).toFixed(3);
  const signed = (/** @type {number} */ value) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
  const heads = [
    texts.measure,
    whole && wholeName,
    pair && texts.before,
    pair && texts.after,
    pair && texts.difference,
  ].filter((head) => head !== null);
  const rows = measures.map(([name, k], at) => {
    const difference = pair?.differences[at];
    return el(
      'tr',
      {},
      el('th', { scope: 'row' }, measureNames[name] ?? name, `@${k}`),
      whole && el('td', {}, share(whole[at])),
      pair && el('td', {}, share(pair.before[at])),
      pair && el('td', {}, share(pair.after[at])),
      difference &&
        el(
          'td',
          {},
          signed(difference.mean),
          ' ',
          el('span', { class: 'fine' }, texts.interval(signed(difference.low), signed(difference.high))),
        ),
    );
  });
  return el(
    'div',
    { class: 'lab-scroll', tabIndex: 0, role: 'group', 'aria-label': texts.measuresTable },
    el(
      'table',
      { class: 'lab-table' },
      el('thead', {}, el('tr', {}, ...heads.map((head) => el('th', { scope: 'col' }, head)))),
      el('tbody', {}, ...rows),
    ),
  );
}

/**
 * Settings of a run: how its searches are made. A stored value is read by `readSettings`, since another version of the page,
 * or anybody, may have written it.
 */

import { flag, keyOf, number, shape } from '../widget/shape.js';

/**
 * @typedef {object} LabSettings
 * @property {number} k hits of a question, 10 to 100
 * @property {'child' | 'article' | 'both'} units passages that are listed
 * @property {'answers' | 'ltr' | 'blend' | 'rrf'} fusion `answers` as answers choose passages, but for the comparison word by word
 * @property {'auto' | 'exact' | 'hnsw'} ann
 * @property {number} k1 of BM25, 0 to 3
 * @property {number} b of BM25, 0 to 1
 * @property {number} denseWeight weight of vectors, 0 to 1; not with `rrf`
 * @property {boolean} vectors false for words alone
 * @property {'shipped' | 'trial'} ranker of `ltr`
 */

/** Weight of vectors that each ranking ships with. @type {Readonly<Record<LabSettings['fusion'], number>>} */
export const usualWeight = { answers: 0.55, ltr: 0.4, blend: 0.4, rrf: 0.4 };

/** Settings of the engine's answers. @type {Readonly<LabSettings>} */
export const usual = {
  k: 20,
  units: 'child',
  fusion: 'answers',
  ann: 'auto',
  k1: 0.7,
  b: 0.6,
  denseWeight: usualWeight.answers,
  vectors: true,
  ranker: 'shipped',
};

/** Least, greatest and step of each number. @type {Readonly<Record<'k' | 'k1' | 'b' | 'denseWeight', readonly [number, number, number]>>} */
export const ranges = { k: [10, 100, 1], k1: [0, 3, 0.05], b: [0, 1, 0.05], denseWeight: [0, 1, 0.05] };

/** Values of each choice. */
export const choices = /** @type {const} */ ({
  units: { both: true, child: true, article: true },
  fusion: { answers: true, ltr: true, blend: true, rrf: true },
  ann: { auto: true, exact: true, hnsw: true },
});

/** @typedef {'none' | 'extracted' | 'model'} AnswersBy who answers the questions of a run, if anybody */
/** @type {Readonly<Record<AnswersBy, true>>} */
export const answerChoices = { none: true, extracted: true, model: true };

/** @param {keyof typeof ranges} name @returns {import('../widget/shape.js').Reader<number>} */
const within = (name) => (value) => {
  const [least, greatest] = ranges[name];
  const found = number(value);
  if (found < least || found > greatest) throw new RangeError(`${name} is ${found}`);
  return found;
};

/** @type {import('../widget/shape.js').Reader<LabSettings>} */
export const readSettings = shape({
  k: within('k'),
  units: keyOf(choices.units),
  fusion: keyOf(choices.fusion),
  ann: keyOf(choices.ann),
  k1: within('k1'),
  b: within('b'),
  denseWeight: within('denseWeight'),
  vectors: flag,
  ranker: keyOf({ shipped: true, trial: true }),
});

/** Settings of a run that every search of the library gets. @param {LabSettings} settings @returns {import('../engine/protocol.js').RankingSettings} */
export function rankingOf({ units, fusion, ann, k1, b, denseWeight }) {
  return { units, fusion, ann, k1, b, denseWeight };
}

/** The same with another ranking, and the weight of vectors that it ships with. @param {LabSettings} settings @param {LabSettings['fusion']} fusion @returns {LabSettings} */
export function withFusion(settings, fusion) {
  return settings.fusion === fusion ? settings : { ...settings, fusion, denseWeight: usualWeight[fusion] };
}

/** Settings of a run that answers get: parameters of the ranking that is theirs; with another one they are as in the page. @param {LabSettings} settings @returns {import('../engine/protocol.js').AnswerRanking | undefined} */
export function answerRankingOf({ fusion, k1, b, denseWeight }) {
  return fusion === 'answers' ? { k1, b, denseWeight } : undefined;
}

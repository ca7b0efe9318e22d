/**
 * Training of a ranker on the questions of the lab: some are held out, the others give their candidates to the trainer, and
 * the held-out ones are searched with the ranker that ships and with the new one.
 */

import { goldOf, ranked, resultOf } from './judged.js';
import { withFusion } from './settings.js';

/** @typedef {import('./questions.js').Question} Question */
/** @typedef {import('./settings.js').LabSettings} LabSettings */
/** @typedef {import('./protocol.js').RankedQuestion} RankedQuestion */
/** @typedef {{ step: 'candidates' | 'rounds' | 'measuring', done: number, total: number }} TrainingProgress */

/** Fewest questions that a ranker is trained on, besides those held out. */
export const fewest = 50;
/** Seed of the draw of those held out: the same questions give the same ones. */
const seed = 7;

/**
 * @typedef {object} Trained
 * @property {string} model as LightGBM's text
 * @property {number} learned questions that taught something
 * @property {'document' | 'question'} by how the others were held out
 * @property {Question[]} heldOut
 * @property {RankedQuestion[]} before rankings of those, with the ranker that ships
 * @property {RankedQuestion[]} after with the new one
 * @property {RankedQuestion[] | null} otherwise with the ranking that is set for runs; null where that is the learned one
 */

/** Thrown with too few questions. */
export class TooFewError extends Error {
  /** @param {number} n that can teach something */
  constructor(n) {
    super(`${n} questions teach something, expected ${fewest}`);
    this.n = n;
  }
}

/**
 * @param {object} options
 * @param {import('./engine.js').LabEngine} options.lab
 * @param {readonly Question[]} options.questions those that can be judged
 * @param {number} options.share of those held out, 0 to 1
 * @param {LabSettings} options.settings
 * @param {AbortSignal} options.signal
 * @param {import('./engine.js').OnWait} options.onWait
 * @param {(progress: TrainingProgress) => void} options.onProgress
 * @returns {Promise<Trained | null>} null where it was cancelled
 */
export async function train({ lab, questions, share, settings, signal, onWait, onProgress }) {
  const { heldOut: held, by } = await lab.request({
    type: 'hold-out',
    ids: questions.map(({ id }) => id),
    documents: questions.map(({ places }) => places[0]?.document ?? ''),
    share,
    seed,
  });
  const learning = questions.filter((_, at) => held[at] === 0);
  const heldOut = questions.filter((_, at) => held[at] === 1);
  if (learning.length < fewest) throw new TooFewError(learning.length);
  const learned = withFusion(settings, 'ltr');
  if (settings.vectors) await lab.embedded(signal, onWait);
  const n = await addAll({ lab, learning, settings: learned, signal, onProgress });
  if (n === null) return null;
  if (n < fewest) throw new TooFewError(n);
  const cancel = () => void lab.cancelTraining();
  signal.addEventListener('abort', cancel, { once: true });
  const model = await lab
    .request(
      { type: 'train' },
      { onProgress: ({ round, rounds }) => onProgress({ step: 'rounds', done: round, total: rounds }) },
    )
    .finally(() => signal.removeEventListener('abort', cancel));
  if (model === null) return null;
  await lab.tryRanker(model);
  /** @type {LabSettings[]} */
  const rankings = [
    { ...learned, ranker: 'shipped' },
    { ...learned, ranker: 'trial' },
    ...(settings.fusion === 'ltr' ? [] : [settings]),
  ];
  /** @type {RankedQuestion[][]} */
  const found = rankings.map(() => []);
  const total = rankings.length * heldOut.length;
  for (const [at, ranking] of rankings.entries())
    for (const [nth, question] of heldOut.entries()) {
      if (signal.aborted) return null;
      const gold = goldOf(question, lab.documents) ?? [];
      const reply = await lab.search(question.query, ranking, gold);
      found[at]?.push(ranked(question, resultOf(question, reply)));
      onProgress({ step: 'measuring', done: at * heldOut.length + nth + 1, total });
    }
  const [before = [], after = [], otherwise = null] = found;
  return { model, learned: n, by, heldOut, before, after, otherwise };
}

/**
 * Gives the trainer the candidates of each question. Returns the number of those that teach something; null where it was
 * cancelled.
 * @param {{ lab: import('./engine.js').LabEngine, learning: Question[], settings: LabSettings, signal: AbortSignal, onProgress: (progress: TrainingProgress) => void }} options
 */
async function addAll({ lab, learning, settings, signal, onProgress }) {
  await lab.request({ type: 'reset' });
  const base = await lab.shippedRanker();
  let n = 0;
  for (const [at, { id, query, places }] of learning.entries()) {
    if (signal.aborted) return null;
    const gold = goldOf({ id, query, places, answer: '' }, lab.documents) ?? [];
    const { names, features, labels, scores } = await lab.candidates(query, settings, gold);
    if (await lab.request({ type: 'add', question: id, base, names, features, labels, scores })) n += 1;
    onProgress({ step: 'candidates', done: at + 1, total: learning.length });
  }
  return n;
}

/**
 * A run: each question is searched, one after the other, and its result handed on as it comes. What is done already is not
 * done again, so a run that was ended goes on.
 */

import { answerResult, askedOf, goldOf, resultOf } from './judged.js';

/** @typedef {import('./questions.js').Question} Question */
/** @typedef {import('./judged.js').Result} Result */
/** @typedef {import('./kept-lab.js').Run} Run */

/** Results that are stored at once; those with an answer by a model are stored as they come. */
const stored = 16;

/** Questions whose places are all in the library, and the names of documents that are missing. @param {readonly Question[]} questions @param {readonly import('../engine/protocol.js').LibraryDocument[]} documents */
export function judgeable(questions, documents) {
  const names = new Set(documents.map(({ name }) => name));
  const missing = questions
    .flatMap(({ places }) => places.map(({ document }) => document))
    .filter((name) => !names.has(name));
  return {
    asked: questions.filter((question) => goldOf(question, documents) !== null),
    missing: [...new Set(missing)],
  };
}

/**
 * @param {object} options
 * @param {import('./engine.js').LabEngine} options.lab
 * @param {Run} options.run
 * @param {readonly Question[]} options.questions those that can be judged
 * @param {import('./engine.js').Answering} options.answering how questions are answered in the page
 * @param {readonly Result[]} options.done results that are there already
 * @param {AbortSignal} options.signal
 * @param {import('./engine.js').OnWait} options.onWait
 * @param {(done: number, total: number) => void} options.onProgress
 * @param {(results: Result[]) => Promise<void>} options.store
 * @returns {Promise<Result[]>} those of all questions, or of those before it was ended
 */
export async function searchAll({ lab, run, questions, answering, done, signal, onWait, onProgress, store }) {
  const by = run.answers === 'model' ? answering : { ...answering, model: null };
  if (run.settings.vectors) await lab.embedded(signal, onWait);
  const known = new Map(done.map((result) => [result.question, result]));
  const isKnown = (/** @type {Question} */ question) => known.get(question.id)?.asked === askedOf(question);
  /** @type {Result[]} */
  let fresh = [];
  const storeFresh = async () => {
    if (fresh.length > 0) await store(fresh);
    fresh = [];
  };
  for (const [at, question] of questions.entries()) {
    if (signal.aborted) break;
    // Without a document that was taken out meanwhile it cannot be judged.
    const gold = isKnown(question) ? null : goldOf(question, lab.documents);
    if (gold !== null) {
      const result = await resultFor({ lab, run, question, gold, by, signal }).catch(async (error) => {
        await storeFresh();
        throw error;
      });
      // One that was cut off is asked again when the run goes on.
      if (result === null) break;
      known.set(question.id, result);
      fresh.push(result);
    }
    if (fresh.length >= (by.model ? 1 : stored)) await storeFresh();
    onProgress(at + 1, questions.length);
  }
  await storeFresh();
  return questions.filter(isKnown).flatMap(({ id }) => known.get(id) ?? []);
}

/**
 * The result of one question; null where its answer was cut off.
 * @param {{ lab: import('./engine.js').LabEngine, run: Run, question: Question, gold: import('pincite-wasm').GoldPlace[], by: import('./engine.js').Answering, signal: AbortSignal }} options
 */
async function resultFor({ lab, run, question, gold, by, signal }) {
  const result = resultOf(question, await lab.search(question.query, run.settings, gold));
  if (run.answers === 'none') return result;
  const answer = await lab.answer(question.query, run.settings, by, signal).catch((error) => {
    if (!signal.aborted) throw error;
  });
  return answer ? { ...result, answer: answerResult(answer, gold) } : null;
}

/** A name that no other run has. */
export const newRunId = () =>
  `${Date.now().toString(36)}-${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36)}`;

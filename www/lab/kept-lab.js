/**
 * All of the lab that outlasts the page: questions, runs with their results, and the trained ranker, in a database beside the
 * library. Results are stored as they come, so a run that was ended goes on where it was. Tabs share it: what is changed is read,
 * changed and written in one transaction. What comes out of storage is read anew; where nothing can be stored, it lasts as long
 * as the page.
 */

import { openLab, labTables } from '../engine/ranking.js';
import { settled, transact } from '../engine/idb.js';
import { flag, keyOf, listOf, number, orNull, shape, text } from '../widget/shape.js';
import { limits } from './questions.js';
import { answerChoices, readSettings } from './settings.js';

/** @typedef {import('./questions.js').Question} Question */
/** @typedef {import('./judged.js').Result} Result */
/** @template T @typedef {import('../widget/shape.js').Reader<T>} Reader */

/** @typedef {{ id: string, at: number, settings: import('./settings.js').LabSettings, answers: import('./settings.js').AnswersBy, isDone: boolean }} Run `at` in milliseconds since the epoch */
/** @typedef {{ model: string, at: number, questions: number, heldOut: number }} TrainedRanker numbers of questions that it learned from and was measured with */

/** Runs that are kept: this one and the one before; and those that have not ended, of all tabs. */
const maxRuns = 2;
const maxOpen = 8;
/** Most characters of a ranker. */
const maxModel = 16_000_000;

/** @type {Reader<[number, number]>} */
const pair = (value) => {
  const [from, to] = listOf(number)(value);
  return [number(from), number(to)];
};
const readPlace = shape({ document: text, pages: listOf(number), range: orNull(pair), quote: text });
const readQuestion = shape({ id: text, query: text, answer: text, places: listOf(readPlace) });
const readHit = shape({
  id: text,
  page: orNull(number),
  document: text,
  score: number,
  gold: listOf(number),
});
const readAnswer = shape({ probability: number, right: flag, refused: flag, byModel: flag });
const readResult = shape({ question: text, asked: text, hits: listOf(readHit), answer: orNull(readAnswer) });
const readRun = shape({
  id: text,
  at: number,
  settings: readSettings,
  answers: keyOf(answerChoices),
  isDone: flag,
});
/** @type {Reader<string>} */
const modelText = (value) => {
  if (typeof value !== 'string' || value.length > maxModel) throw new TypeError('no ranker is stored');
  return value;
};
const readRanker = shape({ model: modelText, at: number, questions: number, heldOut: number });

export class KeptLab {
  #library;

  /** @param {string} library */
  constructor(library) {
    this.#library = library;
  }

  /** Null where there is no storage. @returns {Promise<Question[] | null>} */
  async questions() {
    const value = await this.#value('questions');
    return value === null ? null : questionsOf(value);
  }

  /**
   * Changes what is stored, whichever tab stored it, in one transaction.
   * @param {(questions: readonly Question[]) => readonly Question[]} change
   * @returns {Promise<readonly Question[] | null>} what is stored then; null where there is no storage
   */
  changeQuestions(change) {
    return this.#transact('readwrite', async ({ values }) => {
      const changed = change(questionsOf(await settled(values.get('questions'))));
      await settled(values.put(changed, 'questions'));
      return changed;
    });
  }

  /** Runs, the newest first; null where there is no storage. @returns {Promise<readonly Run[] | null>} */
  async runs() {
    const value = await this.#value('runs');
    return value === null ? null : runsOf(value);
  }

  /**
   * Changes the runs that are stored, whichever tab stored them, in one transaction; results of those that fall out go.
   * @param {(runs: readonly Run[]) => readonly Run[]} change
   * @returns {Promise<{ before: readonly Run[], after: readonly Run[] } | null>} those stored until then, and then; null where
   *   there is no storage
   */
  changeRuns(change) {
    return this.#transact('readwrite', async ({ values, results }) => {
      const before = runsOf(await settled(values.get('runs')));
      const after = change(before);
      for (const { id } of before) if (!has(after, id)) results.delete(ofRun(id));
      await settled(values.put(after, 'runs'));
      return { before, after };
    });
  }

  /** @param {string} run @returns {Promise<Result[]>} */
  async results(run) {
    const found = await this.#transact('readonly', ({ results }) => settled(results.getAll(ofRun(run))));
    return readEach(readResult, found);
  }

  /** Stores results of a run, unless it is gone: another tab may have cleared the library. @param {string} run @param {readonly Result[]} all */
  async putResults(run, all) {
    await this.#transact('readwrite', async ({ values, results }) => {
      if (!has(runsOf(await settled(values.get('runs'))), run)) return;
      for (const result of all) results.put(result, [run, result.question]);
    });
  }

  /** @returns {Promise<TrainedRanker | null>} */
  async ranker() {
    return read(readRanker, await this.#value('ranker'));
  }

  /** @param {TrainedRanker} ranker */
  putRanker(ranker) {
    return this.#put('ranker', ranker);
  }

  /** The ranking that every search uses, as the engine keeps it: whether there is one, and whether with a ranker of one's own. */
  async ranking() {
    const value = await this.#value('ranking');
    if (typeof value !== 'object' || value === null) return null;
    const { settings, ranker } = /** @type {import('../engine/protocol.js').KeptRanking} */ (value);
    return { settings: Object(settings), ranker: typeof ranker === 'string' ? ranker : null };
  }

  /** @param {string} name */
  #value(name) {
    return this.#transact('readonly', ({ values }) => settled(values.get(name)));
  }

  /** @param {string} name @param {unknown} value */
  async #put(name, value) {
    await this.#transact('readwrite', ({ values }) => settled(values.put(value, name)));
  }

  /**
   * @template T
   * @param {IDBTransactionMode} mode
   * @param {(tables: { values: IDBObjectStore, results: IDBObjectStore }) => Promise<T>} work
   * @returns {Promise<T | null>} null where there is no storage
   */
  async #transact(mode, work) {
    const database = await openLab(this.#library).catch(() => null);
    if (database === null) return null;
    try {
      return await transact(database, [...labTables], mode, (t) =>
        work({ values: t.objectStore('values'), results: t.objectStore('results') }),
      );
    } finally {
      database.close();
    }
  }
}

/** Stored questions that can be read. @param {unknown} value @returns {Question[]} */
export const questionsOf = (value) => readEach(readQuestion, value).slice(0, limits.questions);

/** Stored runs that can be read. @param {unknown} value @returns {Run[]} */
export const runsOf = (value) => readEach(readRun, value).slice(0, maxRuns + maxOpen);

/**
 * Runs with one in the first place. Of the others, the newest that is done is kept, which this one is compared with, and those
 * that are not done: another tab may be at them.
 * @param {readonly Run[]} runs @param {Run} run
 * @param {ReadonlySet<string>} [replaced] runs that are known to have ended early, which go unless they were gone on with
 */
export function withRun(runs, run, replaced = new Set()) {
  const others = runs.filter(({ id, isDone }) => id !== run.id && (isDone || !replaced.has(id)));
  const done = others.filter(({ isDone }) => isDone).slice(0, maxRuns - 1);
  const open = others.filter(({ isDone }) => !isDone).slice(0, maxOpen);
  return [run, ...others.filter((other) => done.includes(other) || open.includes(other))];
}

/** @param {readonly Run[]} runs @param {string} run */
const has = (runs, run) => runs.some(({ id }) => id === run);

/** Entries of a list, without those that cannot be read. @template T @param {Reader<T>} reader @param {unknown} value @returns {T[]} */
const readEach = (reader, value) =>
  Array.isArray(value) ? value.flatMap((each) => read(reader, each) ?? []) : [];

/** Keys of a run's results. @param {string} run */
const ofRun = (run) => IDBKeyRange.bound([run], [run, []]);

/** @template T @param {Reader<T>} reader @param {unknown} value @returns {T | null} */
function read(reader, value) {
  try {
    return reader(value);
  } catch {
    return null;
  }
}

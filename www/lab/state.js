/**
 * State of the lab that its parts share: questions, settings, runs with their results, the trained ranker, and what every
 * search uses. Each change is kept, and told to the parts.
 */

import { LabEngine } from './engine.js';
import { askedOf } from './judged.js';
import { KeptLab } from './kept-lab.js';
import { readSettings, usual } from './settings.js';

/** @typedef {import('./questions.js').Question} Question */
/** @typedef {import('./judged.js').Result} Result */
/** @typedef {import('./kept-lab.js').Run} Run */
/** @typedef {import('./settings.js').LabSettings} LabSettings */

export class LabState extends EventTarget {
  engine;
  /** @type {readonly Question[]} */
  questions = [];
  /** The newest first. @type {readonly Run[]} */
  runs = [];
  /** By run. @type {Map<string, readonly Result[]>} */
  results = new Map();
  /** @type {import('./kept-lab.js').TrainedRanker | null} */
  ranker = null;
  /** @type {LabSettings} */
  settings = { ...usual };
  /** Ranking that every search uses; null for that which ships. @type {import('../engine/protocol.js').KeptRanking | null} */
  ranking = null;
  #kept;
  /** Changes of questions while nothing could be stored. @type {((questions: readonly Question[]) => readonly Question[])[]} */
  #unkept = [];

  /** @param {string} library @param {() => import('../engine/client.js').Engine} engine @param {() => import('../engine/files.js').AssetBase} base */
  constructor(library, engine, base) {
    super();
    this.engine = new LabEngine(engine, base);
    this.#kept = new KeptLab(library);
  }

  /** Takes up what is kept. */
  async load() {
    const [questions, runs, ranker, ranking] = await Promise.all([
      this.#kept.questions(),
      this.#kept.runs(),
      this.#kept.ranker(),
      this.#kept.ranking(),
    ]);
    this.questions = questions;
    this.runs = runs;
    this.ranker = ranker;
    this.ranking = ranking;
    this.results = new Map(
      await Promise.all(
        runs.map(async ({ id }) => /** @type {const} */ ([id, await this.#kept.results(id)])),
      ),
    );
    this.settings = { ...(runs[0]?.settings ?? usual) };
    if (ranker !== null) await this.engine.tryRanker(ranker.model).catch(() => this.#dropRanker());
    else this.settings.ranker = 'shipped';
    this.#changed();
  }

  /** Questions with their results of a run: those that still ask the same and are answered by the same places. @param {string | undefined} run */
  judged(run) {
    const results = new Map((this.results.get(run ?? '') ?? []).map((result) => [result.question, result]));
    return this.questions.flatMap((question) => {
      const result = results.get(question.id);
      return result?.asked === askedOf(question) ? { question, result } : [];
    });
  }

  /** Changes the questions as they are kept now: another tab may have changed them since. @param {(questions: readonly Question[]) => readonly Question[]} change */
  async changeQuestions(change) {
    const changes = [...this.#unkept, change];
    const kept = await this.#kept.changeQuestions((all) => changes.reduce((now, each) => each(now), all));
    this.#unkept = kept === null ? changes : [];
    this.questions = kept ?? change(this.questions);
    this.#changed();
  }

  /** @param {LabSettings} settings */
  setSettings(settings) {
    this.settings = readSettings(settings);
    this.#changed();
  }

  /** Puts a run in the first place, instead of one that was ended. @param {Run} run */
  async putRun(run) {
    const ended = this.runs.filter(({ id, isDone }) => id !== run.id && !isDone);
    for (const { id } of ended) {
      this.results.delete(id);
      await this.#kept.dropResults(id);
    }
    const others = this.runs.filter((other) => !ended.includes(other));
    this.runs = await this.#kept.putRun(run, others);
    if (!this.results.has(run.id)) this.results.set(run.id, []);
    this.#changed();
  }

  /** Marks a run as done, if it is still there. @param {string} id */
  async finishRun(id) {
    const run = this.runs.find((each) => each.id === id);
    if (run) await this.putRun({ ...run, isDone: true });
  }

  /** @param {string} run that may be gone: the library may have been cleared meanwhile @param {readonly Result[]} fresh */
  async addResults(run, fresh) {
    if (!this.runs.some(({ id }) => id === run)) return;
    this.results.set(run, [...(this.results.get(run) ?? []), ...fresh]);
    await this.#kept.putResults(run, fresh);
  }

  /** A ranker that was trained, which is on trial from now on. @param {import('./kept-lab.js').TrainedRanker} ranker */
  async setRanker(ranker) {
    this.ranker = ranker;
    this.#changed();
    await this.#kept.putRanker(ranker);
  }

  /** Sets what every search uses; null for what ships. @param {import('../engine/protocol.js').KeptRanking | null} ranking */
  async use(ranking) {
    await this.engine.keepRanking(ranking ?? { settings: {}, ranker: null });
    this.ranking = ranking;
    this.#changed();
  }

  #dropRanker() {
    this.ranker = null;
    this.settings.ranker = 'shipped';
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}

/**
 * State of the lab that its parts share: questions, settings, runs with their results, the trained ranker, and what every
 * search uses. Each change is kept, and told to the parts.
 */

import { LabEngine } from './engine.js';
import { askedOf } from './judged.js';
import { KeptLab, withRun } from './kept-lab.js';
import { readSettings, usual } from './settings.js';
import { UnderWay } from './under-way.js';

/** @typedef {import('./questions.js').Question} Question */
/** @typedef {import('./judged.js').Result} Result */
/** @typedef {import('./kept-lab.js').Run} Run */
/** @typedef {import('./settings.js').LabSettings} LabSettings */

export class LabState extends EventTarget {
  engine;
  /** @type {readonly Question[]} */
  questions = [];
  /**
   * The newest first: the last one of this tab or that ended, and those before it that are done. What another tab is at is not
   * among them until it ends.
   * @type {readonly Run[]}
   */
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
  #underWay;
  /** The run that is under way in this tab. @type {{ id: string, release: () => Promise<void> } | null} */
  #own = null;
  /** Runs that ended early, when they were last read. @type {ReadonlySet<string>} */
  #ended = new Set();
  /** Changes of questions while nothing could be stored. @type {((questions: readonly Question[]) => readonly Question[])[]} */
  #unkept = [];

  /** @param {string} library @param {() => import('../engine/client.js').Engine} engine @param {() => import('../engine/files.js').AssetBase} base */
  constructor(library, engine, base) {
    super();
    this.engine = new LabEngine(engine, base);
    this.#kept = new KeptLab(library);
    this.#underWay = new UnderWay(library);
  }

  /** Takes up what is kept. */
  async load() {
    const [questions, runs, ranker, ranking] = await Promise.all([
      this.#kept.questions(),
      this.#kept.runs(),
      this.#kept.ranker(),
      this.#kept.ranking(),
    ]);
    this.questions = questions ?? [];
    this.ranker = ranker;
    this.ranking = ranking;
    await this.#take(runs ?? []);
    this.settings = { ...(this.runs[0]?.settings ?? usual) };
    if (ranker !== null) await this.engine.tryRanker(ranker.model).catch(() => this.#dropRanker());
    else this.settings.ranker = 'shipped';
    this.#changed();
  }

  /** Takes up what other tabs have changed since: questions and runs. Settings that are being tried stay. */
  async refresh() {
    const [questions, runs] = await Promise.all([this.#kept.questions(), this.#kept.runs()]);
    // Where nothing is stored, what is here is all.
    if (questions === null || runs === null) return;
    this.questions = this.#unkept.reduce(
      (now, each) => each(now),
      /** @type {readonly Question[]} */ (questions),
    );
    await this.#take(runs);
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

  /**
   * Begins a run, or goes on with one that ended early, instead of others that did. It is under way in this tab until
   * `endRun`.
   * @param {Run} run
   * @returns {Promise<'begun' | 'elsewhere' | 'done'>} whether another tab is at it, or has done it meanwhile
   */
  async beginRun(run) {
    const release = await this.#underWay.hold(run.id);
    if (release === null) {
      await this.refresh();
      return 'elsewhere';
    }
    this.#own = { id: run.id, release };
    const underWay = await this.#underWay.runs();
    const replaced = new Set([...this.#ended].filter((id) => !underWay.has(id)));
    const begin = (/** @type {readonly Run[]} */ all) =>
      all.some(({ id, isDone }) => id === run.id && isDone) ? all : withRun(all, run, replaced);
    const changed = await this.#kept.changeRuns(begin);
    const stored = changed?.before.find(({ id }) => id === run.id);
    // Another tab may have gone on with it, and its results are more than those here; or have replaced it, and they are gone.
    if (stored) this.results.delete(run.id);
    else await this.#kept.putResults(run.id, this.results.get(run.id) ?? []);
    await this.#take(changed?.after ?? begin(this.runs), changed !== null);
    this.#changed();
    return stored?.isDone ? 'done' : 'begun';
  }

  /** Marks the run of this tab as done, if it is still there. */
  async finishRun() {
    const own = this.#own?.id;
    const finish = (/** @type {readonly Run[]} */ all) => {
      const run = all.find(({ id }) => id === own);
      return run ? withRun(all, { ...run, isDone: true }) : all;
    };
    const changed = await this.#kept.changeRuns(finish);
    await this.#take(changed?.after ?? finish(this.runs), changed !== null);
    this.#changed();
  }

  /** The run of this tab is under way no more, whether it is done or ended early. */
  async endRun() {
    const own = this.#own;
    if (own === null) return;
    await own.release();
    this.#own = null;
    this.#ended = new Set([...this.#ended, own.id]);
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

  /** Takes up runs with their results. @param {readonly Run[]} runs @param {boolean} [isStored] false where results are here alone */
  async #take(runs, isStored = true) {
    const underWay = await this.#underWay.runs();
    const isOwn = (/** @type {Run} */ { id }) => id === this.#own?.id;
    const others = runs.filter((run) => !isOwn(run) && (run.isDone || !underWay.has(run.id)));
    const seen = [...runs.filter(isOwn), ...others];
    const shown = seen.filter(({ isDone }, at) => at === 0 || isDone);
    const results = new Map(isStored ? [] : this.results);
    if (isStored) for (const { id } of shown) results.set(id, await this.#kept.results(id));
    // Some of those of this tab may not be stored yet.
    for (const { id } of shown.filter(isOwn)) results.set(id, this.results.get(id) ?? results.get(id) ?? []);
    this.#ended = new Set(others.flatMap(({ id, isDone }) => (isDone ? [] : [id])));
    this.runs = shown;
    this.results = results;
  }

  #dropRanker() {
    this.ranker = null;
    this.settings.ranker = 'shipped';
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}

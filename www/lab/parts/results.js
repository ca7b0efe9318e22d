/**
 * Results of a run: the measures, before and after where there is a run before, and the questions one by one, each with the
 * rank of its right place, what was found instead, and why.
 */

import { el, fill } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { save } from '../../dom/save.js';
import { placeOf } from '../../viewer/citation-place.js';
import { goldOf, ranked, rankOf, trecFiles } from '../judged.js';
import { ranges } from '../settings.js';
import { compared, measured, measureTable, verdict } from './measures.js';
import { explanation } from './explanation.js';
import { drawPlots } from './plots.js';

/** @typedef {import('../questions.js').Question} Question */
/** @typedef {import('../judged.js').Result} Result */
/** @typedef {'all' | 'hit' | 'miss' | 'gained' | 'lost'} Outcome */

/** Questions that are listed at once, and hits of one that are shown. */
const listed = 20;
const shownHits = 5;
/** Characters of a passage that are shown. */
const excerptLength = 240;

export class ResultsPart {
  element;
  #texts;
  #state;
  #host;
  #shown = listed;
  /** The run drawn last, with its results and the run before. */
  #face = '';
  #summary = el('div', { class: 'lab-summary' });
  #plots = el('div', { class: 'lab-plots' });
  #list = el('ol', { class: 'lab-results' });
  #count = el('p', { class: 'fine', role: 'status' });
  #more;
  #outcome = el('select', { id: 'pincite-lab-outcome', onchange: () => this.#filter() });
  #document = el('select', { id: 'pincite-lab-of', onchange: () => this.#filter() });

  /** @param {import('../lab.js').PartHost} host */
  constructor(host) {
    const { texts, state } = host;
    this.#texts = texts;
    this.#state = state;
    this.#host = host;
    const field = (/** @type {string} */ label, /** @type {HTMLElement} */ input) =>
      el('div', { class: 'filter-field' }, el('label', { for: input.id }, label), input);
    this.#more = el(
      'button',
      { type: 'button', class: 'quiet', onclick: () => this.#showMore() },
      texts.more,
    );
    this.element = el(
      'section',
      { 'aria-labelledby': 'pincite-lab-results', hidden: true },
      el('h2', { id: 'pincite-lab-results' }, texts.results),
      this.#summary,
      el(
        'div',
        { class: 'dialog-actions' },
        el(
          'button',
          { type: 'button', class: 'quiet', onclick: () => this.#export('run') },
          icon('save'),
          texts.saveRun,
        ),
        el(
          'button',
          { type: 'button', class: 'quiet', onclick: () => this.#export('qrels') },
          icon('save'),
          texts.saveQrels,
        ),
      ),
      el('p', { class: 'fine' }, texts.trecHelp),
      this.#plots,
      el('h3', {}, texts.oneByOne),
      el('div', { class: 'lab-inline' }, field(texts.show, this.#outcome), field(texts.of, this.#document)),
      this.#count,
      this.#list,
      this.#more,
    );
  }

  update() {
    const [run, before] = this.#state.runs;
    const results = run ? this.#state.judged(run.id) : [];
    this.element.hidden = results.length === 0 || run?.isDone !== true;
    if (this.element.hidden || !run) return;
    const face = JSON.stringify([
      run.id,
      before?.id,
      results.map(({ result }) => result.asked),
      this.#before.length,
    ]);
    if (face === this.#face) return;
    this.#face = face;
    this.#shown = listed;
    this.#drawFilter();
    this.#filter();
    void this.#measure(run.settings).catch((error) =>
      fill(this.#summary, el('p', { class: 'note warning' }, this.#texts.failed(this.#host.describe(error)))),
    );
  }

  /** The run before, if it is done. */
  get #before() {
    const [, before] = this.#state.runs;
    return before?.isDone ? this.#state.judged(before.id) : [];
  }

  /** @param {import('../settings.js').LabSettings} settings of the run */
  async #measure(settings) {
    const { engine } = this.#state;
    const after = this.#state.judged(this.#state.runs[0]?.id);
    const earlier = new Map(this.#before.map((each) => [each.question.id, each]));
    const both = after.filter(({ question }) => earlier.has(question.id));
    const before = both.flatMap(({ question }) => earlier.get(question.id) ?? []);
    const rankings = (/** @type {typeof after} */ all) =>
      all.map(({ question, result }) => ranked(question, result));
    const whole = await measured(engine, rankings(after));
    const pair = both.length > 0 ? await compared(engine, rankings(before), rankings(both)) : null;
    const answers = after.flatMap(({ result }) => result.answer ?? []);
    const reliability =
      answers.length > 0
        ? await engine.request({
            type: 'reliability',
            probabilities: answers.map(({ probability }) => probability),
            right: answers.map(({ right }) => Number(right)),
          })
        : null;
    const outcomes = both.flatMap(({ result }, at) => {
      const [was, is] = [before[at]?.result.answer, result.answer];
      return was && is ? [[Number(was.right), Number(is.right)]] : [];
    });
    const [difference] =
      outcomes.length > 0
        ? await engine.request({
            type: 'compare',
            pairs: [{ before: outcomes.map(([was = 0]) => was), after: outcomes.map(([, is = 0]) => is) }],
          })
        : [];
    const texts = this.#texts;
    const nByModel = answers.filter(({ byModel }) => byModel).length;
    fill(
      this.#summary,
      // Over the same questions `after` is this run.
      measureTable(this.#host, pair && both.length === after.length ? null : whole, pair),
      settings.fusion === 'ltr' &&
        settings.ranker === 'trial' &&
        el('p', { class: 'note warning' }, texts.learnedFrom),
      pair && el('p', {}, texts.verdict(verdict(pair), pair.differences.length)),
      pair && el('p', { class: 'fine' }, texts.comparedOn(both.length)),
      answers.length > 0 &&
        el(
          'p',
          {},
          texts.answered(
            answers.filter(({ right }) => right).length,
            answers.filter(({ refused }) => refused).length,
            answers.length,
            nByModel,
          ),
        ),
      difference && el('p', {}, texts.answersCompared(difference)),
      reliability && el('p', { class: 'fine' }, texts.calibration(reliability.ece, reliability.brier)),
    );
    drawPlots(this.#plots, this.#host, {
      after: after.map(({ result }) => result),
      before: this.#before.map(({ result }) => result),
      gains: both.map(({ question, result }, at) => ({
        query: question.query,
        before: before[at] ? rankOf(before[at].result) : null,
        after: rankOf(result),
      })),
      k: settings.k,
      reliability,
    });
  }

  #drawFilter() {
    const texts = this.#texts;
    const hasBefore = this.#before.length > 0;
    const outcomes = /** @type {const} */ ([
      ['all', texts.all],
      ['miss', texts.misses],
      ['hit', texts.hits],
      ...(hasBefore
        ? [
            ['gained', texts.gained],
            ['lost', texts.lost],
          ]
        : []),
    ]);
    const chosen = this.#outcome.value;
    fill(this.#outcome, ...outcomes.map(([value, name]) => el('option', { value: value ?? '' }, name)));
    this.#outcome.value = outcomes.some(([value]) => value === chosen) ? chosen : 'all';
    const names = [
      ...new Set(this.#state.questions.flatMap(({ places }) => places.map(({ document }) => document))),
    ];
    fill(
      this.#document,
      el('option', { value: '' }, texts.allDocuments),
      ...names.sort().map((name) => el('option', { value: name }, name)),
    );
  }

  /** Lists the questions that the filter lets through. */
  #filter() {
    const earlier = new Map(this.#before.map(({ question, result }) => [question.id, rankOf(result)]));
    const [run] = this.#state.runs;
    const gone = (/** @type {number | null | undefined} */ rank) => rank ?? Infinity;
    const rows = this.#state
      .judged(run?.id)
      .map((each) => ({ ...each, rank: rankOf(each.result), before: earlier.get(each.question.id) }))
      .filter(({ question, rank, before }) => {
        const isOf =
          this.#document.value === '' ||
          question.places.some(({ document }) => document === this.#document.value);
        /** @type {Record<string, boolean>} */
        const outcomes = {
          all: true,
          hit: rank !== null,
          miss: rank === null,
          gained: before !== undefined && gone(rank) < gone(before),
          lost: before !== undefined && gone(rank) > gone(before),
        };
        return isOf && outcomes[this.#outcome.value] === true;
      });
    this.#count.textContent = this.#texts.nShown(Math.min(this.#shown, rows.length), rows.length);
    fill(this.#list, ...rows.slice(0, this.#shown).map((row) => this.#row(row)));
    this.#more.hidden = rows.length <= this.#shown;
  }

  #showMore() {
    const at = this.#shown;
    this.#shown += listed;
    this.#filter();
    const next = this.#list.children[at]?.querySelector('summary');
    if (next instanceof HTMLElement) next.focus();
  }

  /** @param {{ question: Question, result: Result, rank: number | null, before: number | null | undefined }} row */
  #row({ question, result, rank, before }) {
    const texts = this.#texts;
    const body = el('div', { class: 'lab-detail' });
    const details = el(
      'details',
      {},
      el(
        'summary',
        {},
        el(
          'span',
          { class: rank === null ? 'lab-rank missed' : 'lab-rank' },
          rank === null ? texts.missed : texts.rank(rank),
        ),
        el('span', { dir: 'auto' }, question.query),
        before !== undefined && before !== rank && el('span', { class: 'fine' }, texts.rankBefore(before)),
        result.answer && el('span', { class: 'fine' }, texts.answerOutcome(result.answer)),
      ),
      body,
    );
    details.addEventListener('toggle', () => {
      if (details.open && body.childElementCount === 0) void this.#explain(question, result, body);
    });
    return el('li', {}, details);
  }

  /** Searches a question again to show what it finds, and why. @param {Question} question @param {Result} result @param {HTMLElement} body */
  async #explain(question, result, body) {
    const texts = this.#texts;
    const [run] = this.#state.runs;
    const gold = goldOf(question, this.#state.engine.documents);
    if (!run || gold === null) return;
    fill(body, el('p', { class: 'fine' }, texts.searching));
    try {
      const search = (/** @type {number} */ k) =>
        this.#state.engine.search(question.query, { ...run.settings, k }, gold, { explain: true });
      const reply = await search(run.settings.k);
      const isSame = reply.hits.every(({ document, page }, at) => {
        const then = result.hits[at];
        return then?.document === document && then.page === page;
      });
      fill(
        body,
        el('h4', {}, texts.rightPlaces),
        el(
          'ul',
          {},
          ...question.places.map((place) =>
            el(
              'li',
              {},
              el(
                'button',
                { type: 'button', class: 'link', onclick: () => this.#host.showPlace(place) },
                this.#host.nameOf(place),
              ),
              place.quote !== '' && el('q', { dir: 'auto' }, place.quote),
            ),
          ),
        ),
        el('h4', {}, texts.found),
        !isSame && el('p', { class: 'note warning' }, texts.changedSince),
        el(
          'ol',
          { class: 'lab-hits' },
          ...reply.hits
            .slice(0, shownHits)
            .map((hit, at) => this.#hit(hit, (reply.gold?.[at] ?? []).length > 0)),
        ),
        ...(await this.#beyond(reply, search)),
      );
    } catch (error) {
      fill(body, el('p', { class: 'note warning' }, texts.failed(this.#host.describe(error))));
    }
  }

  /**
   * The first right passage of a question, where it is none of those shown, with its rank and why it has it.
   * @param {import('../../engine/protocol.js').SearchReply} reply
   * @param {(k: number) => Promise<import('../../engine/protocol.js').SearchReply>} search with so many hits
   */
  async #beyond(reply, search) {
    const first = (/** @type {typeof reply} */ { gold = [] }) =>
      gold.findIndex((places) => places.length > 0);
    const [, most] = ranges.k;
    const whole = first(reply) < 0 ? await search(most) : reply;
    const at = first(whole);
    const hit = whole.hits[at];
    if (at >= 0 && at < shownHits) return [];
    return [
      el('h4', {}, hit ? this.#texts.rightAt(at + 1) : this.#texts.rightNowhere(most)),
      hit && el('ol', { class: 'lab-hits', start: at + 1 }, this.#hit(hit, true)),
    ];
  }

  /** @param {import('../../engine/protocol.js').SearchReply['hits'][number]} hit @param {boolean} isRight */
  #hit(hit, isRight) {
    const texts = this.#texts;
    const place = [hit.document, this.#host.strings.format.page(hit)].filter(Boolean).join(', ');
    const open = () =>
      this.#host.show({ id: hit.documentId, name: hit.document }, placeOf({ ...hit, quote: hit.text }));
    return el(
      'li',
      {},
      el('button', { type: 'button', class: 'link', onclick: open }, place),
      isRight && el('span', { class: 'lab-rank' }, texts.right),
      el('p', { class: 'fine lab-text', dir: 'auto' }, excerpt(hit.text)),
      hit.explanation && explanation(texts, hit.explanation),
    );
  }

  /** @param {'run' | 'qrels'} kind */
  #export(kind) {
    const judged = this.#state.judged(this.#state.runs[0]?.id);
    const files = trecFiles(
      judged.map(({ question, result }) => ranked(question, result)),
      'pincite',
    );
    save(`pincite.${kind}`, files[kind], 'text/plain');
  }
}

/** The beginning of a passage, up to the end of a word. @param {string} text */
function excerpt(text) {
  return text.length <= excerptLength ? text : `${text.slice(0, excerptLength).replace(/\s*\S*$/, '')} …`;
}

/**
 * Training in the page: how many questions are held out, progress by round, cancelling, before and after on the held-out ones,
 * and what becomes of the new ranker.
 */

import { el, fill } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { save } from '../../dom/save.js';
import { measures } from '../judged.js';
import { judgeable } from '../run.js';
import { TooFewError, fewest, train } from '../training.js';
import { compared, measureTable, verdict } from './measures.js';

export class TrainingPart {
  element;
  #texts;
  #state;
  #host;
  /** @type {AbortController | null} */
  #running = null;
  #share = el('select', { id: 'pincite-lab-share' });
  #go;
  #cancel;
  #progress;
  #told = el('p', { class: 'fine' });
  #status = el('div', { class: 'lab-note', role: 'status' });
  #actions = el('div', { class: 'dialog-actions' });

  /** @param {import('../lab.js').PartHost} host */
  constructor(host) {
    const { texts, state } = host;
    this.#texts = texts;
    this.#state = state;
    this.#host = host;
    fill(
      this.#share,
      ...[0.2, 0.3, 0.4, 0.5].map((share) =>
        el('option', { value: String(share) }, texts.percent(100 * share)),
      ),
    );
    this.#share.value = '0.3';
    this.#go = el(
      'button',
      { type: 'button', class: 'primary', onclick: () => void this.#train() },
      texts.train,
    );
    this.#cancel = el(
      'button',
      { type: 'button', class: 'quiet', hidden: true, onclick: () => this.#running?.abort() },
      texts.cancel,
    );
    this.#progress = el('progress', { max: 1, value: 0, hidden: true, 'aria-label': texts.trainingProgress });
    this.element = el(
      'section',
      { 'aria-labelledby': 'pincite-lab-train' },
      el('h2', { id: 'pincite-lab-train' }, texts.training),
      el('p', { class: 'fine' }, texts.trainingHelp(fewest)),
      el(
        'div',
        { class: 'lab-inline' },
        el(
          'div',
          { class: 'filter-field' },
          el('label', { for: 'pincite-lab-share' }, texts.heldOut),
          this.#share,
        ),
        this.#go,
        this.#cancel,
        this.#progress,
      ),
      this.#told,
      this.#status,
      this.#actions,
    );
  }

  update() {
    const texts = this.#texts;
    const { ranker, ranking } = this.#state;
    const isUsed = ranking !== null && ranking.ranker !== null;
    const use = (/** @type {string} */ text, /** @type {string | null} */ model) =>
      el('button', { type: 'button', class: 'quiet', onclick: () => void this.#use(model) }, text);
    fill(
      this.#actions,
      ranker && ranker.model !== ranking?.ranker && use(texts.useRanker, ranker.model),
      ranker &&
        el(
          'button',
          { type: 'button', class: 'quiet', onclick: () => save('ranker.txt', ranker.model, 'text/plain') },
          icon('save'),
          texts.saveRanker,
        ),
      isUsed && use(texts.shippedRanker, null),
      ranker && el('span', { class: 'fine' }, texts.rankerThere(ranker.questions, ranker.heldOut, ranker.at)),
      isUsed && el('span', { class: 'fine' }, this.#usedText),
    );
  }

  /** Sentence about the ranker in use, which has no say where the settings in use rank otherwise. */
  get #usedText() {
    const { fusion = 'ltr' } = this.#state.ranking?.settings ?? {};
    return fusion === 'ltr' ? this.#texts.rankerInUse : this.#texts.rankerWaits;
  }

  /** Ends training. */
  close() {
    this.#running?.abort();
  }

  async #train() {
    if (this.#running) return;
    const texts = this.#texts;
    const { engine, settings } = this.#state;
    const { asked } = judgeable(this.#state.questions, engine.documents);
    const running = new AbortController();
    this.#running = running;
    fill(this.#status);
    this.#working(true);
    try {
      const trained = await train({
        lab: engine,
        questions: asked,
        share: Number(this.#share.value),
        settings,
        signal: running.signal,
        onWait: (documents, share) => {
          this.#progress.value = share;
          this.#tell(texts.waiting(documents));
        },
        onProgress: ({ step, done, total }) => {
          this.#progress.value = done / total;
          this.#tell(this.#host.trainingSteps[step]?.(done, total) ?? '');
        },
      });
      const pair = trained && (await compared(engine, trained.before, trained.after));
      const against = trained?.otherwise ? await compared(engine, trained.otherwise, trained.after) : null;
      if (trained === null || pair === null || running.signal.aborted)
        return this.#say(texts.cancelled, false);
      await this.#state.setRanker({
        model: trained.model,
        at: Date.now(),
        questions: trained.learned,
        heldOut: trained.heldOut.length,
      });
      const by = trained.by === 'document' ? texts.byDocument : texts.byQuestion;
      const told = texts.trained(trained.learned, trained.heldOut.length, by);
      const found = texts.verdict(verdict(pair), pair.differences.length);
      const difference = against?.differences[measures.findIndex(([name]) => name === 'ndcg')];
      const other = this.#host.choiceNames[settings.fusion] ?? settings.fusion;
      fill(
        this.#status,
        el('p', {}, told),
        measureTable(this.#host, against?.before ?? null, pair, other),
        el('p', {}, found),
        el('p', { class: 'fine' }, texts.trainedBefore),
        difference && el('p', { class: 'fine' }, texts.trainedAgainst(other, difference)),
      );
      this.#host.announce(this.#host.strings.format.sentences([told, found]));
    } catch (error) {
      if (running.signal.aborted) this.#say(texts.cancelled, false);
      else if (error instanceof TooFewError) this.#say(texts.tooFew(error.n, fewest), true);
      else this.#say(texts.failed(this.#host.describe(error)), true);
    } finally {
      this.#running = null;
      this.#working(false);
      // One that was not kept is no longer on trial.
      await engine.tryRanker(this.#state.ranker?.model ?? null).catch(() => {});
    }
  }

  /** @param {string} text */
  #tell(text) {
    this.#told.textContent = text;
    this.#host.tell(text);
  }

  /** @param {boolean} isAtWork */
  #working(isAtWork) {
    const { activeElement } = /** @type {ShadowRoot} */ (this.element.getRootNode());
    const hadFocus = activeElement === this.#go || activeElement === this.#cancel;
    this.#go.hidden = isAtWork;
    this.#cancel.hidden = !isAtWork;
    this.#progress.hidden = !isAtWork;
    this.#progress.value = 0;
    this.#told.textContent = '';
    if (hadFocus) (isAtWork ? this.#cancel : this.#go).focus();
  }

  /** @param {string | null} ranker null for that which ships */
  async #use(ranker) {
    const settings = this.#state.ranking?.settings ?? {};
    const isShipped = ranker === null && Object.keys(settings).length === 0;
    await this.#state.use(isShipped ? null : { settings, ranker });
    this.#host.announce(ranker === null ? this.#texts.rankerPutBack : this.#usedText);
    this.#actions.querySelector('button')?.focus();
  }

  /** @param {string} text @param {boolean} isWarning */
  #say(text, isWarning) {
    fill(this.#status, el('p', { class: isWarning ? 'note warning' : 'note' }, text));
    this.#host.announce(text);
  }
}

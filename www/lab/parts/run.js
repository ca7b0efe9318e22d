/**
 * Settings of a run and the run itself: search settings, progress, cancelling, going on after the page was closed; and the
 * settings taken over for every search of this library.
 */

import { el, fill } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { placed } from '../../widget/places.js';
import { judgeable, newRunId, searchAll } from '../run.js';
import { choices, ranges, rankingOf, usual, withFusion } from '../settings.js';

/** @typedef {import('../settings.js').LabSettings} LabSettings */

export class RunPart {
  element;
  #texts;
  #state;
  #host;
  /** @type {AbortController | null} */
  #running = null;
  /** Why the last run could not be made. @type {string | null} */
  #failure = null;
  #form = el('form', { class: 'lab-settings', noValidate: true, onchange: () => this.#read() });
  #answers = el('select', { id: 'pincite-lab-answers', onchange: () => this.#drawAnswersHelp() });
  #answersHelp = el('p', { class: 'fine' });
  #go;
  #anew;
  #cancel;
  #progress;
  #told = el('p', { class: 'fine' });
  #status = el('div', { class: 'lab-note', role: 'status' });
  #uses = el('div', { class: 'dialog-actions' });

  /** @param {import('../lab.js').PartHost} host */
  constructor(host) {
    const { texts, state } = host;
    this.#texts = texts;
    this.#state = state;
    this.#host = host;
    this.#go = el(
      'button',
      { type: 'button', class: 'primary', onclick: () => void this.#run(false) },
      texts.run,
    );
    this.#anew = el(
      'button',
      { type: 'button', class: 'quiet', hidden: true, onclick: () => void this.#run(true) },
      texts.anew,
    );
    this.#cancel = el(
      'button',
      { type: 'button', class: 'quiet', hidden: true, onclick: () => this.#running?.abort() },
      texts.cancel,
    );
    this.#progress = el('progress', { max: 1, value: 0, hidden: true, 'aria-label': texts.runProgress });
    this.element = el(
      'section',
      { 'aria-labelledby': 'pincite-lab-run' },
      el('h2', { id: 'pincite-lab-run' }, texts.settings),
      this.#form,
      this.#field('answers', this.#answers),
      this.#answersHelp,
      el('div', { class: 'dialog-actions' }, this.#go, this.#anew, this.#cancel, this.#progress),
      this.#told,
      this.#status,
      this.#uses,
      el('p', { class: 'fine' }, texts.usesHelp),
    );
    this.#form.addEventListener('submit', (event) => event.preventDefault());
  }

  update() {
    this.#drawForm();
    const { asked, missing } = judgeable(this.#state.questions, this.#state.engine.documents);
    const [run] = this.#state.runs;
    this.#go.disabled = asked.length === 0;
    this.#go.textContent =
      run && !run.isDone ? this.#texts.goOn : run ? this.#texts.runAgain : this.#texts.run;
    if (this.#running) return;
    this.#anew.hidden = !run || run.isDone;
    this.#anew.disabled = asked.length === 0;
    fill(this.#status, ...this.#remarks(asked.length, missing));
    this.#drawAnswers();
    this.#drawUses();
  }

  /** Ends the run, which can go on. */
  close() {
    this.#running?.abort();
  }

  /** @param {number} n questions that can be asked @param {readonly string[]} missing */
  #remarks(n, missing) {
    const texts = this.#texts;
    const [run] = this.#state.runs;
    const left = run && !run.isDone ? n - this.#state.judged(run.id).length : 0;
    const { where } = placed(this.#host.strings, this.#host.settings.status);
    return [
      this.#failure !== null && el('p', { class: 'note warning' }, this.#failure),
      n === 0 && el('p', { class: 'fine' }, texts.nothingToRun),
      missing.length > 0 &&
        el('p', { class: 'note warning' }, texts.leftOut(this.#state.questions.length - n, missing)),
      left > 0 && el('p', { class: 'note' }, texts.ended(left)),
      left > 0 && run?.answers === 'model' && el('p', { class: 'fine' }, texts.answersModelHelp(left, where)),
    ];
  }

  #drawForm() {
    const { settings, ranker } = this.#state;
    const texts = this.#texts;
    const numbers = /** @type {(keyof typeof ranges)[]} */ (Object.keys(ranges)).map((name) => {
      const [min, max, step] = ranges[name];
      const isUnused = name === 'denseWeight' && settings.fusion === 'rrf';
      return this.#field(
        name,
        el('input', { type: 'number', min, max, step, value: settings[name], name, disabled: isUnused }),
      );
    });
    const selects = /** @type {(keyof typeof choices)[]} */ (Object.keys(choices)).map((name) =>
      this.#field(name, this.#select(name, Object.keys(choices[name]), settings[name])),
    );
    const rankers = this.#select('ranker', ['shipped', ...(ranker ? ['trial'] : [])], settings.ranker);
    rankers.disabled = settings.fusion !== 'ltr';
    const vectors = el('input', { type: 'checkbox', name: 'vectors', checked: settings.vectors });
    const focused = /** @type {ShadowRoot | Document} */ (
      this.element.getRootNode()
    ).activeElement?.getAttribute('name');
    const isInside = this.#form.contains(
      /** @type {ShadowRoot} */ (this.element.getRootNode()).activeElement,
    );
    fill(
      this.#form,
      ...numbers,
      ...selects,
      this.#field('ranker', rankers),
      el('label', { class: 'filter-check' }, vectors, texts.vectors),
    );
    const again = isInside ? this.#form.querySelector(`[name="${focused}"]`) : null;
    if (again instanceof HTMLElement) again.focus();
  }

  /** @returns {import('../settings.js').AnswersBy} */
  get #answersBy() {
    const { value } = this.#answers;
    return value === 'extracted' || value === 'model' ? value : 'none';
  }

  /** Who can answer: the model of the page's settings where there is one. */
  #drawAnswers() {
    const texts = this.#texts;
    const chosen = this.#answersBy;
    const { status } = this.#host.settings;
    const hasModel = status.state === 'ready';
    const { name, where } = placed(this.#host.strings, status);
    fill(
      this.#answers,
      el('option', { value: 'none' }, texts.answersNone),
      el('option', { value: 'extracted' }, texts.answersExtracted),
      hasModel && el('option', { value: 'model' }, texts.answersModel(name, where)),
    );
    this.#answers.value = chosen === 'model' && !hasModel ? 'none' : chosen;
    this.#drawAnswersHelp();
  }

  #drawAnswersHelp() {
    const texts = this.#texts;
    const { asked } = judgeable(this.#state.questions, this.#state.engine.documents);
    const { where } = placed(this.#host.strings, this.#host.settings.status);
    const help = {
      none: '',
      extracted: texts.answersHelp,
      model: texts.answersModelHelp(asked.length, where),
    };
    this.#answersHelp.textContent = help[this.#answersBy];
  }

  /** @param {string} name @param {HTMLElement} input */
  #field(name, input) {
    input.id = `pincite-lab-${name}`;
    return el(
      'div',
      { class: 'filter-field' },
      el('label', { for: input.id }, this.#host.settingNames[name] ?? name),
      input,
    );
  }

  /** @param {string} name @param {readonly string[]} values @param {string} chosen */
  #select(name, values, chosen) {
    const select = el(
      'select',
      { name },
      ...values.map((value) => el('option', { value }, this.#host.choiceNames[value] ?? value)),
    );
    select.value = chosen;
    return select;
  }

  #read() {
    const data = new FormData(this.#form);
    const settings = { ...this.#state.settings, vectors: data.has('vectors') };
    for (const name of /** @type {(keyof typeof ranges)[]} */ (Object.keys(ranges))) {
      if (!data.has(name)) continue;
      const [min, max] = ranges[name];
      const value = Number(data.get(name));
      settings[name] = Number.isFinite(value)
        ? Math.min(max, Math.max(min, name === 'k' ? Math.round(value) : value))
        : usual[name];
    }
    for (const name of [.../** @type {const} */ (['units', 'ann', 'ranker'])])
      if (data.has(name)) Object.assign(settings, { [name]: data.get(name) });
    // An unknown one is refused by the state.
    const fusion = /** @type {LabSettings['fusion']} */ (data.get('fusion'));
    this.#state.setSettings(withFusion(settings, fusion));
  }

  /** @param {boolean} isAnew false to go on with a run that was ended */
  async #run(isAnew) {
    if (this.#running) return;
    const texts = this.#texts;
    const { asked } = judgeable(this.#state.questions, this.#state.engine.documents);
    const [last] = this.#state.runs;
    const run =
      last && !last.isDone && !isAnew
        ? last
        : {
            id: newRunId(),
            at: Date.now(),
            settings: this.#state.settings,
            answers: this.#answersBy,
            isDone: false,
          };
    const { model, profileText: profile, glossary } = this.#host.settings;
    if (run.answers === 'model' && model === null) {
      this.#failure = texts.noModel;
      this.update();
      return this.#host.announce(texts.noModel);
    }
    const running = new AbortController();
    this.#running = running;
    this.#failure = null;
    this.#working(true);
    this.#host.announce(texts.begun(asked.length));
    try {
      const begun = await this.#state.beginRun(run);
      if (begun === 'elsewhere') this.#failure = texts.elsewhere;
      if (begun !== 'begun') return this.#host.announce(begun === 'done' ? texts.runDone : texts.elsewhere);
      const { engine, ranker } = this.#state;
      if (run.settings.ranker === 'trial' && ranker) await engine.tryRanker(ranker.model);
      const results = await searchAll({
        lab: engine,
        run,
        questions: asked,
        answering: { model, profile, glossary },
        done: this.#state.results.get(run.id) ?? [],
        signal: running.signal,
        onWait: (documents, share) => this.#tell(share, texts.waiting(documents)),
        onProgress: (done, total) => this.#tell(done / total, texts.progress(done, total)),
        store: (fresh) => this.#state.addResults(run.id, fresh),
      });
      if (results.length === asked.length) await this.#state.finishRun();
      this.#host.announce(running.signal.aborted ? texts.cancelled : texts.runDone);
    } catch (error) {
      this.#failure = texts.failed(this.#host.describe(error));
      this.#host.announce(this.#failure);
    } finally {
      await this.#state.endRun();
      this.#running = null;
      this.#working(false);
    }
  }

  /** Says how far it is, and with what. @param {number} share 0 to 1 @param {string} text */
  #tell(share, text) {
    this.#progress.value = share;
    this.#told.textContent = text;
    this.#host.tell(text);
  }

  /** @param {boolean} isAtWork */
  #working(isAtWork) {
    const hadFocus = [this.#go, this.#anew, this.#cancel].includes(
      /** @type {HTMLButtonElement} */ (/** @type {ShadowRoot} */ (this.element.getRootNode()).activeElement),
    );
    this.#go.hidden = isAtWork;
    this.#anew.hidden = true;
    this.#cancel.hidden = !isAtWork;
    this.#progress.hidden = !isAtWork;
    this.#progress.value = 0;
    this.#told.textContent = '';
    if (hadFocus) (isAtWork ? this.#cancel : this.#go).focus();
    if (!isAtWork) this.update();
  }

  #drawUses() {
    const texts = this.#texts;
    const { ranking } = this.#state;
    const isOwn = ranking !== null && Object.keys(ranking.settings).length > 0;
    fill(
      this.#uses,
      el(
        'button',
        { type: 'button', class: 'quiet', onclick: () => void this.#use(true) },
        icon('check'),
        texts.use,
      ),
      isOwn &&
        el(
          'button',
          { type: 'button', class: 'quiet', onclick: () => void this.#use(false) },
          icon('undo'),
          texts.putBack,
        ),
      isOwn && el('span', { class: 'fine' }, texts.inUse),
    );
  }

  /** @param {boolean} isOwn */
  async #use(isOwn) {
    const ranker = this.#state.ranking?.ranker ?? null;
    const settings = isOwn ? rankingOf(this.#state.settings) : {};
    await this.#state.use(isOwn || ranker !== null ? { settings, ranker } : null);
    this.#host.announce(isOwn ? this.#texts.inUse : this.#texts.putBackSettings);
    this.#uses.querySelector('button')?.focus();
  }
}

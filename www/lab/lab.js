/**
 * The lab, "How good is this on my documents?": questions with the places that answer them, runs that search them all, what
 * changes with other settings, and a ranker trained on them. It takes the place of the questions and answers; the documents
 * stay beside it, and the viewer opens as always. It is loaded when it is first opened.
 */

import { adopt } from '../dom/adopt.js';
import { el } from '../dom/elements.js';
import { icon } from '../dom/icons.js';
import { toPlain } from '../engine/errors.js';
import { describe } from '../strings/errors.js';
import { labStringsOf } from '../strings/lab/index.js';
import { styles } from './lab.styles.js';
import { QuestionsPart } from './parts/questions.js';
import { ResultsPart } from './parts/results.js';
import { RunPart } from './parts/run.js';
import { TrainingPart } from './parts/training.js';
import { usual } from './settings.js';
import { LabState } from './state.js';

/** @typedef {import('./questions.js').Place} Place */
/** @typedef {{ page: number, spans: { page: number, quads: number[][] }[], places: import('../engine/protocol.js').BlockRange[] | null, quote: string }} Shown where the viewer opens, and the words to be lit */

/**
 * @typedef {object} LabHost what the lab gets from the widget
 * @property {import('../strings/index.js').Strings} strings
 * @property {string} library
 * @property {import('../widget/settings.js').AnsweringSettings} settings of answers
 * @property {() => import('../engine/client.js').Engine} engine
 * @property {() => import('../engine/files.js').AssetBase} base
 * @property {HTMLElement} shell of the widget
 * @property {HTMLElement} desk whose place it takes
 * @property {import('../viewer/viewer.js').Viewer} viewer
 * @property {(key: string, name: string, at: Shown & { cited: null }) => void} open opens a document in the viewer
 * @property {(text: string, now: boolean) => void} say to screen readers
 */

/** @typedef {ReturnType<Lab['partHost']>} PartHost */

export class Lab {
  element;
  #host;
  #state;
  #texts;
  #parts;
  #heading;
  /** Buttons that lead to a part each, in their order. @type {HTMLElement[]} */
  #ways;
  /** @type {HTMLElement | null} */
  #opener = null;
  #isLoaded = false;
  /** Documents when they were last drawn. */
  #names = '';
  #onChange = () => this.#update();
  #onDocuments = () => {
    // Embedding changes the snapshot many times a second; what is being typed here stays.
    if (this.#documentNames !== this.#names) this.#update();
  };

  /** @param {LabHost} host */
  constructor(host) {
    this.#host = host;
    this.#state = new LabState(host.library, host.engine, host.base);
    const strings = labStringsOf(host.strings.lang);
    const texts = strings.lab;
    this.#texts = texts;
    this.#heading = el('h1', { tabIndex: -1 }, texts.title);
    this.element = el('div', { class: 'lab desk', hidden: true });
    const part = this.partHost(strings);
    this.#parts = [new QuestionsPart(part), new RunPart(part), new ResultsPart(part), new TrainingPart(part)];
    this.#ways = this.#parts.map(({ element }) => wayTo(element));
    this.element.append(
      el(
        'div',
        { class: 'lab-inner' },
        el(
          'div',
          { class: 'lab-head' },
          this.#heading,
          el(
            'button',
            { type: 'button', class: 'quiet', onclick: () => this.leave() },
            icon('previous'),
            texts.back,
          ),
        ),
        el('p', { class: 'lab-lead' }, texts.lead),
        el('nav', { class: 'lab-nav', 'aria-label': texts.parts }, ...this.#ways),
        ...this.#parts.map(({ element }) => element),
      ),
    );
  }

  /** Shows the lab, which takes the focus. */
  open() {
    const { shell, desk, engine, settings } = this.#host;
    if (!this.element.isConnected) desk.after(this.element);
    adopt(this.element, styles);
    this.element.role = desk.role;
    this.element.ariaLabel = desk.role === 'region' ? this.#texts.title : null;
    const { activeElement } = /** @type {ShadowRoot} */ (shell.getRootNode());
    this.#opener = activeElement instanceof HTMLElement ? activeElement : null;
    desk.hidden = true;
    this.element.hidden = false;
    shell.classList.add('in-lab');
    this.#state.addEventListener('change', this.#onChange);
    engine().addEventListener('change', this.#onDocuments);
    settings.addEventListener('change', this.#onChange);
    this.#heading.focus();
    const isLoaded = this.#isLoaded;
    this.#isLoaded = true;
    if (isLoaded) this.#update();
    (isLoaded ? this.#state.refresh() : this.#state.load()).catch((error) =>
      this.#heading.parentElement?.after(
        el('p', { class: 'note warning', role: 'alert' }, this.#describe(error)),
      ),
    );
  }

  /** Shows questions and answers again. What is under way ends; a run can go on. */
  leave() {
    const { shell, desk, engine, settings } = this.#host;
    this.#endWork();
    engine().removeEventListener('change', this.#onDocuments);
    settings.removeEventListener('change', this.#onChange);
    this.element.hidden = true;
    desk.hidden = false;
    shell.classList.remove('in-lab');
    const opener = this.#opener?.getClientRects().length ? this.#opener : desk.querySelector('textarea');
    opener?.focus();
  }

  /** Takes up what is kept, which the library has taken with it when it was cleared. */
  async reload() {
    if (!this.#isLoaded) return;
    this.#endWork();
    await this.#state.load();
  }

  /** Ends runs, training and marking that are under way. */
  #endWork() {
    for (const part of this.#parts) if ('close' in part) part.close();
  }

  /** Ends the lab with its worker. */
  close() {
    if (!this.element.hidden) this.leave();
    // What is kept may still be on its way, and there is no engine to draw it with.
    this.#state.removeEventListener('change', this.#onChange);
    this.#state.engine.close();
  }

  /** The host of the parts. @param {ReturnType<typeof labStringsOf>} strings */
  partHost(strings) {
    const { say, settings, viewer } = this.#host;
    return {
      strings: this.#host.strings,
      texts: strings.lab,
      faults: strings.labFaults,
      settingNames: /** @type {Readonly<Record<string, string>>} */ (strings.labSettings),
      choiceNames: /** @type {Readonly<Record<string, string>>} */ (strings.labChoices),
      measureNames: /** @type {Readonly<Record<string, string>>} */ (strings.labMeasures),
      trainingSteps: strings.labSteps,
      element: this.element,
      state: this.#state,
      settings,
      viewer,
      announce: (/** @type {string} */ text) => say(text, true),
      tell: (/** @type {string} */ text) => say(text, false),
      describe: (/** @type {unknown} */ error) => this.#describe(error),
      focus: () => this.#heading.focus(),
      nameOf: (/** @type {Place} */ place) => this.#nameOf(place),
      show: (/** @type {{ id: string, name: string }} */ document, /** @type {Shown} */ at) =>
        this.#host.open(document.id, document.name, { ...at, cited: null }),
      showPlace: (/** @type {Place} */ place) => void this.#showPlace(place),
    };
  }

  get #documentNames() {
    return JSON.stringify(this.#state.engine.documents.map(({ id, name }) => [id, name]));
  }

  #update() {
    this.#names = this.#documentNames;
    for (const [at, part] of this.#parts.entries()) {
      part.update();
      const way = this.#ways[at];
      if (way) way.hidden = part.element.hidden;
    }
  }

  /** @param {Place} place */
  #nameOf({ document, pages }) {
    return pages.length === 0 ? document : this.#texts.onPages(document, pages);
  }

  /** Opens a place, its passage lit where it can be found by its words. @param {Place} place */
  async #showPlace({ document: name, pages, range, quote }) {
    const { engine } = this.#state;
    const document = engine.documents.find((each) => each.name === name);
    if (!document) return;
    const gold = { document: document.id, ...(range ? { range } : { pages }) };
    const filter = { documents: [document.id] };
    const settings = { ...usual, vectors: false, units: /** @type {const} */ ('child') };
    const found =
      quote === ''
        ? null
        : await engine.search(quote.slice(0, 300), settings, [gold], { filter }).catch(() => null);
    const hit = found?.hits.find((_, at) => (found.gold?.[at] ?? []).length > 0);
    const spans = (hit?.spans ?? []).flatMap(({ page, quads }) =>
      page !== null && pages.includes(page) ? { page, quads } : [],
    );
    this.#host.open(document.id, name, {
      page: pages[0] ?? 1,
      spans,
      places: document.nPages > 0 ? null : (hit?.places ?? []),
      quote,
      cited: null,
    });
  }

  /** @param {unknown} error */
  #describe(error) {
    const plain = toPlain(error);
    const { title } = describe(this.#host.strings, plain);
    return this.#host.strings.own.english ? this.#host.strings.format.sentence(plain.message) : title;
  }
}

/** A button that leads to a part of the lab: long lists lie between them. @param {HTMLElement} part */
function wayTo(part) {
  const heading = part.querySelector('h2');
  if (heading) heading.tabIndex = -1;
  const go = () => {
    heading?.scrollIntoView();
    heading?.focus({ preventScroll: true });
  };
  return el('button', { type: 'button', class: 'link', onclick: go }, heading?.textContent ?? '');
}

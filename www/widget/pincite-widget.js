/**
 * `<pincite-widget>`: drop documents, ask, read answers made of cited sentences, see the cited words on the page.
 *
 * Vanilla, with a shadow root and one constructed style sheet: there is little state, a framework would be
 * most of the download. Two widgets with the same `src` and `library` on one page share one engine and so one
 * library; nothing is put on `window`.
 */

import { Engine } from '../engine/client.js';
import { describe, toPlain } from '../engine/errors.js';
import { isOver } from '../engine/ingest.js';
import { Viewer } from '../viewer/viewer.js';
import { Answering } from './answering.js';
import { answering } from './answering.styles.js';
import { el, fill } from '../dom/elements.js';
import { icon } from '../dom/icons.js';
import {
  PinciteAddEvent,
  PinciteCiteEvent,
  PinciteErrorEvent,
  PinciteReadyEvent,
  PinciteRemoveEvent,
} from './events.js';
import { ledger } from './model.js';
import { DropZone } from './parts/drop-zone.js';
import { FilterBar } from './parts/filter.js';
import { LibraryView } from './parts/library.js';
import { LiveRegion } from './parts/live-region.js';
import { QuestionBox } from './parts/question.js';
import { Welcome, suggestions } from './parts/welcome.js';
import { styles } from './pincite-widget.styles.js';
import { count } from './strings.js';

/** @typedef {import('../engine/protocol.js').Answer} Answer */
/** @typedef {import('../engine/protocol.js').Citation} Citation */
/** @typedef {import('../engine/protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {import('./parts/welcome.js').Sample} Sample */
/** @typedef {{ engine: Engine, users: number }} Shared */

/** Engines in use, by address and library name. @type {Map<string, Shared>} */
const engines = new Map();

/**
 * The spans that are on a page.
 * @param {import('pincite-wasm').PageSpan[]} spans
 */
function paged(spans) {
  return spans.flatMap(({ page, quads }) => (page === null ? [] : [{ page, quads }]));
}

/**
 * Without further settings answers are made of the documents' own sentences, and nothing is sent anywhere. A language
 * model writes them once the person has set one in the settings, or the page around by `llm`. It is then sent the
 * question and passages of the documents; nobody else is. Keys are given by property or typed, never by attribute,
 * and are held in memory only; in `localStorage`, under `pincite:LIBRARY:model`, lies what the person wants remembered:
 * addresses, models, profile. The policy of the page must allow each endpoint in `connect-src`; the connection check in
 * the settings says when it does not.
 *
 * @attribute src - the folder that holds `engine/`, `model/`, `viewer/` and `samples/`; relative to the page
 * @attribute library - name of the stored library; `pincite` when absent
 * @attribute max-bytes - the largest file that is taken
 * @attribute lang - language of the interface; English is what there is
 * @property {import('./model.js').Given | null} llm - the model that answers are written with: an endpoint, several (a
 *   profile names the later ones by their `name`), or an object with `complete(request, { signal, onText })`; it goes
 *   before what the person set, null gives the choice back. Reading it gives what is set, without keys
 * @property {string | null} profile - the profile, by name or as TOML; it goes before what the person chose
 * @property {import('../llm/ledger.js').Ledger} ledger - what was sent to models, of all widgets of the page; read only
 * @fires pincite-ready - the stored library has been loaded
 * @fires pincite-add - a document can be searched
 * @fires pincite-remove - a document was taken out
 * @fires pincite-answer - a question was answered
 * @fires pincite-cite - a citation is about to be shown; cancelable
 * @fires pincite-error - a file could not be added, or a question not answered
 * @csspart library - the column of documents
 * @csspart drop-zone - where files come in
 * @csspart add-button - the button that chooses files
 * @csspart question - the question's text field
 * @csspart ask-button - the button that asks
 * @csspart filter - what opens the choice of where to look
 * @csspart settings-button - the button that says and opens the settings of answering
 * @csspart ledger-button - the button that says and opens what has left the device
 * @csspart answer - a question with its answer
 * @csspart viewer - the viewer
 * @cssproperty --pincite-accent - colour of buttons, links and focus
 * @cssproperty --pincite-light - colour of lit words and citation marks
 * @cssproperty --pincite-paper - background
 * @cssproperty --pincite-ink - text
 */
export class PinciteWidget extends HTMLElement {
  static observedAttributes = ['max-bytes', 'lang'];

  /** @type {Shared | null} */
  #shared = null;
  #engineKey = '';
  /** @type {Sample[]} */
  #samples = [];
  #answering = new Answering({
    engine: () => this.engine,
    filter: () => this.#filter.value,
    onCite: (citation) => this.#cite(citation),
    tell: (event) => this.dispatchEvent(event),
    say: (text, now) => this.#live.say(text, now),
    onFresh: () => this.#question.focus(),
  });
  /** What had focus when the viewer opened. @type {HTMLElement | null} */
  #opener = null;

  #root = this.attachShadow({ mode: 'open' });
  #live = new LiveRegion();
  #suggestions = el('div', { class: 'suggestion-slot' });
  #failure = el('div', { class: 'failure', role: 'alert', hidden: true });
  #shell = el('div', { class: 'shell' });
  #toggle = el('button', {
    type: 'button',
    class: 'quiet library-toggle',
    onclick: () => this.#unfold(!this.#shell.classList.contains('library-open')),
  });
  #library;
  #question;
  #filter = new FilterBar();
  #welcome;
  #viewer;
  #onChange = () => this.#draw();

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [styles, answering];
    const dropZone = new DropZone({ target: this.#shell, onFiles: (files) => this.#take(files) });
    this.#library = new LibraryView(
      {
        open: (id) => this.#openDocument(id),
        remove: (id) => this.#do((engine) => this.#remove(engine, id)),
        restore: (id) => this.#do((engine) => engine.restore(id)),
        reindex: (id) => this.#do((engine) => engine.reindex(id)),
        cancelDocument: (id) => this.#do((engine) => engine.cancelDocument(id), 'Cancelled.'),
        cancel: (key) => this.#do(async (engine) => engine.cancel(key), 'Cancelled.'),
        dismiss: (key) => this.#do(async (engine) => engine.dismiss(key)),
        unlock: (key, password) => this.#do((engine) => engine.unlock(key, password)),
        clear: () => this.#do((engine) => this.#clearAll(engine)),
      },
      dropZone.element,
    );
    this.#question = new QuestionBox({
      onAsk: (question) => void this.ask(question).catch(() => {}),
      onFocus: () => this.#shared?.engine.warm(),
    });
    this.#welcome = new Welcome({ add: (samples) => void this.#addSamples(samples) });
    this.#viewer = new Viewer({
      base: () => this.#base,
      onClose: () => this.#viewerClosed(),
      announce: (text) => this.#live.say(text, true),
    });
    this.#shell.append(
      el(
        'header',
        { class: 'top' },
        el('h1', { class: 'brand' }, 'Pin', el('mark', {}, 'cite')),
        this.#toggle,
      ),
      this.#library.element,
      el(
        'main',
        { class: 'desk' },
        el(
          'div',
          { class: 'desk-inner' },
          this.#failure,
          this.#question.element,
          this.#filter.element,
          this.#answering.bar.element,
          this.#suggestions,
          this.#welcome.element,
          this.#answering.conversation.element,
        ),
      ),
      this.#viewer.element,
      this.#live.element,
      el('div', { class: 'drop-cover', 'aria-hidden': 'true' }, el('p', {}, 'Drop to add')),
    );
    this.#root.append(this.#shell);
    this.#shell.addEventListener('keydown', (event) => this.#escape(event));
  }

  connectedCallback() {
    const base = this.#base;
    const library = this.getAttribute('library') ?? 'pincite';
    this.#engineKey = JSON.stringify([base.href, library]);
    const shared = engines.get(this.#engineKey) ?? { engine: new Engine({ base, library }), users: 0 };
    engines.set(this.#engineKey, shared);
    shared.users += 1;
    this.#shared = shared;
    this.#upgrade();
    this.#answering.open(library, this.#shell);
    this.#applyLimits();
    shared.engine.addEventListener('change', this.#onChange);
    shared.engine.opened.then(
      () => {
        this.#draw();
        this.dispatchEvent(new PinciteReadyEvent());
      },
      () => this.#draw(),
    );
    void this.#loadSamples(base);
    this.#draw();
  }

  disconnectedCallback() {
    const shared = this.#shared;
    this.#shared = null;
    this.#answering.close();
    this.#viewer.close();
    if (!shared) return;
    shared.engine.removeEventListener('change', this.#onChange);
    shared.users -= 1;
    if (shared.users > 0) return;
    engines.delete(this.#engineKey);
    shared.engine.close();
  }

  attributeChangedCallback() {
    this.#applyLimits();
    this.#shell.lang = this.lang || 'en';
  }

  /** The engine behind the widget, for programs: documents, search, figures. */
  get engine() {
    if (!this.#shared) throw new Error('the widget is not in a page');
    return this.#shared.engine;
  }

  /** Adds files, as if they were dropped. Settles when each can be searched or has failed.
   * @param {Iterable<File>} files
   * @returns {Promise<PromiseSettledResult<LibraryDocument>[]>} */
  addFiles(files) {
    return Promise.allSettled(this.#take([...files]));
  }

  /** Asks a question, shows the answer and returns it.
   * @param {string} question
   * @returns {Promise<Answer>} */
  async ask(question) {
    this.#question.clear();
    const answer = this.#answering.ask(question);
    this.#draw();
    return answer;
  }

  /** @param {import('./model.js').Given | null} given */
  set llm(given) {
    this.#answering.give(given);
  }

  /** What answers are made with, without keys. @returns {import('./model.js').Standing | null} */
  get llm() {
    return this.#answering.standing;
  }

  /** @param {string | null} profile */
  set profile(profile) {
    this.#answering.giveProfile(profile);
  }

  get profile() {
    return this.#answering.profile;
  }

  /** What was sent to language models. */
  get ledger() {
    return ledger;
  }

  get #base() {
    const src = this.getAttribute('src') ?? './';
    return new URL(src.endsWith('/') ? src : `${src}/`, document.baseURI);
  }

  /** A page may have set properties before the element was defined: they go through the accessors now. */
  #upgrade() {
    for (const name of /** @type {const} */ (['llm', 'profile'])) {
      if (!Object.hasOwn(this, name)) continue;
      const value = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
  }

  #applyLimits() {
    const bytes = Number(this.getAttribute('max-bytes'));
    if (this.#shared && Number.isFinite(bytes) && bytes > 0) this.#shared.engine.limits.maxBytes = bytes;
  }

  /** @param {File[]} files */
  #take(files) {
    const { engine } = this;
    return files
      .map(async (file) => {
        try {
          const document = await engine.add(file);
          this.#live.say(
            `${file.name} can be searched${document.nPages > 0 ? `: ${count(document.nPages, 'page')}` : ''}.`,
            true,
          );
          this.dispatchEvent(new PinciteAddEvent(document));
          return document;
        } catch (error) {
          const plain = toPlain(error);
          this.dispatchEvent(new PinciteErrorEvent(plain, file.name));
          throw error;
        }
      })
      .map((promise) => {
        // What went wrong stands in the list; a caller that looks gets it too.
        promise.catch(() => {});
        return promise;
      });
  }

  /**
   * @param {(engine: Engine) => Promise<unknown>} action
   * @param {string} [spoken]
   */
  #do(action, spoken) {
    if (!this.#shared) return;
    if (spoken) this.#live.say(spoken, true);
    action(this.#shared.engine).catch((error) =>
      this.dispatchEvent(new PinciteErrorEvent(toPlain(error), null)),
    );
  }

  /** @param {Engine} engine @param {string} id */
  async #remove(engine, id) {
    if (await engine.remove(id)) this.dispatchEvent(new PinciteRemoveEvent(id));
  }

  /** @param {Engine} engine */
  async #clearAll(engine) {
    this.#viewer.close();
    this.#answering.clear();
    await engine.clear();
    this.#live.say('The library is empty.', true);
  }

  /** @param {URL} base */
  async #loadSamples(base) {
    try {
      const response = await fetch(new URL('samples/samples.json', base));
      if (response.ok) this.#samples = await response.json();
    } catch {
      // A site without samples offers none.
    }
    this.#welcome.offer(this.#samples);
    this.#draw();
  }

  /** @param {Sample[]} samples */
  async #addSamples(samples) {
    const files = await Promise.all(
      samples.map(async ({ file }) => {
        const response = await fetch(new URL(`samples/${encodeURIComponent(file)}`, this.#base));
        if (!response.ok) throw new Error(`the sample could not be loaded: status ${response.status}`);
        return new File([await response.blob()], file, { type: 'application/pdf' });
      }),
    ).catch((error) => {
      this.dispatchEvent(new PinciteErrorEvent(toPlain(error), null));
      this.#showFailure('The samples could not be loaded.', 'Reload the page and try again.');
      return [];
    });
    if (files.length > 0) this.#question.focus();
    await this.addFiles(files);
  }

  /** @param {Citation} citation */
  #cite(citation) {
    if (!this.dispatchEvent(new PinciteCiteEvent(citation))) return;
    const { documentId, document, page, quads, spans, places, quote, id } = citation;
    this.#answering.conversation.markOpen(this.#root.activeElement, id);
    if (page !== null)
      this.#openViewer(documentId, document, {
        page,
        spans: spans.length > 0 ? paged(spans) : [{ page, quads }],
        places: null,
        quote,
      });
    else this.#openViewer(documentId, document, { page: 1, spans: [], places, quote });
  }

  /** @param {string} id */
  #openDocument(id) {
    const document = this.engine.picture.documents.find((entry) => entry.id === id);
    if (document)
      this.#openViewer(id, document.name, {
        page: 1,
        spans: [],
        places: document.nPages > 0 ? null : [],
        quote: '',
      });
  }

  /**
   * @param {string} key
   * @param {string} name
   * @param {object} at `places` are null where there are pages
   * @param {number} at.page
   * @param {{ page: number, quads: number[][] }[]} at.spans
   * @param {import('../engine/protocol.js').BlockRange[] | null} at.places
   * @param {string} at.quote
   */
  #openViewer(key, name, { page, spans, places, quote }) {
    const { engine } = this;
    const active = this.#root.activeElement;
    if (!this.#viewer.isOpen && active instanceof HTMLElement) this.#opener = active;
    this.#shell.classList.add('viewing');
    this.#unfold(false);
    /** @type {import('../viewer/text.js').Source} */
    const source = (start, limit) => engine.text(key, start, limit);
    const text = places === null ? null : { source, places };
    const opened = this.#viewer.open({
      key,
      name,
      page,
      spans,
      quote,
      text,
      password: engine.password(key),
      file: () => engine.file(key),
    });
    // Where it covers everything, it takes the focus too.
    if (this.clientWidth < 736) void opened.then(() => this.#viewer.focus());
  }

  #viewerClosed() {
    this.#shell.classList.remove('viewing');
    this.#answering.conversation.markOpen(null, null);
    if (this.#opener?.isConnected) this.#opener.focus();
    this.#opener = null;
  }

  /** Escape closes what was opened last: the viewer, then a running question. @param {KeyboardEvent} event */
  #escape(event) {
    // A dialog closes itself.
    if (
      event.key !== 'Escape' ||
      event.isComposing ||
      (event.target instanceof Element && event.target.closest('dialog'))
    )
      return;
    if (this.#viewer.isOpen) this.#viewer.close();
    else if (this.#shell.classList.contains('library-open')) this.#unfold(false);
    else if (!this.#answering.stop()) return;
    event.preventDefault();
  }

  /** Shows or hides the library where it is folded away. @param {boolean} open */
  #unfold(open) {
    this.#shell.classList.toggle('library-open', open);
    this.#toggle.setAttribute('aria-expanded', String(open));
  }

  #draw() {
    const engine = this.#shared?.engine;
    if (!engine) return;
    const picture = engine.picture;
    this.#library.update(picture);
    this.#filter.update(picture.documents.filter(({ problem }) => problem === null));
    const reading = picture.jobs.some((job) => !isOver(job));
    this.#question.update(
      picture.documents.some(({ problem }) => problem === null) ? 'ready' : reading ? 'reading' : 'empty',
    );
    const empty = picture.documents.length === 0 && picture.removed.length === 0 && picture.jobs.length === 0;
    const opening = picture.state === 'opening';
    this.#welcome.element.hidden =
      opening || picture.documents.length > 0 || this.#answering.conversation.length > 0;
    this.#welcome.update(reading);
    this.#shell.classList.toggle('empty', !opening && empty);
    fill(
      this.#toggle,
      icon('document'),
      'Documents',
      el('span', { class: 'count' }, String(picture.documents.length + picture.jobs.length)),
    );
    this.#shell.dataset['state'] = picture.state;
    if (picture.failure)
      this.#showFailure(describe(picture.failure).title, picture.failure.hint || picture.failure.message);
    this.#suggest(picture);
    this.#speakProgress(picture);
  }

  /** Offers the questions of the samples that are there, until one has been asked.
   * @param {import('../engine/client.js').Picture} picture */
  #suggest({ documents }) {
    const names = new Set(documents.map(({ name }) => name));
    const questions =
      this.#answering.conversation.length > 0
        ? []
        : this.#samples
            .filter(({ file }) => names.has(file))
            .flatMap((sample) => sample.questions.slice(0, 2));
    const face = questions.join('\n');
    if (this.#suggestions.dataset['face'] === face) return;
    this.#suggestions.dataset['face'] = face;
    fill(
      this.#suggestions,
      questions.length > 0 &&
        suggestions(questions, (question) => {
          this.#question.focus(); // what was pressed is about to go
          void this.ask(question).catch(() => {});
        }),
    );
  }

  /** Says how far things are, at most every few seconds.
   * @param {import('../engine/client.js').Picture} picture */
  #speakProgress({ jobs }) {
    const job = jobs.find(({ stage }) => stage === 'pages');
    if (job && job.total > 0) this.#live.say(`${job.name}: page ${job.done} of ${job.total}.`, false);
  }

  /** @param {string} title @param {string} hint */
  #showFailure(title, hint) {
    fill(this.#failure, el('div', { class: 'note warning' }, el('p', {}, title), el('p', {}, hint)));
    this.#failure.hidden = false;
  }
}

if (!customElements.get('pincite-widget')) customElements.define('pincite-widget', PinciteWidget);

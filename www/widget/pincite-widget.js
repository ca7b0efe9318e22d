/**
 * `<pincite-widget>`: drop documents, ask, read answers made of cited sentences, see the cited words on the page.
 *
 * Vanilla, with a shadow root and one constructed style sheet: there is little state, and a framework would be most of
 * the download. Two widgets with the same `src` and `library` on one page share one engine and so one library. Nothing
 * is put on `window`.
 */

import { Engine } from '../engine/client.js';
import { toPlain } from '../engine/errors.js';
import { stringsOf } from '../strings/index.js';
import { answering } from './answering.styles.js';
import { PinciteAddEvent, PinciteErrorEvent, PinciteReadyEvent, PinciteRemoveEvent } from './events.js';
import { AnsweringSettings, ledger } from './settings.js';
import { styles } from './pincite-widget.styles.js';
import { WidgetView } from './view.js';

/** @typedef {import('../engine/protocol.js').Answer} Answer */
/** @typedef {import('../engine/protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {import('../strings/index.js').Strings} Strings */
/** @typedef {import('../engine/files.js').AssetBase['workers']} Workers */
/** @typedef {{ engine: Engine, users: number }} Shared */

/** Engines in use, by address and library name. @type {Map<string, Shared>} */
const engines = new Map();

/**
 * Without further settings answers are made of the documents' own sentences, and nothing is sent anywhere. A language
 * model writes them once the person has set one in the settings, or the page around by `llm`. It is then sent the
 * question and passages of the documents; nobody else is. Keys are given by property or typed, never by attribute,
 * and are held in memory only; in `localStorage`, under `pincite:LIBRARY:model`, lies what the person wants remembered:
 * addresses, models, profile, glossary. The policy of the page must allow each endpoint in `connect-src`; the connection check in
 * the settings says when it does not.
 *
 * @attribute src - the folder that holds `engine/`, `model/`, `viewer/` and `samples/`; relative to the page. Without it, the
 *   folder of the page; in the npm package, the files of the package
 * @attribute library - name of the stored library; `pincite` when absent
 * @attribute max-bytes - the largest file that is taken
 * @attribute lang - language of the interface, `en` or `zh`; without it, that of the nearest element around that has one.
 *   A change builds the interface anew; questions and answers on screen go
 * @property {import('./settings.js').PageModel | null} llm - the model that answers are written with: an endpoint, several (a
 *   profile names the later ones by their `name`), or an object with `complete(request, { signal, onText })`; it goes
 *   before what the person set, null gives the choice back. Reading it gives what is set, without keys
 * @property {string | null} profile - the profile, by name or as TOML; it goes before what the person chose
 * @property {Workers} workers - addresses of the workers by file, `engine/worker.js` and
 *   `viewer/pdf.worker.min.mjs`; a `TrustedScriptURL` where the page's policy is to have made it. Set before the element is in the page
 * @property {import('../llm/ledger.js').Ledger} ledger - what was sent to models, of all widgets of the page; read only
 * Events cross the shadow boundary: every script of the page can hear them. Each carries what is named here, and nothing
 * else; a file that is dropped on the widget is not seen by the page around it.
 *
 * @fires pincite-ready - the stored library has been loaded
 * @fires pincite-add - a document can be searched; `document`: its name, id, title and figures
 * @fires pincite-remove - a document was taken out; `documentId`
 * @fires pincite-answer - a question was answered; `question` and `answer`, with the words that it quotes
 * @fires pincite-cite - a citation is about to be shown; cancelable; `citation`, with the words that it quotes
 * @fires pincite-error - a file could not be added, or a question not answered; `error`: code, message and hint; `file`: its name
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
  /** Set by the page, also before the element is in it.
   * @type {{ llm: import('./settings.js').PageModel | null, profile: string | null, workers: Workers }} */
  #given = { llm: null, profile: null, workers: {} };
  /** @type {AnsweringSettings | null} */
  #settings = null;
  /** In the language of the element; null before it is in a page. @type {WidgetView | null} */
  #view = null;
  #root = this.attachShadow({ mode: 'open' });
  #onChange = () => this.#draw();

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [styles, answering];
  }

  connectedCallback() {
    this.#upgrade();
    const base = this.#base;
    const library = this.getAttribute('library') ?? 'pincite';
    this.#engineKey = JSON.stringify([base.folder, library]);
    const shared = engines.get(this.#engineKey) ?? { engine: new Engine({ base, library }), users: 0 };
    engines.set(this.#engineKey, shared);
    shared.users += 1;
    this.#shared = shared;
    this.#settings ??= new AnsweringSettings({ name: `pincite:${library}:model` });
    this.#applyGiven(this.#settings);
    this.#show(stringsOf(languageOf(this)));
    this.#applyLimits();
    this.#draw();
    shared.engine.addEventListener('change', this.#onChange);
    shared.engine.opened.then(
      () => {
        this.#draw();
        this.dispatchEvent(new PinciteReadyEvent());
      },
      () => this.#draw(),
    );
  }

  disconnectedCallback() {
    const shared = this.#shared;
    this.#shared = null;
    this.#view?.close();
    if (!shared) return;
    shared.engine.removeEventListener('change', this.#onChange);
    shared.users -= 1;
    if (shared.users > 0) return;
    engines.delete(this.#engineKey);
    shared.engine.close();
  }

  attributeChangedCallback() {
    this.#applyLimits();
    if (this.#shared) this.#show(stringsOf(languageOf(this)));
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
    if (!this.#view || !this.#shared) throw new Error('the widget is not in a page');
    return this.#view.ask(question);
  }

  /** @param {import('./settings.js').PageModel | null} given */
  set llm(given) {
    this.#settings?.give(given);
    this.#given.llm = given;
  }

  /** The model that answers are written with, without keys. @returns {import('./settings.js').ModelStatus | null} */
  get llm() {
    return this.#settings?.status ?? null;
  }

  /** @param {string | null} profile */
  set profile(profile) {
    this.#given.profile = profile;
    this.#settings?.giveProfile(profile);
  }

  get profile() {
    return this.#settings?.profileText ?? this.#given.profile;
  }

  /** Addresses of the workers by file, where the page's policy is to have made them. Taken when the element comes into a
   * page. @param {Workers} workers */
  set workers(workers) {
    this.#given.workers = workers;
  }

  get workers() {
    return this.#given.workers;
  }

  /** Requests that were sent to language models. */
  get ledger() {
    return ledger;
  }

  /** @returns {import('../engine/files.js').AssetBase} */
  get #base() {
    const src = this.getAttribute('src');
    const folder = src === null ? null : new URL(src.endsWith('/') ? src : `${src}/`, document.baseURI);
    return { folder, workers: this.#given.workers };
  }

  /** Takes up properties that were set before the element was defined. */
  #upgrade() {
    for (const name of Object.keys(this.#given)) {
      if (!Object.hasOwn(this, name)) continue;
      const value = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this.#given, name, value);
    }
  }

  /** @param {AnsweringSettings} settings */
  #applyGiven(settings) {
    try {
      settings.giveProfile(this.#given.profile);
      settings.give(this.#given.llm);
    } catch (error) {
      this.dispatchEvent(new PinciteErrorEvent(toPlain(error), null));
    }
  }

  /** Builds the interface in a language; one that is there in it stays. @param {Strings} strings */
  #show(strings) {
    if (this.#view?.strings === strings) return this.#view.open();
    const settings = /** @type {AnsweringSettings} */ (this.#settings);
    this.#view?.close();
    this.#view = new WidgetView({
      strings,
      settings,
      engine: () => this.engine,
      base: () => this.#base,
      addFiles: (files) => this.#take(files),
      run: (action) => this.#run(action),
      removeDocument: (id) => this.#remove(id),
      dispatch: (event) => this.dispatchEvent(event),
    });
    this.#root.replaceChildren(this.#view.element);
    this.#view.open();
    this.#draw();
  }

  #applyLimits() {
    const bytes = Number(this.getAttribute('max-bytes'));
    if (this.#shared && Number.isFinite(bytes) && bytes > 0) this.#shared.engine.limits.maxBytes = bytes;
  }

  /** @param {File[]} files */
  #take(files) {
    const { engine } = this;
    return files.map((file) => {
      const added = engine.add(file).then(
        (document) => {
          this.#view?.sayAdded(file.name, document.nPages);
          this.dispatchEvent(new PinciteAddEvent(document));
          return document;
        },
        (error) => {
          this.dispatchEvent(new PinciteErrorEvent(toPlain(error), file.name));
          throw error;
        },
      );
      // The list shows what went wrong; a caller that looks gets it too.
      added.catch(() => {});
      return added;
    });
  }

  /** Runs an action of the person; what goes wrong becomes an event. @param {(engine: Engine) => Promise<unknown>} action */
  #run(action) {
    if (!this.#shared) return;
    action(this.#shared.engine).catch((error) =>
      this.dispatchEvent(new PinciteErrorEvent(toPlain(error), null)),
    );
  }

  /** @param {string} id */
  async #remove(id) {
    if (await this.engine.remove(id)) this.dispatchEvent(new PinciteRemoveEvent(id));
  }

  #draw() {
    if (this.#shared) this.#view?.update(this.#shared.engine.snapshot);
  }
}

/** Language of an element: its own `lang` or that of the nearest element around it. @param {HTMLElement} element */
function languageOf(element) {
  return element.closest('[lang]')?.getAttribute('lang') ?? 'en';
}

if (!customElements.get('pincite-widget')) customElements.define('pincite-widget', PinciteWidget);

/**
 * `<pincite-widget>`: drop documents, ask, read answers made of cited sentences, see the cited words on the page.
 *
 * Vanilla, with a shadow root and one constructed style sheet: there is little state, and a framework would be most of
 * the download. Two widgets with the same `src` and `library` on one page share one engine and so one library. Nothing
 * is put on `window`.
 */

import { Paced } from '../dom/paced.js';
import { Engine } from '../engine/client.js';
import { EngineError, toPlain } from '../engine/errors.js';
import { send } from '../llm/transport.js';
import { stringsOf } from '../strings/index.js';
import { answering } from './answering.styles.js';
import {
  PinciteAddEvent,
  PinciteErrorEvent,
  PinciteLibraryEvent,
  PinciteReadyEvent,
  PinciteRemoveEvent,
} from './events.js';
import { layouts } from './layouts.styles.js';
import { device } from './device.js';
import { AnsweringSettings, ledger } from './settings.js';
import { styles } from './pincite-widget.styles.js';
import { answer as readAnswer } from './stored-turn.js';
import { WidgetView } from './view.js';

/** @typedef {import('../engine/protocol.js').Answer} Answer */
/** @typedef {import('../engine/protocol.js').Citation} Citation */
/** @typedef {import('../engine/protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {import('./layouts.styles.js').Layout} Layout */
/** @typedef {import('../remote/types.js').LibraryOptions} LibraryOptions */
/** @typedef {import('../remote/types.js').LibraryStatus} LibraryStatus */
/** @typedef {import('../strings/index.js').Strings} Strings */
/** @typedef {import('../engine/files.js').AssetBase['workers']} Workers */
/** @typedef {{ engine: Engine, users: number }} Shared */

/** Documents and files from which on several changes are drawn together: each draws all of them. */
const many = 50;

/** Engines in use, by address and library name. @type {Map<string, Shared>} */
const engines = new Map();

/**
 * Without further settings answers are made of the documents' own sentences, and nothing is sent anywhere. A language
 * model writes them once the person has set one in the settings, or the page around by `llm`. It is then sent the
 * question and passages of the documents; nobody else is. Keys are given by property or typed, never by attribute,
 * and are held in memory only; in `localStorage`, under `pincite:LIBRARY:model`, lies what the person wants remembered:
 * addresses, models, profile, glossary; and under `pincite:LIBRARY:kept`, that documents are kept. Questions and answers are kept
 * in IndexedDB, as `LIBRARY:conversations`, unless the person forbids it; of several elements with one library each goes on with
 * its own after a reload, told apart by `id` or, without one, by their order in the page. The policy of the page must allow each
 * endpoint in `connect-src`; the connection check in the settings says when it does not. `color-scheme` of the element decides
 * between light and dark.
 *
 * The property `library` sets a library on a server beside the documents of this browser. Questions are sent there too, unless
 * the person leaves it out; documents of this browser are not. Both answers become one, numbered by rank, and each citation says
 * where its document lies. Its quotations are compared in the page with the pages or files that came. Nothing of it is stored.
 *
 * Events cross the shadow boundary: every script of the page can hear them. Each carries what is named here, and nothing
 * else; a file that is dropped on the widget is not seen by the page around it.
 *
 * @tag pincite-widget
 * @attribute {string} src - the folder that holds `engine/`, `model/`, `viewer/` and `samples/`; relative to the page. Without it, the
 *   folder of the page; in the npm package, the files of the package
 * @attribute {string} library - name of the library stored in this browser; `pincite` when absent. The property of that name is another
 *   thing: a library on a server
 * @attribute {'full' | 'answer' | 'floating'} layout - `full` when absent. `answer` has no column of documents and takes no dropped
 *   files: the page around adds them. `floating` is a button in the corner of the page that opens a panel
 * @attribute {boolean} expanded - whether the panel of the floating layout is open
 * @attribute {boolean} tour - whether the tour begins by itself on a first visit, while there is no document; never without it
 * @attribute {number} max-bytes - the largest file that is taken
 * @attribute {boolean} agent-tools - offers tools to an agent of the browser, where it has the API for that (WebMCP): search, ask, open a
 *   citation. Off when absent. An agent is given words of the documents; every call is in the ledger
 * @attribute {string} lang - language of the interface, `en` or `zh`; without it, that of the nearest element around that has one.
 *   A change builds the interface anew; questions and answers on screen go
 *
 * @fires {PinciteReadyEvent} pincite-ready - the stored library has been loaded
 * @fires {PinciteAddEvent} pincite-add - a document can be searched; `document`: its name, id, title and figures
 * @fires {PinciteRemoveEvent} pincite-remove - a document was taken out; `documentId`
 * @fires {PinciteAnswerEvent} pincite-answer - a question was answered; `question` and `answer`, with the words that it quotes
 * @fires {PinciteCiteEvent} pincite-cite - a citation is about to be shown; cancelable; `citation`, with the words that it quotes
 * @fires {PinciteErrorEvent} pincite-error - a file could not be added, or a question not answered; `error`: code, message and hint; `file`: its name
 * @fires {PinciteLibraryEvent} pincite-library - the library on a server is being looked for, is open, or has failed; `status`: address, state, reason
 *
 * @slot empty - in place of the introduction, while there is no document and no answer
 * @slot header - in place of the name above the documents
 * @slot footer - below the answers, always in view; empty without it
 *
 * @csspart header - the line above everything
 * @csspart library - the column of documents
 * @csspart drop-zone - where files come in
 * @csspart add-button - the button that chooses files
 * @csspart question - the question's text field
 * @csspart ask-button - the button that asks
 * @csspart help-button - the button that opens the keyboard map
 * @csspart filter - what opens the choice of where to look
 * @csspart settings-button - the button that says and opens the settings of answering
 * @csspart ledger-button - the button that says and opens what has left the device
 * @csspart answer - a question with its answer
 * @csspart citation - a source of an answer, with its words
 * @csspart footer - the line below the answers
 * @csspart remote-library - documents of a library on a server, in the column of documents
 * @csspart remote-line - the line below the question that says whether questions go to a library on a server, and what is wrong with it
 * @csspart viewer - the viewer
 * @csspart launcher - the button of the floating layout, which is its close button while the panel is open
 *
 * @cssproperty --pincite-accent - colour of buttons, links and focus
 * @cssproperty --pincite-light - colour of lit words and citation marks
 * @cssproperty --pincite-paper - background
 * @cssproperty --pincite-card - background of answers and fields
 * @cssproperty --pincite-ink - text
 * @cssproperty --pincite-muted - text of less weight
 * @cssproperty --pincite-line - lines between parts
 * @cssproperty --pincite-font - font of the interface
 * @cssproperty --pincite-text-font - font of answers, quotations and headings
 * @cssproperty --pincite-radius - radius of corners
 */
export class PinciteWidget extends HTMLElement {
  static observedAttributes = ['max-bytes', 'lang', 'layout', 'expanded', 'agent-tools'];

  /** @type {Shared | null} */
  #shared = null;
  #engineKey = '';
  /** Set by the page, also before the element is in it.
   * @type {{ llm: import('./settings.js').PageModel | null, profile: string | null, workers: Workers, library: LibraryOptions | null }} */
  #given = { llm: null, profile: null, workers: {}, library: null };
  /** Loaded when a page sets one. @type {import('../remote/remote-library.js').RemoteLibrary | null} */
  #remote = null;
  /** Takes back what is offered to agents. @type {AbortController | null} */
  #offered = null;
  /** @type {import('../offline/site.js').KeptSite | null} */
  #site = null;
  /** @type {AnsweringSettings | null} */
  #settings = null;
  /** In the language of the element; null before it is in a page. @type {WidgetView | null} */
  #view = null;
  #root = this.attachShadow({ mode: 'open' });
  #drawing = new Paced(() => this.#draw());
  #onChange = () => {
    const { documents, jobs } = this.#asked.snapshot;
    if (documents.length + jobs.length < many) this.#draw();
    else this.#drawing.change();
  };

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [styles, answering, layouts];
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
    this.#settings ??= new AnsweringSettings({
      name: `pincite:${library}:model`,
      openDevice: () => device.open(this.#base),
    });
    this.#applyGiven(this.#settings);
    this.#show(stringsOf(languageOf(this)));
    this.#applyLimits();
    this.#offerTools();
    this.#draw();
    shared.engine.addEventListener('change', this.#onChange);
    this.#openLibrary();
    shared.engine.opened.then(
      () => {
        this.#draw();
        if (this.hasAttribute('tour')) this.#view?.welcome();
        this.dispatchEvent(new PinciteReadyEvent());
      },
      () => this.#draw(),
    );
  }

  disconnectedCallback() {
    // The lab lets go of the engine, so it is closed while there is one.
    this.#view?.close();
    const shared = this.#shared;
    this.#shared = null;
    this.#offerTools();
    this.#openLibrary();
    if (!shared) return;
    shared.engine.removeEventListener('change', this.#onChange);
    shared.users -= 1;
    if (shared.users > 0) return;
    engines.delete(this.#engineKey);
    shared.engine.close();
    if (engines.size === 0) void device.close();
  }

  /** @param {string} name */
  attributeChangedCallback(name) {
    if (!this.#shared) return;
    if (name === 'max-bytes') this.#applyLimits();
    else if (name === 'agent-tools') this.#offerTools();
    else if (name === 'lang') this.#show(stringsOf(languageOf(this)));
    else this.#view?.arrange(this.layout, this.expanded);
  }

  /** The engine behind the widget, for programs: documents, search, figures. */
  get engine() {
    if (!this.#shared) throw new Error('the widget is not in a page');
    return this.#shared.engine;
  }

  /** Adds files, as if they were dropped. Settles when each can be searched or has failed. A packed library (`.pincite`) gives a
   * result for each of its documents.
   * @param {Iterable<File>} files
   * @returns {Promise<PromiseSettledResult<LibraryDocument>[]>} */
  async addFiles(files) {
    const settled = await Promise.allSettled(this.#take([...files]));
    /** @type {PromiseSettledResult<LibraryDocument>[][]} */
    const results = settled.map((each) =>
      each.status === 'rejected' ? [each] : each.value.map((value) => ({ status: each.status, value })),
    );
    return results.flat();
  }

  /**
   * Adds a document from a server. Resolves when it can be searched, at once with the document that has its bytes already.
   * The whole file is fetched, since all of it is read; a transfer that breaks goes on where it broke, by range, while the file is the
   * same. `credentials` says whether cookies go along, `getAuth` gives the value of the `Authorization` header, `signal` cancels.
   * @param {string | URL} address relative to the page
   * @param {import('../engine/ingest.js').LinkOptions & { name?: string }} [options]
   * @returns {Promise<LibraryDocument>}
   */
  addUrl(address, options = {}) {
    return this.#follow(this.engine.addUrl(address, options), options.name ?? String(address));
  }

  /**
   * Adds the documents of a packed library (`pincite pack`) that are not there yet; nothing is read or embedded. Resolves with all
   * that can be searched then; each other one is told by `pincite-error`. What it says of its documents is believed: take one from
   * your own server only.
   * @param {Blob | string | URL} source the file, or its address relative to the page
   * @param {import('../engine/ingest.js').PackedOptions & { name?: string }} [options] as of `addUrl`; `onFailed` is told of each
   *   document that could not be added, and why
   * @returns {Promise<LibraryDocument[]>}
   */
  async addLibrary(source, { onFailed, ...options } = {}) {
    const tell = (
      /** @type {import('../engine/errors.js').PlainError} */ error,
      /** @type {string} */ name,
    ) => {
      this.dispatchEvent(new PinciteErrorEvent(error, name));
      onFailed?.(error, name);
    };
    try {
      const documents = await this.engine.addLibrary(source, { ...options, onFailed: tell });
      for (const document of documents) this.dispatchEvent(new PinciteAddEvent(document));
      return documents;
    } catch (error) {
      const name =
        options.name ??
        (source instanceof File ? source.name : source instanceof Blob ? null : String(source));
      this.dispatchEvent(new PinciteErrorEvent(toPlain(error), name));
      throw error;
    }
  }

  /** Asks a question, shows the answer and returns it. A floating panel opens.
   * @param {string} question
   * @returns {Promise<Answer>} */
  async ask(question) {
    if (!this.#view || !this.#shared) throw new Error('the widget is not in a page');
    this.expanded = true;
    return this.#view.ask(question);
  }

  /** Opens the document of a citation, with the cited words lit. A floating panel opens; there is no `pincite-cite`.
   * @param {Citation} citation of an answer over this library
   * @param {readonly Citation[]} [all] those that the viewer steps through; this one alone when absent */
  open(citation, all = [citation]) {
    if (!this.#asked.snapshot.documents.some(({ id }) => id === citation.documentId))
      throw new EngineError(
        'bad-argument',
        `expected a document of the library, found ${citation.documentId}`,
      );
    this.expanded = true;
    this.#view?.cite(citation, all);
  }

  /** Opens the keyboard map: a dialog with all keys. A floating panel opens. */
  async showKeys() {
    this.expanded = true;
    await this.#view?.guide.showKeys();
  }

  /** Begins the tour of the widget's controls, which takes the focus. A floating panel opens. */
  async startTour() {
    this.expanded = true;
    await this.#view?.guide.startTour(true);
  }

  /** As the attribute. @returns {Layout} */
  get layout() {
    const layout = this.getAttribute('layout');
    return layout === 'answer' || layout === 'floating' ? layout : 'full';
  }

  /** @param {Layout} layout */
  set layout(layout) {
    this.setAttribute('layout', layout);
  }

  /** True if the panel of the floating layout is open. */
  get expanded() {
    return this.hasAttribute('expanded');
  }

  set expanded(expanded) {
    if (this.layout === 'floating') this.toggleAttribute('expanded', expanded);
  }

  /** @param {import('./settings.js').PageModel | null} given */
  set llm(given) {
    this.#settings?.give(given);
    this.#given.llm = given;
  }

  /**
   * Model that answers are written with: an endpoint, several (a profile names the later ones by their `name`), or an object
   * with `complete(request, { signal, onText })`. It goes before what the person set, null gives the choice back. Reading it
   * gives what is set, without keys.
   * @returns {import('./settings.js').ModelStatus | null}
   */
  get llm() {
    return this.#settings?.status ?? null;
  }

  /** @param {string | null} profile */
  set profile(profile) {
    this.#given.profile = profile;
    this.#settings?.giveProfile(profile);
  }

  /** Profile, by name or as TOML; it goes before what the person chose. */
  get profile() {
    return this.#settings?.profileText ?? this.#given.profile;
  }

  /** @param {LibraryOptions | null} library */
  set library(library) {
    this.#given.library = library;
    this.#openLibrary();
  }

  /**
   * Library on a server, asked beside the documents of this browser: its address and a function that gives the token; null for none.
   * Reading it gives its address and state.
   * @returns {LibraryStatus | null}
   */
  get library() {
    return this.#remote?.status ?? null;
  }

  /** The static page, which has itself kept for use without a network; no other page sets it, and a widget never starts a
   * service worker. @param {import('../offline/site.js').KeptSite | null} site
   * @internal */
  set site(site) {
    this.#site = site;
    this.#view?.followSite(site);
  }

  get site() {
    return this.#site;
  }

  /** @param {Workers} workers */
  set workers(workers) {
    this.#given.workers = workers;
  }

  /** Addresses of the workers by file, `engine/worker.js`, `device/worker.js`, `lab/worker.js` and
   * `viewer/pdf.worker.min.mjs`; a `TrustedScriptURL` where the page's policy is to have made it. Set before the element is in the page. */
  get workers() {
    return this.#given.workers;
  }

  /** Requests that were sent to language models and libraries on servers, by all widgets of the page. */
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
    if (this.#view?.strings === strings) {
      this.#view.followSite(this.#site);
      return this.#view.open();
    }
    const settings = /** @type {AnsweringSettings} */ (this.#settings);
    this.#view?.close();
    this.#view = new WidgetView({
      strings,
      settings,
      library: this.getAttribute('library') ?? 'pincite',
      engine: () => this.#asked,
      here: () => this.engine,
      remote: () => this.#remote,
      base: () => this.#base,
      addFiles: (files) => this.#take(files),
      run: (action) => this.#run(action),
      expand: (expanded) => {
        this.expanded = expanded;
      },
      removeDocument: (id) => this.#remove(id),
      dispatch: (event) => this.dispatchEvent(event),
    });
    this.#root.replaceChildren(...this.#view.elements);
    this.#view.arrange(this.layout, this.expanded);
    this.#view.followSite(this.#site);
    this.#view.open();
    this.#draw();
  }

  /** Offers tools to agents as long as the element is in a page and its attribute says so. */
  #offerTools() {
    this.#offered?.abort();
    this.#offered = null;
    if (!this.#shared || !this.hasAttribute('agent-tools') || !Reflect.has(document, 'modelContext')) return;
    const offered = new AbortController();
    this.#offered = offered;
    const host = {
      library: this.getAttribute('library') ?? 'pincite',
      search: (/** @type {string} */ query, /** @type {number} */ k) => this.engine.search(query, { k }),
      ask: (/** @type {string} */ question) => this.ask(question),
      open: (/** @type {Citation} */ citation, /** @type {readonly Citation[]} */ all) =>
        this.open(citation, all),
      ledger,
    };
    this.#run(async () => {
      const { modelContext, offerTools } = await import('../agents/tools.js');
      const context = modelContext();
      if (context && !offered.signal.aborted) await offerTools(context, host, offered.signal);
    });
  }

  /** The engine with the library on a server, where there is one. @returns {import('../remote/joined-engine.js').AskedEngine} */
  get #asked() {
    return this.#remote?.engine ?? this.engine;
  }

  /** Opens the library that the page has set, in the place of another, as long as the element is in a page. */
  #openLibrary() {
    const { library } = this.#given;
    const shared = this.#shared;
    this.#remote?.close();
    this.#remote = null;
    this.#draw();
    if (!shared || !library) return;
    this.#run(async () => {
      const { RemoteLibrary } = await import('../remote/remote-library.js');
      if (shared !== this.#shared || library !== this.#given.library || this.#remote) return;
      this.#remote = new RemoteLibrary(library, {
        engine: shared.engine,
        base: () => this.#base,
        send,
        ledger,
        readAnswer,
        onState: (status) => this.dispatchEvent(new PinciteLibraryEvent(status)),
        onError: (error) => this.dispatchEvent(new PinciteErrorEvent(error, null)),
      });
      this.#remote.addEventListener('change', this.#onChange);
      this.#remote.open();
    });
  }

  #applyLimits() {
    const bytes = Number(this.getAttribute('max-bytes'));
    if (this.#shared && Number.isFinite(bytes) && bytes > 0) this.#shared.engine.limits.maxBytes = bytes;
  }

  /** Adds files, the small ones first: they can be asked about while a large one is read. @param {File[]} files
   * @returns {Promise<LibraryDocument[]>[]} in the order of the files */
  #take(files) {
    const bySize = files.map((file, at) => ({ file, at })).sort((a, b) => a.file.size - b.file.size);
    /** @type {Promise<LibraryDocument[]>[]} */
    const added = [];
    for (const { file, at } of bySize)
      added[at] = /\.pincite$/i.test(file.name)
        ? this.#takeLibrary(file)
        : this.#follow(this.engine.add(file), file.name).then((document) => [document]);
    // The list shows what went wrong; a caller that looks gets it too.
    for (const each of added) each.catch(() => {});
    return added;
  }

  /** Adds the documents of a packed library. @param {File} file */
  async #takeLibrary(file) {
    let nFailed = 0;
    const documents = await this.addLibrary(file, { onFailed: () => (nFailed += 1) });
    const { length } = documents;
    this.#view?.say(`${file.name}: ${this.#view.strings.jobs.documents(length, length + nFailed)}`);
    return documents;
  }

  /** Tells of a document on its way. @param {Promise<LibraryDocument>} added @param {string} name */
  #follow(added, name) {
    const told = added.then(
      (document) => {
        this.#view?.say(this.#view.strings.widget.searchable(document.name, document.nPages));
        this.dispatchEvent(new PinciteAddEvent(document));
        return document;
      },
      (error) => {
        this.dispatchEvent(new PinciteErrorEvent(toPlain(error), name));
        throw error;
      },
    );
    told.catch(() => {});
    return told;
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
    if (this.#shared) this.#view?.update(this.#asked.snapshot);
  }
}

/** Language of an element: its own `lang` or that of the nearest element around it. @param {HTMLElement} element */
function languageOf(element) {
  return element.closest('[lang]')?.getAttribute('lang') ?? 'en';
}

if (!customElements.get('pincite-widget')) customElements.define('pincite-widget', PinciteWidget);

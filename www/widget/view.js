/**
 * The interface of the widget in one language: library, question, answers and viewer, and how they work together. The
 * element gives it an engine and settings. The page around sees only the events.
 */

import { el, fill } from '../dom/elements.js';
import { icon } from '../dom/icons.js';
import { actionOf, isTyping } from '../dom/keys.js';
import { toPlain } from '../engine/errors.js';
import { sampleFile } from '../engine/files.js';
import { isOver } from '../engine/ingest.js';
import { describe } from '../strings/errors.js';
import { Answering } from './answering.js';
import { ColumnSeparator } from './column-separator.js';
import { PinciteErrorEvent } from './events.js';
import { Guide } from './guide.js';
import { titlesOf } from './places.js';
import { DropZone } from './parts/drop-zone.js';
import { FailureBanner } from './parts/failure-banner.js';
import { FilterBar } from './parts/filter.js';
import { Launcher } from './parts/launcher.js';
import { LibraryView } from './parts/library.js';
import { LiveRegion } from './parts/live-region.js';
import { QuestionBox } from './parts/question.js';
import { SiteView } from './parts/site.js';
import { Suggestions } from './parts/suggestions.js';
import { Welcome } from './parts/welcome.js';
import { Viewing } from './viewing.js';

/** @typedef {import('../engine/client.js').Engine} Engine */
/** @typedef {import('../engine/client.js').Snapshot} Snapshot */
/** @typedef {import('../engine/protocol.js').Answer} Answer */
/** @typedef {import('../engine/protocol.js').Citation} Citation */
/** @typedef {import('../engine/protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {import('./parts/welcome.js').Sample} Sample */

/**
 * @typedef {object} ViewHost what the interface gets from its element
 * @property {import('../strings/index.js').Strings} strings
 * @property {import('./settings.js').AnsweringSettings} settings
 * @property {string} library name of the stored library
 * @property {() => import('../remote/joined-engine.js').AskedEngine} engine with a library on a server, where there is one
 * @property {() => Engine} here the engine of this browser's documents
 * @property {() => import('../remote/remote-library.js').RemoteLibrary | null} remote
 * @property {() => import('../engine/files.js').AssetBase} base
 * @property {(files: File[]) => Promise<LibraryDocument[]>[]} addFiles
 * @property {(action: (engine: Engine) => Promise<unknown>) => void} run
 * @property {(id: string) => Promise<void>} removeDocument
 * @property {(expanded: boolean) => void} expand opens or closes the panel of the floating layout
 * @property {(event: Event) => boolean} dispatch sends an event of the element; false if it was cancelled
 */

/** @typedef {import('./layouts.styles.js').Layout} Layout */

export class WidgetView {
  /** The language. */
  strings;
  /** The content of the shadow root. */
  element = el('div', { class: 'shell' });
  #host;
  #answering;
  #isOpen = false;
  /** @type {Layout} */
  #layout = 'full';
  #isExpanded = false;
  #live = new LiveRegion();
  #failure;
  #toggle = el('button', {
    type: 'button',
    class: 'quiet library-toggle',
    onclick: () => this.#unfold(!this.element.classList.contains('library-open')),
  });
  #desk = el('div', { class: 'desk' });
  #top = el('header', { class: 'top', part: 'header' });
  #launcher;
  #library;
  #question;
  #filter;
  #suggestions;
  #welcome;
  #viewing;
  #viewer;
  /** Made when it is first asked for. @type {import('../evidence/save-dialog.js').SaveDialog | null} */
  #saving = null;
  /** Made when it is first asked for. @type {import('../lab/lab.js').Lab | null} */
  #lab = null;
  #site;
  #guide;
  #onKey = (/** @type {KeyboardEvent} */ event) => this.#key(event);

  /** @param {ViewHost} host */
  constructor(host) {
    const { strings, settings, library, engine, run } = host;
    this.#host = host;
    this.strings = strings;
    this.element.lang = strings.lang;
    this.#failure = new FailureBanner(strings.widget.dismiss, () => this.#question.focus());
    this.#filter = new FilterBar(strings, () => this.#lookElsewhere());
    this.#site = new SiteView(strings);
    const lab = el(
      'button',
      { type: 'button', class: 'quiet', onclick: () => this.#openLab(lab.closest('dialog')) },
      strings.widget.lab,
    );
    this.#answering = new Answering({
      strings,
      settings,
      library,
      further: [this.#site.field, lab],
      engine,
      filter: this.#filter,
      onCite: (citation, all) => this.#viewing.cite(citation, all),
      dispatch: host.dispatch,
      say: (text, now) => this.#live.say(text, now),
      onNewConversation: () => this.#question.focus(),
      onSave: (answered, at) => void this.#saveWithDocuments(answered, at),
      onShown: () => this.#answersShown(),
    });
    this.#launcher = new Launcher(strings, () => host.expand(!this.#isExpanded));
    const dropZone = new DropZone({
      strings,
      target: this.element,
      takes: () => this.#layout !== 'answer',
      onFiles: host.addFiles,
    });
    const { cancelled } = strings.widget;
    this.#library = new LibraryView(
      strings,
      {
        open: (id) => this.#viewing.openDocument(id),
        choose: (id, isIn) => this.#filter.choose(id, isIn),
        remove: (id) => run(() => host.removeDocument(id)),
        restore: (id) => run((engine) => engine.restore(id)),
        keepBoth: (id) => run(async (engine) => engine.keepBoth(id)),
        reindex: (id) => run((engine) => engine.reindex(id)),
        cancelDocument: (id) => this.#runAndSay(cancelled, (engine) => engine.cancelDocument(id)),
        cancel: (key) => this.#runAndSay(cancelled, async (engine) => engine.cancel(key)),
        dismiss: (key) => run(async (engine) => engine.dismiss(key)),
        unlock: (key, password) => run((engine) => engine.unlock(key, password)),
        save: (foot) => void this.#saveLibrary(foot),
        clear: () => run((engine) => this.#clearAll(engine)),
      },
      dropZone.element,
    );
    this.#question = new QuestionBox({
      strings,
      onAsk: (question) => void this.ask(question).catch(() => {}),
      onFocus: () => engine().warm(),
    });
    this.#suggestions = new Suggestions({
      strings,
      engine: host.here,
      isWanted: () => this.#isOpen && this.#answering.conversation.length === 0,
      filter: () => this.#filter.value,
      onAsk: (question) => {
        this.#question.focus(); // what was pressed is about to go
        void this.ask(question).catch(() => {});
      },
    });
    this.#welcome = new Welcome(strings, { add: (samples) => void this.#addSamples(samples) });
    this.#viewing = new Viewing({
      ...host,
      shell: this.element,
      focused: () => this.#focused,
      announce: (text) => this.#live.say(text, true),
      mark: (from, id) => this.#answering.conversation.markOpen(from, id),
      onOpen: () => this.#unfold(false),
    });
    this.#viewer = this.#viewing.viewer;
    this.#guide = new Guide({
      strings,
      shell: this.element,
      announce: (text) => this.#live.say(text, true),
      focused: () => this.#focused,
      onTry: (title) => this.#failure.clear(title),
      onFailure: (error, title) => this.#notLoaded(error, title),
    });
    this.#lay();
    this.#separate();
    for (const element of this.elements) element.addEventListener('keydown', this.#onKey);
  }

  /** Elements of the shadow root. */
  get elements() {
    return /** @type {HTMLElement[]} */ ([this.element, this.#launcher.element]);
  }

  /** Arranges the interface. The panel of the floating layout takes the focus when it opens, and its button when it closes.
   * @param {Layout} layout @param {boolean} expanded */
  arrange(layout, expanded) {
    const isFloating = layout === 'floating';
    const turned = isFloating && this.#layout === layout && this.#isExpanded !== expanded;
    this.#layout = layout;
    this.#isExpanded = expanded;
    this.#launcher.update(isFloating, expanded);
    this.element.hidden = isFloating && !expanded;
    const label = this.strings.widget.ask;
    this.element.role = isFloating ? 'dialog' : null;
    this.element.ariaLabel = isFloating ? label : null;
    // What stands over the page is not its banner.
    this.#top.role = isFloating ? 'group' : null;
    // A page has one main landmark, its own if it has one.
    const isMain = layout === 'full' && !document.querySelector('main, [role="main"]');
    this.#desk.role = isMain ? 'main' : 'region';
    this.#desk.ariaLabel = isMain ? null : label;
    if (!turned) return;
    if (expanded) this.#question.focus();
    else this.#launcher.element.focus();
  }

  /** Begins to listen and loads the samples. */
  open() {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#answering.open();
    document.addEventListener('keydown', this.#onKey);
    void this.#loadSamples();
  }

  /** Follows how the page is kept for use without a network. @param {import('../offline/site.js').KeptSite | null} site */
  followSite(site) {
    this.#site.follow(site);
  }

  /** Ends what is under way. */
  close() {
    this.#isOpen = false;
    document.removeEventListener('keydown', this.#onKey);
    this.#guide.close();
    this.#site.follow(null);
    this.#answering.close();
    this.#suggestions.close();
    this.#saving?.close();
    this.#lab?.close();
    this.#viewer.close();
  }

  /** Asks a question, shows the answer and returns it. @param {string} question @returns {Promise<Answer>} */
  async ask(question) {
    this.#question.clear();
    const answer = this.#answering.ask(question);
    this.update(this.#host.engine().snapshot);
    return answer;
  }

  /** Opens a citation's document at the cited words. @param {Citation} citation @param {readonly Citation[]} all those to step through */
  cite(citation, all) {
    this.#viewing.showCitation(citation, all);
  }

  /** Keyboard map and tour. */
  get guide() {
    return this.#guide;
  }

  /** Begins the tour on a first visit, where the page is still empty. */
  welcome() {
    if (this.element.classList.contains('empty') && !this.element.hidden) this.#guide.welcome();
  }

  /** Tells screen readers. @param {string} text */
  say(text) {
    this.#live.say(text, true);
  }

  /** Draws what has changed. @param {Snapshot} snapshot */
  update(snapshot) {
    const { documents, jobs, removed, state, failure } = snapshot;
    const usable = documents.filter(({ problem }) => problem === null);
    this.#filter.update(usable);
    this.#list(snapshot);
    this.#answering.update(snapshot);
    const reading = jobs.some((job) => !isOver(job));
    this.#question.update(usable.length > 0 ? 'ready' : reading ? 'reading' : 'empty');
    const empty = documents.length === 0 && removed.length === 0 && jobs.length === 0;
    const opening = state === 'opening';
    this.#welcome.element.hidden = opening || documents.length > 0 || this.#answering.conversation.length > 0;
    this.#welcome.update(reading);
    this.element.classList.toggle('empty', !opening && empty);
    this.element.classList.toggle('adding', jobs.length > 0);
    fill(
      this.#toggle,
      icon('document'),
      this.strings.widget.documents,
      el('span', { class: 'count' }, String(documents.length + jobs.length)),
    );
    this.element.dataset['state'] = state;
    if (!failure) this.#failure.clear('engine');
    else {
      const { title, hint } = describe(this.strings, failure);
      if (failure.code !== 'internal')
        this.#failure.show(
          'engine',
          title,
          (this.strings.own.english && (failure.hint || failure.message)) || hint,
        );
      else this.#failure.show('engine', this.strings.widget.engineFailed, this.strings.widget.reloadOrClear);
    }
    this.#suggestions.update(snapshot);
    this.#guide.update();
    this.#speakProgress(snapshot);
  }

  #lookElsewhere() {
    if (!this.#suggestions) return; // not yet made
    const { snapshot } = this.#host.engine();
    this.#list(snapshot);
    this.#suggestions.update(snapshot);
  }

  /** Lists documents; those of a library on a server are listed by that. @param {Snapshot} snapshot */
  #list(snapshot) {
    const documents = snapshot.documents.filter(({ library }) => !library);
    this.#library.update({ ...snapshot, documents }, this.#filter, titlesOf(snapshot.documents));
    this.#host.remote()?.draw({
      strings: this.strings,
      shell: this.element,
      viewer: this.#viewer,
      filter: this.#filter,
      live: this.#live,
      open: (id) => this.#viewing.openDocument(id),
      titles: () => titlesOf(this.#host.engine().snapshot.documents),
    });
  }

  #lay() {
    const { bar } = this.#answering;
    this.#desk.append(
      el(
        'div',
        { class: 'desk-inner' },
        this.#site.notice,
        this.#failure.element,
        this.#question.element,
        el('div', { class: 'under-question' }, this.#filter.element, bar.element),
        bar.warning,
        this.#suggestions.element,
        this.#welcome.element,
        this.#answering.conversation.element,
        this.#answering.foot,
        this.#answering.earlier,
      ),
      el('div', { class: 'foot', part: 'footer' }, el('slot', { name: 'footer' })),
    );
    this.#top.append(
      el('slot', { name: 'header' }, el('h1', { class: 'brand' }, 'Pin', el('mark', {}, 'cite'))),
      el('div', { class: 'top-buttons' }, this.#toggle, this.#guide.button),
    );
    this.element.append(
      this.#top,
      this.#library.element,
      this.#desk,
      this.#viewer.element,
      this.#live.element,
      el('div', { class: 'drop-cover', 'aria-hidden': 'true' }, el('p', {}, this.strings.widget.dropToAdd)),
      ...this.#answering.dialogs,
    );
  }

  /** Puts a separator into each column that it resizes: what stands in no landmark is not found by them. */
  #separate() {
    const { widget } = this.strings;
    const [library, viewer] = [this.#library.element, this.#viewer.element];
    const ofLibrary = {
      name: 'library',
      label: widget.libraryWidth,
      column: library,
      side: /** @type {const} */ (1),
      min: 200,
    };
    library.append(new ColumnSeparator(this.element, ofLibrary).element);
    const ofViewer = {
      name: 'viewer',
      label: widget.viewerWidth,
      column: viewer,
      side: /** @type {const} */ (-1),
      min: 300,
    };
    viewer.append(new ColumnSeparator(this.element, ofViewer).element);
  }

  /** @param {string} spoken @param {(engine: Engine) => Promise<unknown>} action */
  #runAndSay(spoken, action) {
    this.#live.say(spoken, true);
    this.#host.run(action);
  }

  /** Answers that were kept have come. What had the focus in their place is gone, so the newest question has it. */
  #answersShown() {
    this.update(this.#host.engine().snapshot);
    const { conversation, earlier } = this.#answering;
    if (earlier.contains(this.#focused)) conversation.focus();
  }

  /** @param {Engine} engine */
  async #clearAll(engine) {
    this.#viewer.close();
    await this.#answering.clear();
    await engine.clear();
    await this.#lab?.reload();
    this.#live.say(this.strings.widget.libraryEmpty, true);
  }

  /** @param {HTMLElement} foot of the library */
  async #saveLibrary(foot) {
    const failed = this.strings.evidence.saveFailed('');
    this.#failure.clear(failed);
    try {
      const { saveLibrary } = await import('../library-file/save-library.js');
      if (!this.#isOpen) return;
      const announce = this.say.bind(this);
      void saveLibrary({ strings: this.strings, engine: this.#host.here(), foot, announce });
    } catch (error) {
      this.#notLoaded(error, failed);
    }
  }

  async #loadSamples() {
    /** @type {Sample[]} */
    let samples = [];
    try {
      const list = await sampleFile('samples.json', this.#host.base());
      samples = JSON.parse(await list.text());
    } catch {
      // A site without samples offers none.
    }
    this.#welcome.offer(samples);
    this.#suggestions.offer(samples);
    if (this.#isOpen) this.update(this.#host.engine().snapshot);
  }

  /** @param {Sample[]} samples */
  async #addSamples(samples) {
    const { strings } = this;
    const failed = strings.widget.samplesFailed;
    this.#failure.clear(failed);
    const files = await Promise.all(
      samples.map(async ({ file }) => {
        const bytes = await sampleFile(file, this.#host.base());
        return new File([bytes], file, { type: 'application/pdf' });
      }),
    ).catch((error) => {
      this.#host.dispatch(new PinciteErrorEvent(toPlain(error), null));
      this.#failure.show(failed, failed, strings.widget.reload);
      return [];
    });
    if (files.length > 0) this.#question.focus();
    await Promise.allSettled(this.#host.addFiles(files));
  }

  /**
   * @param {import('../evidence/save-dialog.js').Saved[]} answered
   * @param {number | null} at the one that was chosen; null for all
   */
  async #saveWithDocuments(answered, at) {
    const { engine, base } = this.#host;
    const announce = (/** @type {string} */ text) => this.#live.say(text, true);
    const failed = this.strings.evidence.saveFailed('');
    this.#failure.clear(failed);
    try {
      const { SaveDialog } = await import('../evidence/save-dialog.js');
      if (!this.#isOpen) return;
      this.#saving ??= new SaveDialog({ strings: this.strings, engine, base, announce });
    } catch (error) {
      return this.#notLoaded(error, failed);
    }
    if (!this.#saving.element.isConnected) this.element.append(this.#saving.element);
    this.#saving.open(answered, at);
  }

  /** @param {HTMLDialogElement | null} dialog that it was asked for in */
  async #openLab(dialog) {
    dialog?.close();
    const { strings, element: shell } = this;
    this.#failure.clear(strings.widget.labFailed);
    try {
      const { Lab } = await import('../lab/index.js');
      if (!this.#isOpen) return;
      this.#lab ??= new Lab({
        ...this.#host,
        engine: this.#host.here,
        strings,
        shell,
        desk: this.#desk,
        viewer: this.#viewer,
        open: (key, name, at) => this.#viewing.open(key, name, at),
        say: (text, now) => this.#live.say(text, now),
      });
      this.#lab.open();
    } catch (error) {
      this.#notLoaded(error, strings.widget.labFailed);
    }
  }

  /** The element of this interface that has the focus. @returns {HTMLElement | null} */
  get #focused() {
    const root = this.element.getRootNode();
    const active = root instanceof ShadowRoot ? root.activeElement : null;
    return active instanceof HTMLElement ? active : null;
  }

  /** A key pressed in the interface; or nowhere, on a page that it is the main part of. @param {KeyboardEvent} event */
  #key(event) {
    const { currentTarget, target, defaultPrevented } = event;
    const isHere = currentTarget !== document || (this.#desk.role === 'main' && target === document.body);
    // A dialog closes itself.
    if (!isHere || defaultPrevented || (target instanceof Element && target.closest('dialog'))) return;
    const action = actionOf('page', event);
    if (action === 'showKeys' && !isTyping(event)) void this.#guide.showKeys();
    else if (action !== 'leave' || !this.#leave()) return;
    event.preventDefault();
  }

  /** Closes what was opened last: the viewer, the library where it is folded, a running question. @returns {boolean} false if there is nothing */
  #leave() {
    if (this.#guide.leave()) return true;
    if (this.#viewer.isOpen) this.#viewer.escape();
    else if (this.element.classList.contains('library-open')) this.#unfold(false);
    else if (!this.#answering.stop()) {
      if (this.#layout !== 'floating' || !this.#isExpanded) return false;
      this.#host.expand(false);
    }
    return true;
  }

  /** Shows or hides the library where it is folded away. @param {boolean} open */
  #unfold(open) {
    this.element.classList.toggle('library-open', open);
    this.#toggle.setAttribute('aria-expanded', String(open));
  }

  /** Tells screen readers of progress, at most every few seconds. @param {Snapshot} snapshot */
  #speakProgress({ jobs }) {
    const job = jobs.find(({ stage }) => stage === 'pages');
    if (job && job.total > 0)
      this.#live.say(this.strings.widget.progress(job.name, job.done, job.total), false);
  }

  /** Says that a part of the page, which is loaded when it is asked for, did not come. @param {unknown} error @param {string} title */
  #notLoaded(error, title) {
    this.#host.dispatch(new PinciteErrorEvent(toPlain(error), null));
    this.#failure.show(title, title, this.strings.widget.reload);
  }
}

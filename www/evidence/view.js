/**
 * An opened evidence file: who saved it and its fingerprint, the answers, the documents, and the viewer. The documents are
 * read by an engine that has them in memory alone; as each is read, its quotations are compared again, and what differs from
 * what was saved is said above the sources.
 */

import { el } from '../dom/elements.js';
import { actionOf, isTyping } from '../dom/keys.js';
import { Engine } from '../engine/client.js';
import { toPlain } from '../engine/errors.js';
import { describe } from '../strings/errors.js';
import { placeOf, turnOf } from '../viewer/citation-place.js';
import { KeyHelp } from '../viewer/key-help.js';
import { coveredWidth, Viewer } from '../viewer/viewer.js';
import { LiveRegion } from '../widget/parts/live-region.js';
import { titleOf } from '../widget/places.js';
import { Checker } from './check.js';
import { DocumentList } from './document-list.js';
import { masthead, warnings } from './masthead.js';
import { SavedAnswerView } from './saved-answer.js';

/** @typedef {import('./open.js').OpenedDocument} OpenedDocument */

export class EvidenceView {
  element = el('div', { class: 'shell evidence-shell' });
  #strings;
  #evidence;
  #engine;
  #checker;
  #viewer;
  #live = new LiveRegion();
  #failure = el('div', { class: 'failure', role: 'alert', hidden: true });
  #keys;
  #list;
  #answers;
  /** Documents that the engine has read. @type {Set<string>} */
  #read = new Set();
  /** The element that had the focus when the viewer opened, and the answer that it is in.
   * @type {{ element: HTMLElement | null, answer: SavedAnswerView | undefined } | null} */
  #opener = null;

  /**
   * @param {object} options
   * @param {import('../strings/index.js').Strings} options.strings
   * @param {import('../engine/files.js').AssetBase} options.base
   * @param {import('./open.js').Opened} options.evidence
   */
  constructor({ strings, base, evidence }) {
    this.#strings = strings;
    this.#evidence = evidence;
    this.#engine = new Engine({ base, library: null, vectors: false });
    this.#checker = new Checker(this.#engine);
    const announce = (/** @type {string} */ text) => this.#live.say(text, true);
    this.#viewer = new Viewer({ strings, base: () => base, onClose: () => this.#viewerClosed(), announce });
    this.#list = new DocumentList({
      strings,
      documents: evidence.documents,
      open: (document) =>
        this.#show(
          document,
          { page: 1, spans: [], places: document.nPages > 0 ? null : [], quote: '' },
          null,
        ),
      unlock: (document, password) => this.#unlock(document, password),
    });
    this.#answers = evidence.contents.answers.map(({ question, answer, searched }) => {
      const view = new SavedAnswerView({
        strings,
        question,
        answer,
        searched,
        titleOf: (id) => titleOf(evidence.documents, id),
        onCite: (id) => this.#cite(view, id),
        announce,
      });
      return view;
    });
    this.element.lang = strings.lang;
    this.#keys = new KeyHelp({
      strings,
      shell: this.element,
      places: ['page', 'viewer', 'find', 'sections', 'thumbnails'],
      onFailure: (_, title) => this.#fail(title),
    });
    this.#lay();
    // A key pressed where nothing has the focus is for this view too: it is all that there is on its page.
    for (const target of [this.element, document])
      target.addEventListener('keydown', (event) => this.#key(/** @type {KeyboardEvent} */ (event)));
  }

  /** Reads the documents and compares what is cited with them. */
  start() {
    void this.#readAll();
  }

  #lay() {
    this.element.append(
      el(
        'main',
        { class: 'desk' },
        el(
          'div',
          { class: 'desk-inner' },
          this.#failure,
          masthead(this.#strings, this.#evidence, this.#keys.button),
          warnings(this.#strings, this.#evidence),
          el('div', { class: 'thread' }, ...this.#answers.map(({ element }) => element)),
          this.#list.element,
        ),
      ),
      this.#viewer.element,
      this.#live.element,
    );
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { currentTarget, target, defaultPrevented } = event;
    const isHere = currentTarget !== document || target === document.body;
    // A dialog closes itself.
    if (!isHere || defaultPrevented || (target instanceof Element && target.closest('dialog'))) return;
    const action = actionOf('page', event);
    if (action === 'showKeys' && !isTyping(event)) void this.#keys.show();
    else if (action === 'leave' && this.#viewer.isOpen) this.#viewer.escape();
    else return;
    event.preventDefault();
  }

  /** @param {string} title */
  #fail(title) {
    this.#failure.textContent = title;
    this.#failure.hidden = false;
  }

  async #readAll() {
    for (const document of this.#evidence.documents) {
      if (document.sha256 !== document.id) continue;
      this.#list.say(document.id, 'reading');
      await this.#engine.add(document.file, { name: document.name }).then(
        () => this.#wasRead(document.id),
        (error) => this.#notRead(document.id, error),
      );
    }
    await this.#checkAll();
  }

  /** @param {OpenedDocument} document @param {string} password */
  async #unlock({ id, file, name }, password) {
    this.#list.say(id, 'reading');
    try {
      await this.#engine.add(file, { name, password });
      this.#wasRead(id);
    } catch (error) {
      this.#notRead(id, error, true);
      return;
    }
    await this.#checkAll();
  }

  /** @param {string} id */
  #wasRead(id) {
    // The engine's own hash of what it read.
    if (!this.#engine.snapshot.documents.some((document) => document.id === id)) return;
    this.#read.add(id);
    this.#list.say(id, 'read');
  }

  /** @param {string} id @param {unknown} error @param {boolean} [wasUnlocked] whether a password was given */
  #notRead(id, error, wasUnlocked = false) {
    const plain = toPlain(error);
    if (plain.code === 'pdf-encrypted') return this.#list.say(id, wasUnlocked ? 'wrong-password' : 'locked');
    const { title, hint } = describe(this.#strings, plain);
    const { sentence, sentences } = this.#strings.format;
    this.#list.say(id, 'unread', sentences([sentence(title), hint]));
  }

  async #checkAll() {
    for (const answer of this.#answers) {
      const told = await answer.check(this.#checker, this.#read);
      if (told !== null) this.#live.say(told, true);
    }
  }

  /** @param {SavedAnswerView} answer @param {number} id of a citation, which is shown as it is known by now */
  #cite(answer, id) {
    const all = answer.shown;
    const citation = all.find((each) => each.id === id);
    const document = this.#evidence.documents.find((each) => each.id === citation?.documentId);
    if (!citation || !document) return;
    for (const each of this.#answers) each.markOpen(each === answer ? id : null);
    this.#show(
      document,
      placeOf(citation),
      turnOf(citation, all, (other) => this.#cite(answer, other.id)),
    );
  }

  /**
   * @param {OpenedDocument} document
   * @param {ReturnType<typeof placeOf>} place
   * @param {import('../viewer/citation-steps.js').CitationTurn | null} cited
   */
  #show(document, place, cited) {
    const { id, name, file } = document;
    const element = this.#focused;
    if (!this.#viewer.isOpen)
      this.#opener = { element, answer: this.#answers.find((answer) => answer.element.contains(element)) };
    this.element.classList.add('viewing');
    const opened = this.#viewer.open({
      ...place,
      key: id,
      name,
      title: titleOf(this.#evidence.documents, id) ?? name,
      nPages: this.#engine.snapshot.documents.find((each) => each.id === id)?.nPages ?? 0,
      cited,
      blocks: (start, limit) => this.#engine.text(id, start, limit),
      password: this.#engine.password(id),
      file: async () => file,
    });
    // Where the viewer covers everything, it takes the focus too.
    if (this.element.clientWidth < coveredWidth && !this.#viewer.element.contains(this.#focused))
      void opened.then(() => this.#viewer.focus());
  }

  #viewerClosed() {
    this.element.classList.remove('viewing');
    for (const answer of this.#answers) answer.markOpen(null);
    const { element, answer } = this.#opener ?? {};
    this.#opener = null;
    (element && answer ? answer.now(element) : element)?.focus();
  }

  /** @returns {HTMLElement | null} */
  get #focused() {
    const root = this.element.getRootNode();
    const active = root instanceof ShadowRoot ? root.activeElement : null;
    return active instanceof HTMLElement ? active : null;
  }
}

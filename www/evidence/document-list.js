/**
 * The documents of an evidence file: each with its hash, whether that is the one that was cited, and how far it has been read
 * here. One can be opened in the viewer and saved as the file that it is.
 */

import { el, fill } from '../dom/elements.js';
import { icon } from '../dom/icons.js';
import { save } from '../dom/save.js';
import { passwordForm } from '../viewer/password-form.js';
import { titleOf } from '../widget/places.js';

/** @typedef {import('./open.js').OpenedDocument} OpenedDocument */
/** @typedef {'reading' | 'read' | 'locked' | 'wrong-password' | 'unread'} ReadingState */

export class DocumentList {
  element;
  #strings;
  #host;
  /** @type {Map<string, HTMLElement>} */
  #states = new Map();

  /**
   * @param {object} host
   * @param {import('../strings/index.js').Strings} host.strings
   * @param {readonly OpenedDocument[]} host.documents
   * @param {(document: OpenedDocument) => void} host.open
   * @param {(document: OpenedDocument, password: string) => Promise<void>} host.unlock
   */
  constructor(host) {
    this.#strings = host.strings;
    this.#host = host;
    this.element = el(
      'section',
      { class: 'evidence-documents', 'aria-labelledby': 'pincite-evidence-documents' },
      el('h2', { id: 'pincite-evidence-documents' }, host.strings.evidence.documents),
      el('ul', {}, ...host.documents.map((document) => this.#row(document))),
    );
  }

  /** Says how far a document has been read. @param {string} id @param {ReadingState} state @param {string} [why] */
  say(id, state, why = '') {
    const { evidence: texts } = this.#strings;
    const line = this.#states.get(id);
    if (!line) return;
    line.dataset['state'] = state;
    switch (state) {
      case 'reading':
        return fill(line, texts.reading);
      case 'read':
        return fill(line, texts.read);
      case 'unread':
        return fill(line, texts.unread(why));
      default:
        return this.#askPassword(id, line, state === 'wrong-password');
    }
  }

  /** @param {OpenedDocument} document */
  #row(document) {
    const { evidence: texts, format } = this.#strings;
    const { id, name, nPages, file, sha256 } = document;
    const title = titleOf(this.#host.documents, id) ?? name;
    const isSame = id === sha256;
    const state = el('p', { class: 'fine', role: 'status' }, isSame && texts.waiting);
    this.#states.set(id, state);
    return el(
      'li',
      {},
      el('p', { class: 'strong' }, title),
      el(
        'p',
        { class: 'fine' },
        format.list([title !== name && name, nPages > 0 && format.pages(nPages), format.bytes(file.size)]),
      ),
      el('p', { class: 'fine hash' }, `${texts.hash} ${sha256}`),
      el(
        'p',
        { class: isSame ? 'fine evidence-same' : 'note warning' },
        icon(isSame ? 'check' : 'warning'),
        isSame ? texts.hashMatches : texts.hashDiffers(id),
      ),
      state,
      el(
        'div',
        { class: 'copy-row' },
        button('document', texts.open, texts.openDocument(name), () => this.#host.open(document)),
        button('save', texts.saveDocument, texts.saveNamed(name), () => save(name, file, file.type)),
      ),
    );
  }

  /** @param {string} id @param {HTMLElement} line @param {boolean} wasWrong */
  #askPassword(id, line, wasWrong) {
    const { evidence: texts } = this.#strings;
    const document = this.#host.documents.find((each) => each.id === id);
    if (!document) return;
    const { element, entered, input } = passwordForm(this.#strings);
    fill(line, wasWrong ? texts.documentWrongPassword : texts.documentLocked, element);
    if (wasWrong) input.focus();
    void entered.then((password) => this.#host.unlock(document, password));
  }
}

/** @param {import('../dom/icons.js').IconName} name @param {string} text @param {string} label @param {() => void} onclick */
function button(name, text, label, onclick) {
  return el('button', { type: 'button', class: 'quiet', 'aria-label': label, onclick }, icon(name), text);
}

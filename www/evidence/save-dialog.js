/**
 * The dialog that saves answers with their documents as one file: what goes in, a title, who and when if the person wants to
 * say so, a passphrase; then progress, and what to tell the recipient. It is loaded when it is first opened.
 */

import { adopt } from '../dom/adopt.js';
import { el, fill } from '../dom/elements.js';
import { icon } from '../dom/icons.js';
import { save } from '../dom/save.js';
import { evidenceTemplate } from '../engine/files.js';
import { titleOf } from '../widget/places.js';
import { citedDocuments, contentsOf, maxDocumentBytes } from './contents.js';
import { EvidenceError } from './errors.js';
import { packed, sizeOf } from './pack.js';
import { PassphraseFields } from './passphrase-fields.js';
import { styles } from './save-dialog.styles.js';

/** @typedef {import('../engine/client.js').Engine} Engine */
/** @typedef {import('../engine/protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {{ question: string, answer: import('../engine/protocol.js').Answer, searched: import('../widget/places.js').Searched }} Saved */

/**
 * @typedef {object} SaveHost
 * @property {import('../strings/index.js').Strings} strings
 * @property {() => Engine} engine
 * @property {() => import('../engine/files.js').AssetBase} base
 * @property {(text: string) => void} announce
 */

export class SaveDialog {
  element;
  #host;
  #texts;
  /** @type {Saved[]} */
  #answered = [];
  #at = 0;
  /** The page of the file, from the opening of the dialog on. @type {Promise<Blob>} */
  #template = Promise.resolve(new Blob());
  /** @type {AbortController | null} */
  #saving = null;
  #one = this.#choice();
  #all = this.#choice();
  #allLabel = el('span');
  #scope;
  #title = el('input', { id: 'pincite-evidence-title', type: 'text', maxLength: 300, required: true });
  #by = el('input', { id: 'pincite-evidence-by', type: 'text', maxLength: 300, autocomplete: 'name' });
  #date = el('input', { id: 'pincite-evidence-date', type: 'date' });
  #inside = el('div', { class: 'evidence-inside' });
  #passphrase;
  #fields;
  #progress;
  #outcome = el('div', { class: 'evidence-outcome' });
  #actions;

  /** @param {SaveHost} host */
  constructor(host) {
    const { strings } = host;
    const texts = strings.evidence;
    this.#host = host;
    this.#texts = texts;
    this.#passphrase = new PassphraseFields(strings);
    this.#scope = el(
      'div',
      { class: 'evidence-scope', role: 'radiogroup', 'aria-label': texts.scope },
      el('label', {}, this.#one, texts.thisAnswer),
      el('label', {}, this.#all, this.#allLabel),
    );
    this.#fields = el(
      'fieldset',
      { class: 'evidence-fields' },
      this.#scope,
      field(texts.title, this.#title),
      el('div', { class: 'evidence-who' }, field(texts.by, this.#by), field(texts.date, this.#date)),
      el('p', { class: 'fine' }, texts.whoExplained),
      el('h3', {}, texts.inside),
      this.#inside,
      this.#passphrase.element,
    );
    this.#progress = el('progress', { max: 1, value: 0, 'aria-label': texts.progress, hidden: true });
    this.#actions = {
      save: el('button', { type: 'submit', class: 'primary' }, texts.save),
      cancel: el('button', { type: 'button', class: 'quiet', onclick: () => this.#stop() }, texts.cancel),
    };
    this.element = this.#lay();
    this.element.addEventListener('close', () => this.#saving?.abort());
  }

  /** @param {Saved[]} answered answers of a conversation, oldest first @param {number | null} at the one to save; null for all */
  open(answered, at) {
    if (this.element.open) return;
    this.#answered = answered;
    this.#at = at ?? 0;
    this.#scope.hidden = answered.length < 2;
    this.#one.checked = at !== null;
    this.#all.checked = at === null;
    this.#allLabel.textContent = this.#texts.allAnswers(answered.length);
    this.#title.value = (answered[this.#at]?.question ?? '').slice(0, 300);
    this.#passphrase.clear();
    fill(this.#outcome);
    this.#template = evidenceTemplate(this.#host.base());
    // Said where it is used.
    this.#template.catch(() => {});
    this.#draw();
    this.#working(false);
    adopt(this.element, styles);
    this.element.showModal();
  }

  close() {
    this.element.close();
  }

  #lay() {
    const texts = this.#texts;
    return el(
      'dialog',
      { class: 'dialog evidence', 'aria-labelledby': 'pincite-evidence-heading' },
      el(
        'form',
        {
          method: 'dialog',
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            void this.#save();
          },
        },
        el(
          'div',
          { class: 'dialog-head' },
          el('h2', { id: 'pincite-evidence-heading' }, texts.heading),
          el(
            'button',
            { type: 'button', class: 'icon-button', 'aria-label': texts.close, onclick: () => this.close() },
            icon('close'),
          ),
        ),
        el('p', { class: 'evidence-lead' }, texts.lead),
        this.#fields,
        this.#outcome,
        el('div', { class: 'dialog-actions' }, this.#actions.save, this.#actions.cancel, this.#progress),
      ),
    );
  }

  #choice() {
    return el('input', { type: 'radio', name: 'pincite-evidence-scope', onchange: () => this.#draw() });
  }

  /** Answers that were chosen. */
  get #chosen() {
    const one = this.#answered[this.#at];
    return this.#all.checked || !one ? this.#answered : [one];
  }

  /** Documents that go in, and names of cited ones that are no longer there. */
  get #documents() {
    const { documents } = this.#host.engine().snapshot;
    const byId = new Map(documents.map((document) => [document.id, document]));
    const ids = citedDocuments(this.#chosen);
    const there = ids.flatMap((id) => byId.get(id) ?? []);
    const gone = this.#chosen
      .flatMap(({ answer }) => answer.citations)
      .filter(({ documentId }) => !byId.has(documentId));
    return { all: documents, there, gone: [...new Set(gone.map(({ document }) => document))] };
  }

  #draw() {
    const { format } = this.#host.strings;
    const { all, there, gone } = this.#documents;
    const bytes = there.reduce((sum, document) => sum + document.bytes, 0);
    const nPages = there.reduce((sum, document) => sum + document.nPages, 0);
    const size = el('span', {}, '…');
    this.#template.then(
      (template) => {
        size.textContent = this.#texts.fileSize(format.bytes(sizeOf(template.size, bytes)));
      },
      () => size.remove(),
    );
    const locked = there.filter(({ id }) => this.#host.engine().password(id) !== null);
    const refused =
      gone.length > 0
        ? this.#texts.gone(gone)
        : bytes > maxDocumentBytes
          ? this.#texts.tooLarge(format.bytes(bytes), format.bytes(maxDocumentBytes))
          : null;
    fill(
      this.#inside,
      el(
        'ul',
        {},
        ...there.map(({ id, name, nPages, bytes }) =>
          el(
            'li',
            {},
            el('span', { class: 'strong' }, titleOf(all, id) ?? name),
            ` ${format.list([nPages > 0 && format.pages(nPages), format.bytes(bytes)])}`,
          ),
        ),
      ),
      el(
        'p',
        {},
        this.#texts.total(this.#chosen.length, there.length, nPages, format.bytes(bytes)),
        ' ',
        size,
      ),
      el('p', { class: 'fine' }, this.#texts.nothingElse),
      locked.length > 0 &&
        el('p', { class: 'fine' }, this.#texts.lockedInside(locked.map(({ name }) => name))),
      refused && el('p', { class: 'note warning' }, refused),
    );
    this.#actions.save.disabled = refused !== null;
  }

  async #save() {
    if (this.#saving) return;
    const passphrase = this.#passphrase.take();
    if (passphrase === undefined) return;
    const saving = new AbortController();
    this.#saving = saving;
    this.#working(true);
    try {
      const made = await this.#pack(passphrase, saving.signal);
      const name = fileName(this.#title.value, passphrase !== null);
      save(name, made.file, 'text/html');
      this.#saved(name, made, passphrase !== null);
    } catch (error) {
      if (!saving.signal.aborted) this.#say(this.#faultOf(error), true);
      else if (this.element.open) this.#say(this.#texts.cancelled, false);
    } finally {
      this.#saving = null;
      this.#working(false);
    }
  }

  /** @param {string | null} passphrase @param {AbortSignal} signal */
  async #pack(passphrase, signal) {
    const engine = this.#host.engine();
    const { there } = this.#documents;
    const template = await this.#template;
    const files = await Promise.all(there.map(({ id }) => engine.file(id)));
    signal.throwIfAborted();
    const contents = contentsOf({
      title: this.#title.value.trim(),
      by: this.#by.value.trim(),
      date: this.#date.value,
      answers: this.#chosen,
      // How many bytes a document of a library on a server has, is known when it has come.
      documents: there.map((document, at) => ({ ...document, bytes: files[at]?.size ?? 0 })),
    });
    return packed(
      { template, contents, files: files.map((file) => file ?? new Blob()), passphrase },
      {
        signal,
        onProgress: (done, total) => {
          this.#progress.value = total > 0 ? done / total : 1;
        },
      },
    );
  }

  #stop() {
    if (this.#saving) this.#saving.abort();
    else this.close();
  }

  /** @param {boolean} isAtWork */
  #working(isAtWork) {
    this.#fields.disabled = isAtWork;
    this.#progress.hidden = !isAtWork;
    this.#progress.value = 0;
    this.#actions.save.hidden = isAtWork;
    this.#actions.cancel.textContent = isAtWork ? this.#texts.cancel : this.#texts.close;
    if (isAtWork) this.#actions.cancel.focus();
    else if (this.element.open) this.#actions.save.focus();
  }

  /**
   * @param {string} name
   * @param {import('./pack.js').Packed} made
   * @param {boolean} isLocked
   */
  #saved(name, { file, fingerprint, sha256 }, isLocked) {
    const texts = this.#texts;
    const told = texts.saved(name, this.#host.strings.format.bytes(file.size));
    fill(
      this.#outcome,
      el(
        'div',
        { class: 'note good' },
        el('p', { class: 'strong' }, told),
        el('p', {}, texts.tell),
        el(
          'dl',
          { class: 'evidence-hashes' },
          el('dt', {}, texts.fingerprint),
          el('dd', {}, fingerprint),
          el('dt', {}, texts.wholeFile),
          el('dd', { class: 'hash' }, sha256),
        ),
        isLocked && el('p', {}, texts.tellPassphrase),
      ),
    );
    this.#host.announce(told);
    this.#outcome.scrollIntoView({ block: 'nearest' });
  }

  /** @param {string} text @param {boolean} isFault */
  #say(text, isFault) {
    fill(this.#outcome, el('p', { class: isFault ? 'note warning' : 'fine' }, text));
    this.#host.announce(text);
  }

  /** @param {unknown} error */
  #faultOf(error) {
    const texts = this.#texts;
    if (error instanceof EvidenceError) return texts.saveFaults[error.fault] ?? texts.saveFailed('');
    return texts.saveFailed(error instanceof Error ? error.message : '');
  }
}

/** @param {string} label @param {HTMLInputElement} input */
function field(label, input) {
  return el('div', { class: 'settings-field' }, el('label', { for: input.id }, label), input);
}

/** Name of the file: of its title, unless that is locked in. @param {string} title @param {boolean} isLocked */
function fileName(title, isLocked) {
  const words = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');
  return `${isLocked || words === '' ? 'pincite-evidence' : words}.html`;
}

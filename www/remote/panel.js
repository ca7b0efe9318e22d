/**
 * A library on a server as a person sees it: its documents below those of this browser, each with a box that looks in it; a line
 * under the question that says where questions go and what is wrong; above an answer what the library had to do with it; and
 * in the viewer what did not come. All of it is text nodes.
 */

import { adopt } from '../dom/adopt.js';
import { el, fill } from '../dom/elements.js';
import { icon } from '../dom/icons.js';
import { remoteStringsOf } from '../strings/remote/index.js';
import { LibraryError } from './errors.js';
import { styles } from './panel.styles.js';

/** @typedef {import('../engine/protocol.js').Answer} Answer */
/** @typedef {import('./joined-engine.js').Joined} Joined */
/** @typedef {import('./remote-library.js').RemoteLibrary} RemoteLibrary */
/** @typedef {import('./remote-library.js').RemoteDocument} RemoteDocument */

/**
 * @typedef {object} PanelHost parts of the interface that the library shows itself in
 * @property {import('../strings/index.js').Strings} strings
 * @property {HTMLElement} shell of all of it
 * @property {Pick<import('../viewer/viewer.js').Viewer, 'element' | 'key'>} viewer
 * @property {Pick<import('../widget/parts/filter.js').FilterBar, 'holds' | 'choose' | 'nChosen' | 'nDocuments'>} filter
 * @property {(id: string) => void} open opens a document
 * @property {() => ReadonlyMap<string, string>} titles names of the documents of both libraries, by id
 * @property {Pick<import('../widget/parts/live-region.js').LiveRegion, 'say'>} live
 */

/** Rows that are drawn, and documents from which on they can be found by name. */
const maxRows = 100;
const manyDocuments = 12;

export class LibraryPanel {
  #library;
  #host;
  #strings;
  #texts;
  #count = el('span', { class: 'count' });
  #list;
  #more = el('p', { class: 'fine', hidden: true });
  #find;
  #box;
  #explained = el('span', { class: 'fine' });
  #trouble = el('div', { class: 'note warning', hidden: true });
  /** The column's part. */
  #section;
  /** There from the start, so that it is read out when something is wrong. */
  #line;
  /** In the viewer, of the document that a part did not come of. */
  #missing = el('div', { class: 'viewer-message library-missing', role: 'status', hidden: true });
  #missingOf = '';
  #face = '';
  #rows = '';

  /** @param {RemoteLibrary} library @param {PanelHost} host */
  constructor(library, host) {
    const { where } = library;
    this.#library = library;
    this.#host = host;
    this.#strings = host.strings;
    const { remote: texts, steps } = remoteStringsOf(host.strings.lang);
    this.#texts = texts;
    // The list of what left the device names steps by this table.
    Object.assign(host.strings.steps, steps);
    this.#list = el('ul', { class: 'documents', 'aria-label': texts.documents(where) });
    this.#find = el('input', {
      type: 'search',
      class: 'library-find',
      'aria-label': texts.find,
      placeholder: texts.find,
      hidden: true,
      oninput: () => this.#findRows(),
    });
    this.#box = el('input', {
      type: 'checkbox',
      checked: library.isAsked,
      onchange: () => library.choose(this.#box.checked),
    });
    this.#section = el(
      'section',
      { class: 'remote-library', part: 'remote-library', 'aria-label': texts.label(where) },
      el('div', { class: 'library-head' }, el('h2', {}, texts.documents(where)), this.#count),
      this.#find,
      this.#list,
      this.#more,
    );
    this.#line = el(
      'div',
      { class: 'remote-line', part: 'remote-line', role: 'group', 'aria-label': texts.label(where) },
      el('label', { class: 'remote-asked' }, this.#box, texts.asked(where)),
      this.#explained,
      el('div', { role: 'status' }, this.#trouble),
    );
    host.shell.querySelector('.under-question')?.after(this.#line);
    host.shell.querySelector('.library-foot')?.before(this.#section);
    host.viewer.element.querySelector('.viewer-body')?.before(this.#missing);
    adopt(host.shell, styles);
  }

  /** True of the panel of a view. @param {PanelHost} host */
  isOf(host) {
    return host.shell === this.#host.shell;
  }

  close() {
    for (const element of [this.#section, this.#line, this.#missing]) element.remove();
  }

  /** Draws what has changed. */
  update() {
    const { where, status, failure, counts, isAsked } = this.#library;
    const texts = this.#texts;
    this.#missing.hidden = this.#missingOf === '' || this.#missingOf !== this.#host.viewer.key;
    this.#drawRows();
    const face = JSON.stringify([status, isAsked]);
    if (face === this.#face) return;
    this.#face = face;
    this.#box.checked = isAsked;
    this.#count.textContent = counts.all > 0 ? this.#strings.format.number(counts.all) : '';
    fill(
      this.#explained,
      status.state === 'connecting'
        ? texts.connecting(where)
        : !isAsked
          ? texts.notAsked(where)
          : status.state === 'open' && counts.all === 0
            ? texts.noDocuments(where)
            : texts.askedMore(where),
    );
    const told = failure && this.explained(failure);
    this.#trouble.hidden = told === null;
    fill(
      this.#trouble,
      told && el('p', { class: 'strong' }, this.#strings.format.sentence(told.message)),
      told && el('p', {}, told.hint),
      told && this.#again(() => this.#library.connect()),
    );
  }

  /** An error in words: a title without full stop, and a hint. @param {LibraryError} error */
  explained(error) {
    const { reasons, remote: texts } = remoteStringsOf(this.#strings.lang);
    const { reason, detail, requestId, retryAfterMs } = error;
    const [title, usual] = reasons[reason];
    const { sentence, sentences } = this.#strings.format;
    const hint = sentences([
      usual,
      retryAfterMs !== null && texts.wait(Math.ceil(retryAfterMs / 1000)),
      detail !== '' && texts.said(detail),
      requestId !== '' && texts.request(requestId),
    ]);
    const message = title(this.#library.where);
    const explained = new LibraryError(reason, message, { detail, requestId, retryAfterMs, hint });
    explained.told = sentences([sentence(message), hint]);
    return explained;
  }

  /** Says in the viewer that a part of a document did not come. @param {string} id @param {LibraryError | null} error null where all is there @param {() => void} [again] */
  say(id, error, again = () => {}) {
    if (error === null) {
      if (this.#missingOf === id) this.#missingOf = '';
      this.#missing.hidden = true;
      return;
    }
    const told = this.#texts.missing(this.#library.where, this.explained(error).told);
    const isNews = this.#missingOf !== id;
    this.#missingOf = id;
    fill(this.#missing, el('p', {}, told), this.#again(again));
    this.#missing.hidden = this.#host.viewer.key !== id;
    if (isNews) this.#host.live.say(told, true);
  }

  /**
   * Progress of the library's answer, beside the step of this browser's.
   * @param {(content: Node | string) => void} show
   * @param {(() => void) | null} onSkip goes on without it; null where there is nothing else to go on with
   */
  pace(show, onSkip) {
    const { where } = this.#library;
    const words = el('span');
    const tell = (/** @type {string} */ text) => {
      words.textContent = text;
      this.#host.live.say(text, false);
    };
    show(
      el(
        'span',
        { class: 'remote-pace' },
        words,
        onSkip && el('button', { type: 'button', class: 'link', onclick: onSkip }, this.#texts.without),
      ),
    );
    tell(this.#texts.progress(where, '', 0, 0));
    return {
      /** @param {import('./replies.js').AskProgress} progress */
      step: ({ step, done, total }) => {
        const { steps } = this.#strings;
        const known = Object.hasOwn(steps, step) ? steps[/** @type {keyof typeof steps} */ (step)] : '';
        tell(this.#texts.progress(where, known, Math.max(0, Math.min(done, total)), Math.max(0, total)));
      },
      compared: (/** @type {number} */ done, /** @type {number} */ total) =>
        tell(this.#texts.comparing(where, done, total)),
    };
  }

  /** What is said above an answer; null where there is nothing to say. @param {Joined} joined @param {Answer} answer @param {{ name: string, where: string } | null} model author of what is of this browser */
  notice({ isOf, wasHere, there, missing, failedHere }, answer, model) {
    const texts = this.#texts;
    const { where } = this.#library;
    const remote = answer.citations.filter(({ library }) => library === where);
    const count = (/** @type {string} */ status) =>
      remote.filter((citation) => String(citation.status) === status).length;
    const [nUnchecked, nNotFound, nLocal] = [
      count('unchecked'),
      count('not-found'),
      answer.citations.length - remote.length,
    ];
    const isWritten = answer.statements.length > 0;
    const nSentences = there === null ? 0 : this.#library.nUnchecked(there);
    /** @type {(string | false | null)[]} */
    const warnings = [
      missing instanceof LibraryError && this.explained(missing).told,
      failedHere !== null && texts.failedHere,
      nNotFound > 0 && texts.notFound(where, nNotFound, remote.length),
      nUnchecked > 0 && texts.unchecked(where, nUnchecked, remote.length),
    ];
    const remarks = [
      missing === 'skipped' && texts.skipped(where),
      isOf === 'here' && there !== null && texts.silentThere(where),
      isOf === 'there' && wasHere && failedHere === null && texts.silentHere,
      isOf !== 'here' && isWritten && there?.by === 'model' && texts.writtenThere(where),
      isOf !== 'here' && nSentences > 0 && texts.unheld(nSentences),
      isOf === 'both' && isWritten && nLocal > 0 && model !== null && texts.writtenHere(model),
      remote.length > 0 && nUnchecked === 0 && nNotFound === 0 && texts.compared(where, remote.length),
    ];
    const told = (/** @type {typeof warnings} */ all, /** @type {'warning' | 'info'} */ kind) =>
      all.flatMap((text) =>
        text ? [el('p', { class: `remark library-${kind}` }, icon(kind), el('span', {}, text))] : [],
      );
    const lines = [...told(warnings, 'warning'), ...told(remarks, 'info')];
    return lines.length > 0 ? el('div', { class: 'library-notice' }, ...lines) : null;
  }

  /** @param {() => void} again */
  #again(again) {
    return el('button', { type: 'button', class: 'quiet', onclick: again }, icon('undo'), this.#texts.again);
  }

  /** Draws the documents that are found, and says when there are none any more. */
  #findRows() {
    const had = this.#list.childElementCount > 0;
    this.#drawRows();
    if (had && this.#list.childElementCount === 0) this.#host.live.say(this.#more.textContent ?? '', true);
  }

  /** Rows stay as they are while nothing of them changes, and with them the focus. */
  #drawRows() {
    const { documents, counts, isAsked } = this.#library;
    const { filter } = this.#host;
    const words = this.#find.value.trim().toLowerCase();
    const titles = this.#host.titles();
    const named = documents
      .map((document) => ({ ...document, title: titles.get(document.id) ?? document.name }))
      .filter(({ name, title }) => `${title}\n${name}`.toLowerCase().includes(words));
    const shown = named.slice(0, maxRows);
    const rows = JSON.stringify([
      shown.map(({ id, name, title }) => [id, name, title]),
      filter.nDocuments > 1,
    ]);
    this.#section.hidden = documents.length === 0;
    this.#find.hidden = documents.length <= manyDocuments;
    if (rows !== this.#rows) {
      this.#rows = rows;
      fill(this.#list, ...shown.map((document) => this.#row(document, filter.nDocuments > 1)));
    }
    for (const box of this.#list.querySelectorAll('input')) {
      const isIn = filter.holds(box.value);
      box.checked = isIn;
      box.disabled = !isAsked || (isIn && filter.nChosen === 1);
    }
    const told = [
      named.length === 0 && words !== '' && this.#strings.find.noMatch(this.#find.value.trim()),
      named.length > shown.length && this.#texts.more(named.length - shown.length),
      counts.all > counts.listed && this.#texts.unlisted(counts.listed, counts.all),
    ];
    this.#more.textContent = this.#strings.format.sentences(told);
    this.#more.hidden = this.#more.textContent === '';
  }

  /** @param {RemoteDocument & { title: string }} document by the title that it is called by @param {boolean} canChoose */
  #row({ id, name, title, date, nPages }, canChoose) {
    const { format, library } = this.#strings;
    const box = el('input', {
      type: 'checkbox',
      value: id,
      'aria-label': library.lookIn(title),
      title: library.lookIn(title),
      onchange: () => this.#host.filter.choose(id, box.checked),
    });
    const size = nPages > 0 ? format.pages(nPages) : this.#texts.textDocument;
    return el(
      'li',
      { class: 'row', 'data-document': id },
      canChoose ? el('label', { class: 'row-choice' }, box) : icon('document'),
      el(
        'div',
        { class: 'row-body' },
        el(
          'button',
          { type: 'button', class: 'row-name', title: name, onclick: () => this.#host.open(id) },
          title,
        ),
        el('p', { class: 'row-note' }, [title === name ? '' : name, size, date].filter(Boolean).join(' · ')),
      ),
    );
  }
}

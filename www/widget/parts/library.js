/**
 * The library: documents, files on their way in, what went wrong with the others, and the space they take.
 * Rows are kept and updated, so that focus and screen readers stay where they are while progress runs.
 */

import { isOver } from '../../engine/ingest.js';
import { el, fill } from '../../dom/elements.js';
import { icon, iconButton } from '../../dom/icons.js';
import { describe, describeDiag } from '../../strings/errors.js';
import { jobShare, jobText } from '../jobs.js';
import { fewDocuments, isFound, listed } from '../listed.js';

/** @typedef {import('../../engine/client.js').Snapshot} Snapshot */
/** @typedef {import('../../engine/ingest.js').Job} Job */
/** @typedef {import('../../engine/protocol.js').LibraryDocument} LibraryDocument */

/**
 * @typedef {object} LibraryActions
 * @property {(id: string) => void} open
 * @property {(id: string, isIn: boolean) => void} choose looks in a document, or leaves it out
 * @property {(id: string) => void} remove
 * @property {(id: string) => void} restore
 * @property {(id: string) => void} keepBoth
 * @property {(id: string) => void} reindex
 * @property {(id: string) => void} cancelDocument
 * @property {(key: number) => void} cancel
 * @property {(key: number) => void} dismiss
 * @property {(key: number, password: string) => void} unlock
 * @property {(foot: HTMLElement) => void} save saves the library as a file, and says in `foot` how far it is
 * @property {() => void} clear
 */

/**
 * @typedef {object} Row
 * @property {HTMLElement} element
 * @property {string} face tells when a row must be drawn again
 * @property {string} name what a document is found by; empty for what is no document
 */

export class LibraryView {
  element;
  #strings;
  #actions;
  /** @type {Map<string, Row>} */
  #rows = new Map();
  #list;
  #find;
  /** Says how many documents were found by their name. */
  #found = el('p', { class: 'visually-hidden', role: 'status' });
  #count = el('span', { class: 'count' });
  #usage = el('span', { class: 'usage' });
  #progress = el('p', { class: 'embedding-progress', hidden: true });
  #save;
  #clear;
  #foot;
  #confirming = false;
  #canChoose = false;
  /** @type {ReadonlyMap<string, string>} */
  #titles = new Map();
  /** Ids of documents as they were listed last. @type {readonly string[]} */
  #order = [];

  /** @param {import('../../strings/index.js').Strings} strings @param {LibraryActions} actions @param {HTMLElement} dropZone */
  constructor(strings, actions, dropZone) {
    this.#strings = strings;
    this.#list = el('ul', { class: 'documents', 'aria-label': strings.library.documents });
    this.#find = el('input', {
      type: 'search',
      class: 'find-document',
      'aria-label': strings.library.find,
      placeholder: strings.library.find,
      hidden: true,
      oninput: () => this.#sayFound(),
    });
    this.#actions = actions;
    this.#clear = el(
      'button',
      { type: 'button', class: 'link', onclick: () => this.#askClear() },
      strings.library.clearAll,
    );
    this.#save = el(
      'button',
      { type: 'button', class: 'link', onclick: () => this.#actions.save(this.#foot) },
      strings.library.saveAsFile,
    );
    this.#foot = el(
      'footer',
      { class: 'library-foot' },
      this.#progress,
      this.#usage,
      this.#save,
      this.#clear,
    );
    this.element = el(
      'aside',
      { class: 'library', part: 'library', 'aria-label': strings.library.label },
      el('div', { class: 'library-head' }, el('h2', {}, strings.library.documents), this.#count),
      dropZone,
      this.#find,
      this.#found,
      this.#list,
      this.#foot,
    );
  }

  /**
   * @param {Snapshot} snapshot
   * @param {Pick<import('./filter.js').FilterBar, 'holds' | 'nChosen' | 'nDocuments'>} filter the documents that are looked in
   * @param {ReadonlyMap<string, string>} titles names of the documents, by id
   */
  update({ documents, jobs, removed, namesakes, persistent, model, embedding }, filter, titles) {
    this.#titles = titles;
    // One document alone leaves nothing to choose.
    this.#canChoose = filter.nDocuments > 1;
    const wanted = this.#rowsOf({ documents, jobs, removed, namesakes, model }, filter);
    const keys = new Set(wanted.map(({ key }) => key));
    for (const [key, row] of this.#rows) {
      if (keys.has(key)) continue;
      row.element.remove();
      this.#rows.delete(key);
    }
    let next = this.#list.firstElementChild;
    for (const { key, face, draw, bar, name, ...rest } of wanted) {
      let row = this.#rows.get(key);
      if (!row || row.face !== face) {
        const element = draw();
        if (next === row?.element) next = element;
        row?.element.replaceWith(element);
        row = { element, face, name };
        this.#rows.set(key, row);
      }
      const { element } = row;
      if (next === element) next = element.nextElementSibling;
      else this.#list.insertBefore(element, next);
      setBar(element, bar);
      if ('text' in rest) setText(element, '.row-note', rest.text);
      const { isIn } = /** @type {{ isIn?: boolean }} */ (rest);
      if (isIn !== undefined) setChoice(element, isIn, filter.nChosen === 1);
    }
    this.#find.hidden = documents.length < fewDocuments;
    if (this.#find.hidden) this.#find.value = '';
    this.#hideOthers();
    const { library, format } = this.#strings;
    const used = documents.reduce((sum, { stored }) => sum + stored, 0);
    const nothing = documents.length === 0 && removed.length === 0;
    this.#usage.textContent = persistent ? library.used(format.bytes(used)) : library.untilClosed;
    this.#progress.hidden = embedding === null;
    if (embedding !== null) this.#progress.textContent = library.embedding(embedding);
    this.#foot.hidden = nothing;
    this.#save.hidden = documents.every(({ problem }) => problem !== null);
    this.#clear.hidden = this.#confirming;
  }

  /**
   * Rows in their order: what needs the person comes first, then what is under way, since below a long list nobody sees it.
   * @param {Pick<Snapshot, 'documents' | 'jobs' | 'removed' | 'namesakes' | 'model'>} snapshot
   * @param {Pick<import('./filter.js').FilterBar, 'holds'>} filter
   */
  #rowsOf({ documents, jobs, removed, namesakes, model }, filter) {
    const there = new Map(documents.map((document) => [document.id, document]));
    const gone = new Map(removed.map((document) => [document.id, document]));
    this.#order = listed(this.#order, documents, removed);
    const ofJob = (/** @type {Job} */ job) => ({
      key: `j${job.key}`,
      face: jobFace(job),
      draw: () => this.#job(job),
      bar: jobShare(job),
      name: '',
      text: jobText(this.#strings, job),
    });
    const ofDocument = (/** @type {LibraryDocument} */ document) => {
      const [title, namesake] = [this.#titleOf(document), namesakes.get(document.id) ?? null];
      return {
        key: `d${document.id}`,
        face: `${documentFace(document, model)} ${title} ${namesake ?? ''} ${this.#canChoose}`,
        draw: () => this.#document(document, model, namesake),
        bar: documentShare(document),
        name: `${title} ${document.name}`,
        text: this.#documentText(document, model),
        isIn: filter.holds(document.id),
      };
    };
    const ofRemoved = (/** @type {LibraryDocument} */ document) => ({
      key: `r${document.id}`,
      face: document.name,
      draw: () => this.#removed(document),
      bar: null,
      name: '',
    });
    const needsHelp = (/** @type {Job} */ { stage }) => stage === 'failed' || stage === 'locked';
    const waits = (/** @type {Job} */ { stage }) => stage === 'waiting';
    return [
      ...jobs.filter(needsHelp).map(ofJob),
      ...jobs.filter((job) => !needsHelp(job) && !waits(job)).map(ofJob),
      ...this.#order.map((id) => {
        const document = there.get(id);
        return document ? ofDocument(document) : ofRemoved(/** @type {LibraryDocument} */ (gone.get(id)));
      }),
      ...jobs.filter(waits).map(ofJob),
    ];
  }

  /** Hides the documents whose name is not what is looked for, and counts the others. */
  #hideOthers() {
    const words = this.#find.value.trim();
    const documents = [...this.#rows.values()].filter(({ name }) => name !== '');
    const found = words === '' ? documents : documents.filter(({ name }) => isFound(name, words));
    const shown = new Set(found);
    for (const row of documents) row.element.hidden = !shown.has(row);
    const { length } = documents;
    const { some } = this.#strings.library;
    this.#count.textContent = length === found.length ? String(length || '') : some(found.length, length);
  }

  #sayFound() {
    this.#hideOthers();
    this.#found.textContent = this.#find.value.trim() === '' ? '' : this.#count.textContent;
  }

  /** @param {LibraryDocument} document @param {Snapshot['model']} model @param {string | null} namesake an earlier document */
  #document(document, model, namesake) {
    const { id, name, diags, problem, kept } = document;
    const running = isRunning(document, model);
    const notes = [];
    if (problem) notes.push(this.#problem(document));
    if (namesake !== null) notes.push(this.#namesake(document, namesake));
    if (!kept)
      notes.push(note('warning', this.#strings.library.notStored, this.#strings.library.notStoredHint));
    const body = el(
      'div',
      { class: 'row-body' },
      el(
        'button',
        {
          type: 'button',
          class: 'row-name',
          title: name,
          onclick: () => this.#actions.open(id),
          disabled: problem?.code === 'index-damaged',
        },
        this.#titleOf(document),
      ),
      el('p', { class: 'row-note' }, this.#documentText(document, model)),
      running && bar(this.#strings.library.preparing(name)),
      ...notes,
      diags.length > 0 && diagList(this.#strings, diags),
    );
    return el(
      'li',
      { class: 'row', 'data-document': id },
      this.#canChoose && !problem ? this.#choice(document) : icon(problem ? 'warning' : 'document'),
      body,
      running
        ? iconButton('close', this.#strings.library.cancel(name), () => this.#actions.cancelDocument(id))
        : iconButton('remove', this.#strings.library.remove(name), () => this.#actions.remove(id)),
    );
  }

  /** The box that looks in a document, or leaves it out. @param {LibraryDocument} document */
  #choice(document) {
    const { id } = document;
    const label = this.#strings.library.lookIn(this.#titleOf(document));
    const box = el('input', {
      type: 'checkbox',
      'aria-label': label,
      title: label,
      onchange: () => this.#actions.choose(id, box.checked),
    });
    return el('label', { class: 'row-choice' }, box);
  }

  /** @param {LibraryDocument} document */
  #problem({ id, problem }) {
    if (!problem) return null;
    const { format, own } = this.#strings;
    const { title, hint } = describe(this.#strings, problem);
    const told = own.english ? `${title}: ${problem.message}` : title;
    return el(
      'div',
      { class: 'note warning' },
      el('p', {}, format.sentence(told)),
      el('p', {}, hint),
      el(
        'button',
        { type: 'button', class: 'quiet', onclick: () => this.#actions.reindex(id) },
        this.#strings.library.indexAgain,
      ),
    );
  }

  /** Two files of one name: the person says whether one is an edition of the other. @param {LibraryDocument} document @param {string} earlier */
  #namesake({ id, name }, earlier) {
    const { library } = this.#strings;
    return el(
      'div',
      { class: 'note', role: 'status' },
      el('p', {}, library.sameName(name)),
      el(
        'button',
        { type: 'button', class: 'quiet', onclick: () => this.#actions.remove(earlier) },
        library.replaceEarlier,
      ),
      el(
        'button',
        { type: 'button', class: 'quiet', onclick: () => this.#actions.keepBoth(id) },
        library.keepBoth,
      ),
    );
  }

  /** @param {LibraryDocument} document */
  #removed({ id, name }) {
    return el(
      'li',
      { class: 'row faint' },
      icon('remove'),
      el('div', { class: 'row-body' }, el('p', { class: 'row-note' }, this.#strings.library.removed(name))),
      el(
        'button',
        { type: 'button', class: 'quiet', onclick: () => this.#actions.restore(id) },
        icon('undo'),
        this.#strings.library.undo,
      ),
    );
  }

  /** @param {Job} job */
  #job(job) {
    const { key, name, stage, error } = job;
    const { library, widget } = this.#strings;
    const over = isOver(job);
    const body = el('div', { class: 'row-body' }, name && el('p', { class: 'row-name', title: name }, name));
    if (stage === 'failed' && error) {
      const { title, hint } = describe(this.#strings, error);
      body.append(
        el(
          'div',
          { class: 'note warning', role: 'alert' },
          el('p', {}, this.#strings.format.sentence(title)),
          hint && el('p', {}, hint),
        ),
      );
    } else if (stage === 'locked' && error) body.append(this.#password(job));
    else body.append(el('p', { class: 'row-note' }, jobText(this.#strings, job)));
    if (!over) body.append(bar(this.#strings.library.adding(name)));
    return el(
      'li',
      { class: over ? 'row faint' : 'row', 'data-stage': stage },
      icon(over ? (stage === 'locked' ? 'lock' : stage === 'cancelled' ? 'info' : 'warning') : 'document'),
      body,
      over
        ? iconButton('close', name ? library.dismiss(name) : widget.dismiss, () => this.#actions.dismiss(key))
        : iconButton('close', this.#strings.library.cancel(name), () => this.#actions.cancel(key)),
    );
  }

  /** @param {Job} job */
  #password({ key, name, wrongPassword }) {
    const input = el('input', {
      type: 'password',
      autocomplete: 'off',
      'aria-label': this.#strings.library.passwordOf(name),
      placeholder: this.#strings.library.password,
    });
    const form = el(
      'form',
      { class: 'password' },
      input,
      el('button', { type: 'submit', class: 'quiet' }, this.#strings.library.open),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (input.value !== '') this.#actions.unlock(key, input.value);
    });
    const text = wrongPassword ? this.#strings.library.wrongPassword : this.#strings.library.locked;
    return el(
      'div',
      { class: 'note', role: 'alert' },
      el('p', {}, text),
      form,
      el('p', { class: 'fine' }, this.#strings.library.passwordStays),
    );
  }

  /** @param {LibraryDocument} document */
  #titleOf({ id, name }) {
    return this.#titles.get(id) ?? name;
  }

  /** @param {LibraryDocument} document @param {Snapshot['model']} model */
  #documentText(document, model) {
    const { name, nPages } = document;
    const { library, format } = this.#strings;
    const size = nPages > 0 ? format.pages(nPages) : library.wordDocument;
    const state = isRunning(document, model) ? library.improving : '';
    return [this.#titleOf(document) === name ? '' : name, size, state].filter(Boolean).join(' · ');
  }

  /** Clearing cannot be undone, so it is asked twice. */
  #askClear() {
    this.#confirming = true;
    this.#clear.hidden = true;
    const done = () => {
      this.#confirming = false;
      question.remove();
      this.#clear.hidden = false;
    };
    const yes = el(
      'button',
      {
        type: 'button',
        class: 'quiet danger',
        onclick: () => {
          done();
          this.#actions.clear();
        },
      },
      this.#strings.library.removeAll,
    );
    const question = el(
      'span',
      { class: 'confirm', role: 'group', 'aria-label': this.#strings.library.clearQuestion },
      yes,
      el('button', { type: 'button', class: 'quiet', onclick: done }, this.#strings.library.keep),
    );
    this.#clear.after(question);
    yes.focus();
  }
}

/** @param {'info' | 'warning'} kind @param {string} text @param {string} hint */
function note(kind, text, hint) {
  return el('div', { class: `note ${kind}` }, el('p', {}, text), hint && el('p', {}, hint));
}

/** Diagnostics that count passages: once for the document, and once for each with its page. @type {string[]} */
const counted = ['covered-text', 'differing-text'];

/**
 * Diagnostics, one line a kind: where one speaks of the whole document, those of its pages say no more; of passages that
 * are counted they say where.
 * @param {import('../../strings/index.js').Strings} strings
 * @param {LibraryDocument['diags']} diags
 */
function diagList(strings, diags) {
  /** @type {Map<string, { diag: LibraryDocument['diags'][number], pages: number[] }>} */
  const byCode = new Map();
  for (const diag of diags) {
    const entry = byCode.get(diag.code) ?? { diag, pages: [] };
    if (diag.page === null) entry.diag = diag;
    else entry.pages.push(diag.page);
    byCode.set(diag.code, entry);
  }
  const items = Array.from(byCode.values(), ({ diag, pages }) => {
    const places = diag.page === null && !counted.includes(diag.code) ? [] : [...new Set(pages)];
    const where =
      places.length === 0 ? '' : strings.library.onPages(places.slice(0, 5), Math.max(0, places.length - 5));
    return el('li', { class: diag.severity }, describeDiag(strings, diag, where, pages.length));
  });
  const stands = counted.some((code) => byCode.has(code)) || byCode.get('illegible-text')?.diag.page === null;
  const warnings = diags.some(({ severity }) => severity === 'warning');
  const { library } = strings;
  return el(
    'details',
    { class: 'diags', open: (warnings && byCode.size === 1) || stands },
    el(
      'summary',
      {},
      icon(warnings ? 'warning' : 'info'),
      (warnings ? library.warnings : library.notes)(byCode.size),
    ),
    el('ul', {}, ...items),
  );
}

/** @param {string} label */
function bar(label) {
  return el(
    'div',
    { class: 'bar', role: 'progressbar', 'aria-label': label, 'aria-valuemin': 0, 'aria-valuemax': 100 },
    el('div', { class: 'bar-fill' }),
  );
}

/** @param {HTMLElement} row @param {number | null} share */
function setBar(row, share) {
  const element = row.querySelector('.bar');
  if (!(element instanceof HTMLElement)) return;
  element.classList.toggle('unknown', share === null);
  if (share === null) element.removeAttribute('aria-valuenow');
  else element.setAttribute('aria-valuenow', String(Math.round(share * 100)));
  element.style.setProperty('--share', String(share ?? 0.3));
}

/** @param {HTMLElement} row @param {boolean} isIn @param {boolean} isLast the one document that is looked in stays chosen */
function setChoice(row, isIn, isLast) {
  const box = /** @type {HTMLInputElement | null} */ (row.querySelector('.row-choice > input'));
  if (!box) return;
  box.checked = isIn;
  box.disabled = isIn && isLast;
}

/** @param {HTMLElement} row @param {string} selector @param {string} text */
function setText(row, selector, text) {
  const element = row.querySelector(selector);
  if (element && element.textContent !== text) fill(element, text);
}

/** @param {LibraryDocument} document */
function documentShare({ nEmbedded, nToEmbed }) {
  return nToEmbed > 0 ? nEmbedded / nToEmbed : null;
}

/** True if vectors are still on their way. @param {LibraryDocument} document @param {Snapshot['model']} model */
function isRunning({ missing, problem }, model) {
  return missing.length > 0 && model !== 'missing' && !problem;
}

/** @param {LibraryDocument} document @param {Snapshot['model']} model */
function documentFace(document, model) {
  const { name, problem, kept, nPages, diags } = document;
  return JSON.stringify([name, isRunning(document, model), problem, kept, nPages, diags.length]);
}

/** @param {Job} job */
function jobFace({ stage, error, wrongPassword }) {
  return JSON.stringify([
    stage === 'failed' || stage === 'locked' || stage === 'cancelled' ? stage : 'running',
    error,
    wrongPassword,
  ]);
}

/**
 * The library: documents, files on their way in, what went wrong with the others, and the space they take.
 * Rows are kept and updated, so that focus and screen readers stay where they are while progress runs.
 */

import { isOver } from '../../engine/ingest.js';
import { describe } from '../../engine/errors.js';
import { el, fill } from '../../dom/elements.js';
import { icon, iconButton } from '../../dom/icons.js';
import { bytes, count, jobShare, jobText, sentence } from '../strings.js';

/** @typedef {import('../../engine/client.js').Picture} Picture */
/** @typedef {import('../../engine/ingest.js').Job} Job */
/** @typedef {import('../../engine/protocol.js').LibraryDocument} LibraryDocument */

/**
 * @typedef {object} LibraryActions
 * @property {(id: string) => void} open
 * @property {(id: string) => void} remove
 * @property {(id: string) => void} restore
 * @property {(id: string) => void} reindex
 * @property {(id: string) => void} cancelDocument
 * @property {(key: number) => void} cancel
 * @property {(key: number) => void} dismiss
 * @property {(key: number, password: string) => void} unlock
 * @property {() => void} clear
 */

/** @typedef {{ element: HTMLElement, face: string }} Row `face` tells when a row must be drawn again */

export class LibraryView {
  element;
  #actions;
  /** @type {Map<string, Row>} */
  #rows = new Map();
  #list = el('ul', { class: 'documents', 'aria-label': 'Documents' });
  #count = el('span', { class: 'count' });
  #usage = el('span', { class: 'usage' });
  #clear;
  #foot;
  #confirming = false;

  /** @param {LibraryActions} actions @param {HTMLElement} dropZone */
  constructor(actions, dropZone) {
    this.#actions = actions;
    this.#clear = el(
      'button',
      { type: 'button', class: 'link', onclick: () => this.#askClear() },
      'Clear all',
    );
    this.#foot = el('footer', { class: 'library-foot' }, this.#usage, this.#clear);
    this.element = el(
      'aside',
      { class: 'library', part: 'library', 'aria-label': 'Library' },
      el('div', { class: 'library-head' }, el('h2', {}, 'Documents'), this.#count),
      dropZone,
      this.#list,
      this.#foot,
    );
  }

  /** @param {Picture} picture */
  update({ documents, jobs, removed, persistent, model }) {
    this.#count.textContent = documents.length > 0 ? String(documents.length) : '';
    const wanted = [
      ...documents.map((document) => ({
        key: `d${document.id}`,
        face: documentFace(document, model),
        draw: () => this.#document(document, model),
        bar: documentShare(document),
        text: documentText(document, model),
      })),
      ...removed.map((document) => ({
        key: `r${document.id}`,
        face: document.name,
        draw: () => this.#removed(document),
        bar: null,
      })),
      ...jobs.map((job) => ({
        key: `j${job.key}`,
        face: jobFace(job),
        draw: () => this.#job(job),
        bar: jobShare(job),
        text: jobText(job),
      })),
    ];
    const keys = new Set(wanted.map(({ key }) => key));
    for (const [key, row] of this.#rows) {
      if (keys.has(key)) continue;
      row.element.remove();
      this.#rows.delete(key);
    }
    wanted.forEach(({ key, face, draw, bar, ...rest }, position) => {
      let row = this.#rows.get(key);
      if (!row || row.face !== face) {
        const element = draw();
        row?.element.replaceWith(element);
        row = { element, face };
        this.#rows.set(key, row);
      }
      const { element } = row;
      if (this.#list.children[position] !== element)
        this.#list.insertBefore(element, this.#list.children[position] ?? null);
      setBar(element, bar);
      if ('text' in rest) setText(element, '.row-note', rest.text);
    });
    const used = documents.reduce((sum, { stored }) => sum + stored, 0);
    const nothing = documents.length === 0 && removed.length === 0;
    this.#usage.textContent = persistent ? `${bytes(used)} in this browser` : 'Kept until the page is closed';
    this.#foot.hidden = nothing;
    this.#clear.hidden = this.#confirming;
  }

  /** @param {LibraryDocument} document @param {Picture['model']} model */
  #document(document, model) {
    const { id, name, title, diags, problem, kept } = document;
    const running = isRunning(document, model);
    const notes = [];
    if (problem) notes.push(this.#problem(document));
    if (!kept)
      notes.push(
        note(
          'warning',
          'It could not be stored in this browser.',
          'It can be used until the page is closed.',
        ),
      );
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
        title ?? name,
      ),
      el('p', { class: 'row-note' }, documentText(document, model)),
      running && bar(`Preparing ${name} for search by meaning`),
      ...notes,
      diags.length > 0 && diagList(diags),
    );
    return el(
      'li',
      { class: 'row', 'data-document': id },
      icon(problem ? 'warning' : 'document'),
      body,
      running
        ? iconButton('close', `Cancel ${name}`, () => this.#actions.cancelDocument(id))
        : iconButton('remove', `Remove ${name}`, () => this.#actions.remove(id)),
    );
  }

  /** @param {LibraryDocument} document */
  #problem({ id, problem }) {
    if (!problem) return null;
    const { title, hint } = describe(problem);
    return el(
      'div',
      { class: 'note warning' },
      el('p', {}, `${title}: ${problem.message}.`),
      el('p', {}, sentence(hint)),
      el(
        'button',
        { type: 'button', class: 'quiet', onclick: () => this.#actions.reindex(id) },
        'Index again',
      ),
    );
  }

  /** @param {LibraryDocument} document */
  #removed({ id, name }) {
    return el(
      'li',
      { class: 'row faint' },
      icon('remove'),
      el('div', { class: 'row-body' }, el('p', { class: 'row-note' }, `Removed “${name}”.`)),
      el(
        'button',
        { type: 'button', class: 'quiet', onclick: () => this.#actions.restore(id) },
        icon('undo'),
        'Undo',
      ),
    );
  }

  /** @param {Job} job */
  #job(job) {
    const { key, name, stage, error } = job;
    const over = isOver(job);
    const body = el('div', { class: 'row-body' }, el('p', { class: 'row-name', title: name }, name));
    if (stage === 'failed' && error) {
      const { title, hint } = describe(error);
      body.append(
        el(
          'div',
          { class: 'note warning', role: 'alert' },
          el('p', {}, `${title}.`),
          hint && el('p', {}, sentence(hint)),
        ),
      );
    } else if (stage === 'locked' && error) body.append(this.#password(job));
    else body.append(el('p', { class: 'row-note' }, jobText(job)));
    if (!over) body.append(bar(`Adding ${name}`));
    return el(
      'li',
      { class: over ? 'row faint' : 'row', 'data-stage': stage },
      icon(over ? (stage === 'locked' ? 'lock' : stage === 'cancelled' ? 'info' : 'warning') : 'document'),
      body,
      over
        ? iconButton('close', `Dismiss the message about ${name}`, () => this.#actions.dismiss(key))
        : iconButton('close', `Cancel ${name}`, () => this.#actions.cancel(key)),
    );
  }

  /** @param {Job} job */
  #password({ key, name, wrongPassword }) {
    const input = el('input', {
      type: 'password',
      autocomplete: 'off',
      'aria-label': `Password of ${name}`,
      placeholder: 'Password',
    });
    const form = el(
      'form',
      { class: 'password' },
      input,
      el('button', { type: 'submit', class: 'quiet' }, 'Open'),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (input.value !== '') this.#actions.unlock(key, input.value);
    });
    const text = wrongPassword
      ? 'That password does not open this PDF.'
      : 'This PDF is locked with a password.';
    return el(
      'div',
      { class: 'note', role: 'alert' },
      el('p', {}, text),
      form,
      el('p', { class: 'fine' }, 'It is used on this device only and not stored.'),
    );
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
      'Remove all',
    );
    const question = el(
      'span',
      { class: 'confirm', role: 'group', 'aria-label': 'Clear the library?' },
      yes,
      el('button', { type: 'button', class: 'quiet', onclick: done }, 'Keep'),
    );
    this.#clear.after(question);
    yes.focus();
  }
}

/** @param {'info' | 'warning'} kind @param {string} text @param {string} hint */
function note(kind, text, hint) {
  return el('div', { class: `note ${kind}` }, el('p', {}, text), hint && el('p', {}, hint));
}

/**
 * What was noticed, a line a kind: where one remark speaks of the whole document, those of its pages say no more.
 * @param {LibraryDocument['diags']} diags
 */
function diagList(diags) {
  /** @type {Map<string, { diag: LibraryDocument['diags'][number], pages: number[] }>} */
  const byCode = new Map();
  for (const diag of diags) {
    const entry = byCode.get(diag.code) ?? { diag, pages: [] };
    if (diag.page === null) entry.diag = diag;
    else entry.pages.push(diag.page);
    byCode.set(diag.code, entry);
  }
  const items = Array.from(byCode.values(), ({ diag, pages }) => {
    const more = pages.length > 5 ? ` and ${pages.length - 5} more` : '';
    const where = diag.page === null ? '' : ` (page ${pages.slice(0, 5).join(', ')}${more})`;
    return el('li', { class: diag.severity }, `${sentence(diag.message + where)} ${sentence(diag.hint)}`);
  });
  const warnings = diags.some(({ severity }) => severity === 'warning');
  return el(
    'details',
    { class: 'diags', open: warnings && byCode.size === 1 },
    el('summary', {}, warnings ? icon('warning') : icon('info'), count(byCode.size, 'remark')),
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

/** @param {HTMLElement} row @param {string} selector @param {string} text */
function setText(row, selector, text) {
  const element = row.querySelector(selector);
  if (element && element.textContent !== text) fill(element, text);
}

/** @param {LibraryDocument} document */
function documentShare({ nEmbedded, nPassages }) {
  return nPassages > 0 ? nEmbedded / nPassages : null;
}

/** @param {LibraryDocument} document @param {Picture['model']} model */
function documentText(document, model) {
  const { name, title, nPages, nEmbedded, nPassages } = document;
  const size = nPages > 0 ? count(nPages, 'page') : 'Word document';
  const state = isRunning(document, model) ? `passage ${nEmbedded} of ${nPassages}` : '';
  return [title === null ? '' : name, size, state].filter(Boolean).join(' · ');
}

/** Whether vectors are still on their way. @param {LibraryDocument} document @param {Picture['model']} model */
function isRunning({ missing, problem }, model) {
  return missing.length > 0 && model !== 'missing' && !problem;
}

/** @param {LibraryDocument} document @param {Picture['model']} model */
function documentFace(document, model) {
  const { name, title, problem, kept, nPages, diags } = document;
  return JSON.stringify([name, title, isRunning(document, model), problem, kept, nPages, diags.length]);
}

/** @param {Job} job */
function jobFace({ stage, error, wrongPassword }) {
  return JSON.stringify([
    stage === 'failed' || stage === 'locked' || stage === 'cancelled' ? stage : 'running',
    error,
    wrongPassword,
  ]);
}

/**
 * The head of an opened evidence file: title, who and when as they were typed, the fingerprint, and what it proves; and below
 * it what is wrong with the file as a whole.
 */

import { el } from '../dom/elements.js';

/** @typedef {import('../strings/index.js').Strings} Strings */

/** @param {Strings} strings @param {import('./open.js').Opened} evidence @param {HTMLElement} help button of the keyboard map */
export function masthead({ evidence: texts }, { contents: { title, by, date }, fingerprint }, help) {
  return el(
    'header',
    { class: 'evidence-head' },
    el('div', { class: 'evidence-top' }, el('p', { class: 'brand' }, 'Pin', el('mark', {}, 'cite')), help),
    el('h1', { class: 'evidence-title' }, title || texts.name),
    el(
      'dl',
      { class: 'evidence-facts' },
      ...fact(texts.savedBy, by),
      ...fact(texts.savedOn, date),
      el('dt', {}, texts.fingerprint),
      el('dd', { class: 'evidence-fingerprint' }, fingerprint),
    ),
    (by || date) && el('p', { class: 'fine' }, texts.asTyped),
    el(
      'details',
      { class: 'evidence-proof' },
      el('summary', {}, texts.proof),
      ...texts.proofText.map((text) => el('p', {}, text)),
    ),
  );
}

/** @param {Strings} strings @param {import('./open.js').Opened} evidence */
export function warnings({ evidence: texts }, { isAsSaved, documents }) {
  const changed = documents.filter(({ id, sha256 }) => id !== sha256).map(({ name }) => name);
  if (isAsSaved && changed.length === 0) return null;
  return el(
    'div',
    { class: 'note warning evidence-changed', role: 'alert' },
    !isAsSaved && el('p', { class: 'strong' }, texts.contentsChanged),
    changed.length > 0 && el('p', { class: 'strong' }, texts.documentsChanged(changed)),
  );
}

/** @param {string} name @param {string} value */
function fact(name, value) {
  return value === '' ? [] : [el('dt', {}, name), el('dd', {}, value)];
}

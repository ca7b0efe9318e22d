/**
 * Where to look: one document or all, a section, dates, what still is law. Folded away until it is wanted; folded, it
 * says what it leaves out. Every control is a native one with a label, so that keyboards and screen readers know it.
 */

import { el, fill } from '../../dom/elements.js';

/** @typedef {import('../../engine/protocol.js').Filter} Filter */
/** @typedef {import('../../engine/protocol.js').LibraryDocument} LibraryDocument */

export class FilterBar {
  element;
  #summary = el('summary', { part: 'filter' });
  #document = el('select', { onchange: () => this.#tell() });
  #section = el('input', {
    type: 'text',
    maxLength: 200,
    placeholder: 'Part 3, Rule 4.2.1, 第二章',
    autocomplete: 'off',
    onchange: () => this.#tell(),
  });
  #from = el('input', { type: 'date', onchange: () => this.#tell() });
  #to = el('input', { type: 'date', onchange: () => this.#tell() });
  #inForce = el('input', { type: 'checkbox', onchange: () => this.#tell() });
  #face = '';

  constructor() {
    const field = (/** @type {string} */ name, /** @type {HTMLElement} */ control) =>
      el('label', { class: 'filter-field' }, el('span', {}, name), control);
    this.element = el(
      'details',
      { class: 'filter', hidden: true },
      this.#summary,
      el(
        'div',
        { class: 'filter-fields', role: 'group', 'aria-label': 'Where to look' },
        field('Document', this.#document),
        field('Section', this.#section),
        field('Dated from', this.#from),
        field('to', this.#to),
        el('label', { class: 'filter-check' }, this.#inForce, 'Leave out what is repealed'),
        el('button', { type: 'button', class: 'quiet', onclick: () => this.#clear() }, 'Look everywhere'),
      ),
    );
    this.#tell();
  }

  /** What is chosen; null where everything is looked at. @returns {Filter | null} */
  get value() {
    /** @type {Filter} */
    const filter = {};
    if (this.#document.value) filter.documents = [this.#document.value];
    if (this.#section.value.trim()) filter.sections = [this.#section.value.trim()];
    if (this.#from.value) filter.from = this.#from.value;
    if (this.#to.value) filter.to = this.#to.value;
    if (this.#inForce.checked) filter.inForce = true;
    return Object.keys(filter).length > 0 ? filter : null;
  }

  /** Offers the documents that are there. @param {LibraryDocument[]} documents */
  update(documents) {
    this.element.hidden = documents.length === 0;
    const face = documents.map(({ id, name }) => `${id} ${name}`).join('\n');
    if (face === this.#face) return;
    this.#face = face;
    const chosen = this.#document.value;
    fill(
      this.#document,
      el('option', { value: '' }, 'All documents'),
      ...documents.map(({ id, name }) => el('option', { value: id }, name)),
    );
    this.#document.value = documents.some(({ id }) => id === chosen) ? chosen : '';
    this.#tell();
  }

  #clear() {
    this.#document.value = '';
    this.#section.value = '';
    this.#from.value = '';
    this.#to.value = '';
    this.#inForce.checked = false;
    this.#tell();
    this.#summary.focus();
  }

  /** Says in the summary what is chosen. */
  #tell() {
    const chosen = [
      this.#document.value && (this.#document.selectedOptions[0]?.textContent ?? ''),
      this.#section.value.trim(),
      this.#from.value && `from ${this.#from.value}`,
      this.#to.value && `to ${this.#to.value}`,
      this.#inForce.checked && 'nothing repealed',
    ].filter(Boolean);
    fill(this.#summary, chosen.length > 0 ? `Looking in: ${chosen.join(', ')}` : 'Looking everywhere');
  }
}

/**
 * Scope of a search: one document or all, a section, dates, law in force. Folded away until it is wanted; folded, it
 * says what it leaves out. Every control is a native one with a label, so that keyboards and screen readers know it.
 */

import { el, fill } from '../../dom/elements.js';

/** @typedef {import('../../engine/protocol.js').Filter} Filter */
/** @typedef {import('../../engine/protocol.js').LibraryDocument} LibraryDocument */

export class FilterBar {
  element;
  #strings;
  #summary = el('summary', { part: 'filter' });
  #document = el('select', { onchange: () => this.#tell() });
  #section;
  #from = el('input', { type: 'date', onchange: () => this.#tell() });
  #to = el('input', { type: 'date', onchange: () => this.#tell() });
  #inForce = el('input', { type: 'checkbox', onchange: () => this.#tell() });
  #face = '';

  /** @param {import('../../strings/index.js').Strings} strings */
  constructor(strings) {
    this.#strings = strings;
    const { filter } = strings;
    this.#section = el('input', {
      type: 'text',
      maxLength: 200,
      placeholder: filter.sectionExample,
      autocomplete: 'off',
      onchange: () => this.#tell(),
    });
    const field = (/** @type {string} */ name, /** @type {HTMLElement} */ control) =>
      el('label', { class: 'filter-field' }, el('span', {}, name), control);
    this.element = el(
      'details',
      { class: 'filter', hidden: true },
      this.#summary,
      el(
        'div',
        { class: 'filter-fields', role: 'group', 'aria-label': filter.label },
        field(filter.document, this.#document),
        field(filter.section, this.#section),
        field(filter.from, this.#from),
        field(filter.to, this.#to),
        el('label', { class: 'filter-check' }, this.#inForce, filter.leaveOutRepealed),
        el('button', { type: 'button', class: 'quiet', onclick: () => this.#clear() }, filter.clear),
      ),
    );
    this.#tell();
  }

  /** The filter; null where everything is searched. @returns {Filter | null} */
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
      el('option', { value: '' }, this.#strings.filter.allDocuments),
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
    const { filter } = this.#strings;
    const { value, selectedOptions } = this.#document;
    const chosen = [
      value === '' ? '' : (selectedOptions[0]?.textContent ?? ''),
      this.#section.value.trim(),
      this.#from.value === '' ? '' : filter.fromDate(this.#from.value),
      this.#to.value === '' ? '' : filter.toDate(this.#to.value),
      this.#inForce.checked ? filter.nothingRepealed : '',
    ].filter((each) => each !== '');
    fill(this.#summary, chosen.length > 0 ? filter.lookingIn(chosen) : filter.everywhere);
  }
}

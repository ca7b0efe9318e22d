/**
 * Scope of a search: the documents that are looked in, a section, dates, law in force. Folded away until it is wanted;
 * folded, it says what it leaves out. Documents are chosen here, one or all, or one by one in the library, which asks
 * `holds`; one that is added later is looked in. Every control is a native one with a label, so that keyboards and screen readers know it.
 */

import { el, fill } from '../../dom/elements.js';
import { namesOfScope } from '../places.js';

/** @typedef {import('../../engine/protocol.js').Filter} Filter */
/** @typedef {import('../../engine/protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {import('../places.js').Scope} Scope */

/** Value of the option for some of the documents, which are chosen in the library. */
const severalDocuments = '*';

export class FilterBar {
  element;
  #strings;
  #summary = el('summary', { part: 'filter' });
  #document = el('select', { onchange: () => this.#chooseOnly(this.#document.value) });
  #section;
  #from = el('input', { type: 'date', onchange: () => this.#tell() });
  #to = el('input', { type: 'date', onchange: () => this.#tell() });
  #inForce = el('input', { type: 'checkbox', onchange: () => this.#tell() });
  /** @type {LibraryDocument[]} */
  #documents = [];
  /** Documents that are not looked in, by id. @type {Set<string>} */
  #left = new Set();
  #onChoice;

  /** @param {import('../../strings/index.js').Strings} strings @param {() => void} onChoice it looks elsewhere */
  constructor(strings, onChoice) {
    this.#strings = strings;
    this.#onChoice = onChoice;
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
    if (this.#left.size > 0) filter.documents = this.#chosen.map(({ id }) => id);
    if (this.#section.value.trim()) filter.sections = [this.#section.value.trim()];
    if (this.#from.value) filter.from = this.#from.value;
    if (this.#to.value) filter.to = this.#to.value;
    if (this.#inForce.checked) filter.inForce = true;
    return Object.keys(filter).length > 0 ? filter : null;
  }

  /** The filter as an answer says it; null where everything is searched. @returns {Scope | null} */
  get scope() {
    if (this.value === null) return null;
    const chosen = this.#chosen;
    return {
      nChosen: chosen.length,
      nAll: this.nDocuments,
      document: chosen.length === 1 ? (chosen[0]?.name ?? '') : '',
      section: this.#section.value.trim(),
      from: this.#from.value,
      to: this.#to.value,
      inForce: this.#inForce.checked,
    };
  }

  get #chosen() {
    return this.#documents.filter(({ id }) => !this.#left.has(id));
  }

  /** Number of documents that are looked in. */
  get nChosen() {
    return this.#chosen.length;
  }

  /** Number of documents that can be looked in. */
  get nDocuments() {
    return this.#documents.length;
  }

  /** True if a document is looked in. @param {string} id */
  holds(id) {
    return !this.#left.has(id);
  }

  /** Looks in a document, or leaves it out; the last one stays. @param {string} id @param {boolean} isIn */
  choose(id, isIn) {
    if (isIn) this.#left.delete(id);
    else if (this.nChosen > 1) this.#left.add(id);
    this.#offer();
  }

  /** Offers the documents that are there. @param {LibraryDocument[]} documents */
  update(documents) {
    this.element.hidden = documents.length === 0;
    const face = (/** @type {LibraryDocument[]} */ list) =>
      list.map(({ id, name }) => `${id} ${name}`).join('\n');
    if (face(documents) === face(this.#documents)) return;
    this.#documents = documents;
    this.#left = new Set(documents.map(({ id }) => id).filter((id) => this.#left.has(id)));
    // Of those that were chosen none is left.
    if (this.nChosen === 0) this.#left.clear();
    this.#offer();
  }

  /** Looks in one document alone, or in all. @param {string} id empty for all */
  #chooseOnly(id) {
    if (id === severalDocuments) return;
    const others = this.#documents.filter((document) => id !== '' && document.id !== id);
    this.#left = new Set(others.map((document) => document.id));
    this.#offer();
  }

  #offer() {
    const { filter } = this.#strings;
    const chosen = this.#chosen;
    const isSeveral = this.#left.size > 0 && chosen.length > 1;
    fill(
      this.#document,
      el('option', { value: '' }, filter.allDocuments),
      isSeveral &&
        el('option', { value: severalDocuments }, filter.several(chosen.length, this.#documents.length)),
      ...this.#documents.map(({ id, name }) => el('option', { value: id }, name)),
    );
    this.#document.value = this.#left.size === 0 ? '' : isSeveral ? severalDocuments : (chosen[0]?.id ?? '');
    this.#tell();
  }

  #clear() {
    this.#left.clear();
    this.#offer();
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
    const chosen = namesOfScope(this.#strings, this.scope);
    this.element.classList.toggle('is-set', chosen.length > 0);
    this.#summary.title = chosen.length > 0 ? filter.lookingIn(chosen) : '';
    fill(this.#summary, chosen.length > 0 ? filter.lookingIn(chosen) : filter.allDocuments);
    this.#onChoice();
  }
}

/**
 * The form of one question: its words, its answer, and the places that answer it. A place is marked in the viewer: a bar below
 * the document takes the selected words, or words that are typed, with the page that is read.
 */

import { el, fill } from '../../dom/elements.js';
import { iconButton } from '../../dom/icons.js';
import { distinct, limits } from '../questions.js';
import { Marker } from './marker.js';

/** @typedef {import('../questions.js').Question} Question */
/** @typedef {import('../questions.js').Place} Place */

export class QuestionForm {
  element;
  #texts;
  #host;
  #onDone;
  #marker;
  /** The question that is edited. @type {Question | null} */
  #before = null;
  /** @type {Place[]} */
  #places = [];
  /** The element that had the focus. @type {HTMLElement | null} */
  #opener = null;
  #query = el('textarea', {
    id: 'pincite-lab-query',
    rows: 2,
    maxLength: 10_000,
    required: true,
    dir: 'auto',
  });
  #answer = el('textarea', { id: 'pincite-lab-answer', rows: 2, maxLength: 10_000, dir: 'auto' });
  #document = el('select', { id: 'pincite-lab-document' });
  #list = el('ul', { class: 'lab-places' });
  #fault = el('p', { class: 'note warning', role: 'alert', hidden: true });

  /** @param {import('../lab.js').PartHost} host @param {(question: Question, before: Question | null) => Promise<string>} onDone keeps a question; gives why not, nothing where it is kept */
  constructor(host, onDone) {
    const { texts } = host;
    this.#texts = texts;
    this.#host = host;
    this.#onDone = onDone;
    this.#marker = new Marker(host, (place) => this.#mark(place));
    const field = (/** @type {string} */ label, /** @type {HTMLElement} */ input) =>
      el('div', { class: 'settings-field' }, el('label', { for: input.id }, label), input);
    this.element = el(
      'form',
      {
        class: 'lab-form',
        hidden: true,
        noValidate: true,
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          void this.#done();
        },
      },
      field(texts.query, this.#query),
      field(texts.answer, this.#answer),
      el('h3', {}, texts.places),
      this.#list,
      el(
        'div',
        { class: 'lab-inline' },
        field(texts.document, this.#document),
        el('button', { type: 'button', class: 'quiet', onclick: () => this.#openDocument() }, texts.markIn),
      ),
      el('p', { class: 'fine' }, texts.markHelp),
      this.#fault,
      el(
        'div',
        { class: 'dialog-actions' },
        el('button', { type: 'submit', class: 'primary' }, texts.keep),
        el('button', { type: 'button', class: 'quiet', onclick: () => this.close() }, texts.cancel),
      ),
    );
  }

  /** @param {Question | null} question null for a new one */
  open(question) {
    const root = /** @type {ShadowRoot} */ (this.element.getRootNode());
    this.#opener = root.activeElement instanceof HTMLElement ? root.activeElement : null;
    this.#before = question;
    this.#places = [...(question?.places ?? [])];
    this.#query.value = question?.query ?? '';
    this.#answer.value = question?.answer ?? '';
    fill(
      this.#document,
      ...this.#host.state.engine.documents.map(({ id, name }) => el('option', { value: id }, name)),
    );
    this.#fault.hidden = true;
    this.element.hidden = false;
    this.#draw();
    this.#query.focus();
  }

  close() {
    this.#marker.close();
    if (this.element.hidden) return;
    this.element.hidden = true;
    if (this.#opener?.isConnected) this.#opener.focus();
    else this.#host.focus();
  }

  #openDocument() {
    const document = this.#host.state.engine.documents.find(({ id }) => id === this.#document.value);
    if (document) this.#marker.open(document, this.#query.value);
  }

  /** Adds a place, or replaces the one of the same id. @param {Place} place @returns {string} why not; empty where it is added */
  #mark(place) {
    const places = distinct([...this.#places, place]);
    if (places.length > limits.places) return this.#texts.tooManyPlaces(limits.places);
    this.#places = places;
    this.#draw();
    this.#host.announce(this.#texts.marked(this.#host.nameOf(place)));
    return '';
  }

  #draw() {
    const texts = this.#texts;
    fill(
      this.#list,
      ...this.#places.map((place, at) =>
        el(
          'li',
          {},
          el('span', {}, this.#host.nameOf(place)),
          place.quote !== '' && el('q', { dir: 'auto' }, place.quote),
          iconButton('remove', texts.removePlace(this.#host.nameOf(place)), () => {
            this.#places.splice(at, 1);
            this.#draw();
            this.#document.focus();
          }),
        ),
      ),
    );
    if (this.#places.length === 0) fill(this.#list, el('li', { class: 'fine' }, texts.noPlace));
  }

  async #done() {
    const query = this.#query.value.trim();
    const fault =
      query === '' ? this.#host.faults['no-question'] : this.#places.length === 0 ? this.#texts.noPlace : '';
    this.#refuse(fault);
    if (fault !== '') return (query === '' ? this.#query : this.#document).focus();
    const id = this.#before?.id ?? `own-${Date.now().toString(36)}`;
    const question = { id, query, answer: this.#answer.value.trim(), places: this.#places };
    const why = await this.#onDone(question, this.#before);
    this.#refuse(why);
    if (why === '') this.close();
  }

  /** Shows why not; nothing for an empty text. @param {string} fault */
  #refuse(fault) {
    this.#fault.textContent = fault;
    this.#fault.hidden = fault === '';
  }
}

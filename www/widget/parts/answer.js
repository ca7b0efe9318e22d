/**
 * A question and its answer: sentences with citation marks, and the citations below, best first. All of it is
 * text nodes. Arrow keys move between citations, Enter opens one in the viewer.
 */

import { el, fill, icon } from '../dom.js';
import { pageText, placeText, statusText } from '../strings.js';

/** @typedef {import('../../engine/protocol.js').Answer} Answer */
/** @typedef {import('../../engine/protocol.js').Citation} Citation */

/**
 * @typedef {(
 *   | { state: 'asking' }
 *   | { state: 'answered', answer: Answer, model: import('../../engine/embedding.js').ModelState }
 *   | { state: 'failed', message: string, hint: string }
 *   | { state: 'cancelled' }
 * )} Outcome
 */

export class AnswerCard {
  element;
  #body = el('div', { class: 'answer-body' });
  #onCite;

  /**
   * @param {object} options
   * @param {string} options.question
   * @param {(citation: Citation) => void} options.onCite
   * @param {() => void} options.onCancel
   */
  constructor({ question, onCite, onCancel }) {
    this.#onCite = onCite;
    this.element = el('article', { class: 'answer-card', part: 'answer' }, el('h2', { class: 'asked' }, question), this.#body);
    this.element.addEventListener('keydown', (event) => this.#arrows(event));
    this.show({ state: 'asking' });
    this.#body.querySelector('button')?.addEventListener('click', onCancel);
  }

  /** @param {Outcome} outcome */
  show(outcome) {
    this.element.dataset['state'] = outcome.state;
    switch (outcome.state) {
      case 'asking':
        return fill(this.#body, el('p', { class: 'searching' }, el('span', { class: 'pulse', 'aria-hidden': 'true' }), 'Reading the documents…',
          el('button', { type: 'button', class: 'link' }, 'Cancel')));
      case 'failed':
        return fill(this.#body, el('div', { class: 'note warning' }, el('p', {}, outcome.message), outcome.hint && el('p', {}, outcome.hint)));
      case 'cancelled':
        return fill(this.#body, el('p', { class: 'fine' }, 'Cancelled.'));
      case 'answered':
        return this.#answer(outcome.answer, outcome.model);
    }
  }

  /** Marks the citation that the viewer shows. @param {number | null} id */
  markOpen(id) {
    for (const button of this.element.querySelectorAll('[data-citation]')) {
      const open = button.getAttribute('data-citation') === String(id);
      if (open) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
  }

  /** @param {Answer} answer @param {import('../../engine/embedding.js').ModelState} model */
  #answer({ sufficient, statements, citations, message, vectors }, model) {
    const known = new Map(citations.map((citation) => [citation.id, citation]));
    const sentences = statements.map(({ text, citations: ids }) => el('p', { class: 'statement' }, text, ' ',
      ...ids.flatMap((id) => {
        const citation = known.get(id);
        return citation ? [this.#mark(citation)] : [];
      })));
    // The engine says what is missing, in the language of the question; its first sentence is the news.
    const [news = '', ...rest] = message.split(/(?<=[.。])\s*/);
    fill(this.#body,
      !sufficient && el('div', { class: 'note insufficient' }, icon('info'),
        el('div', {}, el('p', { class: 'strong' }, news || 'The documents do not say.'), rest.length > 0 && el('p', {}, rest.join(' ')))),
      sentences.length > 0 && el('div', { class: 'statements' }, ...sentences),
      citations.length > 0 && el('h3', {}, sufficient ? 'Where it stands' : 'Nearest passages'),
      citations.length > 0 && el('ol', { class: 'citations' }, ...citations.map((citation) => this.#citation(citation))),
      vectors !== 'all' && el('p', { class: 'fine vectors' }, icon('info'), model === 'missing'
        ? 'Found by words only: the language model could not be loaded.'
        : vectors === 'none'
          ? 'Found by words only: search by meaning is still being prepared.'
          : 'Some documents were searched by words only: search by meaning is still being prepared for them.'),
    );
  }

  /** @param {Citation} citation */
  #mark(citation) {
    return el('button', {
      type: 'button', class: `mark ${citation.status}`, 'data-citation': citation.id,
      'aria-label': `Citation ${citation.id}: ${placeText(citation)}`,
      title: placeText(citation), onclick: () => this.#onCite(citation),
    }, String(citation.id));
  }

  /** @param {Citation} citation */
  #citation(citation) {
    const { id, document, sectionPath, quote, status } = citation;
    return el('li', {}, el('button', { type: 'button', class: 'citation', 'data-citation': id, onclick: () => this.#onCite(citation) },
      el('span', { class: 'citation-head' },
        el('span', { class: `mark ${status}`, 'aria-hidden': 'true' }, String(id)),
        el('span', { class: 'citation-source' }, el('span', { class: 'citation-document' }, document), el('span', {}, pageText(citation))),
        el('span', { class: `status ${status}` }, icon(status === 'verified' ? 'check' : 'warning'), statusText[status]),
      ),
      sectionPath.length > 0 && el('span', { class: 'citation-path' }, sectionPath.join(' › ')),
      el('q', { class: 'citation-quote' }, quote),
    ));
  }

  /** @param {KeyboardEvent} event */
  #arrows(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const family = target.matches('.citation') ? '.citation' : target.matches('button.mark') ? 'button.mark' : null;
    if (family === null) return;
    const all = /** @type {HTMLElement[]} */ ([...this.element.querySelectorAll(family)]);
    const at = all.indexOf(target);
    /** @type {Record<string, number>} */
    const moves = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all[Math.min(all.length - 1, Math.max(0, next))]?.focus();
  }
}

/**
 * The empty state: what this is, and samples to try it on.
 */

import { el, fill } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';

/** @typedef {{ file: string, title: string, description: string, questions: string[] }} Sample */

export class Welcome {
  element;
  #samples = el('div', { class: 'samples' });
  #actions;

  /** @param {{ add: (samples: Sample[], question: string | null) => void }} actions */
  constructor(actions) {
    this.#actions = actions;
    this.element = el(
      'div',
      { class: 'welcome' },
      el('h2', { class: 'headline' }, 'Answers pinned to the ', el('mark', {}, 'exact words'), '.'),
      el(
        'p',
        { class: 'lead' },
        'Drop legal or regulatory documents, PDF or Word, anywhere on this page, then ask. Every sentence of an answer is quoted from your documents and opens at the place it stands. Your files stay in this browser.',
      ),
      this.#samples,
    );
  }

  /** @param {boolean} reading files are on their way in: nothing more is offered */
  update(reading) {
    this.#samples.hidden = reading;
  }

  /** @param {Sample[]} samples */
  offer(samples) {
    if (samples.length === 0) return fill(this.#samples);
    const cards = samples.map((sample) =>
      el(
        'article',
        { class: 'sample' },
        el('h4', {}, icon('document'), sample.title),
        el('p', {}, sample.description),
        el(
          'button',
          {
            type: 'button',
            class: 'quiet',
            onclick: () => this.#actions.add([sample], null),
            'aria-label': `Add the sample ${sample.title}`,
          },
          icon('add'),
          'Add',
        ),
      ),
    );
    fill(
      this.#samples,
      el(
        'div',
        { class: 'samples-head' },
        el('h3', {}, 'No document at hand? Try a sample'),
        el(
          'button',
          { type: 'button', class: 'quiet', onclick: () => this.#actions.add(samples, null) },
          icon('add'),
          'Add all',
        ),
      ),
      el('div', { class: 'sample-cards' }, ...cards),
    );
  }
}

/**
 * Questions that go with samples, as buttons.
 * @param {string[]} questions
 * @param {(question: string) => void} onAsk
 */
export function suggestions(questions, onAsk) {
  return el(
    'div',
    { class: 'suggestions', role: 'group', 'aria-label': 'Suggested questions' },
    el('span', { class: 'fine' }, 'Try'),
    ...questions.map((question) =>
      el('button', { type: 'button', class: 'suggestion', onclick: () => onAsk(question) }, question),
    ),
  );
}

/**
 * The empty state: an introduction, and samples to try.
 */

import { el, fill } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';

/** @typedef {{ file: string, title: string, description: string, questions: string[] }} Sample */

export class Welcome {
  element;
  #samples = el('div', { class: 'samples' });
  #strings;
  #actions;

  /** @param {import('../../strings/index.js').Strings} strings @param {{ add: (samples: Sample[], question: string | null) => void }} actions */
  constructor(strings, actions) {
    this.#strings = strings;
    const [before, lit, after] = strings.welcome.headline;
    this.#actions = actions;
    this.element = el(
      'div',
      { class: 'welcome' },
      el(
        'slot',
        { name: 'empty' },
        el('h2', { class: 'headline' }, before, el('mark', {}, lit), after),
        el('p', { class: 'lead' }, strings.welcome.lead),
        this.#samples,
      ),
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
            'aria-label': this.#strings.welcome.addSample(sample.title),
          },
          icon('add'),
          this.#strings.welcome.add,
        ),
      ),
    );
    fill(
      this.#samples,
      el(
        'div',
        { class: 'samples-head' },
        el('h3', {}, this.#strings.welcome.noDocument),
        el(
          'button',
          { type: 'button', class: 'quiet', onclick: () => this.#actions.add(samples, null) },
          icon('add'),
          this.#strings.welcome.addAll,
        ),
      ),
      el('div', { class: 'sample-cards' }, ...cards),
    );
  }
}

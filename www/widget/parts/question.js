/**
 * The question box: Enter asks, Shift+Enter breaks the line, Escape takes a running question back.
 */

import { el } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { actionOf } from '../../dom/keys.js';

export class QuestionBox {
  element;
  #strings;
  #input;
  #button;
  #onAsk;

  /**
   * @param {object} options
   * @param {import('../../strings/index.js').Strings} options.strings
   * @param {(question: string) => void} options.onAsk
   * @param {() => void} options.onFocus
   */
  constructor({ strings, onAsk, onFocus }) {
    this.#strings = strings;
    this.#onAsk = onAsk;
    this.#input = el('textarea', {
      rows: 1,
      class: 'question-input',
      part: 'question',
      'aria-label': strings.question.label,
      placeholder: strings.question.ready,
      maxLength: 2000,
    });
    this.#button = el(
      'button',
      { type: 'submit', class: 'ask', part: 'ask-button', 'aria-label': strings.question.ask },
      icon('ask'),
    );
    this.element = el('form', { class: 'question' }, icon('search'), this.#input, this.#button);
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#input.addEventListener('keydown', (event) => {
      // A composing input method uses Enter to accept a word.
      if (actionOf('question', event) !== 'ask') return;
      event.preventDefault();
      this.#submit();
    });
    this.#input.addEventListener('input', () => this.#grow());
    this.#input.addEventListener('focus', onFocus);
  }

  /** Makes room for the next question. */
  clear() {
    this.#input.value = '';
    this.#grow();
  }

  focus() {
    this.#input.focus();
  }

  /** @param {'ready' | 'reading' | 'empty'} state of the library */
  update(state) {
    this.#button.disabled = state !== 'ready';
    this.#input.placeholder = this.#strings.question[state];
  }

  #submit() {
    const question = this.#input.value.trim();
    if (question !== '' && !this.#button.disabled) this.#onAsk(question);
  }

  /** For browsers without `field-sizing`. */
  #grow() {
    if (CSS.supports('field-sizing', 'content')) return;
    this.#input.style.height = 'auto';
    this.#input.style.height = `${Math.min(this.#input.scrollHeight, 160)}px`;
  }
}

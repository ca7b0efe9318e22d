/**
 * The form that asks for the password of a document.
 */

import { el } from '../dom/elements.js';
import { icon } from '../dom/icons.js';

/**
 * @param {import('../strings/index.js').Strings} strings
 * @returns {{ element: HTMLElement, input: HTMLInputElement, entered: Promise<string> }} `entered` when it is sent
 */
export function passwordForm({ viewer }) {
  const input = el('input', { type: 'password', autocomplete: 'off', 'aria-label': viewer.password });
  const element = el(
    'form',
    { class: 'password' },
    icon('lock'),
    input,
    el('button', { type: 'submit', class: 'quiet' }, viewer.open),
  );
  /** @type {Promise<string>} */
  const entered = new Promise((resolve) => {
    element.addEventListener('submit', (event) => {
      event.preventDefault();
      resolve(input.value);
    });
  });
  return { element, input, entered };
}

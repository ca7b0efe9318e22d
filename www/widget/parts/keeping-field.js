/**
 * Keeping of conversations in the settings: whether questions and answers stay in this browser, and deleting them all.
 */

import { el } from '../../dom/elements.js';

export class KeepingField {
  element;
  #strings;
  #kept;
  #onChange;
  #box;
  #status = el('p', { class: 'fine', role: 'status' });

  /**
   * @param {import('../../strings/index.js').Strings} strings
   * @param {import('../kept-conversations.js').KeptConversations} kept
   * @param {() => void} onChange something was deleted, or is kept again
   */
  constructor(strings, kept, onChange) {
    const { keeping } = strings;
    this.#strings = strings;
    this.#kept = kept;
    this.#onChange = onChange;
    this.#box = el('input', { type: 'checkbox', onchange: () => void this.#allow() });
    this.element = el(
      'div',
      { class: 'settings-profile' },
      el('h3', {}, keeping.title),
      el('p', { class: 'fine' }, keeping.help),
      el(
        'div',
        { class: 'dialog-actions' },
        el('label', { class: 'filter-check' }, this.#box, keeping.keep),
        el(
          'button',
          { type: 'button', class: 'quiet', onclick: () => void this.#clear() },
          keeping.deleteAll,
        ),
      ),
      this.#status,
    );
  }

  /** Shows what is set. */
  open() {
    this.#box.checked = this.#kept.isAllowed;
    this.#status.textContent = '';
  }

  /** Says that an answer found no place. */
  fail() {
    this.#status.textContent = this.#strings.keeping.failed;
  }

  async #allow() {
    await this.#kept.allow(this.#box.checked).catch(() => {});
    this.#said(this.#box.checked ? '' : this.#strings.keeping.deleted);
  }

  async #clear() {
    await this.#kept.clear().catch(() => {});
    this.#said(this.#strings.keeping.deleted);
  }

  /** @param {string} text */
  #said(text) {
    this.#status.textContent = text;
    this.#onChange();
  }
}

/**
 * A passphrase for a file, typed twice, with a guess of its strength. Nothing of it is kept.
 */

import { el } from '../dom/elements.js';
import { shortest, strengthOf } from './seal.js';

export class PassphraseFields {
  element;
  #texts;
  #use = el('input', { type: 'checkbox', onchange: () => this.#draw() });
  #first = input('pincite-passphrase', () => this.#draw());
  #second = input('pincite-passphrase-again', () => this.#draw());
  #strength = el('p', { class: 'fine', role: 'status' });
  #fields;

  /** @param {import('../strings/index.js').Strings} strings */
  constructor({ evidence: texts }) {
    this.#texts = texts;
    this.#first.setAttribute('aria-describedby', 'pincite-passphrase-lost');
    this.#fields = el(
      'div',
      { class: 'evidence-passphrase', hidden: true },
      labelled(texts.passphrase, this.#first),
      this.#strength,
      labelled(texts.passphraseAgain, this.#second),
      el('p', { class: 'note warning', id: 'pincite-passphrase-lost' }, texts.noRecovery),
    );
    this.element = el(
      'div',
      {},
      el('label', { class: 'evidence-lock' }, this.#use, texts.lock),
      this.#fields,
    );
  }

  /** The passphrase, null where there is to be none; undefined where it will not do, which is said. */
  take() {
    if (!this.#use.checked) return null;
    this.#draw();
    for (const each of [this.#first, this.#second])
      if (!each.checkValidity()) {
        each.reportValidity();
        each.focus();
        return undefined;
      }
    return this.#first.value;
  }

  clear() {
    this.#use.checked = false;
    this.#first.value = '';
    this.#second.value = '';
    this.#draw();
  }

  #draw() {
    const texts = this.#texts;
    this.#fields.hidden = !this.#use.checked;
    const strength = strengthOf(this.#first.value);
    this.#strength.textContent =
      this.#first.value === '' ? texts.passphraseHint : texts.strengths[strength](shortest);
    const isUsed = this.#use.checked;
    const isSame = this.#first.value === this.#second.value;
    this.#first.setCustomValidity(isUsed && strength === 'short' ? texts.strengths.short(shortest) : '');
    this.#second.setCustomValidity(isUsed && !isSame ? texts.passphrasesDiffer : '');
  }
}

/** @param {string} id @param {() => void} oninput */
function input(id, oninput) {
  return el('input', { id, type: 'password', autocomplete: 'new-password', spellcheck: false, oninput });
}

/** @param {string} label @param {HTMLInputElement} input */
function labelled(label, input) {
  return el('div', { class: 'settings-field' }, el('label', { for: input.id }, label), input);
}

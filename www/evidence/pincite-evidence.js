/**
 * `<pincite-evidence>`: the answers and documents that are packed into the page that it stands in, to be read and checked. It
 * is the page of an evidence file and nothing else. It stores nothing, sends nothing, and knows nothing of the library that
 * the browser may have.
 */

import { el, fill } from '../dom/elements.js';
import { icon } from '../dom/icons.js';
import { stringsOf } from '../strings/index.js';
import { answering } from '../widget/answering.styles.js';
import { styles as widgetStyles } from '../widget/pincite-widget.styles.js';
import { envelopeIn } from './envelope.js';
import { EvidenceError } from './errors.js';
import { styles } from './evidence.styles.js';
import { isLocked, opened } from './open.js';
import { EvidenceView } from './view.js';

export class PinciteEvidence extends HTMLElement {
  #root = this.attachShadow({ mode: 'open' });
  #strings = stringsOf('en');
  #shell = el('div', { class: 'shell evidence-shell' });

  connectedCallback() {
    this.#strings = stringsOf(this.getAttribute('lang') ?? 'en');
    this.#root.adoptedStyleSheets = [widgetStyles, answering, styles];
    this.#root.replaceChildren(this.#shell);
    this.#shell.lang = this.#strings.lang;
    this.#show(el('p', { class: 'fine' }, this.#strings.evidence.loading));
    void this.#open();
  }

  async #open() {
    try {
      await wholePage();
      const envelope = envelopeIn(document);
      if (isLocked(envelope)) return this.#askPassphrase(envelope);
      this.#view(await opened(envelope, ''));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {import('./open.js').Opened} evidence */
  #view(evidence) {
    document.title = `${evidence.contents.title || this.#strings.evidence.name} · Pincite`;
    const view = new EvidenceView({ strings: this.#strings, base: { folder: null, workers: {} }, evidence });
    this.#shell.replaceWith(view.element);
    view.start();
  }

  /** @param {import('./envelope.js').Envelope} envelope */
  #askPassphrase(envelope) {
    const texts = this.#strings.evidence;
    const input = el('input', {
      id: 'pincite-evidence-key',
      type: 'password',
      autocomplete: 'off',
      required: true,
      'aria-describedby': 'pincite-evidence-fault',
    });
    const button = el('button', { type: 'submit', class: 'primary' }, texts.unlock);
    const said = el('p', { id: 'pincite-evidence-fault', role: 'alert' });
    const open = async () => {
      button.disabled = true;
      button.textContent = texts.unlocking;
      fill(said);
      try {
        this.#view(await opened(envelope, input.value));
      } catch (error) {
        if (!(error instanceof EvidenceError) || error.fault !== 'passphrase') return this.#fail(error);
        const [wrong, hint] = texts.faults.passphrase;
        fill(said, wrong, ' ', hint);
        button.disabled = false;
        button.textContent = texts.unlock;
        input.select();
        input.focus();
      }
    };
    const form = el(
      'form',
      {
        class: 'evidence-locked',
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          void open();
        },
      },
      el('h1', { class: 'evidence-title' }, icon('lock'), texts.locked),
      el('p', {}, texts.lockedLead),
      el('div', { class: 'settings-field' }, el('label', { for: input.id }, texts.passphrase), input),
      said,
      button,
    );
    this.#show(form);
    input.focus();
  }

  /** @param {unknown} error */
  #fail(error) {
    const texts = this.#strings.evidence;
    const [why, hint] = texts.faults[error instanceof EvidenceError ? error.fault : 'damaged'];
    this.#show(
      el('h1', { class: 'evidence-title' }, texts.cannotOpen),
      el(
        'div',
        { class: 'note warning', role: 'alert' },
        el('p', { class: 'strong' }, why),
        el('p', {}, hint),
      ),
    );
  }

  /** @param {...import('../dom/elements.js').Child} content */
  #show(...content) {
    fill(
      this.#shell,
      el('main', { class: 'desk' }, el('div', { class: 'desk-inner evidence-alone' }, ...content)),
    );
  }
}

/** Resolves when the page was read to its end. @returns {Promise<void>} */
function wholePage() {
  if (document.readyState !== 'loading') return Promise.resolve();
  return new Promise((resolve) =>
    document.addEventListener('DOMContentLoaded', () => resolve(), { once: true }),
  );
}

if (!customElements.get('pincite-evidence')) customElements.define('pincite-evidence', PinciteEvidence);

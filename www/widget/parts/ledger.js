/**
 * What has left this device: every request of this page to a language model, where it went, when, how many bytes each
 * way, and which passages were in it. The list holds no text and no key; it can be saved as JSON.
 */

import { el } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { ledger } from '../model.js';
import { save } from '../../dom/save.js';
import { bytes, count, outcomeText, stepText } from '../strings.js';

/** @typedef {Readonly<import('../../llm/ledger.js').LedgerEntry>} LedgerEntry */

/** Rows that are drawn; the export has all that are kept. */
const maxRows = 200;

export class LedgerDialog {
  element;
  #summary = el('p', { class: 'ledger-summary' });
  #rows = el('tbody');
  /** The rows that are drawn, by the number of their request: they stay as long as they are listed, and with them what
   * is unfolded and what has the focus. @type {Map<number, Row>} */
  #drawn = new Map();
  #table;
  #actions;
  #drawing = false;
  #onChange = () => this.#soon();

  constructor() {
    this.#table = el(
      'div',
      { class: 'ledger-table', tabIndex: 0, role: 'region', 'aria-label': 'Requests' },
      el(
        'table',
        {},
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            ...['Time', 'Where', 'For', 'Sent', 'Received', 'Passages', 'Outcome'].map((name) =>
              el('th', { scope: 'col' }, name),
            ),
          ),
        ),
        this.#rows,
      ),
    );
    this.#actions = el(
      'div',
      { class: 'dialog-actions' },
      el(
        'button',
        {
          type: 'button',
          class: 'quiet',
          onclick: () => save('pincite-requests.json', JSON.stringify(ledger, null, 2), 'application/json'),
        },
        'Save as JSON',
      ),
      el('button', { type: 'button', class: 'quiet', onclick: () => ledger.clear() }, 'Empty the list'),
    );
    this.element = el(
      'dialog',
      {
        class: 'dialog ledger',
        'aria-labelledby': 'pincite-ledger-title',
        onclose: () => ledger.removeEventListener('change', this.#onChange),
      },
      el(
        'div',
        { class: 'dialog-head' },
        el('h2', { id: 'pincite-ledger-title' }, 'What has left this device'),
        el(
          'button',
          {
            type: 'button',
            class: 'icon-button',
            'aria-label': 'Close the list',
            onclick: () => this.element.close(),
          },
          icon('close'),
        ),
      ),
      this.#summary,
      this.#table,
      this.#actions,
      el(
        'p',
        { class: 'fine' },
        'Requests to language models, retries and connection checks too. The files of this site itself, which are the same for everybody, are not listed.',
      ),
    );
  }

  open() {
    if (this.element.open) return;
    ledger.addEventListener('change', this.#onChange);
    this.#draw();
    this.element.showModal();
  }

  /** Several changes in a row are drawn once. */
  #soon() {
    if (this.#drawing) return;
    this.#drawing = true;
    setTimeout(() => {
      this.#drawing = false;
      if (this.element.open) this.#draw();
    }, 100);
  }

  #draw() {
    const entries = ledger.entries;
    const { requests } = ledger.totals;
    this.#summary.textContent = `${summary()}.`;
    this.#table.hidden = entries.length === 0;
    this.#actions.hidden = requests === 0;
    const shown = entries.slice(-maxRows);
    const kept = new Map(shown.map((entry) => [entry.id, this.#drawn.get(entry.id) ?? row(entry)]));
    for (const [id, { element }] of this.#drawn) if (!kept.has(id)) element.remove();
    for (const entry of shown) {
      const { element, update } = /** @type {Row} */ (kept.get(entry.id));
      update(entry);
      if (!element.isConnected) this.#rows.prepend(element);
    }
    this.#drawn = kept;
  }
}

/** Endpoints without a name that a person gave. */
const unnamed = new Set(['default', 'browser', 'page']);

/** What has left, in a line. */
export function summary() {
  const { requests, bytesOut, bytesIn } = ledger.totals;
  if (!ledger.hasLeft) return 'Nothing has left this device';
  return `${count(requests, 'request')}, ${bytes(bytesOut)} sent, ${bytes(bytesIn)} received`;
}

/** @typedef {{ element: HTMLTableRowElement, update: (entry: LedgerEntry) => void }} Row */

/** @param {LedgerEntry} entry @returns {Row} */
function row({ at, where, endpoint, step, attempt, bytesOut, passages }) {
  const name =
    step === 'check' ? 'Connection check' : (stepText[/** @type {keyof typeof stepText} */ (step)] ?? step);
  const received = el('td', { class: 'figure' });
  const outcome = el('td');
  const element = el(
    'tr',
    {},
    el('td', {}, new Date(at).toLocaleTimeString('en-GB')),
    el(
      'td',
      { class: 'where' },
      where,
      unnamed.has(endpoint) ? null : el('span', { class: 'fine' }, ` (${endpoint})`),
    ),
    el('td', {}, attempt > 1 ? `${name} (attempt ${attempt})` : name),
    el('td', { class: 'figure' }, `${bytesOut.toLocaleString('en')} B`),
    received,
    el(
      'td',
      {},
      passages.length === 0
        ? 'none'
        : el(
            'details',
            {},
            el('summary', {}, count(passages.length, 'passage')),
            el(
              'ul',
              {},
              ...passages.map(({ document, page, sectionPath }) =>
                el(
                  'li',
                  {},
                  [document, page === null ? '' : `page ${page}`, sectionPath.at(-1) ?? '']
                    .filter(Boolean)
                    .join(', '),
                ),
              ),
            ),
          ),
    ),
    outcome,
  );
  return {
    element,
    update: (entry) => {
      element.dataset['outcome'] = entry.outcome;
      received.textContent = `${entry.bytesIn.toLocaleString('en')} B`;
      outcome.textContent = outcomeText(entry);
    },
  };
}

/**
 * The list of what has left this device: every request of this page to a language model, with its address, time, bytes
 * each way, and the passages in it. The list holds no text and no key; it can be saved as JSON.
 */

import { el } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { ledger } from '../settings.js';
import { save } from '../../dom/save.js';
import { passageAt, placeOf } from '../places.js';

/** @typedef {Readonly<import('../../llm/ledger.js').LedgerEntry>} LedgerEntry */

/** Rows that are drawn; the export has all that are kept. */
const maxRows = 200;

export class LedgerDialog {
  element;
  #strings;
  #summary = el('p', { class: 'ledger-summary' });
  #rows = el('tbody');
  /** The rows that are drawn, by the number of their request: they stay as long as they are listed, and with them what
   * is unfolded and what has the focus. @type {Map<number, Row>} */
  #drawn = new Map();
  #table;
  #actions;
  #drawing = false;
  #onChange = () => this.#soon();

  /** @param {import('../../strings/index.js').Strings} strings */
  constructor(strings) {
    this.#strings = strings;
    const texts = strings.ledger;
    this.#table = el(
      'div',
      { class: 'ledger-table', tabIndex: 0, role: 'region', 'aria-label': texts.table },
      el(
        'table',
        {},
        el('thead', {}, el('tr', {}, ...texts.columns.map((name) => el('th', { scope: 'col' }, name)))),
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
        texts.save,
      ),
      el('button', { type: 'button', class: 'quiet', onclick: () => ledger.clear() }, texts.clear),
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
        el('h2', { id: 'pincite-ledger-title' }, texts.title),
        el(
          'button',
          {
            type: 'button',
            class: 'icon-button',
            'aria-label': texts.close,
            onclick: () => this.element.close(),
          },
          icon('close'),
        ),
      ),
      this.#summary,
      this.#table,
      this.#actions,
      el('p', { class: 'fine' }, texts.explained),
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
    this.#summary.textContent = this.#strings.format.sentence(summary(this.#strings));
    this.#table.hidden = entries.length === 0;
    this.#actions.hidden = requests === 0;
    const shown = entries.slice(-maxRows);
    const kept = new Map(
      shown.map((entry) => [entry.id, this.#drawn.get(entry.id) ?? row(this.#strings, entry)]),
    );
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
const unnamed = new Set(['default', 'browser', 'device', 'page', 'agent']);

/** Requests and bytes, in a line. @param {import('../../strings/index.js').Strings} strings */
export function summary({ ledger: texts, format }) {
  const { requests, bytesOut, bytesIn } = ledger.totals;
  if (!ledger.hasLeft) return texts.nothing;
  return texts.totals(requests, format.bytes(bytesOut), format.bytes(bytesIn));
}

/** @typedef {{ element: HTMLTableRowElement, update: (entry: LedgerEntry) => void }} Row */

/** @param {import('../../strings/index.js').Strings} strings @param {LedgerEntry} entry @returns {Row} */
function row(strings, { at, where, endpoint, step, attempt, bytesOut, passages, turns }) {
  const { steps, format, ledger: texts } = strings;
  const name = Object.hasOwn(steps, step) ? steps[/** @type {keyof typeof steps} */ (step)] : step;
  const received = el('td', { class: 'figure' });
  const outcome = el('td');
  const element = el(
    'tr',
    {},
    el('td', {}, format.time(at)),
    el(
      'td',
      { class: 'where' },
      placeOf(strings, where),
      unnamed.has(endpoint) ? null : el('span', { class: 'fine' }, ` (${endpoint})`),
    ),
    el('td', {}, attempt > 1 ? texts.attempt(name, attempt) : name),
    el('td', { class: 'figure' }, `${format.number(bytesOut)} B`),
    received,
    el(
      'td',
      {},
      turns > 0 && el('p', { class: 'turns' }, texts.turns(turns)),
      passages.length === 0
        ? turns === 0 && texts.none
        : el(
            'details',
            {},
            el('summary', {}, texts.passages(passages.length)),
            el('ul', {}, ...passages.map((passage) => el('li', {}, passageAt(strings, passage)))),
          ),
    ),
    outcome,
  );
  return {
    element,
    update: (entry) => {
      element.dataset['outcome'] = entry.outcome;
      received.textContent = `${format.number(entry.bytesIn)} B`;
      outcome.textContent = outcomeText(strings, entry);
    },
  };
}

/** Outcome of a request, in words. @param {import('../../strings/index.js').Strings} strings @param {LedgerEntry} entry */
function outcomeText({ ledger: texts, llm }, { outcome, status }) {
  const fault = Object.hasOwn(llm, outcome) ? llm[/** @type {keyof typeof llm} */ (outcome)][0] : null;
  const word =
    outcome === 'ok'
      ? texts.answered
      : outcome === 'open'
        ? texts.open
        : (fault ?? outcome.replaceAll('-', ' '));
  return status !== null && status !== 200 ? texts.withStatus(word, status) : word;
}

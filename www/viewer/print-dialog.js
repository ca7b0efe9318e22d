/**
 * The dialog that prints an open document: which pages, whether the cited words are marked, and how far it is. What is
 * printed is made here and handed to the browser's own print dialog; nothing leaves the device. It is loaded when it is first
 * asked for.
 */

import { adopt } from '../dom/adopt.js';
import { el, fill } from '../dom/elements.js';
import { iconButton } from '../dom/icons.js';
import { pagesIn } from './page-ranges.js';
import { pagesLaid, textLaid } from './print-sheets.js';
import { styles } from './print.styles.js';

/** @typedef {import('./print-sheets.js').Printable} Printable */

export class PrintDialog {
  element;
  #strings;
  #announce;
  #all = el('input', { type: 'radio', name: 'pincite-print', value: 'all' });
  #one = el('input', { type: 'radio', name: 'pincite-print', value: 'one' });
  #some = el('input', { type: 'radio', name: 'pincite-print', value: 'some' });
  #range = el('input', {
    id: 'pincite-print-range',
    type: 'text',
    autocomplete: 'off',
    oninput: () => {
      this.#some.checked = true;
    },
  });
  #allLabel = el('span', {});
  #oneLabel = el('span', {});
  #mark = el('input', { type: 'checkbox', checked: true });
  #markRow;
  #pages;
  #outcome = el('p', { id: 'pincite-print-fault', role: 'alert' });
  #progress = el('progress', { max: 1 });
  #told = el('span', { class: 'fine', role: 'status' });
  #working;
  #print;
  #cancel;
  /** @type {Printable | null} */
  #printable = null;
  /** @type {AbortController | null} */
  #printing = null;
  /** Gives the last print's frame and pictures back: some browsers do not say when their dialog was closed. */
  #release = () => {};

  /** @param {import('../strings/index.js').Strings} strings @param {(text: string) => void} announce */
  constructor(strings, announce) {
    const { print } = strings;
    this.#strings = strings;
    this.#announce = announce;
    this.#progress.setAttribute('aria-label', print.title);
    this.#range.setAttribute('aria-describedby', 'pincite-print-fault');
    this.#pages = el(
      'fieldset',
      { class: 'print-pages' },
      el('legend', {}, print.pages),
      el('label', {}, this.#all, this.#allLabel),
      el('label', {}, this.#one, this.#oneLabel),
      el(
        'div',
        { class: 'print-some' },
        el('label', {}, this.#some, print.some),
        el('label', { for: 'pincite-print-range', class: 'visually-hidden' }, print.range),
        this.#range,
      ),
    );
    this.#markRow = el('label', {}, this.#mark, print.mark);
    this.#print = el('button', { type: 'submit', class: 'primary' }, print.print);
    this.#cancel = el(
      'button',
      { type: 'button', class: 'quiet', onclick: () => this.element.close() },
      print.cancel,
    );
    this.#working = el('div', { class: 'print-working', hidden: true }, this.#progress, this.#told);
    this.element = el(
      'dialog',
      {
        class: 'dialog print',
        'aria-labelledby': 'pincite-print-title',
        onclose: () => this.#printing?.abort(),
      },
      el(
        'div',
        { class: 'dialog-head' },
        el('h2', { id: 'pincite-print-title' }, print.title),
        iconButton('close', print.close, () => this.element.close()),
      ),
      el(
        'form',
        {
          noValidate: true,
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            void this.#start();
          },
        },
        this.#pages,
        this.#markRow,
        this.#outcome,
        this.#working,
        el('div', { class: 'dialog-actions' }, this.#print, this.#cancel),
      ),
    );
  }

  /** @param {Printable} printable */
  open(printable) {
    if (this.element.open) return;
    const { print } = this.#strings;
    this.#printable = printable;
    const isPages = printable.kind === 'pages';
    this.#pages.hidden = !isPages;
    this.#markRow.hidden = isPages ? printable.spans.length === 0 : !printable.isMarked;
    if (isPages) {
      this.#allLabel.textContent = print.all(printable.nPages);
      this.#oneLabel.textContent = print.one(printable.current);
      this.#range.placeholder = print.example;
    }
    this.#all.checked = true;
    this.#range.value = '';
    fill(this.#outcome);
    this.#show(false);
    adopt(this.element, styles);
    this.element.showModal();
    this.#print.focus();
  }

  /** Ends what is under way. */
  close() {
    this.element.close();
    this.#printable = null;
    this.#release();
  }

  async #start() {
    const printable = this.#printable;
    if (printable === null || this.#printing) return;
    const numbers = this.#numbers(printable);
    if (numbers === null) return;
    const printing = new AbortController();
    this.#printing = printing;
    fill(this.#outcome);
    this.#show(true);
    // What was pressed is disabled now, and would take the focus with it.
    this.#cancel.focus();
    try {
      this.#release();
      const { frame, release } = await this.#laid(printable, numbers, printing.signal);
      this.#release = () => {
        this.#release = () => {};
        frame.remove();
        release();
      };
      printing.signal.throwIfAborted();
      this.#printing = null;
      this.element.close();
      void frame.print().then(this.#release);
    } catch {
      this.#release();
      if (!printing.signal.aborted) fill(this.#outcome, this.#strings.print.failed);
      else this.#announce(this.#strings.print.cancelled);
    } finally {
      this.#printing = null;
      this.#show(false);
      if (this.element.open) this.#print.focus();
    }
  }

  /** @param {Printable} printable @param {number[]} numbers @param {AbortSignal} signal */
  #laid(printable, numbers, signal) {
    // Beside the dialog, so that it is in the viewer's tree and gone with it.
    const parent = /** @type {Element} */ (this.element.parentElement);
    const isMarked = !this.#markRow.hidden && this.#mark.checked;
    if (printable.kind === 'text') return textLaid(printable, isMarked, parent);
    const onProgress = (/** @type {number} */ done) => {
      this.#progress.value = done / numbers.length;
      this.#told.textContent = this.#strings.print.progress(done, numbers.length);
    };
    return pagesLaid(printable, numbers, isMarked, parent, { signal, onProgress });
  }

  /** Pages that were chosen; null where they cannot be, which is said. @param {Printable} printable @returns {number[] | null} */
  #numbers(printable) {
    if (printable.kind === 'text') return [];
    const { nPages, current } = printable;
    if (this.#one.checked) return [current];
    if (this.#all.checked) return Array.from({ length: nPages }, (_, at) => at + 1);
    const numbers = pagesIn(this.#range.value, nPages);
    if (numbers === null) {
      fill(this.#outcome, this.#strings.print.noPages(nPages));
      this.#range.focus();
    }
    return numbers;
  }

  /** @param {boolean} isWorking */
  #show(isWorking) {
    this.#working.hidden = !isWorking;
    this.#pages.disabled = isWorking;
    this.#mark.disabled = isWorking;
    this.#print.disabled = isWorking;
    this.#progress.value = 0;
    fill(this.#told);
  }
}

/**
 * Intake of files: dropped anywhere on the widget, or chosen with the button.
 */

import { el } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';

export class DropZone {
  element;
  #input;

  /**
   * @param {object} options
   * @param {import('../../strings/index.js').Strings} options.strings
   * @param {HTMLElement} options.target where files may be dropped
   * @param {() => boolean} options.takes false while files are none of its business
   * @param {(files: File[]) => void} options.onFiles
   */
  constructor({ strings, target, takes, onFiles }) {
    this.#input = el('input', {
      type: 'file',
      accept:
        '.pdf,.docx,.pincite,application/pdf,application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      multiple: true,
      class: 'hidden-input',
      tabIndex: -1,
      'aria-hidden': 'true',
    });
    this.#input.addEventListener('change', () => {
      onFiles([...(this.#input.files ?? [])]);
      this.#input.value = '';
    });
    const button = el(
      'button',
      { type: 'button', class: 'drop-button', part: 'add-button', onclick: () => this.#input.click() },
      icon('upload'),
      el(
        'span',
        {},
        el('strong', {}, strings.library.addDocuments),
        el('span', { class: 'drop-hint' }, strings.library.dropHint),
      ),
    );
    this.element = el('div', { class: 'drop-zone', part: 'drop-zone' }, button, this.#input);

    // Entering a child fires before leaving its parent, so the two are counted. What is dropped here is meant for here: a
    // page around that takes files too, and sends them somewhere, does not get them.
    let depth = 0;
    const isMeant = (/** @type {DragEvent} */ event) => takes() && carriesFiles(event);
    const over = (/** @type {boolean} */ on) => target.classList.toggle('dropping', on);
    target.addEventListener('dragenter', (event) => {
      if (!isMeant(event)) return;
      take(event);
      depth += 1;
      over(true);
    });
    target.addEventListener('dragover', (event) => {
      if (isMeant(event)) take(event);
    });
    target.addEventListener('dragleave', (event) => {
      if (isMeant(event)) event.stopPropagation();
      depth = Math.max(0, depth - 1);
      over(depth > 0);
    });
    target.addEventListener('drop', (event) => {
      if (!isMeant(event)) return;
      take(event);
      depth = 0;
      over(false);
      onFiles([...(event.dataTransfer?.files ?? [])]);
    });
  }
}

/** @param {DragEvent} event */
function take(event) {
  event.preventDefault();
  event.stopPropagation();
}

/** @param {DragEvent} event */
function carriesFiles(event) {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

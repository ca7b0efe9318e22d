/**
 * The graphics processor in the settings: whether it may embed passages, and what it does or why it does not.
 */

import { el, fill } from '../../dom/elements.js';
import { field } from './endpoint-fields.js';

/** @typedef {import('../../engine/gpu/choice.js').GpuSetting} GpuSetting */
/** @typedef {Pick<import('../../engine/client.js').Snapshot, 'embedding' | 'gpuRefusal'>} State */

/** @type {readonly GpuSetting[]} */
const choices = ['auto', 'always', 'never'];

export class GpuField {
  element;
  #strings;
  #settings;
  #select;
  #state = el('p', { class: 'fine', role: 'status' });

  /**
   * @param {object} options
   * @param {import('../../strings/index.js').Strings} options.strings
   * @param {import('../settings.js').AnsweringSettings} options.settings
   * @param {() => boolean} options.remember true if what is set is to be remembered, as the settings show it
   */
  constructor({ strings, settings, remember }) {
    const { gpu } = strings;
    this.#strings = strings;
    this.#settings = settings;
    this.#select = el(
      'select',
      {
        onchange: () => {
          const chosen = choices.find((choice) => choice === this.#select.value);
          if (chosen) settings.chooseGpu(chosen, remember());
        },
      },
      ...choices.map((choice) => el('option', { value: choice }, gpu.choices[choice])),
    );
    this.element = el(
      'div',
      { class: 'settings-profile' },
      field('pincite-gpu', gpu.label, this.#select, gpu.help),
      this.#state,
    );
  }

  /** Shows what is set and how it is now. @param {State} state */
  open(state) {
    this.#select.value = this.#settings.gpu;
    this.show(state);
  }

  /** Says how it is now. @param {State} state */
  show({ embedding, gpuRefusal }) {
    const { gpu } = this.#strings;
    const refusal = this.#settings.gpu === 'never' ? null : gpuRefusal;
    const text = embedding?.onGpu ? gpu.works : refusal ? gpu.refused(refusal) : '';
    // Said again only when it is another.
    if (this.#state.textContent !== text) fill(this.#state, text);
  }
}

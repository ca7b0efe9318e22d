/**
 * The model file in the settings: what is kept and how large it is, opening another, removing it, and how copying and loading
 * get on, each of which can be stopped. A browser that runs no model says so in the place of all that, before a file of some
 * gigabytes is fetched for it.
 */

import { el, fill } from '../dom/elements.js';
import { icon } from '../dom/icons.js';
import { LlmError } from '../llm/errors.js';
import { describeFault } from '../strings/errors.js';

/** @typedef {import('../llm/device.js').DeviceState} DeviceState */

/**
 * @typedef {object} FieldsHost
 * @property {import('../strings/index.js').Strings} strings
 * @property {import('./model.js').DeviceModel} model
 * @property {EventTarget & { state: DeviceState, last: Extract<DeviceState, { phase: 'writing' }> | null }} page what the model does now
 * @property {(state: DeviceState) => string} describe
 * @property {(name: string) => void} onName told the name of the file, '' where there is none
 */

export class DeviceFields {
  element;
  #host;
  #file;
  #remove;
  #bar = el('progress', { max: 1 });
  #doing = el('span');
  #work;
  #state = el('p', { class: 'fine', hidden: true });
  #result = el('div', { role: 'status' });
  #onState = () => this.#follow();
  /** @type {AbortController | null} */
  #taking = null;

  /** @param {FieldsHost} host */
  constructor(host) {
    const { strings, model } = host;
    const { hasProgram } = model;
    const texts = strings.device;
    this.#host = host;
    this.#file = el('p', { class: 'strong', role: 'status' });
    const input = el('input', {
      type: 'file',
      accept: hasProgram ? '.gguf' : '.gguf,.wasm',
      multiple: true,
      class: 'hidden-input',
      tabIndex: -1,
      'aria-hidden': 'true',
      onchange: () => {
        const files = [...(input.files ?? [])];
        input.value = '';
        if (files.length > 0) void this.#take(files);
      },
    });
    const open = el(
      'button',
      { type: 'button', class: 'quiet', onclick: () => input.click() },
      icon('upload'),
      texts.open,
    );
    this.#remove = el(
      'button',
      { type: 'button', class: 'quiet', hidden: true, onclick: () => void this.#removeFile(open) },
      texts.remove,
    );
    const stop = { type: 'button', class: 'link', onclick: () => this.#taking?.abort() };
    this.#bar.setAttribute('aria-label', texts.progress);
    this.#work = el(
      'p',
      { class: 'searching', hidden: true },
      this.#bar,
      this.#doing,
      el('button', stop, strings.answer.stop),
    );
    this.element = el(
      'div',
      { class: 'settings-fields' },
      this.#file,
      el('div', { class: 'dialog-actions' }, open, input, this.#remove),
      this.#work,
      this.#state,
      this.#result,
      el('p', { class: 'fine' }, texts.help),
      !hasProgram && el('p', { class: 'fine' }, texts.program),
    );
  }

  /** Shows what is kept, or why nothing can be. */
  async show() {
    const lack = this.#host.model.lack();
    if (lack !== null) {
      fill(this.element, this.#result);
      this.#host.onName('');
      this.#complain(lack);
      return;
    }
    this.#host.page.addEventListener('change', this.#onState);
    const kept = await this.#host.model.kept();
    const { device, format } = this.#host.strings;
    const told = kept?.isKept === false ? device.held : device.kept;
    this.#file.textContent = kept ? told(kept.name, format.bytes(kept.bytes)) : device.none;
    this.#remove.hidden = kept === null;
    this.#host.onName(kept?.name ?? '');
  }

  /** Shows what the model does. */
  #follow() {
    const { page, describe, strings } = this.#host;
    const { state, last } = page;
    const { device, format } = strings;
    const isCopying = state.phase === 'storing';
    this.#work.hidden = !isCopying;
    if (isCopying) {
      this.#bar.value = state.done / Math.max(1, state.total);
      this.#doing.textContent = describe(state);
      this.#say('');
    } else {
      const wrote = last && device.last(format.number(Math.round(last.perSecond * 10) / 10), last.onGpu);
      this.#say(state.phase === 'idle' ? (wrote ?? '') : describe(state));
    }
  }

  /** @param {string} text */
  #say(text) {
    this.#state.textContent = text;
    this.#state.hidden = text === '';
  }

  /** Stops copying, and no longer follows what the model does. */
  close() {
    this.#taking?.abort();
    this.#host.page.removeEventListener('change', this.#onState);
  }

  /** @param {File[]} files */
  async #take(files) {
    this.#taking?.abort();
    const taking = new AbortController();
    this.#taking = taking;
    // How fast it wrote, another model did.
    this.#host.page.last = null;
    fill(this.#result);
    try {
      await this.#host.model.take(files, taking.signal);
    } catch (error) {
      if (!taking.signal.aborted) this.#complain(error);
    }
    if (this.#taking === taking) await this.show();
  }

  /** @param {HTMLElement} next what the focus goes to */
  async #removeFile(next) {
    next.focus();
    await this.#host.model.remove();
    await this.show();
    fill(this.#result, el('p', { class: 'fine' }, this.#host.strings.device.removed));
  }

  /** @param {unknown} error */
  #complain(error) {
    const { strings } = this.#host;
    const { message, hint } =
      error instanceof LlmError
        ? describeFault(strings, error)
        : { message: strings.format.sentence(String(error)), hint: '' };
    fill(
      this.#result,
      el('div', { class: 'note warning' }, el('p', { class: 'strong' }, message), hint && el('p', {}, hint)),
    );
  }
}

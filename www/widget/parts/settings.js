/**
 * The settings of answering: which language model, if any, and which profile. A native modal dialog with labelled
 * native controls. The key is read from its field once and the field emptied; what is set is said without it.
 */

import { check } from '../../llm/check.js';
import { LlmError } from '../../llm/errors.js';
import { browserModel } from '../../llm/prompt-api.js';
import { el, fill, icon } from '../dom.js';
import { ledger, nothing, readHeaders, titleOf } from '../model.js';
import { save } from '../save.js';
import { sentence } from '../strings.js';

/** @typedef {import('../model.js').Choice} Choice */
/** @typedef {import('../model.js').ModelSettings} ModelSettings */

/**
 * @typedef {object} Profiles
 * @property {() => Promise<import('../../engine/protocol.js').ProfileInfo[]>} list those that ship, the default first
 * @property {(file: string) => Promise<string | null>} check what is wrong with one
 */

/** Addresses that common servers have. */
const common = ['http://localhost:11434/v1', 'http://localhost:1234/v1', 'http://localhost:8000/v1', 'http://localhost:8080/v1', 'https://api.openai.com/v1'];

/** A profile is a page of text; more is another kind of file. */
const maxProfileBytes = 64 * 1024;

export class SettingsDialog {
  element;
  #settings;
  #profiles;
  #announce;
  /** @type {AbortController | null} */
  #checking = null;
  /** @type {import('../../engine/protocol.js').ProfileInfo[]} */
  #shipped = [];

  #kind = el('select', { onchange: () => this.#fit() },
    el('option', { value: 'none' }, 'None: sentences of the documents alone'),
    el('option', { value: 'openai' }, 'OpenAI-compatible server: Ollama, vLLM, Azure and most others'),
    el('option', { value: 'anthropic' }, 'Anthropic'));
  #url = el('input', { type: 'url', autocomplete: 'off', spellcheck: false, maxLength: 2000, list: 'pincite-addresses', placeholder: common[0], onchange: () => this.#fit() });
  #model = el('input', { type: 'text', autocomplete: 'off', spellcheck: false, maxLength: 300, list: 'pincite-models' });
  #models = el('datalist', { id: 'pincite-models' });
  #key = el('input', { type: 'password', autocomplete: 'off', spellcheck: false, maxLength: 4000 });
  #auth = el('select', {}, el('option', { value: 'bearer' }, 'Authorization: Bearer'), el('option', { value: 'api-key' }, 'api-key (Azure)'), el('option', { value: 'x-api-key' }, 'x-api-key'));
  #headers = el('textarea', { rows: 2, autocomplete: 'off', spellcheck: false, maxLength: 4000, placeholder: 'name: value' });
  #seconds = el('input', { type: 'number', min: '5', max: '3600', step: '1' });
  #remember = el('input', { type: 'checkbox' });
  #profile = el('select', { onchange: () => this.#chooseProfile() });
  #file = el('input', { type: 'file', accept: '.toml,application/toml,text/plain', class: 'hidden-input', tabIndex: -1, 'aria-hidden': 'true', onchange: () => void this.#load() });
  #profileNote = el('div', { role: 'status' });
  #result = el('div', { class: 'check-result', role: 'status' });
  #given = el('div', { class: 'note', hidden: true });
  #server;
  #fields;
  #check = el('button', { type: 'button', class: 'quiet', onclick: () => void this.#runCheck() }, icon('check'), 'Check connection');

  /**
   * @param {object} options
   * @param {ModelSettings} options.settings
   * @param {Profiles} options.profiles
   * @param {(text: string) => void} options.announce
   */
  constructor({ settings, profiles, announce }) {
    this.#settings = settings;
    this.#profiles = profiles;
    this.#announce = announce;
    this.#server = el('div', { class: 'settings-fields' },
      field('Address', this.#url), el('datalist', { id: 'pincite-addresses' }, ...common.map((value) => el('option', { value }))),
      field('Model', this.#model), this.#models,
      field('Key', this.#key, 'Held in memory until this page is closed. It is never stored, and goes to this server only.'),
      el('details', { class: 'settings-more' }, el('summary', {}, 'More'),
        field('Header of the key', this.#auth),
        field('Further headers, one a line', this.#headers, 'Held in memory too.'),
        field('Longest wait for a reply, in seconds', this.#seconds)));
    const actions = el('div', { class: 'dialog-actions' },
      el('button', { type: 'submit', class: 'primary' }, 'Use'),
      this.#check,
      el('label', { class: 'filter-check' }, this.#remember, 'Remember in this browser, without the key'),
      el('button', { type: 'button', class: 'quiet', onclick: () => this.#forget() }, 'Forget'));
    this.#fields = el('form', { class: 'settings-form', noValidate: true, onsubmit: (/** @type {Event} */ event) => this.#use(event) },
      field('Language model', this.#kind), this.#server,
      el('p', { class: 'fine sent' }, 'With a model, your question and passages of your documents are sent to it. “What has left this device” lists each request. Without one, nothing is sent.'),
      actions, this.#result);
    this.element = el('dialog', { class: 'dialog settings', 'aria-labelledby': 'pincite-settings-title', onclose: () => this.#closed() },
      el('div', { class: 'dialog-head' }, el('h2', { id: 'pincite-settings-title' }, 'How answers are made'),
        el('button', { type: 'button', class: 'icon-button', 'aria-label': 'Close the settings', onclick: () => this.element.close() }, icon('close'))),
      this.#given, this.#fields,
      el('div', { class: 'settings-profile' },
        field('Profile', this.#profile, 'What answers of this kind look like: words, steps and budgets.'),
        el('div', { class: 'dialog-actions' },
          el('button', { type: 'button', class: 'quiet', onclick: () => this.#file.click() }, icon('upload'), 'Load a profile of your own'), this.#file,
          el('button', { type: 'button', class: 'quiet', onclick: () => this.#download() }, 'Download this one')),
        this.#profileNote));
  }

  /** Opens the dialog with what is set. */
  open() {
    if (this.element.open) return;
    const { choice, standing, remembered } = this.#settings;
    if (browserModel() && !this.#kind.querySelector('[value=prompt-api]')) this.#kind.append(el('option', { value: 'prompt-api' }, 'The model of this browser'));
    this.#kind.value = choice.kind;
    this.#url.value = choice.url;
    this.#model.value = choice.model;
    this.#auth.value = choice.auth;
    this.#seconds.value = String(choice.seconds);
    this.#remember.checked = remembered || standing.state === 'none';
    this.#given.hidden = !standing.given;
    this.#fields.hidden = standing.given;
    fill(this.#given, el('p', {}, `This site has set the model: ${[standing.name, standing.where].filter(Boolean).join(' at ')}.`));
    fill(this.#result);
    this.#fit();
    void this.#listProfiles();
    this.element.showModal();
    if (standing.state === 'locked') this.#key.focus();
  }

  /** Shows the fields that this kind of model has. */
  #fit() {
    const kind = this.#kind.value;
    this.#server.hidden = kind === 'none' || kind === 'prompt-api';
    this.#check.hidden = kind === 'none';
    if (kind === 'anthropic' && this.#url.value === '') this.#url.value = 'https://api.anthropic.com';
    this.#key.placeholder = this.#settings.hasKey(this.#read()) ? 'held in memory' : '';
  }

  /** @returns {Choice} */
  #read() {
    return {
      kind: /** @type {Choice['kind']} */ (this.#kind.value),
      url: this.#url.value.trim(),
      model: this.#model.value.trim(),
      auth: /** @type {Choice['auth']} */ (this.#auth.value),
      seconds: Math.min(3600, Math.max(5, Number(this.#seconds.value) || nothing.seconds)),
    };
  }

  /** @returns {import('../model.js').Secrets} */
  #secrets() {
    return { key: this.#key.value.trim(), headers: readHeaders(this.#headers.value) };
  }

  /** @param {Event} event */
  #use(event) {
    event.preventDefault();
    try {
      this.#settings.choose(this.#read(), this.#secrets(), this.#remember.checked);
    } catch (error) {
      return this.#complain(error);
    }
    this.#announce(this.#settings.model ? `Answers are written by ${this.#settings.standing.name || 'the model'}.` : 'Answers are made of sentences of the documents alone.');
    this.element.close();
  }

  #forget() {
    this.#settings.forget();
    this.#emptySecrets();
    this.#kind.value = 'none';
    this.#url.value = '';
    this.#model.value = '';
    this.#remember.checked = false;
    this.#fit();
    void this.#listProfiles();
    fill(this.#result, el('p', {}, 'Forgotten: address, model, profile and key.'));
  }

  async #runCheck() {
    this.#checking?.abort();
    const checking = new AbortController();
    this.#checking = checking;
    this.#check.disabled = true;
    fill(this.#result, el('p', { class: 'searching' }, el('span', { class: 'pulse', 'aria-hidden': 'true' }), 'Asking the server…'));
    try {
      const found = await check(this.#settings.config(this.#read(), this.#secrets()), { ledger, signal: checking.signal });
      if (checking.signal.aborted) return;
      if (found.models.length > 0) fill(this.#models, ...found.models.map((value) => el('option', { value })));
      if (found.models.length === 1 && this.#model.value === '') this.#model.value = found.models[0] ?? '';
      fill(this.#result, el('div', { class: found.ok ? 'note good' : 'note warning' },
        el('p', { class: 'strong' }, found.ok && icon('check'), found.message),
        found.fix && el('p', {}, found.fix),
        found.detail && el('p', { class: 'fine' }, `The server says: ${found.detail}`)));
    } catch (error) {
      this.#complain(error);
    } finally {
      if (this.#checking === checking) this.#check.disabled = false;
    }
  }

  /** @param {unknown} error */
  #complain(error) {
    const { message, hint } = error instanceof LlmError ? error : { message: String(error), hint: '' };
    fill(this.#result, el('div', { class: 'note warning' }, el('p', { class: 'strong' }, sentence(message)), hint && el('p', {}, hint)));
  }

  async #listProfiles() {
    this.#shipped = await this.#profiles.list().catch(() => []);
    const chosen = this.#settings.profile;
    const own = chosen?.file ? [el('option', { value: 'own' }, `Your own: ${titleOf(chosen.file)}`)] : [];
    fill(this.#profile, ...this.#shipped.map(({ name, title }) => el('option', { value: name }, title)), ...own);
    this.#profile.value = own.length > 0 ? 'own' : (chosen?.name ?? this.#shipped[0]?.name ?? '');
  }

  #chooseProfile() {
    const name = this.#profile.value;
    if (name === 'own') return;
    this.#settings.chooseProfile(name === this.#shipped[0]?.name ? null : { name, file: null });
    void this.#listProfiles();
    fill(this.#profileNote);
  }

  async #load() {
    const [file] = this.#file.files ?? [];
    this.#file.value = '';
    if (!file) return;
    const text = file.size > maxProfileBytes ? null : await file.text();
    const wrong = text === null ? `the file has more than ${maxProfileBytes / 1024} kB` : await this.#profiles.check(text).catch((error) => String(error));
    if (text === null || wrong !== null) {
      return fill(this.#profileNote, el('div', { class: 'note warning' }, el('p', { class: 'strong' }, `${file.name} cannot be used.`), el('p', { class: 'said' }, sentence(wrong ?? ''))));
    }
    this.#settings.chooseProfile({ name: titleOf(text), file: text });
    await this.#listProfiles();
    fill(this.#profileNote, el('p', { class: 'fine' }, `${file.name} is used.`));
  }

  #download() {
    const own = this.#profile.value === 'own' ? this.#settings.profile?.file : null;
    const shipped = this.#shipped.find(({ name }) => name === this.#profile.value);
    const text = own ?? shipped?.file;
    if (text) save(`${own ? 'profile' : shipped?.name}.toml`, text, 'application/toml');
  }

  #emptySecrets() {
    this.#key.value = '';
    this.#headers.value = '';
  }

  #closed() {
    this.#checking?.abort();
    this.#check.disabled = false;
    this.#emptySecrets();
  }
}

/** @param {string} name @param {HTMLElement} control @param {string} [help] */
function field(name, control, help) {
  control.id = `pincite-${name.toLowerCase().replace(/\W+/g, '-')}`;
  if (help) control.setAttribute('aria-describedby', `${control.id}-help`);
  return el('div', { class: 'settings-field' }, el('label', { for: control.id }, name), control, help && el('p', { class: 'fine', id: `${control.id}-help` }, help));
}

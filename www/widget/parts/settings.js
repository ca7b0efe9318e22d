/**
 * The settings of answering: which language model, if any, and which profile. A native modal dialog with labelled
 * native controls. The key is read from its field once and the field emptied; what is set is said without it.
 */

import { nothing } from '../choice.js';
import { el, fill } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { titleOf } from '../model.js';
import { save } from '../../dom/save.js';
import { sentence } from '../strings.js';
import { EndpointFields, field } from './endpoint-fields.js';
import { NamedEndpointsView } from './named-endpoints.js';

/** @typedef {import('../model.js').ModelSettings} ModelSettings */

/**
 * @typedef {object} Profiles
 * @property {() => Promise<import('../../engine/protocol.js').ProfileInfo[]>} list those that ship, the default first
 * @property {(file: string) => Promise<string | null>} check what is wrong with one
 */

/** A profile is a page of text; more is another kind of file. */
const maxProfileBytes = 64 * 1024;

export class SettingsDialog {
  element;
  #settings;
  #profiles;
  #announce;
  /** @type {import('../../engine/protocol.js').ProfileInfo[]} */
  #shipped = [];

  #remember = el('input', { type: 'checkbox' });
  #profile = el('select', { onchange: () => this.#chooseProfile() });
  #file = el('input', {
    type: 'file',
    accept: '.toml,application/toml,text/plain',
    class: 'hidden-input',
    tabIndex: -1,
    'aria-hidden': 'true',
    onchange: () => void this.#load(),
  });
  #profileNote = el('div', { role: 'status' });
  #given = el('div', { class: 'note', hidden: true });
  #endpoint;
  #named;
  #form;
  /** All but the form of an endpoint for single steps. */
  #main;

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
    this.#endpoint = new EndpointFields({
      prefix: 'pincite-',
      mayBeNone: true,
      config: (choice, secrets) => settings.config(choice, secrets),
      hasKey: (choice) => settings.hasKey(choice),
    });
    this.#named = new NamedEndpointsView({
      settings,
      remember: () => this.#remember.checked,
      onEditing: (editing) => (this.#main.hidden = editing),
    });
    const actions = el(
      'div',
      { class: 'dialog-actions' },
      el('button', { type: 'submit', class: 'primary' }, 'Use'),
      this.#endpoint.check,
      el('label', { class: 'filter-check' }, this.#remember, 'Remember in this browser, without the key'),
      el('button', { type: 'button', class: 'quiet', onclick: () => this.#forget() }, 'Forget'),
    );
    this.#form = el(
      'form',
      {
        class: 'settings-form',
        noValidate: true,
        onsubmit: (/** @type {Event} */ event) => this.#use(event),
      },
      this.#endpoint.kind,
      this.#endpoint.server,
      el(
        'p',
        { class: 'fine sent' },
        'With a model, your question and passages of your documents are sent to it. “What has left this device” lists each request. Without one, nothing is sent.',
      ),
      actions,
      this.#endpoint.result,
    );
    this.#main = el(
      'div',
      {},
      this.#given,
      this.#form,
      this.#named.element,
      el(
        'div',
        { class: 'settings-profile' },
        field(
          'Profile',
          this.#profile,
          'pincite-',
          'What answers of this kind look like: words, steps and budgets.',
        ),
        el(
          'div',
          { class: 'dialog-actions' },
          el(
            'button',
            { type: 'button', class: 'quiet', onclick: () => this.#file.click() },
            icon('upload'),
            'Load a profile of your own',
          ),
          this.#file,
          el(
            'button',
            { type: 'button', class: 'quiet', onclick: () => this.#download() },
            'Download this one',
          ),
        ),
        this.#profileNote,
      ),
    );
    this.element = el(
      'dialog',
      {
        class: 'dialog settings',
        'aria-labelledby': 'pincite-settings-title',
        onclose: () => this.#closed(),
      },
      el(
        'div',
        { class: 'dialog-head' },
        el('h2', { id: 'pincite-settings-title' }, 'How answers are made'),
        el(
          'button',
          {
            type: 'button',
            class: 'icon-button',
            'aria-label': 'Close the settings',
            onclick: () => this.element.close(),
          },
          icon('close'),
        ),
      ),
      this.#main,
      this.#named.editor,
    );
  }

  /** Opens the dialog with what is set. */
  open() {
    if (this.element.open) return;
    const { choice, standing, remembered, named } = this.#settings;
    this.#endpoint.write(choice);
    // Offered to who has set nothing yet; then as it was chosen.
    this.#remember.checked = remembered || (standing.state === 'none' && named.length === 0);
    this.#given.hidden = !standing.given;
    this.#form.hidden = standing.given;
    this.#named.element.hidden = standing.given;
    fill(
      this.#given,
      el(
        'p',
        {},
        `This site has set the model: ${[standing.name, standing.where].filter(Boolean).join(' at ')}.`,
      ),
    );
    void this.#listProfiles();
    this.element.showModal();
    if (standing.state === 'locked') this.#endpoint.focusKey();
  }

  /** @param {Event} event */
  #use(event) {
    event.preventDefault();
    try {
      this.#settings.choose(this.#endpoint.read(), this.#endpoint.secrets(), this.#remember.checked);
    } catch (error) {
      return this.#endpoint.complain(error);
    }
    this.#announce(
      this.#settings.model
        ? `Answers are written by ${this.#settings.standing.name || 'the model'}.`
        : 'Answers are made of sentences of the documents alone.',
    );
    this.element.close();
  }

  #forget() {
    this.#endpoint.close();
    this.#named.close();
    this.#settings.forget();
    this.#endpoint.write(nothing);
    this.#remember.checked = false;
    void this.#listProfiles();
    fill(this.#endpoint.result, el('p', {}, 'Forgotten: addresses, models, profile and keys.'));
  }

  async #listProfiles() {
    this.#shipped = await this.#profiles.list().catch(() => []);
    const chosen = this.#settings.profile;
    const own = chosen?.file ? [el('option', { value: 'own' }, `Your own: ${titleOf(chosen.file)}`)] : [];
    fill(
      this.#profile,
      ...this.#shipped.map(({ name, title }) => el('option', { value: name }, title)),
      ...own,
    );
    this.#profile.value = own.length > 0 ? 'own' : (chosen?.name ?? this.#shipped[0]?.name ?? '');
    // That which is asked with: the page around may have set another than is chosen here, by name or as a file.
    const asked = this.#settings.profileText ?? this.#shipped[0]?.name ?? '';
    this.#named.update(this.#shipped.find(({ name }) => name === asked)?.file ?? asked);
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
    const wrong =
      text === null
        ? `the file has more than ${maxProfileBytes / 1024} kB`
        : await this.#profiles.check(text).catch((error) => String(error));
    if (text === null || wrong !== null) {
      return fill(
        this.#profileNote,
        el(
          'div',
          { class: 'note warning' },
          el('p', { class: 'strong' }, `${file.name} cannot be used.`),
          el('p', { class: 'said' }, sentence(wrong ?? '')),
        ),
      );
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

  #closed() {
    this.#endpoint.close();
    this.#named.close();
  }
}

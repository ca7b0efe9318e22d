/**
 * The settings of answering: language model, endpoints for single steps, profile, glossary and graphics processor. A
 * native modal dialog with labelled native controls. The key is read from its field once and the field emptied; nothing shows it again.
 */

import { el, fill } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { save } from '../../dom/save.js';
import { toPlain } from '../../engine/errors.js';
import { nothing } from '../endpoint-choice.js';
import { placed } from '../places.js';
import { EndpointFields, field } from './endpoint-fields.js';
import { GlossaryFields } from './glossary-fields.js';
import { GpuField } from './gpu-field.js';
import { NamedEndpointsView } from './named-endpoints.js';

/** @typedef {import('../settings.js').AnsweringSettings} AnsweringSettings */
/** @typedef {import('../../engine/protocol.js').ProfileInfo} ProfileInfo */

/**
 * @typedef {object} Profiles
 * @property {() => Promise<ProfileInfo[]>} list those that ship, the default first
 * @property {(file: string) => Promise<ProfileInfo>} read one of the person's; rejects with `profile-invalid`
 */

/** A profile is a page of text; more is another kind of file. */
const maxProfileBytes = 64 * 1024;
/** Name of the profile for small models, where one ships. */
const smallProfile = 'small';

export class SettingsDialog {
  element;
  #strings;
  #settings;
  #profiles;
  #announce;
  #onOpen;
  /** @type {ProfileInfo[]} */
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
  #glossary;
  #gpu;
  #state;
  #form;
  /** All but the form of an endpoint for single steps. */
  #main;

  /**
   * @param {object} options
   * @param {import('../../strings/index.js').Strings} options.strings
   * @param {AnsweringSettings} options.settings
   * @param {Profiles} options.profiles
   * @param {() => import('./gpu-field.js').State} options.state how embedding gets on
   * @param {(text: string) => void} options.announce
   * @param {readonly HTMLElement[]} options.further groups that others fill
   * @param {() => void} options.onOpen called before it is shown
   */
  constructor({ strings, settings, profiles, state, announce, further, onOpen }) {
    this.#onOpen = onOpen;
    this.#state = state;
    this.#strings = strings;
    this.#settings = settings;
    this.#profiles = profiles;
    this.#announce = announce;
    this.#endpoint = new EndpointFields({
      strings,
      prefix: 'pincite-',
      mayBeNone: true,
      config: (choice, secrets) => settings.config(choice, secrets),
      hasKey: (choice) => settings.hasKey(choice),
      openDevice: settings.openDevice,
    });
    this.#named = new NamedEndpointsView({
      strings,
      settings,
      remember: () => this.#remember.checked,
      onEditing: (editing) => {
        this.#main.hidden = editing;
      },
    });
    this.#glossary = new GlossaryFields({ strings, settings, remember: () => this.#remember.checked });
    this.#gpu = new GpuField({ strings, settings, remember: () => this.#remember.checked });
    this.#form = this.#endpointForm();
    this.#main = el(
      'div',
      {},
      this.#given,
      this.#form,
      this.#named.element,
      this.#profileFields(),
      this.#glossary.element,
      this.#gpu.element,
      ...further,
    );
    const texts = strings.settings;
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
        el('h2', { id: 'pincite-settings-title' }, texts.title),
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
      this.#main,
      this.#named.editor,
    );
  }

  #endpointForm() {
    const texts = this.#strings.settings;
    return el(
      'form',
      {
        class: 'settings-form',
        noValidate: true,
        onsubmit: (/** @type {Event} */ event) => this.#use(event),
      },
      this.#endpoint.kind,
      this.#endpoint.server,
      this.#endpoint.file,
      this.#endpoint.sent,
      el(
        'div',
        { class: 'dialog-actions' },
        el('button', { type: 'submit', class: 'primary' }, texts.use),
        this.#endpoint.check,
        el('label', { class: 'filter-check' }, this.#remember, texts.remember),
        el('button', { type: 'button', class: 'quiet', onclick: () => this.#forget() }, texts.forget),
      ),
      this.#endpoint.result,
    );
  }

  #profileFields() {
    const texts = this.#strings.settings;
    return el(
      'div',
      { class: 'settings-profile' },
      field('pincite-profile', texts.profile, this.#profile, texts.profileHelp),
      el(
        'div',
        { class: 'dialog-actions' },
        el(
          'button',
          { type: 'button', class: 'quiet', onclick: () => this.#file.click() },
          icon('upload'),
          texts.loadProfile,
        ),
        this.#file,
        el(
          'button',
          { type: 'button', class: 'quiet', onclick: () => this.#download() },
          texts.downloadProfile,
        ),
      ),
      this.#profileNote,
    );
  }

  /** Opens the dialog with what is set. */
  open() {
    if (this.element.open) return;
    const { choice, status, remembered, named } = this.#settings;
    this.#endpoint.write(choice);
    // Offered to who has set nothing yet; then as it was chosen.
    this.#remember.checked = remembered || (status.state === 'none' && named.length === 0);
    this.#given.hidden = !status.given;
    this.#form.hidden = status.given;
    this.#named.element.hidden = status.given;
    const { settings } = this.#strings;
    fill(this.#given, el('p', {}, settings.givenBySite(placed(this.#strings, status))));
    this.#glossary.open();
    this.#gpu.open(this.#state());
    this.#onOpen();
    void this.#listProfiles();
    this.element.showModal();
    if (status.state === 'locked') this.#endpoint.focusKey();
  }

  /** @param {import('./gpu-field.js').State} state how embedding gets on */
  update(state) {
    if (this.element.open) this.#gpu.show(state);
  }

  /** @param {Event} event */
  #use(event) {
    event.preventDefault();
    try {
      const { kind } = this.#settings.choice;
      this.#settings.choose(this.#endpoint.read(), this.#endpoint.secrets(), this.#remember.checked);
      this.#fitProfile(kind);
    } catch (error) {
      return this.#endpoint.complain(error);
    }
    const { settings } = this.#strings;
    this.#announce(
      this.#settings.model ? settings.writtenBy(this.#settings.status.name) : settings.fromDocuments,
    );
    this.element.close();
  }

  /** A model on this device gets the profile for small ones, unless another is chosen. @param {string} before the kind of model before */
  #fitProfile(before) {
    const { choice, profile } = this.#settings;
    const hasSmall = this.#shipped.some(({ name }) => name === smallProfile);
    if (choice.kind === 'device' && profile === null && hasSmall)
      this.#settings.chooseProfile({ name: smallProfile, file: null }, this.#remember.checked);
    else if (choice.kind !== 'device' && before === 'device' && profile?.name === smallProfile)
      this.#settings.chooseProfile(null, this.#remember.checked);
  }

  #forget() {
    this.#endpoint.close();
    this.#named.close();
    this.#settings.forget();
    this.#endpoint.write(nothing);
    this.#glossary.open();
    this.#gpu.open(this.#state());
    this.#remember.checked = false;
    void this.#listProfiles();
    fill(this.#endpoint.result, el('p', {}, this.#strings.settings.forgotten));
  }

  async #listProfiles() {
    this.#shipped = await this.#profiles.list().catch(() => []);
    const chosen = this.#settings.profile;
    const own = chosen?.file
      ? [el('option', { value: 'own' }, this.#strings.settings.ownProfile(chosen.name))]
      : [];
    fill(
      this.#profile,
      ...this.#shipped.map(({ name, title }) =>
        el('option', { value: name }, this.#strings.profiles[name] ?? title),
      ),
      ...own,
    );
    this.#profile.value = own.length > 0 ? 'own' : (chosen?.name ?? this.#shipped[0]?.name ?? '');
    this.#named.update((await this.#asked())?.endpoints ?? []);
  }

  /** The profile that questions are asked with: the page around may have set another than is chosen here. */
  async #asked() {
    const asked = this.#settings.profileText;
    if (asked === null) return this.#shipped[0];
    const shipped = this.#shipped.find(({ name }) => name === asked);
    return shipped ?? (await this.#profiles.read(asked).catch(() => undefined));
  }

  #chooseProfile() {
    const name = this.#profile.value;
    if (name === 'own') return;
    this.#settings.chooseProfile(
      name === this.#shipped[0]?.name ? null : { name, file: null },
      this.#remember.checked,
    );
    void this.#listProfiles();
    fill(this.#profileNote);
  }

  async #load() {
    const [file] = this.#file.files ?? [];
    this.#file.value = '';
    if (!file) return;
    const { settings } = this.#strings;
    if (file.size > maxProfileBytes)
      return this.#complain(file.name, settings.tooLarge(maxProfileBytes / 1024));
    const text = await file.text();
    try {
      const { title } = await this.#profiles.read(text);
      this.#settings.chooseProfile({ name: title, file: text }, this.#remember.checked);
    } catch (error) {
      const { message } = toPlain(error);
      return this.#complain(file.name, this.#strings.own.english ? message : '');
    }
    await this.#listProfiles();
    fill(this.#profileNote, el('p', { class: 'fine' }, settings.used(file.name)));
  }

  /** @param {string} name of the file @param {string} why */
  #complain(name, why) {
    const { settings, format } = this.#strings;
    fill(
      this.#profileNote,
      el(
        'div',
        { class: 'note warning' },
        el('p', { class: 'strong' }, settings.cannotBeUsed(name)),
        el('p', { class: 'said' }, format.sentence(why)),
      ),
    );
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

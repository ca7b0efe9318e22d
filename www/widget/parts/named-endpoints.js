/**
 * Endpoints for single steps, in the settings: a list, each entry with its buttons, and a form for one of them, which
 * replaces the rest while it is open. The profile decides which step goes where.
 */

import { noSecrets, nothing } from '../endpoint-choice.js';
import { el, fill } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { placed } from '../places.js';
import { EndpointFields, checkInto, field } from './endpoint-fields.js';

/** @typedef {import('../settings.js').AnsweringSettings} AnsweringSettings */
/** @typedef {readonly { name: string, steps: readonly string[] }[]} NamedByProfile */

export class NamedEndpointsView {
  /** The list, with what the profile names. */
  element;
  /** The form; hidden while the list is shown. */
  editor = el('div', { class: 'named-editor', hidden: true });
  #strings;
  #settings;
  #remember;
  #onEditing;
  #list = el('ul', { class: 'named-list' });
  #missing = el('div', { role: 'status' });
  #result = el('div', { class: 'check-result', role: 'status' });
  #add;
  /** @type {EndpointFields | null} */
  #fields = null;
  /** @type {AbortController | null} */
  #checking = null;
  /** Endpoints that the profile names. @type {NamedByProfile} */
  #wanted = [];

  /**
   * @param {object} options
   * @param {import('../../strings/index.js').Strings} options.strings
   * @param {AnsweringSettings} options.settings
   * @param {() => boolean} options.remember whether what is set is to be remembered, as the settings show it
   * @param {(editing: boolean) => void} options.onEditing the rest of the settings gives way, or comes back
   */
  constructor({ strings, settings, remember, onEditing }) {
    const texts = strings.named;
    this.#strings = strings;
    this.#settings = settings;
    this.#add = el(
      'button',
      { type: 'button', class: 'quiet', onclick: () => this.#edit(null) },
      icon('add'),
      texts.add,
    );
    this.#remember = remember;
    this.#onEditing = onEditing;
    this.element = el(
      'div',
      { class: 'settings-named', role: 'group', 'aria-labelledby': 'pincite-named-title' },
      el('h3', { id: 'pincite-named-title' }, texts.title),
      el('p', { class: 'fine' }, texts.help),
      this.#list,
      this.#missing,
      el('div', { class: 'dialog-actions' }, this.#add),
      this.#result,
    );
  }

  /** Draws the list. @param {NamedByProfile} [wanted] the endpoints that the profile names; as before, where absent */
  update(wanted = this.#wanted) {
    this.#wanted = wanted;
    const texts = this.#strings.named;
    const { named } = this.#settings;
    fill(
      this.#list,
      ...named.map(({ name, model, where, isLocked }) =>
        el(
          'li',
          { 'data-endpoint': name },
          el(
            'span',
            { class: 'named-what' },
            el('span', { class: 'strong' }, name),
            texts.what(placed(this.#strings, { name: model, where })),
            el(
              'span',
              { class: 'fine' },
              isLocked ? texts.keyAgain : usedFor(texts, wanted.find((each) => each.name === name)?.steps),
            ),
          ),
          el(
            'span',
            { class: 'named-actions' },
            ...[
              [texts.edit, () => this.#edit(name)],
              [texts.check, () => void this.#check(name)],
              [texts.remove, () => this.#remove(name)],
            ].map(([does, onclick]) =>
              el(
                'button',
                { type: 'button', class: 'quiet', 'aria-label': texts.actionOn(String(does), name), onclick },
                String(does),
              ),
            ),
          ),
        ),
      ),
    );
    this.#list.hidden = named.length === 0;
    const missing = wanted.filter(({ name }) => !named.some((each) => each.name === name));
    fill(
      this.#missing,
      missing.length > 0 &&
        el(
          'div',
          { class: 'note warning' },
          ...missing.map(({ name, steps }) => el('p', {}, texts.missing(name, [...steps]))),
        ),
    );
  }

  /** Ends what is under way, as the settings close or all is forgotten: a check goes on with the key that it has. */
  close() {
    this.#checking?.abort();
    fill(this.#result);
    this.#leave();
  }

  /** @param {string | null} name null for a new one */
  #edit(name) {
    this.#checking?.abort();
    const settings = this.#settings;
    const texts = this.#strings.named;
    const was = settings.named.find((each) => each.name === name);
    const prefix = 'pincite-endpoint-';
    const called = el('input', {
      type: 'text',
      autocomplete: 'off',
      spellcheck: false,
      maxLength: 60,
      value: name ?? this.#firstMissing(),
    });
    const fields = new EndpointFields({
      strings: this.#strings,
      prefix,
      mayBeNone: false,
      config: (choice, secrets) => ({
        ...settings.namedConfig(choice, secrets, name),
        name: called.value.trim() || undefined,
      }),
      hasKey: (choice) =>
        choice.kind !== 'none' && (settings.namedConfig(choice, noSecrets, name).key ?? '') !== '',
      openDevice: settings.openDevice,
    });
    const keep = (/** @type {Event} */ event) => {
      event.preventDefault();
      const now = called.value.trim();
      try {
        settings.putNamed(now, fields.read(), fields.secrets(), name, this.#remember());
      } catch (error) {
        return fields.complain(error);
      }
      this.#back(now, texts.edit);
      const isLocked = settings.named.find((each) => each.name === now)?.isLocked;
      this.#say(isLocked ? texts.keptLocked(now) : texts.kept(now));
    };
    fill(
      this.editor,
      el(
        'form',
        { class: 'settings-form', noValidate: true, 'aria-labelledby': `${prefix}title`, onsubmit: keep },
        el('h3', { id: `${prefix}title` }, name === null ? texts.newTitle : texts.editTitle(name)),
        field(`${prefix}name`, texts.name, called, texts.nameHelp),
        fields.kind,
        fields.server,
        fields.file,
        el(
          'div',
          { class: 'dialog-actions' },
          el('button', { type: 'submit', class: 'primary' }, texts.keep),
          fields.check,
          el(
            'button',
            { type: 'button', class: 'quiet', onclick: () => this.#back(name, texts.edit) },
            texts.back,
          ),
        ),
        fields.result,
      ),
    );
    this.#fields = fields;
    fields.write(was?.choice ?? { ...nothing, kind: 'openai' });
    fill(this.#result);
    this.editor.hidden = false;
    this.#onEditing(true);
    if (was?.isLocked) fields.focusKey();
    else called.focus();
  }

  /** The form makes room for the list again. */
  #leave() {
    this.#fields?.close();
    this.#fields = null;
    fill(this.editor);
    this.editor.hidden = true;
    this.#onEditing(false);
  }

  /** Back to the list, to the button of an entry. @param {string | null} name @param {string} does */
  #back(name, does) {
    this.#leave();
    this.update();
    const buttons = /** @type {NodeListOf<HTMLElement>} */ (this.#list.querySelectorAll('button'));
    (
      [...buttons].find(
        (button) => button.getAttribute('aria-label') === this.#strings.named.actionOn(does, name ?? ''),
      ) ?? this.#add
    ).focus();
  }

  /** @param {string} name */
  #remove(name) {
    this.#checking?.abort();
    const at = this.#settings.named.findIndex((each) => each.name === name);
    this.#settings.removeNamed(name, this.#remember());
    // On to the entry that has its place now.
    const { named } = this.#settings;
    this.#back((named[at] ?? named.at(-1))?.name ?? null, this.#strings.named.remove);
    this.#say(this.#strings.named.removed(name));
  }

  /** In here: what stands behind a modal dialog is not read out. @param {string} text */
  #say(text) {
    fill(this.#result, el('p', { class: 'fine' }, text));
  }

  /** @param {string} name */
  async #check(name) {
    const entry = this.#settings.named.find((each) => each.name === name);
    if (!entry) return;
    this.#checking?.abort();
    const checking = new AbortController();
    this.#checking = checking;
    await checkInto(
      this.#strings,
      this.#result,
      () => ({ ...this.#settings.namedConfig(entry.choice, noSecrets, name), name }),
      checking.signal,
      this.#settings.openDevice,
    );
  }

  #firstMissing() {
    const { named } = this.#settings;
    return this.#wanted.find(({ name }) => !named.some((each) => each.name === name))?.name ?? '';
  }
}

/** @param {import('../../strings/index.js').Strings['named']} texts @param {readonly string[] | undefined} steps that the profile names an endpoint for */
function usedFor(texts, steps) {
  if (steps === undefined) return texts.unused;
  return steps.length > 0 ? texts.usedFor([...steps]) : '';
}

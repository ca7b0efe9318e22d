/**
 * The endpoints for some steps, in the settings: a list, each entry with its buttons, and a form of its own for one of
 * them, which takes the place of the rest while it is open. What is entered is kept when it is pressed; the profile says
 * which step goes where.
 */

import { noSecrets, nothing } from '../choice.js';
import { el, fill } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { endpointsOf } from '../named.js';
import { stepName } from '../strings.js';
import { EndpointFields, checkInto, field } from './endpoint-fields.js';

/** @typedef {import('../model.js').ModelSettings} ModelSettings */

export class NamedEndpointsView {
  /** The list, with what the profile names. */
  element;
  /** The form; hidden while the list is shown. */
  editor = el('div', { class: 'named-editor', hidden: true });
  #settings;
  #remember;
  #onEditing;
  #list = el('ul', { class: 'named-list' });
  #missing = el('div', { role: 'status' });
  #result = el('div', { class: 'check-result', role: 'status' });
  #add = el(
    'button',
    { type: 'button', class: 'quiet', onclick: () => this.#edit(null) },
    icon('add'),
    'Add an endpoint',
  );
  /** @type {EndpointFields | null} */
  #fields = null;
  /** @type {AbortController | null} */
  #checking = null;
  #profile = '';

  /**
   * @param {object} options
   * @param {ModelSettings} options.settings
   * @param {() => boolean} options.remember whether what is set is to be remembered, as the settings show it
   * @param {(editing: boolean) => void} options.onEditing the rest of the settings gives way, or comes back
   */
  constructor({ settings, remember, onEditing }) {
    this.#settings = settings;
    this.#remember = remember;
    this.#onEditing = onEditing;
    this.element = el(
      'div',
      { class: 'settings-named', role: 'group', 'aria-labelledby': 'pincite-named-title' },
      el('h3', { id: 'pincite-named-title' }, 'Endpoints for single steps'),
      el(
        'p',
        { class: 'fine' },
        'A profile can name another endpoint for a step, such as a small model that filters. Here is where those names lead.',
      ),
      this.#list,
      this.#missing,
      el('div', { class: 'dialog-actions' }, this.#add),
      this.#result,
    );
  }

  /** Draws what is set; the file of the profile says which names are needed. @param {string} [profile] */
  update(profile = this.#profile) {
    this.#profile = profile;
    const wanted = endpointsOf(profile);
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
            ` ${[model, where].filter(Boolean).join(' at ')}`,
            el(
              'span',
              { class: 'fine' },
              isLocked ? ' Its key must be entered again.' : usedFor(wanted.get(name)),
            ),
          ),
          el(
            'span',
            { class: 'named-actions' },
            ...[
              ['Edit', () => this.#edit(name)],
              ['Check', () => void this.#check(name)],
              ['Remove', () => this.#remove(name)],
            ].map(([does, onclick]) =>
              el(
                'button',
                { type: 'button', class: 'quiet', 'aria-label': `${does} ${name}`, onclick },
                String(does),
              ),
            ),
          ),
        ),
      ),
    );
    this.#list.hidden = named.length === 0;
    const missing = [...wanted].filter(([name]) => !named.some((each) => each.name === name));
    fill(
      this.#missing,
      missing.length > 0 &&
        el(
          'div',
          { class: 'note warning' },
          ...missing.map(([name, steps]) =>
            el(
              'p',
              {},
              `The profile names the endpoint “${name}”${steps.length > 0 ? ` for ${steps.map(stepName).join(', ')}` : ''}, which is not set up.`,
            ),
          ),
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
      prefix,
      mayBeNone: false,
      config: (choice, secrets) => ({
        ...settings.namedConfig(choice, secrets, name),
        name: called.value.trim() || undefined,
      }),
      hasKey: (choice) =>
        choice.kind !== 'none' && (settings.namedConfig(choice, noSecrets, name).key ?? '') !== '',
    });
    const keep = (/** @type {Event} */ event) => {
      event.preventDefault();
      const now = called.value.trim();
      try {
        settings.putNamed(now, fields.read(), fields.secrets(), name, this.#remember());
      } catch (error) {
        return fields.complain(error);
      }
      this.#back(now, 'Edit');
      const isLocked = settings.named.find((each) => each.name === now)?.isLocked;
      this.#say(
        isLocked
          ? `The endpoint ${now} is kept; its key is still missing.`
          : `The endpoint ${now} is set up.`,
      );
    };
    fill(
      this.editor,
      el(
        'form',
        { class: 'settings-form', noValidate: true, 'aria-labelledby': `${prefix}title`, onsubmit: keep },
        el(
          'h3',
          { id: `${prefix}title` },
          name === null ? 'A new endpoint for single steps' : `The endpoint ${name}`,
        ),
        field('Name', called, prefix, 'As the profile has it: endpoint = "…" of a step.'),
        fields.kind,
        fields.server,
        el(
          'div',
          { class: 'dialog-actions' },
          el('button', { type: 'submit', class: 'primary' }, 'Keep'),
          fields.check,
          el('button', { type: 'button', class: 'quiet', onclick: () => this.#back(name, 'Edit') }, 'Back'),
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
      [...buttons].find((button) => button.getAttribute('aria-label') === `${does} ${name}`) ?? this.#add
    ).focus();
  }

  /** @param {string} name */
  #remove(name) {
    this.#checking?.abort();
    const at = this.#settings.named.findIndex((each) => each.name === name);
    this.#settings.removeNamed(name, this.#remember());
    // On to the entry that has its place now.
    const { named } = this.#settings;
    this.#back((named[at] ?? named.at(-1))?.name ?? null, 'Remove');
    this.#say(`The endpoint ${name} is removed.`);
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
      this.#result,
      () => ({ ...this.#settings.namedConfig(entry.choice, noSecrets, name), name }),
      checking.signal,
    );
  }

  #firstMissing() {
    return (
      [...endpointsOf(this.#profile).keys()].find(
        (name) => !this.#settings.named.some((each) => each.name === name),
      ) ?? ''
    );
  }
}

/** @param {string[] | undefined} steps */
function usedFor(steps) {
  if (steps === undefined) return ' Not named by the profile.';
  return steps.length > 0 ? ` For ${steps.map(stepName).join(', ')}.` : '';
}

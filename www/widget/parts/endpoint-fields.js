/**
 * The controls of one endpoint: what kind it is, where, which model, its key; and the check of the connection. Labelled
 * native controls. The key is read from its field once and the field emptied; what is set is said without it.
 */

import { check } from '../../llm/check.js';
import { LlmError } from '../../llm/errors.js';
import { browserModel } from '../../llm/prompt-api.js';
import { nothing } from '../choice.js';
import { el, fill } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { ledger, readHeaders } from '../model.js';
import { sentence } from '../strings.js';

/** @typedef {import('../choice.js').Choice} Choice */
/** @typedef {import('../choice.js').Secrets} Secrets */

/** Addresses that common servers have. */
const common = [
  'http://localhost:11434/v1',
  'http://localhost:1234/v1',
  'http://localhost:8000/v1',
  'http://localhost:8080/v1',
  'https://api.openai.com/v1',
];

export class EndpointFields {
  /** To be put into a form: the kind, and what that kind has. */
  kind;
  server;
  check = el(
    'button',
    { type: 'button', class: 'quiet', onclick: () => void this.#runCheck() },
    icon('check'),
    'Check connection',
  );
  result = el('div', { class: 'check-result', role: 'status' });
  #config;
  #hasKey;
  /** @type {AbortController | null} */
  #checking = null;
  #kind;
  #url;
  #model;
  #models;
  #key = el('input', { type: 'password', autocomplete: 'off', spellcheck: false, maxLength: 4000 });
  #auth = el(
    'select',
    {},
    el('option', { value: 'bearer' }, 'Authorization: Bearer'),
    el('option', { value: 'api-key' }, 'api-key (Azure)'),
    el('option', { value: 'x-api-key' }, 'x-api-key'),
  );
  #headers = el('textarea', {
    rows: 2,
    autocomplete: 'off',
    spellcheck: false,
    maxLength: 4000,
    placeholder: 'name: value',
  });
  #seconds = el('input', { type: 'number', min: '5', max: '3600', step: '1' });

  /**
   * @param {object} options
   * @param {string} options.prefix of the ids
   * @param {boolean} options.mayBeNone whether there may be no model
   * @param {(choice: Choice, secrets: Secrets) => import('../../llm/endpoint.js').EndpointConfig} options.config
   * @param {(choice: Choice) => boolean} options.hasKey
   */
  constructor({ prefix, mayBeNone, config, hasKey }) {
    this.#config = config;
    this.#hasKey = hasKey;
    this.#kind = el(
      'select',
      { onchange: () => this.#fit() },
      mayBeNone && el('option', { value: 'none' }, 'None: sentences of the documents alone'),
      el('option', { value: 'openai' }, 'OpenAI-compatible server: Ollama, vLLM, Azure and most others'),
      el('option', { value: 'anthropic' }, 'Anthropic'),
    );
    this.#url = el('input', {
      type: 'url',
      autocomplete: 'off',
      spellcheck: false,
      maxLength: 2000,
      list: `${prefix}addresses`,
      placeholder: common[0],
      onchange: () => this.#fit(),
    });
    this.#model = el('input', {
      type: 'text',
      autocomplete: 'off',
      spellcheck: false,
      maxLength: 300,
      list: `${prefix}models`,
    });
    this.#models = el('datalist', { id: `${prefix}models` });
    this.kind = field('Language model', this.#kind, prefix);
    this.server = el(
      'div',
      { class: 'settings-fields' },
      field('Address', this.#url, prefix),
      el('datalist', { id: `${prefix}addresses` }, ...common.map((value) => el('option', { value }))),
      field('Model', this.#model, prefix),
      this.#models,
      field(
        'Key',
        this.#key,
        prefix,
        'Held in memory until this page is closed. It is never stored, and goes to this server only.',
      ),
      el(
        'details',
        { class: 'settings-more' },
        el('summary', {}, 'More'),
        field('Header of the key', this.#auth, prefix),
        field('Further headers, one a line', this.#headers, prefix, 'Held in memory too.'),
        field('Longest wait for a reply, in seconds', this.#seconds, prefix),
      ),
    );
  }

  /** Shows a choice. @param {Readonly<Choice>} choice */
  write(choice) {
    if (browserModel() && !this.#kind.querySelector('[value=prompt-api]'))
      this.#kind.append(el('option', { value: 'prompt-api' }, 'The model of this browser'));
    this.#kind.value = choice.kind;
    this.#url.value = choice.url;
    this.#model.value = choice.model;
    this.#auth.value = choice.auth;
    this.#seconds.value = String(choice.seconds);
    fill(this.result);
    this.#fit();
  }

  /** @returns {Choice} */
  read() {
    return {
      kind: /** @type {Choice['kind']} */ (this.#kind.value),
      url: this.#url.value.trim(),
      model: this.#model.value.trim(),
      auth: /** @type {Choice['auth']} */ (this.#auth.value),
      seconds: Math.min(3600, Math.max(5, Number(this.#seconds.value) || nothing.seconds)),
    };
  }

  /** @returns {Secrets} */
  secrets() {
    return { key: this.#key.value.trim(), headers: readHeaders(this.#headers.value) };
  }

  focusKey() {
    this.#key.focus();
  }

  /** Ends a check, and empties what must not stay in a field. */
  close() {
    this.#checking?.abort();
    this.check.removeAttribute('aria-disabled');
    this.#key.value = '';
    this.#headers.value = '';
  }

  /** Says what is wrong with what was entered. @param {unknown} error */
  complain(error) {
    fill(this.result, complaint(error));
  }

  /** Shows the fields that this kind of model has. */
  #fit() {
    const kind = this.#kind.value;
    this.server.hidden = kind === 'none' || kind === 'prompt-api';
    this.check.hidden = kind === 'none';
    if (kind === 'anthropic' && this.#url.value === '') this.#url.value = 'https://api.anthropic.com';
    this.#key.placeholder = this.#hasKey(this.read()) ? 'held in memory' : '';
  }

  async #runCheck() {
    if (this.check.getAttribute('aria-disabled') === 'true') return;
    const checking = new AbortController();
    this.#checking = checking;
    // Not `disabled`: that would take the focus away from who pressed it.
    this.check.setAttribute('aria-disabled', 'true');
    const found = await checkInto(
      this.result,
      () => this.#config(this.read(), this.secrets()),
      checking.signal,
    );
    if (found && found.models.length > 0)
      fill(this.#models, ...found.models.map((value) => el('option', { value })));
    if (found && found.models.length === 1 && this.#model.value === '')
      this.#model.value = found.models[0] ?? '';
    if (this.#checking === checking) this.check.removeAttribute('aria-disabled');
  }
}

/**
 * Checks a connection and says what was found; null where it was ended, or there was nothing to check.
 * @param {HTMLElement} place a status
 * @param {() => import('../../llm/endpoint.js').EndpointConfig} config throws `LlmError`
 * @param {AbortSignal} signal
 * @returns {Promise<import('../../llm/check.js').CheckResult | null>}
 */
export async function checkInto(place, config, signal) {
  fill(
    place,
    el(
      'p',
      { class: 'searching' },
      el('span', { class: 'pulse', 'aria-hidden': 'true' }),
      'Asking the server…',
    ),
  );
  try {
    const found = await check(config(), { ledger, signal });
    if (signal.aborted) return null;
    fill(
      place,
      el(
        'div',
        { class: found.ok ? 'note good' : 'note warning' },
        el('p', { class: 'strong' }, found.ok && icon('check'), found.message),
        found.fix && el('p', {}, found.fix),
        found.detail && el('p', { class: 'fine' }, `The server says: ${found.detail}`),
      ),
    );
    return found;
  } catch (error) {
    if (!signal.aborted) fill(place, complaint(error));
    return null;
  }
}

/** @param {unknown} error */
function complaint(error) {
  const { message, hint } = error instanceof LlmError ? error : { message: String(error), hint: '' };
  return el(
    'div',
    { class: 'note warning' },
    el('p', { class: 'strong' }, sentence(message)),
    hint && el('p', {}, hint),
  );
}

/** A control with its label and, where there is one, its help. @param {string} name @param {HTMLElement} control @param {string} prefix of the ids @param {string} [help] */
export function field(name, control, prefix, help) {
  control.id = `${prefix}${name.toLowerCase().replace(/\W+/g, '-')}`;
  if (help) control.setAttribute('aria-describedby', `${control.id}-help`);
  return el(
    'div',
    { class: 'settings-field' },
    el('label', { for: control.id }, name),
    control,
    help && el('p', { class: 'fine', id: `${control.id}-help` }, help),
  );
}

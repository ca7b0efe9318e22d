/**
 * Controls of one endpoint: kind, address, model, key, and the check of the connection. Labelled native controls. The
 * key is read from its field once and the field emptied; nothing shows it again.
 */

import { isLocalKind, isOpenWay } from '../../llm/endpoint.js';
import { LlmError } from '../../llm/errors.js';
import { browserModel } from '../../llm/prompt-api.js';
import { describeFault } from '../../strings/errors.js';
import { describeState, device } from '../device.js';
import { hostOf, nothing } from '../endpoint-choice.js';
import { el, fill } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { ledger, readHeaders } from '../settings.js';

/** @typedef {import('../endpoint-choice.js').EndpointChoice} EndpointChoice */
/** @typedef {import('../endpoint-choice.js').Secrets} Secrets */

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
  file;
  /** Words for what is sent, where anything is. */
  sent;
  check;
  result = el('div', { class: 'check-result', role: 'status' });
  #strings;
  #config;
  #hasKey;
  /** @type {AbortController | null} */
  #checking = null;
  #openDevice;
  /** Those of a model file, made when they are first wanted. @type {Promise<import('../../device/fields.js').DeviceFields> | null} */
  #device = null;
  #deviceName = '';
  #kind;
  #url;
  #model;
  #models;
  #open = el('p', { class: 'note warning', role: 'status', hidden: true });
  #key = el('input', { type: 'password', autocomplete: 'off', spellcheck: false, maxLength: 4000 });
  #auth = el(
    'select',
    {},
    el('option', { value: 'bearer' }, 'Authorization: Bearer'),
    el('option', { value: 'api-key' }, 'api-key (Azure)'),
    el('option', { value: 'x-api-key' }, 'x-api-key'),
  );
  #headers;
  #seconds = el('input', { type: 'number', min: '5', max: '3600', step: '1' });

  /**
   * @param {object} options
   * @param {import('../../strings/index.js').Strings} options.strings
   * @param {string} options.prefix of the ids
   * @param {boolean} options.mayBeNone whether there may be no model
   * @param {(choice: EndpointChoice, secrets: Secrets) => import('../../llm/endpoint.js').EndpointConfig} options.config
   * @param {(choice: EndpointChoice) => boolean} options.hasKey
   * @param {import('../settings.js').OpenDevice | null} options.openDevice
   */
  constructor({ strings, prefix, mayBeNone, config, hasKey, openDevice }) {
    this.#strings = strings;
    const texts = strings.endpoint;
    this.check = el(
      'button',
      { type: 'button', class: 'quiet', onclick: () => void this.#runCheck() },
      icon('check'),
      texts.check,
    );
    this.#headers = el('textarea', {
      rows: 2,
      autocomplete: 'off',
      spellcheck: false,
      maxLength: 4000,
      placeholder: texts.headersExample,
    });
    this.#config = config;
    this.#hasKey = hasKey;
    this.#openDevice = openDevice;
    this.#kind = el(
      'select',
      { onchange: () => this.#fit() },
      mayBeNone && el('option', { value: 'none' }, texts.none),
      el('option', { value: 'openai' }, texts.openai),
      el('option', { value: 'anthropic' }, texts.anthropic),
      openDevice && el('option', { value: 'device' }, texts.device),
    );
    this.#url = el('input', {
      type: 'url',
      autocomplete: 'off',
      spellcheck: false,
      maxLength: 2000,
      list: `${prefix}addresses`,
      placeholder: common[0],
      onchange: () => this.#fit(),
      oninput: () => this.#warn(),
    });
    this.#model = el('input', {
      type: 'text',
      autocomplete: 'off',
      spellcheck: false,
      maxLength: 300,
      list: `${prefix}models`,
    });
    this.#models = el('datalist', { id: `${prefix}models` });
    this.kind = field(`${prefix}kind`, texts.kind, this.#kind);
    this.file = el('div', { hidden: true });
    this.sent = el('p', { class: 'fine sent' }, strings.settings.sent);
    this.server = el(
      'div',
      { class: 'settings-fields' },
      field(`${prefix}address`, texts.address, this.#url),
      this.#open,
      el('datalist', { id: `${prefix}addresses` }, ...common.map((value) => el('option', { value }))),
      field(`${prefix}model`, texts.model, this.#model),
      this.#models,
      field(`${prefix}key`, texts.key, this.#key, texts.keyHelp),
      el(
        'details',
        { class: 'settings-more' },
        el('summary', {}, texts.more),
        field(`${prefix}header`, texts.header, this.#auth),
        field(`${prefix}headers`, texts.headers, this.#headers, texts.headersHelp),
        field(`${prefix}seconds`, texts.seconds, this.#seconds),
      ),
    );
  }

  /** Shows a choice. @param {Readonly<EndpointChoice>} choice */
  write(choice) {
    if (browserModel() && !this.#kind.querySelector('[value=prompt-api]'))
      this.#kind.append(el('option', { value: 'prompt-api' }, this.#strings.endpoint.browser));
    this.#kind.value = choice.kind;
    this.#url.value = choice.url;
    this.#model.value = choice.model;
    this.#auth.value = choice.auth;
    this.#seconds.value = String(choice.seconds);
    this.#deviceName = choice.kind === 'device' ? choice.model : '';
    fill(this.result);
    this.#fit();
  }

  /** @returns {EndpointChoice} */
  read() {
    const kind = /** @type {EndpointChoice['kind']} */ (this.#kind.value);
    return {
      kind,
      // What was entered for a server is no part of a model file.
      url: kind === 'device' ? '' : this.#url.value.trim(),
      model: kind === 'device' ? this.#deviceName : this.#model.value.trim(),
      auth: /** @type {EndpointChoice['auth']} */ (this.#auth.value),
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
    // Where they did not come, that is said in their place.
    this.#device?.then((fields) => fields.close()).catch(() => {});
    this.check.removeAttribute('aria-disabled');
    this.#key.value = '';
    this.#headers.value = '';
  }

  /** Says what is wrong with what was entered. @param {unknown} error */
  complain(error) {
    fill(this.result, complaint(this.#strings, error));
  }

  /** Shows the fields that this kind of model has. */
  #fit() {
    const kind = this.#kind.value;
    this.server.hidden = kind === 'none' || isLocalKind(kind);
    this.file.hidden = kind !== 'device';
    this.sent.hidden = kind === 'device';
    if (kind === 'device') void this.#showDevice();
    this.check.hidden = kind === 'none';
    const { check, tryDevice } = this.#strings.endpoint;
    fill(this.check, icon('check'), kind === 'device' ? tryDevice : check);
    if (kind === 'anthropic' && this.#url.value === '') this.#url.value = 'https://api.anthropic.com';
    this.#key.placeholder = this.#hasKey(this.read()) ? this.#strings.endpoint.keyHeld : '';
    this.#warn();
  }

  /** Shows the model file that is kept. */
  async #showDevice() {
    const strings = this.#strings;
    try {
      this.#device ??= this.#makeDevice();
      await (await this.#device).show();
    } catch (error) {
      this.#device = null;
      fill(this.file, complaint(strings, error));
    }
  }

  async #makeDevice() {
    const open = /** @type {import('../settings.js').OpenDevice} */ (this.#openDevice);
    const [{ DeviceFields }, model] = await Promise.all([part(import('../../device/index.js')), open()]);
    const fields = new DeviceFields({
      strings: this.#strings,
      model,
      page: device,
      describe: (state) => describeState(this.#strings, state),
      onName: (name) => {
        // What was found of another file is no longer true.
        if (name !== this.#deviceName) fill(this.result);
        this.#deviceName = name;
      },
    });
    fill(this.file, fields.element);
    return fields;
  }

  /** Says before anything is sent that the way to the server is open. */
  #warn() {
    const isOpen = isOpenWay(this.#url.value);
    this.#open.hidden = !isOpen;
    this.#open.textContent = isOpen ? this.#strings.bar.open(hostOf(this.#url.value)) : '';
  }

  async #runCheck() {
    if (this.check.getAttribute('aria-disabled') === 'true') return;
    const checking = new AbortController();
    this.#checking = checking;
    // Not `disabled`: that would take the focus away from who pressed it.
    this.check.setAttribute('aria-disabled', 'true');
    const found = await checkInto(
      this.#strings,
      this.result,
      () => this.#config(this.read(), this.secrets()),
      checking.signal,
      this.#openDevice,
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
 * @param {import('../../strings/index.js').Strings} strings
 * @param {HTMLElement} place a status
 * @param {() => import('../../llm/endpoint.js').EndpointConfig} config throws `LlmError`
 * @param {AbortSignal} signal
 * @param {import('../settings.js').OpenDevice | null} openDevice
 * @returns {Promise<import('../../llm/check.js').CheckResult | null>}
 */
export async function checkInto(strings, place, config, signal, openDevice) {
  try {
    const asked = config();
    fill(
      place,
      el(
        'p',
        { class: 'searching' },
        el('span', { class: 'pulse', 'aria-hidden': 'true' }),
        asked.kind === 'device' ? strings.endpoint.trying : strings.endpoint.asking,
      ),
    );
    const { check, describeCheck } = await part(import('../check.js'));
    const found = await check(asked, { ledger, signal, openDevice });
    if (signal.aborted) return null;
    const { message, fix } = describeCheck(strings, found);
    fill(
      place,
      el(
        'div',
        { class: found.ok ? 'note good' : 'note warning' },
        el('p', { class: 'strong' }, found.ok && icon('check'), message),
        fix && el('p', {}, fix),
        found.detail &&
          el(
            'p',
            { class: 'fine' },
            asked.kind === 'device' ? found.detail : strings.endpoint.serverSays(found.detail),
          ),
      ),
    );
    return found;
  } catch (error) {
    if (!signal.aborted) fill(place, complaint(strings, error));
    return null;
  }
}

/** A part of the page, which is loaded when it is wanted, did not come. */
class NotLoaded extends Error {}

/** @template T @param {Promise<T>} loading @returns {Promise<T>} */
function part(loading) {
  return loading.catch((cause) => {
    throw new NotLoaded('a module was not loaded', { cause });
  });
}

/** @param {import('../../strings/index.js').Strings} strings @param {unknown} error */
function complaint(strings, error) {
  const { message, hint } =
    error instanceof LlmError
      ? describeFault(strings, error)
      : error instanceof NotLoaded
        ? { message: strings.endpoint.notLoaded, hint: strings.widget.reload }
        : { message: strings.format.sentence(String(error)), hint: '' };
  return el(
    'div',
    { class: 'note warning' },
    el('p', { class: 'strong' }, message),
    hint && el('p', {}, hint),
  );
}

/** A control with its label and, where there is one, its help. @param {string} id @param {string} name @param {HTMLElement} control @param {string} [help] */
export function field(id, name, control, help) {
  control.id = id;
  if (help) control.setAttribute('aria-describedby', `${id}-help`);
  return el(
    'div',
    { class: 'settings-field' },
    el('label', { for: id }, name),
    control,
    help && el('p', { class: 'fine', id: `${id}-help` }, help),
  );
}

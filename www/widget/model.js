/**
 * With what answers are made: a language model at an endpoint or none, and a profile. A person sets it in the
 * settings, or the page around the widget by a property; what the page sets goes first.
 *
 * Address, model and profile may be remembered in this browser. Keys, further headers and parameters of an address
 * (gateways put keys there) are held by the provider alone, until the page is closed: never stored, never shown again.
 */

import { resolve } from '../llm/endpoint.js';
import { LlmError } from '../llm/errors.js';
import { Ledger } from '../llm/ledger.js';
import { createProvider, route } from '../llm/provider.js';

/** @typedef {import('../llm/endpoint.js').EndpointConfig} EndpointConfig */
/** @typedef {import('../engine/asking.js').Model} Model */

/**
 * What a person chose, without secrets.
 * @typedef {object} Choice
 * @property {'none' | import('../llm/endpoint.js').Kind} kind
 * @property {string} url
 * @property {string} model
 * @property {NonNullable<EndpointConfig['auth']>} auth the header of the key
 * @property {number} seconds the longest wait for a whole reply
 */

/** @typedef {{ key: string, headers: Record<string, string> }} Secrets */
/** @typedef {{ name: string, file: string | null }} ProfileChoice `file` is the TOML of one that does not ship */
/** @typedef {EndpointConfig | EndpointConfig[] | Model} Given what the page around may set */

/**
 * What is said of the model, without secrets.
 * @typedef {object} Standing
 * @property {'none' | 'ready' | 'locked'} state `locked`: it was remembered, and its key was not
 * @property {string} name the model
 * @property {string} where the server
 * @property {boolean} given set by the page around
 */

/** What was sent by any widget of this page. */
export const ledger = new Ledger();

/** @type {Readonly<Choice>} */
export const nothing = { kind: 'none', url: '', model: '', auth: 'bearer', seconds: 300 };

/** Fired on every change. */
export class SettingsEvent extends Event {
  constructor() {
    super('change');
  }
}

export class ModelSettings extends EventTarget {
  /** @type {Choice} */
  #choice = { ...nothing };
  /** @type {ProfileChoice | null} */
  #profile = null;
  /** @type {{ model: Model, standing: Standing } | null} */
  #own = null;
  /** @type {{ model: Model, standing: Standing } | null} */
  #given = null;
  /** @type {string | null} */
  #givenProfile = null;
  /** With the server that they were entered for. @type {(Secrets & { for: string }) | null} */
  #secrets = null;
  #remembered = false;
  #locked = false;
  /** What can be done about what went wrong, by the message. @type {Map<string, string>} */
  #hints = new Map();
  #storage;
  #name;

  /**
   * @param {object} options
   * @param {string} options.name what it is stored under
   * @param {Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null} [options.storage] null where there is none
   */
  constructor({ name, storage = browserStorage() }) {
    super();
    this.#name = name;
    this.#storage = storage;
    this.#recall();
  }

  /** What the person chose. @returns {Readonly<Choice>} */
  get choice() {
    return { ...this.#choice };
  }

  get profile() {
    return this.#profile;
  }

  get remembered() {
    return this.#remembered;
  }

  /** The model to ask; null where answers are extracted. @returns {Model | null} */
  get model() {
    return (this.#given ?? this.#own)?.model ?? null;
  }

  /** The profile as the engine takes it: a name, or a file. @returns {string | null} */
  get profileText() {
    return this.#givenProfile ?? this.#profile?.file ?? this.#profile?.name ?? null;
  }

  /** @returns {Standing} */
  get standing() {
    const set = this.#given ?? this.#own;
    if (set) return set.standing;
    return { state: this.#locked ? 'locked' : 'none', name: this.#choice.model, where: hostOf(this.#choice.url), given: false };
  }

  /** What can be done about a fault that was met here. @param {string} message */
  hintOf(message) {
    return this.#hints.get(message) ?? '';
  }

  /**
   * Takes what a person chose. An empty key leaves the one that is there, as long as it is for the same server.
   * @param {Choice} choice
   * @param {Secrets} secrets
   * @param {boolean} remember
   * @throws {LlmError} `bad-config`; nothing has changed then
   */
  choose(choice, secrets, remember) {
    if (choice.kind === 'none') {
      this.#own = null;
      this.#secrets = null;
    } else {
      const config = this.config(choice, secrets);
      const { name, origin } = standingOf(config);
      this.#own = { model: this.#listen(route([createProvider(config, { ledger })])), standing: { state: 'ready', name, where: origin, given: false } };
      this.#secrets = { for: serverOf(choice), key: config.key ?? '', headers: config.headers ?? {} };
    }
    this.#locked = false;
    this.#choice = { ...choice };
    this.#keep(remember);
    this.dispatchEvent(new SettingsEvent());
  }

  /** Whether there is a key for this server. @param {Choice} choice */
  hasKey(choice) {
    return this.#secrets !== null && this.#secrets.for === serverOf(choice) && this.#secrets.key !== '';
  }

  /** The endpoint of a choice, for asking or checking it. @param {Choice} choice @param {Secrets} secrets @returns {EndpointConfig & { kind: import('../llm/endpoint.js').Kind }} */
  config({ kind, url, model, auth, seconds }, { key, headers }) {
    if (kind === 'none') throw new LlmError('bad-config', 'there is no endpoint');
    // A key goes to no other server than the one that it was entered for.
    const held = this.#secrets?.for === serverOf({ kind, url }) ? this.#secrets : null;
    const config = { kind, url, model, auth: kind === 'anthropic' && auth === 'bearer' ? /** @type {const} */ ('x-api-key') : auth, timeoutMs: seconds * 1000, firstByteMs: Math.max(120_000, seconds * 500),
      key: key || (held?.key ?? ''), headers: Object.keys(headers).length > 0 ? headers : (held?.headers ?? {}) };
    return config;
  }

  /** @param {ProfileChoice | null} profile null for the default */
  chooseProfile(profile) {
    this.#profile = profile;
    this.#keep(this.#remembered);
    this.dispatchEvent(new SettingsEvent());
  }

  /** Forgets what is stored, the key and the choice. */
  forget() {
    this.#own = null;
    this.#secrets = null;
    this.#locked = false;
    this.#choice = { ...nothing };
    this.#profile = null;
    this.#keep(false);
    this.dispatchEvent(new SettingsEvent());
  }

  /**
   * Takes what the page around sets: one endpoint, several of which profiles name the later ones, or anything that
   * completes requests; null gives the choice back to the person.
   * @param {Given | null} given
   * @throws {LlmError} `bad-config`
   */
  give(given) {
    if (given === null) this.#given = null;
    else if ('complete' in given) {
      this.#given = { model: this.#listen(listed(given)), standing: { state: 'ready', name: '', where: 'this site', given: true } };
    } else {
      const providers = [given].flat().map((config) => createProvider(config, { ledger }));
      const [first] = providers;
      if (!first) throw new LlmError('bad-config', 'there is no endpoint');
      this.#given = { model: this.#listen(route(providers)), standing: { state: 'ready', name: first.model, where: first.origin === null ? 'this browser' : hostOf(first.origin), given: true } };
    }
    this.dispatchEvent(new SettingsEvent());
  }

  /** Takes a profile that the page around sets. @param {string | null} profile a name or TOML */
  giveProfile(profile) {
    this.#givenProfile = profile;
    this.dispatchEvent(new SettingsEvent());
  }

  /** Keeps the hints of what goes wrong, which the machine does not carry. @param {Model['complete']} complete @returns {Model} */
  #listen(complete) {
    return {
      complete: async (request, options) => {
        try {
          return await complete(request, options);
        } catch (error) {
          if (error instanceof LlmError) this.#hints.set(error.message, error.hint);
          throw error;
        }
      },
    };
  }

  /** @param {boolean} remember */
  #keep(remember) {
    this.#remembered = remember;
    try {
      if (!remember) return this.#storage?.removeItem(this.#name);
      const { url, ...rest } = this.#choice;
      const { address, hasMore } = bare(url);
      const secret = hasMore || (this.#secrets !== null && (this.#secrets.key !== '' || Object.keys(this.#secrets.headers).length > 0));
      this.#storage?.setItem(this.#name, JSON.stringify({ format: 1, choice: { ...rest, url: address }, profile: this.#profile, secret: secret || this.#locked }));
    } catch {
      // Storage that is full or forbidden remembers nothing.
    }
  }

  #recall() {
    try {
      const kept = JSON.parse(this.#storage?.getItem(this.#name) ?? 'null');
      if (kept?.format !== 1) return;
      const { kind, url, model, auth, seconds } = { ...nothing, ...kept.choice };
      if (!['none', 'openai', 'anthropic', 'prompt-api'].includes(kind) || ![url, model].every((text) => typeof text === 'string')) return;
      this.#choice = { kind, url, model, auth: auth === 'api-key' || auth === 'x-api-key' ? auth : 'bearer', seconds: Number(seconds) > 0 ? Number(seconds) : nothing.seconds };
      const { name, file } = kept.profile ?? {};
      if (typeof name === 'string' && (file === null || typeof file === 'string')) this.#profile = { name, file };
      this.#remembered = true;
      if (kept.secret === true) this.#locked = true;
      else if (kind !== 'none') this.choose(this.#choice, { key: '', headers: {} }, true);
    } catch {
      // What is stored is none of ours, or no longer valid.
      this.#own = null;
    }
  }
}

/** Further headers as a person writes them, one a line. @param {string} text @returns {Record<string, string>} */
export function readHeaders(text) {
  /** @type {Record<string, string>} */
  const headers = {};
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const at = line.indexOf(':');
    if (at < 1) throw new LlmError('bad-config', 'a header is not written as “name: value”');
    headers[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return headers;
}

/** The title of a profile's file, for the list. @param {string} file */
export function titleOf(file) {
  return /^title\s*=\s*"((?:[^"\\]|\\.)*)"/m.exec(file)?.[1]?.slice(0, 80) ?? 'Profile';
}

/** A model that the page carries itself: it is listed too, though not where it goes. @param {Model} model @returns {Model['complete']} */
function listed(model) {
  return async (request, options) => {
    const { step, call, passages } = request;
    const bytesOut = new TextEncoder().encode(JSON.stringify(request.messages)).length;
    const entry = ledger.begin({ endpoint: 'page', url: null, method: 'given', step, call, attempt: 1, passages, bytesOut });
    try {
      const reply = await model.complete(request, options);
      entry.received(new TextEncoder().encode(reply.text).length);
      entry.end('ok');
      return reply;
    } catch (error) {
      entry.end(options.signal?.aborted ? 'cancelled' : 'failed');
      throw error;
    }
  };
}

/** @param {EndpointConfig} config */
function standingOf(config) {
  if (config.kind === 'prompt-api') return { name: '', origin: 'this browser' };
  const { model, url } = resolve(config);
  if (model.trim() === '') throw new LlmError('bad-config', 'the name of the model is missing', { hint: 'The connection check lists the models that the server has.' });
  return { name: model, origin: url.host };
}

/** @param {Pick<Choice, 'kind' | 'url'>} choice */
function serverOf({ kind, url }) {
  try {
    return `${kind} ${new URL(url.trim()).origin}`;
  } catch {
    return kind;
  }
}

/** @param {string} url */
function hostOf(url) {
  try {
    return new URL(url.trim()).host;
  } catch {
    return '';
  }
}

/** An address without its parameters. @param {string} url */
function bare(url) {
  const [address = ''] = url.split(/[?#]/, 1);
  return { address, hasMore: address !== url };
}

/** @returns {Storage | null} */
function browserStorage() {
  try {
    return globalThis.localStorage;
  } catch {
    return null; // the browser forbids it to this page
  }
}

/**
 * Settings of answering: a language model at an endpoint or none, a profile, a glossary, and whether the graphics
 * processor may help. A person sets them in the settings, or the page around the widget all but the last by a property;
 * what the page sets goes first.
 *
 * Address, model, profile and glossary may be remembered in this browser. Keys, further headers and parameters of an address
 * (gateways put keys there) are held by the provider alone, until the page is closed: never stored, never shown again.
 */

import { storageOf } from '../engine/small-storage.js';
import { isLocalKind, isOpenWay } from '../llm/endpoint.js';
import { LlmError } from '../llm/errors.js';
import { Ledger } from '../llm/ledger.js';
import { createProvider, route } from '../llm/provider.js';
import {
  configOf,
  hold,
  hostOf,
  nameOf,
  noSecrets,
  nothing,
  parted,
  sourceOf,
  recalled,
  serverOf,
  stored,
} from './endpoint-choice.js';
import { readGlossary } from './glossary.js';
import { NamedEndpoints } from './named-endpoints.js';

/** @typedef {import('../llm/endpoint.js').EndpointConfig} EndpointConfig */
/** @typedef {import('../engine/asking.js').Model} Model */

/** @typedef {import('./endpoint-choice.js').EndpointChoice} EndpointChoice */
/** @typedef {import('./endpoint-choice.js').Secrets} Secrets */
/** @typedef {{ name: string, file: string | null }} ProfileChoice `file` is the TOML of one that does not ship */
/** @typedef {() => Promise<import('../device/model.js').DeviceModel>} OpenDevice opens the model on this device */
/** @typedef {EndpointConfig | EndpointConfig[] | Model} PageModel what the page around may set */

/**
 * State of the model, without secrets.
 * @typedef {object} ModelStatus
 * @property {'none' | 'ready' | 'locked'} state `locked`: it was remembered, and its key was not
 * @property {string} name the model
 * @property {string} where the server
 * @property {boolean} given set by the page around
 */

/**
 * The model in use, its state, the names of the endpoints for single steps, the servers that are reached without
 * encryption, and all servers in one text, by which two setups are compared.
 * @typedef {{ model: Model, status: ModelStatus, named: Map<string, { name: string, where: string }>, open: string[], servers: string }} Setup
 */

/** Requests sent by any widget of this page. */
export const ledger = new Ledger();

/** Fired on every change. */
export class SettingsEvent extends Event {
  constructor() {
    super('change');
  }
}

export class AnsweringSettings extends EventTarget {
  /** @type {EndpointChoice} */
  #choice = { ...nothing };
  /** @type {ProfileChoice | null} */
  #profile = null;
  /** @type {Setup | null} */
  #own = null;
  /** @type {Setup | null} */
  #given = null;
  /** @type {string | null} */
  #givenProfile = null;
  /** @type {import('./endpoint-choice.js').HeldSecrets | null} */
  #held = null;
  #named = new NamedEndpoints();
  #remembered = false;
  #locked = false;
  #glossaryText = '';
  /** @type {import('../engine/gpu/choice.js').GpuSetting} */
  #gpu = 'auto';
  /** @type {import('./glossary.js').Glossary} */
  #glossary = {};
  #storage;
  #name;
  #openDevice;

  /**
   * @param {object} options
   * @param {string} options.name what it is stored under
   * @param {Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null} [options.storage] null where there is none
   * @param {OpenDevice | null} [options.openDevice] null where the page runs no model itself
   */
  constructor({ name, storage = storageOf('localStorage'), openDevice = null }) {
    super();
    this.#openDevice = openDevice;
    this.#name = name;
    this.#storage = storage;
    this.#recall();
  }

  /** The person's choice. @returns {Readonly<EndpointChoice>} */
  get choice() {
    return { ...this.#choice };
  }

  get profile() {
    return this.#profile;
  }

  get remembered() {
    return this.#remembered;
  }

  get openDevice() {
    return this.#openDevice;
  }

  /** The model to ask; null where answers are extracted. @returns {Model | null} */
  get model() {
    return (this.#given ?? this.#own)?.model ?? null;
  }

  /** The profile as the engine takes it: a name, or a file. @returns {string | null} */
  get profileText() {
    return this.#givenProfile ?? this.#profile?.file ?? this.#profile?.name ?? null;
  }

  /** @returns {ModelStatus} */
  get status() {
    const set = this.#given ?? this.#own;
    if (set) return set.status;
    return {
      state: this.#locked ? 'locked' : 'none',
      ...sourceOf(this.#choice),
      given: false,
    };
  }

  /**
   * Takes what a person chose. An empty key leaves the one that is there, as long as it is for the same server.
   * @param {EndpointChoice} choice
   * @param {Secrets} secrets
   * @param {boolean} remember
   * @throws {LlmError} `bad-config`; nothing has changed then
   */
  choose(choice, secrets, remember) {
    if (choice.kind === 'none') {
      this.#own = null;
      this.#held = null;
    } else {
      const config = this.config(choice, secrets);
      this.#own = this.#setOf(config);
      this.#held = hold(config, choice);
    }
    this.#locked = false;
    this.#choice = parted(choice, secrets).choice;
    this.#keep(remember);
    this.dispatchEvent(new SettingsEvent());
  }

  /** Servers that questions may go to, in one text; null without a model. */
  get servers() {
    return (this.#given ?? this.#own)?.servers ?? null;
  }

  /** True if questions go to the model on this device. */
  get asksDevice() {
    return this.servers?.split(' ').includes('device') ?? false;
  }

  /** Servers that are asked over an open way: whoever is on it reads what is sent. @returns {readonly string[]} */
  get openServers() {
    return (this.#given ?? this.#own)?.open ?? [];
  }

  /** The endpoints for some steps. @returns {import('./named-endpoints.js').Named[]} */
  get named() {
    return this.#named.list;
  }

  /**
   * Adds an endpoint for some steps, or changes that of the old name.
   * @param {string} name @param {EndpointChoice} choice @param {Secrets} secrets @param {string | null} old
   * @param {boolean} [remember] as it is, where it is not said
   * @throws {LlmError} `bad-config`; nothing has changed then
   */
  putNamed(name, choice, secrets, old, remember = this.#remembered) {
    this.#named.put(name, choice, secrets, old);
    this.#renew(remember);
  }

  /** @param {string} name @param {boolean} [remember] as it is, where it is not said */
  removeNamed(name, remember = this.#remembered) {
    this.#named.remove(name);
    this.#renew(remember);
  }

  /** The configuration of an endpoint for some steps, for checking it. @param {EndpointChoice} choice @param {Secrets} secrets @param {string | null} name */
  namedConfig(choice, secrets, name) {
    return this.#named.config(choice, secrets, name);
  }

  /** Makes the model anew, of the endpoints as they are now. @param {boolean} remember */
  #renew(remember) {
    if (this.#own) this.#own = this.#setOf(this.config(this.#choice, noSecrets));
    this.#keep(remember);
    this.dispatchEvent(new SettingsEvent());
  }

  /** @param {EndpointConfig} config of the first @returns {Setup} */
  #setOf(config) {
    const status = { state: /** @type {const} */ ('ready'), ...nameOf(config), given: false };
    const named = new Map(this.#named.list.map(({ name, model, where }) => [name, { name: model, where }]));
    return {
      model: {
        complete: route([createProvider(config, this.#providing), ...this.#named.providers(this.#providing)]),
      },
      status,
      named,
      open: openOf([config, ...this.#named.list.map(({ choice }) => choice)]),
      servers: serversOf([config, ...this.#named.list.map(({ choice }) => choice)]),
    };
  }

  /** @returns {import('../llm/provider.js').ProviderOptions} */
  get #providing() {
    return { ledger, openDevice: this.#openDevice };
  }

  /**
   * Author behind an endpoint as set now, also if the settings have changed by the time of the answer. The
   * endpoint null stands for the first; a model that a profile names goes before the endpoint's own.
   * @returns {(endpoint: string | null, model: string | null) => { name: string, where: string }}
   */
  authors() {
    const named = (this.#given ?? this.#own)?.named;
    const first = this.status;
    return (endpoint, model) => {
      const { name, where } = (endpoint === null ? null : named?.get(endpoint)) ?? first;
      return { name: model ?? name, where };
    };
  }

  /** True if there is a key for this server. @param {EndpointChoice} choice */
  hasKey(choice) {
    return this.#held !== null && this.#held.for === serverOf(choice) && this.#held.key !== '';
  }

  /** The endpoint of a choice, for asking or checking it. @param {EndpointChoice} choice @param {Secrets} secrets */
  config(choice, secrets) {
    return configOf(choice, secrets, this.#held);
  }

  /**
   * @param {ProfileChoice | null} profile null for the default
   * @param {boolean} [remember] as it is, where it is not said
   */
  chooseProfile(profile, remember = this.#remembered) {
    this.#profile = profile;
    this.#keep(remember);
    this.dispatchEvent(new SettingsEvent());
  }

  /** Use of the graphics processor for embedding passages. */
  get gpu() {
    return this.#gpu;
  }

  /**
   * @param {import('../engine/gpu/choice.js').GpuSetting} gpu
   * @param {boolean} [remember] as it is, where it is not said
   */
  chooseGpu(gpu, remember = this.#remembered) {
    this.#gpu = gpu;
    this.#keep(remember);
    this.dispatchEvent(new SettingsEvent());
  }

  /** The glossary as it is written. */
  get glossaryText() {
    return this.#glossaryText;
  }

  /** Terms of the glossary, each with its other words. @returns {Readonly<import('./glossary.js').Glossary>} */
  get glossary() {
    return this.#glossary;
  }

  /**
   * @param {string} text a term a line
   * @param {boolean} [remember] as it is, where it is not said
   * @throws {import('./glossary.js').GlossaryError} nothing has changed then
   */
  chooseGlossary(text, remember = this.#remembered) {
    this.#glossary = readGlossary(text);
    this.#glossaryText = text;
    this.#keep(remember);
    this.dispatchEvent(new SettingsEvent());
  }

  /** Forgets what is stored, the keys and the choices. */
  forget() {
    this.#own = null;
    this.#held = null;
    this.#named.clear();
    this.#locked = false;
    this.#choice = { ...nothing };
    this.#profile = null;
    this.#glossary = {};
    this.#glossaryText = '';
    this.#gpu = 'auto';
    this.#keep(false);
    this.dispatchEvent(new SettingsEvent());
  }

  /**
   * Takes what the page around sets: one endpoint, several of which profiles name the later ones, or anything that
   * completes requests; null gives the choice back to the person.
   * @param {PageModel | null} given
   * @throws {LlmError} `bad-config`
   */
  give(given) {
    if (given === null) this.#given = null;
    else if ('complete' in given) {
      this.#given = {
        model: { complete: listed(given) },
        status: { state: 'ready', name: '', where: 'this site', given: true },
        named: new Map(),
        open: [],
        servers: 'this site',
      };
    } else {
      const providers = [given].flat().map((config) => createProvider(config, this.#providing));
      const [first] = providers;
      if (!first) throw new LlmError('bad-config', 'no model is set', { reason: 'no-endpoint' });
      /** @param {import('../llm/types.js').Provider} provider */
      const said = ({ kind, model, origin }) => sourceOf({ kind, url: origin ?? '', model });
      this.#given = {
        model: { complete: route(providers) },
        status: { state: 'ready', ...said(first), given: true },
        named: new Map(providers.map((provider) => [provider.name, said(provider)])),
        open: openOf([given].flat()),
        servers: serversOf([given].flat()),
      };
    }
    this.dispatchEvent(new SettingsEvent());
  }

  /** Takes a profile that the page around sets. @param {string | null} profile a name or TOML */
  giveProfile(profile) {
    this.#givenProfile = profile;
    this.dispatchEvent(new SettingsEvent());
  }

  /** @param {boolean} remember */
  #keep(remember) {
    this.#remembered = remember;
    try {
      if (!remember) return this.#storage?.removeItem(this.#name);
      const { choice, secret } = stored(this.#choice, this.#held);
      const kept = {
        format: 1,
        choice,
        profile: this.#profile,
        glossary: this.#glossaryText,
        gpu: this.#gpu,
        secret: secret || this.#locked,
        named: this.#named.toStored(),
      };
      this.#storage?.setItem(this.#name, JSON.stringify(kept));
    } catch {
      // Storage that is full or forbidden remembers nothing.
    }
  }

  #recall() {
    try {
      const kept = JSON.parse(this.#storage?.getItem(this.#name) ?? 'null');
      if (kept?.format !== 1) return;
      const choice = recalled(kept.choice);
      if (choice === null) return;
      this.#choice = choice;
      this.#named.recall(kept.named);
      const { name, file } = kept.profile ?? {};
      if (typeof name === 'string' && (file === null || typeof file === 'string'))
        this.#profile = { name, file };
      if (typeof kept.glossary === 'string') this.#recallGlossary(kept.glossary);
      if (kept.gpu === 'always' || kept.gpu === 'never') this.#gpu = kept.gpu;
      this.#remembered = true;
      if (kept.secret === true) this.#locked = true;
      else if (choice.kind !== 'none') this.choose(choice, noSecrets, true);
    } catch {
      // What is stored is none of ours, or no longer valid.
      this.#own = null;
    }
  }

  /** @param {string} text */
  #recallGlossary(text) {
    try {
      this.#glossary = readGlossary(text);
      this.#glossaryText = text;
    } catch {
      // It was written by another version.
    }
  }
}

/** @param {readonly { kind: import('./endpoint-choice.js').EndpointChoice['kind'], url?: string }[]} endpoints */
function serversOf(endpoints) {
  const servers = endpoints.map(({ kind, url = '' }) => serverOf({ kind, url }));
  return [...new Set(servers)].sort().join(' ');
}

/** Servers that are reached without encryption. @param {readonly { kind: string, url?: string }[]} endpoints */
function openOf(endpoints) {
  const open = endpoints.filter(({ kind, url }) => !isLocalKind(kind) && isOpenWay(url ?? ''));
  return [...new Set(open.map(({ url }) => hostOf(url ?? '')))];
}

/** Further headers as a person writes them, one a line. @param {string} text @returns {Record<string, string>} */
export function readHeaders(text) {
  /** @type {Record<string, string>} */
  const headers = {};
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const at = line.indexOf(':');
    if (at < 1)
      throw new LlmError('bad-config', 'a header is not written as “name: value”', { reason: 'header-form' });
    headers[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return headers;
}

/** A model that the page carries itself: it is listed too, though not where it goes. @param {Model} model @returns {Model['complete']} */
function listed(model) {
  return async (request, options) => {
    const { step, call, passages, turns = 0 } = request;
    const bytesOut = new TextEncoder().encode(JSON.stringify(request.messages)).length;
    const entry = ledger.begin({
      endpoint: 'page',
      url: null,
      method: 'given',
      step,
      call,
      attempt: 1,
      passages,
      turns,
      bytesOut,
    });
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

/**
 * Endpoints for single steps, which profiles name. Each has secrets of its own, which are held in memory and go to its
 * server alone.
 */

import { LlmError } from '../llm/errors.js';
import { createProvider } from '../llm/provider.js';
import {
  configOf,
  hold,
  nameOf,
  noSecrets,
  parted,
  sourceOf,
  recalled,
  serverOf,
  stored,
} from './endpoint-choice.js';

/** @typedef {import('./endpoint-choice.js').EndpointChoice} EndpointChoice */
/** @typedef {import('./endpoint-choice.js').Secrets} Secrets */
/** @typedef {import('../llm/types.js').Provider} Provider */

/**
 * An endpoint for single steps as it is shown, without secrets.
 * @typedef {object} Named
 * @property {string} name
 * @property {Readonly<EndpointChoice>} choice
 * @property {string} model
 * @property {string} where its server
 * @property {boolean} isLocked it was remembered, and its key was not
 */

/** @typedef {{ choice: EndpointChoice, held: import('./endpoint-choice.js').HeldSecrets | null, isLocked: boolean }} Entry */

/** Maximum number of endpoints; a profile has six steps. */
const maxEndpoints = 12;
const maxName = 60;
/** Names that the list of requests has for others. */
const taken = new Set(['default', 'browser', 'device', 'page', 'agent']);

export class NamedEndpoints {
  /** In the order in which they were added. @type {Map<string, Entry>} */
  #entries = new Map();

  /** @returns {Named[]} */
  get list() {
    return [...this.#entries].map(([name, { choice, isLocked }]) => {
      const { name: model, where } = sourceOf(choice);
      return { name, choice: { ...choice }, model, where, isLocked };
    });
  }

  /** Its configuration, for asking or checking it; `name` is that of the one that is edited. @param {EndpointChoice} choice @param {Secrets} secrets @param {string | null} name */
  config(choice, secrets, name) {
    return configOf(choice, secrets, this.#entries.get(name ?? '')?.held ?? null);
  }

  /**
   * Adds one, or changes that of the old name. An empty key leaves the one that is there, for the same server; where
   * that one is missing, it still is.
   * @param {string} name @param {EndpointChoice} choice @param {Secrets} secrets @param {string | null} old
   * @throws {LlmError} `bad-config`; nothing has changed then
   */
  put(name, choice, secrets, old) {
    if (name === '') throw new LlmError('bad-config', 'the name is missing', { reason: 'name-missing' });
    if (name.length > maxName)
      throw new LlmError('bad-config', `the name has more than ${maxName} characters`, {
        reason: 'name-long',
      });
    if (taken.has(name))
      throw new LlmError('bad-config', `the name ${JSON.stringify(name)} is in use`, {
        reason: 'name-taken',
      });
    if (name !== old && this.#entries.has(name))
      throw new LlmError('bad-config', 'there is a model of this name', { reason: 'name-exists' });
    if (old === null && this.#entries.size >= maxEndpoints)
      throw new LlmError('bad-config', `there are ${maxEndpoints} models already`, {
        reason: 'too-many-endpoints',
      });
    const config = this.config(choice, secrets, old);
    nameOf(config);
    createProvider(config); // says what is wrong with it
    const held = hold(config, choice);
    const was = this.#entries.get(old ?? '');
    const isLocked =
      was?.isLocked === true && serverOf(was.choice) === serverOf(choice) && !stored(choice, held).secret;
    const entry = { choice: parted(choice, secrets).choice, held, isLocked };
    // One that is renamed keeps its place.
    const entries = [...this.#entries].map(
      ([each, its]) => /** @type {[string, Entry]} */ (each === old ? [name, entry] : [each, its]),
    );
    this.#entries = new Map(old !== null && this.#entries.has(old) ? entries : [...entries, [name, entry]]);
  }

  /** @param {string} name */
  remove(name) {
    this.#entries.delete(name);
  }

  clear() {
    this.#entries.clear();
  }

  /** @param {import('../llm/provider.js').ProviderOptions} options @returns {Pick<Provider, 'name' | 'complete'>[]} */
  providers(options) {
    return [...this.#entries].map(([name, { choice, held, isLocked }]) =>
      isLocked ? locked(name) : createProvider({ ...configOf(choice, noSecrets, held), name }, options),
    );
  }

  /** The part of the endpoints that may be stored. */
  toStored() {
    return [...this.#entries].map(([name, { choice, held, isLocked }]) => {
      const { choice: kept, secret } = stored(choice, held);
      return { name, choice: kept, secret: secret || isLocked };
    });
  }

  /** Takes up what was stored; what is none of ours is left out. @param {unknown} kept */
  recall(kept) {
    if (!Array.isArray(kept)) return;
    for (const each of kept.slice(0, maxEndpoints)) {
      const choice = recalled(each?.choice);
      if (choice === null || typeof each.name !== 'string') continue;
      try {
        this.put(each.name, choice, noSecrets, null);
        const entry = this.#entries.get(each.name);
        if (entry) entry.isLocked = each.secret === true;
      } catch {
        // It is no longer one that can be asked.
      }
    }
  }
}

/** An endpoint whose key must be entered again: it fails without asking. @param {string} name @returns {Pick<Provider, 'name' | 'complete'>} */
function locked(name) {
  return {
    name,
    complete: () =>
      Promise.reject(
        new LlmError('bad-config', `the key of the model “${name}” is missing`, {
          reason: 'key-missing',
          values: { endpoint: name },
        }),
      ),
  };
}

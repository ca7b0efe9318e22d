/**
 * The endpoints that profiles name for some of their steps, besides the one that answers are written with: each with a
 * name, and with secrets of its own that are held in memory and go to its server alone.
 */

import { LlmError } from '../llm/errors.js';
import { createProvider } from '../llm/provider.js';
import { configOf, hold, hostOf, nameOf, noSecrets, recalled, serverOf, stored } from './choice.js';

/** @typedef {import('./choice.js').Choice} Choice */
/** @typedef {import('./choice.js').Secrets} Secrets */
/** @typedef {import('../llm/types.js').Provider} Provider */

/**
 * What is said of one, without secrets.
 * @typedef {object} Named
 * @property {string} name
 * @property {Readonly<Choice>} choice
 * @property {string} model
 * @property {string} where its server
 * @property {boolean} isLocked it was remembered, and its key was not
 */

/** @typedef {{ choice: Choice, held: import('./choice.js').Held | null, isLocked: boolean }} Entry */

/** How many there may be; a profile has six steps. */
const maxEndpoints = 12;
const maxName = 60;
/** Names that the list of requests has for others. */
const taken = new Set(['default', 'browser', 'page']);

export class NamedEndpoints {
  /** In the order in which they were added. @type {Map<string, Entry>} */
  #entries = new Map();

  /** @returns {Named[]} */
  get list() {
    return [...this.#entries].map(([name, { choice, isLocked }]) => ({
      name,
      choice: { ...choice },
      model: choice.kind === 'prompt-api' ? '' : choice.model,
      where: choice.kind === 'prompt-api' ? 'this browser' : hostOf(choice.url),
      isLocked,
    }));
  }

  /** Its configuration, for asking or checking it; `name` is that of the one that is edited. @param {Choice} choice @param {Secrets} secrets @param {string | null} name */
  config(choice, secrets, name) {
    return configOf(choice, secrets, this.#entries.get(name ?? '')?.held ?? null);
  }

  /**
   * Adds one, or changes that of the old name. An empty key leaves the one that is there, for the same server; where
   * that one is missing, it still is.
   * @param {string} name @param {Choice} choice @param {Secrets} secrets @param {string | null} old
   * @throws {LlmError} `bad-config`; nothing has changed then
   */
  put(name, choice, secrets, old) {
    if (name === '')
      throw new LlmError('bad-config', 'the name of the endpoint is missing', {
        hint: 'It is the one by which a profile names it.',
      });
    if (name.length > maxName)
      throw new LlmError('bad-config', `the name has more than ${maxName} characters`);
    if (taken.has(name))
      throw new LlmError('bad-config', `the name ${JSON.stringify(name)} is in use`, {
        hint: 'Choose another name.',
      });
    if (name !== old && this.#entries.has(name))
      throw new LlmError('bad-config', 'there is an endpoint of this name', {
        hint: 'Edit that one, or choose another name.',
      });
    if (old === null && this.#entries.size >= maxEndpoints)
      throw new LlmError('bad-config', `there are ${maxEndpoints} endpoints already`);
    const config = this.config(choice, secrets, old);
    nameOf(config);
    createProvider(config); // says what is wrong with it
    const held = hold(config, choice);
    const was = this.#entries.get(old ?? '');
    const isLocked =
      was?.isLocked === true && serverOf(was.choice) === serverOf(choice) && !stored(choice, held).secret;
    const entry = { choice: { ...choice }, held, isLocked };
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

  /** @param {import('../llm/ledger.js').Ledger} ledger @returns {Pick<Provider, 'name' | 'complete'>[]} */
  providers(ledger) {
    return [...this.#entries].map(([name, { choice, held, isLocked }]) =>
      isLocked ? locked(name) : createProvider({ ...configOf(choice, noSecrets, held), name }, { ledger }),
    );
  }

  /** What may be stored of them. */
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

/** One whose key must be entered again. The message has its name: hints are kept by it. @param {string} name @returns {Pick<Provider, 'name' | 'complete'>} */
function locked(name) {
  return {
    name,
    complete: () =>
      Promise.reject(
        new LlmError('bad-config', `the key of the endpoint “${name}” is missing`, {
          hint: `Enter the key of “${name}” in the settings.`,
        }),
      ),
  };
}

/**
 * The endpoints that a profile's file names, each with the steps that it names it for, in the file's order. Read well
 * enough to remind of those that are not set up; what is asked is the engine's to say, which reads the whole of TOML.
 * @param {string} file
 * @returns {Map<string, string[]>}
 */
export function endpointsOf(file) {
  /** @type {Map<string, string[]>} */
  const named = new Map();
  let step = '';
  for (const line of file.split(/\r?\n/)) {
    // Any header ends the table before it, also one that is not read here.
    const header = /^\s*\[([^[\]]*)\]/.exec(line)?.[1]?.trim() ?? '';
    if (/^\s*\[/.test(line)) step = /^steps\s*\.\s*(\w+)$/.exec(header)?.[1] ?? '';
    const [, inline, dotted, double, single] =
      /^\s*(?:(\w+)\s*=\s*\{.*?|(?:steps\s*\.\s*)?(\w+)\s*\.\s*|)\bendpoint\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(
        line,
      ) ?? [];
    const name = double ?? single;
    if (name === undefined) continue;
    const steps = named.get(name) ?? [];
    const of = inline ?? dotted ?? step;
    if (of !== '' && !steps.includes(of)) steps.push(of);
    named.set(name, steps);
  }
  return named;
}

/**
 * One endpoint as a person chose it, without its secrets: the part that may be stored, and the configuration that
 * choice and secrets give together.
 */

import { isLocalKind, resolve, withoutSecrets } from '../llm/endpoint.js';
import { LlmError } from '../llm/errors.js';

/** @typedef {import('../llm/endpoint.js').EndpointConfig} EndpointConfig */

/**
 * The endpoint that a person chose, without secrets.
 * @typedef {object} EndpointChoice
 * @property {'none' | import('../llm/endpoint.js').Kind} kind
 * @property {string} url
 * @property {string} model
 * @property {NonNullable<EndpointConfig['auth']>} auth the header of the key
 * @property {number} seconds the longest wait for a whole reply
 */

/**
 * Secrets as they are entered; `query` has those of the address, which `parted` takes out of it.
 * @typedef {{ key: string, headers: Record<string, string>, query?: Record<string, string> }} Secrets
 */
/** Secrets with the server that they were entered for. @typedef {Secrets & { for: string }} HeldSecrets */

/** @type {Readonly<EndpointChoice>} */
export const nothing = { kind: 'none', url: '', model: '', auth: 'bearer', seconds: 300 };

/** @type {Readonly<Secrets>} */
export const noSecrets = { key: '', headers: {} };

/**
 * A choice whose address has no secrets, and the secrets with those that stood in it.
 * @param {EndpointChoice} choice @param {Secrets} secrets
 * @returns {{ choice: EndpointChoice, secrets: Secrets }}
 */
export function parted(choice, secrets) {
  const { url, query } = withoutSecrets(choice.url);
  return { choice: { ...choice, url }, secrets: { ...secrets, query: { ...secrets.query, ...query } } };
}

/**
 * The endpoint of a choice. A key that is held goes to no other server than the one that it was entered for.
 * @param {EndpointChoice} chosen @param {Secrets} entered @param {HeldSecrets | null} held those that are there, for what is empty now
 * @returns {EndpointConfig & { kind: import('../llm/endpoint.js').Kind }}
 */
export function configOf(chosen, entered, held) {
  const { choice, secrets } = parted(chosen, entered);
  const { kind, url, model, auth, seconds } = choice;
  const { key, headers, query = {} } = secrets;
  if (kind === 'none') throw new LlmError('bad-config', 'no model is set', { reason: 'no-endpoint' });
  const own = held?.for === serverOf({ kind, url }) ? held : null;
  return {
    kind,
    url,
    model,
    auth: kind === 'anthropic' && auth === 'bearer' ? 'x-api-key' : auth,
    // A model on this device takes its time, and tells how it gets on: who waits decides.
    ...(kind === 'device'
      ? {}
      : { timeoutMs: seconds * 1000, firstByteMs: Math.max(120_000, seconds * 500) }),
    key: key || (own?.key ?? ''),
    headers: Object.keys(headers).length > 0 ? headers : (own?.headers ?? {}),
    query: Object.keys(query).length > 0 ? query : (own?.query ?? {}),
  };
}

/** The secrets of an endpoint, as they are held. @param {EndpointConfig} config @param {EndpointChoice} choice @returns {HeldSecrets} */
export function hold({ key = '', headers = {}, query = {} }, choice) {
  return { for: serverOf(choice), key, headers, query };
}

/**
 * Whose words come from an endpoint, without secrets.
 * @param {EndpointConfig} config @returns {{ name: string, where: string }}
 * @throws {LlmError} `bad-config`
 */
export function nameOf(config) {
  if (isLocalKind(config.kind)) {
    const { kind, model: name = '' } = config;
    if (kind === 'device' && name === '')
      throw new LlmError('bad-config', 'no model file is open', { reason: 'model-file-missing' });
    return sourceOf({ kind, url: '', model: name });
  }
  const { model, url } = resolve(config);
  if (model.trim() === '')
    throw new LlmError('bad-config', 'the name of the model is missing', { reason: 'model-name-missing' });
  return { name: model, where: url.host };
}

/**
 * The part of a choice that is stored: the address without its parameters. `secret` is true if more is needed to ask it.
 * @param {EndpointChoice} choice @param {HeldSecrets | null} held
 */
export function stored({ url, ...rest }, held) {
  const [address = ''] = url.split(/[?#]/, 1);
  const secret = address !== url || (held !== null && holdsAny(held));
  return { choice: { ...rest, url: address }, secret };
}

/** @param {Secrets} secrets */
function holdsAny({ key, headers, query = {} }) {
  return key !== '' || Object.keys(headers).length > 0 || Object.keys(query).length > 0;
}

/** The choice that was stored; null where it is none of ours. @param {unknown} kept @returns {EndpointChoice | null} */
export function recalled(kept) {
  const { kind, url, model, auth, seconds } = {
    ...nothing,
    .../** @type {Partial<EndpointChoice> | null} */ (kept),
  };
  if (
    !['none', 'openai', 'anthropic', 'prompt-api', 'device'].includes(kind) ||
    ![url, model].every((text) => typeof text === 'string')
  )
    return null;
  return {
    kind,
    url,
    model,
    auth: auth === 'api-key' || auth === 'x-api-key' ? auth : 'bearer',
    seconds: Number(seconds) > 0 ? Number(seconds) : nothing.seconds,
  };
}

/** @param {Pick<EndpointChoice, 'kind' | 'url'>} choice */
export function serverOf({ kind, url }) {
  try {
    return `${kind} ${new URL(url.trim()).origin}`;
  } catch {
    return kind;
  }
}

/**
 * Model of a choice and its place, which is a server or a key of `strings.places`.
 * @param {Pick<EndpointChoice, 'kind' | 'url' | 'model'>} choice @returns {{ name: string, where: string }}
 */
export function sourceOf({ kind, url, model }) {
  if (kind === 'prompt-api') return { name: '', where: 'this browser' };
  return { name: model, where: kind === 'device' ? 'this device' : hostOf(url) };
}

/** @param {string} url */
export function hostOf(url) {
  try {
    return new URL(url.trim()).host;
  } catch {
    return '';
  }
}

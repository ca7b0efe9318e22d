/**
 * An endpoint as a person configures it, and as it is used: the address made complete, the key turned into a
 * header, limits filled in, and everything that must not be done refused here, once, before a request exists.
 *
 * A key is never sent over http except to this machine, never to another origin than the configured one, and
 * never in an address. It lives in the closure of `resolve` alone: the settings that others see are without it.
 */

import { LlmError, scrubber } from './errors.js';

/** @typedef {'openai' | 'anthropic' | 'prompt-api' | 'device'} Kind `device`: a model file of this device */

/** True if a model of this kind is asked without a server. @param {string} kind */
export const isLocalKind = (kind) => kind === 'prompt-api' || kind === 'device';

/**
 * @typedef {object} EndpointConfig what a person or a portal gives
 * @property {Kind} kind
 * @property {string} [name] by which profiles name it
 * @property {string} [url] base address, with or without `/v1`, or the whole address of the method
 * @property {string} [model]
 * @property {string} [key]
 * @property {'bearer' | 'api-key' | 'x-api-key'} [auth] the header of the key: `api-key` is Azure's
 * @property {Record<string, string>} [headers] further headers; their values count as secret
 * @property {Record<string, string>} [query] parameters of the address, such as `api-version` of Azure
 * @property {boolean} [stream]
 * @property {number} [timeoutMs] of a whole request, with its retries
 * @property {number} [firstByteMs] until the server answers; a model on a small machine reads a long prompt slowly
 * @property {number} [stallMs] between two pieces of the reply
 * @property {number} [maxReplyBytes]
 * @property {number} [attempts]
 */

/**
 * @typedef {object} Endpoint what adapters use; it can be printed without harm
 * @property {string} name
 * @property {Kind} kind
 * @property {URL} url of the method that is asked, without parameters
 * @property {URL} models of the list of models, without parameters
 * @property {string} model
 * @property {boolean} isOpen true if the way to it is not encrypted, and leaves this machine
 * @property {boolean} stream
 * @property {number} timeoutMs
 * @property {number} firstByteMs
 * @property {number} stallMs
 * @property {number} maxReplyBytes
 * @property {number} attempts
 * @property {(url: URL) => { address: string, headers: Record<string, string> }} sign makes a request of the address
 * @property {(text: string) => string} scrub takes the secrets out of a text
 */

const limits = {
  timeoutMs: 300_000,
  firstByteMs: 120_000,
  stallMs: 45_000,
  maxReplyBytes: 8 * 1024 * 1024,
  attempts: 4,
};

/** Headers that the page, the browser or the protocol sets. */
const reserved =
  /^(?:content-type|accept|host|cookie2?|set-cookie|origin|referer|content-length|connection|transfer-encoding|(?:proxy|sec)-.*)$/i;

/**
 * @param {EndpointConfig} config
 * @returns {Endpoint}
 * @throws {LlmError} `bad-config`
 */
export function resolve(config) {
  const { kind, name = 'default', model = '', key = '', query = {}, stream = true } = config;
  const auth = config.auth ?? (kind === 'anthropic' ? 'x-api-key' : 'bearer');
  if (kind !== 'openai' && kind !== 'anthropic')
    throw bad('no-endpoint', `there is no endpoint of the kind ${JSON.stringify(kind).slice(0, 40)}`);
  const base = address(config.url ?? '');
  const parameters = new URLSearchParams(base.search);
  for (const [parameter, value] of Object.entries(query)) parameters.set(parameter, String(value));
  base.search = '';
  // The line break that a paste brings would otherwise fail as an invalid header, with the key in the message.
  const secret = key.trim();
  /** @type {Record<string, string>} */
  const headers = {};
  for (const [header, value] of Object.entries(config.headers ?? {})) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header) || reserved.test(header))
      throw bad('header-reserved', `the header ${JSON.stringify(header).slice(0, 60)} cannot be set`);
    headers[header.toLowerCase()] = printable(String(value).trim(), 'a header');
  }
  if (secret)
    headers[auth === 'bearer' ? 'authorization' : auth] =
      (auth === 'bearer' ? 'Bearer ' : '') + printable(secret, 'the key');
  const named = [...parameters].filter(([parameter]) => namesSecret(parameter)).map(([, value]) => value);
  const confidential =
    secret !== '' || Object.keys(headers).some((header) => namesSecret(header)) || named.length > 0;
  const isOpen = base.protocol === 'http:' && !isLoopback(base.hostname);
  if (confidential && isOpen) throw bad('key-over-http', 'a key is not sent over http to another machine');
  const others = [...Object.values(headers), ...parameters.values()].filter((value) => value.length >= 8);
  const secrets = [secret, ...named, ...others];
  const url = method(base, kind);
  return {
    name,
    kind,
    url,
    models: sibling(url, kind),
    model,
    isOpen,
    stream,
    timeoutMs: positive(config.timeoutMs, limits.timeoutMs),
    firstByteMs: positive(config.firstByteMs, limits.firstByteMs),
    stallMs: positive(config.stallMs, limits.stallMs),
    maxReplyBytes: positive(config.maxReplyBytes, limits.maxReplyBytes),
    attempts: Math.min(10, positive(config.attempts, limits.attempts)),
    sign: (target) => {
      if (target.origin !== base.origin) throw bad('bad-config', 'only the configured server is asked');
      const search = parameters.toString();
      return {
        address: target.origin + target.pathname + (search ? `?${search}` : ''),
        headers: { ...headers },
      };
    },
    scrub: scrubber(secrets),
  };
}

/** Names of parameters and headers whose values are secrets: gateways and functions put keys into addresses. */
const secretName = /auth|key|token|secret|pass|sig|cred|jwt|^(?:code|pwd|sas|session)$/i;

/** True if the value of a parameter or header of this name is a secret. @param {string} name */
export function namesSecret(name) {
  return secretName.test(name);
}

/**
 * An address in two: without the parameters that are secrets, and these. What is no address is left as it is.
 * @param {string} text @returns {{ url: string, query: Record<string, string> }}
 */
export function withoutSecrets(text) {
  const at = text.indexOf('?');
  if (at < 0) return { url: text, query: {} };
  const end = text.indexOf('#', at);
  const parameters = new URLSearchParams(text.slice(at + 1, end < 0 ? undefined : end));
  const secrets = [...parameters].filter(([name]) => namesSecret(name));
  if (secrets.length === 0) return { url: text, query: {} };
  for (const [name] of secrets) parameters.delete(name);
  const rest = parameters.toString();
  return { url: text.slice(0, at) + (rest ? `?${rest}` : ''), query: Object.fromEntries(secrets) };
}

/** True if the way to an address is not encrypted, and leaves this machine. @param {string} text */
export function isOpenWay(text) {
  try {
    const { protocol, hostname } = new URL(text.trim());
    return protocol === 'http:' && !isLoopback(hostname);
  } catch {
    return false;
  }
}

/** True if a host name means this machine. @param {string} host as `URL.hostname` gives it */
export function isLoopback(host) {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
  );
}

/** True if a host is this machine or one of a local network, as far as its name tells. @param {string} host */
export function isLocal(host) {
  return (
    isLoopback(host) ||
    /^(?:10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|\[f[cd]|\[fe80)/.test(
      host,
    ) ||
    /\.(?:local|lan|internal|home\.arpa)$/.test(host) ||
    !/[.:]/.test(host)
  );
}

/** @param {string} text */
function address(text) {
  const trimmed = text.trim();
  if (trimmed === '') throw bad('address-missing', 'the address is missing');
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed))
    throw bad('address-scheme', 'the address does not begin with http:// or https://');
  let url;
  try {
    url = new URL(trimmed);
  } catch {
    throw bad('address-invalid', 'the address is not a URL');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw bad('address-scheme', 'the address does not begin with http:// or https://');
  if (url.username || url.password)
    throw bad('address-credentials', 'the address holds a user name or password');
  url.hash = '';
  return url;
}

/** The address of the method: what is missing of it is added. @param {URL} base @param {Kind} kind */
function method(base, kind) {
  const url = new URL(base);
  const last = kind === 'anthropic' ? '/messages' : '/chat/completions';
  const path = url.pathname.replace(/\/+$/, '');
  if (path.endsWith(last)) url.pathname = path;
  // A version in the path (/v1, /v1beta/openai) or Azure's deployment: what follows is the method.
  else if (/\/v\d+[a-z0-9]*(?:\/|$)|\/deployments\//.test(path)) url.pathname = path + last;
  else url.pathname = `${path}/v1${last}`;
  return url;
}

/** @param {URL} url @param {Kind} kind */
function sibling(url, kind) {
  const models = new URL(url);
  models.pathname = url.pathname.replace(
    kind === 'anthropic' ? /\/messages$/ : /\/chat\/completions$/,
    '/models',
  );
  return models;
}

/** @param {string} value @param {string} what */
function printable(value, what) {
  if (!/^[\x20-\x7e]*$/.test(value))
    throw bad('header-characters', `${what} holds characters that a header cannot carry`);
  return value;
}

/** @param {number | undefined} value @param {number} fallback */
function positive(value, fallback) {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : fallback;
}

/** @param {import('./errors.js').LlmReason} reason @param {string} message */
function bad(reason, message) {
  return new LlmError('bad-config', message, { reason });
}

/**
 * The connection check: why an endpoint does not work, and on which side it can be mended. A browser tells a page
 * nothing but "failed" of most faults. They are told apart by what else can be seen: where page and server stand, what
 * the policy of the page reports, whether a request that needs no leave gets through, and, once answers can be read, what they
 * say. Whether a server that lets no page read its answers is there at all stays open: the only request that would tell
 * follows redirects, to wherever they lead. The result is a code with values; `strings/` has the words.
 *
 * It asks the configured server only, follows no redirect, sends no text of a document, and every request of it is in the
 * ledger.
 */

import { anthropicHeaders } from './anthropic.js';
import { isLocal, isLoopback, resolve } from './endpoint.js';
import { LlmError } from './errors.js';
import { Ledger } from './ledger.js';
import { browserModel } from './prompt-api.js';
import { createProvider } from './provider.js';
import { serverAt } from './servers.js';
import { send, textOf } from './transport.js';

/** @typedef {import('./endpoint.js').EndpointConfig} EndpointConfig */
/** @typedef {import('./endpoint.js').Endpoint} Endpoint */

/**
 * @typedef {'answers' | 'answers-unlisted' | 'config' | 'no-model' | 'policy' | 'mixed-content' | 'local-network' | 'unreachable'
 *   | 'cors' | 'redirect' | 'path' | 'key-refused' | 'no-credit' | 'model-unknown' | 'busy' | 'server' | 'slow' | 'protocol'
 *   | 'browser-ready' | 'browser-download' | 'browser-missing' | 'device-answers' | 'cancelled'} Finding
 */

/**
 * Values for the words of a finding, which `strings/` has.
 * @typedef {object} FindingValues
 * @property {string} origin of the server
 * @property {string} page origin of this page; `null` of a file
 * @property {string} model that was asked for
 * @property {string} reply name of the model that answered
 * @property {string[]} models that the server lists; may be empty
 * @property {import('./servers.js').ServerId | null} server the program that usually has this port
 * @property {string} address that was asked
 * @property {string | null} better base address of the same server at which the protocol is spoken
 * @property {boolean} isSecure the server has an https address
 * @property {boolean} isCrossing the page stands outside the local network and the server inside
 * @property {boolean} isSafariBlocked Safari does not let this page ask that server
 */

/**
 * @typedef {object} CheckResult
 * @property {boolean} ok
 * @property {Finding} finding
 * @property {FindingValues} values
 * @property {LlmError | null} error of the configuration (`config`) or the reply (`protocol`)
 * @property {string[]} models that the server lists; may be empty
 * @property {string} detail the server's own words
 */

/**
 * @typedef {object} CheckOptions
 * @property {Ledger} [ledger]
 * @property {typeof globalThis.fetch} [fetch]
 * @property {{ protocol: string, hostname: string, origin: string }} [page] where the page stands
 * @property {(name: string) => Promise<string | null>} [permission] `granted`, `prompt`, `denied`; null where unknown
 * @property {AbortSignal | null} [signal]
 * @property {number} [timeoutMs] of each request
 * @property {(() => Promise<import('./device.js').Device>) | null} [openDevice] the model on this device
 */

/**
 * @param {EndpointConfig} config
 * @param {CheckOptions} [options]
 * @returns {Promise<CheckResult>}
 */
export async function check(config, options = {}) {
  const {
    ledger = new Ledger(),
    fetch = (...request) => globalThis.fetch(...request),
    signal = null,
    timeoutMs = 20_000,
  } = options;
  const page = options.page ?? here();
  /** @type {FindingValues} */
  const values = { ...noValues, page: page.origin };
  if (config.kind === 'prompt-api') return checkBrowser();
  if (config.kind === 'device') return checkDevice(config, options);
  /** @type {Endpoint} */
  let endpoint;
  try {
    endpoint = resolve({ ...config, attempts: 1, firstByteMs: timeoutMs, stallMs: timeoutMs, timeoutMs });
  } catch (error) {
    return { ...result('config', values), error: /** @type {LlmError} */ (error) };
  }
  const { origin, protocol, hostname } = endpoint.url;
  values.origin = origin;
  values.model = endpoint.model;
  values.server = serverAt(endpoint.url);
  values.address = origin + endpoint.url.pathname;
  values.isSecure = protocol === 'https:';
  if (page.protocol === 'https:' && protocol === 'http:' && !isLoopback(hostname))
    return result('mixed-content', values);
  const watch = watchPolicy(endpoint.url.origin);
  const world = { fetch, ledger, now: Date.now };
  try {
    const models = await listModels(endpoint, world, signal, timeoutMs);
    const provider = createProvider(
      { ...config, attempts: 1, timeoutMs, firstByteMs: timeoutMs, stallMs: timeoutMs },
      { ledger, fetch },
    );
    values.models = models;
    if (endpoint.model === '') return result('no-model', values);
    const reply = await provider.complete(greeting, { signal });
    // Some servers (llama.cpp) have one model and answer with it, whatever name is asked for; others (Azure) do not list
    // what they have. So this is no fault, but must be said.
    const isListed =
      models.length === 0 || [...models, reply.model].some((name) => isNamed(name, endpoint.model));
    values.reply = reply.model;
    return { ...result(isListed ? 'answers' : 'answers-unlisted', values), ok: true };
  } catch (error) {
    if (!(error instanceof LlmError)) throw error;
    const request = { endpoint, world, signal, timeoutMs, values };
    const finding =
      error.code === 'network'
        ? await whyUnseen(request, page, options.permission ?? askPermission, await watch.blocked())
        : await whyRefused(request, error);
    return { ...result(finding, values), error: finding === 'protocol' ? error : null, detail: error.detail };
  } finally {
    watch.end();
  }
}

/** The request of a check. @type {import('./types.js').LlmRequest} */
const greeting = {
  call: 0,
  step: 'check',
  endpoint: null,
  model: null,
  messages: [{ role: 'user', content: 'Reply with: OK' }],
  maxTokens: 16,
  temperature: 0,
  schema: null,
  passages: [],
};

/** True if a server's name of a model is the one asked for, which may leave out the tag (Ollama). @param {string} name @param {string} asked */
function isNamed(name, asked) {
  return name === asked || name.startsWith(`${asked}:`);
}

/** The models that the server lists; none where it has no list, which is no fault.
 * @param {Endpoint} endpoint @param {import('./transport.js').World} world @param {AbortSignal | null} signal @param {number} timeoutMs */
async function listModels(endpoint, world, signal, timeoutMs) {
  try {
    const text = await get(endpoint, endpoint.models, world, signal, timeoutMs);
    const { data } = /** @type {{ data?: unknown }} */ (JSON.parse(text));
    if (!Array.isArray(data)) return [];
    return data
      .map((each) => each?.id)
      .filter((id) => typeof id === 'string')
      .slice(0, 200);
  } catch (error) {
    // What follows will say it better, except for what ends everything.
    if (error instanceof LlmError && ['cancelled', 'network', 'unauthorized'].includes(error.code))
      throw error;
    return [];
  }
}

/** @param {Endpoint} endpoint @param {URL} url @param {import('./transport.js').World} world @param {AbortSignal | null} signal @param {number} timeoutMs */
async function get(endpoint, url, world, signal, timeoutMs) {
  const headers = endpoint.kind === 'anthropic' ? anthropicHeaders : {};
  return send(
    {
      endpoint,
      url,
      method: 'GET',
      headers,
      step: 'check',
      call: null,
      attempt: 1,
      passages: [],
      signal,
      deadline: world.now() + timeoutMs,
    },
    world,
    textOf,
  );
}

/**
 * @typedef {object} Check a check under way
 * @property {Endpoint} endpoint
 * @property {import('./transport.js').World} world
 * @property {AbortSignal | null} signal
 * @property {number} timeoutMs
 * @property {FindingValues} values filled in with what is found
 */

/**
 * The page saw no answer: either the server or the browser refused.
 * @param {Check} check
 * @param {NonNullable<CheckOptions['page']>} page
 * @param {NonNullable<CheckOptions['permission']>} permission
 * @param {boolean} blocked true if the policy of the page forbade the request
 * @returns {Promise<Finding>}
 */
async function whyUnseen({ endpoint, world, signal, timeoutMs, values }, page, permission, blocked) {
  const { url } = endpoint;
  if (blocked) return 'policy';
  values.isCrossing = isLocal(url.hostname) && !isLocal(page.hostname) && page.protocol !== 'file:';
  if (values.isCrossing && (await isDenied(permission, url))) return 'local-network';
  const seen = await probe(endpoint, world, signal, timeoutMs);
  if (seen === 'redirect') return 'redirect';
  if (seen === 'answers') return 'cors';
  values.isSafariBlocked = page.protocol === 'https:' && url.protocol === 'http:';
  return 'unreachable';
}

/**
 * Tests if anything answers that the page may read: a request without key, headers or body, which needs no leave
 * beforehand.
 * @param {Endpoint} endpoint @param {import('./transport.js').World} world @param {AbortSignal | null} signal @param {number} timeoutMs
 * @returns {Promise<'answers' | 'redirect' | 'silent'>}
 */
async function probe(endpoint, world, signal, timeoutMs) {
  const { fetch, ledger } = world;
  const url = new URL(endpoint.models);
  const entry = ledger.begin({
    endpoint: endpoint.name,
    url,
    method: 'GET',
    step: 'check',
    call: null,
    attempt: 1,
    passages: [],
    bytesOut: 0,
  });
  const clock = AbortSignal.timeout(timeoutMs);
  try {
    // Not `no-cors`: it would see more servers, and follows redirects, which nothing can forbid it.
    const response = await fetch(url.origin + url.pathname, {
      mode: 'cors',
      redirect: 'manual',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      signal: signal ? AbortSignal.any([clock, signal]) : clock,
    });
    entry.end('ok');
    void response.body?.cancel().catch(() => {});
    const isRedirect =
      response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
    return isRedirect ? 'redirect' : 'answers';
  } catch {
    entry.end(signal?.aborted ? 'cancelled' : 'network');
    return 'silent';
  }
}

/**
 * The page saw an answer, and it was a refusal.
 * @param {Check} check @param {LlmError} error
 * @returns {Promise<Finding>}
 */
async function whyRefused({ endpoint, world, signal, timeoutMs, values }, error) {
  switch (error.code) {
    case 'unauthorized':
      return 'key-refused';
    case 'quota':
      return 'no-credit';
    case 'model-unknown':
    case 'wrong-path': {
      const models = await listModels(endpoint, world, signal, timeoutMs).catch(
        () => /** @type {string[]} */ ([]),
      );
      values.models = models;
      const isElsewhere = models.length > 0 && !models.some((name) => isNamed(name, endpoint.model));
      if (error.code === 'model-unknown' || isElsewhere) return 'model-unknown';
      values.better = await betterPath(endpoint, world, signal, timeoutMs);
      return 'path';
    }
    case 'rate-limited':
      return 'busy';
    case 'timeout':
    case 'stalled':
      return 'slow';
    case 'server-error':
      return 'server';
    case 'cancelled':
      return 'cancelled';
    default:
      return 'protocol';
  }
}

/** Base address of the same server at which the protocol is spoken; null where none is found.
 * @param {Endpoint} endpoint @param {import('./transport.js').World} world @param {AbortSignal | null} signal @param {number} timeoutMs */
async function betterPath(endpoint, world, signal, timeoutMs) {
  for (const base of ['/v1', '/api/v1', '/openai/v1']) {
    const models = new URL(`${base}/models`, endpoint.url);
    if (models.pathname === endpoint.models.pathname) continue;
    try {
      const { data } = /** @type {{ data?: unknown }} */ (
        JSON.parse(await get(endpoint, models, world, signal, timeoutMs))
      );
      if (Array.isArray(data)) return endpoint.url.origin + base;
    } catch {
      // Not there.
    }
  }
  return null;
}

/** @returns {Promise<CheckResult>} */
async function checkBrowser() {
  const state =
    (await browserModel()
      ?.availability()
      .catch(() => 'unavailable')) ?? 'missing';
  if (state === 'available') return { ...result('browser-ready', noValues), ok: true };
  const isOnItsWay = state === 'downloadable' || state === 'downloading';
  return result(isOnItsWay ? 'browser-download' : 'browser-missing', noValues);
}

/**
 * Loads the model of this device, and lets it say something.
 * @param {EndpointConfig} config
 * @param {Pick<CheckOptions, 'ledger' | 'signal' | 'openDevice'>} options
 * @returns {Promise<CheckResult>}
 */
async function checkDevice(config, { ledger = new Ledger(), signal = null, openDevice = null }) {
  const values = { ...noValues, model: config.model ?? '' };
  try {
    await createProvider(config, { ledger, openDevice }).complete(greeting, { signal });
    return { ...result('device-answers', values), ok: true };
  } catch (error) {
    if (!(error instanceof LlmError)) throw error;
    if (error.code === 'cancelled') return result('cancelled', values);
    return { ...result('config', values), error, detail: error.detail };
  }
}

/** Reports of the page's own policy against this origin. @param {string} origin */
function watchPolicy(origin) {
  let blocked = false;
  const target = typeof document === 'undefined' ? null : document;
  /** @param {SecurityPolicyViolationEvent} event */
  const note = (event) => {
    if (event.effectiveDirective === 'connect-src' && event.blockedURI.startsWith(origin)) blocked = true;
  };
  target?.addEventListener('securitypolicyviolation', note);
  // The report comes after the request has failed, in a task of its own.
  const report = () => new Promise((resolve) => setTimeout(resolve, target && !blocked ? 50 : 0));
  return {
    blocked: async () => {
      await report();
      return blocked;
    },
    end: () => target?.removeEventListener('securitypolicyviolation', note),
  };
}

/** @param {NonNullable<CheckOptions['permission']>} permission @param {URL} url */
async function isDenied(permission, url) {
  const names = [isLoopback(url.hostname) ? 'loopback-network' : 'local-network', 'local-network-access'];
  for (const name of names) {
    const state = await permission(name);
    if (state !== null) return state === 'denied';
  }
  return false;
}

/** @param {string} name @returns {Promise<string | null>} */
async function askPermission(name) {
  try {
    const status = await navigator.permissions.query({ name: /** @type {PermissionName} */ (name) });
    return status.state;
  } catch {
    return null; // the browser does not know this permission
  }
}

/** @returns {NonNullable<CheckOptions['page']>} */
function here() {
  if (typeof location === 'undefined')
    return { protocol: 'http:', hostname: 'localhost', origin: 'http://localhost' };
  // A page from a file has the origin `null`.
  return { protocol: location.protocol, hostname: location.hostname, origin: location.origin };
}

/** @type {Readonly<FindingValues>} */
const noValues = {
  origin: '',
  page: '',
  model: '',
  reply: '',
  models: [],
  server: null,
  address: '',
  better: null,
  isSecure: false,
  isCrossing: false,
  isSafariBlocked: false,
};

/** @param {Finding} finding @param {FindingValues} values @returns {CheckResult} */
function result(finding, values) {
  return { ok: false, finding, values, error: null, models: values.models, detail: '' };
}

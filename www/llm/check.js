/**
 * The connection check: why does this endpoint not work, and what is to be done on which side? A browser tells
 * a page nothing but "failed" of most faults, so they are told apart by what else can be seen: where page and
 * server stand, what the policy of the page reports, whether a request whose answer the page may not read gets
 * through, and, once answers can be read, what they say.
 *
 * It asks the configured server only, sends no text of a document, and every request of it is in the ledger.
 */

import { anthropicHeaders } from './anthropic.js';
import { isLocal, isLoopback, resolve } from './endpoint.js';
import { LlmError } from './errors.js';
import { corsFix, serverOf, startFix } from './fixes.js';
import { Ledger } from './ledger.js';
import { browserModel } from './prompt-api.js';
import { createProvider } from './provider.js';
import { send, textOf } from './transport.js';

/** @typedef {import('./endpoint.js').EndpointConfig} EndpointConfig */
/** @typedef {import('./endpoint.js').Endpoint} Endpoint */

/**
 * @typedef {'address' | 'key-over-http' | 'policy' | 'mixed-content' | 'local-network' | 'unreachable' | 'cors' | 'redirect'
 *   | 'path' | 'key' | 'model' | 'busy' | 'server' | 'slow' | 'protocol' | 'browser' | 'cancelled'} Fault
 */

/**
 * @typedef {object} CheckResult
 * @property {boolean} ok
 * @property {Fault | null} fault
 * @property {string} message one sentence for a person
 * @property {string} fix what to do; may hold a command line. Empty where all is well
 * @property {string} server the program that answers there, as far as can be told
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
  if (config.kind === 'prompt-api') return checkBrowser();
  /** @type {Endpoint} */
  let endpoint;
  try {
    endpoint = resolve({ ...config, attempts: 1, firstByteMs: timeoutMs, stallMs: timeoutMs, timeoutMs });
  } catch (error) {
    const { message, hint } = /** @type {LlmError} */ (error);
    return result(message.includes('key is not sent') ? 'key-over-http' : 'address', sentence(message), hint);
  }
  if (page.protocol === 'https:' && endpoint.url.protocol === 'http:' && !isLoopback(endpoint.url.hostname)) {
    return result(
      'mixed-content',
      'A page served over https may not ask a server over http on another machine.',
      'Give the server an https address (a reverse proxy with a certificate), open this page over http in the local network, or run the server on this machine.',
    );
  }
  const watch = watchPolicy(endpoint.url.origin);
  const world = { fetch, ledger, now: Date.now };
  try {
    const models = await listModels(endpoint, world, signal, timeoutMs);
    const provider = createProvider(
      { ...config, attempts: 1, timeoutMs, firstByteMs: timeoutMs, stallMs: timeoutMs },
      { ledger, fetch },
    );
    if (endpoint.model === '')
      return { ...result('model', 'The endpoint has no model.', chooseFrom(models)), models };
    const reply = await provider.complete(
      {
        call: 0,
        step: 'check',
        endpoint: null,
        model: null,
        messages: [{ role: 'user', content: 'Reply with: OK' }],
        maxTokens: 16,
        temperature: 0,
        schema: null,
        passages: [],
      },
      { signal },
    );
    // Some servers (llama.cpp) have one model and answer with it, whatever name is asked for; others (Azure) do not list
    // what they have. So this is no fault, but must be said.
    if (models.length > 0 && ![...models, reply.model].some((name) => isNamed(name, endpoint.model))) {
      return {
        ...result(
          null,
          `A model answers at ${endpoint.url.origin}, though the server does not list ${quoted(endpoint.model)}.`,
          `It calls itself ${quoted(reply.model)}. ${chooseFrom(models)}`,
        ),
        ok: true,
        models,
        server: serverOf(endpoint.url),
      };
    }
    return {
      ...result(null, `${endpoint.model} answers at ${endpoint.url.origin}.`, ''),
      ok: true,
      models,
      server: serverOf(endpoint.url),
    };
  } catch (error) {
    if (!(error instanceof LlmError)) throw error;
    const found =
      error.code === 'network'
        ? await whyUnseen(endpoint, { ...options, page, signal, timeoutMs }, world, await watch.blocked())
        : await whyRefused(error, endpoint, world, signal, timeoutMs);
    return { ...found, detail: error.detail };
  } finally {
    watch.end();
  }
}

/** Whether a server's name of a model is the one that was asked for, which may leave out the tag (Ollama). @param {string} name @param {string} asked */
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
 * The page saw no answer. Did the server, or the browser, not want it?
 * @param {Endpoint} endpoint
 * @param {CheckOptions & { page: NonNullable<CheckOptions['page']>, timeoutMs: number }} options
 * @param {import('./transport.js').World} world
 * @param {boolean} blocked whether the page's own policy forbade the request
 */
async function whyUnseen(
  endpoint,
  { page, permission = askPermission, signal = null, timeoutMs },
  world,
  blocked,
) {
  const { url } = endpoint;
  const server = serverOf(url);
  if (blocked) {
    return {
      ...result(
        'policy',
        'The policy of this page does not allow requests to this server.',
        `Whoever serves this page must add ${url.origin} to connect-src of its Content-Security-Policy.`,
      ),
      server,
    };
  }
  const crossing = isLocal(url.hostname) && !isLocal(page.hostname) && page.protocol !== 'file:';
  if (crossing && (await isDenied(permission, url))) {
    return {
      ...result(
        'local-network',
        'The browser does not allow this page to reach servers on this machine or in the local network.',
        'Click the symbol to the left of the address, allow “Local network access” for this site, and check again.',
      ),
      server,
    };
  }
  const seen = await probe(endpoint, world, signal, timeoutMs);
  if (seen === 'redirect') {
    return {
      ...result(
        'redirect',
        'The server sends the request on to another address, which is not followed.',
        'Enter the final address: often https instead of http, or without a slash at the end.',
      ),
      server,
    };
  }
  if (seen === 'answers')
    return {
      ...result(
        'cors',
        'The server answers, but does not allow this page to read it (CORS).',
        corsFix(url, page.origin),
      ),
      server,
    };
  const safari = page.protocol === 'https:' && url.protocol === 'http:';
  const prompt = crossing
    ? ' If the browser asked whether this site may reach the local network, allow it.'
    : '';
  return {
    ...result(
      'unreachable',
      `Nothing answers at ${url.origin}.`,
      startFix(url) +
        prompt +
        (safari
          ? ' Safari does not let an https page ask a server over http, not even on this machine: use another browser.'
          : ''),
    ),
    server,
  };
}

/**
 * Whether anything answers there: a request without key, headers or body, whose answer the page may not read.
 * @param {Endpoint} endpoint @param {import('./transport.js').World} world @param {AbortSignal | null} signal @param {number} timeoutMs
 * @returns {Promise<'answers' | 'redirect' | 'silent'>}
 */
async function probe(endpoint, world, signal, timeoutMs) {
  const { fetch, ledger } = world;
  const url = new URL(endpoint.models);
  /** @param {RequestMode} mode @param {RequestRedirect} redirect */
  const ask = async (mode, redirect) => {
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
    const both = signal ? AbortSignal.any([clock, signal]) : clock;
    try {
      const response = await fetch(url.origin + url.pathname, {
        mode,
        redirect,
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
        signal: both,
      });
      entry.end('ok');
      void response.body?.cancel().catch(() => {});
      return response;
    } catch {
      entry.end(signal?.aborted ? 'cancelled' : 'network');
      return null;
    }
  };
  // `no-cors` allows no other treatment of redirects than to follow them, so that is asked first and apart. What a
  // server could still lead elsewhere is a bare request, without key, body or referrer; the policy of the page, which
  // lists the servers that it may ask, stops that too.
  const manual = await ask('cors', 'manual');
  if (manual?.type === 'opaqueredirect' || (manual && manual.status >= 300 && manual.status < 400))
    return 'redirect';
  if (manual) return 'answers';
  return (await ask('no-cors', 'follow')) ? 'answers' : 'silent';
}

/**
 * The page saw an answer, and it was a refusal.
 * @param {LlmError} error @param {Endpoint} endpoint @param {import('./transport.js').World} world @param {AbortSignal | null} signal @param {number} timeoutMs
 * @returns {Promise<CheckResult>}
 */
async function whyRefused(error, endpoint, world, signal, timeoutMs) {
  const server = serverOf(endpoint.url);
  switch (error.code) {
    case 'unauthorized':
      return {
        ...result(
          'key',
          'The server refuses the key.',
          'Enter the key of this server again, without spaces. Some servers want it in another header (Azure: api-key).',
        ),
        server,
      };
    case 'quota':
      return { ...result('key', 'The account of this key has no credit left.', error.hint), server };
    case 'model-unknown':
    case 'wrong-path': {
      const models = await listModels(endpoint, world, signal, timeoutMs).catch(
        () => /** @type {string[]} */ ([]),
      );
      if (
        error.code === 'model-unknown' ||
        (models.length > 0 && !models.some((name) => isNamed(name, endpoint.model)))
      ) {
        return {
          ...result(
            'model',
            `The server does not have the model ${quoted(endpoint.model)}.`,
            chooseFrom(models),
          ),
          models,
          server,
        };
      }
      return {
        ...result(
          'path',
          'The server answers, but not as a language model at this address.',
          await betterPath(endpoint, world, signal, timeoutMs),
        ),
        models,
        server,
      };
    }
    case 'rate-limited':
      return {
        ...result(
          'busy',
          'The server has too many requests.',
          'The connection works. Wait a little and ask.',
        ),
        server,
      };
    case 'timeout':
    case 'stalled':
      return {
        ...result(
          'slow',
          'The server did not answer in time.',
          'It may be loading the model. Check again in a minute.',
        ),
        server,
      };
    case 'server-error':
      return {
        ...result('server', 'The server failed.', 'Look at its log: the model may not fit into its memory.'),
        server,
      };
    case 'cancelled':
      return { ...result('cancelled', 'The check was cancelled.', ''), server };
    default:
      return {
        ...result(
          'protocol',
          sentence(error.message),
          'Is this the address of a chat model that speaks this protocol?',
        ),
        server,
      };
  }
}

/** An address of the same server at which the protocol is spoken.
 * @param {Endpoint} endpoint @param {import('./transport.js').World} world @param {AbortSignal | null} signal @param {number} timeoutMs */
async function betterPath(endpoint, world, signal, timeoutMs) {
  for (const base of ['/v1', '/api/v1', '/openai/v1']) {
    const models = new URL(`${base}/models`, endpoint.url);
    if (models.pathname === endpoint.models.pathname) continue;
    try {
      const { data } = /** @type {{ data?: unknown }} */ (
        JSON.parse(await get(endpoint, models, world, signal, timeoutMs))
      );
      if (Array.isArray(data)) return `Use the address ${endpoint.url.origin}${base}.`;
    } catch {
      // Not there.
    }
  }
  return `Check the address: ${endpoint.url.origin}${endpoint.url.pathname} was asked. For most servers the address ends with /v1.`;
}

/** @returns {Promise<CheckResult>} */
async function checkBrowser() {
  const state =
    (await browserModel()
      ?.availability()
      .catch(() => 'unavailable')) ?? 'missing';
  if (state === 'available')
    return { ...result(null, 'The model of this browser is ready.', ''), ok: true, server: 'browser' };
  const fix =
    state === 'downloadable' || state === 'downloading'
      ? 'The browser can download its model: open chrome://on-device-internals, and check again when it is there.'
      : 'Use a server instead, for example Ollama on this machine.';
  return {
    ...result('browser', 'This browser has no language model that is ready.', fix),
    server: 'browser',
  };
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

/** @param {Fault | null} fault @param {string} message @param {string} fix @returns {CheckResult} */
function result(fault, message, fix) {
  return { ok: false, fault, message, fix, server: '', models: [], detail: '' };
}

/** @param {string[]} models */
function chooseFrom(models) {
  if (models.length === 0)
    return 'Enter the name of a model that the server has. (Ollama: `ollama list` shows them, `ollama pull NAME` fetches one.)';
  return `The server has: ${models.slice(0, 8).map(quoted).join(', ')}${models.length > 8 ? `, and ${models.length - 8} more` : ''}.`;
}

/** @param {string} name */
function quoted(name) {
  return `“${name.slice(0, 80)}”`;
}

/** @param {string} message */
function sentence(message) {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

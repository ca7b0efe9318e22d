/**
 * Models, as the answering machine sees them: a request goes in, words come out. Only carried, never read: the
 * machine in `crate/answer` says what to send and judges what comes back; nothing here knows of prompts or of
 * retrieval, and nothing in a reply can change where the next request goes.
 */

import { anthropic } from './anthropic.js';
import { device } from './device.js';
import { resolve } from './endpoint.js';
import { LlmError } from './errors.js';
import { Ledger } from './ledger.js';
import { openai } from './openai.js';
import { promptApi } from './prompt-api.js';
import { defaultRetry } from './retry.js';

/** @typedef {import('./types.js').LlmReply} LlmReply */
/** @typedef {import('./types.js').LlmRequest} LlmRequest */
/** @typedef {import('./types.js').CompleteOptions} CompleteOptions */
/** @typedef {import('./types.js').Provider} Provider */

/**
 * @typedef {object} ProviderOptions
 * @property {Ledger} [ledger]
 * @property {typeof globalThis.fetch} [fetch]
 * @property {Partial<import('./retry.js').RetryOptions>} [retry]
 * @property {(() => Promise<import('./device.js').Device>) | null} [openDevice] the model on this device, where the page has one
 */

/**
 * @param {import('./endpoint.js').EndpointConfig} config
 * @param {ProviderOptions} [options]
 * @returns {Provider}
 * @throws {LlmError} `bad-config`, before anything is sent
 */
export function createProvider(
  config,
  {
    ledger = new Ledger(),
    fetch = (...request) => globalThis.fetch(...request),
    retry = {},
    openDevice = null,
  } = {},
) {
  const retryOptions = { ...defaultRetry, ...retry };
  const host = { world: { fetch, ledger, now: retryOptions.now }, retryOptions };
  if (config.kind === 'prompt-api') {
    const { name = 'browser', timeoutMs = 300_000, maxReplyBytes = 8 * 1024 * 1024 } = config;
    const ask = promptApi({ name, timeoutMs, maxReplyBytes }, host);
    return {
      name,
      kind: config.kind,
      model: 'browser',
      origin: null,
      complete: (request, options = {}) => ask(request, options),
    };
  }
  if (config.kind === 'device') {
    const { name = 'device', model = '', timeoutMs = 1_800_000 } = config;
    const complete = device({ name, model, timeoutMs }, host, openDevice);
    return { name, kind: config.kind, model, origin: null, complete };
  }
  const endpoint = resolve(config);
  const ask = (config.kind === 'anthropic' ? anthropic : openai)(endpoint, host);
  const { name, kind, model, url } = endpoint;
  return {
    name,
    kind,
    model,
    origin: url.origin,
    complete: (request, options = {}) => ask(request, options),
  };
}

/**
 * Several endpoints as one: each request goes to the one that it names, or to the first.
 * @param {readonly Pick<Provider, 'name' | 'complete'>[]} providers
 * @returns {(request: LlmRequest, options?: CompleteOptions) => Promise<LlmReply>}
 */
export function route(providers) {
  const [first] = providers;
  const byName = new Map(providers.map((provider) => [provider.name, provider]));
  return async (request, options) => {
    const provider = request.endpoint === null ? first : byName.get(request.endpoint);
    if (!provider) {
      throw request.endpoint === null
        ? new LlmError('bad-config', 'no model is set', { reason: 'no-endpoint' })
        : new LlmError('bad-config', 'the profile names a model that is not set up', {
            reason: 'endpoint-unknown',
          });
    }
    return provider.complete(request, options);
  };
}

/**
 * The model that a browser may bring along (Chrome's Prompt API, `LanguageModel`). The interface does not promise that it runs on
 * this device, so the ledger counts what it is given as what has left. Where the browser has no such model, or would have to
 * download one first, it is `unavailable`: a page must not start a download of gigabytes by itself.
 */

import { LlmError, cancelled } from './errors.js';
import { inThisBrowser } from './in-browser.js';

/** @typedef {import('./types.js').LlmReply} LlmReply */

/**
 * @typedef {object} LanguageModelApi the part that is used
 * @property {(options?: object) => Promise<string>} availability
 * @property {(options: object) => Promise<Session>} create
 * @property {() => Promise<{ defaultTopK: number } | null>} [params]
 */
/** @typedef {{ promptStreaming: (text: unknown, options: object) => ReadableStream<string>, destroy: () => void }} Session */

/** The browser's model, where there is one. @returns {LanguageModelApi | null} */
export function browserModel() {
  const api = /** @type {{ LanguageModel?: LanguageModelApi }} */ (/** @type {unknown} */ (globalThis))
    .LanguageModel;
  return typeof api?.availability === 'function' && typeof api.create === 'function' ? api : null;
}

/**
 * @param {{ name: string, timeoutMs: number, maxReplyBytes: number }} settings
 * @param {import('./types.js').Host} host
 * @param {LanguageModelApi | null} [api]
 */
export function promptApi(settings, { world }, api = browserModel()) {
  /** @param {import('./types.js').LlmRequest} request @param {import('./types.js').CompleteOptions} options @returns {Promise<LlmReply>} */
  return async (request, { signal = null, onText = () => {} }) => {
    if (signal?.aborted) throw cancelled();
    if (api === null || (await api.availability().catch(() => 'unavailable')) !== 'available') {
      throw new LlmError('unavailable', 'this browser has no language model that is ready');
    }
    const { name, timeoutMs, maxReplyBytes } = settings;
    const options = {
      name,
      method: /** @type {const} */ ('browser'),
      timeoutMs,
      ledger: world.ledger,
      signal,
    };
    return inThisBrowser(request, options, async (signal) => {
      const text = await prompt(api, request, { signal, onText, maxReplyBytes }).catch((thrown) => {
        throw explain(thrown);
      });
      // The browser does not say whether a limit ended the reply.
      return { text, finish: 'stop', usage: null, model: 'browser' };
    });
  };
}

/**
 * One request in a session of its own.
 * @param {LanguageModelApi} api
 * @param {import('./types.js').LlmRequest} request
 * @param {{ signal: AbortSignal, onText: (text: string) => void, maxReplyBytes: number }} options
 */
async function prompt(api, request, { signal, onText, maxReplyBytes }) {
  const session = await api.create({
    initialPrompts: request.messages.slice(0, -1),
    signal,
    ...(await sampling(api, request.temperature)),
  });
  try {
    const options = { signal, ...(request.schema ? { responseConstraint: request.schema.schema } : {}) };
    const last = request.messages.at(-1);
    return await gather(session.promptStreaming(last ? [last] : '', options), signal, maxReplyBytes, onText);
  } finally {
    session.destroy();
  }
}

/**
 * @param {ReadableStream<string>} stream
 * @param {AbortSignal} signal
 * @param {number} max
 * @param {(text: string) => void} onText
 */
async function gather(stream, signal, max, onText) {
  const reader = stream.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (signal.aborted) throw signal.reason;
      if (done) return text;
      text += value;
      if (text.length > max) throw new LlmError('too-large', `the reply has more than ${max} characters`);
      onText(text);
    }
  } finally {
    cancel();
  }
}

/** Sampling options, where the browser lets a page choose: the most probable words. @param {LanguageModelApi} api @param {number} temperature */
async function sampling(api, temperature) {
  const params = await api.params?.().catch(() => null);
  return params ? { temperature, topK: temperature === 0 ? 1 : params.defaultTopK } : {};
}

/** @param {unknown} thrown */
function explain(thrown) {
  if (thrown instanceof LlmError) return thrown;
  const name = thrown instanceof Error ? thrown.name : '';
  if (name === 'QuotaExceededError')
    return new LlmError('too-long', 'the request is longer than the model takes');
  if (name === 'NotSupportedError')
    return new LlmError('bad-request', 'the model of the browser does not take this request');
  return new LlmError('server-error', 'the model of the browser failed', { retryable: false });
}

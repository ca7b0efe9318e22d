/**
 * The part that adapters over HTTP share: one request of the machine becomes one reply, over as many
 * attempts as it takes. An adapter says how a request is written in its protocol, how an event of a stream and
 * a reply in one piece are read, and which of its parameters can be left out for a server that refuses one.
 *
 * An optional parameter is a part of the request that not every server knows: a schema for the reply, a count of tokens, the
 * temperature. When a server objects to one by name, it is left out and remembered, for this model, for as long
 * as the page lives; that costs one request and is no retry.
 */

import { LlmError, fromStatus, readFailure } from './errors.js';
import { retry } from './retry.js';
import { SseParser } from './sse.js';
import { objection, send, textOf } from './transport.js';

/** @typedef {import('./types.js').LlmRequest} LlmRequest */
/** @typedef {import('./types.js').LlmReply} LlmReply */
/** @typedef {import('./types.js').CompleteOptions} CompleteOptions */
/** @typedef {import('./transport.js').Incoming} Incoming */

/** The part of a reply read so far. */
export class Draft {
  text = '';
  /** @type {LlmReply['finish'] | null} */
  finish = null;
  /** True if the server has said that nothing more comes. */
  ended = false;
  /** @type {LlmReply['usage']} */
  usage = null;
  /** @type {string | null} */
  model = null;
}

/** Time that a stream may stay open after its reply is complete, for the count of tokens, in milliseconds. */
const linger = 2_000;

/**
 * @template {string} OptionalParameter
 * @typedef {object} Protocol
 * @property {readonly OptionalParameter[]} optionalParameters
 * @property {(request: LlmRequest, model: string, stream: boolean, sends: (parameter: OptionalParameter) => boolean) => { body: unknown, headers: Record<string, string> }} write
 * @property {(draft: Draft, event: string, data: Record<string, any>) => void} onEvent
 * @property {(draft: Draft, reply: Record<string, any>) => void} onWhole
 * @property {(said: string) => OptionalParameter | null} refusedParameter the optional parameter that a server's complaint, in lower case, is about
 */

/**
 * @template {string} OptionalParameter
 * @param {import('./endpoint.js').Endpoint} endpoint
 * @param {Protocol<OptionalParameter>} protocol
 * @param {import('./types.js').Host} host
 */
export function converse(endpoint, protocol, { world, retryOptions }) {
  /** Optional parameters that a server refused, by model. @type {Map<string, Set<OptionalParameter>>} */
  const refused = new Map();

  /** @param {LlmRequest} request @param {CompleteOptions} options @returns {Promise<LlmReply>} */
  return async (request, { signal = null, onText = () => {} }) => {
    const model = request.model ?? endpoint.model;
    if (model === '') throw new LlmError('bad-config', 'no model is named', { reason: 'model-name-missing' });
    const without = refused.get(model) ?? new Set();
    refused.set(model, without);
    const deadline = world.now() + endpoint.timeoutMs;
    let attempt = 0;
    const once = async () => {
      for (;;) {
        if (world.now() >= deadline) throw new LlmError('timeout', 'the request took longer than allowed');
        attempt += 1;
        const asked = new Set(protocol.optionalParameters.filter((parameter) => !without.has(parameter)));
        const { body, headers } = protocol.write(request, model, endpoint.stream, (parameter) =>
          asked.has(parameter),
        );
        const exchange = {
          endpoint,
          url: endpoint.url,
          method: /** @type {const} */ ('POST'),
          headers,
          body,
          step: request.step,
          call: request.call,
          attempt,
          passages: request.passages,
          turns: request.turns ?? 0,
          signal,
          deadline,
        };
        try {
          return await send(exchange, world, (incoming) => read(incoming, endpoint, protocol, onText));
        } catch (error) {
          const said = objection(error);
          const parameter = said === '' ? null : protocol.refusedParameter(said);
          if (parameter === null || !asked.has(parameter)) throw error;
          without.add(parameter);
        }
      }
    };
    const draft = await retry(
      once,
      {
        ...retryOptions,
        attempts: endpoint.attempts,
        maxWaitMs: Math.min(retryOptions.maxWaitMs, endpoint.timeoutMs),
      },
      signal,
    );
    return {
      text: draft.text,
      finish: draft.finish ?? 'other',
      usage: draft.usage,
      model: draft.model ?? model,
    };
  };
}

/**
 * @param {Incoming} incoming
 * @param {import('./endpoint.js').Endpoint} endpoint
 * @param {Pick<Protocol<never>, 'onEvent' | 'onWhole'>} protocol
 * @param {(text: string) => void} onText
 */
async function read(incoming, endpoint, protocol, onText) {
  const draft = new Draft();
  if (incoming.type === 'text/event-stream') {
    await readStream(incoming, draft, endpoint, protocol, onText);
  } else if (incoming.type === 'text/html') {
    throw new LlmError('wrong-path', 'a web page is at this address, not a model');
  } else {
    // Some servers answer a request for a stream with the whole reply, and some send a stream under another type.
    const text = (await textOf(incoming)).trim();
    if (/^(?:data|event|id|retry)?:/.test(text)) {
      const parser = new SseParser();
      for (const message of [...parser.push(new TextEncoder().encode(text)), ...parser.end()])
        take(draft, message, endpoint, protocol);
    } else {
      const reply = parse(text, 'the reply');
      refuseFailure(reply, endpoint);
      protocol.onWhole(draft, reply);
      draft.ended = true;
    }
  }
  if (draft.finish === null && !draft.ended) throw new LlmError('cut-off', 'the reply ended in the middle');
  onText(draft.text);
  return draft;
}

/**
 * @param {Incoming} incoming
 * @param {Draft} draft
 * @param {import('./endpoint.js').Endpoint} endpoint
 * @param {Pick<Protocol<never>, 'onEvent' | 'onWhole'>} protocol
 * @param {(text: string) => void} onText
 */
async function readStream(incoming, draft, endpoint, protocol, onText) {
  const parser = new SseParser();
  try {
    for await (const bytes of incoming.read()) {
      const before = draft.text.length;
      for (const message of parser.push(bytes)) {
        take(draft, message, endpoint, protocol);
        if (draft.ended) return;
      }
      if (draft.text.length > before) onText(draft.text);
      if (draft.finish !== null) incoming.expectWithin(linger);
    }
    for (const message of parser.end()) take(draft, message, endpoint, protocol);
  } catch (error) {
    // The reply was complete: only the farewell is missing.
    if (draft.finish === null || !(error instanceof LlmError) || !['stalled', 'cut-off'].includes(error.code))
      throw error;
  }
}

/**
 * @param {Draft} draft
 * @param {import('./sse.js').SseMessage} message
 * @param {import('./endpoint.js').Endpoint} endpoint
 * @param {Pick<Protocol<never>, 'onEvent'>} protocol
 */
function take(draft, { event, data }, endpoint, protocol) {
  if (data.trim() === '') return;
  if (data.trim() === '[DONE]') {
    draft.ended = true;
    return;
  }
  const value = parse(data, 'an event of the reply');
  refuseFailure(value, endpoint, event === 'error');
  protocol.onEvent(draft, event, value);
}

/** @param {string} text @param {string} what @returns {Record<string, any>} */
function parse(text, what) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new LlmError('bad-reply', `${what} is not JSON`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new LlmError('bad-reply', `${what} is not a JSON object`);
  return value;
}

/**
 * Servers that have said 200 tell of a failure in the stream.
 * @param {Record<string, any>} value
 * @param {import('./endpoint.js').Endpoint} endpoint
 * @param {boolean} [surely]
 */
function refuseFailure(value, endpoint, surely = false) {
  const { detail, ...rest } = value; // `detail` is a failure's only where the status says so
  const told = rest['error'] === null ? null : readFailure(rest);
  if (told !== null || surely)
    throw fromStatus(200, told ?? { message: '', kind: '', param: '' }, { scrub: endpoint.scrub });
}

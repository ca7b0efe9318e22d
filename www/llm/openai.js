/**
 * Chat completions as OpenAI defined them, and as Ollama, vLLM, llama.cpp, LM Studio, Azure and most gateways
 * speak them: the one adapter that is required. Servers differ: the first delta may be a role only, deltas may
 * be empty or null, `[DONE]`, `usage` or `finish_reason` may be missing, content may come as a list of parts.
 */

import { LlmError } from './errors.js';
import { converse } from './conversation.js';

/** @typedef {'schema' | 'usage' | 'max_tokens' | 'temperature'} OptionalParameter */

const optionalParameters = /** @type {const} */ (['schema', 'usage', 'max_tokens', 'temperature']);

/** @param {import('./endpoint.js').Endpoint} endpoint @param {import('./types.js').Host} host */
export function openai(endpoint, host) {
  return converse(
    endpoint,
    /** @type {import('./conversation.js').Protocol<OptionalParameter>} */ ({
      optionalParameters,
      write,
      onEvent,
      onWhole,
      refusedParameter,
    }),
    host,
  );
}

/**
 * @param {import('./types.js').LlmRequest} request
 * @param {string} model
 * @param {boolean} stream
 * @param {(parameter: OptionalParameter) => boolean} sends
 */
export function write({ messages, maxTokens, temperature, schema }, model, stream, sends) {
  const body = {
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    stream,
    // Models that think before they answer have renamed the limit and refuse the old name.
    [sends('max_tokens') ? 'max_tokens' : 'max_completion_tokens']: maxTokens,
    ...(sends('temperature') ? { temperature } : {}),
    ...(stream && sends('usage') ? { stream_options: { include_usage: true } } : {}),
    ...(schema && sends('schema')
      ? {
          response_format: {
            type: 'json_schema',
            json_schema: { name: schema.name, schema: schema.schema, strict: true },
          },
        }
      : {}),
  };
  return { body, headers: {} };
}

/** @param {string} said @returns {OptionalParameter | null} */
function refusedParameter(said) {
  if (/response_format|json_schema|json schema|structured output|grammar|guided|schema/.test(said))
    return 'schema';
  if (/stream_options|include_usage/.test(said)) return 'usage';
  if (/max_completion_tokens|max_tokens/.test(said)) return 'max_tokens';
  if (/temperature/.test(said)) return 'temperature';
  return null;
}

/** @param {import('./conversation.js').Draft} draft @param {string} _event @param {Record<string, any>} data */
export function onEvent(draft, _event, data) {
  note(draft, data);
  const choice = Array.isArray(data['choices'])
    ? data['choices'].find((/** @type {any} */ each) => (each?.index ?? 0) === 0)
    : null;
  if (!choice) return; // the count of tokens, or a gateway's own events
  draft.text += words(choice.delta?.content);
  draft.finish = finish(choice.finish_reason) ?? draft.finish;
}

/** @param {import('./conversation.js').Draft} draft @param {Record<string, any>} reply */
function onWhole(draft, reply) {
  note(draft, reply);
  const choice = Array.isArray(reply['choices']) ? reply['choices'][0] : null;
  if (typeof choice?.message !== 'object' || choice.message === null)
    throw new LlmError('bad-reply', 'the reply has no message');
  draft.text = words(choice.message.content);
  draft.finish = finish(choice.finish_reason);
}

/** @param {import('./conversation.js').Draft} draft @param {Record<string, any>} data */
function note(draft, { model, usage }) {
  if (typeof model === 'string' && model !== '') draft.model = model;
  if (Number.isFinite(usage?.prompt_tokens))
    draft.usage = { input: usage.prompt_tokens, output: usage.completion_tokens ?? 0 };
}

/** @param {unknown} content @returns {string} */
function words(content) {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => (part?.type === 'text' && typeof part.text === 'string' ? part.text : ''))
    .join('');
}

/** @param {unknown} reason @returns {import('./types.js').LlmReply['finish'] | null} */
function finish(reason) {
  if (typeof reason !== 'string' || reason === '') return null;
  if (reason === 'stop' || reason === 'eos' || reason === 'end_turn') return 'stop';
  return reason === 'length' || reason === 'max_tokens' ? 'length' : 'other';
}

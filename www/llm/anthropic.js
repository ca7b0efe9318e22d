/**
 * Messages as Anthropic defined them. The system's words go apart from the conversation, which alternates
 * between two speakers; the end of a stream is an event; browsers must say that they know that their key is
 * readable by the person who owns it.
 */

import { LlmError } from './errors.js';
import { converse } from './conversation.js';

/** @typedef {'schema' | 'temperature'} OptionalParameter */

const optionalParameters = /** @type {const} */ (['schema', 'temperature']);

/** @param {import('./endpoint.js').Endpoint} endpoint @param {import('./types.js').Host} host */
export function anthropic(endpoint, host) {
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

/** Headers that every request needs. */
export const anthropicHeaders = {
  'anthropic-version': '2023-06-01',
  'anthropic-dangerous-direct-browser-access': 'true',
};

/**
 * @param {import('./types.js').LlmRequest} request
 * @param {string} model
 * @param {boolean} stream
 * @param {(parameter: OptionalParameter) => boolean} sends
 */
function write({ messages, maxTokens, temperature, schema }, model, stream, sends) {
  const system = messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => content)
    .join('\n\n');
  /** @type {{ role: string, content: string }[]} */
  const turns = [];
  for (const { role, content } of messages) {
    if (role === 'system') continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content += `\n\n${content}`;
    else turns.push({ role, content });
  }
  const body = {
    model,
    max_tokens: maxTokens,
    messages: turns,
    stream,
    ...(system === '' ? {} : { system }),
    ...(sends('temperature') ? { temperature: Math.min(1, temperature) } : {}),
    ...(schema && sends('schema')
      ? { output_config: { format: { type: 'json_schema', schema: schema.schema } } }
      : {}),
  };
  return { body, headers: anthropicHeaders };
}

/** @param {string} said @returns {OptionalParameter | null} */
function refusedParameter(said) {
  if (/output_config|output_format|structured output|schema/.test(said)) return 'schema';
  return /temperature/.test(said) ? 'temperature' : null;
}

/** @param {import('./conversation.js').Draft} draft @param {string} event @param {Record<string, any>} data */
function onEvent(draft, event, data) {
  switch (data['type'] ?? event) {
    case 'message_start':
      note(draft, data['message'] ?? {});
      break;
    case 'content_block_start':
      draft.text += words([data['content_block']]);
      break;
    case 'content_block_delta':
      if (data['delta']?.type === 'text_delta' && typeof data['delta'].text === 'string')
        draft.text += data['delta'].text;
      break;
    case 'message_delta':
      draft.finish = finish(data['delta']?.stop_reason) ?? draft.finish;
      note(draft, data);
      break;
    case 'message_stop':
      draft.ended = true;
      break;
    default: // `ping`, the end of a block, and what is yet to be invented
  }
}

/** @param {import('./conversation.js').Draft} draft @param {Record<string, any>} reply */
function onWhole(draft, reply) {
  note(draft, reply);
  if (!Array.isArray(reply['content'])) throw new LlmError('bad-reply', 'the reply has no content');
  draft.text = words(reply['content']);
  draft.finish = finish(reply['stop_reason']);
}

/** @param {import('./conversation.js').Draft} draft @param {Record<string, any>} data */
function note(draft, { model, usage }) {
  if (typeof model === 'string' && model !== '') draft.model = model;
  const input = usage?.input_tokens ?? draft.usage?.input;
  if (Number.isFinite(input))
    draft.usage = { input, output: usage?.output_tokens ?? draft.usage?.output ?? 0 };
}

/** @param {any[]} blocks */
function words(blocks) {
  return blocks
    .map((block) => (block?.type === 'text' && typeof block.text === 'string' ? block.text : ''))
    .join('');
}

/** @param {unknown} reason @returns {import('./types.js').LlmReply['finish'] | null} */
function finish(reason) {
  if (typeof reason !== 'string') return null;
  if (reason === 'end_turn' || reason === 'stop_sequence') return 'stop';
  return reason === 'max_tokens' ? 'length' : 'other';
}

/**
 * Writes a reply of the scripted endpoint to the connection: as one piece of JSON or as a stream of events, in
 * either protocol, well or in one of the ways in which servers and networks fail.
 */

/** @typedef {import('node:http').ServerResponse} ServerResponse */

/**
 * @typedef {object} Fault
 * @property {string} kind see `faultKinds`
 * @property {string} [step] only requests of this step
 * @property {number} [nth] only the nth request of that step (or of all), from 1
 * @property {number} [times] how many requests it spoils; once unless told otherwise, 0 for all
 * @property {number} [status] of `status`
 * @property {string | number} [retryAfter] of `rate-limit` and `status`: the header, as it is sent
 * @property {number} [delayMs] of `drip`: between two pieces
 * @property {number} [bytes] of `drip`: how many in a piece; of `huge`: how many in all
 */

/** All that can be injected. The first group is in the way of the reply, the second spoils what the model says. */
export const faultKinds = /** @type {const} */ ({
  line: [
    'rate-limit',
    'status',
    'unauthorized',
    'forbidden',
    'wrong-path',
    'unknown-model',
    'quota',
    'too-long',
    'redirect',
    'html',
    'cors',
    'refuse',
    'stall-connect',
    'stall-first',
    'stall',
    'cut',
    'malformed-sse',
    'malformed-json',
    'error-in-stream',
    'no-done',
    'no-finish',
    'no-end',
    'hang-after-finish',
    'empty-deltas',
    'role-only',
    'drip',
    'huge',
    'endless-line',
    'no-usage',
    'crlf',
    'cr',
    'comments',
    'bom',
    'plain-json',
    'sse-as-text',
  ],
  model: [
    'wrong-count',
    'wrong-language',
    'extra-prose',
    'tags-missing',
    'unknown-tag',
    'not-json',
    'empty',
    'thinking',
  ],
});

/**
 * @typedef {object} Said
 * @property {string} text
 * @property {'stop' | 'length'} finish
 * @property {string} model
 * @property {string} id
 * @property {{ input: number, output: number }} usage
 */

/** A reply in one piece, by protocol. */
export const whole = {
  /** @param {Said} said */
  chat: ({ text, finish, model, id, usage }) => ({
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: 1_700_000_000,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal: null },
        logprobs: null,
        finish_reason: finish,
      },
    ],
    usage: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    },
  }),
  /** @param {Said} said */
  messages: ({ text, finish, model, id, usage }) => ({
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text }],
    stop_reason: finish === 'stop' ? 'end_turn' : 'max_tokens',
    stop_sequence: null,
    usage: { input_tokens: usage.input, output_tokens: usage.output },
  }),
};

/** @typedef {{ event: string, data: string, part: 'start' | 'text' | 'finish' | 'usage' | 'end' }} Frame */

/** The events of a stream, by protocol. */
export const frames = {
  /** @param {Said} said @param {{ wantsUsage: boolean, fault: string }} options @returns {Frame[]} */
  chat: ({ text, finish, model, id, usage }, { wantsUsage, fault }) => {
    /** @param {object} delta @param {string | null} [reason] */
    const chunk = (delta, reason = null) => ({
      id: `chatcmpl-${id}`,
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
      ...(wantsUsage ? { usage: null } : {}),
    });
    const noise =
      fault === 'empty-deltas'
        ? [chunk({}), chunk({ content: '' }), chunk({ content: null }), { ...chunk({}), choices: [] }]
        : [];
    /** @type {[Frame['part'], object][]} */
    const list = [
      ['start', chunk({ role: 'assistant', ...(fault === 'empty-deltas' ? {} : { content: '' }) })],
      ...(fault === 'role-only'
        ? []
        : pieces(text)
            .flatMap((piece) => [...noise, chunk({ content: piece })])
            .map((each) => /** @type {[Frame['part'], object]} */ (['text', each]))),
      ['finish', chunk({}, fault === 'no-finish' || fault === 'no-end' ? null : finish)],
    ];
    if (wantsUsage && fault !== 'no-usage') {
      list.push([
        'usage',
        {
          ...chunk({}),
          choices: [],
          usage: {
            prompt_tokens: usage.input,
            completion_tokens: usage.output,
            total_tokens: usage.input + usage.output,
          },
        },
      ]);
    }
    /** @type {Frame[]} */
    const events = list.map(([part, data]) => ({ event: '', data: JSON.stringify(data), part }));
    return fault === 'no-done' || fault === 'no-end'
      ? events
      : [...events, { event: '', data: '[DONE]', part: 'end' }];
  },
  /** @param {Said} said @param {{ wantsUsage: boolean, fault: string }} options @returns {Frame[]} */
  messages: ({ text, finish, model, id, usage }, { fault }) => {
    const counts = fault === 'no-usage' ? {} : { usage: { input_tokens: usage.input, output_tokens: 1 } };
    /** @type {[Frame['part'], string, object][]} */
    const list = [
      [
        'start',
        'message_start',
        {
          message: {
            id: `msg_${id}`,
            type: 'message',
            role: 'assistant',
            model,
            content: [],
            stop_reason: null,
            stop_sequence: null,
            ...counts,
          },
        },
      ],
      ['start', 'content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
      ['start', 'ping', {}],
      ...(fault === 'role-only' ? [] : pieces(text)).flatMap(
        (piece) =>
          /** @type {[Frame['part'], string, object][]} */ ([
            ...(fault === 'empty-deltas'
              ? [
                  ['text', 'content_block_delta', { index: 0, delta: { type: 'text_delta', text: '' } }],
                  ['text', 'ping', {}],
                ]
              : []),
            ['text', 'content_block_delta', { index: 0, delta: { type: 'text_delta', text: piece } }],
          ]),
      ),
      ['finish', 'content_block_stop', { index: 0 }],
      [
        'finish',
        'message_delta',
        {
          delta: {
            stop_reason:
              fault === 'no-finish' || fault === 'no-end'
                ? null
                : finish === 'stop'
                  ? 'end_turn'
                  : 'max_tokens',
            stop_sequence: null,
          },
          ...(fault === 'no-usage' ? {} : { usage: { output_tokens: usage.output } }),
        },
      ],
    ];
    if (fault !== 'no-done' && fault !== 'no-end') list.push(['end', 'message_stop', {}]);
    return list.map(([part, event, data]) => ({
      event,
      data: JSON.stringify({ type: event, ...data }),
      part,
    }));
  },
};

/** A text in pieces of a few characters, as a model makes it. @param {string} text */
function pieces(text) {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / 7) }, (_, pieceIdx) =>
    characters.slice(pieceIdx * 7, pieceIdx * 7 + 7).join(''),
  );
}

/** @param {Frame[]} list @param {string} [fault] @returns {string} */
export function written(list, fault = '') {
  const end = fault === 'crlf' ? '\r\n' : fault === 'cr' ? '\r' : '\n';
  const comment = fault === 'comments' ? `: keep-alive${end}${end}` : '';
  const extras = fault === 'comments' ? `id: 7${end}retry: 1000${end}unknown field${end}:${end}` : '';
  const body = list
    .map(({ event, data }) => {
      // One object over several lines of data: allowed, and never expected.
      const lines =
        fault === 'comments' && data.startsWith('{')
          ? JSON.stringify(JSON.parse(data), null, 1).split('\n')
          : [data];
      return `${comment}${event ? `event: ${event}${end}` : ''}${extras}${lines.map((line) => `data:${fault === 'crlf' ? '' : ' '}${line}${end}`).join('')}${end}`;
    })
    .join('');
  return (fault === 'bom' ? '\ufeff' : '') + body;
}

/**
 * Puts a stream on the line.
 * @param {ServerResponse} response @param {Frame[]} list @param {Record<string, string>} headers @param {Fault | null} fault
 */
export async function deliver(response, list, headers, fault) {
  const kind = fault?.kind ?? '';
  const type = kind === 'sse-as-text' ? 'text/plain; charset=utf-8' : 'text/event-stream; charset=utf-8';
  response.writeHead(200, { ...headers, 'content-type': type, 'cache-control': 'no-cache' });
  const texts = list.filter(({ part }) => part === 'text').length;
  let seen = 0;
  const half = list
    .filter(({ part }) => part !== 'text' || seen++ < texts / 2)
    .filter(({ part }) => part === 'start' || part === 'text');
  switch (kind) {
    case 'stall-first':
      response.flushHeaders();
      return; // until the client gives up
    case 'stall':
      response.write(written(half));
      return;
    case 'hang-after-finish':
      response.write(written(list.filter(({ part }) => part !== 'end')));
      return;
    case 'cut': {
      const bytes = Buffer.from(`${written(half)}data: {"§`);
      await flushed(response, bytes.subarray(0, bytes.length - 1));
      response.destroy();
      return;
    }
    case 'malformed-sse':
      response.end(
        'HTTP/1.1 200 OK\n\ndta {"choices":[{"delta":{"content":"lost"}}]}\n\n\u0000\u0001data\n\n',
      );
      return;
    case 'malformed-json':
      response.end(
        `${written(half)}data: {"choices":[{"index":0,"delta":{"content":"bro\n\n${written(list.slice(-1))}`,
      );
      return;
    case 'error-in-stream':
      response.end(
        `${written(half)}${list[0]?.event ? 'event: error\n' : ''}data: ${JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded', code: null, param: null } })}\n\n`,
      );
      return;
    case 'endless-line':
    case 'huge':
      await flood(
        response,
        kind === 'huge'
          ? written(list.filter(({ part }) => part === 'text')) || written(list)
          : 'x'.repeat(65_536),
        fault?.bytes ?? 64 * 1024 * 1024,
        kind === 'huge' ? '' : 'data: ',
      );
      return;
    case 'drip': {
      const bytes = Buffer.from(written(list));
      const step = fault?.bytes ?? 1;
      for (let start = 0; start < bytes.length && !response.destroyed; start += step) {
        response.write(bytes.subarray(start, start + step));
        await new Promise((resolve) =>
          fault?.delayMs ? setTimeout(resolve, fault.delayMs) : setImmediate(resolve),
        );
      }
      response.end();
      return;
    }
    default:
      response.end(written(list, kind));
  }
}

/** @param {ServerResponse} response @param {Uint8Array} bytes @returns {Promise<void>} when they have left */
async function flushed(response, bytes) {
  await new Promise((resolve) => response.write(bytes, () => setTimeout(resolve, 100)));
}

/** @param {ServerResponse} response @param {string} text @param {number} total @param {string} first */
async function flood(response, text, total, first) {
  const bytes = Buffer.from(text);
  response.write(first);
  for (let sent = 0; sent < total && !response.destroyed; sent += bytes.length) {
    if (!response.write(bytes)) await room(response);
  }
  response.end();
}

/** @param {ServerResponse} response @returns {Promise<void>} when more can be written, or the client has left */
function room(response) {
  return new Promise((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}

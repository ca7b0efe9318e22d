/**
 * The scripted endpoint: a language model without a model, for tests. It speaks chat completions (as OpenAI and
 * as Azure) and Messages, streamed or not; is strict about every request; says for each step of an answer what
 * the script or `replies.mjs` says, the same to the same prompt; fails on demand in every way that `wire.mjs`
 * knows; and keeps a log of what it was asked. Node only, no dependencies, on this machine only.
 *
 *   node tests/llm/server.mjs --port 8099 [--script FILE] [--key KEY] [--log FILE] [--obedient]
 *
 * prints `listening on http://127.0.0.1:8099/v1`. FILE is JSON, or a module whose default export is the same:
 *   { "replies": { "read": "…", "filter": ["first", "second"] },
 *     "faults": [{ "kind": "rate-limit", "retryAfter": 1, "step": "filter", "nth": 1, "times": 1 }],
 *     "refuses": ["response_format"], "models": ["scripted"], "key": "…", "obedient": false, "cors": "any" }
 * The log has one line of JSON for each request, without its headers.
 */

import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { readPrompt } from './prompt.mjs';
import { obedient, sensible, spoilers } from './replies.mjs';
import { chatComplaint, conforms, messagesComplaint } from './validate.mjs';
import { deliver, faultKinds, frames, whole } from './wire.mjs';

/** @typedef {import('./prompt.mjs').Prompt} Prompt */
/** @typedef {import('./wire.mjs').Fault} Fault */
/** @typedef {string | string[] | ((prompt: Prompt, nth: number) => string)} Scripted */

/**
 * @typedef {object} Script
 * @property {Partial<Record<import('./prompt.mjs').Step | 'other', Scripted>>} [replies] by step; of a list, the last is repeated
 * @property {Fault[]} [faults]
 * @property {string[]} [refuses] fields that this server does not know: it says so, with status 400
 * @property {string[]} [models]
 * @property {boolean} [oneModel] whether it answers with its first model, whatever name is asked for
 * @property {string | null} [key] null for a server without keys
 * @property {boolean} [obedient] whether the model obeys what the documents say
 * @property {'any' | 'none' | string[]} [cors] origins whose pages may read answers
 * @property {boolean} [expose] whether pages may see `Retry-After`
 * @property {boolean} [lenient] whether prompts of ours that are malformed are answered all the same
 */

/**
 * @typedef {object} Logged
 * @property {number} n from 1
 * @property {string} method
 * @property {string} path
 * @property {Record<string, string>} query
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {any} body parsed; null where there was none
 * @property {number} bytes of the body
 * @property {string | null} step `other` for a prompt that is none of ours; null where there is no prompt
 * @property {string | null} fault
 * @property {number | null} status null while it is open, or where none was sent
 * @property {string | null} reply
 * @property {boolean | null} conforms whether the reply is of the schema that was asked for
 * @property {boolean} aborted whether the client left before the end
 */

/** @typedef {{ url: string, origin: string, requests: Logged[], script: Script, reset: (script?: Script) => void, close: () => Promise<void> }} Running */

const maxBody = 16 * 1024 * 1024;

/**
 * @param {Script & { port?: number, log?: (logged: Logged) => void }} [options]
 * @returns {Promise<Running>} `url` ends with `/v1`
 */
export async function startServer({ port = 0, log = () => {}, ...first } = {}) {
  /** @type {{ script: Script, faults: { fault: Fault, left: number }[], requests: Logged[], counts: Map<string, number> }} */
  const state = { script: first, faults: [], requests: [], counts: new Map() };
  /** @param {Script} [script] */
  const reset = (script = state.script) => {
    const known = [...faultKinds.line, ...faultKinds.model];
    const strange = (script.faults ?? []).find(({ kind }) => !known.some((each) => each === kind));
    if (strange) throw new Error(`there is no fault "${strange.kind}"; there are ${known.join(', ')}`);
    state.script = script;
    state.faults = (script.faults ?? []).map((fault) => ({
      fault,
      left: fault.times === 0 ? Infinity : (fault.times ?? 1),
    }));
    state.requests.length = 0;
    state.counts.clear();
  };
  reset();
  const server = createServer((request, response) => {
    /** @type {Logged} */
    const logged = {
      n: 0,
      method: request.method ?? '',
      path: '',
      query: {},
      headers: request.headers,
      body: null,
      bytes: 0,
      step: null,
      fault: null,
      status: null,
      reply: null,
      conforms: null,
      aborted: false,
    };
    response.on('close', () => {
      logged.status = response.headersSent ? response.statusCode : null;
      logged.aborted = !response.writableFinished;
      if (logged.n > 0) log(logged);
    });
    handle(request, response, logged, state).catch((error) => {
      console.error(error);
      response.destroy();
    });
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(undefined));
  });
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`;
  return {
    url: `${origin}/v1`,
    origin,
    requests: state.requests,
    get script() {
      return state.script;
    },
    reset,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {Logged} logged
 * @param {{ script: Script, faults: { fault: Fault, left: number }[], requests: Logged[], counts: Map<string, number> }} state
 */
async function handle(request, response, logged, state) {
  const { script } = state;
  const url = new URL(request.url ?? '/', 'http://localhost');
  logged.path = url.pathname;
  logged.query = Object.fromEntries(url.searchParams);
  const cors = corsHeaders(request.headers.origin, script);
  if (request.method === 'OPTIONS') return preflight(request, response, cors, script);
  logged.n = state.requests.push(logged);
  const dialect =
    url.pathname.endsWith('/messages') || request.headers['anthropic-version'] ? 'messages' : 'chat';
  /** @param {number} status @param {string} type @param {string} message @param {{ code?: string | null, param?: string | null, headers?: Record<string, string> }} [more] */
  const refuse = (status, type, message, { code = null, param = null, headers = {} } = {}) => {
    const error =
      dialect === 'messages'
        ? { type: 'error', error: { type, message } }
        : { error: { message, type, param, code } };
    response
      .writeHead(status, { ...cors, ...headers, 'content-type': 'application/json' })
      .end(JSON.stringify(error));
  };
  if (url.pathname === '/health')
    return void response
      .writeHead(200, { ...cors, 'content-type': 'application/json' })
      .end('{"status":"ok"}');
  if (!isAllowed(request, script, dialect))
    return refuse(401, 'authentication_error', 'Incorrect API key provided.', { code: 'invalid_api_key' });
  const models = script.models ?? ['scripted'];
  const route = routeOf(url);
  if (route === null)
    return void response.writeHead(404, { ...cors, 'content-type': 'text/plain' }).end('404 page not found');
  if (route.kind === 'models') {
    if (request.method !== 'GET') return refuse(405, 'invalid_request_error', 'Method Not Allowed');
    return void response.writeHead(200, { ...cors, 'content-type': 'application/json' }).end(
      JSON.stringify({
        object: 'list',
        data: models.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'tests' })),
      }),
    );
  }
  if (request.method !== 'POST') return refuse(405, 'invalid_request_error', 'Method Not Allowed');
  if (dialect === 'messages' && request.headers['anthropic-version'] !== '2023-06-01')
    return refuse(400, 'invalid_request_error', 'anthropic-version: header is required');
  if (request.headers['content-type']?.split(';')[0] !== 'application/json')
    return refuse(415, 'invalid_request_error', 'the content type must be application/json');
  const body = await readBody(request, logged);
  if (body === null)
    return refuse(400, 'invalid_request_error', 'We could not parse the JSON body of your request.');
  logged.body = body;
  if (route.deployment !== null && !('model' in body)) body['model'] = route.deployment;
  const complaint = route.kind === 'messages' ? messagesComplaint(body) : chatComplaint(body);
  if (complaint) return refuse(400, 'invalid_request_error', complaint.message, complaint);
  const refused = (script.refuses ?? []).find((field) => field in body);
  if (refused === 'max_tokens')
    return refuse(
      400,
      'invalid_request_error',
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { param: 'max_tokens', code: 'unsupported_parameter' },
    );
  if (refused)
    return refuse(
      400,
      'invalid_request_error',
      `Unsupported parameter: '${refused}' is not supported with this model.`,
      { param: refused, code: 'unsupported_parameter' },
    );
  const prompt = readPrompt([
    ...(typeof body['system'] === 'string' ? [{ role: 'system', content: body['system'] }] : []),
    ...body['messages'],
  ]);
  const step = prompt.step ?? 'other';
  logged.step = step;
  const fault = pickFault(state, step);
  logged.fault = fault?.kind ?? null;
  if (script.oneModel) body['model'] = models[0];
  if (!models.includes(body['model']) || fault?.kind === 'unknown-model')
    return refuse(
      404,
      route.kind === 'messages' ? 'not_found_error' : 'invalid_request_error',
      route.kind === 'messages'
        ? `model: ${body['model']} not found`
        : `The model \`${body['model']}\` does not exist or you do not have access to it.`,
      { code: 'model_not_found' },
    );
  if (prompt.problem && !script.lenient)
    return refuse(400, 'invalid_request_error', `malformed prompt: ${prompt.problem}`, {
      code: 'malformed_prompt',
    });
  if (failEarly(fault, refuse, response, cors)) return;

  const said = compose(prompt, body, fault, script, state.counts.get(step) ?? 1, logged.n);
  logged.reply = said.text;
  const schema = body['response_format']?.json_schema?.schema ?? body['output_config']?.format?.schema;
  if (schema) logged.conforms = conforms(parsed(said.text), schema);
  const headers = fault?.kind === 'cors' ? {} : cors;
  if (body['stream'] === true && fault?.kind !== 'plain-json') {
    return deliver(
      response,
      frames[route.kind](said, {
        wantsUsage: body['stream_options']?.include_usage === true,
        fault: fault?.kind ?? '',
      }),
      headers,
      fault,
    );
  }
  return answerWhole(response, whole[route.kind](said), headers, fault);
}

/** Faults that need no reply of the model. @param {Fault | null} fault
 * @param {(status: number, type: string, message: string, more?: { code?: string | null, headers?: Record<string, string> }) => void} refuse
 * @param {import('node:http').ServerResponse} response @param {Record<string, string>} cors @returns {boolean} */
function failEarly(fault, refuse, response, cors) {
  /** @type {Record<string, string>} */
  const wait = fault?.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
  switch (fault?.kind) {
    case 'rate-limit':
      refuse(429, 'rate_limit_error', 'Rate limit reached. Please try again later.', {
        code: 'rate_limit_exceeded',
        headers: wait,
      });
      return true;
    case 'quota':
      refuse(
        429,
        'insufficient_quota',
        'You exceeded your current quota, please check your plan and billing details.',
        { code: 'insufficient_quota' },
      );
      return true;
    case 'status': {
      const status = fault.status ?? 500;
      refuse(status, 'api_error', `The server failed with status ${status}.`, { headers: wait });
      return true;
    }
    case 'unauthorized':
      refuse(401, 'authentication_error', 'Incorrect API key provided: sk-test-0123456789.', {
        code: 'invalid_api_key',
      });
      return true;
    case 'forbidden':
      refuse(403, 'permission_error', 'This key may not use this model.');
      return true;
    case 'too-long':
      refuse(400, 'invalid_request_error', "This model's maximum context length is 4096 tokens.", {
        code: 'context_length_exceeded',
      });
      return true;
    case 'wrong-path':
      response.writeHead(404, { ...cors, 'content-type': 'text/plain' }).end('404 page not found');
      return true;
    case 'redirect':
      response.writeHead(307, { ...cors, location: 'https://evil.example/v1/chat/completions' }).end();
      return true;
    case 'html':
      response
        .writeHead(200, { ...cors, 'content-type': 'text/html' })
        .end('<!doctype html><title>Welcome</title>');
      return true;
    case 'refuse':
      response.destroy();
      return true;
    case 'stall-connect':
      return true; // until the client gives up
    default:
      return false;
  }
}

/** @param {Prompt} prompt @param {any} body @param {Fault | null} fault @param {Script} script @param {number} nth @param {number} n @returns {import('./wire.mjs').Said} */
function compose(prompt, body, fault, script, nth, n) {
  const scripted = script.replies?.[prompt.step ?? 'other'];
  let text =
    typeof scripted === 'function'
      ? scripted(prompt, nth)
      : Array.isArray(scripted)
        ? (scripted[Math.min(nth, scripted.length) - 1] ?? '')
        : scripted;
  text ??= (script.obedient ? obedient(prompt) : null) ?? sensible(prompt);
  const spoil = /** @type {Record<string, (prompt: Prompt, reply: string) => string>} */ (spoilers)[
    fault?.kind ?? ''
  ];
  if (spoil) text = spoil(prompt, text);
  // Four bytes to a token: near enough, and the same everywhere.
  const tokens = Math.ceil(Buffer.byteLength(text) / 4);
  const max = body['max_tokens'] ?? body['max_completion_tokens'] ?? Infinity;
  const finish = tokens > max ? /** @type {const} */ ('length') : /** @type {const} */ ('stop');
  if (finish === 'length')
    text = Buffer.from(text)
      .subarray(0, max * 4)
      .toString()
      .replace(/\ufffd+$/, '');
  const input = Math.ceil(JSON.stringify(body['messages']).length / 4);
  return {
    text,
    finish,
    model: body['model'],
    id: String(n),
    usage: { input, output: Math.min(tokens, max) },
  };
}

/** @param {import('node:http').ServerResponse} response @param {object} value @param {Record<string, string>} headers @param {Fault | null} fault */
function answerWhole(response, value, headers, fault) {
  const kind = fault?.kind ?? '';
  const text = JSON.stringify(
    kind === 'no-usage'
      ? { ...value, usage: undefined }
      : kind === 'error-in-stream'
        ? { error: { type: 'overloaded_error', message: 'Overloaded' } }
        : value,
  );
  response.writeHead(200, { ...headers, 'content-type': 'application/json' });
  const half = text.slice(0, Math.ceil(text.length / 2));
  if (kind === 'stall-first') response.flushHeaders();
  else if (kind === 'stall') response.write(half);
  else if (kind === 'cut') response.write(half, () => setTimeout(() => response.destroy(), 100));
  else if (kind === 'malformed-json' || kind === 'malformed-sse') response.end(half);
  else if (kind === 'huge') response.end(`{"choices":"${'x'.repeat(fault?.bytes ?? 16 * 1024 * 1024)}"}`);
  else response.end(text);
}

/** @param {URL} url @returns {{ kind: 'chat' | 'messages' | 'models', deployment: string | null } | null} */
function routeOf({ pathname, searchParams }) {
  if (pathname === '/v1/chat/completions' || pathname === '/openai/v1/chat/completions')
    return { kind: 'chat', deployment: null };
  if (pathname === '/v1/messages') return { kind: 'messages', deployment: null };
  if (pathname === '/v1/models' || pathname === '/openai/v1/models')
    return { kind: 'models', deployment: null };
  const azure = /^\/openai\/deployments\/([\w.-]+)\/chat\/completions$/.exec(pathname);
  return azure?.[1] && searchParams.get('api-version') ? { kind: 'chat', deployment: azure[1] } : null;
}

/** @param {import('node:http').IncomingMessage} request @param {Script} script @param {'chat' | 'messages'} dialect */
function isAllowed({ headers, url }, { key = null }, dialect) {
  // A browser keeps no cookies for us, and no address may hold the key.
  if (headers.cookie !== undefined || (key !== null && decodeURIComponent(url ?? '').includes(key)))
    return false;
  if (key === null) return true;
  return dialect === 'messages'
    ? headers['x-api-key'] === key
    : headers.authorization === `Bearer ${key}` || headers['api-key'] === key;
}

/** @param {string | undefined} origin @param {Script} script @returns {Record<string, string>} */
function corsHeaders(origin, { cors = 'any', expose = false }) {
  if (origin === undefined || cors === 'none' || (cors !== 'any' && !cors.includes(origin))) return {};
  return {
    'access-control-allow-origin': origin,
    vary: 'Origin',
    ...(expose ? { 'access-control-expose-headers': 'retry-after, retry-after-ms' } : {}),
  };
}

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response @param {Record<string, string>} cors @param {Script} script */
function preflight({ headers }, response, cors, { expose }) {
  if (!('access-control-allow-origin' in cors)) return void response.writeHead(403).end(); // as Ollama does
  const wanted = (headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter(Boolean);
  const known = new Set([
    'authorization',
    'api-key',
    'x-api-key',
    'content-type',
    'anthropic-version',
    'anthropic-dangerous-direct-browser-access',
    ...(expose ? ['x-extra'] : []),
  ]);
  // Messages answer pages only that say that they know what they do.
  const careless =
    wanted.includes('anthropic-version') && !wanted.includes('anthropic-dangerous-direct-browser-access');
  if (careless || wanted.some((header) => !known.has(header))) return void response.writeHead(403).end();
  response
    .writeHead(204, {
      ...cors,
      'access-control-allow-methods': 'GET, POST, OPTIONS',
      'access-control-allow-headers': wanted.join(', '),
      'access-control-max-age': '0',
    })
    .end();
}

/** The fault for this request. @param {{ faults: { fault: Fault, left: number }[], counts: Map<string, number> }} state @param {string} step */
function pickFault({ faults, counts }, step) {
  const nth = { step: (counts.get(step) ?? 0) + 1, all: (counts.get('all') ?? 0) + 1 };
  counts.set(step, nth.step).set('all', nth.all);
  const found = faults.find(
    ({ fault, left }) =>
      left > 0 &&
      (fault.step ?? step) === step &&
      (fault.nth === undefined || fault.nth === (fault.step ? nth.step : nth.all)),
  );
  if (found) found.left -= 1;
  return found?.fault ?? null;
}

/** @param {import('node:http').IncomingMessage} request @param {Logged} logged @returns {Promise<Record<string, any> | null>} */
async function readBody(request, logged) {
  /** @type {Buffer[]} */
  const parts = [];
  for await (const part of request) {
    logged.bytes += part.length;
    if (logged.bytes > maxBody) return null;
    parts.push(part);
  }
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** @param {string} text @returns {unknown} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      script: { type: 'string' },
      key: { type: 'string' },
      log: { type: 'string' },
      obedient: { type: 'boolean', default: false },
    },
  });
  const file = values.script === undefined ? null : path.resolve(values.script);
  /** @type {Script} */
  const script =
    file === null
      ? {}
      : file.endsWith('.json')
        ? JSON.parse(await readFile(file, 'utf8'))
        : (await import(pathToFileURL(file).href)).default;
  const { url } = await startServer({
    ...script,
    ...(values.key === undefined ? {} : { key: values.key }),
    ...(values.obedient ? { obedient: true } : {}),
    port: Number(values.port),
    log: ({ headers, ...logged }) => values.log && appendFileSync(values.log, `${JSON.stringify(logged)}\n`),
  });
  console.log(`listening on ${url}`);
}

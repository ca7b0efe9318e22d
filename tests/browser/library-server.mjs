/**
 * A library's server for tests: the HTTP contract of the gateway (`crate/python/pincite/gateway`) over files of this machine,
 * answered by the native command, with tenants, tokens that expire, ranges, CORS, and every way to fail or lie that a test asks
 * for. It listens on one port for its life, so that it can be killed and started again.
 */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** @typedef {import('node:http').IncomingMessage} IncomingMessage */
/** @typedef {import('node:http').ServerResponse} ServerResponse */
/** @typedef {import('../../www/engine/protocol.js').Answer} Answer */
/** @typedef {import('../../www/engine/protocol.js').Filter} Filter */
/** @typedef {{ id: string, tenant: string, name: string, title: string | null, date: string | null, nPages: number, bytes: Uint8Array, file: string }} Held */
/** @typedef {{ method: string, path: string, authorization: string | undefined, cookie: string | undefined, origin: string | undefined, range: string | undefined, body: any, status: number, sent: number, aborted: boolean }} Seen */

const run = promisify(execFile);

export class LibraryServer {
  url = '';
  /** Tenant of each token that is valid. @type {Map<string, string>} */
  tokens = new Map();
  /** Tokens that have expired. @type {Set<string>} */
  expired = new Set();
  /** @type {Held[]} */
  documents = [];
  /** @type {Seen[]} */
  requests = [];
  /** What becomes of a request before it is answered; true where it was answered. @type {(request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>} */
  intercept = () => false;
  /** What becomes of an answer. @type {(answer: Answer) => unknown} */
  alter = (answer) => answer;
  /** Lines of a stream of answering. @type {(send: (event: unknown) => void, answer: () => Promise<unknown>, response: ServerResponse, token: string) => Promise<void>} */
  stream = progressThenAnswer;
  /** Bytes of a document, as they are served. @type {(held: Held) => Uint8Array} */
  serve = ({ bytes }) => bytes;
  /** Headers that a page may read. */
  exposed = 'ETag, Content-Range, Accept-Ranges, X-Request-Id, Retry-After';
  #command;
  #folder = '';
  #port = 0;
  /** @type {import('node:http').Server | null} */
  #server = null;

  /** @param {string} command the native command */
  constructor(command) {
    this.#command = command;
  }

  /** @param {number} [port] of an earlier one */
  async start(port = this.#port) {
    this.#folder ||= await mkdtemp(path.join(tmpdir(), 'pincite-library-'));
    const server = createServer((request, response) => {
      this.#answer(request, response).catch((error) => {
        console.log('the library server failed:', error);
        response.destroy();
      });
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
    this.#port = /** @type {import('node:net').AddressInfo} */ (server.address()).port;
    this.url = `http://127.0.0.1:${this.#port}/`;
    return this;
  }

  /** Ends it with all its connections, as a crash does. */
  async kill() {
    const server = this.#server;
    this.#server = null;
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
  }

  async close() {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** As it was at first, but for its documents. */
  reset() {
    this.tokens = new Map([['token-a', 'a']]);
    this.expired = new Set();
    this.requests = [];
    this.intercept = () => false;
    this.alter = (answer) => answer;
    this.stream = progressThenAnswer;
    this.serve = ({ bytes }) => bytes;
    this.exposed = 'ETag, Content-Range, Accept-Ranges, X-Request-Id, Retry-After';
  }

  /**
   * @param {string} tenant
   * @param {{ name: string, bytes: Uint8Array }} file
   * @param {{ title?: string | null, date?: string | null, nPages: number }} info
   */
  async add(tenant, { name, bytes }, { title = null, date = null, nPages }) {
    const id = createHash('sha256').update(bytes).digest('hex');
    const file = path.join(this.#folder, name);
    await writeFile(file, bytes);
    const held = { id, tenant, name, title, date, nPages, bytes, file };
    this.documents.push(held);
    return held;
  }

  /** Requests of a path, the first first. @param {string} start */
  seen(start) {
    return this.requests.filter((request) => request.path.startsWith(start) && request.method !== 'OPTIONS');
  }

  /** Answer of the command over documents. @param {string} question @param {readonly Held[]} documents @param {Filter} [filter] @returns {Promise<Answer>} */
  async ask(question, documents, { sections = [], from, to, inForce } = {}) {
    const files = documents.map(({ file }) => file);
    const filters = [
      ...sections.flatMap((section) => ['--section', section]),
      ...(from ? ['--from', from] : []),
      ...(to ? ['--to', to] : []),
      ...(inForce ? ['--in-force'] : []),
    ];
    const { stdout } = await run(
      this.#command,
      ['ask', '--question', question, '--vectors', 'none', '--json', ...filters, ...files],
      { maxBuffer: 64 * 1024 * 1024 },
    );
    const { trace, ...answer } = camel(JSON.parse(stdout));
    const { conflicts, missing, retrieved, ...rest } = trace;
    void retrieved;
    return { ...answer, conflicts, missing, trace: rest };
  }

  /** @param {IncomingMessage} request @param {ServerResponse} response */
  async #answer(request, response) {
    const { method = 'GET', url = '/', headers } = request;
    let text = '';
    for await (const part of request) text += part;
    /** @type {Seen} */
    const seen = {
      method,
      path: url,
      authorization: headers.authorization,
      cookie: headers.cookie,
      origin: headers.origin,
      range: headers.range,
      body: text === '' ? null : JSON.parse(text),
      status: 0,
      sent: 0,
      aborted: false,
    };
    this.requests.push(seen);
    response.on('close', () => {
      seen.status = response.statusCode;
      seen.aborted = !response.writableFinished;
    });
    response.setHeader('access-control-allow-origin', headers.origin ?? '*');
    response.setHeader('access-control-allow-headers', 'authorization, content-type, range');
    response.setHeader('access-control-allow-methods', 'GET, HEAD, POST');
    response.setHeader('access-control-expose-headers', this.exposed);
    response.setHeader('access-control-max-age', '600');
    response.setHeader('x-request-id', `r${this.requests.length}`);
    if (method === 'OPTIONS') return void response.writeHead(204).end();
    if (await this.intercept(request, response)) return;
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    const tenant = this.tokens.get(token);
    if (tenant === undefined) {
      const code = this.expired.has(token) ? 'token-expired' : 'unauthorized';
      return fail(response, 401, code, 'the token is not accepted');
    }
    const documents = this.documents.filter((held) => held.tenant === tenant);
    if (url === '/v1/library' && method === 'GET') return this.#list(response, documents);
    if (url === '/v1/ask' && method === 'POST') return this.#ask(response, documents, seen.body, token);
    const id = /^\/v1\/documents\/([^/]+)$/.exec(url)?.[1];
    const held = documents.find((each) => each.id === id);
    if (!held) return fail(response, 404, 'document-unknown', 'there is no such document');
    this.#send(response, held, method, headers.range, seen);
  }

  /** @param {ServerResponse} response @param {Held[]} documents */
  #list(response, documents) {
    const infos = documents.map(({ id, name, title, date, nPages }) => ({
      ...{ id, name, title, date, edition: null, nPages },
      ...{ nPassages: 1, nToEmbed: 1, nEmbedded: 1, diags: [] },
    }));
    const profiles = [{ name: 'general', title: 'General legal' }];
    const page = { documents: infos, nDocuments: infos.length, next: null };
    json(response, 200, { ...page, model: null, version: '0.1.0', profiles, hasModel: false });
  }

  /** @param {ServerResponse} response @param {Held[]} documents @param {{ question: string, documents?: string[], filter?: Filter }} body @param {string} token */
  async #ask(response, documents, { question, documents: chosen, filter }, token) {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    const send = (/** @type {unknown} */ event) => void response.write(`${JSON.stringify(event)}\n`);
    const looked = documents.filter(({ id }) => chosen === undefined || chosen.includes(id));
    await this.stream(
      send,
      async () => this.alter(await this.ask(question, looked, filter)),
      response,
      token,
    );
    response.end();
  }

  /** @param {ServerResponse} response @param {Held} held @param {string} method @param {string | undefined} range @param {Seen} seen */
  #send(response, held, method, range, seen) {
    const bytes = this.serve(held);
    const headers = {
      'content-type': held.nPages > 0 ? 'application/pdf' : 'application/octet-stream',
      'accept-ranges': 'bytes',
      etag: `"${held.id}"`,
    };
    const found = /^bytes=(\d+)-(\d*)$/.exec(range ?? '');
    const start = found ? Number(found[1]) : 0;
    const end = found?.[2] ? Math.min(bytes.length, Number(found[2]) + 1) : bytes.length;
    if (start >= end) return fail(response, 416, 'bad-argument', 'no such range');
    const part = bytes.slice(start, end);
    if (found) response.setHeader('content-range', `bytes ${start}-${end - 1}/${bytes.length}`);
    response.writeHead(found ? 206 : 200, { ...headers, 'content-length': part.length });
    seen.sent = method === 'HEAD' ? 0 : part.length;
    response.end(method === 'HEAD' ? undefined : part);
  }
}

/** @param {(event: unknown) => void} send @param {() => Promise<unknown>} answer */
async function progressThenAnswer(send, answer) {
  send({ event: 'progress', step: 'search', done: 1, total: 2 });
  send({ event: 'answer', answer: await answer(), texts: {} });
}

/** @param {ServerResponse} response @param {number} status @param {string} code @param {string} message */
export function fail(response, status, code, message) {
  json(response, status, {
    error: { code, message, hint: '', requestId: response.getHeader('x-request-id') },
  });
}

/** @param {ServerResponse} response @param {number} status @param {unknown} body */
function json(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Keys of the command line are in snake_case. @param {any} value @returns {any} */
function camel(value) {
  if (Array.isArray(value)) return value.map(camel);
  if (typeof value !== 'object' || value === null) return value;
  const named = (/** @type {string} */ key) => key.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [named(key), camel(each)]));
}

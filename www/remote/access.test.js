import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { Ledger } from '../llm/ledger.js';
import { send } from '../llm/transport.js';
import { Access } from './access.js';
import { LibraryError } from './errors.js';

/** @typedef {import('node:http').IncomingMessage} IncomingMessage */
/** @typedef {import('node:http').ServerResponse} ServerResponse */

/** @type {import('node:http').Server} */
let server;
let origin = '';
/** @type {IncomingMessage[]} */
let seen = [];
/** @type {(request: IncomingMessage, response: ServerResponse) => void} */
let reply = () => {};

before(async () => {
  server = createServer((request, response) => {
    seen.push(request);
    reply(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen = [];
  reply = (request, response) =>
    request.headers.authorization === 'Bearer good'
      ? json(response, 200, { ok: true })
      : json(response, 401, {
          error: { code: 'token-expired', message: 'expired', hint: '', requestId: 'r7' },
        });
});

/** @param {ServerResponse} response @param {number} status @param {unknown} body */
const json = (response, status, body) =>
  void response
    .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r7' })
    .end(JSON.stringify(body));

/** @param {(() => string | Promise<string>) | null} token */
function opened(token, ledger = new Ledger()) {
  const root = new URL(`${origin}/v1/`);
  return { access: new Access({ root, token, send, ledger, tokenMs: 100 }), ledger };
}

/** @param {Access} access @param {Partial<import('./access.js').LibraryRequest>} [parts] @returns {Promise<any>} */
const asked = (access, parts = {}) =>
  access
    .json(
      { path: 'library', method: 'GET', step: 'library-list', maxBytes: 1_000, signal: null, ...parts },
      (value) => value,
    )
    .then(
      (value) => value,
      (error) => [error.code, error.reason, error instanceof LibraryError],
    );

test('a request goes to the address with the token in its header, and is in the ledger without it', async () => {
  const { access, ledger } = opened(() => 'good');
  assert.deepEqual(await asked(access), { ok: true });
  const [request] = seen;
  assert.deepEqual(
    [request?.url, request?.headers.authorization, request?.headers.cookie, request?.headers.referer],
    ['/v1/library', 'Bearer good', undefined, undefined],
  );
  const [entry] = ledger.entries;
  assert.deepEqual(
    [entry?.where, entry?.step, entry?.method, entry?.outcome, entry?.status],
    [`${origin}/v1/library`, 'library-list', 'GET', 'ok', 200],
  );
  assert.ok(!JSON.stringify(ledger).includes('good'));
});

test('an expired token is fetched again once, however many requests find out', async () => {
  const tokens = ['old', 'good', 'never'];
  let n = 0;
  const { access, ledger } = opened(async () => tokens[n++] ?? '');
  const all = await Promise.all(Array.from({ length: 5 }, () => asked(access)));
  assert.deepEqual(all, Array(5).fill({ ok: true }));
  assert.equal(n, 2);
  assert.deepEqual(await asked(access), { ok: true });
  assert.equal(n, 2, 'the token is kept');
  assert.deepEqual(
    ledger.entries
      .slice(0, 10)
      .map(({ attempt }) => attempt)
      .sort(),
    [1, 1, 1, 1, 1, 2, 2, 2, 2, 2],
  );
});

test('a new token that is not taken either is the end of it', async () => {
  let n = 0;
  const { access } = opened(() => `bad${n++}`);
  /** @type {any} */
  const failure = await access
    .json({ path: 'library', method: 'GET', step: 's', maxBytes: 99, signal: null }, (value) => value)
    .catch((error) => error);
  assert.deepEqual(
    [failure.reason, failure.requestId, failure.detail, n],
    ['unauthorized', 'r7', 'expired', 2],
  );
  assert.ok(!failure.message.includes('bad'));
});

test('a token that expires inside of a reply begins the reading anew', async () => {
  let n = 0;
  const { access } = opened(() => (n++ === 0 ? 'old' : 'good'));
  reply = (_, response) => json(response, 200, {});
  let reads = 0;
  const request = {
    path: 'ask',
    method: /** @type {const} */ ('POST'),
    step: 's',
    maxBytes: 99,
    body: {},
    signal: null,
  };
  const read = await access.request(request, async () => {
    reads += 1;
    if (reads === 1) throw new LibraryError('unauthorized', 'expired');
    return 'answer';
  });
  assert.deepEqual([read, reads, n, seen.length], ['answer', 2, 2, 2]);
});

test('a page that gives no token is told so, and nothing is sent', async () => {
  const given = [
    () => '',
    () => 'two\nlines',
    () => 'sp ace',
    () => /** @type {any} */ (null),
    () => 'x'.repeat(20_000),
    () => Promise.reject(new Error('secret of the portal')),
    () => {
      throw new Error('secret of the portal');
    },
  ];
  for (const token of given) {
    const { access } = opened(token);
    assert.deepEqual(await asked(access), ['library-failed', 'token', true]);
  }
  assert.equal(seen.length, 0);
  for (const said of ['secret', 'it has expired: secret']) {
    const failure = await opened(() => Promise.reject(new Error(said)))
      .access.json({ path: 'library', method: 'GET', step: 's', maxBytes: 9, signal: null }, () => 0)
      .catch((error) => error);
    assert.ok(!failure.message.includes('secret'), failure.message);
  }
});

test('a server that asks for no token is sent none', async () => {
  reply = (request, response) => json(response, 200, { sent: request.headers.authorization ?? null });
  assert.deepEqual(await asked(opened(null).access), { sent: null });
});

test('statuses, other replies and redirects have their reasons', async () => {
  const { access } = opened(() => 'good');
  /** @param {number} status @param {string} [type] @param {string} [body] @param {Record<string, string>} [headers] */
  const answering = async (status, type = 'application/json', body = '{}', headers = {}) => {
    reply = (_, response) => void response.writeHead(status, { 'content-type': type, ...headers }).end(body);
    const found = await asked(access);
    return Array.isArray(found) ? found[1] : 'fine';
  };
  const found = [];
  for (const status of [403, 404, 413, 422, 429, 500, 503, 504]) found.push(await answering(status));
  assert.deepEqual(found, [
    'forbidden',
    'not-found',
    'refused',
    'refused',
    'rate-limited',
    'server-error',
    'unavailable',
    'timeout',
  ]);
  const told = (/** @type {string} */ code) =>
    JSON.stringify({ error: { code, message: '', hint: '', requestId: '' } });
  assert.equal(await answering(404, 'application/json', told('document-unknown')), 'document-unknown');
  assert.equal(await answering(500, 'application/json', told('shutting-down')), 'unavailable');
  assert.equal(await answering(404, 'application/json', told('toString')), 'not-found');
  assert.equal(await answering(200, 'text/html', '<p>sign in</p>'), 'bad-reply');
  assert.equal(await answering(200, 'application/json', '{"a":'), 'bad-reply');
  assert.equal(await answering(200, 'application/json', `"${'x'.repeat(2_000)}"`), 'too-large');
  assert.equal(
    await answering(302, 'application/json', '{}', { location: `${origin}/elsewhere` }),
    'unreachable',
  );
  assert.ok(!seen.some(({ url }) => url === '/elsewhere'), 'no redirect is followed');
});

test('how long to wait is believed up to a limit', async () => {
  const { access } = opened(() => 'good');
  const failing = async (/** @type {string} */ seconds) => {
    reply = (_, response) => void response.writeHead(429, { 'retry-after': seconds }).end();
    return access
      .json({ path: 'library', method: 'GET', step: 's', maxBytes: 9, signal: null }, () => 0)
      .catch(({ retryAfterMs, isPassing }) => [retryAfterMs, isPassing]);
  };
  assert.deepEqual(await failing('7'), [7_000, true]);
  assert.deepEqual(await failing('999999'), [120_000, true]);
});

test('only addresses below its own are asked', async () => {
  const { access } = opened(() => 'good');
  for (const path of ['../admin', '//evil.example/x', 'https://evil.example/', '/etc', '..%2fadmin/../../x'])
    assert.deepEqual(await asked(access, { path }), ['library-failed', 'address', true], path);
  assert.equal(seen.length, 0);
});

test('a request is given up in the middle, and while the token is awaited', async () => {
  const controller = new AbortController();
  reply = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    setTimeout(() => controller.abort(), 20);
  };
  assert.deepEqual(await asked(opened(() => 'good').access, { signal: controller.signal }), [
    'cancelled',
    'cancelled',
    true,
  ]);
  const other = new AbortController();
  setTimeout(() => other.abort(), 20);
  const never = opened(() => new Promise(() => {})).access;
  assert.deepEqual((await asked(never, { signal: other.signal }))?.[1], 'cancelled');
  assert.deepEqual((await asked(never))?.[1], 'token', 'a page that never gives one is not waited for');
});

test('a server that is gone cannot be reached', async () => {
  const access = new Access({
    root: new URL('http://127.0.0.1:9/v1/'),
    token: () => 'good',
    send,
    ledger: new Ledger(),
  });
  assert.deepEqual(await asked(access), ['library-failed', 'unreachable', true]);
});

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { check } from '../../www/llm/check.js';
import { Ledger } from '../../www/llm/ledger.js';
import { createProvider } from '../../www/llm/provider.js';
import { serverAt } from '../../www/llm/servers.js';
import { en } from '../../www/strings/en.js';
import { describeCheck } from '../../www/strings/check/index.js';
import { fetchOf } from './browser-fetch.mjs';
import { request } from './prompts.mjs';
import { startServer } from './server.mjs';

const key = 'sk-test-key-of-the-server';
const origin = 'http://localhost:8080';
const page = { protocol: 'http:', hostname: 'localhost', origin };
/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;
before(async () => {
  server = await startServer({ key });
});
after(() => server.close());

/** @param {Partial<import('../../www/llm/endpoint.js').EndpointConfig>} [config] @param {import('../../www/llm/check.js').CheckOptions} [options] */
function run(config = {}, options = {}) {
  const { fetch = fetchOf(origin) } = options;
  return check(
    { kind: 'openai', url: server.url, model: 'scripted', key, ...config },
    { page, timeoutMs: 1000, permission: async () => null, ...options, fetch: followingNone(fetch) },
  );
}

/** Refuses a request that would follow a redirect. @param {typeof globalThis.fetch} fetch @returns {typeof globalThis.fetch} */
function followingNone(fetch) {
  return (input, init) => {
    assert.ok(init?.redirect === 'error' || init?.redirect === 'manual', `redirects: ${init?.redirect}`);
    assert.notEqual(init.mode, 'no-cors', 'browsers follow redirects in this mode, whatever is asked for');
    return fetch(input, init);
  };
}

const none = {
  origin: '',
  page: '',
  model: '',
  reply: '',
  models: [],
  server: null,
  address: '',
  better: null,
  isSecure: false,
  isCrossing: false,
  isSafariBlocked: false,
};

/** A finding in English. @param {import('../../www/llm/check.js').CheckResult} found */
function words(found) {
  const { message, fix } = describeCheck(en, found);
  return `${message} ${fix}`;
}

test('an endpoint that works is reported with its models', async () => {
  server.reset({ key, models: ['scripted', 'other'] });
  const ledger = new Ledger();
  const found = await run({}, { ledger });
  assert.deepEqual([found.ok, found.finding, found.models], [true, 'answers', ['scripted', 'other']]);
  assert.deepEqual(
    ledger.entries.map(({ step, method, outcome, passages }) => [step, method, outcome, passages.length]),
    [
      ['check', 'GET', 'ok', 0],
      ['check', 'POST', 'ok', 0],
    ],
  );
  assert.equal((await run({ kind: 'anthropic' })).ok, true);
  assert.equal(
    (
      await run({
        url: `${server.origin}/openai/deployments/other`,
        query: { 'api-version': '1' },
        auth: 'api-key',
        model: 'other',
      })
    ).ok,
    true,
    'a list of models is no must',
  );
});

test('a server that answers with its own model, whatever is asked for, is reported', async () => {
  server.reset({ key, models: ['nonsense'], oneModel: true });
  const found = await run({ model: 'gpt' });
  assert.deepEqual([found.ok, found.finding, found.models], [true, 'answers-unlisted', ['nonsense']]);
  assert.match(
    words(found),
    /does not list “gpt”\. It calls itself “nonsense”\. The server has: “nonsense”\./,
  );
  server.reset({ key, models: ['llama3:latest'], oneModel: true });
  assert.match(words(await run({ model: 'llama3' })), /^llama3 answers at/, 'a tag may be left out');
  server.reset({ key, models: ['gpt-4o-mini'], oneModel: true });
  const other = await run({ model: 'gpt-4' });
  assert.match(words(other), /does not list “gpt-4”\. It calls itself “gpt-4o-mini”\./);
});

test('every fault is named, with what to do', async () => {
  /** @type {[string, () => Promise<import('../../www/llm/check.js').CheckResult>, import('../../www/llm/check.js').Finding, RegExp, RegExp][]} */
  const cases = [
    ['no address', () => run({ url: '' }), 'config', /missing/, /^$/],
    ['address without protocol', () => run({ url: 'localhost:11434' }), 'config', /http/, /localhost:11434/],
    [
      'key over an open line',
      () => run({ url: 'http://models.example/v1' }),
      'config',
      /not sent over http/,
      /https/,
    ],
    [
      'mixed content',
      () =>
        run(
          { url: 'http://192.168.1.7:11434', key: '' },
          { page: { protocol: 'https:', hostname: 'portal.example', origin: 'https://portal.example' } },
        ),
      'mixed-content',
      /https/,
      /on this machine/,
    ],
    [
      'CORS refused',
      () => (server.reset({ key, cors: ['http://elsewhere.example'] }), run()),
      'unreachable',
      /Nothing that this page may read answers/,
      /does not let this page ask it.*OLLAMA_ORIGINS="http:\/\/localhost:8080".*--allowed-origins/s,
    ],
    [
      'CORS refused to the reply only',
      () => (server.reset({ key, faults: [{ kind: 'cors' }] }), run()),
      'cors',
      /does not allow/,
      /localhost:8080/,
    ],
    [
      'a header that is not allowed',
      () => (server.reset({ key }), run({ headers: { 'x-extra': 'v' } })),
      'cors',
      /does not allow/,
      /./,
    ],
    [
      'nobody there',
      () => run({ url: 'http://127.0.0.1:9' }),
      'unreachable',
      /Nothing that this page may read answers at http:\/\/127.0.0.1:9/,
      /running/,
    ],
    [
      'redirect',
      () => (server.reset({ key, faults: [{ kind: 'redirect' }] }), run({}, { fetch: redirected })),
      'redirect',
      /another address/,
      /https/,
    ],
    ['wrong key', () => (server.reset({ key: 'sk-another-key' }), run()), 'key-refused', /key/, /key/],
    ['no key', () => (server.reset({ key }), run({ key: '' })), 'key-refused', /key/, /key/],
    [
      'unknown model',
      () => (server.reset({ key, models: ['llama', 'qwen'] }), run({ model: 'gpt' })),
      'model-unknown',
      /“gpt”/,
      /“llama”, “qwen”/,
    ],
    [
      'no model',
      () => (server.reset({ key }), run({ model: '' })),
      'no-model',
      /No model is named/,
      /“scripted”/,
    ],
    [
      'wrong path',
      () => run({ url: `${server.origin}/api/v2` }),
      'path',
      /not as a language model/,
      new RegExp(`Use the address ${server.url}\\.`),
    ],
    [
      'not a server of models',
      () => run({ url: web.url, key: '' }),
      'path',
      /not as a language model|a web page/,
      /Check the address/,
    ],
    [
      'too many requests',
      () => (server.reset({ key, faults: [{ kind: 'rate-limit' }] }), run()),
      'busy',
      /too many/,
      /connection works/,
    ],
    [
      'no credit',
      () => (server.reset({ key, faults: [{ kind: 'quota' }] }), run()),
      'no-credit',
      /credit/,
      /credit/,
    ],
    [
      'failing',
      () => (server.reset({ key, faults: [{ kind: 'status', status: 500 }] }), run()),
      'server',
      /failed/,
      /log/,
    ],
    [
      'slow',
      () => (server.reset({ key, faults: [{ kind: 'stall-connect' }] }), run({}, { timeoutMs: 200 })),
      'slow',
      /in time/,
      /loading/,
    ],
    [
      'another protocol',
      () => (server.reset({ key, faults: [{ kind: 'malformed-json' }] }), run()),
      'protocol',
      /JSON/,
      /protocol/,
    ],
    [
      'local network forbidden',
      () =>
        run(
          { url: 'http://127.0.0.1:9' },
          {
            page: { protocol: 'https:', hostname: 'portal.example', origin: 'https://portal.example' },
            permission: async (name) => (name === 'loopback-network' ? 'denied' : null),
          },
        ),
      'local-network',
      /does not allow/,
      /Local network access/,
    ],
    ['cancelled', () => run({}, { signal: AbortSignal.abort() }), 'cancelled', /cancelled/, /^$/],
    [
      'no model in this browser',
      () => check({ kind: 'prompt-api' }),
      'browser-missing',
      /no language model/,
      /Ollama/,
    ],
  ];
  for (const [what, ask, finding, message, fix] of cases) {
    const found = await ask();
    assert.equal(found.finding, finding, `${what}: ${JSON.stringify(found)}`);
    assert.equal(found.ok, false);
    const told = describeCheck(en, found);
    assert.match(told.message, message, what);
    assert.match(told.fix, fix, what);
    assert.ok(!JSON.stringify(found).includes(key));
    server.reset({ key });
  }
});

/** The redirect of a server that answers the first POST with one. @type {typeof globalThis.fetch} */
const redirected = async (input, init) => {
  if (init?.redirect === 'manual')
    return new Response(null, { status: 302, headers: { location: 'https://evil.example/' } });
  return fetchOf(origin)(input, init);
};

const web = { url: '', close: () => {} };
before(async () => {
  const site = createServer((_, response) =>
    response
      .writeHead(200, {
        'content-type': 'text/html',
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'content-type, authorization',
      })
      .end('<!doctype html>'),
  );
  await new Promise((resolve) => site.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = site.address();
  web.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  web.close = () => site.close();
});
after(() => web.close());

test('the check sends only requests that the ledger lists, to the configured server, without documents', async () => {
  server.reset({ key, cors: 'none' });
  const ledger = new Ledger();
  await run({}, { ledger });
  assert.ok(ledger.entries.length >= 2);
  assert.ok(
    ledger.entries.every(
      ({ where, step, passages }) =>
        where.startsWith(server.origin) && step === 'check' && passages.length === 0,
    ),
  );
  assert.ok(
    server.requests.every(({ headers }) => headers.authorization === undefined),
    'a preflight that fails keeps the key here',
  );
});

test('a page gets its reply where the server allows it, and a network error where not', async () => {
  /** @param {'openai' | 'anthropic'} kind */
  const ask = (kind) =>
    createProvider(
      { kind, url: server.url, model: 'scripted', key, attempts: 1 },
      { fetch: fetchOf('null') },
    ).complete(request('read'));
  for (const kind of /** @type {const} */ (['openai', 'anthropic'])) {
    server.reset({ key });
    assert.match((await ask(kind)).text, /^The text says/);
    server.reset({ key, cors: 'none' });
    await assert.rejects(ask(kind), { code: 'network' });
    server.reset({ key, faults: [{ kind: 'cors' }] });
    await assert.rejects(ask(kind), { code: 'network' });
  }
});

test('known servers are told how to allow a page and how to start', () => {
  /** @param {number} port */
  const local = (port) => new URL(`http://localhost:${port}/v1`);
  /** @param {'cors' | 'unreachable'} finding @param {URL} url @param {string} [page] */
  const fix = (finding, url, page = origin) => {
    const values = { ...none, server: serverAt(url), page, isSecure: url.protocol === 'https:' };
    return describeCheck(en, { finding, values, error: null }).fix;
  };
  assert.match(fix('cors', local(11434)), /Ollama.*OLLAMA_ORIGINS="http:\/\/localhost:8080"/);
  assert.match(fix('cors', local(11434), 'null'), /OLLAMA_ORIGINS="\*".*opened from a file/);
  assert.match(fix('cors', local(1234)), /LM Studio.*lms server start --cors/);
  assert.match(fix('cors', local(8000)), /vLLM.*--allowed-origins '\["http:\/\/localhost:8080"\]'/);
  assert.match(fix('cors', local(8080)), /llama\.cpp|llama-server/);
  assert.match(fix('cors', local(9999)), /Ollama: .*LM Studio: .*vLLM: /);
  assert.match(fix('cors', new URL('https://models.example/v1')), /gateway/);
  assert.match(fix('unreachable', local(11434)), /ollama serve.*OLLAMA_ORIGINS/s);
  assert.match(fix('unreachable', local(9999)), /host and port/);
});

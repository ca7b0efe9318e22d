import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import playwright from '../../www/node_modules/playwright-core/index.js';
import { outcomes } from '../llm/faults.mjs';
import { request } from '../llm/prompts.mjs';
import { startServer } from '../llm/server.mjs';
import { chromiumArgs, chromiumPath } from './harness.mjs';

/** @typedef {import('../../www/llm/endpoint.js').EndpointConfig} EndpointConfig */

const key = 'sk-test-key-of-the-server';
const www = path.resolve(fileURLToPath(new URL('../../www', import.meta.url)));
/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;
/** @type {import('node:http').Server} */
let pages;
/** @type {import('../../www/node_modules/playwright-core/index.js').Browser} */
let browser;
/** @type {import('../../www/node_modules/playwright-core/index.js').Page} */
let page;
let origin = '';

before(async () => {
  server = await startServer({ key });
  // The modules as they are, on a page without anything else, whose policy allows this server only.
  pages = createServer(async ({ url = '/' }, response) => {
    const file = /^\/llm\/([\w-]+\.js)$/.exec(url)?.[1];
    if (file && !file.includes('.test.'))
      return response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end(await readFile(path.join(www, 'llm', file)));
    const connect =
      url === '/closed' ? '' : url === '/open' ? 'http://127.0.0.1:*' : `${server.origin} http://127.0.0.1:9`;
    const policy = `default-src 'none'; script-src 'self' 'unsafe-eval'; connect-src 'self' ${connect}`;
    return response
      .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy })
      .end('<!doctype html><link rel="icon" href="data:,"><title>llm</title>');
  });
  await new Promise((resolve) => pages.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = pages.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  browser = await playwright.chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
  page = await browser.newPage();
  await page.goto(`${origin}/`);
});
after(async () => {
  await browser.close();
  pages.close();
  await server.close();
});

/** @param {import('node:http').Server} server */
function portOf(server) {
  const address = server.address();
  return typeof address === 'object' ? address?.port : 0;
}

/**
 * Asks from within the page; `abortAfter` stops after so many characters.
 * @param {Partial<EndpointConfig>} config
 * @param {{ abortAfter?: number }} [options]
 */
function ask(config, { abortAfter = Infinity } = {}) {
  /** @type {EndpointConfig} */
  const whole = {
    kind: 'openai',
    url: server.url,
    model: 'scripted',
    key,
    firstByteMs: 1500,
    stallMs: 1500,
    maxReplyBytes: 1024 * 1024,
    attempts: 3,
    ...config,
  };
  return page.evaluate(
    async ({ whole, asked, abortAfter }) => {
      const at = '/llm/provider.js';
      /** @type {typeof import('../../www/llm/provider.js')} */
      const { createProvider } = await import(at);
      /** @type {typeof import('../../www/llm/ledger.js')} */
      const { Ledger } = await import(at.replace('provider', 'ledger'));
      const ledger = new Ledger();
      const controller = new AbortController();
      /** @type {{ text: string | null, finish: string | null, code: string }} */
      let result;
      try {
        const { text, finish } = await createProvider(whole, {
          ledger,
          retry: { baseMs: 1, maxWaitMs: 2_000 },
        }).complete(asked, {
          signal: controller.signal,
          onText: (text) => {
            if (text.length > abortAfter) controller.abort();
          },
        });
        result = { text, finish, code: 'good' };
      } catch (error) {
        const { name, code } = /** @type {any} */ (error);
        result = { text: null, finish: null, code: name === 'LlmError' ? code : String(error) };
      }
      return { ...result, entries: ledger.entries.map(({ outcome }) => outcome) };
    },
    { whole, asked: request('read'), abortAfter },
  );
}

/** @param {Partial<EndpointConfig>} [config] */
function check(config = {}) {
  return page.evaluate(
    async (whole) => {
      const at = '/llm/check.js';
      /** @type {typeof import('../../www/llm/check.js')} */
      const { check } = await import(at);
      return check(/** @type {any} */ (whole), { timeoutMs: 2_000 });
    },
    { kind: 'openai', url: server.url, model: 'scripted', key, ...config },
  );
}

for (const kind of /** @type {const} */ (['openai', 'anthropic'])) {
  for (const stream of [true, false]) {
    test(`a browser survives or names every fault: ${kind}, ${stream ? 'streamed' : 'whole'}`, async () => {
      server.reset({ key, expose: true });
      const good = await ask({ kind, stream });
      assert.equal(good.code, 'good');
      for (const [fault, expected, requests, streamed] of outcomes) {
        if ((streamed ?? stream) !== stream) continue;
        server.reset({ key, expose: true, faults: [fault] });
        const got = await ask({ kind, stream });
        assert.equal(got.code, expected, JSON.stringify(fault));
        if (expected === 'good')
          assert.deepEqual([got.text, got.finish], [good.text, good.finish], JSON.stringify(fault));
        // The page may not read an answer without leave, so it asks again.
        assert.equal(server.requests.length, fault.kind === 'cors' ? 2 : requests, JSON.stringify(fault));
        // A browser may ask once more by itself when a connection that it kept is gone.
        if (fault.kind !== 'refuse')
          assert.equal(got.entries.length, server.requests.length, JSON.stringify(fault));
      }
    });
  }
}

test('a request that is given up is ended in the middle', async () => {
  server.reset({ key, faults: [{ kind: 'drip', bytes: 30, delayMs: 10 }] });
  const got = await ask({}, { abortAfter: 3 });
  assert.deepEqual([got.code, got.entries], ['cancelled', ['cancelled']]);
  for (let wait = 0; wait < 50 && !server.requests[0]?.aborted; wait += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(server.requests[0]?.aborted, true);
});

test('a server that refuses the page is not sent the request, and the check says why', async () => {
  server.reset({ key, cors: ['http://elsewhere.example'] });
  for (const kind of /** @type {const} */ (['openai', 'anthropic']))
    assert.equal((await ask({ kind })).code, 'network');
  assert.equal(server.requests.length, 0, 'the preflight keeps key and text here');
  const found = await check();
  assert.equal(found.finding, 'unreachable', JSON.stringify(found));
  assert.equal(found.values.page, origin);
});

test('the check tells the other faults apart', async () => {
  server.reset({ key });
  assert.equal((await check()).ok, true);
  assert.equal((await check({ kind: 'anthropic' })).ok, true);
  assert.equal((await check({ key: 'wrong' })).finding, 'key-refused');
  assert.equal((await check({ model: 'wrong' })).finding, 'model-unknown');
  assert.equal((await check({ url: `${server.origin}/v2` })).finding, 'path');
  assert.equal((await check({ url: 'http://127.0.0.1:9' })).finding, 'unreachable');
  assert.equal((await check({ kind: 'prompt-api' })).finding, 'browser-missing');
  server.reset({ key, faults: [{ kind: 'redirect' }] });
  assert.ok(['redirect', 'cors'].includes((await check()).finding));
});

test('the check follows no redirect, also of a server that lets no page read it', async () => {
  let followed = 0;
  const elsewhere = createServer((_, response) => {
    followed += 1;
    response.end('here');
  });
  const leading = createServer((_, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${portOf(elsewhere)}/` }).end(),
  );
  for (const each of [elsewhere, leading])
    await new Promise((resolve) => each.listen(0, '127.0.0.1', () => resolve(undefined)));
  try {
    // This page's policy allows every server of this machine: what keeps the request here is the check itself.
    await page.goto(`${origin}/open`);
    const found = await check({ url: `http://127.0.0.1:${portOf(leading)}` });
    assert.deepEqual([found.finding, followed], ['unreachable', 0]);
  } finally {
    elsewhere.close();
    leading.close();
    await page.goto(`${origin}/`);
  }
});

test('the policy of the page is named where it forbids the request', async () => {
  server.reset({ key });
  await page.goto(`${origin}/closed`);
  const found = await check();
  assert.equal(found.finding, 'policy', JSON.stringify(found));
  assert.equal(server.requests.length, 0);
  await page.goto(`${origin}/`);
});

test('requests carry no cookie, referrer or key where they should not', async () => {
  await page.context().addCookies([{ name: 'session', value: 'secret', url: server.origin }]);
  server.reset({ key });
  assert.equal((await ask({})).code, 'good');
  const [seen] = server.requests;
  assert.equal(seen?.headers.cookie, undefined);
  assert.equal(seen?.headers.referer, undefined);
  assert.equal(seen?.headers.origin, origin);
  assert.ok(!JSON.stringify(seen?.body).includes(key) && !JSON.stringify(seen?.query).includes(key));
});

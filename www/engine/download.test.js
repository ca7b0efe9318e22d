import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { download, nameOf } from './download.js';

/**
 * Asks a server of one's own for `/`.
 * @param {import('node:http').RequestListener} answer
 * @param {Partial<Parameters<typeof download>[1]>} [options]
 */
async function fetched(answer, options = {}) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  /** @type {[number, number][]} */
  const progress = [];
  try {
    const blob = await download(new URL(`http://127.0.0.1:${port}/`), {
      maxBytes: 100,
      signal: new AbortController().signal,
      onProgress: (...at) => progress.push(at),
      ...options,
    });
    return { text: await blob.text(), type: blob.type, progress };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

test('a document comes with its type, and progress ends at its size', async () => {
  const { text, type, progress } = await fetched((_, response) =>
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': 4 }).end('%PDF'),
  );
  assert.deepEqual([text, type, progress.at(-1)], ['%PDF', 'application/pdf', [4, 4]]);
});

test('authorization is asked for each request, and once more after 401', async () => {
  /** @type {(string | undefined)[]} */
  const seen = [];
  const tokens = ['Bearer old', 'Bearer new'];
  const { text } = await fetched(
    ({ headers: { authorization } }, response) => {
      seen.push(authorization);
      response.writeHead(authorization === 'Bearer new' ? 200 : 401).end('%PDF');
    },
    { getAuth: async () => tokens.shift() ?? null },
  );
  assert.deepEqual([text, seen], ['%PDF', ['Bearer old', 'Bearer new']]);
});

test('without getAuth nothing is sent along, and 401 is not tried again', async () => {
  /** @type {(string | undefined)[]} */
  const seen = [];
  const refused = fetched(({ headers: { authorization } }, response) => {
    seen.push(authorization);
    response.writeHead(401).end();
  });
  await assert.rejects(refused, {
    code: 'download-failed',
    message: 'expected a document, found status 401',
  });
  assert.deepEqual(seen, [undefined]);
});

test('what is no document says what was found and what to do', async () => {
  /** @type {[import('node:http').RequestListener, RegExp, RegExp][]} */
  const cases = [
    [(_, response) => response.writeHead(404).end(), /found status 404$/, /have moved/],
    [(_, response) => response.writeHead(403).end(), /found status 403$/, /Sign in again/],
    [
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<form>'),
      /found a web page$/,
      /Sign in again/,
    ],
    [(request) => request.socket.destroy(), /^no document from http:/, /down, or not allow/],
  ];
  for (const [answer, message, hint] of cases)
    await assert.rejects(fetched(answer), (/** @type {any} */ error) => {
      assert.deepEqual(
        [error.code, message.test(error.message), hint.test(error.hint)],
        ['download-failed', true, true],
      );
      return true;
    });
});

test('what is larger than the limit is given up, declared or not', async () => {
  for (const headers of [{ 'content-length': 101 }, {}])
    await assert.rejects(
      fetched((_, response) => response.writeHead(200, headers).end('x'.repeat(101))),
      { code: 'limit-exceeded' },
    );
});

test('a download that is cancelled ends as cancelled', async () => {
  const controller = new AbortController();
  const open = fetched(() => controller.abort(), { signal: controller.signal });
  await assert.rejects(open, { code: 'cancelled' });
});

test('a file is named by the last part of its address', () => {
  const cases = [
    ['https://host/files/Rule%20book.pdf?v=2', 'Rule book.pdf'],
    ['https://host/documents/17/', '17'],
    ['https://host/', 'document'],
    ['https://host/%E0%A4%A', '%E0%A4%A'],
  ];
  for (const [address, name] of cases) assert.equal(nameOf(new URL(address ?? '')), name);
});

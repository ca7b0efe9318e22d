import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { download } from './download.js';

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

/** What a server of one file saw of each request. @typedef {{ range?: string | undefined, authorization?: string | undefined }} Seen */

/**
 * A server of one file that sends twelve bytes of a reply, and breaks the connection when they have come. Further replies are whole.
 * @param {object} [how]
 * @param {(at: number) => Record<string, string>} [how.version] headers that tell the version of the file, of each reply
 * @param {boolean} [how.hasRanges]
 * @param {number} [how.nBreaks] replies that are broken
 * @param {number} [how.status] of a request for the rest
 * @param {Partial<Parameters<typeof download>[1]>} [how.options]
 */
async function broken({
  version = () => ({ etag: '"1"' }),
  hasRanges = true,
  nBreaks = 1,
  status = 206,
  options = {},
} = {}) {
  const file = 'abcdefghijklmnopqrstuvwxyz';
  /** @type {Seen[]} */
  const seen = [];
  /** @type {number[]} */
  const progress = [];
  let drop = () => {};
  const outcome = await fetched(
    ({ headers: { range, authorization } }, response) => {
      seen.push({ range, authorization });
      const from = hasRanges ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0;
      const rest = file.slice(from);
      const headers = { ...version(seen.length), 'content-length': rest.length };
      if (from === 0) response.writeHead(200, headers);
      else if (status !== 206) return void response.writeHead(status).end();
      else
        response.writeHead(206, {
          ...headers,
          'content-range': `bytes ${from}-${file.length - 1}/${file.length}`,
        });
      if (seen.length > nBreaks) return void response.end(rest);
      response.write(rest.slice(0, 12));
      drop = () => response.destroy();
    },
    {
      waits: [1, 1, 1],
      onProgress: (done) => {
        progress.push(done);
        drop();
      },
      ...options,
    },
  );
  assert.equal(outcome.text, file);
  return {
    ranges: seen.map(({ range }) => range),
    authorizations: seen.map((each) => each.authorization),
    progress,
  };
}

const longAgo = { 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' };

test('a transfer that breaks goes on where it broke, again and again, and progress with it', async () => {
  for (const version of [{ etag: '"1"' }, longAgo]) {
    const { ranges, progress } = await broken({ version: () => version, nBreaks: 2 });
    assert.deepEqual(ranges, [undefined, 'bytes=12-', 'bytes=24-']);
    assert.deepEqual(progress, [12, 24, 26]);
  }
});

test('the server of the page itself is asked for the rest of this version, and spares a second request', async () => {
  /** @type {(string | undefined)[]} */
  const seen = [];
  let drop = () => {};
  const { text } = await fetched(
    ({ headers }, response) => {
      seen.push(headers['if-range']?.toString());
      // What a file that has changed since gets.
      response.writeHead(200, { etag: `"${seen.length}"`, 'content-length': 4 });
      if (headers['range']) return void response.end('%PDF');
      // As if the page were of this server.
      Object.defineProperty(globalThis, 'location', {
        value: { origin: `http://${headers.host}` },
        configurable: true,
      });
      response.write('%P');
      drop = () => response.destroy();
    },
    { waits: [1], onProgress: () => drop() },
  ).finally(() => Reflect.deleteProperty(globalThis, 'location'));
  assert.deepEqual([text, seen], ['%PDF', [undefined, '"1"']]);
});

test('authorization is asked again to go on, and once more where it has expired', async () => {
  const tokens = ['Bearer one', 'Bearer two'];
  const { authorizations } = await broken({ options: { getAuth: () => tokens.shift() ?? null } });
  assert.deepEqual(authorizations, ['Bearer one', 'Bearer two']);
  /** @type {(string | undefined)[]} */
  const seen = [];
  let drop = () => {};
  const sent = ['Bearer one', 'Bearer old', 'Bearer new'];
  const { text } = await fetched(
    ({ headers: { range, authorization } }, response) => {
      seen.push(authorization);
      if (authorization === 'Bearer old') return void response.writeHead(401).end();
      response.writeHead(range ? 206 : 200, { etag: '"1"', 'content-length': range ? 2 : 4 });
      if (range) return void response.end('DF');
      response.write('%P');
      drop = () => response.destroy();
    },
    { waits: [1], onProgress: () => drop(), getAuth: () => sent.shift() ?? null },
  );
  assert.deepEqual([text, seen], ['%PDF', ['Bearer one', 'Bearer old', 'Bearer new']]);
});

test('where the file may be another one, or the server knows no ranges, a transfer that breaks begins anew', async () => {
  const now = () => ({ 'last-modified': new Date().toUTCString() });
  /** @type {[Parameters<typeof broken>[0], (string | undefined)[]][]} */
  const cases = [
    // The server sends it whole.
    [{ hasRanges: false }, [undefined, 'bytes=12-']],
    // It says that there is no such range.
    [{ status: 416 }, [undefined, 'bytes=12-', undefined]],
    // A part of another file.
    [{ version: (at) => ({ etag: `"${at}"` }) }, [undefined, 'bytes=12-', undefined]],
    // Nothing tells two files apart.
    [{ version: () => ({}) }, [undefined, undefined]],
    [{ version: () => ({ etag: 'W/"1"' }) }, [undefined, undefined]],
    [{ version: now }, [undefined, undefined]],
  ];
  for (const [how, expected] of cases) {
    const { ranges, progress } = await broken(how);
    assert.deepEqual(ranges, expected);
    assert.deepEqual(progress, [12, 26]);
  }
});

test('a transfer that breaks each time, or a server that fails then, is given up after a few tries', async () => {
  for (const [how, nRequests] of /** @type {const} */ ([
    [{ nBreaks: 99, hasRanges: false }, 4],
    [{ status: 503 }, 4],
    [{ status: 403 }, 2],
  ])) {
    let n = 0;
    const getAuth = () => {
      n += 1;
      return null;
    };
    await assert.rejects(broken({ ...how, options: { getAuth } }), { code: 'download-failed' });
    assert.equal(n, nRequests);
  }
});

test('a transfer that broke is cancelled while it waits', async () => {
  const controller = new AbortController();
  // Asked for its wait, it is about to wait.
  const waits = Object.defineProperty([0], 0, {
    get: () => {
      setImmediate(() => controller.abort());
      return 60_000;
    },
  });
  const open = broken({ options: { signal: controller.signal, waits } });
  await assert.rejects(open, { code: 'cancelled' });
});

test('a download that is cancelled ends as cancelled', async () => {
  const controller = new AbortController();
  const open = fetched(() => controller.abort(), { signal: controller.signal });
  await assert.rejects(open, { code: 'cancelled' });
});

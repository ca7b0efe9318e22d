import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { LibraryError } from './errors.js';
import { RemoteFile, partBytes } from './remote-file.js';

/** @typedef {import('./access.js').LibraryRequest} LibraryRequest */

/** @param {number} length */
const made = (length) => Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8)) % 251);
/** @param {Uint8Array} bytes */
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');

/**
 * A server of one file; `change` makes a reply another.
 * @param {Uint8Array} bytes
 * @param {(reply: { status: number, headers: Headers, body: Uint8Array }, request: LibraryRequest) => void} [change]
 */
function serving(bytes, change = () => {}) {
  const id = hashOf(bytes);
  /** @type {string[]} */
  const ranges = [];
  const access = {
    /** @param {LibraryRequest} request @param {(reply: any) => Promise<any>} use */
    request: async (request, use) => {
      if (request.signal?.aborted) throw new LibraryError('cancelled', 'cancelled');
      const range = request.headers?.['range'] ?? '';
      ranges.push(`${request.method} ${range}`.trim());
      const [, from = '0', to = ''] = /bytes=(\d+)-(\d+)/.exec(range) ?? [];
      const end = to === '' ? bytes.length : Math.min(bytes.length, Number(to) + 1);
      const reply = {
        status: range ? 206 : 200,
        headers: new Headers({
          etag: `"${id}"`,
          'content-range': `bytes ${from}-${end - 1}/${bytes.length}`,
          'content-length': String(request.method === 'HEAD' ? bytes.length : end - Number(from)),
        }),
        body: bytes.slice(Number(from), end),
      };
      change(reply, request);
      await new Promise((resolve) => setTimeout(resolve));
      if (request.signal?.aborted) throw new LibraryError('cancelled', 'cancelled');
      const read = async function* () {
        if (request.method !== 'HEAD') yield reply.body;
      };
      return use({ type: '', read, expectWithin: () => {}, status: reply.status, headers: reply.headers });
    },
  };
  return { file: new RemoteFile(/** @type {any} */ (access), id), ranges, id };
}

/** @param {Promise<unknown>} promise */
const reason = (promise) =>
  promise.then(
    () => 'fine',
    (error) => error.reason,
  );

test('ranges come as they are asked for, each part once, parts beside each other together', async () => {
  const bytes = made(5 * partBytes + 100);
  const { file, ranges } = serving(bytes);
  assert.equal(await file.size(), bytes.length);
  assert.deepEqual(await file.range(10, 20), bytes.slice(10, 20));
  assert.deepEqual(ranges, [`GET bytes=0-${partBytes - 1}`]);
  const [a, b] = await Promise.all([
    file.range(2 * partBytes, 4 * partBytes),
    file.range(3 * partBytes + 5, 4 * partBytes),
  ]);
  assert.deepEqual(
    [a, b],
    [bytes.slice(2 * partBytes, 4 * partBytes), bytes.slice(3 * partBytes + 5, 4 * partBytes)],
  );
  assert.deepEqual(ranges.slice(1), [`GET bytes=${2 * partBytes}-${4 * partBytes - 1}`]);
  assert.deepEqual(await file.range(5 * partBytes, 6 * partBytes), bytes.slice(5 * partBytes));
  assert.equal(await reason(file.range(bytes.length, bytes.length + 5)), 'bad-reply');
});

test('what is given out is a copy: pdf.js takes the bytes away', async () => {
  const bytes = made(1_000);
  const { file } = serving(bytes);
  const first = await file.range(0, 1_000);
  first.fill(0);
  assert.deepEqual(await file.range(0, 1_000), bytes);
});

test('a file that came whole is the one that is cited', async () => {
  const bytes = made(3 * partBytes);
  const { file } = serving(bytes);
  assert.equal(file.isWhole, false);
  assert.deepEqual(new Uint8Array(await (await file.whole()).arrayBuffer()), bytes);
  assert.equal(file.isWhole, true);
  const { file: other } = serving(bytes, (reply) => {
    reply.body[7] = 1;
  });
  assert.equal(await reason(other.whole()), 'changed');
  assert.equal(await reason(serving(bytes).file.whole({ maxBytes: 10 })), 'too-large');
});

test('a server that knows no ranges gives the whole file at once', async () => {
  const bytes = made(2 * partBytes + 9);
  const { file, ranges } = serving(bytes, (reply) => Object.assign(reply, { status: 200, body: bytes }));
  assert.deepEqual(await file.range(partBytes, partBytes + 9), bytes.slice(partBytes, partBytes + 9));
  assert.equal(ranges.length, 1);
});

test('of what comes without ranges no more is taken than was asked for, nor held than of other files', async () => {
  const bytes = made(50 * 1024 * 1024);
  /** @type {number[]} */
  const bounds = [];
  const { file } = serving(bytes, (reply, { maxBytes }) => {
    bounds.push(maxBytes);
    Object.assign(reply, { status: 200, body: bytes });
  });
  await file.size(null, 64 * 1024 * 1024);
  assert.deepEqual(bounds, [64 * 1024 * 1024]);
  assert.ok(file.heldBytes <= 48 * 1024 * 1024, `${file.heldBytes} bytes`);
  assert.equal((await file.whole()).size, bytes.length, 'it can be had whole all the same');
});

test('who asks for a file whole, and gives it up or takes less, does not take it from others', async () => {
  const bytes = made(3 * partBytes);
  const { file } = serving(bytes);
  const controller = new AbortController();
  const given = reason(file.whole({ signal: controller.signal }));
  const wanted = file.whole();
  controller.abort();
  assert.equal(await given, 'cancelled');
  assert.equal((await wanted).size, bytes.length);
  const { file: other } = serving(bytes);
  const refused = reason(other.whole({ maxBytes: 10 }));
  const taken = other.whole();
  assert.equal(await refused, 'too-large');
  assert.equal((await taken).size, bytes.length);
  const { file: third } = serving(bytes, (reply, { maxBytes }) => {
    if (maxBytes < bytes.length) throw new LibraryError('too-large', 'too large');
    Object.assign(reply, { status: 200, body: bytes });
  });
  const [small, large] = [reason(third.size(null, 10)), third.size()];
  assert.deepEqual([await small, await large], ['too-large', bytes.length]);
});

test('where the page may not read the range, the head of the file tells its size', async () => {
  const bytes = made(2 * partBytes);
  const { file, ranges } = serving(bytes, ({ headers }) => headers.delete('content-range'));
  assert.equal(await file.size(), bytes.length);
  assert.deepEqual(ranges.slice(0, 2), [`GET bytes=0-${partBytes - 1}`, 'HEAD']);
});

test('replies of other bytes than were asked for are refused', async () => {
  const bytes = made(4 * partBytes);
  /** @type {Record<string, (reply: { status: number, headers: Headers, body: Uint8Array }, request: LibraryRequest) => void>} */
  const lies = {
    'another beginning': ({ headers }) =>
      headers.set('content-range', `bytes 5-${partBytes + 4}/${bytes.length}`),
    'fewer bytes': (reply) => Object.assign(reply, { body: reply.body.slice(1) }),
    'no bytes': (reply) => Object.assign(reply, { body: new Uint8Array() }),
    'a range that is none': ({ headers }) => headers.set('content-range', 'bytes all'),
    'a size beyond all': ({ headers }) =>
      headers.set('content-range', `bytes 0-${partBytes - 1}/${10 ** 14}`),
    'another document': ({ headers }) => headers.set('etag', '"of-another"'),
  };
  for (const [name, lie] of Object.entries(lies)) {
    const found = await reason(serving(bytes, lie).file.size());
    assert.ok(['bad-reply', 'changed', 'too-large'].includes(found), `${name}: ${found}`);
  }
});

test('a document that changes while it is read is told apart', async () => {
  const bytes = made(500 * partBytes);
  let isOther = false;
  const { file } = serving(bytes, (reply) => {
    if (isOther) reply.body[0] = (reply.body[0] ?? 0) + 1;
  });
  await file.range(partBytes, 2 * partBytes);
  // Other parts take the place of the first ones.
  for (let part = 2; part < 450; part += 50) await file.range(part * partBytes, (part + 50) * partBytes);
  isOther = true;
  assert.equal(await reason(file.range(partBytes, 2 * partBytes)), 'changed');
});

test('who gives a part up does not take it from others', async () => {
  const bytes = made(3 * partBytes);
  const { file } = serving(bytes);
  await file.size();
  const controller = new AbortController();
  const given = reason(file.range(partBytes, 2 * partBytes, controller.signal));
  const wanted = file.range(partBytes, 2 * partBytes);
  controller.abort();
  assert.equal(await given, 'cancelled');
  assert.deepEqual(await wanted, bytes.slice(partBytes, 2 * partBytes));
});

test('a failure is not kept', async () => {
  const bytes = made(2 * partBytes);
  let fails = true;
  const { file } = serving(bytes, () => {
    if (fails) throw new LibraryError('unreachable', 'gone');
  });
  assert.equal(await reason(file.size()), 'unreachable');
  fails = false;
  assert.deepEqual(await file.range(partBytes, partBytes + 3), bytes.slice(partBytes, partBytes + 3));
});

test('a document that the library does not have is told so', async () => {
  const { file } = serving(made(10), () => {
    throw new LibraryError('not-found', 'status 404', { requestId: 'r1' });
  });
  const error = await file.size().catch((thrown) => thrown);
  assert.deepEqual([error.reason, error.requestId], ['document-unknown', 'r1']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from './errors.js';
import { Pool } from './pool.js';

/** A channel whose requests are answered by the test. */
class FakeChannel {
  /** @type {{ request: any, resolve: (result: any) => void, reject: (error: Error) => void }[]} */
  requests = [];
  ended = false;
  vanished = false;
  onFatal = () => {};

  /** @param {any} request */
  request(request) {
    return new Promise((resolve, reject) => this.requests.push({ request, resolve, reject }));
  }

  /** @param {Error} reason */
  end(reason) {
    this.ended = true;
    for (const { reject } of this.requests) reject(reason);
  }
}

/** @param {Partial<ConstructorParameters<typeof Pool>[0]>} options */
function setUp(options = {}) {
  /** @type {FakeChannel[]} */
  const channels = [];
  const pool = new Pool({
    size: 2,
    idleMs: 5,
    warmMs: 1_000_000,
    ingest: () => new Promise(() => {}),
    encoder: () => new Promise(() => {}),
    ...options,
    spawn: () => {
      channels.push(new FakeChannel());
      return /** @type {any} */ (channels.at(-1));
    },
  });
  return { pool, channels };
}

/** @param {string} name */
const parse = (name) => /** @type {any} */ ({ type: 'parse', name });
const embed = /** @type {any} */ ({ type: 'embed', texts: [] });
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('workers are made when there is work, up to the size', async () => {
  const { pool, channels } = setUp();
  assert.equal(channels.length, 0);
  for (const name of ['a', 'b', 'c']) pool.run(parse(name)).catch(() => {});
  assert.equal(channels.length, 2);
  channels[0]?.requests[0]?.resolve('done');
  await turn();
  assert.equal(channels[0]?.requests[1]?.request.name, 'c');
  pool.close();
});

test('a worker is given what reads files once, with its first file, and again after a file that it could not read', async () => {
  let isThere = false;
  const ingest = async () => {
    if (!isThere) throw new EngineError('internal', 'no network');
    return /** @type {any} */ ('module');
  };
  const { pool, channels } = setUp({ size: 1, ingest });
  const given = () =>
    (channels[0]?.requests ?? [])
      .filter(({ request }) => request.type === 'take-ingest')
      .map(({ request }) => request.given.problem?.message ?? request.given.assets);
  /** Runs a task that ends so. @param {any} request @param {Error | null} error */
  const ended = async (request, error = null) => {
    const running = pool.run(request).catch(() => {});
    await turn();
    for (const { resolve, reject } of channels[0]?.requests ?? []) error ? reject(error) : resolve({});
    await running;
  };
  await ended(embed);
  assert.deepEqual(given(), []);
  await ended(parse('without'), new EngineError('internal', 'no network'));
  isThere = true;
  await ended(parse('first'));
  await ended(parse('second'));
  assert.deepEqual(given(), ['no network', 'module']);
  pool.close();
});

test('parsing goes before embedding that waits', async () => {
  const { pool, channels } = setUp({ size: 1 });
  for (const request of [parse('first'), embed, embed, parse('late')]) pool.run(request).catch(() => {});
  const [channel] = channels;
  channel?.requests[0]?.resolve({});
  await turn();
  assert.equal(channel?.requests[1]?.request.name, 'late');
  pool.close();
});

test('passages of a question go before files; hurried, they give what they have, or nothing where they wait', async () => {
  const { pool, channels } = setUp({ size: 1 });
  const first = /** @type {any} */ ({ type: 'embed-first', texts: ['a'] });
  pool.run(embed).catch(() => {});
  pool.run(parse('late')).catch(() => {});
  const running = pool.run(first);
  const waiting = pool.run(first);
  const [channel] = channels;
  channel?.requests[0]?.resolve({});
  await turn();
  assert.equal(channel?.requests[1]?.request.type, 'embed-first');
  pool.hurry('embed-first');
  assert.equal(channel?.requests[2]?.request.type, 'hurry');
  assert.deepEqual((await waiting).done, []);
  channel?.requests[1]?.resolve({ done: [0] });
  assert.deepEqual((await running).done, [0]);
  await turn();
  assert.equal(channel?.requests[3]?.request.name, 'late');
  pool.close();
});

test('a comparison goes before files; hurried, it gives what it has, or nothing where it waits', async () => {
  const { pool, channels } = setUp({ size: 1 });
  const compare = /** @type {any} */ ({ type: 'compare', query: 'q', passages: [['a'], ['b']] });
  pool.run(embed).catch(() => {});
  pool.run(parse('late')).catch(() => {});
  const running = pool.run(compare);
  const waiting = pool.run(compare);
  const [channel] = channels;
  channel?.requests[0]?.resolve({});
  await turn();
  assert.equal(channel?.requests[1]?.request.type, 'compare');
  assert.equal(pool.modelReady, true, 'a question can be embedded in between');
  pool.hurry('embed');
  assert.equal(channel?.requests.length, 2, 'other tasks are not hurried with it');
  pool.hurry('compare');
  assert.equal(channel?.requests[2]?.request.type, 'hurry');
  assert.deepEqual(await waiting, { done: 0, matches: [], seconds: 0 });
  channel?.requests[1]?.resolve({ done: 1, matches: ['match'], seconds: 1 });
  assert.equal((await running).done, 1);
  await turn();
  assert.equal(channel?.requests[3]?.request.name, 'late');
  pool.close();
});

test('cancelling ends the worker; the others and the queue go on', async () => {
  const { pool, channels } = setUp();
  const controller = new AbortController();
  const doomed = pool.run(parse('doomed'), { signal: controller.signal });
  const other = pool.run(parse('other'));
  const waiting = pool.run(parse('waiting'));
  controller.abort();
  await assert.rejects(doomed, { code: 'cancelled' });
  assert.equal(channels[0]?.ended, true);
  assert.equal(channels[2]?.requests[0]?.request.name, 'waiting');
  channels[1]?.requests[0]?.resolve('other done');
  channels[2]?.requests[0]?.resolve('waiting done');
  assert.deepEqual(await Promise.all([other, waiting]), ['other done', 'waiting done']);
  pool.close();
});

test('a task that waits is cancelled without a worker being ended', async () => {
  const { pool, channels } = setUp({ size: 1 });
  pool.run(parse('running')).catch(() => {});
  const controller = new AbortController();
  const waiting = pool.run(parse('waiting'), { signal: controller.signal });
  controller.abort();
  await assert.rejects(waiting, { code: 'cancelled' });
  assert.equal(channels[0]?.ended, false);
  pool.close();
});

test('a lost worker fails its task only and is replaced', async () => {
  const { pool, channels } = setUp({ size: 1 });
  const lost = pool.run(parse('trap'));
  const next = pool.run(parse('next'));
  const [channel] = channels;
  channel?.end(new EngineError('internal', 'unreachable'));
  channel?.onFatal();
  await assert.rejects(lost, { code: 'internal' });
  await turn();
  channels[1]?.requests[0]?.resolve('done');
  assert.equal(await next, 'done');
  assert.equal(pool.alive, 1);
  pool.close();
});

test('a question goes to a worker with the model, also while it embeds, never to one that parses', async () => {
  const { pool, channels } = setUp({ size: 1 });
  assert.equal(await pool.embedQuery('before there is a worker'), null);
  const warm = pool.run(/** @type {any} */ ({ type: 'warm' }));
  channels[0]?.requests[0]?.resolve({ fingerprint: 'm' });
  await warm;
  pool.run(embed).catch(() => {});
  const asked = pool.embedQuery('q');
  assert.equal(channels[0]?.requests[2]?.request.type, 'embed-query');
  channels[0]?.requests[2]?.resolve({ vector: [1] });
  assert.deepEqual(await asked, { vector: [1] });
  channels[0]?.requests[1]?.resolve({});
  await turn();
  pool.run(parse('a')).catch(() => {});
  assert.equal(pool.modelReady, false);
  assert.equal(await pool.embedQuery('while parsing'), null);
  pool.close();
});

test('idle workers are released; the last with the model stays warm', async () => {
  const { pool, channels } = setUp();
  const warm = pool.run(/** @type {any} */ ({ type: 'warm' }));
  const parsed = pool.run(parse('a'));
  for (const channel of channels) channel.requests[0]?.resolve({});
  await Promise.all([warm, parsed]);
  for (let waited = 0; pool.alive > 1 && waited < 200; waited += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(pool.alive, 1);
  assert.equal(pool.modelReady, true);
  pool.close();
  assert.equal(pool.alive, 0);
});

test('a worker whose GPU has won embeds alone, until the GPU is lost or idles', async () => {
  const { pool, channels } = setUp();
  const running = [pool.run(embed), pool.run(embed)];
  const [first, second] = channels;
  first?.requests[0]?.resolve({ onGpu: false });
  await turn();
  assert.deepEqual([pool.hasGpu, pool.batches], [false, 2]);
  const trial = pool.run({ type: 'try-gpu', always: false, rate: 1 });
  assert.equal(first?.requests[1]?.request.type, 'try-gpu');
  first?.requests[1]?.resolve(null);
  assert.equal(await trial, null);
  assert.ok(pool.hasGpu);
  // The worker without one finishes what it has and gets no more.
  second?.requests[0]?.resolve({ onGpu: false });
  await Promise.all(running);
  const later = [pool.run(embed), pool.run(embed)];
  assert.deepEqual([first?.requests.length, second?.requests.length], [3, 1]);
  first?.requests[2]?.resolve({ onGpu: false });
  await turn();
  assert.ok(!pool.hasGpu, 'it was lost');
  for (const channel of channels) for (const { resolve } of channel.requests) resolve({ onGpu: false });
  await Promise.all(later);
  const again = pool.run({ type: 'try-gpu', always: false, rate: 1 });
  for (const channel of channels) channel.requests.at(-1)?.resolve(null);
  await again;
  assert.ok(pool.hasGpu);
  // An idle GPU is given back, while its worker stays for questions.
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.ok(!pool.hasGpu && pool.alive === 1);
  assert.ok(channels.some(({ requests }) => requests.at(-1)?.request.type === 'release-gpu'));
  pool.close();
});

test('a task whose worker is ended from outside is done by another, and given up when it loses one after the other', async () => {
  const { pool, channels } = setUp({ size: 2 });
  /** @param {number} at */
  const lose = async (at) => {
    const channel = channels[at];
    assert.ok(channel);
    channel.vanished = true;
    channel.end(new EngineError('internal', 'ended'));
    channel.onFatal();
    await turn();
  };
  const survives = pool.run(parse('survives'));
  await lose(0);
  channels[1]?.requests[0]?.resolve('done');
  assert.equal(await survives, 'done');
  await lose(1);
  const fatal = pool.run(parse('fatal'));
  fatal.catch(() => {});
  for (const at of [2, 3, 4]) await lose(at);
  await assert.rejects(fatal, { code: 'internal' });
  assert.equal(channels.length, 5, 'it is not tried for ever');
  pool.close();
});

test('a task that is cancelled as its worker is ended is not done again', async () => {
  const { pool, channels } = setUp({ size: 1 });
  const controller = new AbortController();
  const cancelled = pool.run(parse('cancelled'), { signal: controller.signal });
  const [channel] = channels;
  assert.ok(channel);
  channel.vanished = true;
  controller.abort();
  await assert.rejects(cancelled);
  assert.equal(channels.length, 1);
  pool.close();
});

test('a task that gave its bytes away is not asked of another worker, which would get none of them', async () => {
  const { pool, channels } = setUp({ size: 2 });
  const file = Uint8Array.of(1, 2, 3);
  const task = pool.run({ type: 'hash', file });
  const [channel] = channels;
  assert.ok(channel);
  channel.vanished = true;
  channel.end(new EngineError('internal', 'ended'));
  channel.onFatal();
  await assert.rejects(task, { code: 'internal' });
  pool.close();
});

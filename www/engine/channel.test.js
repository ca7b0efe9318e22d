import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Channel } from './channel.js';
import { EngineError, cancelled } from './errors.js';

class FakeWorker {
  /** @type {any[]} */
  posted = [];
  terminated = false;
  /** @type {any} */
  onmessage = null;
  /** @type {any} */
  onerror = null;
  /** @type {any} */
  onmessageerror = null;

  /** As one without Web Locks. */
  isHeard = true;

  /** @param {any} message */
  postMessage(message) {
    this.posted.push(message);
    if (this.isHeard && message.type === 'init')
      queueMicrotask(() => this.say({ type: 'alive', lock: null }));
  }

  terminate() {
    this.terminated = true;
  }

  /** @param {any} data */
  say(data) {
    this.onmessage({ data });
  }
}

function setUp() {
  const worker = new FakeWorker();
  const channel = new Channel(/** @type {any} */ (worker), Promise.resolve(/** @type {any} */ ({})));
  return { worker, channel };
}

const request = /** @type {any} */ ({ type: 'warm' });

test('replies find their request, in any order', async () => {
  const { worker, channel } = setUp();
  const [first, second] = [channel.request(request), channel.request(request)];
  worker.say({ type: 'done', id: 2, result: 'second' });
  worker.say({ type: 'done', id: 1, result: 'first' });
  assert.deepEqual(await Promise.all([first, second]), ['first', 'second']);
});

test('an error is rebuilt by its code', async () => {
  const { worker, channel } = setUp();
  const failed = channel.request(request);
  worker.say({ type: 'error', id: 1, error: { code: 'pdf-invalid', message: 'no header', hint: 'h' } });
  await assert.rejects(failed, { name: 'EngineError', code: 'pdf-invalid', hint: 'h' });
});

test('a fatal event rejects everything in flight and names the document', async () => {
  const { worker, channel } = setUp();
  /** @type {any} */
  let lost = null;
  channel.onFatal = (fatal) => (lost = fatal);
  const pending = [channel.request(request), channel.request(request)];
  worker.say({ type: 'fatal', message: 'unreachable', document: 'd' });
  for (const promise of pending) await assert.rejects(promise, { code: 'internal' });
  assert.deepEqual([lost.document, worker.terminated], ['d', true]);
  await assert.rejects(channel.request(request), { code: 'internal' });
});

test('ending on purpose is not fatal, and late messages are ignored', async () => {
  const { worker, channel } = setUp();
  channel.onFatal = () => assert.fail('not lost');
  const pending = channel.request(request);
  channel.end(cancelled());
  await assert.rejects(pending, { code: 'cancelled' });
  await assert.rejects(channel.request(request), { code: 'cancelled' }, 'for the same reason');
  worker.say({ type: 'done', id: 1, result: 'late' });
  worker.say({ type: 'fatal', message: 'late', document: null });
});

test('a worker that cannot start is lost', async () => {
  const { worker, channel } = setUp();
  const pending = channel.request(request);
  worker.onerror({ message: 'not found', preventDefault: () => {} });
  await assert.rejects(pending, /not found/);
  await assert.rejects(channel.ready);
});

test('requests wait for what the worker starts with, and fail with it', async () => {
  const worker = new FakeWorker();
  /** @type {(assets: any) => void} */
  let load = () => {};
  const loading = new Promise((resolve) => (load = resolve));
  const channel = new Channel(/** @type {any} */ (worker), loading);
  void channel.request(request);
  void channel.request(request);
  await Promise.resolve();
  assert.deepEqual(worker.posted, []);
  load({});
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    worker.posted.map(({ type, id }) => [type, id]),
    [
      ['init', undefined],
      ['warm', 1],
      ['warm', 2],
    ],
  );

  const failing = new FakeWorker();
  const missing = new EngineError('page-damaged', 'the engine is damaged', 'Get the file again.');
  const none = new Channel(/** @type {any} */ (failing), Promise.reject(missing));
  none.onFatal = () => assert.fail('another worker would not help');
  await assert.rejects(none.request(request), missing);
  assert.deepEqual([failing.posted, failing.terminated], [[], true]);
});

test('a worker that says nothing any more is lost when its lock is free, and not by being ended on purpose', async () => {
  /** @type {Map<string, () => void>} */
  const waiting = new Map();
  const locks = {
    request: async (/** @type {string} */ name, /** @type {() => void} */ work) => waiting.set(name, work),
  };
  Object.defineProperty(globalThis, 'navigator', { value: { locks }, configurable: true });
  const { worker, channel } = setUp();
  let nLost = 0;
  channel.onFatal = () => (nLost += 1);
  const pending = channel.request(request);
  worker.say({ type: 'alive', lock: 'first' });
  assert.equal(channel.vanished, false);
  waiting.get('first')?.();
  await assert.rejects(pending, { code: 'internal' });
  assert.deepEqual([nLost, channel.vanished, worker.terminated], [1, true, true]);

  const other = setUp();
  other.channel.onFatal = () => assert.fail('not lost');
  other.worker.say({ type: 'alive', lock: 'second' });
  other.channel.end(cancelled());
  waiting.get('second')?.();
  assert.equal(other.channel.vanished, false);
});

test('a worker that is never heard of is lost after a minute; one without locks is not', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { worker, channel } = setUp();
  worker.isHeard = false;
  let nLost = 0;
  channel.onFatal = () => (nLost += 1);
  const other = setUp();
  other.channel.onFatal = () => assert.fail('not lost');
  const pending = channel.request(request);
  await new Promise((resolve) => setImmediate(resolve));
  mock.timers.tick(59_000);
  assert.equal(nLost, 0);
  mock.timers.tick(1_000);
  mock.timers.reset();
  await assert.rejects(pending, { code: 'internal' });
  assert.deepEqual([nLost, channel.vanished, worker.terminated], [1, true, true]);
  assert.equal(other.channel.ended, false);
});

test('a request that cannot be sent fails, and is not waited for', async () => {
  const { worker, channel } = setUp();
  worker.postMessage = (/** @type {any} */ message) => {
    if (message.type !== 'init') throw new DOMException('detached', 'DataCloneError');
  };
  await assert.rejects(channel.request(request), { name: 'DataCloneError' });
  channel.end(cancelled());
});

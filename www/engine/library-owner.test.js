import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Channel } from './channel.js';
import { cancelled } from './errors.js';
import { LibraryOwner } from './library-owner.js';

class FakeWorker {
  /** @type {any[]} */
  posted = [];
  /** @type {any} */
  onmessage = null;
  onerror = null;
  onmessageerror = null;

  /** @param {any} message */
  postMessage(message) {
    this.posted.push(message);
  }

  terminate() {}

  /** @param {any} data */
  say(data) {
    this.onmessage({ data });
  }
}

/** An owner whose workers say what the test has them say. @param {number} [steadyMs] @param {boolean} [wasKept] */
function setUp(steadyMs, wasKept = false) {
  /** @type {FakeWorker[]} */
  const workers = [];
  /** @type {Promise<void>[]} */
  const replaced = [];
  /** @type {string[]} */
  const listed = [];
  const host = {
    spawn: () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return new Channel(/** @type {any} */ (worker), Promise.resolve(/** @type {any} */ ({})));
    },
    library: 'test',
    wasKept: () => wasKept,
    onDocument: (/** @type {{ id: string }} */ { id }) => listed.push(id),
    onForeign: () => {},
    onLost: (/** @type {Promise<void>} */ opened) => {
      opened.catch(() => {});
      replaced.push(opened);
    },
  };
  const owner = new LibraryOwner(host, steadyMs);
  const newest = () => /** @type {FakeWorker} */ (workers.at(-1));
  /** The request by which the newest worker is to open the library. */
  const asked = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return newest().posted.find(({ type }) => type === 'open');
  };
  /** The newest worker opens the library. @param {{ persistent: boolean }} [result] */
  const opens = async (result = { persistent: true }) => {
    const { id } = await asked();
    newest().say({ type: 'done', id, result });
  };
  /** The newest worker is lost. @param {string | null} [document] over which */
  const loses = (document = null) => newest().say({ type: 'fatal', message: 'unreachable', document });
  return { owner, workers, replaced, listed, newest, asked, opens, loses };
}

test('an owner that is lost is replaced by one that opens what is stored', async () => {
  const { owner, workers, replaced, listed, newest, asked, opens, loses } = setUp();
  const opened = owner.open();
  await opens();
  await opened;
  const first = owner.channel;
  const pending = first.request({ type: 'stats' });
  loses();
  await assert.rejects(pending, /the engine stopped: unreachable/);
  newest().say({ type: 'document', id: (await asked()).id, document: { id: 'a' } });
  await opens();
  await replaced[0];
  assert.deepEqual([workers.length, replaced.length, listed], [2, 1, ['a']]);
  assert.notEqual(owner.channel, first);
});

test('documents over which owners were lost are left out by those that come after', async () => {
  const { owner, asked, opens, loses } = setUp();
  const opened = owner.open();
  assert.deepEqual((await asked()).skip, []);
  loses('a');
  assert.deepEqual((await asked()).skip, ['a']);
  loses('b');
  assert.deepEqual((await asked()).skip, ['a', 'b']);
  await opens();
  await assert.doesNotReject(opened, 'whoever waited for the first waits for the last');
});

test('an engine that stops again and again is given up', async () => {
  const { owner, workers, replaced, asked, loses } = setUp();
  const opened = owner.open();
  opened.catch(() => {});
  for (let n = 0; n < 6; n += 1) {
    await asked();
    loses();
  }
  for (const each of [opened, ...replaced]) await assert.rejects(each, /again and again/);
  await assert.rejects(owner.channel.request({ type: 'stats' }), /the engine stopped/);
  assert.equal(workers.length, 6);
});

test('a loss after a stretch of good work does not count with those before', async () => {
  const { owner, workers, replaced, opens, loses } = setUp(20);
  owner.open();
  for (let n = 0; n < 8; n += 1) {
    await opens();
    await new Promise((resolve) => setTimeout(resolve, 40));
    loses();
  }
  await opens();
  for (const opened of replaced) await assert.doesNotReject(opened);
  assert.equal(workers.length, 9);
});

test('an engine that answers between its losses is given up all the same', async () => {
  const { owner, workers, replaced, newest, opens, loses } = setUp();
  owner.open();
  for (let n = 0; n < 6; n += 1) {
    await opens();
    const answer = owner.channel.request({ type: 'stats' });
    await new Promise((resolve) => setImmediate(resolve));
    newest().say({ type: 'done', id: newest().posted.at(-1).id, result: {} });
    await answer;
    loses();
  }
  await assert.rejects(/** @type {Promise<void>} */ (replaced.at(-1)), /again and again/);
  assert.equal(workers.length, 6);
});

test('an owner that cannot open the library again says so, and rejects what it is asked', async () => {
  const { owner, workers, replaced, newest, asked, opens, loses } = setUp();
  owner.open();
  await opens();
  loses();
  const pending = owner.channel.request({ type: 'stats' });
  const error = { code: 'internal', message: 'Internal error committing transaction', hint: '' };
  newest().say({ type: 'error', id: (await asked()).id, error });
  const told = {
    code: 'storage-failed',
    message: /could not be opened again: Internal error/,
    hint: /Reload/,
  };
  await assert.rejects(/** @type {Promise<void>} */ (replaced[0]), told);
  await assert.rejects(pending, told);
  await assert.rejects(owner.channel.request({ type: 'stats' }), told);
  assert.equal(workers.length, 2);
});

test('an empty store in memory does not take the place of the stored library', async () => {
  const { owner, replaced, opens, loses } = setUp();
  owner.open();
  await opens();
  loses();
  await opens({ persistent: false });
  await assert.rejects(/** @type {Promise<void>} */ (replaced[0]), { code: 'storage-failed' });
  assert.equal(owner.persistent, true);
});

test('nor does it at the first opening, where documents were kept', async () => {
  const { owner, opens } = setUp(undefined, true);
  const opened = owner.open();
  await opens({ persistent: false });
  await assert.rejects(opened, { code: 'storage-failed' });
  await assert.rejects(owner.channel.request({ type: 'stats' }), { code: 'storage-failed' });
});

test('a first opening that fails for another cause than storage is told by that', async () => {
  const { owner, newest, asked } = setUp(undefined, true);
  const opened = owner.open();
  const error = { code: 'assets-missing', message: 'engine/glue.js: status 404', hint: '' };
  newest().say({ type: 'error', id: (await asked()).id, error });
  await assert.rejects(opened, { code: 'assets-missing' });
});

test('where nothing was stored, an owner in memory takes over', async () => {
  const { owner, replaced, opens, loses } = setUp();
  owner.open();
  await opens({ persistent: false });
  loses();
  await opens({ persistent: false });
  await assert.doesNotReject(/** @type {Promise<void>} */ (replaced[0]));
});

test('an owner that is ended on purpose is not replaced', async () => {
  const { owner, workers, replaced, asked } = setUp();
  const opened = owner.open();
  await asked();
  owner.close(cancelled());
  await assert.rejects(opened, { code: 'cancelled' });
  assert.deepEqual([workers.length, replaced], [1, []]);
  assert.throws(() => owner.channel, /not running/);
});

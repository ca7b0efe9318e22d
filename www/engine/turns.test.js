import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from './errors.js';
import { Ingest } from './ingest.js';
import { Pool } from './pool.js';
import { PoolTasks } from './pool-tasks.js';
import { Turns } from './turns.js';

const never = new AbortController().signal;
const tick = () => new Promise((resolve) => setTimeout(resolve));

test('large files go one by one, small ones together, in the order in which they came', async () => {
  const turns = new Turns(100);
  /** @type {string[]} */
  const begun = [];
  /** @type {Map<string, () => void>} */
  const end = new Map();
  const run = (/** @type {string} */ name, /** @type {number} */ bytes) =>
    turns.run(bytes, never, () => {
      begun.push(name);
      return /** @type {Promise<void>} */ (new Promise((resolve) => end.set(name, resolve)));
    });
  const all = [run('a', 40), run('b', 50), run('c', 500), run('d', 10), run('e', 10)];
  await tick();
  assert.deepEqual(begun, ['a', 'b'], 'the small file behind the large one does not overtake it');
  end.get('a')?.();
  end.get('b')?.();
  await tick();
  assert.deepEqual([begun.slice(2), turns.inHand], [['c'], 500]);
  end.get('c')?.();
  await tick();
  assert.deepEqual(begun.slice(3), ['d', 'e']);
  end.get('d')?.();
  end.get('e')?.();
  await Promise.all(all);
  assert.equal(turns.inHand, 0);
});

test('a file that is cancelled while it waits, or that fails, gives up its turn', async () => {
  const turns = new Turns(10);
  const cancel = new AbortController();
  /** @type {(error: Error) => void} */
  let fail = () => {};
  const first = turns.run(10, never, () => new Promise((_, reject) => (fail = reject)));
  const second = turns.run(10, cancel.signal, () => assert.fail('not begun'));
  const third = turns.run(10, never, async () => 'third');
  await tick();
  cancel.abort();
  await assert.rejects(second, { code: 'cancelled' });
  fail(new EngineError('internal', 'failed'));
  await assert.rejects(first, { code: 'internal' });
  assert.equal(await third, 'third');
  await assert.rejects(
    turns.run(10, cancel.signal, async () => {}),
    { code: 'cancelled' },
  );
});

test('of 200 files of 40 MB one is in memory at a time, and the page reads none', async (context) => {
  context.mock.method(globalThis, 'fetch', async () => new Response(null, { status: 404 }));
  const [size, n] = [40 * 1024 * 1024, 200];
  let [live, most, parsed, reading] = [0, 0, 0, false];
  /** A file that counts how many are read; its bytes are as many as tell it from others.
   * @param {number} number */
  const fileOf = (number) => {
    const file = new Blob([`%PDF ${number}`]);
    Object.defineProperty(file, 'size', { value: size });
    const read = file.arrayBuffer.bind(file);
    file.arrayBuffer = async () => {
      assert.ok(reading, 'read outside the pool');
      live += 1;
      most = Math.max(most, live);
      await tick();
      return read();
    };
    return file;
  };
  class Parser {
    /** @param {Uint8Array} bytes */
    parse(bytes) {
      parsed += 1;
      return { segment: new Uint8Array(1), info: { id: new TextDecoder().decode(bytes), nPages: 1 } };
    }
  }
  const pool = new Pool({
    size: 4,
    ingest: async () => /** @type {any} */ ({}),
    encoder: () => new Promise(() => {}),
    idleMs: 1,
    spawn: () => {
      const tasks = new PoolTasks('http://localhost/model/', {
        ingest: /** @type {any} */ (async () => ({ Parser })),
      });
      const request = async (/** @type {any} */ message) => {
        reading = true;
        try {
          return await tasks.handle(message, () => {});
        } finally {
          if (message.type !== 'take-ingest') live -= 1;
        }
      };
      return /** @type {any} */ ({ request, end() {} });
    },
  });
  const ingest = new Ingest({
    pool: async () => pool,
    owner: () =>
      /** @type {any} */ ({
        request: async (/** @type {any} */ { info }) => ({ document: { id: info.id }, isNew: true }),
      }),
    limits: () => ({ maxBytes: 2 * size, maxPages: 10 }),
    document: () => undefined,
    model: () => null,
    onCommit: () => {},
    changed: () => {},
  });
  const files = Array.from({ length: n }, (_, number) => fileOf(number));
  await Promise.all(files.map((file, number) => ingest.add(file, `${number}.pdf`, null)));
  assert.deepEqual([most, live, parsed, ingest.jobs.length], [1, 0, n, 0]);
  pool.close();
});

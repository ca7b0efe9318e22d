import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PoolTasks } from './pool-tasks.js';

/** Texts in the order in which they were embedded. @type {string[]} */
const embedded = [];

/** An encoder that gives each text its length. */
class FakeEncoder {
  dimensions = 1;
  fingerprint = 'm';

  /** @param {string[]} texts */
  embed(texts) {
    embedded.push(...texts);
    return Float32Array.from(texts, (text) => text.length);
  }
}

const tasks = () => new PoolTasks(/** @type {any} */ ({ Encoder: FakeEncoder }), 'http://localhost/model/');
const ignore = () => {};
const { fetch } = globalThis;
before(() => {
  globalThis.fetch = async () => new Response('{}');
});
after(() => {
  globalThis.fetch = fetch;
});

test('the background embeds by length and says which text each vector is of', async () => {
  embedded.length = 0;
  const { done, vectors } = /** @type {any} */ (
    await tasks().handle({ type: 'embed', texts: ['ccc', 'a', 'bb'] }, ignore)
  );
  assert.deepEqual(
    [embedded, done, [...vectors]],
    [
      ['a', 'bb', 'ccc'],
      [1, 2, 0],
      [1, 2, 3],
    ],
  );
});

test('passages of a question are embedded in their order, until they are hurried', async () => {
  embedded.length = 0;
  const worker = tasks();
  const texts = Array.from({ length: 40 }, (_, at) => 'x'.repeat(40 - at));
  const running = worker.handle({ type: 'embed-first', texts }, ignore);
  while (embedded.length < 4) await new Promise((resolve) => setImmediate(resolve));
  await worker.handle({ type: 'hurry' }, ignore);
  const { done, vectors } = /** @type {any} */ (await running);
  assert.ok(done.length >= 4 && done.length < 40, `${done.length} were done`);
  assert.deepEqual(embedded, texts.slice(0, done.length));
  assert.deepEqual([done, [...vectors]], [[...done.keys()], embedded.map(({ length }) => length)]);
  // What was hurried once is not hurried again.
  const next = /** @type {any} */ (await worker.handle({ type: 'embed', texts }, ignore));
  assert.equal(next.done.length, 40);
});

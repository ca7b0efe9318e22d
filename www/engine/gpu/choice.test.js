import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GpuChoice } from './choice.js';

/** @param {import('./trial.js').Refusal | Error | null} result of every trial */
function setUp(result) {
  const pool = {
    hasGpu: false,
    released: 0,
    /** @type {any[]} */
    trials: [],
    run: async (/** @type {any} */ request) => {
      pool.trials.push(request);
      if (result instanceof Error) throw result;
      pool.hasGpu = result === null;
      return result;
    },
    releaseGpu: () => {
      pool.hasGpu = false;
      pool.released += 1;
    },
  };
  const choice = { setting: /** @type {import('./choice.js').GpuSetting} */ ('auto') };
  const gpu = new GpuChoice(/** @type {any} */ (pool), () => choice.setting);
  return { pool, choice, gpu };
}

const much = { passages: 1000, rate: 2000 };

test('a GPU is tried once there is enough to embed and the rate of the workers is known', async () => {
  const { gpu, pool } = setUp(null);
  assert.equal(gpu.consider({ passages: 10, rate: 2000 }), null);
  assert.equal(gpu.consider({ passages: 1000, rate: null }), null);
  const trial = gpu.consider(much);
  assert.equal(gpu.consider(much), null, 'it is being tried');
  await trial;
  assert.equal(gpu.consider(much), null, 'it embeds');
  assert.deepEqual([pool.trials, gpu.refusal], [[{ type: 'try-gpu', always: false, rate: 2000 }], null]);
});

test('one that was refused is tried again only where the setting asks for more', async () => {
  const { gpu, pool, choice } = setUp({ kind: 'software' });
  await gpu.consider(much);
  assert.deepEqual([gpu.consider(much), gpu.refusal], [null, { kind: 'software' }]);
  choice.setting = 'always';
  await gpu.consider({ passages: 1, rate: null });
  assert.deepEqual(
    pool.trials.map(({ always }) => always),
    [false, true],
  );
  assert.equal(gpu.consider(much), null);
});

test('one that is forbidden is given back and not tried', async () => {
  const { gpu, pool, choice } = setUp(null);
  await gpu.consider(much);
  choice.setting = 'never';
  assert.equal(gpu.consider(much), null);
  assert.deepEqual([pool.released, pool.trials.length], [1, 1]);
});

test('one that was lost in its work, or whose worker was, is not tried again', async () => {
  const { gpu } = setUp(null);
  gpu.lost('the driver was reset');
  assert.deepEqual(
    [gpu.consider(much), gpu.refusal],
    [null, { kind: 'lost', message: 'the driver was reset' }],
  );
  const ended = setUp(new Error('ended'));
  await assert.rejects(async () => ended.gpu.consider(much), /ended/);
  assert.deepEqual([ended.gpu.consider(much), ended.pool.trials.length], [null, 1]);
  assert.deepEqual(ended.gpu.refusal, { kind: 'failed', message: 'ended' });
});

test('one that is always used must show its speed when that is no longer asked for', async () => {
  const { gpu, pool, choice } = setUp(null);
  choice.setting = 'always';
  await gpu.consider(much);
  choice.setting = 'auto';
  await gpu.consider(much);
  assert.deepEqual([pool.released, pool.trials.map(({ always }) => always)], [1, [true, false]]);
  assert.equal(gpu.consider(much), null);
});

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { tryGpu } from './trial.js';

/** Gives every text the same vector, of two numbers, and as many tokens as it has letters. */
const encoder = /** @type {any} */ ({
  program: () => ({}),
  tokens: (/** @type {string[]} */ texts) => ({
    ids: new Uint32Array(texts.join('').length),
    lengths: Uint32Array.from(texts, ({ length }) => length),
  }),
  embedExactly: (/** @type {string[]} */ texts) => Float32Array.from(texts.flatMap(() => [0.6, 0.8])),
});

/** @param {{ isFallbackAdapter?: boolean, fails?: string }} [options] */
function setUp({ isFallbackAdapter = false, fails } = {}) {
  const device = { destroyed: false, addEventListener: () => {}, destroy: () => (device.destroyed = true) };
  const requestDevice = async () => {
    if (fails) throw new Error(fails);
    return device;
  };
  const gpu = /** @type {any} */ ({
    requestAdapter: async () => ({ info: { isFallbackAdapter }, requestDevice }),
  });
  return { gpu, device };
}

/**
 * An executor whose vectors are turned by an angle, after so many milliseconds.
 * @param {{ angle?: number, ms?: number }} [options]
 */
const executor = ({ angle = 0, ms = 0 } = {}) => {
  const made = {
    angle,
    embed: async (/** @type {{ ids: Uint32Array, lengths: Uint32Array }} */ { lengths }) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      const [x, y] = [Math.cos(made.angle), Math.sin(made.angle)];
      return Float32Array.from([...lengths].flatMap(() => [0.6 * x - 0.8 * y, 0.6 * y + 0.8 * x]));
    },
    destroy: () => {},
  };
  return made;
};

/** @param {ReturnType<typeof setUp>['gpu'] | undefined} gpu @param {any} made @param {{ always?: boolean, rate?: number }} [options] */
const tried = (gpu, made, { always = false, rate = 10 } = {}) =>
  tryGpu(encoder, { always, rate, gpu, create: async () => made });

test('a GPU that gives the vectors of the CPU faster wins', async () => {
  const { gpu, device } = setUp();
  const { gpu: won, refusal } = await tried(gpu, executor());
  assert.deepEqual([refusal, device.destroyed], [null, false]);
  assert.deepEqual(await won?.embed(['a', 'b']), Float32Array.from([0.6, 0.8, 0.6, 0.8]));
});

test('where there is none, or only software, nothing is loaded', async () => {
  assert.deepEqual((await tried(undefined, executor())).refusal, { kind: 'none' });
  const nothing = /** @type {any} */ ({ requestAdapter: async () => null });
  assert.deepEqual((await tried(nothing, executor())).refusal, { kind: 'none' });
  const { gpu } = setUp({ isFallbackAdapter: true, fails: 'asked for a device' });
  assert.deepEqual((await tried(gpu, executor())).refusal, { kind: 'software' });
  assert.deepEqual((await tried(gpu, executor(), { always: true })).refusal, {
    kind: 'failed',
    message: 'asked for a device',
  });
});

test('vectors that are others by more than a cosine of .999 are refused, also where a GPU is always used', async () => {
  for (const always of [false, true]) {
    const { gpu, device } = setUp();
    const { refusal } = await tried(gpu, executor({ angle: 0.05 }), { always });
    assert.ok(refusal?.kind === 'wrong' && refusal.cosine < 0.999 && refusal.cosine > 0.998);
    assert.ok(device.destroyed);
  }
  const { gpu } = setUp();
  assert.equal((await tried(gpu, executor({ angle: Number.NaN }))).refusal?.kind, 'wrong');
});

test('a GPU that is slower than the workers is refused with both rates, unless it is always used', async () => {
  const rate = 1e9;
  const { gpu, device } = setUp();
  const { refusal } = await tried(gpu, executor({ ms: 2 }), { rate });
  assert.ok(refusal?.kind === 'slower' && refusal.cpu === rate && refusal.gpu < rate);
  assert.ok(device.destroyed);
  assert.equal((await tried(setUp().gpu, executor({ ms: 2 }), { always: true, rate })).refusal, null);
});

test('a model of which a part is only known to the CPU stays there', async () => {
  const { gpu } = setUp();
  const other = { ...encoder, program: () => undefined };
  const { refusal } = await tryGpu(other, {
    always: true,
    rate: 1,
    gpu,
    create: async () => /** @type {any} */ (executor()),
  });
  assert.deepEqual(refusal, { kind: 'model' });
});

test('a GPU whose vectors change in its work is an error, not a vector', async () => {
  const made = executor();
  const { gpu: won } = await tried(setUp().gpu, made);
  made.angle = 1;
  await assert.rejects(async () => won?.embed(['a']), /a known text has another vector/);
});

test('a vector without length 1 is an error, whatever the known text has', async () => {
  const made = executor();
  const { gpu: won } = await tried(setUp().gpu, made);
  const { embed } = made;
  made.embed = async (batch) => {
    const rows = await embed(batch);
    rows[1] = Number.NaN;
    return rows;
  };
  await assert.rejects(async () => won?.embed(['a']), /a vector has length NaN/);
});

test('texts are cut into batches, each with the known text', async () => {
  const made = executor();
  const { gpu: won } = await tried(setUp().gpu, made);
  /** @type {number[]} */
  const sizes = [];
  const { embed } = made;
  made.embed = async (batch) => {
    assert.ok(batch.ids.length <= 4096, `${batch.ids.length} tokens`);
    sizes.push(batch.lengths.length);
    return embed(batch);
  };
  const vectors = await won?.embed(Array.from({ length: 5 }, () => 'x'.repeat(1500)));
  assert.deepEqual([sizes, vectors?.length], [[3, 3, 2], 10]);
});

test('a device that does not answer is refused, and given back when it comes', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    let come = (/** @type {any} */ _device) => {};
    const device = { destroyed: false, destroy: () => (device.destroyed = true) };
    const requestDevice = () => new Promise((resolve) => (come = resolve));
    const gpu = /** @type {any} */ ({ requestAdapter: async () => ({ info: {}, requestDevice }) });
    const trial = tried(gpu, executor());
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    mock.timers.tick(30_000);
    assert.deepEqual((await trial).refusal, { kind: 'failed', message: 'no reply in 30 s' });
    come(device);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    assert.ok(device.destroyed);
  } finally {
    mock.timers.reset();
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from './errors.js';
import { GraphLinking } from './graph-linking.js';

/** @param {{ points?: Uint8Array | null, run?: (request: any, options: any) => Promise<any>, lost?: () => boolean }} [options] */
function setUp({ points = Uint8Array.of(1), run = async () => Uint8Array.of(2), lost = () => false } = {}) {
  /** @type {any[]} */
  const requests = [];
  const owner = {
    request: async (/** @type {any} */ request) => {
      requests.push(request);
      if (lost()) throw new EngineError('internal', 'the worker has ended');
      return request.type === 'graph-points' ? points : null;
    },
  };
  const linking = new GraphLinking({
    pool: /** @type {any} */ ({ run }),
    owner: () => /** @type {any} */ (owner),
    ann: () => 'auto',
  });
  return { linking, types: () => requests.map(({ type }) => type) };
}

test('points go from the owner to a worker, and its links back', async () => {
  const { linking, types } = setUp();
  await linking.update();
  assert.deepEqual(types(), ['graph-points', 'set-graph']);
});

test('no worker is asked where a graph does not pay', async () => {
  const { linking, types } = setUp({ points: null, run: () => assert.fail('not asked') });
  await linking.update();
  assert.deepEqual(types(), ['graph-points']);
});

test('one graph is linked at a time, and vectors that came meanwhile are linked after it', async () => {
  let running = 0;
  const { linking, types } = setUp({
    run: async () => {
      running += 1;
      assert.equal(running, 1);
      await Promise.resolve();
      running -= 1;
      return Uint8Array.of(2);
    },
  });
  const first = linking.update();
  await Promise.resolve();
  await Promise.all([linking.update(), linking.update(), first]);
  assert.deepEqual(types(), ['graph-points', 'set-graph', 'graph-points', 'set-graph']);
});

test('a worker that fails leaves the library as it was, and is not asked again', async () => {
  const { linking, types } = setUp({
    run: async () => {
      throw new EngineError('internal', 'lost');
    },
  });
  await linking.update();
  await linking.update();
  assert.deepEqual(types(), ['graph-points']);
});

test('an owner that is lost is followed by the next one', async () => {
  let isLost = true;
  const { linking, types } = setUp({
    run: async () => Uint8Array.of(2),
    lost: () => isLost,
  });
  await linking.update();
  isLost = false;
  await linking.update();
  assert.deepEqual(types(), ['graph-points', 'graph-points', 'set-graph']);
});

test('nothing is linked after closing', async () => {
  const { linking, types } = setUp();
  linking.close();
  await linking.update();
  assert.deepEqual(types(), []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from './errors.js';
import { GraphLinking } from './graph-linking.js';

/** @param {{ points?: Uint8Array | null, run?: (request: any, options: any) => Promise<any> }} [options] */
function setUp({ points = Uint8Array.of(1), run = async () => Uint8Array.of(2) } = {}) {
  /** @type {any[]} */
  const requests = [];
  const owner = {
    request: async (/** @type {any} */ request) => {
      requests.push(request);
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

test('one graph is linked at a time, and the next one after it', async () => {
  const { linking, types } = setUp();
  await Promise.all([linking.update(), linking.update()]);
  assert.deepEqual(types(), ['graph-points', 'set-graph']);
  await linking.update();
  assert.equal(types().length, 4);
});

test('a worker that is lost leaves the library as it was', async () => {
  const { linking, types } = setUp({
    run: async () => {
      throw new EngineError('internal', 'lost');
    },
  });
  await linking.update();
  assert.deepEqual(types(), ['graph-points']);
});

test('nothing is linked after closing', async () => {
  const { linking, types } = setUp();
  linking.close();
  await linking.update();
  assert.deepEqual(types(), []);
});

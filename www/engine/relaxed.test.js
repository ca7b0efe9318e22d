import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasRelaxedSimd, relaxedModule, setUpRelaxed } from './relaxed.js';

test('a module that is not to be had, or that this machine cannot run, is none', async () => {
  assert.equal(
    await relaxedModule(async () => {
      throw new Error('status 404');
    }),
    null,
  );
  const memory = new WebAssembly.Memory({ initial: 1 });
  assert.equal(await setUpRelaxed(null, memory), false);
  // It imports something else.
  const other = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 97, 1, 98, 0, 0]);
  assert.equal(await setUpRelaxed(new WebAssembly.Module(other), memory), false);
});

test('it is not even loaded where there is no relaxed SIMD', async () => {
  let loads = 0;
  const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
  const module = await relaxedModule(async () => {
    loads += 1;
    return empty;
  });
  assert.deepEqual([loads, module !== null], hasRelaxedSimd() ? [1, true] : [0, false]);
});

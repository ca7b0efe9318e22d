import assert from 'node:assert/strict';
import { test } from 'node:test';
import { poolSize } from './features.js';

test('the pool fits cores and memory', () => {
  const cases = [
    [{ hardwareConcurrency: 1, deviceMemory: 8 }, 1],
    [{ hardwareConcurrency: 2, deviceMemory: 8 }, 2],
    [{ hardwareConcurrency: 4, deviceMemory: 8 }, 3],
    [{ hardwareConcurrency: 64, deviceMemory: 8 }, 4],
    [{ hardwareConcurrency: 8, deviceMemory: 2 }, 2],
    [{ hardwareConcurrency: 8, deviceMemory: 0.5 }, 1],
    [{ hardwareConcurrency: 8 }, 4],
    [{}, 2],
  ];
  for (const [machine, size] of cases)
    assert.equal(poolSize(/** @type {object} */ (machine)), size, JSON.stringify(machine));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedBytes, contextOf } from './memory.js';

const GiB = 1024 ** 3;
/** Qwen 2.5 of 1.5 billion: 28 layers, two heads of 128. */
const header = { context: 32_768, cacheBytes: 28 * 2 * 256 * 2 };

test('a model may take what WebAssembly has, and seven tenths of the memory of a small device', () => {
  assert.equal(allowedBytes({}), 4 * GiB);
  assert.equal(allowedBytes({ deviceMemory: 16 }), 4 * GiB);
  const small = allowedBytes({ deviceMemory: 2 });
  assert.ok(small <= 1.4 * GiB && small > 1.39 * GiB && small % 65_536 === 0);
});

test('the context is as long as profiles need it, shorter where memory or the model want it so', () => {
  const fileBytes = GiB;
  assert.equal(contextOf({ fileBytes, header, allowed: 4 * GiB }), 8192);
  assert.equal(contextOf({ fileBytes, header, allowed: 1.45 * GiB }), 4096);
  assert.equal(contextOf({ fileBytes, header: { ...header, context: 2048 }, allowed: 4 * GiB }), 2048);
});

test('a model for which the memory does not do is refused, with both figures', () => {
  assert.throws(() => contextOf({ fileBytes: 4 * GiB, header, allowed: 4 * GiB }), {
    code: 'unavailable',
    reason: 'memory-short',
    values: { needed: 4 * GiB + 320 * 1024 ** 2 + 4096 * header.cacheBytes, allowed: 4 * GiB },
  });
});

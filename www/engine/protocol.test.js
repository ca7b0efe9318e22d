import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transfers } from './protocol.js';

test('whole buffers are handed over, views of part of one are copied', () => {
  const whole = new Float32Array(4);
  const part = new Uint8Array(new ArrayBuffer(8), 2, 3);
  assert.deepEqual(transfers({ type: 'x', vectors: whole, other: part, count: 3 }), [whole.buffer]);
  assert.deepEqual(transfers(whole), [whole.buffer]);
  for (const nothing of [null, undefined, 3, 'text', { a: null }]) assert.deepEqual(transfers(nothing), []);
});

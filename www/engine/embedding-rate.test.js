import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EmbeddingRate } from './embedding-rate.js';

test('tokens a second and the time that is left are those of all workers together', () => {
  const rate = new EmbeddingRate();
  assert.deepEqual([rate.tokensPerSecond(2), rate.secondsFor(10, 2)], [null, null]);
  rate.add({ tokens: 3000, passages: 30, seconds: 2 }, false);
  rate.add({ tokens: 1000, passages: 10, seconds: 2 }, false);
  rate.add({ tokens: 0, passages: 0, seconds: 5 }, false);
  assert.deepEqual([rate.tokensPerSecond(2), rate.secondsFor(80, 2)], [2000, 4]);
});

test('another processor begins anew, and old batches are forgotten', () => {
  const rate = new EmbeddingRate();
  rate.add({ tokens: 100, passages: 1, seconds: 1 }, false);
  rate.add({ tokens: 5000, passages: 50, seconds: 1 }, true);
  // A batch that a question kept from beginning says nothing.
  rate.add({ tokens: 0, passages: 0, seconds: 0 }, false);
  assert.deepEqual([rate.onGpu, rate.tokensPerSecond(1)], [true, 5000]);
  for (let at = 0; at < 16; at += 1) rate.add({ tokens: 7000, passages: 1, seconds: 1 }, true);
  assert.equal(rate.tokensPerSecond(1), 7000);
});

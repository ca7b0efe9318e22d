import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, encode } from './base85.js';

test('bytes of every length come back from their text', () => {
  let state = 1;
  const next = () => (state = (state * 48271) % 2147483647) & 255;
  for (let length = 0; length < 300; length += 1) {
    const bytes = Uint8Array.from({ length }, next);
    const text = encode(bytes);
    assert.equal(text.length, Math.floor(length / 4) * 5 + (length % 4 === 0 ? 0 : (length % 4) + 1));
    assert.deepEqual(decode(text), bytes);
  }
  for (const byte of [0, 255]) {
    const bytes = new Uint8Array(9).fill(byte);
    assert.deepEqual(decode(encode(bytes)), bytes);
  }
});

test('the text holds nothing that means something in HTML', () => {
  const all = Uint8Array.from({ length: 1 << 16 }, (_, at) => (at * 7919) >> 3);
  assert.doesNotMatch(encode(all), /[<>&"'`\\\s]/);
});

test('what was never written is refused', () => {
  assert.throws(() => decode('0000<'), /character 4/);
  assert.throws(() => decode('0000é'), /character 4/);
  assert.throws(() => decode('000000'), /middle of a byte/);
  assert.throws(() => decode('_____'), /more than four bytes/);
});

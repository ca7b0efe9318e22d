import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLines } from './lines.js';

/** @param {(string | number[])[]} parts @param {{ maxLine?: number, maxLines?: number }} [limits] */
async function values(parts, { maxLine = 100, maxLines = 10 } = {}) {
  const bytes = (async function* () {
    for (const part of parts)
      yield typeof part === 'string' ? new TextEncoder().encode(part) : Uint8Array.from(part);
  })();
  const read = [];
  try {
    for await (const value of jsonLines(bytes, { maxLine, maxLines })) read.push(value);
  } catch (error) {
    return [...read, /** @type {{ reason: string }} */ (error).reason];
  }
  return read;
}

test('values come however the bytes are cut, and the last line needs no end', async () => {
  const text = '{"a":1}\n\r\n  \n{"b":"律"}\n[3]';
  const whole = [{ a: 1 }, { b: '律' }, [3]];
  assert.deepEqual(await values([text]), whole);
  const bytes = [...new TextEncoder().encode(text)];
  assert.deepEqual(await values(bytes.map((byte) => [byte])), whole);
  assert.deepEqual(await values(['', '\n\n']), []);
});

test('what is no line of JSON, or never ends, is refused', async () => {
  assert.deepEqual(await values(['{"a":1}\n', 'oops\n', '{"b":2}\n']), [{ a: 1 }, 'bad-reply']);
  assert.deepEqual(await values(['{"a":1}\n{"b"']), [{ a: 1 }, 'bad-reply']);
  assert.deepEqual(await values([[0x22, 0xff, 0x22, 0x0a]]), ['bad-reply']);
  assert.deepEqual(await values(['"'.padEnd(60, 'x'), 'x'.repeat(60)]), ['too-large']);
  assert.deepEqual(await values(['1\n2\n3\n'], { maxLines: 2 }), [1, 2, 'too-large']);
});

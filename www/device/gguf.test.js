import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nonsense, nonsenseInParts } from '../../tests/llm/nonsense.mjs';
import { LlmError } from '../llm/errors.js';
import { readHeader } from './gguf.js';

const whole = nonsense({ context: 4096 });

/** @param {Buffer} file */
const headerOf = (file) => readHeader(new Blob([new Uint8Array(file)]));

/** A header of given values. @param {number} count of values @param {...(Buffer | string)} parts */
function header(count, ...parts) {
  const start = Buffer.alloc(24);
  start.write('GGUF');
  start.writeUInt32LE(3, 4);
  start.writeBigUInt64LE(BigInt(count), 16);
  return Buffer.concat([start, ...parts.map((part) => (typeof part === 'string' ? text(part) : part))]);
}

/** @param {string} text */
const text = (text) => Buffer.concat([eight(text.length), Buffer.from(text)]);
/** @param {number} value */
const four = (value) => Buffer.from(Uint32Array.of(value).buffer);
/** @param {number | bigint} value */
const eight = (value) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);

test('a header says what the model is, how long its context is and what a token of it takes', async () => {
  assert.deepEqual(await headerOf(whole), {
    architecture: 'llama',
    name: 'nonsense',
    context: 4096,
    // Two layers, four heads, keys and values of sixteen halves each.
    cacheBytes: 2 * 4 * (16 + 16) * 2,
    split: { no: 0, count: 1 },
  });
});

test('parts say which they are, of how many', async () => {
  const parts = await Promise.all(nonsenseInParts().map(headerOf));
  assert.deepEqual(
    parts.map(({ split }) => split),
    [
      { no: 0, count: 2 },
      { no: 1, count: 2 },
    ],
  );
});

test('a header that is longer than what is read at first is read whole', async () => {
  const long = header(
    2,
    'tokenizer.notes',
    four(8),
    'x'.repeat(3_000_000),
    'general.architecture',
    four(8),
    'llama',
  );
  assert.equal((await headerOf(long)).architecture, 'llama');
});

test('a file that is no model, or lies about its lengths, is refused with a reason', async () => {
  const nested = [9, 9, 9, 9, 9, 9].flatMap((type) => [four(type), eight(1)]);
  /** @type {[file: Buffer, reason: string][]} */
  const cases = [
    [Buffer.from('%PDF-1.7 and so on'), 'file-not-gguf'],
    [Buffer.from('ggml, the format before'), 'file-not-gguf'],
    [Buffer.alloc(0), 'file-damaged'],
    [whole.subarray(0, 300), 'file-damaged'],
    [header(0), 'file-damaged'],
    [header(1, 'general.architecture', four(4), four(7)), 'file-damaged'],
    [header(1, 'general.architecture', four(99)), 'file-damaged'],
    [header(1, eight(2n ** 63n)), 'file-damaged'],
    [header(1, 'list', four(9), four(8), eight(2n ** 60n)), 'file-damaged'],
    [header(1, 'list', four(9), four(0), eight(2n ** 60n)), 'file-damaged'],
    [header(1, 'list', four(9), ...nested), 'file-damaged'],
    [Buffer.concat([Buffer.from('GGUF'), Buffer.from([0, 0, 0, 3]), whole.subarray(8)]), 'file-damaged'],
  ];
  for (const [file, reason] of cases)
    await assert.rejects(
      headerOf(file),
      (error) => error instanceof LlmError && error.code === 'unavailable' && error.reason === reason,
      `${reason}: ${file.subarray(0, 40)}`,
    );
});

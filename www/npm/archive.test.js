import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readArchive, writeArchive } from './archive.js';

test('an archive gives back its files by name, empty ones and names that are no ASCII too', () => {
  const files = new Map([
    ['Adobe-Japan1-H.bcmap', Uint8Array.of(1, 2, 3)],
    ['empty', new Uint8Array()],
    ['名.ttf', Uint8Array.of(0, 255)],
  ]);
  assert.deepEqual([...readArchive(writeArchive(files))], [...files]);
  assert.deepEqual([...readArchive(writeArchive(new Map()))], []);
});

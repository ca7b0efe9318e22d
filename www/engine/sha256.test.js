import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from './sha256.js';

test('sha256 is in hex', async () => {
  assert.equal(
    await sha256(new Blob(['abc'])),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOf } from './link.js';

test('a file is named by the last part of its address', () => {
  const cases = [
    ['https://host/files/Rule%20book.pdf?v=2', 'Rule book.pdf'],
    ['https://host/documents/17/', '17'],
    ['https://host/', 'document'],
    ['https://host/%E0%A4%A', '%E0%A4%A'],
  ];
  for (const [address, name] of cases) assert.equal(nameOf(new URL(address ?? '')), name);
});

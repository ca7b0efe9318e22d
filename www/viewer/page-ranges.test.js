import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pagesIn } from './page-ranges.js';

test('pages are read as people write them', () => {
  /** @type {[string, number[] | null][]} */
  const cases = [
    ['3', [3]],
    ['3, 7-9', [3, 7, 8, 9]],
    [' 9;1 – 2 ', [1, 2, 9]],
    ['2-3, 3, 2', [2, 3]],
    ['３、５－６', [3, 5, 6]],
    ['12', [12]],
    ['13', null],
    ['0', null],
    ['9-7', null],
    ['1-99999999', null],
    ['two', null],
    ['3-', null],
    ['', null],
    [',', null],
  ];
  for (const [text, pages] of cases) assert.deepEqual(pagesIn(text, 12), pages, text);
});

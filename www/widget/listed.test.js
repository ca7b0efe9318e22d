import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFound, listed } from './listed.js';

/** @param {string} id @param {object} [more] @returns {any} */
const documentOf = (id, more = {}) => ({ id, problem: null, kept: true, ...more });

test('a removed document keeps its place, and has it again when it is put back', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => documentOf(id));
  const first = listed([], [a, b, c], []);
  assert.deepEqual(first, ['a', 'b', 'c']);
  const without = listed(first, [a, c], [b]);
  assert.deepEqual(without, ['a', 'b', 'c']);
  assert.deepEqual(listed(without, [a, c, b], []), ['a', 'b', 'c']);
  assert.deepEqual(listed(without, [a, c], []), ['a', 'c']);
});

test('new documents follow, and those that want something done come first', () => {
  const damaged = documentOf('d', { problem: { code: 'index-damaged' } });
  const unkept = documentOf('e', { kept: false });
  const order = listed(['a', 'b'], ['a', 'b', 'c'].map((id) => documentOf(id)).concat(damaged, unkept), []);
  assert.deepEqual(order, ['d', 'e', 'a', 'b', 'c']);
});

test('a document is found by words of its name, however they are written', () => {
  const name = 'Règlement Général 2019.pdf';
  for (const words of ['', ' ', 'reglement', 'GÉNÉRAL', '2019 règl']) assert.ok(isFound(name, words), words);
  for (const words of ['2018', 'reglement 2018']) assert.ok(!isFound(name, words), words);
  assert.ok(isFound('保险销售行为管理办法.pdf', '销售行为'));
});

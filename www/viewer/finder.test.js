import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Finder } from './finder.js';

const loosely = { matchCase: false, wholeWords: false };

/** A document of texts, and which of them were read. @param {string[]} texts @param {number} [here] */
function documentOf(texts, here = 0) {
  /** @type {number[]} */
  const read = [];
  return {
    read: async (/** @type {number} */ part) => {
      read.push(part);
      const text = texts[part];
      if (text === undefined) throw new Error('the page is damaged');
      return text;
    },
    count: async () => texts.length,
    here: () => here,
    log: read,
  };
}

test('matches are counted over all parts, and one after the other is current, round and round', async () => {
  const finder = new Finder(() => {});
  finder.attach(documentOf(['cap', 'none', 'Cap and cap']));
  await finder.find('cap', loosely);
  assert.deepEqual(finder.state, { n: 3, at: 1, isDone: true });
  /** @param {1 | -1} by */
  const step = (by) => {
    finder.step(by);
    return finder.state.at;
  };
  assert.deepEqual([step(1), step(1), step(1), step(-1), step(-1)], [2, 3, 1, 3, 2]);
  assert.deepEqual(finder.current, { part: 2, nth: 0 });
  assert.deepEqual(await finder.places(2), [
    { from: 0, to: 3 },
    { from: 8, to: 11 },
  ]);
  assert.deepEqual(await finder.places(1), []);
});

test('the part that is read is searched first, and its match is current', async () => {
  const source = documentOf(['cap', 'cap', 'cap', 'x'], 2);
  const finder = new Finder(() => {});
  finder.attach(source);
  await finder.find('cap', loosely);
  assert.deepEqual(source.log, [2, 3, 0, 1]);
  assert.deepEqual([finder.current, finder.state.at], [{ part: 2, nth: 0 }, 3]);
});

test('a part that cannot be read has no words, and the rest is searched', async () => {
  const finder = new Finder(() => {});
  finder.attach({ ...documentOf(['cap', 'cap']), count: async () => 5 });
  await finder.find('cap', loosely);
  assert.deepEqual(finder.state, { n: 2, at: 1, isDone: true });
});

test('nothing is found of no words, and without a document', async () => {
  const finder = new Finder(() => {});
  await finder.find('cap', loosely);
  assert.deepEqual(finder.state, { n: 0, at: 0, isDone: true });
  finder.attach(documentOf(['cap']));
  await finder.find(' \u0301', loosely);
  assert.deepEqual(finder.state, { n: 0, at: 0, isDone: true });
  finder.step(1);
  assert.equal(finder.current, null);
});

test('a search that is overtaken or cancelled reads no further and changes nothing', async () => {
  let release = () => {};
  const held = new Promise((resolve) => {
    release = () => resolve(null);
  });
  const source = documentOf(new Array(900).fill('cap'));
  const finder = new Finder(() => {});
  finder.attach({ ...source, read: async (part) => (await held, source.read(part)) });
  const first = finder.find('ca', loosely);
  const second = finder.find('cap', loosely);
  finder.cancel();
  release();
  await Promise.all([first, second]);
  assert.ok(source.log.length <= 8, `${source.log.length} parts were read`);
  assert.deepEqual(finder.state, { n: 0, at: 0, isDone: true });
  await finder.find('cap', loosely);
  assert.equal(finder.state.n, 900);
  assert.equal(new Set(source.log).size, source.log.length, 'no part is read twice');
});

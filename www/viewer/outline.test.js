import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flattened, headingsOf, locate } from './outline.js';

/** @typedef {import('./text.js').BlockSource} BlockSource */
/** @typedef {Awaited<ReturnType<BlockSource>>[number]} TextBlock */

/** @param {TextBlock['kind']} kind @param {string} text @param {Partial<TextBlock>} [more] @returns {TextBlock} */
const block = (kind, text, more) => ({
  kind,
  role: null,
  level: null,
  marker: null,
  text,
  marks: [],
  ...more,
});
const always = () => true;
const bookmark = { dest: [0] };

test('headings are sections, with where they stand and the words that follow', async () => {
  const blocks = [
    block('heading', 'Services Agreement', { role: 'title' }),
    block('heading', 'Article 1. Definitions', { level: 1 }),
    block('footnote', 'A note between.'),
    block('heading', 'Section 1.1 Cap', { level: 2 }),
    block('paragraph', 'The total liability of each party.'),
    block('heading', '\u202e \u0000', { level: 2 }),
  ];
  const sections = await headingsOf(async (start, limit) => blocks.slice(start, start + limit), always);
  assert.deepEqual(
    sections.map(({ title, level }) => [title, level]),
    [
      ['Article 1. Definitions', 1],
      ['Section 1.1 Cap', 2],
    ],
  );
  const [first, second] = sections.map(({ place }) => place);
  assert.ok(first && 'start' in first && second && 'start' in second);
  assert.equal(first.start, 'section11capthetotalliabilityofeachparty');
  assert.deepEqual([second.block, second.length], [3, 15]);
  assert.ok(first.share > 0.1 && first.share < second.share && second.share < 1);
});

test('a long document is read to its end in pieces, and no further than it is wanted', async () => {
  const all = Array.from({ length: 1_200 }, (_, at) => block('heading', `Rule ${at}`, { level: 1 }));
  let asked = 0;
  /** @type {BlockSource} */
  const source = async (start, limit) => ((asked += 1), all.slice(start, start + limit));
  assert.equal((await headingsOf(source, always)).length, 1_200);
  asked = 0;
  assert.equal((await headingsOf(source, () => asked < 1)).length, 500);
});

test('a heading is found by what follows it: not in the table of contents, not in a running header', async () => {
  const pages = [
    'Contents\n3 Client money . . . . 9\n4 Notices . . . . 20',
    ...Array.from({ length: 8 }, (_, at) => `Rulebook ${at}\nnothing of it`),
    'Rulebook\n3   Client mo-\nney\nA firm shall hold client money apart.',
    '3 Client money\nrunning header, and more',
    '3 Client money\nrunning header, and more',
  ];
  const document = {
    nPages: pages.length,
    textOf: async (/** @type {number} */ number) => pages[number - 1] ?? '',
  };
  const start = 'afirmshallholdclientmoneyapart';
  for (const guess of [1, 10, 12]) {
    const place = await locate('3 Client money', start, guess, document);
    assert.equal(place?.number, 10, `from page ${guess}`);
    assert.equal(pages[9]?.slice(place?.from, place?.to), '3   Client mo-\nney');
  }
  const near = await locate('3 Client money', 'otherwords', 11, document);
  assert.equal(near?.number, 11, 'else the nearest place with its title');
  assert.equal(await locate('5 Waivers', 'the', 4, document), null);
  assert.equal(await locate('—', '', 4, document), null, 'a title without letters is nowhere');
});

test('bookmarks are listed in their order and depth', () => {
  const outline = [
    { title: 'One', ...bookmark, items: [{ title: 'One and a half', ...bookmark, items: [] }] },
    { title: 'Two', dest: 'name', items: [] },
  ];
  assert.deepEqual(
    flattened(outline).map(({ title, level }) => [title, level]),
    [
      ['One', 1],
      ['One and a half', 2],
      ['Two', 1],
    ],
  );
});

test('hostile bookmarks are capped: too many, too deep, in circles, with odd titles', () => {
  assert.equal(flattened(Array.from({ length: 100_000 }, () => ({ title: 'x', items: [] }))).length, 5_000);

  let deep = { title: 'bottom', items: /** @type {unknown[]} */ ([]) };
  for (let level = 0; level < 4_000; level += 1) deep = { title: `level ${level}`, items: [deep] };
  const levels = flattened([deep]).map(({ level }) => level);
  assert.deepEqual([levels.length, Math.max(...levels)], [4_001, 12]);

  const named = { title: 'round', items: /** @type {unknown[]} */ ([]) };
  named.items.push(named, named);
  assert.equal(flattened([named]).length, 5_000);
  const nameless = { title: '', items: /** @type {unknown[]} */ ([]) };
  nameless.items.push(nameless);
  assert.deepEqual(flattened([nameless]), []);

  const titles = ['\u202eevil\u2066', 'a\n\t b\u0000', 'x'.repeat(100_000), '   ', 7, null, {}];
  assert.deepEqual(
    flattened([...titles.map((title) => ({ title })), null, 'text', 5]).map(({ title }) => title),
    ['evil', 'a b', 'x'.repeat(200)],
  );
});

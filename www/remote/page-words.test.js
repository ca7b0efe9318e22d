import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparableWords, findWords, longestMatch, pageWords } from './page-words.js';
import { placesOn } from './page-places.js';
import { findAcross } from './page-turn.js';

/** @typedef {import('./page-words.js').PageRun} PageRun */

/**
 * A line of one run, or of several with their own heights and rises.
 * @param {number} y @param {...(string | [string, number, number])} parts
 * @returns {PageRun[]}
 */
function line(y, ...parts) {
  let x = 72;
  return parts.map((part, at) => {
    const [str, height, rise] = typeof part === 'string' ? [part, 10, 0] : part;
    const width = str.length * height * 0.5;
    const run = {
      str,
      transform: [height, 0, 0, height, x, y + rise],
      width,
      height,
      hasEOL: at === parts.length - 1,
    };
    x += width;
    return run;
  });
}

/** @param {string[]} lines @param {string} quote */
const stands = (lines, quote) =>
  findWords(pageWords(lines.flatMap((text, at) => line(700 - 14 * at, text))), comparableWords(quote)) !==
  null;

test('words are found over lines, with other spaces, quotation marks, dashes and ligatures', () => {
  const lines = ['The ﬁrm “must notify” the', 'Authority — within 10 days', 'of the breach.'];
  for (const quote of [
    'The firm "must notify" the Authority - within 10 days of the breach.',
    'must  notify” the\nAuthority',
    'firm',
    'The firm',
    'breach.',
  ])
    assert.ok(stands(lines, quote), quote);
});

test('a hyphen at the end of a line is part of the word or not; one within a line is', () => {
  assert.ok(
    stands(
      ['a regula-', 'tion of self-', 'regulating non-compliant firms'],
      'a regulation of self-regulating',
    ),
  );
  assert.ok(stands(['a regula-', 'tion of self-', 'regulating non-compliant firms'], 'non-compliant'));
  assert.ok(!stands(['a non-compliant firm'], 'a noncompliant firm'));
  assert.ok(!stands(['a regulation'], 'a regula-tion'));
});

test('a word more, less or otherwise is no match', () => {
  const lines = ['A firm must not report a breach', 'within 10 days, unless it is 1,000 large.'];
  for (const quote of [
    'A firm must report a breach',
    'A firm must not not report a breach',
    'A firm must not report a breach within 12 days',
    'a firm must not report',
    'A firm mustnot report',
    'A firm must no',
    'irm must not report',
    'within 10 days unless',
    '1000 large',
    'within 10 day',
    'A firm must not report … within 10 days',
    'within 10 days, unless it is 1,000 large. A firm must not report a breach',
    '',
    ' ',
  ])
    assert.ok(!stands(lines, quote), quote);
});

test('parts of two places are no quotation', () => {
  assert.ok(
    !stands(['The firm may', 'sell bonds. It must not', 'sell shares.'], 'The firm may sell shares.'),
  );
});

test('a raised mark may stand between, or be read, but not after a figure', () => {
  const page = pageWords([
    ...line(700, 'the cap on liability', ['1', 6, 4], ' of the parties'),
    ...line(686, 'an area of 10', ['2', 6, 4], ' metres on the 1', ['st', 6, 4], ' of May'),
    ...line(500, ['3', 6, 3], 'See the annex.'),
  ]);
  const has = (/** @type {string} */ quote) => findWords(page, comparableWords(quote)) !== null;
  assert.ok(has('the cap on liability of the parties'));
  assert.ok(has('See the annex.'));
  assert.ok(has('on the 1st of May'));
  assert.ok(!has('an area of 10 metres'), 'which would be another area');
});

test('Chinese needs no spaces, and has borders of its own', () => {
  const lines = ['经营者应当在', '三十日内报告。'];
  assert.ok(stands(lines, '经营者应当在三十日内报告。'));
  assert.ok(stands(lines, '应当在 三十日内'));
  assert.ok(!stands(lines, '经营者应当在十日内报告。'));
});

test('the longest beginning ends between words', () => {
  const page = pageWords(line(700, 'The firm must notify'));
  const words = comparableWords('The firm must notice it');
  assert.equal(words.slice(0, longestMatch(page, words)?.n), 'The firm must');
  assert.equal(longestMatch(page, comparableWords('Nobody')), null);
});

test('a hostile page or quotation costs no more than its bounds', () => {
  const page = pageWords(line(700, 'a '.repeat(150_000)));
  const start = performance.now();
  assert.equal(findWords(page, comparableWords(`${'a '.repeat(5_000)}b`)), null);
  assert.ok(performance.now() - start < 2_000);
});

/** @param {number} number @param {string[]} body @param {string[]} [notes] */
const printed = (number, body, notes = []) =>
  pageWords([
    ...line(800, 'Client rulebook'),
    ...body.flatMap((text, at) => line(700 - 14 * at, text)),
    ...notes.flatMap((text, at) => line(120 - 10 * at, [text, 7, 0])),
    ...line(40, `Page ${number}`),
  ]);

test('a quotation goes on over the furniture and the notes of a page', () => {
  const words = comparableWords('The firm must notify the Authority within 10 days.');
  const [a, b] = [
    printed(3, ['Rule 4.2', 'The firm must notify'], ['1 A note of the page.']),
    printed(4, ['the Authority within 10 days.', 'Rule 4.3']),
  ];
  const found = findAcross(a, b, words);
  assert.ok(found);
  assert.equal(a.text.slice(found[0].start, found[0].end), 'The firm must notify');
  assert.equal(b.text.slice(found[1].start, found[1].end), 'the Authority within 10 days.');
});

test('words that a page has between are not left out', () => {
  const words = comparableWords('The firm must notify the Authority within 10 days.');
  const a = printed(3, ['The firm must notify', 'nobody, unless it wants to.']);
  const b = printed(4, ['the Authority within 10 days.']);
  assert.equal(findAcross(a, b, words), null, 'below');
  const c = printed(3, ['The firm must notify']);
  const d = printed(4, ['nobody at', 'the Authority within 10 days.']);
  assert.equal(findAcross(c, d, words), null, 'above');
  assert.ok(findAcross(c, b, words));
});

test('a header of left pages is known by another left page', () => {
  const left = (/** @type {string} */ text) =>
    pageWords([...line(800, 'Opinion of the Court'), ...line(700, text)]);
  const right = (/** @type {string} */ text) => pageWords([...line(800, 'A v. B'), ...line(700, text)]);
  const words = comparableWords('It is so ordered by the Court.');
  assert.equal(findAcross(right('It is so ordered'), left('by the Court.'), words), null);
  assert.ok(findAcross(right('It is so ordered'), left('by the Court.'), words, [left('other words')]));
});

test('quads of the server are lit only where they lie on the words', () => {
  const page = pageWords([...line(700, 'The firm must notify'), ...line(686, 'the Authority.')]);
  const range = findWords(page, comparableWords('must notify the Authority.'));
  assert.ok(range);
  const quad = (/** @type {number} */ left, /** @type {number} */ right, /** @type {number} */ y) =>
    /** @type {[number, number, number, number, number, number, number, number]} */ ([
      ...[left, y + 8, right, y + 8, left, y - 2, right, y - 2],
    ]);
  const honest = [quad(117, 172, 700), quad(72, 142, 686)];
  assert.deepEqual(placesOn(page, [range], honest), honest);
  const own = placesOn(page, [range], []);
  assert.deepEqual(
    own.map((each) => each.map(Math.round)),
    [quad(117, 172, 700), quad(72, 142, 686)],
  );
  for (const lie of [
    [quad(117, 172, 500), quad(72, 142, 486)],
    [quad(117, 172, 700)],
    [...honest, quad(300, 400, 300)],
    [quad(0, 600, 400)],
  ])
    assert.deepEqual(placesOn(page, [range], lie), own, JSON.stringify(lie));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparableWords, findWords, longestMatch, maxRuns, pageWords } from './page-words.js';
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

/** Runs elsewhere on their lines. @param {number} x @param {PageRun[]} runs @returns {PageRun[]} */
const at = (x, runs) =>
  runs.map((run) => ({
    ...run,
    transform: run.transform.map((value, n) => (n === 4 ? value - 72 + x : value)),
  }));

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

test('a character of the page that marks raised ones here makes nothing optional', () => {
  assert.ok(!stands(['within \ue00015 days'], 'within 5 days'));
  assert.ok(!stands(['shall \ue000n\ue000o\ue000t apply'], 'shall apply'));
  assert.ok(stands(['within \ue00015 days'], 'within 15 days'));
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

test('several look-ups have no more steps together than they are granted', () => {
  const page = pageWords(line(700, `${'a '.repeat(50_000)}b`));
  const steps = { left: 20_000 };
  assert.equal(findWords(page, comparableWords('a b'), 0, steps), null);
  assert.ok(steps.left <= 0);
  assert.equal(findWords(page, comparableWords('a a'), 0, steps), null);
  assert.ok(findWords(page, comparableWords('a b')));
});

test('of a page of very many runs nothing is said beyond those that are read', () => {
  const many = Array.from({ length: maxRuns + 1 }, (_, at) => line(700, `w${at}`)).flat();
  const page = pageWords(many);
  assert.equal(page.runs.length, maxRuns);
  assert.equal(findWords(page, comparableWords(`w${maxRuns}`)), null);
  const words = comparableWords(`w${maxRuns - 1} goes on`);
  assert.equal(findAcross(page, pageWords(line(700, 'goes on')), words), null);
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
  const liable = comparableWords('The landlord shall be liable');
  const [shall, never] = ['The landlord shall', 'The landlord shall never'].map((text) => printed(3, [text]));
  const [be, not] = ['be liable for the rent.', 'not be liable for the rent.'].map((text) =>
    printed(4, [text]),
  );
  assert.ok(shall && never && be && not);
  assert.equal(findAcross(never, be, liable), null, 'in the rest of the last line');
  assert.equal(findAcross(shall, not, liable), null, 'in the beginning of the first line');
  assert.ok(findAcross(shall, be, liable));
  const drawn = pageWords([...at(170, line(700, 'never')), ...line(700, 'The landlord shall')]);
  assert.equal(findAcross(drawn, be, liable), null, 'in the rest of the line, drawn before');
  const spaced = pageWords([
    ...line(714, 'A line of the page in its full width.'),
    ...line(700, 'The landlord shall'),
    ...at(200, line(700, 'never')),
  ]);
  assert.equal(findAcross(spaced, be, liable), null, 'in the rest of the line, far away');
});

test('a raised mark may stand at the turn of a page', () => {
  const words = comparableWords('The landlord shall be liable');
  const a = pageWords(line(100, 'The landlord shall', ['12', 6, 4]));
  const b = pageWords(line(700, 'be liable for the rent.'));
  assert.ok(findAcross(a, b, words));
});

test('words of a column between are not left out', () => {
  const words = comparableWords('The landlord shall be liable');
  const left = (/** @type {string[]} */ ...texts) => texts.flatMap((text, n) => line(700 - 14 * n, text));
  const right = (/** @type {string[]} */ ...texts) => at(300, left(...texts));
  const full = 'A line of the whole width of it';
  const [first, last] = [left(full, 'The landlord shall'), left('be liable for the rent.', full)];
  const [page, next] = [pageWords(first), pageWords(last)];
  assert.ok(findAcross(page, next, words));
  assert.equal(findAcross(pageWords([...first, ...right('never, ever')]), next, words), null, 'after it');
  assert.equal(
    findAcross(page, pageWords([...left('Nobody may'), ...at(300, last)]), words),
    null,
    'before it',
  );
  assert.ok(
    findAcross(
      pageWords([...left(full, full, full), ...at(300, first)]),
      pageWords([...last, ...right(full, full)]),
      words,
    ),
    'from the last column to the first',
  );
  const items = pageWords([...at(150, last), ...line(658, '(iv)'), ...at(150, line(658, full))]);
  assert.ok(findAcross(page, items, words), 'the mark of an item is no column');
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

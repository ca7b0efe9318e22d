import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, count, jobShare, jobText, pageText, placeText, sentence } from './strings.js';

/** @param {object} rest */
const job = (rest) => /** @type {any} */ ({ done: 0, total: 0, ...rest });

test('numbers agree with their nouns', () => {
  assert.deepEqual(
    [count(1, 'page'), count(0, 'page'), count(12_345, 'page')],
    ['1 page', '0 pages', '12,345 pages'],
  );
  assert.deepEqual(
    [bytes(10), bytes(2_000), bytes(5 * 1024 * 1024), bytes(300 * 1024 * 1024)],
    ['1 kB', '2 kB', '5.0 MB', '300 MB'],
  );
});

test('progress only grows from stage to stage', () => {
  const stages = [
    job({ stage: 'pages', done: 0, total: 8 }),
    job({ stage: 'pages', done: 8, total: 8 }),
    job({ stage: 'layout' }),
    job({ stage: 'chunks' }),
    job({ stage: 'index' }),
    job({ stage: 'saving' }),
  ];
  const shares = stages.map((stage) => jobShare(stage) ?? -1);
  assert.deepEqual(
    shares,
    [...shares].sort((a, b) => a - b),
  );
  assert.equal(jobShare(job({ stage: 'waiting' })), null);
  assert.equal(jobText(job({ stage: 'pages', done: 3, total: 8 })), 'Reading page 3 of 8');
});

test('a page is named by its label and its number when they differ', () => {
  assert.equal(pageText({ page: 4, pageLabel: 'ii' }), 'page ii (4)');
  assert.equal(pageText({ page: 4, pageLabel: '4' }), 'page 4');
  assert.equal(pageText({ page: 4, pageLabel: null }), 'page 4');
  assert.equal(pageText({ page: null, pageLabel: null }), '');
  assert.equal(placeText({ document: 'a.pdf', page: 4, pageLabel: null }), 'a.pdf, page 4');
  assert.equal(placeText({ document: 'a.docx', page: null, pageLabel: null }), 'a.docx');
});

test('a message becomes a sentence', () => {
  assert.deepEqual(['the file is damaged', 'Done.', '文件已损坏。', ''].map(sentence), [
    'The file is damaged.',
    'Done.',
    '文件已损坏。',
    '',
  ]);
});

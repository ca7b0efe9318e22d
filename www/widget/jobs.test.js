import assert from 'node:assert/strict';
import { test } from 'node:test';
import { en } from '../strings/en.js';
import { jobShare, jobText, nBeingRead } from './jobs.js';

/** @param {object} rest */
const job = (rest) => /** @type {any} */ ({ done: 0, total: 0, ...rest });

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
  assert.equal(jobText(en, job({ stage: 'pages', done: 3, total: 8 })), 'Reading page 3 of 8');
  assert.equal(jobText(en, job({ stage: 'failed' })), '');
});

test('a packed library counts its documents, and when it is cancelled says that those stay', () => {
  const saving = job({ stage: 'saving', done: 3, total: 8, isLibrary: true });
  assert.equal(jobText(en, saving), '3 of 8 documents');
  assert.equal(jobShare(saving), 3 / 8);
  assert.match(jobText(en, job({ stage: 'cancelled', isLibrary: true })), /added before stay/);
  assert.match(jobText(en, job({ stage: 'cancelled' })), /Nothing of this file/);
});

test('a packed library on its way is as many documents as it still has to bring, and not one', () => {
  const file = job({ stage: 'pages', done: 1, total: 8 });
  const fetched = job({ stage: 'download', done: 900, total: 1_000, isLibrary: true });
  const saving = job({ stage: 'saving', done: 3, total: 8, isLibrary: true });
  /** @type {[Parameters<typeof nBeingRead>[0], number | null][]} */
  const cases = [
    [[], 0],
    [[file, job({ stage: 'failed' }), job({ stage: 'locked' })], 1],
    [[saving], 5],
    [[file, saving], 6],
    [[fetched], null],
    [[file, fetched], 1],
    [[job({ stage: 'cancelled', isLibrary: true })], 0],
  ];
  for (const [jobs, expected] of cases) assert.equal(nBeingRead(jobs), expected);
});

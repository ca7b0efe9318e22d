import assert from 'node:assert/strict';
import { test } from 'node:test';
import { en } from '../strings/en.js';
import { jobShare, jobText } from './jobs.js';

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

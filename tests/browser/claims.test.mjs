/**
 * Files whose text may not be what a reader sees: each citation from one says why, in words, and a document that cannot
 * be read says what to do. The files are those of the samples' generator (`samples OUT --hostile`).
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, drop, sample, searchable, start, stop, type, violations, withPage } from './harness.mjs';

before(start);
after(stop);

const question = 'Within how many days shall the tenant pay the deposit?';

for (const { file, status, words } of [
  { file: 'scan.pdf', status: 'ocr', words: 'Text by OCR' },
  { file: 'false-replacement.pdf', status: 'differs', words: 'Differs from the page' },
  { file: 'false-digit.pdf', status: 'differs', words: 'Differs from the page' },
  { file: 'pending-change.docx', status: 'tracked', words: 'Tracked change' },
]) {
  test(`a citation from ${file} is called "${words}"`, () =>
    withPage(async (page) => {
      await drop(page, [await sample(`claims/${file}`)]);
      await searchable(page, 1);
      const answer = await ask(page, question);
      assert.equal(answer.citations[0]?.status, status);
      await type(page, question);
      const card = page.locator('.answer-card').first();
      const shown = card.locator('.status').filter({ hasText: words }).first();
      await shown.waitFor();
      assert.ok(await shown.isVisible());
      // The explanation is there for a screen reader too: the mark in the sentence is named by it.
      const mark = card.locator('button.mark').first();
      assert.match((await mark.getAttribute('aria-label')) ?? '', new RegExp(words));
      assert.deepEqual(await violations(page), []);
    }));
}

test('a document in letters that form no words says so, and nothing of it is cited', () =>
  withPage(async (page) => {
    await drop(page, [await sample('claims/illegible.pdf')]);
    await page
      .getByText(/text recognition/)
      .first()
      .waitFor();
    const answer = await ask(page, question);
    assert.deepEqual(answer.citations, []);
    assert.equal(answer.sufficient, false);
  }));

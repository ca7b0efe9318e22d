/**
 * Bad input is normal input: each odd file gets one clear message, and the other documents stay. The odd files
 * are those of the samples' generator (`samples OUT --hostile`).
 */

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import {
  ask,
  drop,
  pdf,
  sample,
  samplesFolder,
  searchable,
  snapshot,
  start,
  stop,
  withPage,
} from './harness.mjs';

before(start);
after(stop);

const hostile = path.join(samplesFolder, 'hostile');
const markup = existsSync(hostile)
  ? (readdirSync(hostile).find((name) => name.startsWith('<img')) ?? '')
  : '';
assert.ok(
  markup,
  `${hostile} is not there: write it with \`cargo run -p pincite-tests --bin samples -- OUT --hostile\``,
);

/** @param {string} name */
const odd = (name) => sample(`hostile/${name}`);

/** The messages that the list shows, one a failed file. @param {import('./harness.mjs').Page} page */
const messages = (page) => page.locator('.row .note').allInnerTexts();

/** @type {[file: string, code: string, message: RegExp][]} */
const refused = [
  ['not-a-pdf.pdf', 'format-unknown', /neither a PDF/i],
  ['empty.pdf', 'format-unknown', /neither a PDF/i],
  ['header-only.pdf', 'pdf-invalid', /not a PDF that can be read/i],
  ['no-pages.pdf', 'pdf-empty', /no pages/i],
];

test('files that cannot be read get one message each; the other documents stay', () =>
  withPage(async (page) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await drop(page, await Promise.all(refused.map(([file]) => odd(file))));
    await page.waitForFunction(
      (n) =>
        /** @type {import('./harness.mjs').PinciteWidget} */ (
          document.querySelector('pincite-widget')
        ).engine.snapshot.jobs.filter(({ stage }) => stage === 'failed').length === n,
      refused.length,
    );
    const { jobs, documents } = await snapshot(page);
    for (const [file, code] of refused)
      assert.equal(jobs.find(({ name }) => name === file)?.error?.code, code, file);
    const shown = await messages(page);
    assert.equal(shown.length, refused.length);
    for (const [file, , words] of refused)
      assert.ok(
        shown.some((text) => words.test(text)),
        `${file}: ${shown}`,
      );
    assert.deepEqual(
      documents.map(({ name }) => name),
      ['contract.pdf'],
    );
    const answer = await ask(page, 'What is the cap on liability?');
    assert.ok(answer.citations.length > 0);
    for (const [file] of refused)
      await page.getByRole('button', { name: `Dismiss the message about ${file}` }).click();
    assert.deepEqual(await messages(page), []);
  }));

test('a locked file asks for its password, says when it is wrong, and opens with the right one', () =>
  withPage(async (page) => {
    for (const [at, file] of ['locked.pdf', 'locked-aes.pdf'].entries()) {
      await drop(page, [await odd(file)]);
      const input = page.getByLabel(`Password of ${file}`);
      await input.fill('wrong');
      await page.keyboard.press('Enter');
      await page.getByText('That password does not open this PDF.').waitFor();
      await page.getByLabel(`Password of ${file}`).fill('sesame 2026');
      await page.keyboard.press('Enter');
      await searchable(page, at + 1);
    }
    const answer = await ask(page, 'What is the cap on liability?');
    assert.ok(answer.citations.length > 0);
    await page.locator('button.citation').first().click();
    await page.locator('.light').first().waitFor({ state: 'attached' });
    assert.equal(
      await page.locator('.viewer-message').isVisible(),
      false,
      'the viewer opens it without asking again',
    );
  }));

test('a scan is taken in and says that it has no text', () =>
  withPage(async (page) => {
    await drop(page, [await odd('scan.pdf')]);
    await searchable(page, 1);
    const { documents } = await snapshot(page);
    assert.ok(
      documents[0]?.diags.some(({ code, severity }) => code === 'no-text-layer' && severity === 'warning'),
    );
    await page.locator('.diags li.warning').first().waitFor();
  }));

test('a file over the limit is refused before it is read', () =>
  withPage(async (page) => {
    await page.locator('pincite-widget').evaluate((element) => element.setAttribute('max-bytes', '1000'));
    await drop(page, [await sample('contract.pdf')]);
    await page.getByText('This file has more bytes or pages than can be read.').waitFor();
    assert.equal((await snapshot(page)).jobs[0]?.error?.code, 'limit-exceeded');
    assert.equal(page.workers().length, 1, 'no worker was started for it');
  }));

test('a name full of markup is text', () =>
  withPage(async (page) => {
    await drop(page, [await odd(markup)]);
    await searchable(page, 1);
    assert.equal((await snapshot(page)).documents[0]?.name, markup);
    assert.equal(await page.locator('img, .row-name b, .row-name script').count(), 0);
    assert.ok((await page.locator('.row').innerText()).includes('<'));
  }));

test('files made to harm come to an end, and others go on', () =>
  withPage(async (page) => {
    const names = readdirSync(hostile).filter((name) => name !== markup && !name.startsWith('locked'));
    await drop(page, [await sample('contract.pdf'), ...(await Promise.all(names.map(odd)))]);
    await page.waitForFunction(
      () => {
        const { jobs } = /** @type {import('./harness.mjs').PinciteWidget} */ (
          document.querySelector('pincite-widget')
        ).engine.snapshot;
        return jobs.every(({ stage }) => stage === 'failed');
      },
      null,
      { timeout: 180_000 },
    );
    const { jobs, documents } = await snapshot(page);
    assert.equal(jobs.length + documents.length, names.length + 1);
    for (const { name, error } of jobs)
      assert.notEqual(error?.code, 'internal', `${name}: ${error?.message}`);
    assert.ok((await ask(page, 'What is the cap on liability?')).citations.length > 0);
  }));

test('a file in which the viewer finds other pages than were read is shown without lights, and says why', () =>
  withPage(async (page) => {
    // Two pages, of which the tree says that it is one.
    const blank = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 842] >>';
    const pages = `<< /Type /Pages /Kids [3 0 R ${blank}] /Count 1 >>`;
    const lines = ['The fee is due on the third day of each month.', 'It is paid in euro.'];
    await drop(page, [pdf('fee.pdf', lines, pages)]);
    await searchable(page, 1);
    await ask(page, 'When is the fee due?');
    await page.locator('button.citation').first().click();
    await page.getByText('The viewer finds 1 page in this file, 2 were read.').waitFor();
    await page.locator('.page-view canvas').first().waitFor();
    assert.equal(await page.locator('.light').count(), 0);
  }));

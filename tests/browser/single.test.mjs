/**
 * The page in one file, opened from a folder with the network off: documents are read, questions answered with and
 * without vectors, pages shown, the library kept. Nothing is asked for, on the network or beside the file.
 */

import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  ask,
  drop,
  embedded,
  pdf,
  ready,
  sample,
  searchable,
  singleFile,
  start,
  stop,
  type,
  withPage,
} from './harness.mjs';

/** Folder that holds nothing but the page. */
let folder = '';
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pincite-single-'));
  await copyFile(singleFile, path.join(folder, 'pincite.html'));
  await start();
});
after(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

/** @typedef {import('./harness.mjs').Page} Page */

const address = (name = 'pincite.html') => pathToFileURL(path.join(folder, name)).href;

/**
 * Opens the file in a profile of its own without a network, and sees that it asked for nothing but itself.
 * @param {(page: Page) => Promise<void>} body
 */
const withFile = (body) =>
  withPage(
    async (page, context) => {
      /** @type {string[]} */
      const asked = [];
      context.on('request', (request) => asked.push(request.url()));
      await body(page);
      const others = asked.filter((url) => url !== address() && !url.startsWith('blob:'));
      assert.deepEqual(others, []);
    },
    { path: address(), vectors: true, offline: true },
  );

test('from a folder, without a network: a sample, an answer, its page, and library and conversation after a reload', () =>
  withFile(async (page) => {
    await page
      .getByRole('button', { name: /sample/i })
      .first()
      .click();
    await searchable(page, 1);
    await type(page, 'What is the cap on liability?');
    const card = page.locator('.answer-card').first();
    await card.locator('button.citation').first().click();
    await page.locator('.viewer canvas').first().waitFor();
    await page.locator('.viewer .light').first().waitFor();
    await embedded(page);
    const answer = await ask(page, 'Who may complain to the ombudsman?');
    assert.ok(answer.citations.length > 0);
    assert.equal(answer.citations[0]?.status, 'verified');
    await page.reload();
    await ready(page);
    await searchable(page, 1);
    await page.locator('.thread .asked').getByText('What is the cap on liability?').waitFor();
    assert.equal(await page.evaluate(() => Boolean(navigator.serviceWorker?.controller)), false);
  }));

test('documents of one’s own are read, a Word file among them', () =>
  withFile(async (page) => {
    await drop(page, [
      await sample('word/contract.docx'),
      pdf('note.pdf', ['The lender may call the loan at any time.']),
    ]);
    await searchable(page, 2);
    const answer = await ask(page, 'When may the lender call the loan?');
    assert.match(answer.citations[0]?.quote ?? '', /call the loan at any time/);
  }));

test('a file that was cut or changed says so, and what to do', () =>
  withPage(
    async (page) => {
      const whole = await readFile(singleFile, 'utf8');
      const at = whole.indexOf('data-file="engine/pincite_wasm_bg.wasm">') + 5000;
      const changed = whole.slice(0, at) + (whole[at] === '0' ? '1' : '0') + whole.slice(at + 1);
      await writeFile(path.join(folder, 'changed.html'), changed);
      await page.goto(address('changed.html'));
      await page.getByText('This page is not whole').first().waitFor();
      await page
        .getByText(/Get the file again/)
        .first()
        .waitFor();
    },
    { path: address(), offline: true },
  ));

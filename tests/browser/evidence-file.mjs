/**
 * Evidence files in tests: saved from a page as a person does, and opened as their recipient does, from a folder that holds
 * nothing else, in a fresh profile, without a network.
 */

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { drop, pdf, sample, searchable, type, withPage } from './harness.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {Parameters<typeof withPage>[1]} Options */

/** Folder of a recipient, which holds nothing but what was sent. */
export const folder = await mkdtemp(path.join(tmpdir(), 'pincite-evidence-'));
after(() => rm(folder, { recursive: true }));

export const question = 'Who may complain to the ombudsman?';

/**
 * Asks about the samples' rulebook, with a document beside it that no answer cites, and saves.
 * @param {Page} page
 * @param {string} name of the file for the recipient
 * @param {(page: Page) => Promise<void>} [fill] fills in the dialog
 * @returns {Promise<{ file: string, html: string, told: string }>} `told` what the dialog says at the end
 */
export async function saved(page, name, fill = async () => {}) {
  await drop(page, [
    await sample('rulebook.pdf'),
    pdf('settlement-draft.pdf', ['The settlement sum is one peppercorn.']),
  ]);
  await searchable(page, 2);
  await type(page, question);
  await page.getByRole('button', { name: 'Save with documents' }).first().click();
  await fill(page);
  return download(page, name);
}

/** @param {Page} page @param {string} name */
export async function download(page, name) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save file' }).click(),
  ]);
  const at = path.join(folder, name);
  await file.saveAs(at);
  await page.locator('.evidence-outcome').getByText('Fingerprint of the contents').waitFor();
  return {
    file: at,
    html: await readFile(at, 'utf8'),
    told: (await page.locator('.evidence-outcome').textContent()) ?? '',
  };
}

/**
 * Opens a file as its recipient does, and sees that it asked for nothing but itself and stored nothing.
 * @param {string} file
 * @param {(page: Page) => Promise<void>} body
 * @param {Options} [options]
 */
export const asRecipient = (file, body, options) =>
  withPage(
    async (page, context) => {
      /** @type {string[]} */
      const asked = [];
      context.on('request', (request) => asked.push(request.url()));
      await body(page);
      assert.deepEqual(
        asked.filter((url) => url !== pathToFileURL(file).href && !url.startsWith('blob:')),
        [],
      );
      assert.deepEqual(await page.evaluate(() => indexedDB.databases()), []);
      assert.equal(await page.evaluate(() => localStorage.length), 0);
    },
    {
      path: pathToFileURL(file).href,
      offline: true,
      opened: (page) => page.locator('pincite-evidence h1').waitFor(),
      ...options,
    },
  );

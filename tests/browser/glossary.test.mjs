/**
 * The person's glossary: written, loaded, taken back, remembered; used for the search, and said with the answer.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, drop, isFocused, sample, searchable, start, stop, violations, withPage } from './harness.mjs';

/** @typedef {import('./harness.mjs').Page} Page */

before(start);
after(stop);

const line = 'monetary ceiling = cap on liability';

/** @param {Page} page @param {string} name */
const button = (page, name) => page.getByRole('button', { name, exact: true });

/** @param {Page} page */
async function openSettings(page) {
  await button(page, 'Quotes only (no AI)').click();
  return page.getByLabel('Terms, one a line');
}

test('a glossary is written with the keyboard, widens the search, and is said with the answer', () =>
  withPage(async (page) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    const asked = 'What is the monetary ceiling?';
    assert.deepEqual((await ask(page, asked)).trace.glossary, []);

    const field = await openSettings(page);
    await field.focus();
    await page.keyboard.type(line);
    await page.keyboard.press('Tab');
    assert.ok(await button(page, 'Use the glossary').evaluate(isFocused));
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('The glossary is used: 1 term.').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');

    const answer = await ask(page, asked);
    assert.deepEqual(answer.trace.glossary, [{ term: 'monetary ceiling', words: ['cap on liability'] }]);
    assert.match(answer.citations.map(({ quote }) => quote).join(' '), /liability/i);
    const provenance = page.locator('.answer-card').first().locator('.provenance');
    await provenance.locator('summary').click();
    await provenance.getByText('monetary ceiling: cap on liability').waitFor();
  }));

test('a glossary is loaded from a file, cleared, taken back, and a faulty line changes nothing', () =>
  withPage(async (page) => {
    const field = await openSettings(page);
    const group = page.getByRole('group', { name: 'Glossary' });
    /** @param {string} name @param {string} text */
    const load = (name, text) =>
      group
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await load(
      'words.json',
      '{ "MTF": ["multilateral trading facility"], "monetary ceiling": ["cap on liability"] }',
    );
    await group.getByText('The glossary is used: 2 terms.').waitFor();
    assert.equal(await field.inputValue(), `MTF = multilateral trading facility\n${line}`);
    await group.getByRole('button', { name: 'Clear' }).click();
    await group.getByText('No glossary is used.').waitFor();
    await group.getByRole('button', { name: 'Undo' }).click();
    await group.getByText('The glossary is as it was before.').waitFor();
    assert.match(await field.inputValue(), /^MTF/);
    await load('words.txt', `${line}\nno sign here`);
    await group.getByText('Line 2 is not written as “term = other words”.').waitFor();
    await page.keyboard.press('Escape');
    await openSettings(page);
    assert.match(await field.inputValue(), /^MTF/, 'the one before is still used');
  }));

test('a glossary is remembered where the settings are', () =>
  withPage(async (page) => {
    const field = await openSettings(page);
    await button(page, 'Use').click();
    await openSettings(page);
    await field.fill(line);
    await button(page, 'Use the glossary').click();
    await page.reload();
    await openSettings(page);
    assert.equal(await page.getByLabel('Terms, one a line').inputValue(), line);
    await button(page, 'Forget').click();
    assert.equal(await field.inputValue(), '');
    assert.equal(await page.evaluate(() => localStorage.length), 0);
  }));

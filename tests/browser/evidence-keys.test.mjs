/**
 * The keyboard map of an opened evidence file: it lists the keys of what is there, and Escape closes what was opened last.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { en } from '../../www/strings/en.js';
import { asRecipient, saved } from './evidence-file.mjs';
import { start, stop, violations, withPage } from './harness.mjs';

before(start);
after(stop);

test('the question mark and the button of an evidence file open the keys of what is there', async () => {
  let file = '';
  await withPage(async (page) => {
    ({ file } = await saved(page, 'keys.html'));
  });
  await asRecipient(file, async (page) => {
    const map = page.getByRole('dialog', { name: en.keyMap.title });
    const places = /** @type {const} */ (['page', 'viewer', 'find', 'sections', 'thumbnails']);
    await page.locator('body').press('?');
    await map.waitFor();
    assert.deepEqual(
      await map.getByRole('heading', { level: 3 }).allInnerTexts(),
      places.map((place) => en.keyPlaces[place]),
    );
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    await map.waitFor({ state: 'hidden' });

    await page.locator('button.citation').first().click();
    await page.locator('.light').first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: en.keyMap.title }).click();
    await map.waitFor();
    await page.keyboard.press('Escape');
    await map.waitFor({ state: 'hidden' });
    assert.ok(await page.locator('.viewer').isVisible(), 'Escape closed the list alone');
    await page.keyboard.press('Escape');
    await page.locator('.viewer').waitFor({ state: 'hidden' });
  });
});

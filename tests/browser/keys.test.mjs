/**
 * The keyboard map: it is opened by key and by button, and says of every key what it does. Handlers of keys and the map read
 * one table, `www/dom/keys.js`.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { keys } from '../../www/dom/keys.js';
import { en } from '../../www/strings/en.js';
import { zh } from '../../www/strings/zh.js';
import { drop, isFocused, sample, searchable, start, stop, violations, withPage } from './harness.mjs';

before(start);
after(stop);

test('the question mark opens a list of all keys, wherever the focus is but in a text', () =>
  withPage(async (page) => {
    const map = page.getByRole('dialog', { name: 'Keyboard' });
    await page.locator('body').press('?');
    await map.waitFor();
    for (const [place, actions] of Object.entries(keys)) {
      const section = map.locator('section', {
        has: page.getByRole('heading', { name: Reflect.get(en.keyPlaces, place), exact: true }),
      });
      const named = await section.locator('dd').allInnerTexts();
      assert.deepEqual(
        named,
        Object.keys(actions).map((action) => Reflect.get(en.keyActions, action)),
      );
      assert.equal(await section.locator('dt:has(kbd)').count(), named.length, 'each has its keys');
    }
    await page.keyboard.press('Escape');
    await map.waitFor({ state: 'hidden' });

    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    const box = page.getByRole('textbox', { name: 'Your question' });
    await box.focus();
    await page.keyboard.type('Why?');
    assert.equal(await box.inputValue(), 'Why?');
    assert.equal(await map.isVisible(), false);
    await page.locator('button.row-name').press('?');
    await map.waitFor();
    await page.keyboard.press('Escape');
    assert.ok(await page.locator('button.row-name').evaluate(isFocused), 'the focus is where it was');
    await page.locator('button.row-name').press('Enter');
    await page.locator('.page-view canvas').first().waitFor();
    await page.locator('.viewer-pages').press('?');
    await map.waitFor();
    await page.keyboard.press('Escape');
    assert.ok(await page.locator('.viewer').isVisible(), 'Escape closed the list alone');
    await page.locator('.viewer-pages').evaluate((pages) => pages.blur());
    await page.keyboard.press('Escape');
    await page.locator('.viewer').waitFor({ state: 'hidden' });
  }));

test('the button opens the list too, in Chinese, on a narrow page, and axe finds nothing', () =>
  withPage(
    async (page) => {
      await page.getByRole('button', { name: zh.keyMap.title }).click();
      const map = page.getByRole('dialog', { name: zh.keyMap.title });
      await map.waitFor();
      await map.getByText(zh.keyActions.openNext).waitFor();
      assert.deepEqual(await violations(page), []);
      const isWide = await map.evaluate((element) => element.scrollWidth > element.clientWidth);
      assert.equal(isWide, false, 'nothing is scrolled sideways');
      await page.getByRole('button', { name: zh.keyMap.close }).click();
      await map.waitFor({ state: 'hidden' });
    },
    { locale: 'zh-CN', viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
  ));

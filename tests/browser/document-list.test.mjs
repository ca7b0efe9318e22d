/**
 * The list of documents: what needs a person is in sight, on a phone and in a long list too, a removal is undone where it was
 * done, and one document of many is found by its name.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { drop, isFocused, pdf, ready, sample, searchable, start, stop, withPage } from './harness.mjs';

before(start);
after(stop);

/** @typedef {import('./harness.mjs').Page} Page */

/** @param {number} n */
const deeds = (n) =>
  Array.from({ length: n }, (_, at) => {
    const number = String(at + 1).padStart(2, '0');
    return pdf(`deed-${number}.pdf`, [`${at + 1}. The fee of deed ${number} is ${at + 1},000 pounds.`]);
  });
/** Names of the rows that are seen. @param {Page} page */
const names = (page) => page.locator('.documents .row-name:visible').allInnerTexts();
/** True if an element, and not a part of it only, lies in the window, and nothing lies over its middle. @param {Element} element */
const isInSight = (element) => {
  const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
  const root = /** @type {ShadowRoot} */ (element.getRootNode());
  const above = root.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const isInside = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
  return width > 0 && height > 0 && isInside && (above === element || element.contains(above));
};

test('on a phone a file that failed or is locked is in sight, and is opened there', () =>
  withPage(
    async (page) => {
      await drop(page, [await sample('contract.pdf')]);
      await searchable(page, 1);
      const damaged = { name: 'notes.pdf', bytes: new Uint8Array(9) };
      await drop(page, [damaged, await sample('hostile/locked.pdf')]);
      const password = page.getByLabel('Password of locked.pdf');
      await password.waitFor();
      assert.ok(await password.evaluate(isInSight));
      const alert = page.locator('.row', { hasText: 'notes.pdf' }).getByRole('alert');
      await alert.waitFor();
      assert.ok(await alert.evaluate(isInSight));
      assert.deepEqual(await names(page), ['notes.pdf', 'locked.pdf'], 'the documents stay folded away');

      await password.fill('sesame 2026');
      await password.press('Enter');
      await searchable(page, 2);
      await page.getByRole('button', { name: 'Dismiss the message about notes.pdf' }).click();
      await page.locator('.library').waitFor({ state: 'hidden' });
    },
    { viewport: { width: 360, height: 740 } },
  ));

test('with the viewer open and the library folded away, a file on its way is in sight', () =>
  withPage(
    async (page) => {
      await drop(page, [await sample('contract.pdf')]);
      await searchable(page, 1);
      await page.locator('button.row-name').click();
      await page.locator('.viewer').waitFor();
      await page.locator('.library').waitFor({ state: 'hidden' });
      await drop(page, [await sample('hostile/locked.pdf')]);
      const password = page.getByLabel('Password of locked.pdf');
      await password.waitFor();
      assert.ok(await password.evaluate(isInSight));
      assert.deepEqual(await names(page), ['locked.pdf']);
    },
    { viewport: { width: 900, height: 760 } },
  ));

test('a document of many is removed and put back where it stands; what failed stands above them', () =>
  withPage(async (page) => {
    await drop(page, deeds(30));
    await searchable(page, 30);
    await page.locator('.documents .row').nth(29).waitFor();
    const before = await names(page);
    assert.equal(before.length, 30);
    await page.getByRole('button', { name: `Remove ${before[2]}` }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    assert.ok(await undo.evaluate(isInSight));
    assert.ok((await page.locator('.documents .row').nth(2).innerText()).includes(`${before[2]}`));
    await undo.click();
    await undo.waitFor({ state: 'detached' });
    assert.deepEqual(await names(page), before);

    await drop(page, [{ name: 'notes.pdf', bytes: new Uint8Array(9) }]);
    const alert = page.locator('.row', { hasText: 'notes.pdf' }).getByRole('alert');
    await alert.waitFor();
    assert.ok(await alert.evaluate(isInSight));
    assert.equal((await names(page))[0], 'notes.pdf');
  }));

test('a document of many is found by its name', () =>
  withPage(async (page) => {
    const find = page.getByRole('searchbox', { name: 'Find a document' });
    await drop(page, deeds(11));
    await searchable(page, 11);
    await page.locator('.documents .row').nth(10).waitFor();
    assert.equal(await find.isVisible(), false, 'eleven are seen at once');
    await drop(page, [await sample('rulebook.pdf')]);
    await searchable(page, 12);
    await find.fill('DEED-1');
    assert.deepEqual((await names(page)).sort(), ['deed-10.pdf', 'deed-11.pdf']);
    assert.equal(await page.locator('.library-head .count').innerText(), '2 of 12');
    assert.equal(await page.locator('.library [role="status"].visually-hidden').textContent(), '2 of 12');
    await find.press('Escape');
    assert.ok(await find.evaluate(isFocused));
    assert.equal((await names(page)).length, 12);
    await page.reload();
    await ready(page);
    await page.locator('.documents .row').nth(11).waitFor();
    assert.equal((await names(page)).length, 12);
  }));

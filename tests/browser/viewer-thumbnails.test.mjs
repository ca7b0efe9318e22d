/**
 * Thumbnails of the pages of an open document: drawn as they come into sight and released when they have gone, gone through
 * by keys, and each leading to its page.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { drop, isFocused, sample, searchable, start, stop, violations, withPage } from './harness.mjs';
import { pagesPdf } from './pdf-file.mjs';

/** @typedef {import('./harness.mjs').Page} Page */

before(start);
after(stop);

/** Beside the document, not over it. */
const wide = { viewport: { width: 1700, height: 900 } };

/** Opens a document and its thumbnails. @param {Page} page @param {{ name: string, bytes: Uint8Array }} file */
async function opened(page, file) {
  await drop(page, [file]);
  await searchable(page, 1);
  await page.locator('button.row-name').click();
  await page.locator('.page-view canvas').first().waitFor();
  await page.getByRole('button', { name: 'Thumbnails' }).click();
  await page.locator('.thumbnail canvas').first().waitFor();
}

/** Number of the selected page. @param {Page} page */
const selected = (page) => page.locator('.thumbnail[aria-selected=true]').getAttribute('aria-label');

test('a file of 900 pages has a thumbnail for each, and keeps the pictures of those near what is seen', () =>
  withPage(async (page) => {
    const lines = Array.from({ length: 900 }, (_, at) => [
      `${at + 1}. Clause number ${at + 1} of this deed.`,
    ]);
    await opened(page, { name: 'deed.pdf', bytes: pagesPdf(lines) });
    const list = page.getByRole('listbox', { name: 'Thumbnails' });
    assert.equal(await list.getByRole('option').count(), 900);
    assert.equal(await list.locator('[tabindex="0"]').count(), 1, 'one stop for the Tab key');
    const pane = page.locator('.pane-body');
    for (const share of [0.25, 0.5, 1]) {
      await pane.evaluate((element, share) => element.scrollTo(0, element.scrollHeight * share), share);
      // What is seen is drawn, and little more than that is kept.
      await page.waitForFunction(() => {
        const root = document.querySelector('pincite-widget')?.shadowRoot;
        const view = root?.querySelector('.pane-body')?.getBoundingClientRect();
        const thumbnails = [...(root?.querySelectorAll('.thumbnail') ?? [])];
        const seen = thumbnails.filter((thumbnail) => {
          const { top, bottom } = thumbnail.getBoundingClientRect();
          return view && bottom > view.top && top < view.bottom;
        });
        const pictures = root?.querySelectorAll('.thumbnail canvas').length ?? 0;
        const isDrawn = seen.length > 0 && seen.every((thumbnail) => thumbnail.querySelector('canvas'));
        return isDrawn && pictures <= 3 * seen.length + 4;
      });
    }
    await page.getByRole('button', { name: 'Close the pane' }).click();
    assert.equal(await list.locator('canvas').count(), 0, 'none is kept behind a closed pane');
  }, wide));

test('the page that is read is selected; keys go through the others, and Enter leads to one', () =>
  withPage(async (page) => {
    await opened(page, await sample('contract.pdf'));
    const option = (/** @type {number} */ n) => page.getByRole('option', { name: `Page ${n}`, exact: true });
    assert.equal(await selected(page), 'Page 1');
    assert.ok(await option(1).evaluate(isFocused));
    /** @type {[string, number][]} */
    const steps = [
      ['ArrowDown', 2],
      ['ArrowRight', 3],
      ['ArrowUp', 2],
      ['End', 6],
      ['ArrowDown', 6],
      ['Home', 1],
      ['ArrowLeft', 1],
    ];
    for (const [key, n] of steps) {
      await page.keyboard.press(key);
      assert.ok(await option(n).evaluate(isFocused), key);
      assert.equal(await selected(page), 'Page 1', 'looking at thumbnails turns no page');
    }
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    const shown = page.getByRole('textbox', { name: 'Page', exact: true });
    await page.waitForFunction(
      () =>
        document
          .querySelector('pincite-widget')
          ?.shadowRoot?.querySelector('.thumbnail[aria-selected=true]')
          ?.getAttribute('aria-label') === 'Page 6',
    );
    assert.equal(await shown.inputValue(), '6');
    await page.locator('.shell > [role=status]', { hasText: 'Page 6 of 6.' }).waitFor({ state: 'attached' });
    assert.ok(await option(6).evaluate(isFocused), 'the focus stays in the list');

    await page.locator('.viewer-pages').press('ArrowLeft');
    await page.waitForFunction(
      () =>
        document
          .querySelector('pincite-widget')
          ?.shadowRoot?.querySelector('.thumbnail[aria-selected=true]')
          ?.getAttribute('aria-label') !== 'Page 6',
    );
    assert.equal(await selected(page), `Page ${await shown.inputValue()}`, 'it follows the page');
    await option(2).focus();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'hidden' });
    assert.ok(await page.locator('.viewer').isVisible(), 'the viewer stays');
  }, wide));

test('sections take the place of thumbnails, and a document without pages has none', () =>
  withPage(async (page) => {
    await opened(page, await sample('contract.pdf'));
    await page.getByRole('button', { name: 'Sections' }).click();
    await page.getByRole('treeitem').first().waitFor();
    assert.equal(await page.getByRole('listbox').count(), 0);
    await page.getByRole('button', { name: 'Thumbnails' }).click();
    await page.locator('.thumbnail canvas').first().waitFor();
    await drop(page, [await sample('word/rulebook.docx')]);
    await searchable(page, 2);
    await page.getByRole('button', { name: 'Client Protection Rulebook' }).click();
    await page.locator('.text-body *').first().waitFor();
    assert.equal(await page.locator('.viewer-pane').isVisible(), false);
    assert.equal(await page.getByRole('button', { name: 'Thumbnails' }).isVisible(), false);
  }, wide));

for (const [colorScheme, width] of /** @type {const} */ ([
  ['light', 320],
  ['dark', 1700],
])) {
  test(`axe finds nothing with the thumbnails open (${colorScheme}, ${width} wide)`, () =>
    withPage(
      async (page) => {
        await drop(page, [await sample('contract.pdf')]);
        await searchable(page, 1);
        if (width < 700) await page.getByRole('button', { name: /^Documents/ }).click();
        await page.locator('button.row-name').click();
        await page.locator('.text-layer span').first().waitFor({ state: 'attached' });
        await page.getByRole('button', { name: 'Thumbnails' }).click();
        await page.locator('.thumbnail canvas').first().waitFor();
        assert.deepEqual(await violations(page), []);
        await page.locator('.thumbnail').nth(1).click();
        if (width < 700) await page.getByRole('listbox').waitFor({ state: 'hidden' });
        else assert.ok(await page.getByRole('listbox').isVisible());
      },
      { colorScheme, viewport: { width, height: 800 } },
    ));
}

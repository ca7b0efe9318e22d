/**
 * The widget as an element: two on a page, driven by the keyboard, small on a phone.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  drop,
  embedded,
  eventually,
  isFocused,
  snapshot,
  sample,
  searchable,
  start,
  stop,
  type,
  withPage,
} from './harness.mjs';

before(start);
after(stop);

/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */
/** @typedef {import('./harness.mjs').Page} Page */

test('everything can be done with the keyboard', () =>
  withPage(
    async (page) => {
      await drop(page, [await sample('contract.pdf')]);
      await searchable(page, 1);
      await embedded(page);
      await page.getByRole('textbox', { name: 'Your question' }).focus();
      await page.keyboard.type(
        'What is the cap on liability, and what interest is payable on late payments?',
      );
      await page.keyboard.press('Enter');
      const citations = page.locator('button.citation');
      await citations.first().waitFor();
      await citations.first().focus();
      const n = await citations.count();
      await page.keyboard.press('ArrowDown');
      assert.ok(
        await citations.nth(Math.min(1, n - 1)).evaluate(isFocused),
        'down goes to the next citation',
      );
      await page.keyboard.press('Home');
      assert.ok(await citations.first().evaluate(isFocused));
      await page.keyboard.press('Enter');
      await page.locator('.light').first().waitFor({ state: 'attached' });
      assert.equal(await citations.first().getAttribute('aria-current'), 'true');
      await page.locator('.viewer-pages').focus();
      const shown = () => page.getByRole('textbox', { name: 'Page' }).inputValue();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowRight');
      assert.match(await shown(), /^\d+$/);
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('.viewer').isVisible(), false);
      assert.ok(await citations.first().evaluate(isFocused), 'focus returns to the citation');
    },
    { vectors: true },
  ));

test('two widgets on one page share a library and nothing else', () =>
  withPage(async (page) => {
    const globals = () =>
      page.evaluate(() =>
        Object.keys(globalThis).filter((name) => /pincite|engine|widget|pdfjs/i.test(name)),
      );
    await page.evaluate(() => {
      const second = document.createElement('pincite-widget');
      second.setAttribute('src', './');
      document.body.append(second);
    });
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await page.waitForFunction(() =>
      [...document.querySelectorAll('pincite-widget')].every((widget) =>
        /** @type {PinciteWidget} */ (widget).shadowRoot?.querySelector('[data-document]'),
      ),
    );
    assert.equal(
      page.workers().filter((worker) => worker.url().includes('engine/worker.js')).length <= 5,
      true,
    );
    const answers = await page.evaluate(async () => {
      const [first, second] = /** @type {NodeListOf<PinciteWidget>} */ (
        document.querySelectorAll('pincite-widget')
      );
      await second?.ask('What is the cap on liability?');
      return [first, second].map((widget) => widget?.shadowRoot?.querySelectorAll('.answer-card').length);
    });
    assert.deepEqual(answers, [0, 1]);
    await page.evaluate(() => document.querySelector('pincite-widget')?.remove());
    assert.equal((await snapshot(page)).documents.length, 1, 'the other widget lives on');
    assert.deepEqual(await globals(), []);
    await page.evaluate(() => document.querySelector('pincite-widget')?.remove());
    const workers = () => page.workers().filter((worker) => worker.url().includes('engine/worker.js')).length;
    for (let n = 0; n < 100 && workers() > 0; n += 1) await page.waitForTimeout(100);
    assert.equal(workers(), 0, 'the last one takes its workers with it');
  }));

test('events cross the shadow boundary, and a portal can show citations itself', () =>
  withPage(async (page) => {
    await page.evaluate(() => {
      /** @type {string[]} */
      const seen = [];
      Reflect.set(globalThis, 'seen', seen);
      for (const name of ['pincite-add', 'pincite-answer', 'pincite-cite', 'pincite-error']) {
        document.addEventListener(name, (event) => {
          seen.push(name);
          if (name === 'pincite-cite') event.preventDefault();
        });
      }
    });
    await drop(page, [await sample('contract.pdf'), { name: 'broken.pdf', bytes: new Uint8Array(9) }]);
    await searchable(page, 1);
    await type(page, 'What is the cap on liability?');
    await page.locator('button.citation').first().click();
    assert.equal(await page.locator('.viewer').isVisible(), false);
    const seen = await page.evaluate(() => /** @type {string[]} */ (Reflect.get(globalThis, 'seen')));
    assert.deepEqual([...seen].sort(), ['pincite-add', 'pincite-answer', 'pincite-cite', 'pincite-error']);
  }));

test('the viewer turns pages, zooms and fits', () =>
  withPage(async (page) => {
    await drop(page, [await sample('rulebook.pdf')]);
    await searchable(page, 1);
    await page.locator('button.row-name').first().click();
    await page.locator('.page-view canvas').first().waitFor();
    const input = page.getByRole('textbox', { name: 'Page' });
    await page.getByRole('button', { name: 'Next page' }).click();
    assert.equal(await input.inputValue(), 'CPR-2');
    await input.fill('5');
    await input.press('Enter');
    await page.locator('.page-view[data-page="5"] canvas').waitFor();
    const width = async () => (await page.locator('.page-view').first().boundingBox())?.width ?? 0;
    await page.getByRole('button', { name: 'Fit page' }).click();
    const whole = await width();
    await page.getByRole('button', { name: 'Fit text' }).click();
    await eventually(async () => (await width()) > whole, 'a page whose text is as wide as the viewer');
    const fitted = await width();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await eventually(async () => (await width()) > fitted, 'a larger page');
    assert.equal(await input.inputValue(), 'CPR-5', 'zooming stays at the page');
  }));

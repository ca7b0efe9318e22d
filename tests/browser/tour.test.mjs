/**
 * The tour: it begins by itself on the first visit of the static page and never again, takes no focus that was not given to
 * it, points at controls that are there and can be used meanwhile, and can be asked for at any time.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { en } from '../../www/strings/en.js';
import { enTour } from '../../www/strings/tour/en.js';
import {
  ask,
  drop,
  isFocused,
  ready,
  sample,
  searchable,
  start,
  stop,
  violations,
  withPage,
} from './harness.mjs';

/** @typedef {import('./harness.mjs').Page} Page */

before(start);
after(stop);

/** @param {Page} page */
const tour = (page) => page.locator('.tour');
/** @param {keyof typeof enTour} step */
const title = (step) => enTour[step][0];

/** The titles of the steps from here to the end; each step is in the window, and its ring around a control. @param {Page} page */
async function steps(page) {
  const titles = [];
  for (;;) {
    titles.push(await tour(page).getByRole('heading').innerText());
    const isLaid = await tour(page).evaluate((card) => {
      const { top, left, bottom, right } = card.getBoundingClientRect();
      const ring = card.parentElement?.querySelector('.tour-ring')?.getBoundingClientRect();
      return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth && ring && ring.width > 20;
    });
    assert.ok(isLaid, titles.at(-1));
    const isLast = (await tour(page).getByRole('button', { name: 'Done' }).count()) > 0;
    await tour(page)
      .getByRole('button', { name: isLast ? 'Done' : 'Next' })
      .click();
    if (isLast) return titles;
  }
}

test('a first visit begins with the tour, which leaves the focus alone, and no later visit does', () =>
  withPage(
    async (page) => {
      await tour(page).waitFor();
      assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
      await page
        .locator('.shell > [role=status]', { hasText: `${en.tour.begun} 1 of 6: ${title('documents')}.` })
        .waitFor({ state: 'attached' });
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press('Tab');
      assert.ok(await page.getByRole('button', { name: en.tour.skip }).evaluate(isFocused), 'the first stop');
      await page.getByRole('button', { name: 'Next' }).focus();
      await page.keyboard.press('Enter');
      assert.ok(await page.getByRole('button', { name: 'Next' }).evaluate(isFocused), 'the focus stays');
      await page.getByRole('button', { name: 'Back' }).click();
      assert.deepEqual(
        await steps(page),
        /** @type {const} */ (['documents', 'samples', 'question', 'model', 'ledger', 'help']).map(title),
      );
      assert.equal(await tour(page).count(), 0);
      await page.reload();
      await ready(page);
      assert.equal(await tour(page).count(), 0);
    },
    { tour: true },
  ));

test('what the tour points at can be used, and Escape ends it from anywhere', () =>
  withPage(
    async (page) => {
      await tour(page).waitFor();
      await page.getByRole('button', { name: 'Next' }).click();
      await tour(page)
        .getByRole('heading', { name: title('samples') })
        .waitFor();
      await page
        .getByRole('button', { name: /^Add the sample/ })
        .first()
        .click();
      await searchable(page, 1);
      await tour(page)
        .getByRole('heading', { name: title('question') })
        .waitFor();
      assert.ok(await page.getByRole('textbox', { name: 'Your question' }).evaluate(isFocused));
      await page.keyboard.press('Escape');
      await tour(page).waitFor({ state: 'detached' });
      assert.ok(await page.getByRole('textbox', { name: 'Your question' }).evaluate(isFocused));
    },
    { tour: true },
  ));

test('the first file ends the steps that ask for one, none of them lies over the list of documents, and a question ends the tour', () =>
  withPage(
    async (page) => {
      await tour(page)
        .getByRole('heading', { name: title('documents') })
        .waitFor();
      await drop(page, [await sample('contract.pdf')]);
      await tour(page)
        .getByRole('heading', { name: title('question') })
        .waitFor();
      await page
        .locator('.shell > [role=status]', { hasText: `: ${title('question')}.` })
        .waitFor({ state: 'attached' });
      await searchable(page, 1);
      // Nor does the step about questions lie over the buttons below the question.
      await page.getByRole('button', { name: en.bar.withoutModel }).click({ trial: true });
      await tour(page).getByRole('button', { name: 'Back' }).click();
      await tour(page)
        .getByRole('heading', { name: title('documents') })
        .waitFor();
      // In the way of the step's own panel, the click would wait in vain.
      await page.getByRole('button', { name: 'Remove contract.pdf' }).click();
      await page.getByRole('button', { name: 'Undo' }).click();
      await searchable(page, 1);
      await ask(page, 'What is the cap on liability?');
      await tour(page).waitFor({ state: 'detached' });
    },
    { tour: true, viewport: { width: 1280, height: 760 } },
  ));

test('without its attribute the tour waits until it is asked for; then it has the focus, and gives it back', () =>
  withPage(
    async (page) => {
      assert.equal(await tour(page).count(), 0);
      assert.equal(await page.evaluate(() => localStorage.length), 0);
      await drop(page, [await sample('contract.pdf')]);
      await searchable(page, 1);
      await ask(page, 'What is the cap on liability?');
      const help = page.getByRole('button', { name: en.keyMap.title });
      await help.click();
      await page.getByRole('button', { name: en.tour.start }).click();
      assert.ok(await tour(page).evaluate(isFocused));
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(
        await steps(page),
        /** @type {const} */ (['documents', 'question', 'citations', 'model', 'ledger', 'help']).map(title),
      );
      assert.ok(await help.evaluate(isFocused));
    },
    { viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
  ));

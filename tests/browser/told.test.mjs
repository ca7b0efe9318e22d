/**
 * Words of the page where something is not as it should be: each says what is so, once, where it matters, and goes when it is no
 * longer so.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { docx } from './docx-file.mjs';
import {
  ask,
  drop,
  isFocused,
  ready,
  sample,
  searchable,
  start,
  stop,
  type,
  violations,
  withPage,
} from './harness.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

before(start);
after(stop);

const question = 'What is the cap on liability?';
const card = (/** @type {Page} */ page) => page.locator('.answer-card').first();
const live = (/** @type {Page} */ page) => page.locator('.shell > [role=status]');

/** @param {Page} page */
async function withContract(page) {
  await drop(page, [await sample('contract.pdf')]);
  await searchable(page, 1);
}

test('above passages of a question that was refused, or may not be answered, nothing is ticked', () =>
  withPage(async (page) => {
    await withContract(page);
    await ask(page, question);
    const line = card(page).locator('.matches');
    const drawing = () => line.locator('path').getAttribute('d');
    const tick = await drawing();
    assert.match(await line.innerText(), /^Every quote matches its source\./);

    /** @param {object} changes of the answer */
    const answered = async (changes) => {
      await page.evaluate(
        async ([changes, question]) => {
          const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
          const { engine } = widget;
          const { ask } = engine;
          const real = await engine.ask(question);
          Reflect.set(engine, 'ask', async () => ({ ...real, ...changes }));
          await widget.ask(question).finally(() => Reflect.set(engine, 'ask', ask));
        },
        /** @type {const} */ ([changes, question]),
      );
      return [await card(page).locator('h3').innerText(), await line.innerText()];
    };
    const nearest = [
      'Nearest passages',
      'Quoted as they stand in the documents; they may not answer your question.',
    ];
    assert.deepEqual(await answered({ answerability: 'may-answer' }), nearest);
    assert.notEqual(await drawing(), tick);
    assert.deepEqual(await answered({ answerability: 'silent', sufficient: false, statements: [] }), nearest);
    assert.notEqual(await drawing(), tick);
    assert.equal((await answered({}))[0], 'Sources');
    assert.equal(await drawing(), tick);
  }));

test('a citation of a document that was removed opens on a sentence that says so and on no tools, until the document is back', () =>
  withPage(async (page) => {
    await withContract(page);
    await ask(page, question);
    await page.getByRole('button', { name: 'Remove contract.pdf' }).click();
    await card(page).locator('button.mark').first().click();
    const said = 'This document was removed from the library.';
    const viewer = page.locator('.viewer');
    await viewer.getByText(said).waitFor();
    await live(page).getByText(said).waitFor();
    assert.equal(await viewer.getByText('can still be searched').count(), 0);
    for (const name of ['Find in document', 'Print', 'Sections', 'Next page'])
      assert.equal(await viewer.getByRole('button', { name, exact: true }).isVisible(), false, name);
    assert.deepEqual(await violations(page), []);
    await viewer.getByRole('button', { name: 'Next citation' }).click();
    await viewer.getByText('Citation 2 of').waitFor();
    assert.ok(await viewer.getByText(said).isVisible());

    await page.reload();
    await ready(page);
    await withContract(page);
    await card(page).locator('button.mark').first().click();
    await page.locator('.page-view .light').first().waitFor();
    assert.equal(await viewer.getByText(said).count(), 0);
    assert.ok(await viewer.getByRole('button', { name: 'Print' }).isVisible());

    // Where the viewer covers the answer, its close button has the focus.
    await page.getByRole('button', { name: 'Close the viewer' }).click();
    await page.getByRole('button', { name: 'Remove contract.pdf' }).click();
    await page.setViewportSize({ width: 390, height: 800 });
    await card(page).locator('button.mark').first().click();
    await viewer.getByText(said).waitFor();
    assert.ok(await viewer.getByRole('button', { name: 'Close the viewer' }).evaluate(isFocused));
  }));

const unkept = 'The conversation could not be kept in this browser.';

test('a conversation that finds no room says so once, where the answer is and aloud, and again only when keeping had worked since', () =>
  withPage(async (page) => {
    await withContract(page);
    // Conversations are kept by the page itself, documents by its worker.
    const isFull = (/** @type {boolean} */ full) =>
      page.evaluate((full) => {
        const tables = IDBObjectStore.prototype;
        const { put } = tables;
        if (full) Reflect.set(globalThis, 'put', put);
        tables.put = full
          ? () => {
              throw new DOMException('no space is left', 'QuotaExceededError');
            }
          : Reflect.get(globalThis, 'put');
      }, full);
    await isFull(true);
    await type(page, question);
    await card(page).getByText(unkept).waitFor();
    const told = (await live(page).textContent()) ?? '';
    assert.ok(told.startsWith('Answered with') && told.includes(unkept), told);
    assert.deepEqual(await violations(page), []);

    await type(page, 'Who may end the agreement?');
    await page.locator('[part=settings-button]').click();
    await page.locator('dialog.settings').getByText(unkept).waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.thread').getByText(unkept).count(), 1, 'said once');

    await isFull(false);
    await type(page, 'What is confidential?');
    assert.equal(await card(page).getByText(unkept).count(), 0);
    await page.locator('.earlier-conversations').waitFor({ state: 'attached' });
    await page.reload();
    await ready(page);
    await page.locator('.asked').getByText('What is confidential?').waitFor();
  }));

test('where the browser stores nothing at all, the first answer says that the conversation is not kept', () =>
  withPage(async (page) => {
    await page.evaluate(() =>
      Object.defineProperty(globalThis, 'indexedDB', {
        value: {
          open: () => {
            throw new DOMException('denied', 'SecurityError');
          },
        },
      }),
    );
    await withContract(page);
    await type(page, question);
    await card(page).getByText(unkept).waitFor();
    await type(page, 'Who may end the agreement?');
    assert.equal(await page.locator('.thread').getByText(unkept).count(), 1);
  }));

test('a failure that is said above the question goes when a retry works, and when it is dismissed', () =>
  withPage(
    async (page, context) => {
      const samples = '**/samples/*.pdf*';
      await context.route(samples, (route) => route.abort());
      const failed = page.getByText('The samples could not be loaded.');
      const add = page.getByRole('button', { name: 'Add all' });
      await add.click();
      await failed.waitFor();
      assert.deepEqual(await violations(page), []);
      await page.getByRole('button', { name: 'Dismiss this message' }).press('Enter');
      assert.equal(await failed.isVisible(), false);
      assert.ok(await page.getByRole('textbox', { name: 'Your question' }).evaluate(isFocused));
      await add.click();
      await failed.waitFor();
      await context.unroute(samples);
      await add.click();
      await searchable(page, 3);
      assert.equal(await failed.isVisible(), false);
    },
    { provoked: /Failed to load resource/ },
  ));

test('what is remarked of a document is a warning only where it warns', () =>
  withPage(async (page) => {
    await drop(page, [docx('deed.docx', ['The cap is 100 pounds.'], 'Do not disclose.')]);
    await searchable(page, 1);
    assert.equal(await page.locator('.diags summary').innerText(), '1 note');
  }));

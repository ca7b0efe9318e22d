/**
 * Answers for somebody who hears the page or has no mouse: announcements and their order, names and roles, and a focus
 * that is never lost with the button that was pressed.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../llm/server.mjs';
import {
  ask,
  drop,
  embedded,
  isFocused,
  sample,
  searchable,
  setModel,
  start,
  stop,
  violations,
  withPage,
} from './harness.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

const question = 'What is the cap on liability?';
/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;

before(async () => {
  await start();
  server = await startServer();
});
after(async () => {
  await stop();
  await server.close();
});

/** A page with a document and a model, which notes what is said. @param {Page} page */
async function prepared(page) {
  await drop(page, [await sample('contract.pdf')]);
  await searchable(page, 1);
  await setModel(page, { kind: 'openai', url: server.url, model: 'scripted', firstByteMs: 20_000 });
  await page.evaluate(() => {
    /** @type {string[]} */
    const said = [];
    Reflect.set(globalThis, 'said', said);
    const live = /** @type {PinciteWidget} */ (
      document.querySelector('pincite-widget')
    ).shadowRoot?.querySelector('.shell > [role=status]');
    new MutationObserver(() => said.push(live?.textContent ?? '')).observe(/** @type {Element} */ (live), {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
}

/** @param {Page} page @returns {Promise<string[]>} */
const said = (page) => page.evaluate(() => Reflect.get(globalThis, 'said'));
/** @param {Page} page */
const card = (page) => page.locator('.answer-card').first();

test('whoever has the focus on “Stop” has it on the question when the answer comes, or when they press it', () =>
  withPage(async (page) => {
    server.reset({ faults: [{ kind: 'drip', step: 'read', bytes: 60, delayMs: 20 }] });
    await prepared(page);
    const box = page.getByRole('textbox', { name: 'Your question' });
    await box.fill(question);
    await box.press('Enter');
    const pressed = page.getByRole('button', { name: 'Stop', exact: true });
    await pressed.focus();
    await page.locator('.answer-card[data-state=answered]').waitFor();
    assert.ok(await card(page).getByRole('heading', { name: question }).evaluate(isFocused));
    await page.keyboard.press('Tab');
    assert.ok(
      await card(page).locator('button, summary').first().evaluate(isFocused),
      'the next stop is in the answer',
    );

    server.reset({ faults: [{ kind: 'stall', step: 'extract', times: 0 }] });
    await box.fill('Who may end the agreement?');
    await box.press('Enter');
    await page.getByText('Quoting from the passages…').waitFor();
    await pressed.press('Enter');
    assert.equal(await card(page).getAttribute('data-state'), 'cancelled');
    assert.ok(
      await card(page).getByRole('heading', { name: 'Who may end the agreement?' }).evaluate(isFocused),
    );
    assert.equal((await said(page)).at(-1), 'Stopped.');
    await page.waitForTimeout(4_500);
    assert.equal((await said(page)).at(-1), 'Stopped.', 'what was being done is not said afterwards');
  }));

test('a step that takes long is announced, also if it began right after another', () =>
  withPage(async (page) => {
    server.reset({ faults: [{ kind: 'stall-connect', step: 'extract' }] });
    await prepared(page);
    const box = page.getByRole('textbox', { name: 'Your question' });
    await box.fill(question);
    await box.press('Enter');
    await page.waitForFunction(
      () =>
        /** @type {string[]} */ (Reflect.get(globalThis, 'said')).some((text) =>
          text.startsWith('Quoting from the passages'),
        ),
      null,
      { timeout: 8_000 },
    );
    assert.ok(await box.evaluate(isFocused));
    await box.press('Escape');
  }));

test('without a model the comparison of passages is shown, and announced when it takes long', () =>
  withPage(async (page) => {
    await prepared(page);
    await setModel(page, null);
    await page.evaluate(() => {
      const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      const real = engine.ask.bind(engine);
      engine.ask = async (question, settings) => {
        settings?.onStep?.('search');
        await new Promise((resolve) => Reflect.set(globalThis, 'found', resolve));
        settings?.onStep?.('compare');
        await new Promise((resolve) => Reflect.set(globalThis, 'compared', resolve));
        return real(question, settings);
      };
    });
    const box = page.getByRole('textbox', { name: 'Your question' });
    await box.fill(question);
    await box.press('Enter');
    await page.getByText('Reading the documents…').waitFor();
    await page.evaluate(() => Reflect.get(globalThis, 'found')());
    await page.getByText('Reading the best passages…').waitFor();
    await page.waitForFunction(() =>
      /** @type {string[]} */ (Reflect.get(globalThis, 'said')).includes('Reading the best passages.'),
    );
    await page.evaluate(() => Reflect.get(globalThis, 'compared')());
    await page.locator('.answer-card[data-state=answered]').waitFor();
  }));

test('everything that the page shows by colour and place is announced: failed checks, lesser citations, conflicts', () =>
  withPage(async (page) => {
    server.reset({
      replies: {
        read: 'It is capped [P1]. And "this was never written anywhere" [P1].',
        reflect: JSON.stringify({
          grounded: false,
          consistent: true,
          complete: true,
          problem: 'one sentence is not in the passages',
          missing: [],
        }),
      },
    });
    await prepared(page);
    const answer = await ask(page, question);
    const lesser = answer.citations.filter(({ status }) => status !== 'verified');
    assert.ok(lesser.length > 0);
    const told = (await said(page)).at(-1) ?? '';
    assert.match(
      told,
      new RegExp(`^Answered with ${answer.citations.length} citations, .*(?:cited, not quoted|not found)`),
    );
    assert.match(told, /The check of this answer failed\./);
    for (const { text } of answer.statements) assert.ok(told.includes(text));

    // The numbers by which sentences and notes refer to citations are there to be heard.
    const names = await card(page)
      .locator('button.citation')
      .evaluateAll((rows) => rows.map((row) => row.textContent ?? ''));
    for (const [n, name] of names.entries()) assert.ok(name.startsWith(String(n + 1)), name);
    const tree = await card(page).ariaSnapshot();
    assert.match(tree, /button "1 \S.* p\. \d+/);
  }));

test('a question that cannot be answered is announced as such', () =>
  withPage(async (page) => {
    server.reset({});
    await prepared(page);
    await page.evaluate((question) => {
      const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      Reflect.set(widget.engine, 'ask', async () => {
        throw new Error('the worker is gone');
      });
      return widget.ask(question).catch(() => {});
    }, question);
    assert.equal((await said(page)).at(-1), 'The question could not be answered. Try it again.');
  }));

test('a suggested question and its answer can be reached without a mouse', () =>
  withPage(async (page) => {
    server.reset({});
    await prepared(page);
    const suggestion = page.locator('.suggestions button, .suggestion-slot button').first();
    await suggestion.focus();
    await suggestion.press('Enter');
    await page.locator('.answer-card[data-state=answered]').waitFor();
    assert.ok(
      await page.getByRole('textbox', { name: 'Your question' }).evaluate(isFocused),
      'the suggestions have gone, the focus has not',
    );
    await card(page).locator('button.citation').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('.light').first().waitFor({ state: 'attached' });
    await page.waitForFunction(() =>
      /^Citation \d+ of \d+\. Page \d+ of \d+; the cited words are lit: /.test(
        /** @type {string[]} */ (Reflect.get(globalThis, 'said')).at(-1) ?? '',
      ),
    );
    await page.keyboard.press('Escape');
    assert.ok(await card(page).locator('button.citation').first().evaluate(isFocused));
  }));

test('of a long passage the part that answers is shown, and its button shows the rest and hands on the focus', () =>
  withPage(
    async (page) => {
      await drop(page, [await sample('rulebook.pdf')]);
      await searchable(page, 1);
      await embedded(page);
      await ask(page, 'What happens to client money when a firm fails?');
      await card(page)
        .locator('.statement', { has: page.locator('.unfold') })
        .first()
        .evaluate((element) => element.setAttribute('data-tried', ''));
      const statement = card(page).locator('[data-tried]');
      const words = async () => (await statement.innerText()).replaceAll(/\s+/gu, ' ');
      const part = /^\[…\] \(3\) If a reconciliation shows a shortfall, .* on which it is found\. \d$/u;
      assert.match(await words(), part);
      const whole = statement.getByRole('button', { name: 'Show the whole passage' });
      await whole.press('Enter');
      await whole.waitFor({ state: 'detached' });
      const text = await words();
      assert.ok(text.length > 350 && text.includes('(3) If a reconciliation shows a shortfall'), text);
      assert.doesNotMatch(text, part);
      assert.ok(await statement.locator('.operative').evaluate(isFocused));
      assert.deepEqual(await violations(page), []);
    },
    { vectors: true },
  ));

test('the list of requests keeps the focus and what is unfolded while more of them are made', () =>
  withPage(async (page) => {
    server.reset({ faults: [{ kind: 'drip', step: 'read', bytes: 40, delayMs: 150 }] });
    await prepared(page);
    const box = page.getByRole('textbox', { name: 'Your question' });
    await box.fill(question);
    await box.press('Enter');
    await page.getByText('Writing the answer…').waitFor();
    await page.getByRole('button', { name: /requests?, .* sent/ }).click();
    const ledger = page.getByRole('dialog', { name: 'What has left this device' });
    const summary = ledger.locator('summary').last();
    await summary.press('Enter');
    const rows = ledger.locator('tbody tr');
    await rows.filter({ hasText: 'Checking the answer' }).waitFor({ timeout: 30_000 });
    assert.ok(await summary.evaluate(isFocused));
    assert.equal(await summary.evaluate((element) => element.parentElement?.hasAttribute('open')), true);
    assert.match(await rows.first().innerText(), /Checking the answer/, 'the newest first');
    assert.match(await rows.filter({ hasText: 'Writing the answer' }).innerText(), /answered$/);
    await page.getByRole('button', { name: 'Empty the list' }).click();
    await page.waitForFunction(
      () =>
        document.querySelector('pincite-widget')?.shadowRoot?.querySelectorAll('.ledger tbody tr').length ===
        0,
    );
  }));

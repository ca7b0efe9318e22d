/**
 * Endpoints for single steps, set up in the page: a profile names one for filtering, and each request goes where it is
 * meant to, with the key of that server alone.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../llm/server.mjs';
import {
  ask,
  drop,
  isFocused,
  sample,
  searchable,
  sent,
  start,
  stop,
  violations,
  withPage,
} from './harness.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

const question = 'What is the cap on liability?';
const keys = { large: 'sk-test-key-of-the-large', small: 'sk-test-key-of-the-small' };
const profile =
  'format = 1\nname = "two"\ntitle = "Two models"\n[voice]\nrole = "You read contracts."\n[steps.filter]\nendpoint = "small"\n[steps.extract]\nendpoint = "small"\nmodel = "tinier"\n[steps.reflect]\non = false\n';
/** @type {Awaited<ReturnType<typeof startServer>>} */
let large;
/** @type {Awaited<ReturnType<typeof startServer>>} */
let small;

before(async () => {
  await start();
  large = await startServer();
  small = await startServer();
});
after(async () => {
  await stop();
  await Promise.all([large.close(), small.close()]);
});

const reset = () => {
  large.reset({ key: keys.large, models: ['big'] });
  small.reset({ key: keys.small, models: ['tiny', 'tinier'] });
};

/** @param {Page} page @param {string} name */
const button = (page, name) => page.getByRole('button', { name, exact: true });
/** @param {Page} page */
const dialog = (page) => page.getByRole('dialog', { name: 'Settings' });
/** The endpoint's form. @param {Page} page */
const form = (page) =>
  dialog(page).getByRole('form', { name: /^(?:A new model for individual steps|The model .+)$/ });

/** Loads the profile and sets up the first endpoint, in the dialog. @param {Page} page */
async function begin(page) {
  await page.getByRole('button', { name: /^(?:Quotes only \(no AI\)|Enter the key)/ }).click();
  await page
    .locator('dialog.settings input[accept*=toml]')
    .setInputFiles({ name: 'two.toml', mimeType: 'application/toml', buffer: Buffer.from(profile) });
  await page.getByText('two.toml is used.').waitFor();
  await dialog(page).getByLabel('Language model').selectOption('openai');
  await dialog(page).getByLabel('Address').fill(large.url);
  await dialog(page).getByLabel('Model', { exact: true }).fill('big');
  await dialog(page).getByLabel('Key', { exact: true }).fill(keys.large);
}

/** Fills the form of an endpoint. @param {Page} page @param {string} key */
async function enter(page, key) {
  await form(page).getByLabel('Address').fill(small.url);
  await form(page).getByLabel('Model', { exact: true }).fill('tiny');
  await form(page).getByLabel('Key', { exact: true }).fill(key);
}

test('an endpoint for a step is set up with the keyboard, checked, used for that step alone, and listed', () =>
  withPage(
    async (page) => {
      reset();
      await drop(page, [await sample('contract.pdf')]);
      await searchable(page, 1);
      await begin(page);
      await page
        .getByText('The profile names the model “small” for filtering, quoting, which is not set up.')
        .waitFor();
      await button(page, 'Add a model').press('Enter');
      const name = form(page).getByLabel('Name');
      assert.ok(await name.evaluate(isFocused));
      assert.equal(await name.inputValue(), 'small', 'the name that the profile has is there already');
      await name.fill('');
      await name.press('Enter');
      await form(page).getByText('The name is missing.').waitFor();
      await name.fill('small');
      await enter(page, 'sk-test-key-that-is-wrong');
      const check = form(page).getByRole('button', { name: 'Check connection' });
      await check.press('Enter');
      await form(page).getByText('The server refuses the key.').waitFor();
      assert.ok(await check.evaluate(isFocused), 'a check leaves the focus where it is');
      await form(page).getByLabel('Key', { exact: true }).fill(keys.small);
      assert.deepEqual(await violations(page), [], 'the form');
      await form(page).getByLabel('Name').press('Enter');
      const edit = button(page, 'Edit small');
      await edit.waitFor();
      assert.ok(await edit.evaluate(isFocused), 'the focus is on the new entry');
      await page.getByText('The model small is set up.').waitFor();
      assert.match(
        await dialog(page).locator('.named-list').innerText(),
        /small tiny at 127\.0\.0\.1:\d+ For filtering, quoting\./,
      );
      assert.equal(await page.getByText('which is not set up').count(), 0);
      await button(page, 'Check small').press('Enter');
      await dialog(page).getByText(`tiny answers at ${small.origin}.`).waitFor();
      assert.deepEqual(await violations(page), [], 'the list');
      await button(page, 'Use').click();
      await dialog(page).waitFor({ state: 'hidden' });

      reset();
      const answer = await ask(page, question);
      assert.deepEqual([answer.by, answer.trace.degraded], ['model', []]);
      assert.deepEqual(
        small.requests.map(({ step, body }) => [step, body.model]),
        [
          ['filter', 'tiny'],
          ['extract', 'tinier'],
        ],
      );
      assert.deepEqual(
        large.requests.map(({ step, body }) => [step, body.model]),
        [
          ['rewrite', 'big'],
          ['read', 'big'],
        ],
      );
      for (const { headers } of small.requests) assert.equal(headers.authorization, `Bearer ${keys.small}`);
      for (const { headers } of large.requests) assert.equal(headers.authorization, `Bearer ${keys.large}`);
      const asked = (await sent(page)).filter(({ step }) => step !== 'check');
      assert.deepEqual(
        asked.map(({ step, endpoint, where }) => [step, endpoint, new URL(where).origin]),
        [
          ['rewrite', 'default', large.origin],
          ['filter', 'small', small.origin],
          ['extract', 'small', small.origin],
          ['read', 'default', large.origin],
        ],
      );
      const card = page.locator('.answer-card').first();
      await card.locator('.provenance summary').click();
      assert.match(
        await card.locator('.provenance').innerText(),
        /Written by big at [\s\S]*Choosing among the passages \(small\): answered\s+Quoting from the passages \(tinier at small\): answered/,
      );
      await page.getByRole('button', { name: /requests?, .* sent/ }).click();
      assert.equal(
        await page.locator('td.where', { hasText: `${small.url}/chat/completions (small)` }).count(),
        3,
        'a check and two steps',
      );
      await page.keyboard.press('Escape');

      await page.getByRole('button', { name: /^Answers by big/ }).click();
      await button(page, 'Edit small').click();
      const held = await page.evaluate(() => {
        const root = /** @type {ShadowRoot} */ (
          /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).shadowRoot
        );
        const values = [...root.querySelectorAll('input, textarea')].map((field) =>
          Reflect.get(field, 'value'),
        );
        return [
          root.innerHTML,
          ...values,
          JSON.stringify(localStorage),
          JSON.stringify([
            .../** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).ledger.entries,
          ]),
        ].join('\n');
      });
      assert.ok(held.includes('tiny'));
      for (const key of Object.values(keys))
        assert.ok(!held.includes(key), 'no key is anywhere but in memory');
    },
    { provoked: /status of 401/ },
  ));

test('an endpoint is remembered without its key; until it is entered, its steps are left out and the answer names them', () =>
  withPage(async (page) => {
    reset();
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await begin(page);
    await button(page, 'Add a model').click();
    await enter(page, keys.small);
    await button(page, 'Keep').click();
    await button(page, 'Use').click();
    await page.reload();
    await page.getByRole('button', { name: /^Enter the key of / }).click();
    await dialog(page).getByText('Its key must be entered again.').waitFor();
    await dialog(page).getByLabel('Key', { exact: true }).fill(keys.large);
    await button(page, 'Use').click();
    assert.equal((await ask(page, question)).by, 'model');
    const card = page.locator('.answer-card').first();
    assert.match(
      await card.locator('.degraded').innerText(),
      /Filtering was skipped: The key of the model “small” is missing\.[\s\S]*Enter the key of “small” in the settings\./,
    );
    await button(page, 'Open the settings').click();
    await button(page, 'Edit small').click();
    const key = form(page).getByLabel('Key', { exact: true });
    assert.ok(await key.evaluate(isFocused), 'the key is what is missing');
    await button(page, 'Keep').click();
    await page.getByText('The model small is kept; its key is still missing.').waitFor();
    await button(page, 'Edit small').click();
    await key.fill(keys.small);
    await button(page, 'Keep').click();
    await page.keyboard.press('Escape');
    assert.deepEqual((await ask(page, question)).trace.degraded, []);

    await page.getByRole('button', { name: /^Answers by big/ }).click();
    await button(page, 'Remove small').press('Enter');
    assert.ok(await button(page, 'Add a model').evaluate(isFocused));
    await page.getByText('The model small is removed.').waitFor();
    await page.getByText('which is not set up').waitFor();
    await page.keyboard.press('Escape');
    const n = small.requests.length;
    assert.equal((await ask(page, question)).trace.degraded[0]?.step, 'filter');
    assert.match(
      await card.locator('.degraded').innerText(),
      /Filtering was skipped: The profile names a model that is not set up\./,
    );
    assert.equal(small.requests.length, n);
  }));

test('a check of an endpoint ends when that is edited, removed or forgotten: its key is sent no more', () =>
  withPage(async (page) => {
    reset();
    await begin(page);
    for (const press of ['Edit small', 'Remove small', 'Forget']) {
      await button(page, 'Add a model').click();
      await form(page).getByLabel('Name').fill('small');
      await enter(page, keys.small);
      await button(page, 'Keep').click();
      /** @type {() => void} */
      let goOn = () => {};
      const held = new Promise((resolve) => (goOn = () => resolve(undefined)));
      await page.route(`${small.url}/models`, async (route) => {
        await held;
        await route.continue().catch(() => {});
      });
      const asked = page.waitForRequest(`${small.url}/models`);
      await button(page, 'Check small').click();
      await asked;
      const ended = page.waitForEvent('requestfailed');
      await button(page, press).click();
      await ended;
      goOn();
      await page.unroute(`${small.url}/models`);
      if (press === 'Edit small') {
        await form(page).getByRole('button', { name: 'Back' }).click();
        await button(page, 'Remove small').click();
      }
    }
    await dialog(page)
      .getByText(
        'Forgotten: addresses, models, profile, glossary, keys and the use of the graphics processor.',
      )
      .waitFor();
    assert.equal(await page.getByText('Asking the server…').count(), 0);
    assert.equal(small.requests.length, 0);
  }));

test('an endpoint is remembered as the settings show it when it is kept', () =>
  withPage(async (page) => {
    reset();
    await begin(page);
    const remember = dialog(page).getByLabel('Remember in this browser, without the key');
    const isStored = () => page.evaluate(() => JSON.stringify(localStorage).includes('tiny'));
    assert.ok(await remember.isChecked(), 'it is offered');
    await button(page, 'Add a model').click();
    await enter(page, keys.small);
    await button(page, 'Keep').click();
    assert.ok(await isStored());
    await remember.uncheck();
    await button(page, 'Edit small').click();
    await button(page, 'Keep').click();
    assert.ok(!(await isStored()));
    await page.keyboard.press('Escape');
    await button(page, 'Quotes only (no AI)').click();
    assert.ok(!(await remember.isChecked()), 'as it was chosen');
    await remember.check();
    await button(page, 'Edit small').click();
    await button(page, 'Keep').click();
    assert.ok(await isStored());
  }));

test('the profile that the page sets says which endpoints are missing, before the one that is chosen', () =>
  withPage(async (page) => {
    reset();
    await begin(page);
    await page.keyboard.press('Escape');
    /** @param {string | null} profile */
    const give = (profile) =>
      page.evaluate((profile) => {
        /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).profile = profile;
      }, profile);
    for (const [given, told] of /** @type {const} */ ([
      [profile.replaceAll('"small"', '"page"'), ['page']],
      ['general', []],
      [null, ['small']],
    ])) {
      await give(given);
      await button(page, 'Quotes only (no AI)').click();
      await page.waitForFunction((told) => {
        const root = document.querySelector('pincite-widget')?.shadowRoot;
        const said = [...(root?.querySelectorAll('.settings-named .warning p') ?? [])];
        return (
          said.length === told.length &&
          told.every((name, nth) => said[nth]?.textContent?.includes(`model “${name}”`))
        );
      }, told);
      await page.keyboard.press('Escape');
    }
  }));

test('a connection is checked once at a time, also before the endpoint has a name', () =>
  withPage(async (page) => {
    reset();
    await page.getByRole('button', { name: 'Quotes only (no AI)' }).click();
    await button(page, 'Add a model').click();
    await enter(page, keys.small);
    /** @type {() => void} */
    let goOn = () => {};
    const held = new Promise((resolve) => (goOn = () => resolve(undefined)));
    await page.route(`${small.url}/models`, async (route) => {
      await held;
      await route.continue();
    });
    const check = form(page).getByRole('button', { name: 'Check connection' });
    await check.press('Enter');
    await check.press('Enter');
    goOn();
    await form(page).getByText(`tiny answers at ${small.origin}.`).waitFor();
    assert.equal(await check.getAttribute('aria-disabled'), null);
    assert.deepEqual(
      (await sent(page)).map(({ method, endpoint }) => [method, endpoint]),
      [
        ['GET', 'default'],
        ['POST', 'default'],
      ],
    );
    await check.press('Enter');
    await page.waitForFunction(
      () =>
        /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).ledger.entries.length === 4,
    );
  }));

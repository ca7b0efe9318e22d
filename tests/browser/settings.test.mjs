/**
 * The settings of answering: what is remembered, profiles of one's own, an endpoint that the policy of the page does not
 * allow, the model of the browser, and none at all.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, drop, isFocused, sample, searchable, withPage } from './harness.mjs';
import { button, card, key, prepared, question, server, useScriptedEndpoint } from './scripted.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

useScriptedEndpoint();

test('without a model nothing is sent, and the page says so', () =>
  withPage(async (page, context) => {
    server.reset({ key });
    /** @type {string[]} */
    const elsewhere = [];
    context.on('request', (request) => {
      if (!request.url().startsWith(new URL(page.url()).origin)) elsewhere.push(request.url());
    });
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    const answer = await ask(page, question);
    assert.deepEqual([answer.by, answer.trace.calls.length], ['extraction', 0]);
    assert.equal(await card(page).locator('.degraded').count(), 0);
    // How the answer came about is what was looked for, and no request.
    assert.deepEqual(await card(page).locator('.provenance dt').allTextContents(), [
      'Also looked for',
      'Searched for',
    ]);
    await button(page, 'Nothing has left this device since this page was opened').click();
    assert.match(
      await page.getByRole('dialog', { name: 'What has left this device' }).innerText(),
      /Nothing has left this device since this page was opened\./,
    );
    assert.deepEqual(
      [elsewhere.filter((address) => !/^(?:blob|data):/.test(address)), server.requests.length],
      [[], 0],
    );
  }));

test('address, model and profile are remembered when wanted, the key is asked for again, and all is forgotten', () =>
  withPage(async (page) => {
    server.reset({ key });
    await button(page, 'Quotes only (no AI)').click();
    await page.getByLabel('Language model').selectOption('openai');
    await page.getByLabel('Address').fill(server.url);
    await page.getByLabel('Model', { exact: true }).fill('scripted');
    await page.getByLabel('Key', { exact: true }).fill(key);
    await page.getByLabel('Profile', { exact: true }).selectOption('obligations');
    await button(page, 'Use').click();
    await page.reload();
    await page.getByRole('button', { name: /^Enter the key of 127\.0\.0\.1/ }).click();
    assert.equal(await page.getByLabel('Address').inputValue(), server.url);
    await page.locator('option[value=obligations]').waitFor({ state: 'attached' });
    assert.equal(await page.getByLabel('Profile', { exact: true }).inputValue(), 'obligations');
    assert.ok(await page.getByLabel('Key', { exact: true }).evaluate(isFocused));
    await button(page, 'Forget').click();
    await page.getByText('Forgotten').waitFor();
    assert.equal(await page.evaluate(() => localStorage.length), 0);
    await page.keyboard.press('Escape');
    await button(page, 'Quotes only (no AI)').waitFor();
  }));

test('a profile of one’s own is loaded, a faulty one is refused with its fault, a shipped one can be had', () =>
  withPage(async (page) => {
    server.reset({ key });
    await prepared(page);
    await page.getByRole('button', { name: /^Answers by scripted/ }).click();
    await page.getByText('This site has set the model: scripted at').waitFor();
    /** @param {string} text */
    const load = (text) =>
      page
        .locator('dialog.settings input[accept*=toml]')
        .setInputFiles({ name: 'ours.toml', mimeType: 'application/toml', buffer: Buffer.from(text) });
    await load('format = 1\nname = "ours"\ntitel = "Ours"\n');
    await page.getByText('ours.toml cannot be used.').waitFor();
    await page.getByText(/titel/).waitFor();
    await load(
      'format = 1\nname = "ours"\ntitle = "Our leases"\n[voice]\nrole = "You read leases of the moon."\n[steps.reflect]\non = false\n',
    );
    await page.getByText('ours.toml is used.').waitFor();
    assert.equal(
      await page.getByLabel('Profile', { exact: true }).locator('option:checked').innerText(),
      'Your own: Our leases',
    );
    const download = page.waitForEvent('download');
    await page.getByLabel('Profile', { exact: true }).selectOption('tax-opinion');
    await button(page, 'Download this one').click();
    assert.equal((await download).suggestedFilename(), 'tax-opinion.toml');
    await load(
      'format = 1\nname = "ours"\ntitle = "Our leases"\n[voice]\nrole = "You read leases of the moon."\n[steps.reflect]\non = false\n',
    );
    await page.getByText('ours.toml is used.').waitFor();
    await page.keyboard.press('Escape');
    await ask(page, question);
    assert.ok(
      server.requests.every(({ body }) => JSON.stringify(body.messages).includes('leases of the moon')),
    );
    assert.ok(!server.requests.some(({ step }) => step === 'reflect'));
  }));

test('under a policy that does not allow the endpoint the page works, and the check names it', () =>
  withPage(
    async (page, context) => {
      server.reset({ key });
      await context.route('**/', async (route) => {
        const response = await route.fetch();
        const narrow = (/** @type {string} */ text) =>
          text.replace(/connect-src [^;]*;/, "connect-src 'self';");
        const headers = response.headers();
        await route.fulfill({
          response,
          headers: {
            ...headers,
            'content-security-policy': narrow(headers['content-security-policy'] ?? ''),
          },
          body: narrow(await response.text()),
        });
      });
      await page.reload();
      await drop(page, [await sample('contract.pdf')]);
      await searchable(page, 1);
      await button(page, 'Quotes only (no AI)').click();
      await page.getByLabel('Language model').selectOption('openai');
      await page.getByLabel('Address').fill(server.url);
      await page.getByLabel('Model', { exact: true }).fill('scripted');
      await button(page, 'Check connection').click();
      await page.getByText('The policy of this page does not allow requests to this server.').waitFor();
      await page.getByText(`add ${server.origin} to connect-src`).waitFor();
      await page.keyboard.press('Escape');
      assert.equal((await ask(page, question)).by, 'extraction');
      assert.equal(server.requests.length, 0);
    },
    { provoked: /Content Security Policy|violates the document/ },
  ));

test('the model of the browser is offered where there is one, and what it is given counts as having left', () =>
  withPage(async (page, context) => {
    await context.addInitScript(() => {
      /** @param {{ role: string, content: string }[]} asked */
      const reply = (asked) => (/Passages: \d+/.test(asked[0]?.content ?? '') ? 'It is capped [P1].' : 'no');
      Reflect.set(globalThis, 'LanguageModel', {
        availability: async () => 'available',
        create: async () => ({
          promptStreaming: (/** @type {any} */ asked) =>
            new ReadableStream({ start: (control) => (control.enqueue(reply(asked)), control.close()) }),
          destroy: () => {},
        }),
      });
    });
    await page.reload();
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await button(page, 'Quotes only (no AI)').click();
    await page.getByLabel('Language model').selectOption('prompt-api');
    assert.equal(await page.getByLabel('Key', { exact: true }).isVisible(), false);
    await button(page, 'Check connection').click();
    await page.getByText('The model of this browser is ready.').waitFor();
    await button(page, 'Use').click();
    assert.equal((await ask(page, question)).by, 'model');
    await page.getByRole('button', { name: /^\d+ requests?, [\d.]+ k?B sent/ }).click();
    const list = page.getByRole('dialog', { name: 'What has left this device' });
    assert.match(
      await list.innerText(),
      /\d+ requests?, [\d.]+ k?B sent, [\d.]+ k?B received since this page was opened/,
    );
    assert.deepEqual(new Set(await list.locator('td.where').allInnerTexts()), new Set(['this browser']));
  }));

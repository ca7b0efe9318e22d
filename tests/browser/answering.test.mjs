/**
 * Answers written by a language model, through the page: set up as a person does, streamed, checked, followed up. The
 * model is the scripted endpoint of `tests/llm`.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ask,
  drop,
  isFocused,
  sample,
  searchable,
  sent,
  setModel,
  type,
  violations,
  withPage,
} from './harness.mjs';
import { button, card, endpoint, key, prepared, question, server, useScriptedEndpoint } from './scripted.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

useScriptedEndpoint();

test('a model is set up with the keyboard, asked, streamed and checked; its key is nowhere', () =>
  withPage(async (page, context) => {
    server.reset({ key, faults: [{ kind: 'drip', step: 'read', bytes: 60, delayMs: 15 }] });
    /** @type {string[]} */
    const addresses = [];
    context.on('request', (request) => addresses.push(request.url()));
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);

    const opener = button(page, 'Quotes only (no AI)');
    await opener.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Settings' });
    await dialog.getByLabel('Language model').selectOption('openai');
    await dialog.getByLabel('Address').fill(server.url);
    await dialog.getByLabel('Key', { exact: true }).fill(key);
    await button(page, 'Check connection').press('Enter');
    await dialog
      .getByText('No model is named. The server has: “scripted”.')
      .or(dialog.getByText('The server has: “scripted”.'))
      .waitFor();
    await dialog.getByLabel('Model', { exact: true }).fill('scripted');
    await button(page, 'Check connection').press('Enter');
    await dialog.getByText(`scripted answers at ${server.origin}.`).waitFor();
    assert.deepEqual(await violations(page), [], 'the settings');
    await dialog.getByLabel('Model', { exact: true }).press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    const set = page.getByRole('button', { name: `Answers by scripted at ${new URL(server.url).host}` });
    await set.waitFor();
    assert.ok(await set.evaluate(isFocused), 'the focus is back where it was');

    await page.evaluate(() => {
      const root = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).shadowRoot;
      /** @type {string[]} */
      const seen = [];
      Reflect.set(globalThis, 'seen', seen);
      new MutationObserver(() => {
        for (const selector of ['.step', '.draft-text']) {
          const text = root?.querySelector(selector)?.textContent;
          if (text && seen.at(-1) !== text) seen.push(text);
        }
      }).observe(/** @type {ShadowRoot} */ (root), { subtree: true, childList: true, characterData: true });
    });
    await type(page, question);
    const seen = await page.evaluate(() => /** @type {string[]} */ (Reflect.get(globalThis, 'seen')));
    const steps = [
      'Rewriting the question…',
      'Searching the documents…',
      'Quoting from the passages…',
      'Writing the answer…',
      'Checking the answer…',
    ];
    const places = steps.map((step) => seen.indexOf(step));
    assert.ok(
      places.every((place, placeIdx) => place >= 0 && place > (places[placeIdx - 1] ?? -1)),
      seen.join('\n'),
    );
    assert.ok(
      seen.filter((text) => text.startsWith('The text says')).length > 1,
      'the answer was seen while it was written',
    );
    assert.equal(await card(page).getAttribute('data-state'), 'answered');
    assert.equal(await card(page).locator('.draft').count(), 0, 'the draft gives way to the checked answer');
    assert.match(await card(page).locator('.statement').first().innerText(), /^The text says: "/);
    assert.equal(await card(page).locator('.citation .status').count(), 0, 'nothing differs from its source');
    assert.match(
      await card(page).locator('.matches').innerText(),
      /^(?:Every|The) quote matches its source\. Whether it answers your question is for you to judge\.$/,
    );
    assert.match(
      await card(page).locator('.provenance summary').innerText(),
      /^Written by scripted at 127\.0\.0\.1:\d+; .*found nothing wrong/,
    );
    assert.equal(await card(page).locator('.degraded, .verdict, .remark').count(), 0);
    await card(page).locator('.provenance summary').click();
    assert.deepEqual(await violations(page), [], 'an answer by a model');

    const entries = await sent(page);
    assert.deepEqual(
      entries.map(({ step, method, where, bytesOut, status }) => [step, method, where, bytesOut, status]),
      server.requests.map(({ step, method, path, bytes, status }) => [
        step === 'other' || step === null ? 'check' : step,
        method,
        server.origin + path,
        bytes,
        status,
      ]),
    );
    assert.deepEqual(new Set(entries.map(({ outcome }) => outcome)), new Set(['ok']));
    const read = entries.find(({ step }) => step === 'read');
    assert.ok(
      read &&
        read.passages.length > 0 &&
        read.passages.every(({ document, page }) => document === 'contract.pdf' && page !== null),
    );
    await page.getByRole('button', { name: /requests?, .* sent/ }).click();
    const ledger = page.getByRole('dialog', { name: 'What has left this device' });
    assert.equal(await ledger.locator('tbody tr').count(), entries.length);
    await ledger
      .getByText(/^\d+ passages?$/)
      .first()
      .click();
    assert.deepEqual(await violations(page), [], 'the list');
    const download = page.waitForEvent('download');
    await button(page, 'Save as JSON').click();
    assert.equal((await download).suggestedFilename(), 'pincite-requests.json');
    await page.keyboard.press('Escape');
    await ledger.waitFor({ state: 'hidden' });
    assert.equal(await card(page).getAttribute('data-state'), 'answered');

    await page.getByRole('button', { name: /^Answers by scripted/ }).click();
    const held = await page.evaluate(() => {
      const root = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).shadowRoot;
      const values = [.../** @type {ShadowRoot} */ (root).querySelectorAll('input, textarea')].map((field) =>
        Reflect.get(field, 'value'),
      );
      return [
        document.documentElement.outerHTML,
        root?.innerHTML,
        ...values,
        JSON.stringify(localStorage),
        JSON.stringify(sessionStorage),
        document.cookie,
      ].join('\n');
    });
    assert.ok(held.includes('scripted'), 'address and model are remembered');
    assert.ok(!held.includes(key), 'neither the page nor what it stores holds the key');
    assert.ok(addresses.every((address) => !address.includes(key)));
    assert.ok(!JSON.stringify(entries).includes(key));
    for (const { headers } of server.requests) assert.equal(headers.authorization, `Bearer ${key}`);
  }));

test('an answer is of the model that was asked, also when another is set before it comes', () =>
  withPage(async (page) => {
    server.reset({ key, faults: [{ kind: 'drip', step: 'read', bytes: 60, delayMs: 30 }] });
    await prepared(page);
    const answered = ask(page, question);
    await card(page).locator('.draft-text').waitFor();
    await page.evaluate(() => {
      const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      widget.llm = { kind: 'openai', url: 'http://localhost:9/v1', model: 'another' };
    });
    await page.getByRole('button', { name: /^Answers by another/ }).waitFor();
    assert.equal(await card(page).getAttribute('data-state'), 'asking');
    assert.equal((await answered).by, 'model');
    assert.match(
      await card(page).locator('.provenance summary').innerText(),
      /^Written by scripted at 127\.0\.0\.1:/,
    );
  }));

test('every notice of an answer is in words, not in colour alone', () =>
  withPage(async (page) => {
    server.reset({ key });
    await prepared(page);
    await page.evaluate(async (question) => {
      const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      const { engine } = widget;
      const real = await engine.ask(question);
      const [citation] = real.citations;
      const statuses = [
        'verified',
        'repaired',
        'misattributed',
        'stitched',
        'not-found',
        'cited',
        'new-in-a-later-version',
      ];
      const made = {
        ...real,
        by: 'model',
        verdict: {
          grounded: false,
          consistent: true,
          complete: false,
          problem: 'one amount is not in the passages',
          missing: ['the exceptions'],
        },
        statements: [
          {
            text: 'The cap is EUR 9 <b>million</b>.',
            citations: [1, 2],
            unsupported: [{ kind: 'amount', text: 'EUR 9' }],
            unknown: [],
            continues: false,
          },
          {
            text: 'It shall bind.',
            citations: [3],
            unsupported: [{ kind: 'modal', text: 'shall' }],
            unknown: [99],
            continues: true,
          },
          { text: 'Another paragraph.', citations: [5], unsupported: [], unknown: [], continues: false },
          { text: '- One item.', citations: [6], unsupported: [], unknown: [], continues: false },
          { text: 'More of it.', citations: [], unsupported: [], unknown: [], continues: true },
          { text: '- Another item.', citations: [7], unsupported: [], unknown: [], continues: false },
        ],
        citations: statuses.map((status, statusIdx) => ({ ...citation, status, id: statusIdx + 1 })),
        supporting: [
          { citation: 1, why: 'reference', name: 'Section 6.1', by: 4 },
          { citation: 1, why: 'definition', name: '“Charges”', by: 6 },
        ],
        conflicts: [{ kind: 'number', citations: [1, 2], preferred: 2 }],
        notes: [
          { kind: 'withdrawn', citation: 3, legalStatus: 'repealed' },
          { kind: 'later-edition', citation: 1, date: '2019', later: 'new.pdf', laterDate: '2024-01' },
          { kind: 'several-cases', citations: [1, 3] },
        ],
      };
      Reflect.set(engine, 'ask', async () => made);
      await widget.ask(question);
    }, question);
    assert.deepEqual(await card(page).locator('.unsupported').allInnerTexts(), ['EUR 9', 'shall']);
    const paragraphs = await card(page).locator('.paragraph > p:not(.remark)').allInnerTexts();
    assert.deepEqual(
      paragraphs.map((text) => text.replaceAll('\u202f', ' ')),
      [
        'The cap is EUR 9 <b>million</b>. 12 It shall bind. 3',
        'Another paragraph. 5',
        'One item. 6 More of it.',
        'Another item. 7',
      ],
    );
    assert.equal(await card(page).locator('.statements > ul > li').count(), 2);
    const remarks = await card(page).locator('.remark').allInnerTexts();
    assert.match(
      remarks.pop() ?? '',
      /^The passages answer this for several cases, and the question names none of them: 1 Services Agreement, p\. \d+ 3 Services Agreement, p\. \d+\s*$/,
    );
    assert.deepEqual(remarks, [
      'The amount “EUR 9” is not in what is cited here.',
      'The wording “shall” is not in what is cited here.',
      'The model cites a passage that it was not given.',
      'Citation 3 holds no law: its section says that it is repealed.',
      'Citation 1 is of 2019. There is a later edition, of 2024-01: new.pdf.',
    ]);
    const told = await page.locator('.shell > [role=status]').textContent();
    assert.match(told ?? '', /The passages answer this for several cases\. 2 warnings on what is in force\./);
    const verdict = await card(page).locator('.verdict').innerText();
    assert.match(
      verdict,
      /The check of this answer failed: something in it is not in the passages, it does not answer the whole question\.\s+One amount is not in the passages\.\s+Missing: the exceptions\./,
    );
    assert.match(
      await card(page).locator('.differs').innerText(),
      /These provisions differ, in figures or dates: 1 Services Agreement, p\. \d+ 2 Services Agreement, p\. \d+\s+As far as dates tell, 2 is in force\./,
    );
    assert.match(
      await card(page).locator('.matches').innerText(),
      /^1 of 7 quotes match their sources; the others are marked\./,
    );
    assert.deepEqual(await card(page).locator('.citation .status').allInnerTexts(), [
      'Repaired',
      'Found elsewhere',
      'Put together',
      'Not found',
      'Cited, not quoted',
      'Not found',
    ]);
    assert.deepEqual(await card(page).locator('.citation-supporting').allInnerTexts(), [
      'Section 6.1, which 1 refers to',
      'Defined term: “Charges”, used in 1',
    ]);
    assert.match(
      (await card(page).locator('button.mark').nth(1).getAttribute('aria-label')) ?? '',
      /^Citation 2: Services Agreement, p\. \d+\. Repaired$/,
    );
    assert.deepEqual(await violations(page), []);
  }));

test('a follow-up question goes with what was said; a new conversation does not', () =>
  withPage(async (page) => {
    server.reset({ key });
    await prepared(page);
    const rewrites = () =>
      server.requests
        .filter(({ step }) => step === 'rewrite')
        .map(({ body }) => JSON.stringify(body.messages));
    assert.equal(await button(page, 'New conversation').isVisible(), false);
    const first = await ask(page, question);
    await ask(page, 'Does it cover fraud?');
    assert.ok(!rewrites()[0]?.includes('fraud'));
    assert.ok(
      rewrites()[1]?.includes(question) && rewrites()[1]?.includes(JSON.stringify(first.answer).slice(1, 30)),
      'question and answer go along',
    );
    await button(page, 'New conversation').click();
    assert.equal(await button(page, 'New conversation').isVisible(), false);
    await ask(page, 'Who may end the agreement?');
    assert.ok(!rewrites().at(-1)?.includes(question));
    assert.deepEqual(
      await page.locator('.thread > .answer-card .asked, .thread > .earlier').allInnerTexts(),
      ['Who may end the agreement?', 'Earlier conversation', 'Does it cover fraud?', question],
    );
  }));

test('earlier turns are listed with what they cite; those of before the model, or of documents removed since, stay here', () =>
  withPage(async (page) => {
    server.reset({ key });
    await drop(page, [await sample('contract.pdf'), await sample('rulebook.pdf')]);
    await searchable(page, 2);
    const carried = () =>
      server.requests
        .filter(({ step }) => step === 'rewrite' || step === 'read')
        .map(({ body }) => JSON.stringify(body.messages));
    await ask(page, 'Who may end the agreement?');
    await setModel(page, endpoint());
    await ask(page, question);
    assert.ok(carried().length > 0 && carried().every((text) => !text.includes('Who may end')));
    assert.match(await card(page).locator('.left-out').innerText(), /^1 earlier answer .* was not sent/);

    server.reset({ key });
    await ask(page, 'Does it cover fraud?');
    assert.ok(carried().every((text) => text.includes(question) && text.includes('<<<TURN1 ')));
    assert.match(await card(page).locator('.left-out').innerText(), /^1 earlier answer/);
    const rewrite = (await sent(page)).filter(({ step }) => step === 'rewrite').at(-1);
    assert.equal(rewrite?.turns, 1);
    assert.ok(rewrite && rewrite.passages.length > 0, 'the answer before quotes passages');

    await page.evaluate(async () => {
      const widget = /** @type {import('./harness.mjs').PinciteWidget} */ (
        document.querySelector('pincite-widget')
      );
      const contract = widget.engine.snapshot.documents.find(({ name }) => name === 'contract.pdf');
      await widget.engine.remove(contract?.id ?? '');
    });
    server.reset({ key });
    await ask(page, 'For how long must records of Client Money be kept?');
    assert.ok(carried().every((text) => !text.includes(question)));
    const left = await card(page).locator('.left-out').allInnerTexts();
    assert.match(left.join(' '), /a document that is cited there is no longer in the library/);
  }));

test('a follow-up question without a model is understood with the one before, and the page says so', () =>
  withPage(async (page) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await ask(page, question);
    assert.equal(await card(page).locator('.understood').count(), 0);
    await ask(page, 'What about fraud?');
    assert.equal(
      await card(page).locator('.understood').innerText(),
      `Read as a follow-up to: “${question}”`,
    );
  }));

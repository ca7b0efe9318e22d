/**
 * Faults of a language model: every kind once, and what the person sees of it; stopping; faults of a model that the page
 * around the widget carries itself.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, drop, sample, searchable, sent, withPage } from './harness.mjs';
import { button, card, key, prepared, question, server, useScriptedEndpoint } from './scripted.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

useScriptedEndpoint();

/** @type {[name: string, script: import('../llm/server.mjs').Script, seen: RegExp, by: 'model' | 'extraction', steps: string[]][]} */
const faults = [
  [
    'too many requests',
    { faults: [{ kind: 'rate-limit', step: 'extract', times: 0 }] },
    /Quoting from the passages was skipped: Too many requests\.[\s\S]*Wait a little/,
    'model',
    ['extract'],
  ],
  [
    'a server that fails',
    { faults: [{ kind: 'status', status: 500, step: 'rewrite', times: 0 }] },
    /Rewriting the question was skipped: The server failed \(status 500\)\./,
    'model',
    ['rewrite'],
  ],
  [
    'a server that stalls',
    { faults: [{ kind: 'stall', step: 'extract', times: 0 }] },
    /Quoting from the passages was skipped: The server stopped in the middle of the reply\./,
    'model',
    ['extract'],
  ],
  [
    'a reply cut in the middle of a character',
    { faults: [{ kind: 'cut', step: 'read', times: 0 }] },
    /The model wrote no complete answer: The (?:connection broke|reply ended)[\s\S]*quoted from your documents, without the model/,
    'extraction',
    ['read'],
  ],
  [
    'events that are none',
    { faults: [{ kind: 'malformed-json', step: 'reflect', times: 0 }] },
    /The check of the answer was skipped: An event of the reply is not JSON\./,
    'model',
    ['reflect'],
  ],
  [
    'replies that cannot be used',
    { faults: [{ kind: 'not-json', step: 'extract', times: 0 }] },
    /Quoting from the passages was skipped: The model's reply could not be used/,
    'model',
    ['extract'],
  ],
  [
    'a model of a short context',
    { faults: [{ kind: 'too-long', step: 'extract' }] },
    /Quoting from the passages: The model takes less than the profile sends: it was sent less\./,
    'model',
    ['extract'],
  ],
  [
    'a page that the server does not allow',
    { cors: 'none' },
    /could not be reached, or the browser does not let this page ask it\.[\s\S]*connection check tells which/,
    'extraction',
    ['rewrite'],
  ],
  [
    'a key that is refused',
    { faults: [{ kind: 'unauthorized', times: 0 }] },
    /The server refused the key\.[\s\S]*Check the key/,
    'extraction',
    ['rewrite'],
  ],
];

for (const [name, script, seen, by, steps] of faults) {
  test(`survived and reported: ${name}`, () =>
    withPage(
      async (page) => {
        server.reset({ key, ...script });
        await prepared(page);
        const answer = await ask(page, question);
        assert.deepEqual([answer.by, answer.sufficient], [by, true]);
        assert.deepEqual([...new Set(answer.trace.degraded.map(({ step }) => step))], steps);
        assert.match(await card(page).locator('.degraded').innerText(), seen);
        assert.ok((await card(page).locator('button.citation').count()) > 0);
        await button(page, 'Open the settings').or(card(page).locator('.asked')).first().waitFor();
      },
      { provoked: /status of (?:400|429|500|401)|ERR_INCOMPLETE_CHUNKED|ERR_FAILED|CORS policy/ },
    ));
}

test('stopping ends the request at once and leaves what was there', () =>
  withPage(async (page) => {
    server.reset({ key, faults: [{ kind: 'drip', step: 'read', bytes: 60, delayMs: 400 }] });
    await prepared(page);
    await page.getByRole('textbox', { name: 'Your question' }).fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.draft-text', { hasText: 'The text' }).waitFor();
    await button(page, 'Stop').click();
    assert.equal(await card(page).getAttribute('data-state'), 'cancelled');
    assert.match(
      await card(page).innerText(),
      /Stopped\. What the model had written is not checked:\s+The text/,
    );
    for (let wait = 0; wait < 50 && !server.requests.at(-1)?.aborted; wait += 1)
      await page.waitForTimeout(20);
    assert.equal(server.requests.at(-1)?.aborted, true);
    assert.equal((await sent(page)).at(-1)?.outcome, 'cancelled');
    const n = server.requests.length;
    await page.waitForTimeout(300);
    assert.equal(server.requests.length, n, 'nothing is asked any more');
    server.reset({ key });
    assert.equal((await ask(page, question)).by, 'model', 'the next question is answered');
  }));

test('a model that the page around brings is asked, listed, and its faults are said', () =>
  withPage(async (page) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    const by = await page.evaluate(async (question) => {
      const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      widget.llm = {
        complete: async ({ step }) => {
          if (step === 'extract') throw new Error('not today');
          return {
            text:
              step === 'read'
                ? 'It is capped [P1].'
                : '{"grounded": true, "consistent": true, "complete": true, "problem": "", "missing": [], "quotes": [], "rewrites": ["What is the limit of liability?", "How much can be claimed?", "Which amount caps liability?"]}',
            finish: 'stop',
          };
        },
      };
      return (await widget.ask(question)).by;
    }, question);
    assert.equal(by, 'model');
    assert.match(
      await card(page).locator('.degraded').innerText(),
      /Quoting from the passages was skipped: Not today\./,
    );
    assert.deepEqual(new Set((await sent(page)).map(({ where }) => where)), new Set(['this site']));
    await card(page).locator('button.citation').first().click();
    await page.locator('.light').first().waitFor({ state: 'attached' });
  }));

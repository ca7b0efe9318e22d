/**
 * Tools for agents of the browser, by Chromium's own WebMCP: off until the page says so, three of them, with hints; what an
 * agent is given is in the ledger, and what it sends is held to its schema.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { drop, sample, searchable, sent, startWithAgents, stop, withPage } from './harness.mjs';

/** @typedef {import('./harness.mjs').Page} Page */

before(startWithAgents);
after(stop);

/** @param {Page} page @param {boolean} on */
const offer = (page, on) =>
  page.evaluate((on) => document.querySelector('pincite-widget')?.toggleAttribute('agent-tools', on), on);

/** Waits until so many tools are there. @param {Page} page @param {number} n */
async function tools(page, n) {
  for (let wait = 0; wait < 100; wait += 1) {
    const found = await page.webmcp.tools();
    if (found.length === n) return found;
    await page.waitForTimeout(50);
  }
  return page.webmcp.tools();
}

test('an agent searches, asks and opens a citation once the page allows it, and the ledger lists each call', () =>
  withPage(async (page) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    assert.deepEqual(await page.webmcp.tools(), []);
    await offer(page, true);
    assert.deepEqual((await tools(page, 3)).map(({ name, annotations }) => [name, annotations]).sort(), [
      ['pincite_ask', { untrustedContent: true }],
      ['pincite_open_citation', { readOnly: true, untrustedContent: true }],
      ['pincite_search', { readOnly: true, untrustedContent: true }],
    ]);
    const found = await page.webmcp.callTool('pincite_search', { query: 'cap on liability', limit: 3 });
    assert.equal(found.passages.length, 3);
    assert.equal(found.passages[0].document, 'contract.pdf');
    const answer = await page.webmcp.callTool('pincite_ask', { question: 'What is the cap on liability?' });
    assert.equal(answer.writtenBy, 'extraction');
    assert.equal(answer.citations[0].status, 'verified');
    await page.getByRole('heading', { name: 'What is the cap on liability?' }).waitFor();
    await page.webmcp.callTool('pincite_open_citation', { id: answer.citations[0].id });
    await page.locator('.viewer .light').first().waitFor();
    const entries = await sent(page);
    assert.deepEqual(
      entries.map(({ step, where, method, outcome }) => [step, where, method, outcome]),
      ['search', 'ask', 'open_citation'].map((name) => [
        `agent-${name}`,
        'an agent of this browser',
        'agent',
        'ok',
      ]),
    );
    assert.deepEqual(
      entries.map(({ passages }) => passages.length),
      [3, answer.citations.length, 0],
    );
    assert.equal(entries[0]?.bytesOut, Buffer.byteLength(JSON.stringify(found)));
    await page.locator('[part=ledger-button]').click();
    await page.getByRole('cell', { name: 'Question of an agent' }).waitFor();
    await page.keyboard.press('Escape');
    await offer(page, false);
    assert.deepEqual(await tools(page, 0), []);
  }));

test('what an agent sends is held to its form, and a failure is listed', () =>
  withPage(
    async (page) => {
      await offer(page, true);
      await tools(page, 3);
      /** @type {[name: string, input: Record<string, unknown>][]} */
      const wrong = [
        ['pincite_search', {}],
        ['pincite_search', { query: 'x'.repeat(2001) }],
        ['pincite_search', { query: 'fee', limit: 1e9 }],
        ['pincite_ask', { question: ' ' }],
        ['pincite_open_citation', { id: 7 }],
      ];
      for (const [name, input] of wrong) await assert.rejects(page.webmcp.callTool(name, input), name);
      for (const { outcome, bytesOut } of await sent(page))
        assert.deepEqual([outcome, bytesOut], ['failed', 0]);
      await page.evaluate(() => document.querySelector('pincite-widget')?.remove());
      assert.deepEqual(await tools(page, 0), [], 'they go with the element');
    },
    { provoked: /^WebMCP tool execution failed/ },
  ));

/**
 * The widget in a portal that trusts nobody: the policy of the README, Trusted Types, a pdf.js and a place for files of the
 * portal's own.
 */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { drop, sample, searchable, site, start, stop, type, withPage } from './harness.mjs';

/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
/** The policy that the README says is enough. */
const policy = /`(default-src 'none';[^`]+)`/.exec(readme)?.[1]?.replaceAll('\n', ' ') ?? '';

before(start);
after(stop);

/** @param {Parameters<typeof withPage>[0]} body */
function inPortal(body) {
  return withPage(async (page, context) => {
    await context.route('**/portal.html', (route) =>
      route.fulfill({
        contentType: 'text/html',
        headers: { 'content-security-policy': policy },
        body: `<!doctype html><html lang="en"><title>Portal</title><link rel="icon" href="data:,">
          <script type="module" src="${site()}pincite-widget.js"></script><pincite-widget src="./"></pincite-widget>`,
      }),
    );
    await page.goto(new URL('portal.html', site()).href);
    await page.waitForFunction(() => customElements.get('pincite-widget') !== undefined);
    await body(page, context);
  });
}

test('under Trusted Types a document is read, asked and opened at the cited words', () =>
  inPortal(async (page) => {
    assert.match(policy, /require-trusted-types-for 'script'; trusted-types pincite$/);
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await type(page, 'What is the cap on liability?');
    await page.locator('button.citation').first().click();
    await page.locator('.page-view canvas').first().waitFor();
    await page.locator('.text-layer span').first().waitFor({ state: 'attached' });
    const workers = page.workers().map((worker) => new URL(worker.url()).pathname);
    assert.ok(workers.includes('/viewer/pdf.worker.min.mjs'), workers.join());
    assert.ok(workers.includes('/engine/worker.js'), workers.join());
  }));

test('nothing is left on the global object, and what the portal had there is untouched', () =>
  inPortal(async (page) => {
    const names = () => page.evaluate(() => Object.getOwnPropertyNames(globalThis));
    await page.evaluate(() => Reflect.set(globalThis, 'pdfjsLib', 'of the portal'));
    const had = new Set(await names());
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await page.locator('button.row-name').first().click();
    await page.locator('.page-view canvas').first().waitFor();
    assert.deepEqual(
      (await names()).filter((name) => !had.has(name)),
      [],
    );
    assert.equal(await page.evaluate(() => Reflect.get(globalThis, 'pdfjsLib')), 'of the portal');
  }));

test('a portal that takes files itself does not get those that are dropped on the widget', () =>
  inPortal(async (page) => {
    await page.evaluate(() => {
      /** @type {string[]} */
      const seen = [];
      Reflect.set(globalThis, 'seen', seen);
      for (const name of ['dragenter', 'dragover', 'drop'])
        document.addEventListener(name, () => seen.push(name));
    });
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    assert.deepEqual(await page.evaluate(() => Reflect.get(globalThis, 'seen')), []);
  }));

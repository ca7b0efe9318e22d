/**
 * The tab and the whole browser killed at thirty random moments of adding, embedding, saving, removing and asking: after
 * each the page opens with whole documents only, and with everything that it had shown before. `tests/bench/kill.mjs` kills
 * at more of them, over longer documents. And a kill that leaves half a record behind, at which Chromium throws the database away.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from '../../www/serve.mjs';
import { withEmptyConsole } from './console.mjs';
import { drop, searchable, siteFolder, snapshot } from './harness.mjs';
import { KillableBrowser } from './killing/browser.mjs';
import { deed } from './killing/deeds.mjs';
import { lost } from './killing/library.mjs';
import { killAtMoments } from './killing/moments.mjs';
import { tearLog } from './killing/torn-log.mjs';

const seed = Number(process.env['PINCITE_SEED'] ?? 20261124);
const moments = 30;

test(`killed at ${moments} moments (seed ${seed}), the page opens with whole documents and nothing else lost`, (t) =>
  withEmptyConsole(async (said) => {
    const server = await serve(siteFolder, 0);
    try {
      const { wrong, ...counts } = await killAtMoments(server.url, { moments, seed, said });
      t.diagnostic(JSON.stringify(counts));
      assert.deepEqual(wrong, []);
      assert.ok(counts.during > 0, 'no kill found anything under way');
    } finally {
      await server.close();
    }
  }));

test('where the browser has thrown its database away, the page says that the documents are lost, and takes new ones', (t) =>
  withEmptyConsole(async (said) => {
    const server = await serve(siteFolder, 0);
    const browser = new KillableBrowser(server.url, said);
    const names = async (/** @type {import('./harness.mjs').Page} */ page) =>
      (await snapshot(page)).documents.map(({ id }) => id);
    const [first, second, third, fourth] = [0, 1, 2, 3].map((n) => deed(n, 6));
    assert.ok(first && second && third && fourth);
    try {
      let page = await browser.open();
      await drop(page, [first, second]);
      await searchable(page, 2);
      await browser.quit();

      await tearLog(browser.profile);
      page = await browser.open();
      const before = await names(page);
      await drop(page, [third]);
      await searchable(page, before.length + 1);
      await browser.killAll();

      page = await browser.open();
      const isReset = (await browser.takeResets()) > 0;
      t.diagnostic(isReset ? browser.lines.join('\n') : 'this Chromium keeps a database whose log is torn');
      assert.deepEqual(await names(page), isReset ? [] : [...before, third.id]);
      if (isReset) await page.getByText(lost).waitFor();
      await drop(page, [fourth]);
      await searchable(page, isReset ? 1 : before.length + 2);
      await browser.quit();
      page = await browser.open();
      assert.ok((await names(page)).includes(fourth.id));
      assert.equal(await page.getByText(lost).count(), 0);
    } finally {
      await browser.close();
      await server.close();
    }
  }));

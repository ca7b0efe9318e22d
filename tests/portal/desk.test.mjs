/**
 * The compliance portal of `www/portal/` with the packed package: its main job under its policy, as an element in its page, in a frame, and as
 * a panel over its page.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { servePortal } from '../../www/portal/serve.mjs';
import { samplesFolder, violations } from '../browser/harness.mjs';
import { unpacked } from './archive.mjs';
import { startBrowser, stopBrowser, withApp } from './harness.mjs';

/** @type {Awaited<ReturnType<typeof unpacked>>} */
let installed;
before(async () => {
  installed = await unpacked();
  await startBrowser();
});
after(async () => {
  await stopBrowser();
  await installed.remove();
});

for (const variant of ['', 'frame', 'floating'])
  test(`a case is answered from signed-in policies, under a nonce and the portal's own policy (${variant || 'element'})`, async () => {
    const portal = await servePortal({ npm: installed.npm, documents: samplesFolder });
    try {
      await withApp(portal.url + variant, async (page) => {
        const desk = variant === 'frame' ? page.frameLocator('iframe') : page;
        await desk
          .getByText(/^\d+ pages$/)
          .nth(1)
          .waitFor();
        await desk.getByRole('button', { name: /C-1042/ }).click();
        await desk.locator('button.citation').first().click();
        await desk.locator('.page-view canvas').first().waitFor();
        await desk.locator('.light').first().waitFor({ state: 'attached' });
        if (variant !== 'frame') assert.deepEqual(await violations(page), []);
        if (process.env['PORTAL_PICTURE'])
          await page.screenshot({ path: `${process.env['PORTAL_PICTURE']}${variant}.png` });
      });
    } finally {
      portal.close();
    }
  });

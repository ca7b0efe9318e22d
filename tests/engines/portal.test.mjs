/** The compliance portal of `www/portal/` with the packed package, in three engines, under a nonce, with a policy of Trusted Types of its own. */

import { after, before } from 'node:test';
import { servePortal } from '../../www/portal/serve.mjs';
import { samplesFolder } from '../browser/harness.mjs';
import { unpacked } from '../portal/archive.mjs';
import { inEachEngine } from './harness.mjs';

/** @type {Awaited<ReturnType<typeof unpacked>>} */
let installed;
before(async () => {
  installed = await unpacked();
});
after(() => installed.remove());

inEachEngine(({ test, withTab }) => {
  test('a case is answered from signed-in policies, under a nonce and a policy of its own', async () => {
    const portal = await servePortal({ npm: installed.npm, documents: samplesFolder });
    try {
      await withTab(async (tab) => {
        await tab.goto(portal.url);
        for (const item of ['contract.pdf', 'rulebook.pdf'])
          await tab.shows(`[data-document$="${item}"]`, ' pages');
        await tab.click('button', 'C-1042');
        await tab.click('button.citation');
        await tab.shows('.page-view canvas');
        await tab.shows('.light');
      });
    } finally {
      portal.close();
    }
  });
});

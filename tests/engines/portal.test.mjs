/** The compliance portal of `www/portal/` in three engines, under a nonce, with a policy of Trusted Types of its own. */

import { servePortal } from '../../www/portal/serve.mjs';
import { samplesFolder } from '../browser/harness.mjs';
import { inEachEngine } from './harness.mjs';

inEachEngine(({ test, withTab }) => {
  test('a case is answered from signed-in policies, under a nonce and a policy of its own', async () => {
    const portal = await servePortal({ documents: samplesFolder });
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

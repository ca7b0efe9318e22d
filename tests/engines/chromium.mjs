/** Chromium, driven by playwright-core as in `tests/browser`. */

import path from 'node:path';
import playwright from '../../www/node_modules/playwright-core/index.js';
import { chromiumArgs, chromiumPath, listen } from '../browser/harness.mjs';

/** @type {import('./engines.mjs').Launch} */
export async function launchChromium({ downloads, proxy }) {
  const browser = await playwright.chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
  return {
    close: () => browser.close(),
    async profile({ said }) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 760 },
        reducedMotion: 'reduce',
        // By itself it asks this machine without the proxy.
        proxy: { server: `http://${proxy}`, bypass: '<-loopback>' },
      });
      const newTab = async () => {
        const page = await context.newPage();
        listen(page, said);
        page.on('download', (file) => file.saveAs(path.join(downloads, file.suggestedFilename())));
        return driverOf(page, newTab);
      };
      return { driver: await newTab(), close: () => context.close() };
    },
  };
}

/**
 * @param {import('../browser/harness.mjs').Page} page
 * @param {() => Promise<import('./tab.mjs').Driver>} newTab
 * @returns {import('./tab.mjs').Driver}
 */
function driverOf(page, newTab) {
  return {
    goto: (address) => page.goto(address),
    reload: () => page.reload(),
    evaluate: (script, argument) => page.evaluate(script, argument),
    clickAt: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    async kill() {
      const session = await page.context().newCDPSession(page);
      const crashed = page.waitForEvent('crash');
      session.send('Page.crash').catch(() => {});
      await crashed;
      await page.close();
      return newTab();
    },
  };
}

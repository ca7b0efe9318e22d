/** Chromium, driven by playwright-core as in `tests/browser`. */

import path from 'node:path';
import playwright from '../../www/node_modules/playwright-core/index.js';
import { chromiumArgs, chromiumPath, listen } from '../browser/harness.mjs';

/** @type {import('./engines.mjs').Launch} */
export async function launchChromium({ downloads }) {
  const browser = await playwright.chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
  return {
    close: () => browser.close(),
    async profile({ proxy, said }) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 760 },
        reducedMotion: 'reduce',
        // By itself it asks this machine without the proxy.
        proxy: { server: `http://${proxy}`, bypass: '<-loopback>' },
      });
      const page = await context.newPage();
      listen(page, said);
      page.on('download', (file) => file.saveAs(path.join(downloads, file.suggestedFilename())));
      return {
        driver: {
          goto: (address) => page.goto(address),
          reload: () => page.reload(),
          evaluate: (script, argument) => page.evaluate(script, argument),
          clickAt: (x, y) => page.mouse.click(x, y),
          type: (text) => page.keyboard.type(text),
          press: (key) => page.keyboard.press(key),
        },
        close: () => context.close(),
      };
    },
  };
}

/** Firefox, driven by puppeteer-core over WebDriver BiDi. */

import puppeteer from 'puppeteer-core';

const firefoxPath = process.env['FIREFOX'] ?? '/usr/bin/firefox-esr';

/** @type {import('./engines.mjs').Launch} */
export async function launchFirefox({ downloads }) {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefoxPath,
    defaultViewport: { width: 1280, height: 760 },
    extraPrefsFirefox: {
      // By itself it asks this machine without the proxy.
      'network.proxy.allow_hijacking_localhost': true,
      'ui.prefersReducedMotion': 1,
      'browser.download.folderList': 2,
      'browser.download.dir': downloads,
    },
  });
  return {
    close: () => browser.close(),
    async profile({ proxy, said }) {
      const context = await browser.createBrowserContext({ proxyServer: proxy });
      const page = await context.newPage();
      page.on('console', (message) =>
        said(`${message.type()}: ${message.text()} (${message.location().url})`),
      );
      page.on('pageerror', (error) => said(`uncaught: ${/** @type {Error} */ (error).stack}`));
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

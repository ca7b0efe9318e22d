/** Firefox, driven by puppeteer-core over WebDriver BiDi. */

import { readFile, readdir } from 'node:fs/promises';
import puppeteer from 'puppeteer-core';

const firefoxPath = process.env['FIREFOX'] ?? '/usr/bin/firefox-esr';

/** @type {import('./engines.mjs').Launch} */
export async function launchFirefox({ downloads, proxy }) {
  const [host, port] = proxy.split(':');
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefoxPath,
    defaultViewport: { width: 1280, height: 760 },
    extraPrefsFirefox: {
      // The proxy of a browser context (WebDriver BiDi) is ignored by Firefox 140, without a word.
      'network.proxy.type': 1,
      'network.proxy.http': host,
      'network.proxy.http_port': Number(port),
      'network.proxy.ssl': host,
      'network.proxy.ssl_port': Number(port),
      // By itself it asks this machine without the proxy.
      'network.proxy.allow_hijacking_localhost': true,
      'ui.prefersReducedMotion': 1,
      'browser.download.folderList': 2,
      'browser.download.dir': downloads,
    },
  });
  return {
    close: () => browser.close(),
    async profile({ said }) {
      const context = await browser.createBrowserContext();
      const newTab = async () => {
        const page = await context.newPage();
        page.on('console', (message) =>
          said(`${message.type()}: ${message.text()} (${message.location().url})`),
        );
        page.on('pageerror', (error) => said(`uncaught: ${/** @type {Error} */ (error).stack}`));
        return driverOf(page, newTab);
      };
      return { driver: await newTab(), close: () => context.close() };
    },
  };
}

/**
 * @param {import('puppeteer-core').Page} page
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
      for (const pid of await pagesOf(page.browser().process()?.pid ?? 0)) process.kill(pid, 'SIGKILL');
      return newTab();
    },
  };
}

/** Processes of a browser that hold pages. @param {number} browser its process */
async function pagesOf(browser) {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  const isPage = (/** @type {string} */ command) =>
    command.includes('-isForBrowser') && command.includes(`\0${browser}\0`);
  return pids.filter((_, at) => isPage(commands[at] ?? '')).map(Number);
}

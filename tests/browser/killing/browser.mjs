/**
 * Chromium over one profile that outlives it: its page can be killed, or all of it, and opened again. Playwright's own
 * launcher ends a browser in order, so this one is started as a group of processes, which a signal ends at once.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import playwright from '../../../www/node_modules/playwright-core/index.js';
import { chromiumArgs, chromiumPath, listen, ready } from '../harness.mjs';

/** @typedef {import('../harness.mjs').Page} Page */
/** @typedef {{ child: import('node:child_process').ChildProcess, browser: import('../harness.mjs').Browser }} Running */

/** Files by which a profile says that a browser has it; they outlive one that is killed. */
const locks = ['SingletonLock', 'SingletonCookie', 'SingletonSocket'];

export class KillableBrowser {
  #address;
  #said;
  #profile = '';
  /** @type {Running | null} */
  #running = null;
  /** @type {Page | null} */
  #page = null;

  /**
   * @param {string} address of the site
   * @param {(line: string) => void} said takes what pages say on the console
   */
  constructor(address, said) {
    this.#address = address;
    this.#said = said;
  }

  /** The page, with its library loaded: another one where it was killed. @returns {Promise<Page>} */
  async open() {
    this.#running ??= await this.#launch();
    const [context] = this.#running.browser.contexts();
    if (!context) throw new Error('the browser has no context');
    const page = await context.newPage();
    this.#page = page;
    listen(page, this.#said);
    await page.goto(this.#address);
    await ready(page);
    return page;
  }

  /** Kills the process of the page. */
  async killTab() {
    const page = this.#page;
    if (!page) throw new Error('no page is open');
    const session = await page.context().newCDPSession(page);
    const crashed = page.waitForEvent('crash');
    session.send('Page.crash').catch(() => {});
    await crashed;
    await page.close();
    this.#page = null;
  }

  /** Kills every process of the browser. */
  async killAll() {
    if (!this.#running) return;
    const { child, browser } = this.#running;
    this.#running = null;
    this.#page = null;
    const gone = once(child, 'exit');
    const group = -(child.pid ?? 0);
    process.kill(group, 'SIGKILL');
    await gone;
    // The process that holds the databases may go last, and a browser that is started meanwhile finds them locked. One that nobody
    // waits for stays in the list of processes, so this ends.
    for (let waits = 0; waits < 100 && isThere(group); waits += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await browser.close().catch(() => {});
    for (const file of locks) await rm(path.join(this.#profile, file), { force: true });
  }

  /** Ends the browser and deletes its profile. */
  async close() {
    await this.killAll();
    if (this.#profile) await rm(this.#profile, { recursive: true, force: true, maxRetries: 3 });
  }

  /** @returns {Promise<Running>} */
  async #launch() {
    this.#profile ||= await mkdtemp(path.join(tmpdir(), 'pincite-kill-'));
    const portFile = path.join(this.#profile, 'DevToolsActivePort');
    await rm(portFile, { force: true });
    const args = [...chromiumArgs, '--headless', `--user-data-dir=${this.#profile}`];
    const child = spawn(chromiumPath, [...args, '--remote-debugging-port=0', 'about:blank'], {
      detached: true,
      stdio: 'ignore',
    });
    let port = '';
    while (port === '') {
      if (child.exitCode !== null) throw new Error(`Chromium ended with status ${child.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
      const text = await readFile(portFile, 'utf8').catch(() => '');
      port = text.split('\n')[0] ?? '';
    }
    return { child, browser: await playwright.chromium.connectOverCDP(`http://127.0.0.1:${port}`) };
  }
}

/** True if a process of a group is left. @param {number} group its id, negative */
function isThere(group) {
  try {
    return process.kill(group, 0);
  } catch {
    return false;
  }
}

/**
 * Chromium over one profile that outlives it: its page can be killed, or all of it, and opened again. Playwright's own
 * launcher ends a browser in order, so this one is started as a group of processes, which a signal ends at once.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import playwright from '../../../www/node_modules/playwright-core/index.js';
import { chromiumArgs, chromiumPath, listen, ready } from '../harness.mjs';

/** @typedef {import('../harness.mjs').Page} Page */
/** @typedef {{ child: import('node:child_process').ChildProcess, browser: import('../harness.mjs').Browser }} Running */

/** Files by which a profile says that a browser has it; they outlive one that is killed. */
const locks = ['SingletonLock', 'SingletonCookie', 'SingletonSocket'];

/** Lines of Chromium about its databases. */
const ofDatabases = /indexed_?db|leveldb|corruption/i;
/** The line by which it throws a database away, with all that the site keeps in IndexedDB. */
const ofReset = /recovering from a corrupted/i;

/** Longest time that killed processes take to go, in milliseconds. */
const patience = 30_000;

export class KillableBrowser {
  #address;
  #said;
  #profile = '';
  /** @type {Running | null} */
  #running = null;
  /** @type {Page | null} */
  #page = null;
  /** @type {string[]} */
  #lines = [];
  #nResets = 0;

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

  /** Folder of what the browser keeps; empty before the first start. */
  get profile() {
    return this.#profile;
  }

  /** Lines of Chromium about its databases, of all its starts. */
  get lines() {
    return this.#lines;
  }

  /** Times that Chromium has said of itself that it threw a database away, since this was asked last. */
  async takeResets() {
    // A line that it wrote before it answered the page comes another way than the answer.
    await new Promise((resolve) => setImmediate(resolve));
    const n = this.#nResets;
    this.#nResets = 0;
    return n;
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
    await this.#end(({ child }) => process.kill(-(child.pid ?? 0), 'SIGKILL'));
  }

  /** Ends the browser in order: all that it has to write is written. */
  async quit() {
    await this.#end(async ({ browser }) => {
      const session = await browser.newBrowserCDPSession();
      await session.send('Browser.close');
    });
  }

  /** @param {(running: Running) => unknown} end */
  async #end(end) {
    if (!this.#running) return;
    const { child, browser } = this.#running;
    const gone = once(child, 'exit');
    await end(this.#running);
    this.#running = null;
    this.#page = null;
    await gone;
    // The process that holds the databases may go last, and a browser that is started meanwhile finds them locked.
    const group = child.pid ?? 0;
    const deadline = Date.now() + patience;
    for (let living = await livingOf(group); living.length > 0; living = await livingOf(group)) {
      if (Date.now() > deadline) throw new Error(`processes of the browser live on: ${living.join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
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
    const args = [
      ...chromiumArgs,
      '--headless',
      '--enable-logging=stderr',
      `--user-data-dir=${this.#profile}`,
    ];
    const child = spawn(chromiumPath, [...args, '--remote-debugging-port=0', 'about:blank'], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (!ofDatabases.test(line)) return;
      this.#lines.push(line);
      if (ofReset.test(line)) this.#nResets += 1;
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

/**
 * Processes of a group that are alive. One that has ended stays in the list of processes where nobody waits for it, and is none.
 * @param {number} group
 */
async function livingOf(group) {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = ids.map(async (id) => {
    const stat = await readFile(`/proc/${id}/stat`, 'latin1').catch(() => '');
    // Behind the name, which is in brackets and may hold anything.
    const [state = '', , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(itsGroup) === group && !'ZX'.includes(state) ? [id] : [];
  });
  return (await Promise.all(stats)).flat();
}

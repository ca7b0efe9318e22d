/**
 * Kills the browser and the tab at random moments of an ingest, and looks what is there afterwards. Whatever the page
 * listed before must be listed, whole and found again; nothing half may be.
 *
 *   node tests/bench/kill.mjs --site dist/site --samples target/samples --moments 50 --seed 1 [--vectors]
 *
 * Prints one line of JSON; exit status 1 when something was lost. CHROMIUM names another Chromium.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import playwright from '../../www/node_modules/playwright-core/index.js';
import { serve } from '../../www/serve.mjs';
import { chance } from '../browser/chance.mjs';
import { chromiumArgs, chromiumPath, drop, modelAddress, pdf, ready, snapshot } from '../browser/harness.mjs';

/** @typedef {import('../browser/harness.mjs').Page} Page */
/** @typedef {import('../browser/harness.mjs').PinciteWidget} PinciteWidget */

const { values } = parseArgs({
  options: {
    site: { type: 'string', default: 'dist/site' },
    samples: { type: 'string', default: 'target/samples' },
    moments: { type: 'string', default: '50' },
    seed: { type: 'string', default: '20261122' },
    vectors: { type: 'boolean', default: false },
  },
});
const nMoments = Number(values.moments);

const server = await serve(values.site, 0);
const profile = await mkdtemp(path.join(tmpdir(), 'pincite-kill-'));

/** Starts Chromium with the profile, as a group of processes that can be killed at once. */
async function launch() {
  await rm(path.join(profile, 'DevToolsActivePort'), { force: true });
  const child = spawn(
    chromiumPath,
    [...chromiumArgs, '--headless', `--user-data-dir=${profile}`, '--remote-debugging-port=0', 'about:blank'],
    { detached: true, stdio: 'ignore' },
  );
  let port = '';
  while (port === '') {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const text = await readFile(path.join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '');
    port = text.split('\n')[0] ?? '';
  }
  const browser = await playwright.chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const kill = async () => {
    const gone = once(child, 'exit');
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await gone;
    await browser.close().catch(() => {});
    // The lock of the profile names a process that is gone.
    for (const file of ['SingletonLock', 'SingletonCookie', 'SingletonSocket'])
      await rm(path.join(profile, file), { force: true });
  };
  const [context] = browser.contexts();
  if (!context) throw new Error('the browser has no context');
  if (!values.vectors) await context.route(modelAddress, (route) => route.fulfill({ status: 404 }));
  return { context, kill };
}

/** @param {Awaited<ReturnType<typeof launch>>} browser */
async function open({ context }) {
  const page = await context.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => customElements.get('pincite-widget') !== undefined);
  await ready(page);
  return page;
}

/** Waits until so many documents are listed. @param {Page} page @param {number} n */
function listed(page, n) {
  return page.waitForFunction(
    (n) =>
      /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).engine.snapshot.documents
        .length >= n,
    n,
    { timeout: 120_000 },
  );
}

/** Documents that are not as they were told to be. @param {Page} page @param {{ id: string, name: string }[]} told */
async function missing(page, told) {
  const { documents } = await snapshot(page);
  const lost = told.filter(
    ({ id, name }) => !documents.some((there) => there.id === id && there.name === name),
  );
  const broken = documents.filter(({ problem }) => problem !== null);
  const withoutFile = await page.evaluate(async () => {
    const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
    const names = [];
    for (const { id, name, bytes } of engine.snapshot.documents)
      if ((await engine.file(id))?.size !== bytes) names.push(name);
    return names;
  });
  const found = await page.evaluate(async () => {
    const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
    return (await engine.search('payment of the penalty', { vectors: 'none' })).hits.length;
  });
  const [notListed, notRead, noFile] = [lost, broken]
    .map((list) => list.map(({ name }) => name))
    .concat([withoutFile]);
  const isEmpty = documents.length > 0 && found === 0;
  return [...(notListed ?? []), ...(notRead ?? []), ...(noFile ?? []), ...(isEmpty ? ['search'] : [])];
}

/** The files of a moment: a long one of the samples is left out, since reading it hides the moments of storing. @param {number} moment */
function filesOf(moment) {
  const body = Array.from(
    { length: 40 },
    (_, line) =>
      `Section ${line + 1}. The payment of the penalty number ${moment} is due in ${line + 2} days.`,
  );
  // All of one name: the hardest case for what is told apart.
  return Array.from({ length: 8 }, (_, part) => pdf('deed.pdf', [`Deed ${moment} ${part}`, ...body]));
}

const next = chance(Number(values.seed));
let browser = await launch();
let page = await open(browser);
await drop(page, filesOf(0));
await listed(page, 8);
await page.close();
page = await open(browser);
// On a page that has just been opened, as at every moment.
const begin = performance.now();
await drop(page, filesOf(1));
await listed(page, 16);
const longest = performance.now() - begin;
/** @type {string[]} */
const lost = [];
const counts = { browser: 0, tab: 0, during: 0, told: 0 };
for (let moment = 2; moment < nMoments + 2; moment += 1) {
  const before = (await snapshot(page)).documents;
  await drop(page, filesOf(moment));
  await page.waitForTimeout(next() * longest);
  const { documents: told, jobs } = await snapshot(page);
  counts.told += told.length - before.length;
  if (jobs.length > 0) counts.during += 1;
  if (moment % 2 === 0) {
    counts.browser += 1;
    await browser.kill();
    browser = await launch();
  } else {
    counts.tab += 1;
    const session = await page.context().newCDPSession(page);
    const crashed = page.waitForEvent('crash');
    session.send('Page.crash').catch(() => {});
    await crashed;
    await page.close();
  }
  page = await open(browser);
  lost.push(...(await missing(page, told)).map((name) => `${moment}: ${name}`));
  // Few documents keep the next moments alike.
  if ((await snapshot(page)).documents.length > 20)
    await page.evaluate(() => {
      const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      return Promise.all(
        engine.snapshot.documents.slice(0, 16).map(({ id }) => engine.remove(id, { undoMs: 0 })),
      );
    });
}
await browser.kill();
await server.close();
await rm(profile, { recursive: true, force: true });
console.log(
  JSON.stringify({ moments: nMoments, seed: Number(values.seed), ms: Math.round(longest), ...counts, lost }),
);
process.exit(lost.length > 0 ? 1 : 0);

/**
 * Fresh apps that install the packed package, and what a person does in each of them: add a sample document, ask, open the
 * cited words. The console must stay empty, and the policy of the README hold, wherever the app can send one.
 */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import playwright from '../../www/node_modules/playwright-core/index.js';
import {
  chromiumArgs,
  chromiumPath,
  drop,
  embedded,
  inProfile,
  sample,
  samplesFolder,
  searchable,
  type,
} from '../browser/harness.mjs';
import { archive } from './archive.mjs';

/** @typedef {import('../browser/harness.mjs').Page} Page */

const run = promisify(execFile);
const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');

const readme = await readFile(path.join(root, 'README.md'), 'utf8');
/** The policy that the README says is enough. */
export const policy = /`(default-src 'none';[^`]+)`/.exec(readme)?.[1]?.replaceAll('\n', ' ') ?? '';
assert.match(policy, /trusted-types pincite$/);

/**
 * Makes an app of its own: an empty folder with a page, a sample document in `public/`, and the package installed from its
 * archive as `npm install` does it. It is gone after the test.
 * @param {{ script: string, element?: string, policies?: string }} parts what the page loads, the element, and the policies of
 *   Trusted Types that there may be
 * @param {(folder: string) => Promise<void>} body
 */
export async function inApp(
  { script, element = '<pincite-widget></pincite-widget>', policies = 'pincite' },
  body,
) {
  const folder = await mkdtemp(path.join(tmpdir(), 'pincite-portal-'));
  try {
    await writeFile(
      path.join(folder, 'package.json'),
      '{ "name": "portal", "private": true, "type": "module" }\n',
    );
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', archive], {
      cwd: folder,
    });
    await cp(path.join(here, 'apps'), folder, { recursive: true });
    await mkdir(path.join(folder, 'public'));
    await cp(path.join(samplesFolder, 'contract.pdf'), path.join(folder, 'public/contract.pdf'));
    const write = (/** @type {string} */ name, /** @type {string} */ script, element = '') =>
      writeFile(path.join(folder, name), page(policy.replace(/pincite$/, policies), script, element));
    await write('index.html', script, element);
    for (const name of ['modules', 'worker-vite', 'worker-webpack'])
      await write(`${name}.html`, script.replace('main.js', `${name}.js`));
    await body(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @param {string} policy @param {string} script @param {string} element */
const page = (policy, script, element) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Portal</title>
<link rel="icon" href="data:,">
${script}
</head>
<body>${element}</body>
</html>
`;

/** @type {import('../browser/harness.mjs').Browser | null} */
let browser = null;

export async function startBrowser() {
  browser = await playwright.chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
}

export async function stopBrowser() {
  await browser?.close();
}

/**
 * Opens a page in a profile of its own; the console must stay empty.
 * @param {string} address @param {(page: Page) => Promise<void>} body
 * @param {{ provoked?: RegExp }} [options] what the app's own tools say
 */
export async function withApp(address, body, { provoked = /(?!)/ } = {}) {
  assert.ok(browser, 'startBrowser() has not been called');
  await inProfile(
    browser,
    async (page) => {
      await page.goto(address);
      await body(page);
    },
    { viewport: { width: 1280, height: 760 }, isLeftOut: (text) => provoked.test(text) },
  );
}

/** Adds a document, waits for its vectors, asks, and opens the first citation in the viewer. @param {Page} page */
export async function mainJob(page) {
  await page.waitForFunction(() => customElements.get('pincite-widget') !== undefined);
  await drop(page, [await sample('contract.pdf')]);
  await searchable(page, 1);
  await embedded(page);
  await type(page, 'What is the cap on liability?');
  await page.locator('button.citation').first().click();
  await page.locator('.page-view canvas').first().waitFor();
  await page.locator('.light').first().waitFor({ state: 'attached' });
}

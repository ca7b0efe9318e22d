/**
 * Runs the browser tests against a built site.
 *
 *   node tests/browser/run.mjs --site dist/site --samples target/samples [--only job] [--jobs 2]
 *
 * HEADLESS_SHELL names Chromium's headless shell, in which most tests run; without it all run in Chromium. CHROMIUM names another
 * Chromium, PINCITE the native command that the page is compared with.
 *
 * Files whose tests failed run once more (`steady.mjs`).
 */

import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import playwright from '../../www/node_modules/playwright-core/index.js';
import { shellArgs, shellPath } from './harness.mjs';
import { allPass } from './steady.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    site: { type: 'string', default: path.join(here, '../../dist/site') },
    samples: { type: 'string', default: path.join(here, '../../target/samples') },
    only: { type: 'string', default: '' },
    jobs: { type: 'string' },
  },
});
const needed = [path.join(values.site, 'index.html'), path.join(values.samples, 'samples.json')];
for (const file of needed) {
  if (!existsSync(file)) {
    console.error(`${file} is not there; build the site and the samples first`);
    process.exit(2);
  }
}
/** Files that take longest, which begin first: one that began last would run alone. The others follow by name. */
const longest = [
  'accessibility',
  'nothing-lost',
  'killing',
  'library',
  'offline',
  'remote-library',
  'remote-hostile',
  'job',
  'lab',
  'library-file',
  'evidence',
  'viewer',
].map((name) => `${name}.test.mjs`);
const named = readdirSync(here)
  .filter((file) => file.endsWith('.test.mjs') && file.includes(values.only))
  .sort();
const files = [
  ...longest.filter((file) => named.includes(file)),
  ...named.filter((file) => !longest.includes(file)),
];
const command = process.env['PINCITE'];
// One browser for all files, each test in a context of its own; one file more at a time than there are cores, since a page that
// waits for its worker, for a server or for a timer leaves its core to the others.
const browser = await playwright.chromium.launchServer({ executablePath: shellPath, args: shellArgs });
const concurrency = Math.min(4, availableParallelism() + 1);

Object.assign(process.env, {
  PINCITE_BROWSER: browser.wsEndpoint(),
  PINCITE_SITE: path.resolve(values.site),
  PINCITE_SAMPLES: path.resolve(values.samples),
  ...(command ? { PINCITE: path.resolve(command) } : {}),
});

const jobs = values.jobs === undefined ? concurrency : Number(values.jobs);
const isPassed = await allPass(
  files.map((name) => path.join(here, name)),
  jobs,
);
await browser.close();
process.exit(isPassed ? 0 : 1);

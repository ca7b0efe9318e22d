/**
 * Runs the browser tests against a built site.
 *
 *   node tests/browser/run.mjs --site dist/site --samples target/samples [--only job] [--jobs 2]
 *
 * HEADLESS_SHELL names Chromium's headless shell, in which most tests run; without it all run in Chromium. CHROMIUM names another
 * Chromium, PINCITE the native command that the page is compared with.
 *
 * Up to six files whose tests failed run once more, one at a time. A file that passes then is named as unsteady: its test depends on
 * what else the machine does, and is to be mended, but says nothing against the change that was tested.
 */

import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import playwright from '../../www/node_modules/playwright-core/index.js';
import { chromiumArgs, shellPath } from './harness.mjs';

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
const browser = await playwright.chromium.launchServer({ executablePath: shellPath, args: chromiumArgs });
const concurrency = Math.min(4, availableParallelism() + 1);
/** Most files that are run once more. */
const mostAgain = 6;

Object.assign(process.env, {
  PINCITE_BROWSER: browser.wsEndpoint(),
  PINCITE_SITE: path.resolve(values.site),
  PINCITE_SAMPLES: path.resolve(values.samples),
  ...(command ? { PINCITE: path.resolve(command) } : {}),
});

/** Runs test files in the order given, which the command line of `node --test` does not keep. @param {string[]} names @param {number} concurrency files at once @returns {Promise<string[]>} names of those that failed; of what failed in no file, its own */
async function failing(names, concurrency) {
  /** @type {Set<string>} */
  const failed = new Set();
  const events = run({ files: names.map((name) => path.join(here, name)), concurrency });
  events.on('test:fail', ({ file, name }) => failed.add(path.basename(file ?? name)));
  const report = events.compose(new spec());
  report.pipe(process.stdout, { end: false });
  await once(report, 'end');
  return [...failed];
}

let failed = await failing(files, values.jobs === undefined ? concurrency : Number(values.jobs));
if (failed.length > 0 && failed.length <= mostAgain && failed.every((name) => files.includes(name))) {
  console.log(`\nOnce more, one at a time: ${failed.join(', ')}`);
  const again = await failing(failed, 1);
  const unsteady = failed.filter((name) => !again.includes(name));
  if (unsteady.length > 0) console.log(`\nUNSTEADY, failed at first and passed then: ${unsteady.join(', ')}`);
  failed = again;
}
await browser.close();
process.exit(failed.length > 0 ? 1 : 0);

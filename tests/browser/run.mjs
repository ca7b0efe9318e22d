/**
 * Runs the browser tests against a built site.
 *
 *   node tests/browser/run.mjs --site dist/site --samples target/samples [--only job] [--jobs 2]
 *
 * CHROMIUM names another Chromium, PINCITE the native command that the page is compared with.
 *
 * Up to six files whose tests failed run once more, one at a time. A file that passes then is named as unsteady: its test depends on
 * what else the machine does, and is to be mended, but says nothing against the change that was tested.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import playwright from '../../www/node_modules/playwright-core/index.js';
import { chromiumArgs, chromiumPath } from './harness.mjs';

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
const files = readdirSync(here)
  .filter((file) => file.endsWith('.test.mjs') && file.includes(values.only))
  .sort();
const command = process.env['PINCITE'];
// One browser for all files, each test in a context of its own; one file more at a time than there are cores, since a page that
// waits for its worker, for a server or for a timer leaves its core to the others.
const browser = await playwright.chromium.launchServer({ executablePath: chromiumPath, args: chromiumArgs });
const concurrency = Math.min(4, availableParallelism() + 1);
/** Most files that are run once more. */
const mostAgain = 6;
const scratch = mkdtempSync(path.join(tmpdir(), 'pincite-page-tests-'));
const failedList = path.join(scratch, 'failed');

/** Runs test files. @param {string[]} names @param {string | number} atOnce files @returns {Promise<{ status: number, failed: string[] }>} */
async function run(names, atOnce) {
  const tests = spawn(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${atOnce}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      `--test-reporter=${path.join(here, 'failed-files.mjs')}`,
      `--test-reporter-destination=${failedList}`,
      ...names.map((name) => path.join(here, name)),
    ],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        PINCITE_BROWSER: browser.wsEndpoint(),
        PINCITE_SITE: path.resolve(values.site),
        PINCITE_SAMPLES: path.resolve(values.samples),
        ...(command ? { PINCITE: path.resolve(command) } : {}),
      },
    },
  );
  const [status] = await once(tests, 'exit');
  const failed = new Set(readFileSync(failedList, 'utf8').split('\n').filter(Boolean));
  return { status: status ?? 1, failed: names.filter((name) => failed.has(name)) };
}

const first = await run(files, values.jobs ?? concurrency);
let { status } = first;
if (status !== 0 && first.failed.length > 0 && first.failed.length <= mostAgain) {
  console.log(`\nOnce more, one at a time: ${first.failed.join(', ')}`);
  const again = await run(first.failed, 1);
  ({ status } = again);
  const unsteady = first.failed.filter((name) => !again.failed.includes(name));
  if (unsteady.length > 0) console.log(`\nUNSTEADY, failed at first and passed then: ${unsteady.join(', ')}`);
}
await browser.close();
rmSync(scratch, { recursive: true });
process.exit(status);

/**
 * Runs the browser tests against a built site.
 *
 *   node tests/browser/run.mjs --site dist/site --samples target/samples [--only job] [--jobs 2]
 *
 * CHROMIUM names another Chromium, PINCITE the native command that the page is compared with.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
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
// One browser for all files, each test in a context of its own; as many files at a time as there are cores, since a page
// that waits for its worker leaves one to the others.
const browser = await playwright.chromium.launchServer({ executablePath: chromiumPath, args: chromiumArgs });
const concurrency = Math.max(1, Math.min(4, availableParallelism()));
const tests = spawn(
  process.execPath,
  [
    '--test',
    `--test-concurrency=${values.jobs ?? concurrency}`,
    '--test-reporter=spec',
    ...files.map((file) => path.join(here, file)),
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
await browser.close();
process.exit(status ?? 1);

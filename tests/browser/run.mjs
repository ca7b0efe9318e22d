/**
 * Runs the browser tests against a built site.
 *
 *   node tests/browser/run.mjs --site dist/site --samples target/samples [--only job]
 *
 * CHROMIUM names another Chromium, PINCITE the native command that the page is compared with. UPDATE_SCREENSHOT=1 writes `www/screenshot.png` for the README.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    site: { type: 'string', default: path.join(here, '../../dist/site') },
    samples: { type: 'string', default: path.join(here, '../../target/samples') },
    only: { type: 'string', default: '' },
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
const { status } = spawnSync(
  process.execPath,
  ['--test', '--test-concurrency=1', '--test-reporter=spec', ...files.map((file) => path.join(here, file))],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      PINCITE_SITE: path.resolve(values.site),
      PINCITE_SAMPLES: path.resolve(values.samples),
      ...(command ? { PINCITE: path.resolve(command) } : {}),
    },
  },
);
process.exit(status ?? 1);

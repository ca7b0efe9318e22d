/**
 * Runs the tests in three engines against a built site: all of a file in one process, two files at a time.
 *
 *   node tests/engines/run.mjs [--only file] [--engines Firefox,WebKit]
 *
 * FIREFOX, CHROMIUM and MINIBROWSER name other browsers. PINCITE_SITE and PINCITE_SAMPLES name other folders of the site
 * and the samples.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { samplesFolder, singleFile, siteFolder } from '../browser/harness.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, engines: { type: 'string' } },
});
const needed = [path.join(siteFolder, 'index.html'), singleFile, path.join(samplesFolder, 'samples.json')];
for (const file of needed.filter((file) => !existsSync(file))) {
  console.error(`${file} is not there; build the site and the samples first`);
  process.exit(2);
}
const files = readdirSync(here).filter((file) => file.endsWith('.test.mjs') && file.includes(values.only));
const tests = spawn(
  process.execPath,
  [
    '--test',
    '--test-concurrency=2',
    '--test-reporter=spec',
    ...files.sort().map((file) => path.join(here, file)),
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      PINCITE_SITE: path.resolve(siteFolder),
      PINCITE_SAMPLES: path.resolve(samplesFolder),
      ...(values.engines ? { ENGINES: values.engines } : {}),
    },
  },
);
const [status] = await once(tests, 'exit');
process.exit(status ?? 1);

/**
 * Runs the tests in three engines against a built site: all of a file in one process, two files at a time. Files whose tests
 * failed run once more (`../browser/steady.mjs`).
 *
 *   node tests/engines/run.mjs [--only file] [--engines Firefox,WebKit]
 *
 * FIREFOX, CHROMIUM and MINIBROWSER name other browsers. PINCITE_SITE and PINCITE_SAMPLES name other folders of the site
 * and the samples.
 */

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { samplesFolder, singleFile, siteFolder } from '../browser/harness.mjs';
import { allPass } from '../browser/steady.mjs';

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
Object.assign(process.env, {
  PINCITE_SITE: path.resolve(siteFolder),
  PINCITE_SAMPLES: path.resolve(samplesFolder),
  ...(values.engines ? { ENGINES: values.engines } : {}),
});
const isPassed = await allPass(
  files.sort().map((file) => path.join(here, file)),
  2,
);
process.exit(isPassed ? 0 : 1);

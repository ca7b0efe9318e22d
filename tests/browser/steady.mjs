/**
 * Runs test files that drive browsers, those that failed once more: a browser fails now and then for what else the machine does.
 */

import { once } from 'node:events';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

/** Most files that are run once more. */
const mostAgain = 6;

/**
 * Runs files, and up to six that failed once more, one at a time. One that passes then is named as unsteady: its test depends on
 * what else the machine does, and is to be mended, but says nothing against the change that was tested.
 * @param {string[]} files begun in this order, which the command line of `node --test` does not keep
 * @param {number} concurrency files at once
 * @returns {Promise<boolean>} true if all passed, at last
 */
export async function allPass(files, concurrency) {
  let failed = await failing(files, concurrency);
  if (failed.length > 0 && failed.length <= mostAgain) {
    console.log(`\nOnce more, one at a time: ${named(failed)}`);
    const again = await failing(failed, 1);
    const unsteady = failed.filter((file) => !again.includes(file));
    if (unsteady.length > 0) console.log(`\nUNSTEADY, failed at first and passed then: ${named(unsteady)}`);
    failed = again;
  }
  return failed.length === 0;
}

/** @param {string[]} files */
const named = (files) => files.map((file) => path.basename(file)).join(', ');

/** @param {string[]} files @param {number} concurrency @returns {Promise<string[]>} those that failed */
async function failing(files, concurrency) {
  /** @type {Set<string>} */
  const failed = new Set();
  const events = run({ files, concurrency });
  let isAnyFailed = false;
  events.on('test:fail', () => (isAnyFailed = true));
  // A test's `file` is where it is declared, which may be a harness. A file is a test too, named by its path.
  events.on('test:complete', ({ name, nesting, details }) => {
    const file = path.resolve(name);
    if (nesting === 0 && !details.passed && files.includes(file)) failed.add(file);
  });
  const report = events.compose(new spec());
  report.pipe(process.stdout, { end: false });
  await once(report, 'end');
  // What failed in no file that is known counts as all of them.
  return isAnyFailed && failed.size === 0 ? files : [...failed];
}

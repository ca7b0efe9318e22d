/**
 * Tasks of the worker that owns the library, for long documents: milliseconds of each call into the engine, the longest
 * of several rounds. While one runs nobody else is answered, so each should take at most 50 ms. Prints a table on
 * stderr and JSON on stdout.
 *
 *   node tests/bench/owner.mjs [--pkg target/wasm-pkg] [--rounds 3] FILE...
 *
 * Long documents to try: `samples OUT --long 500 --long 5000` of `pincite-tests` writes PDFs of so many pages, `limits
 * --write OUT` a Word file of a paragraph of a million words and one of a table of 140,000 rows.
 */

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openPages } from './pages.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pkg: { type: 'string', default: path.join(root, 'target/wasm-pkg') },
    rounds: { type: 'string', default: '3' },
  },
});

/** @type {Record<string, Record<string, number>>} */
const documents = {};
for (const file of positionals) {
  const pages = await openPages({ engine: values.pkg, files: path.dirname(file) });
  const { stored, nSteps, tasks } = await pages.call('owner-page.mjs', 'owner', [
    `/files/${path.basename(file)}`,
    Number(values.rounds),
  ]);
  await pages.close();
  const cells = Object.entries(tasks).map(([task, ms]) => `${task} ${Number(ms).toFixed(1)}`);
  console.error(
    `${path.basename(file)}, ${(stored / 2 ** 20).toFixed(1)} MiB stored, ${nSteps.toFixed(0)} steps: ${cells.join(', ')}`,
  );
  documents[path.basename(file)] = tasks;
}
console.log(JSON.stringify(documents));

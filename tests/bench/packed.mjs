/**
 * Opening a packed library of 10⁴ passages: from the call until all of it can be searched and is stored, in a fresh profile;
 * as the page opens, when workers load the encoder on the same cores, and in a page that has come to rest. Prints a row a run
 * on stderr, which `packed.txt` keeps, and JSON on stdout.
 *
 *   node tests/bench/packed.mjs --pincite target/debug/pincite [--site dist/site] [--library FILE] [--runs 3]
 *
 * Without --library one is packed of 285 copies of the three sample PDFs, made other files by a comment at the end of each:
 * 9,975 passages with their vectors, which takes two minutes on two cores.
 */

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import playwright from '../../www/node_modules/playwright-core/index.js';
import { serve } from '../../www/serve.mjs';
import { chromiumArgs, chromiumPath } from '../browser/harness.mjs';

/** @typedef {import('../../www/widget/pincite-widget.js').PinciteWidget} PinciteWidget */

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    site: { type: 'string', default: path.join(root, 'dist/site') },
    samples: { type: 'string', default: path.join(root, 'target/samples') },
    pincite: { type: 'string', default: path.join(root, 'target/debug/pincite') },
    library: { type: 'string' },
    runs: { type: 'string', default: '3' },
  },
});
const nCopies = 285;

/** A packed library of copies of the samples. @param {string} folder where it is made */
async function packed(folder) {
  const files = path.join(folder, 'files');
  const library = path.join(folder, 'library.pincite');
  const samples = ['contract.pdf', 'opinion.pdf', 'rulebook.pdf'];
  const contents = await Promise.all(samples.map((name) => readFile(path.join(values.samples, name))));
  await mkdir(files);
  for (let copy = 0; copy < nCopies; copy += 1) {
    const content = contents[copy % contents.length] ?? Buffer.alloc(0);
    const comment = `\n% copy ${String(copy).padStart(3, '0')}\n`;
    await writeFile(path.join(files, `${copy}.pdf`), Buffer.concat([content, Buffer.from(comment)]));
  }
  await promisify(execFile)(values.pincite, ['pack', files, '--out', library], { cwd: root });
  return library;
}

const folder = await mkdtemp(path.join(tmpdir(), 'pincite-packed-'));
const library = await readFile(values.library ?? (await packed(folder)));
const { url, close } = await serve(path.resolve(values.site), 0);
const browser = await playwright.chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, Chromium ${browser.version()}`;
console.error(`node tests/bench/packed.mjs, ${new Date().toISOString().slice(0, 10)}\n${machine}\n`);
const rows = [];
for (let run = 0; run < 2 * Number(values.runs); run += 1) {
  const isAtRest = run % 2 === 1;
  const context = await browser.newContext();
  const page = await context.newPage();
  await context.route('**/library.pincite', (route) => route.fulfill({ body: library }));
  await page.goto(url);
  const row = await page.evaluate(async (isAtRest) => {
    await customElements.whenDefined('pincite-widget');
    const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
    await widget.engine.opened;
    const blob = await (await fetch('library.pincite')).blob();
    if (isAtRest) await new Promise((resolve) => setTimeout(resolve, 3_000));
    const begin = performance.now();
    const documents = await widget.addLibrary(new File([blob], 'library.pincite'));
    const seconds = (performance.now() - begin) / 1000;
    const passages = documents.reduce((sum, { nEmbedded }) => sum + nEmbedded, 0);
    return { documents: documents.length, passages, megabytes: blob.size / 1e6, seconds };
  }, isAtRest);
  console.error(
    `${row.documents} documents, ${row.passages} passages, ${row.megabytes.toFixed(1)} MB, ${isAtRest ? 'at rest' : 'as the page opens'}: ${row.seconds.toFixed(2)} s`,
  );
  rows.push({ ...row, isAtRest });
  await context.close();
}
await browser.close();
await close();
await rm(folder, { recursive: true });
console.log(JSON.stringify(rows, null, 1));

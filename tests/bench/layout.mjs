/**
 * Reading speed in the browser: the engine's layout (text, blocks, sections, notes), and its whole way to a
 * segment (chunks and index too), beside pdf.js's `getTextContent` alone, file by file in one Chromium, and what
 * the engine's memory grows by. Prints a table on stderr and JSON on stdout.
 *
 *   node tests/bench/layout.mjs [--pkg target/wasm-pkg] [--pdfs FOLDER] [--rounds 3]
 *
 * Without --pdfs it takes `../shared/pdf/corpus/legal-dev`, or, where that is not at hand, the samples. Then two
 * documents of our own, of 500 and 5,000 pages, where `samples --long 500 --long 5000` has written them: their
 * time a page must be nearly the same. Each file gets an instance of the engine of its own, so that growth of
 * memory is that file's; the engine has no model here. pdf.js runs in its worker, the engine in the page.
 */

import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openPages } from './pages.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    pkg: { type: 'string', default: path.join(root, 'target/wasm-pkg') },
    pdfs: { type: 'string', default: path.join(root, '../shared/pdf/corpus/legal-dev') },
    long: { type: 'string', default: path.join(root, 'target/samples') },
    rounds: { type: 'string', default: '3' },
  },
});
let folder = values.pdfs;
if (!existsSync(folder)) {
  folder = path.join(root, 'target/samples');
  console.error(`${values.pdfs} is not there; measuring with the samples in ${folder}`);
}

const pages = await openPages({
  engine: values.pkg,
  pdfjs: path.join(root, 'www/node_modules/pdfjs-dist'),
  pdf: folder,
  long: values.long,
});
const page = await pages.open();

/** @typedef {{ file: string, bytes: number, pages: number, layout: number, engine: number, grown: number, pdfjs: number | null }} Row */

/**
 * One file through both.
 * @param {string} url @param {number} n a number that no call had before @param {boolean} withPdfjs
 * @returns {Promise<Row>}
 */
function measure(url, n, withPdfjs) {
  return page.evaluate(
    async ({ url, n, withPdfjs }) => {
      const bench = /** @type {any} */ (globalThis);
      bench.module ??= await WebAssembly.compileStreaming(fetch('/engine/pincite_ingest_bg.wasm'));
      const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
      const size = bytes.length;
      const glue = await import(`/engine/pincite_ingest.js?${n}`);
      const { memory } = await glue.default({ module_or_path: bench.module });
      const parser = new glue.Parser();
      const before = memory.buffer.byteLength;
      let begin = performance.now();
      let layout = 0;
      const { info } = parser.parse(bytes, 'bench.pdf', undefined, (/** @type {string} */ stage) => {
        if (stage === 'layout') layout = performance.now() - begin; // its last report comes when it is done
      });
      const engine = performance.now() - begin;
      const grown = memory.buffer.byteLength - before;
      parser.free();
      let pdfjs = null;
      if (withPdfjs) {
        const at = '/pdfjs/legacy/build/pdf.mjs'; // of this server, not of a package
        const library = await import(at);
        library.GlobalWorkerOptions.workerSrc = '/pdfjs/legacy/build/pdf.worker.mjs';
        const document = await library.getDocument({
          data: bytes,
          cMapUrl: '/pdfjs/cmaps/',
          standardFontDataUrl: '/pdfjs/standard_fonts/',
          verbosity: 0,
        }).promise;
        const pages = [];
        for (let at = 1; at <= document.numPages; at += 1) pages.push(await document.getPage(at));
        begin = performance.now();
        for (const one of pages) await one.getTextContent();
        pdfjs = performance.now() - begin;
        await document.loadingTask.destroy();
      }
      return { file: url, bytes: size, pages: info.nPages, layout, engine, grown, pdfjs };
    },
    { url, n, withPdfjs },
  );
}

const files = (await readdir(folder)).filter((name) => name.endsWith('.pdf')).sort();
let n = 0;
await measure(`/pdf/${files[0]}`, n, true); // warms up both
/** @type {{ layout: number, whole: number }[]} */
const rounds = [];
/** @type {Row[]} */
let rows = [];
for (let round = 0; round < Number(values.rounds); round += 1) {
  rows = [];
  for (const file of files) rows.push(await measure(`/pdf/${encodeURIComponent(file)}`, (n += 1), true));
  const sum = (/** @type {(row: Row) => number} */ of) => rows.reduce((total, row) => total + of(row), 0);
  const pages = sum((row) => row.pages);
  const [layout, engine, pdfjs] = [
    sum((row) => row.layout),
    sum((row) => row.engine),
    sum((row) => row.pdfjs ?? 0),
  ];
  rounds.push({ layout: pdfjs / layout, whole: pdfjs / engine });
  const speed = (/** @type {number} */ ms) => `${((pages / ms) * 1000).toFixed(0)} pages/s`;
  console.error(
    `round ${round + 1}: ${pages} pages; pdf.js getTextContent ${speed(pdfjs)}; layout ${speed(layout)}, ` +
      `${(pdfjs / layout).toFixed(2)} times; to a segment ${speed(engine)}, ${(pdfjs / engine).toFixed(2)} times`,
  );
}
console.error(
  `\n${'file'.padEnd(34)} ${'kB'.padStart(8)} ${'pages'.padStart(6)} ${'layout ms'.padStart(10)} ${'whole ms'.padStart(10)} ${'pdf.js ms'.padStart(10)} ${'grown MiB'.padStart(10)} ${'allowed'.padStart(8)}`,
);
const MIB = 1 << 20;
for (const row of rows) {
  const allowed = Math.max(64, (4 * row.bytes) / MIB);
  console.error(
    [
      row.file.slice(5).padEnd(34),
      (row.bytes / 1000).toFixed(0).padStart(8),
      String(row.pages).padStart(6),
      row.layout.toFixed(1).padStart(10),
      row.engine.toFixed(1).padStart(10),
      (row.pdfjs ?? 0).toFixed(1).padStart(10),
      (row.grown / MIB).toFixed(1).padStart(10),
      allowed.toFixed(0).padStart(8),
      row.grown / MIB > allowed ? ' over' : '',
    ].join(' '),
  );
}
/** @type {Row[]} */
const long = [];
for (const name of ['long-500.pdf', 'long-5000.pdf']) {
  const file = path.join(values.long, name);
  if (!existsSync(file) || !(await stat(file)).isFile()) continue;
  let best = await measure(`/long/${name}`, (n += 1), false);
  for (let again = 0; again < 2; again += 1) {
    const next = await measure(`/long/${name}`, (n += 1), false);
    if (next.engine < best.engine) best = next;
  }
  long.push(best);
  console.error(
    `${name}: ${best.pages} pages, ${(best.engine / best.pages).toFixed(3)} ms a page, grown ${(best.grown / MIB).toFixed(1)} MiB of ${Math.max(64, (4 * best.bytes) / MIB).toFixed(0)}`,
  );
}
const [short, tall] = long;
const growth = short && tall ? tall.engine / tall.pages / (short.engine / short.pages) : null;
if (growth !== null)
  console.error(`a page of the long one takes ${growth.toFixed(2)} times that of the short one`);
console.log(JSON.stringify({ rounds, rows, long, growth }));
await pages.close();

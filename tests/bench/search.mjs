/**
 * Cost of a search in the browser, by the size of the library: milliseconds of each step, building, loading,
 * bytes, beside MiniSearch and Orama with the same passages and questions. Prints a table on stderr and JSON on
 * stdout.
 *
 *   node tests/bench/search.mjs [--pkg target/wasm-pkg] [--books target/samples/books] [--sizes 1000,10000,100000,300000]
 *     [--plot dist/search.svg]
 *
 * The library is of generated rulebooks (`samples --books 330`), read from their PDFs by the engine; the others get
 * the texts of its passages (the engine also indexes articles whole, and places every word on its page, which
 * they cannot). Vectors are seeded random numbers near a hundred centres, so that a size takes seconds to build
 * and not hours; the questions are embedded by the real model, apart. MiniSearch and Orama have their default
 * settings; so they look function words up, which the engine leaves out: questions without such words are asked
 * too. Orama searches without vectors. Above `--others` passages the engine is measured alone. Everything runs in one thread of one page, a new page for each engine and
 * size, cross-origin isolated for a clock of 5 µs.
 */

import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openPages } from './pages.mjs';
import { plotted } from './plot.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = path.join(root, 'tests/bench');
const { values } = parseArgs({
  options: {
    pkg: { type: 'string', default: path.join(root, 'target/wasm-pkg') },
    books: { type: 'string', default: path.join(root, 'target/samples/books') },
    model: { type: 'string', default: path.join(root, 'models/build') },
    sizes: { type: 'string', default: '1000,10000,100000,300000' },
    others: { type: 'string', default: '100000' },
    plot: { type: 'string' },
    questions: { type: 'string', default: '200' },
  },
});

const pages = await openPages({
  engine: values.pkg,
  books: values.books,
  model: values.model,
  www: path.join(root, 'www'),
  minisearch: path.join(here, 'node_modules/minisearch/dist/es'),
  orama: path.join(here, 'node_modules/@orama/orama/dist/browser'),
});
/** @param {'engine' | 'minisearch' | 'orama'} name @param {unknown[]} given */
const inPage = (name, given) => pages.call('search-page.mjs', name, given);

const books = (await readdir(values.books))
  .filter((name) => name.endsWith('.pdf'))
  .sort()
  .map((name) => `/books/${name}`);
const { machine } = pages;
console.error(machine);

/** @typedef {{ p50: number, p95: number }} Spread */
/** @param {string} name @param {string[]} cells */
const line = (name, cells) =>
  console.error(`${name.padEnd(26)}${cells.map((cell) => cell.padStart(17)).join('')}`);
/** @param {number} ms */
const ms = (ms) => (ms < 10 ? ms.toFixed(2) : ms.toFixed(1));
/** @param {Spread} spread */
const both = ({ p50, p95 }) => `${ms(p50)} / ${ms(p95)}`;
/** @param {number} value */
const seconds = (value) => `${(value / 1000).toFixed(2)} s`;
/** @type {any[]} */
const rows = [];
for (const size of values.sizes.split(',').map(Number)) {
  const began = performance.now();
  const progress = (/** @type {string} */ what) =>
    console.error(`${size}: ${what} measured after ${Math.round((performance.now() - began) / 1000)} s`);
  const isAlone = size > Number(values.others);
  const {
    report: engine,
    texts,
    questions,
  } = await inPage('engine', [{ size, books, nQuestions: Number(values.questions), isAlone }]);
  if (engine.nPassages < size)
    console.error(`only ${engine.nPassages} passages of ${size}: more books are needed in ${values.books}`);
  progress('the engine');
  /** @type {any[]} */
  const others = [];
  for (const name of isAlone ? [] : /** @type {const} */ (['minisearch', 'orama'])) {
    others.push(await inPage(name, [texts, questions]));
    progress(name);
  }
  rows.push({ size, engine, others });

  const { built, bytes, latency, nPassages } = engine;
  const each = (/** @type {number} */ nBytes) => (nBytes / nPassages).toFixed(0);
  console.error(`\n${nPassages} passages of ${engine.nDocuments} documents, ${engine.nPages} pages`);
  /** @param {string} name @param {(report: any) => string} cell @param {any} [own] what the engine has of it */
  const row = (name, cell, own = engine) => line(name, [cell(own), ...others.map(cell)]);
  line('ms a question, p50 / p95', ['engine', ...(isAlone ? [] : ['MiniSearch', 'Orama'])]);
  row('words', ({ latency }) => both(latency.words));
  row('  function words left out', ({ latency }) => both(latency.content));
  line('words and vectors', [both(latency.both)]);
  for (const step of ['analysis', 'lexical', 'dense', 'ranking', 'placing', 'crossing'])
    line(`  ${step}`, [both(latency[step])]);
  line('embedding the question', [both(latency.embedding)]);
  if (engine.hasRelaxed) line('  without relaxed SIMD', [both(latency.exactly)]);
  row('build', ({ build }) => seconds(build), { build: built.indexing + built.adding });
  line('  before: PDF to passages', [seconds(built.reading)]);
  line('  after: vectors put in', [seconds(built.vectors)]);
  row('load', ({ load }) => seconds(load));
  const all = Object.values(bytes).reduce((sum, section) => sum + Number(section), 0);
  row('bytes a passage', ({ nBytes }) => each(nBytes), { nBytes: all });
  for (const [section, nBytes] of Object.entries(bytes)) line(`  ${section}`, [each(Number(nBytes))]);
  line('memory a passage, opened', [each(engine.memory.opened)]);
  line('  where it was filled', [each(engine.memory.filled)]);
}
console.log(JSON.stringify({ machine, rows }, null, 2));
if (values.plot) {
  const points = (/** @type {(report: any) => number} */ of) =>
    rows.map(({ engine }) => /** @type {[number, number]} */ ([engine.nPassages, of(engine)]));
  await writeFile(
    values.plot,
    plotted('Passages in the library', [
      {
        title: 'Reading and indexing, s',
        curves: {
          'PDF to passages': points(({ built }) => built.reading / 1000),
          index: points(({ built }) => (built.indexing + built.adding + built.vectors) / 1000),
        },
      },
      { title: 'Load, s', curves: { load: points(({ load }) => load / 1000) } },
      {
        title: 'A question, ms (median)',
        curves: {
          words: points(({ latency }) => latency.words.p50),
          'words and vectors': points(({ latency }) => latency.both.p50),
          'its vector': points(({ latency }) => latency.embedding.p50),
        },
      },
      { title: 'Memory, MB', curves: { memory: points(({ memory }) => memory.opened / 1e6) } },
    ]),
  );
}
await pages.close();

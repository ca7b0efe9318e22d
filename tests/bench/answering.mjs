/**
 * Cost of our part of an answer in the browser, step by step, at a size of the library: the search for a question or
 * a rewrite, reading each reply of a model and writing the next request, pinning the answer. Milliseconds, without the
 * embedding of questions and without the model. Prints a table on stderr and JSON on stdout.
 *
 *   node tests/bench/answering.mjs [--pkg target/wasm-pkg] [--books target/samples/books] [--size 10000] [--questions 60]
 *
 * The library is of generated rulebooks with the vectors of `search.mjs`. The model is scripted: it rewrites by
 * adding words, keeps every second passage, quotes the first sentence of each, answers with a quotation from each and
 * finds the answer wanting once, so that every step runs, some of them twice. In the product each step is one message
 * to the worker of the page, so the longest is what a click may wait for.
 */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openPages } from './pages.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    pkg: { type: 'string', default: path.join(root, 'target/wasm-pkg') },
    books: { type: 'string', default: path.join(root, 'target/samples/books') },
    size: { type: 'string', default: '10000' },
    questions: { type: 'string', default: '60' },
  },
});
const books = (await readdir(values.books).catch(() => []))
  .filter((name) => name.endsWith('.pdf'))
  .sort()
  .map((name) => `/books/${name}`);
if (books.length === 0)
  throw new Error(
    `no book in ${values.books}: make some with cargo run -p pincite-tests --bin samples -- target/samples --books 12`,
  );

const pages = await openPages({ engine: values.pkg, books: values.books });
/** @type {Awaited<ReturnType<typeof import('./answering-page.mjs').answering>>} */
const { nPassages, steps } = await pages.call('answering-page.mjs', 'answering', [
  { size: Number(values.size), books, nQuestions: Number(values.questions) },
]);
await pages.close();

console.error(`${pages.machine}\n${nPassages} passages, ${values.questions} questions; milliseconds`);
for (const [step, { n, p50, p95, longest }] of Object.entries(steps)) {
  console.error(
    `${step.padEnd(16)} n ${String(n).padStart(4)}  p50 ${p50.toFixed(1).padStart(6)}  p95 ${p95.toFixed(1).padStart(6)}  longest ${longest.toFixed(1).padStart(6)}`,
  );
}
if (nPassages < Number(values.size))
  console.error(`only ${nPassages} passages of ${values.size}: more books are needed in ${values.books}`);
console.log(JSON.stringify({ machine: pages.machine, passages: nPassages, steps }));

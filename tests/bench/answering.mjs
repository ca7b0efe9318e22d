/**
 * What our part of an answer costs, step by step, at a size of the library: the search for a question or a rewrite,
 * reading each reply of a model and writing the next request, pinning the answer. Milliseconds, in wasm, without the
 * embedding of questions and without the model.
 *
 *   node tests/bench/answering.mjs [--pkg target/wasm-pkg] [--books target/samples/books] [--size 10000] [--questions 60]
 *
 * The library is of generated rulebooks with the vectors of `search.mjs`. The model is scripted: it rewrites by
 * adding words, keeps every second passage, quotes the first sentence of each, answers with a quotation from each and
 * finds the answer wanting once, so that every step runs, some of them twice. It runs in Node, which has Chromium's
 * engine; each step is one message to the worker of the page, so the longest is what a click may wait for.
 */

import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Vectors, questionsOf, spread } from './search-page.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    pkg: { type: 'string', default: path.join(root, 'target/wasm-pkg') },
    books: { type: 'string', default: path.join(root, 'target/samples/books') },
    size: { type: 'string', default: '10000' },
    questions: { type: 'string', default: '60' },
  },
});
const FINGERPRINT = 'bench: vectors of no model';

/** @type {typeof import('pincite-wasm')} */
const wasm = await import(pathToFileURL(path.resolve(values.pkg, 'pincite_wasm.js')).href);
const exports = await wasm.default({ module_or_path: await readFile(path.join(values.pkg, 'pincite_wasm_bg.wasm')) });
exports.__wasm_call_ctors();

const parser = new wasm.Parser();
const library = new wasm.Library();
const vectors = new Vectors();
/** @type {string[]} */
const texts = [];
for (const book of (await readdir(values.books)).sort()) {
  if (texts.length >= Number(values.size)) break;
  const { segment, info } = parser.parse(new Uint8Array(await readFile(path.join(values.books, book))), book, undefined, undefined);
  library.add(segment);
  texts.push(...library.passages(info.id, 0, info.nPassages));
  library.putVectors(info.id, 0, info.nPassages, vectors.rows(info.nPassages), FINGERPRINT);
}

if (texts.length === 0) throw new Error(`no book in ${values.books}: make some with cargo run -p pincite-tests --bin samples -- target/samples --books 12`);

/** @param {import('pincite-wasm').ModelRequest} request @param {{ checks: number }} said */
function scripted(request, said) {
  const task = request.messages.find(({ role }) => role === 'user')?.content ?? '';
  const n = Number(/^Passages: (\d+)$/m.exec(task)?.[1] ?? 0);
  const passages = [...task.matchAll(/^<<<P(\d+) \w+>>>\n\[.*\]\n([^]*?)\n<<<END/gm)].map(([, number, text = '']) => ({
    number: Number(number), first: /^[^]{20,}?[.;:](?=\s|$)/.exec(text)?.[0] ?? text.split('\n')[0] ?? '',
  }));
  switch (request.step) {
    case 'rewrite': {
      const question = /Question:\n(.*)$/m.exec(task)?.[1] ?? '';
      return JSON.stringify({ question, rewrites: ['Under the rules, ', 'For a firm, ', 'In this rulebook, '].map((begin) => begin + question) });
    }
    case 'filter':
      return JSON.stringify({ reasoning: '', keep: Array.from({ length: n }, (_, at) => at % 2 === 0) });
    case 'extract':
      return JSON.stringify({ quotes: passages.map(({ number, first }) => ({ p: number, text: first })) });
    case 'read':
      return passages.map(({ number, first }) => `- The rule is “${first.replaceAll('\n', ' ')}” [P${number}].`).join('\n');
    default:
      said.checks += 1;
      return JSON.stringify({ grounded: true, consistent: true, complete: said.checks > 1, problem: '', missing: said.checks > 1 ? [] : ['Which records are kept?'] });
  }
}

/** @type {Record<string, number[]>} */
const times = {};
/** @template T @param {string} step @param {() => T} call @returns {T} */
function timed(step, call) {
  const begin = performance.now();
  const value = call();
  (times[step] ??= []).push(performance.now() - begin);
  return value;
}

const questions = questionsOf(texts, Number(values.questions) + 5);
for (const [at, question] of questions.entries()) {
  if (at === 5) for (const step of Object.keys(times)) delete times[step];
  const said = { checks: 0 };
  const asking = timed('begin', () => library.asking(question, { model: true }));
  for (let need = asking.need(); need.kind !== 'nothing'; ) {
    if (need.kind === 'search') {
      const vector = vectors.rows(1);
      need = timed('search', () => {
        asking.search({ vector, fingerprint: FINGERPRINT });
        return asking.need();
      });
    } else {
      const { step } = need.request;
      const text = scripted(need.request, said);
      need = timed(`after ${step}`, () => {
        asking.replied({ text, finish: 'stop' });
        return asking.need();
      });
    }
  }
  const answer = timed('finish', () => asking.finish());
  if (answer.by !== 'model' || answer.trace.degraded.length > 0) throw new Error(`the script does not fit: ${JSON.stringify(answer.trace.degraded)}`);
  timed('without a model', () => library.ask(question, { vector: vectors.rows(1), fingerprint: FINGERPRINT }));
}

const table = Object.fromEntries(Object.entries(times).map(([step, list]) => [step, { n: list.length, ...spread(list), longest: Math.max(...list) }]));
console.error(`${texts.length} passages, ${values.questions} questions; milliseconds`);
for (const [step, { n, p50, p95, longest }] of Object.entries(table)) {
  console.error(`${step.padEnd(16)} n ${String(n).padStart(4)}  p50 ${p50.toFixed(1).padStart(6)}  p95 ${p95.toFixed(1).padStart(6)}  longest ${longest.toFixed(1).padStart(6)}`);
}
console.log(JSON.stringify({ passages: texts.length, steps: table }));

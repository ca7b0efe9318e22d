#!/usr/bin/env node
/**
 * Bit-identical natively and in wasm: the stored bytes of documents, every score of a search by words and every term
 * of its explanation, answers without a model, and a ranker trained on questions over the samples.
 *
 *   cargo build --workspace --example identity
 *   node tests/identity/identity.mjs [--native PROGRAM] [--pkg FOLDER] FILE...
 *
 * Runs the native program (`crate/engine/examples/identity.rs`) and the wasm package in Node over the same files and
 * the questions of `questions.txt`, compares what they print line by line, and shows the first line that differs.
 * Vectors are not compared: they agree to a cosine, not to the bit.
 */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const questionsFile = fileURLToPath(new URL('questions.txt', import.meta.url));
const judgedFile = path.join(root, 'tests/browser/fixtures/sample-questions.csv');
const { values, positionals: files } = parseArgs({
  options: {
    native: { type: 'string', default: path.join(root, 'target/debug/examples/identity') },
    pkg: { type: 'string', default: path.join(root, 'target/wasm-pkg') },
  },
  allowPositionals: true,
});
if (files.length === 0) throw new Error('no files: node tests/identity/identity.mjs FILE...');

const native = execFileSync(values.native, [questionsFile, judgedFile, ...files], {
  encoding: 'utf8',
  maxBuffer: 1 << 28,
});
const expected = native.trimEnd().split('\n');
const found = await linesOfWasm();
const at = expected.findIndex((line, i) => line !== found[i]);
if (at >= 0 || found.length !== expected.length) {
  const line = at >= 0 ? at : expected.length;
  const context = expected.slice(0, line).findLast((earlier) => /^(segment|question)/.test(earlier));
  console.error(`line ${line + 1}, after "${context}":\n  native ${expected[line]}\n  wasm   ${found[line]}`);
  process.exit(1);
}
const n = (/** @type {string} */ start) => expected.filter((line) => line.startsWith(start)).length;
console.log(
  `identical natively and in wasm: ${n('segment')} segments, ${n('hit')} hits of ${n('question')} questions, ${n('  ')} terms of their scores, ${n('ranker')} trained ranker`,
);

/** A module of the package. @param {string} name @returns {Promise<any>} */
async function started(name) {
  const glue = await import(pathToFileURL(path.join(values.pkg, `${name}.js`)).href);
  glue.initSync({ module: await readFile(path.join(values.pkg, `${name}_bg.wasm`)) });
  return glue;
}

/** Output of the native program, made by wasm. */
async function linesOfWasm() {
  /** @type {typeof import('pincite-wasm')} */
  const wasm = await started('pincite_wasm');
  /** @type {typeof import('pincite-ingest')} */
  const ingest = await started('pincite_ingest');
  /** @type {string[]} */
  const lines = [];
  const library = new wasm.Library();
  const parser = new ingest.Parser();
  for (const file of files) {
    const name = path.basename(file);
    const { segment } = parser.parse(await readFile(file), name, undefined, undefined);
    lines.push(`segment ${name} ${sha256(segment)}`);
    library.add(segment);
  }
  for (const question of (await readFile(questionsFile, 'utf8')).split('\n').filter(Boolean)) {
    lines.push(`question ${question}`);
    const { hits } = library.search(question, { k: 20, units: 'both', ann: 'exact', explain: true });
    for (const { rank, document, score, explanation } of hits) {
      lines.push(`hit ${rank} ${document} ${bits(score)}`);
      if (explanation) explain(explanation, 1, lines);
    }
    const { sufficient, answer, citations } = library.ask(question, undefined);
    lines.push(`answer ${sufficient} ${sha256(answer)}`);
    for (const { id, quote } of citations) lines.push(`citation ${id} ${sha256(quote)}`);
  }
  const ranker = await rankerOfWasm(library);
  return ranker === null ? lines : [...lines, ranker];
}

/** The ranker trained on the judged questions, where there are enough about the library. @param {import('pincite-wasm').Library} library */
async function rankerOfWasm(library) {
  /** @type {typeof import('pincite-lab')} */
  const lab = await import(pathToFileURL(path.join(values.pkg, 'pincite_lab.js')).href);
  lab.initSync({ module: await readFile(path.join(values.pkg, 'pincite_lab_bg.wasm')) });
  /** @type {import('pincite-lab').Trainer | null} */
  let trainer = null;
  const lines = (await readFile(judgedFile, 'utf8')).split('\n');
  const judged = lines.flatMap((line) => {
    const [, question, document, pages] = /^"?(.*?)"?,([^,]*\.pdf),"?([\d,]+)"?$/.exec(line) ?? [];
    return question && document && pages ? [{ question, document, pages: pages.split(',').map(Number) }] : [];
  });
  for (const [at, { question, document, pages }] of judged.entries()) {
    const options = { units: /** @type {const} */ ('child'), ann: /** @type {const} */ ('exact') };
    const candidates = library.candidates(question, { ...options, gold: [{ document, pages }] });
    const { names, features, labels, scores } = candidates;
    trainer ??= new lab.Trainer(names, { base: library.shippedRanker(), rounds: 20 });
    trainer.add(`q${at}`, features, labels, scores);
  }
  if (trainer === null || trainer.questions < 50) return null;
  while (!(/** @type {import('pincite-lab').TrainerProgress} */ (trainer.step()).done));
  return `ranker ${trainer.questions} ${sha256(trainer.model())}`;
}

/**
 * @param {import('pincite-wasm').Explanation} explanation
 * @param {number} depth
 * @param {string[]} lines
 */
function explain({ value, description, details }, depth, lines) {
  lines.push(`${'  '.repeat(depth)}${bits(value)} ${description}`);
  for (const detail of details) explain(detail, depth + 1, lines);
}

/** Bits of a 32-bit float, in hexadecimal. @param {number} value */
function bits(value) {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return view.getUint32(0).toString(16).padStart(8, '0');
}

/** @param {string | Uint8Array} data */
function sha256(data) {
  return createHash('sha256').update(data).digest('hex');
}

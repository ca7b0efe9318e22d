#!/usr/bin/env node
/**
 * Orama with transformers.js, as a page without a server would use them; pages are read by pdf.js, since Orama reads no PDF.
 *
 * Rankings `full text` (as it comes), `vectors` and `hybrid` over windows of 200 words that stay on their page. The model is
 * the one that Pincite searches with, from a folder (`--model`), run by onnxruntime in Node on one thread.
 */

import { mkdirSync, readdirSync, readFileSync, writeFileSync, appendFileSync, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

import { env, pipeline } from '@huggingface/transformers';
import { create, insertMultiple, search } from '@orama/orama';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

const WINDOW_WORDS = 200;
const N_PASSAGES = 10;
const DIMENSIONS = 384;
const MODES = { 'full text': 'fulltext', vectors: 'vector', hybrid: 'hybrid' };

/** @typedef {{document: string, page: number, text: string, embedding: number[]}} Passage */

/** Words of each page, cut into windows. @param {string} folder */
async function readPassages(folder) {
  const passages = [];
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.pdf'))
    .sort()) {
    const task = getDocument({ data: new Uint8Array(readFileSync(join(folder, file))), verbosity: 0 });
    const pdf = await task.promise;
    for (let page = 1; page <= pdf.numPages; page += 1) {
      const content = await (await pdf.getPage(page)).getTextContent();
      const text = content.items
        .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
        .join('');
      const words = text.split(/\s+/).filter(Boolean);
      for (let start = 0; start < words.length; start += WINDOW_WORDS) {
        passages.push({ document: file, page, text: words.slice(start, start + WINDOW_WORDS).join(' ') });
      }
    }
    await task.destroy();
  }
  return passages;
}

/** Text to vector, by transformers.js. @param {string} folder Model, with `config.json`, `tokenizer.json`, `onnx/model.onnx` */
async function embedder(folder) {
  env.allowRemoteModels = false;
  env.localModelPath = join(folder, '..');
  const options = { dtype: 'fp32', session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 } };
  const extract = await pipeline('feature-extraction', basename(folder), options);
  // One text at a time: the model takes no mask for the padding of others.
  return async (text) => (await extract(text, { pooling: 'mean', normalize: true })).tolist()[0];
}

/** The passages with their vectors, kept in a file. */
async function embeddedPassages(folder, kept, embed) {
  if (!existsSync(kept)) {
    const passages = await readPassages(folder);
    for (const passage of passages) {
      passage.embedding = await embed(passage.text);
    }
    writeFileSync(kept, JSON.stringify(passages));
  }
  return JSON.parse(readFileSync(kept, 'utf8'));
}

async function database(passages) {
  const schema = { document: 'string', page: 'number', text: 'string', embedding: `vector[${DIMENSIONS}]` };
  const made = create({ schema });
  await insertMultiple(made, passages, 500);
  return made;
}

/** Whole JSON lines of a file; a last one that was cut is left out. */
function readLines(path) {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

async function rank(libraries, mode, question, vector) {
  const request = { term: question, mode, properties: ['text'], limit: N_PASSAGES, similarity: 0 };
  const found = await search(
    libraries,
    mode === 'fulltext' ? request : { ...request, vector: { value: vector, property: 'embedding' } },
  );
  return found.hits.map(({ document }) => ({
    document: document.document,
    pages: [document.page],
    text: document.text,
  }));
}

const { values } = parseArgs({
  options: {
    documents: { type: 'string' },
    questions: { type: 'string' },
    out: { type: 'string' },
    model: { type: 'string' },
  },
});
mkdirSync(values.out, { recursive: true });
const embed = await embedder(values.model);
const passages = await embeddedPassages(values.documents, join(values.out, 'passages.json'), embed);
const together = await database(passages);
const alone = new Map();
for (const file of new Set(passages.map((passage) => passage.document))) {
  alone.set(file, await database(passages.filter((passage) => passage.document === file)));
}
const questions = readLines(values.questions);
for (const [name, mode] of Object.entries(MODES)) {
  for (const scope of ['all', 'document']) {
    const path = join(values.out, `${name}-${scope}.jsonl`);
    const done = readLines(path);
    writeFileSync(path, done.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const known = new Set(done.map((line) => line.id));
    for (const { id, question, document } of questions.filter((one) => !known.has(one.id))) {
      const start = performance.now();
      const vector = mode === 'fulltext' ? undefined : await embed(question);
      const ranked = await rank(scope === 'all' ? together : alone.get(document), mode, question, vector);
      const seconds = Math.round(performance.now() - start) / 1000;
      appendFileSync(path, `${JSON.stringify({ id, seconds, passages: ranked })}\n`);
    }
    console.error(`${name}-${scope}: ${questions.length} questions`);
  }
}

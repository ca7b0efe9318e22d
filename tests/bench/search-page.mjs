/**
 * The part of search.mjs that runs in the page: builds, loads and asks the engine, MiniSearch and Orama, with the
 * same passages and the same questions, and keeps the times. All in one thread, one after the other.
 */

import { started, startedEncoder } from './started-page.mjs';

const DIMENSIONS = 384;
/** Questions that warm up and are not counted. */
const N_WARM = 100;
const FINGERPRINT = 'bench: vectors of no model';
/** Words with which questions begin; the rest is of a passage. */
const OPENINGS = [
  'When must a firm',
  'Who is responsible for',
  'What are the requirements on',
  'How long may a',
  'Which',
];

/** Lucene's stop words of English, and those of the openings. */
const FUNCTION_WORDS = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these ' +
    'they this to was will with when must who what how may which'
  ).split(' '),
);

/** A question without its function words: the engine leaves most of them out by itself. @param {string} question */
const contentOf = (question) =>
  question
    .toLowerCase()
    .match(/[a-z]+/g)
    ?.filter((word) => !FUNCTION_WORDS.has(word))
    .join(' ') ?? '';

/** A seeded generator of numbers from 0 to 1. @param {number} seed */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Vectors near a hundred centres, as those of texts are: a graph over points without neighbours says nothing. */
export class Vectors {
  #next = random(11);
  #centres = Array.from({ length: 100 }, () => this.#direction());

  #direction() {
    return Float32Array.from({ length: DIMENSIONS }, () => this.#next() + this.#next() + this.#next() - 1.5);
  }

  /** `n` unit vectors, row by row. @param {number} n */
  rows(n) {
    const rows = new Float32Array(n * DIMENSIONS);
    for (let row = 0; row < n; row += 1) {
      const centre = /** @type {Float32Array} */ (
        this.#centres[Math.floor(this.#next() * this.#centres.length)]
      );
      const own = this.#direction();
      let length = 0;
      for (let at = 0; at < DIMENSIONS; at += 1) {
        const value = (centre[at] ?? 0) + (own[at] ?? 0);
        rows[row * DIMENSIONS + at] = value;
        length += value * value;
      }
      for (let at = 0; at < DIMENSIONS; at += 1)
        rows[row * DIMENSIONS + at] = (rows[row * DIMENSIONS + at] ?? 0) / Math.sqrt(length);
    }
    return rows;
  }
}

/** @param {number[]} values */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (/** @type {number} */ share) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}

/**
 * @template T
 * @param {() => T | Promise<T>} work
 * @returns {Promise<[T, number]>}
 */
async function timed(work) {
  const begin = performance.now();
  const value = await work();
  return [value, performance.now() - begin];
}

/** @param {string} url */
const bytesOf = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());

/** Questions of words that stand near each other somewhere, the same each time. @param {string[]} texts @param {number} n */
export function questionsOf(texts, n) {
  const next = random(5);
  return Array.from({ length: n }, () => {
    const words = (texts[Math.floor(next() * texts.length)] ?? '').match(/[a-z]+/gi) ?? [];
    const from = Math.floor(next() * Math.max(1, words.length - 16));
    const some = words.slice(from, from + 16).filter(() => next() < 0.5);
    return `${OPENINGS[Math.floor(next() * OPENINGS.length)]} ${some.join(' ').toLowerCase()}?`;
  });
}

/** Adds the lengths of the sections of stored bytes to `sums`: their table names them. @param {Uint8Array} bytes @param {Record<string, number>} sums */
function addSections(bytes, sums) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const nSections = view.getUint32(20, true);
  for (let at = 24; at < 24 + 24 * nSections; at += 24) {
    const name = new TextDecoder().decode(bytes.subarray(at, at + 8)).replace(/[\0 ]+$/, '');
    sums[name] = (sums[name] ?? 0) + Number(view.getBigUint64(at + 8, true));
  }
}

/** @param {{ hits: { documentId: string, text: string, score: number }[] }} reply */
const told = (reply) =>
  JSON.stringify(reply.hits.map(({ documentId, text, score }) => [documentId, text, score]));

/**
 * @param {{ size: number, books: string[], nQuestions: number, isAlone: boolean }} options `isAlone`: no other needs the texts
 */
export async function engine({ size, books, nQuestions, isAlone }) {
  const { glue: filling, memory: filled } = await started('pincite_wasm');
  const { glue: ingest } = await started('pincite_ingest');
  const manifest = await (await fetch('/model/manifest.json')).text();
  const vocabulary = await bytesOf('/model/vocab.txt');

  // Files to segments, then vectors. Making the vectors is not measured: they are no model's.
  const parser = new ingest.Parser(vocabulary, manifest);
  let library = new filling.Library();
  /** @type {{ segment: Uint8Array, batches: Uint8Array[] }[]} */
  const stored = [];
  /** @type {string[]} */
  const texts = [];
  /** @type {Record<string, number>} */
  const bytes = {};
  const vectors = new Vectors();
  const built = { reading: 0, indexing: 0, adding: 0, vectors: 0 };
  let [nFileBytes, nPages] = [0, 0];
  for (const book of books) {
    if (texts.length >= size) break;
    const file = await bytesOf(book);
    nFileBytes += file.length;
    const begin = performance.now();
    let indexBegan = begin;
    const { segment, info } = parser.parse(
      file,
      book,
      undefined,
      (/** @type {string} */ stage, /** @type {number} */ done) => {
        if (stage === 'index' && done === 0) indexBegan = performance.now();
      },
    );
    built.indexing += performance.now() - indexBegan;
    built.reading += indexBegan - begin;
    built.adding += (await timed(() => library.add(segment)))[1];
    addSections(segment, bytes);
    nPages += info.nPages;
    texts.push(...library.passages(info.id, 0, info.nPassages));
    const batches = [];
    for (let start = 0; start < info.nPassages; start += 256) {
      const count = Math.min(256, info.nPassages - start);
      const rows = vectors.rows(count);
      const [batch, time] = await timed(() => library.putVectors(info.id, start, count, rows, FINGERPRINT));
      built.vectors += time;
      addSections(batch, bytes);
      batches.push(batch);
    }
    stored.push({ segment, batches });
  }
  parser.free();
  const questions = questionsOf(texts, N_WARM + nQuestions);
  const questionVectors = questions.map(() => vectors.rows(1));
  /** @param {number} n */
  const askBoth = (n) =>
    library.search(questions[n], { k: 10, vector: questionVectors[n], fingerprint: FINGERPRINT });
  const before = told(askBoth(0));
  const memory = { filled: filled.buffer.byteLength, opened: 0 };
  library.free();

  // Another instance, as when the page is opened again: no instance gives memory back to the browser.
  const { glue, memory: opened } = await started('pincite_wasm', 'opened');
  library = new glue.Library();
  const [, load] = await timed(() => {
    for (const { segment, batches } of stored) {
      library.add(segment);
      for (const batch of batches) library.addVectors(batch);
    }
  });
  if (told(askBoth(0)) !== before) throw new Error('a library that was stored and loaded answers otherwise');

  /** @type {Record<string, number[]>} */
  const laps = {
    words: [],
    content: [],
    both: [],
    analysis: [],
    lexical: [],
    dense: [],
    ranking: [],
    placing: [],
    crossing: [],
    embedding: [],
    exactly: [],
  };
  for (let n = 0; n < questions.length; n += 1) {
    const [, words] = await timed(() => library.search(questions[n], { k: 10 }));
    const [, content] = await timed(() => library.search(contentOf(questions[n] ?? ''), { k: 10 }));
    if (n < N_WARM) continue;
    laps['words']?.push(words);
    laps['content']?.push(content);
  }
  for (let n = 0; n < questions.length; n += 1) {
    const [reply, both] = await timed(() => askBoth(n));
    if (n < N_WARM) continue;
    let inside = 0;
    for (const [step, time] of Object.entries(reply.times)) {
      laps[step]?.push(time);
      inside += time;
    }
    laps['both']?.push(both);
    laps['crossing']?.push(both - inside); // the hits become JavaScript's
  }
  memory.opened = opened.buffer.byteLength;
  library.free();
  const { glue: encoding, hasRelaxed } = await startedEncoder();
  const encoder = new encoding.Encoder(await bytesOf('/model/model.onnx'), vocabulary, manifest, hasRelaxed);
  for (const [n, question] of questions.entries()) {
    const [, time] = await timed(() => encoder.embed([question]));
    const [, exactly] = await timed(() => encoder.embedExactly([question]));
    if (n < N_WARM) continue;
    laps['embedding']?.push(time);
    laps['exactly']?.push(exactly);
  }
  encoder.free();
  const latency = Object.fromEntries(Object.entries(laps).map(([name, values]) => [name, spread(values)]));
  return {
    report: {
      nDocuments: stored.length,
      nPages,
      nPassages: texts.length,
      nFileBytes,
      memory,
      hasRelaxed,
      built,
      load,
      bytes,
      latency,
    },
    texts: isAlone ? [] : texts,
    questions,
  };
}

/**
 * MiniSearch, as its readme shows it.
 * @param {string[]} texts @param {string[]} questions
 */
export async function minisearch(texts, questions) {
  const at = '/minisearch/index.js';
  const { default: MiniSearch } = await import(at);
  const settings = { fields: ['text'] };
  let index = new MiniSearch(settings);
  const [, build] = await timed(() => index.addAll(texts.map((text, id) => ({ id, text }))));
  const json = JSON.stringify(index);
  const [loaded, load] = await timed(() => MiniSearch.loadJSON(json, settings));
  index = loaded;
  return other(build, load, json, questions, (question) => index.search(question).slice(0, 10));
}

/**
 * Orama, as its readme shows it.
 * @param {string[]} texts @param {string[]} questions
 */
export async function orama(texts, questions) {
  const at = '/orama/index.js';
  const { create, insertMultiple, load: loadInto, save, search } = await import(at);
  const settings = { schema: { text: 'string' } };
  let index = create(settings);
  const [, build] = await timed(() =>
    insertMultiple(
      index,
      texts.map((text) => ({ text })),
      1000,
    ),
  );
  const json = JSON.stringify(save(index));
  index = create(settings);
  const [, load] = await timed(() => loadInto(index, JSON.parse(json)));
  return other(build, load, json, questions, (term) => search(index, { term, limit: 10 }));
}

/** @param {number} build @param {number} load @param {string} json @param {string[]} questions @param {(question: string) => unknown} ask */
async function other(build, load, json, questions, ask) {
  const [words, content] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  for (const question of questions) {
    words.push((await timed(() => ask(question)))[1]);
    content.push((await timed(() => ask(contentOf(question))))[1]);
  }
  const latency = { words: spread(words.slice(N_WARM)), content: spread(content.slice(N_WARM)) };
  return { build, load, nBytes: new Blob([json]).size, latency };
}

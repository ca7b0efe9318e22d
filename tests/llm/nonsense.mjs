/**
 * A language model of random weights as a GGUF file: the architecture of Llama, seeded, of half a megabyte. Programs that run
 * models take it for one; what it says is nonsense in our vocabulary, the same for the same prompt at temperature 0.
 *
 *   node tests/llm/nonsense.mjs FILE.gguf
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const prompts = fileURLToPath(new URL('../../crate/answer/src/prompts', import.meta.url));
const nMerges = 700;
const nHeads = 4;
const nEmbedding = 64;
const nFeedForward = 128;
export const modelName = 'nonsense';

/** Each message in a turn of its own, as instruction models have it. */
const template =
  '{{ bos_token }}{% for message in messages %}<|{{ message.role }}|>\n{{ message.content }}{{ eos_token }}\n' +
  '{% endfor %}{% if add_generation_prompt %}<|assistant|>\n{% endif %}';
/** Marks of passages are pieces of their own: so what the model says cites something, wrongly. */
const marks = ['[P1]', '[P2]', '[P3]', '[P4]', '[P5]'];
/** How much likelier than a word a token is that ends something: without it most replies end at the limit alone.
 * @type {Readonly<Record<string, number>>} */
const leanings = {
  '</s>': 2.5,
  '"': 3,
  '.': 3,
  ']': 2,
  '}': 2,
  ...Object.fromEntries(marks.map((mark) => [mark, 3])),
};

/** Kinds of tokens of llama's tokenizer. */
const kinds = { normal: 1, unknown: 2, control: 3, user: 4, byte: 6 };

/** @typedef {{ piece: string, score: number, kind: number }} Token */

/**
 * Special tokens, all bytes, single characters, and what merging the most frequent neighbours of our own prompts gives (byte
 * pair encoding).
 * @returns {Token[]}
 */
function vocabulary() {
  const files = readdirSync(prompts)
    .filter((name) => name.endsWith('.txt'))
    .sort();
  const text = files.map((name) => readFileSync(path.join(prompts, name), 'utf8')).join('\n');
  /** @type {Map<string, number>} */
  const words = new Map();
  for (const [word] of text.matchAll(/[A-Za-z]+|[^A-Za-z\s]/g))
    words.set(`▁${word}`, (words.get(`▁${word}`) ?? 0) + 1);
  const split = new Map([...words.keys()].map((word) => [word, [...word]]));
  /** @type {string[]} */
  const merges = [];
  while (merges.length < nMerges) {
    const pair = mostFrequent(split, words);
    if (pair === null) break;
    merges.push(pair.join(''));
    for (const pieces of split.values())
      for (let at = 0; at + 1 < pieces.length; at += 1)
        if (pieces[at] === pair[0] && pieces[at + 1] === pair[1]) pieces.splice(at, 2, pair.join(''));
  }
  const characters = Array.from({ length: 0x7f - 0x21 }, (_, at) => String.fromCharCode(0x21 + at));
  const known = [...new Set(['▁', ...characters, ...merges])];
  const token = (/** @type {string} */ piece, /** @type {number} */ kind, score = 0) => ({
    piece,
    score,
    kind,
  });
  return [
    token('<unk>', kinds.unknown),
    token('<s>', kinds.control),
    token('</s>', kinds.control),
    ...Array.from({ length: 256 }, (_, at) =>
      token(`<0x${at.toString(16).toUpperCase().padStart(2, '0')}>`, kinds.byte),
    ),
    ...marks.map((mark) => token(mark, kinds.user)),
    // Earlier merges first: a higher score is merged earlier.
    ...known.map((piece, rank) => token(piece, kinds.normal, -rank)),
  ];
}

/**
 * The most frequent neighbours; of equal ones those first in the order of the letters.
 * @param {Map<string, string[]>} split @param {Map<string, number>} words @returns {[string, string] | null}
 */
function mostFrequent(split, words) {
  /** @type {Map<string, number>} */
  const pairs = new Map();
  for (const [word, pieces] of split)
    for (let at = 0; at + 1 < pieces.length; at += 1) {
      const pair = `${pieces[at]}\n${pieces[at + 1]}`;
      pairs.set(pair, (pairs.get(pair) ?? 0) + (words.get(word) ?? 0));
    }
  const [best] = [...pairs].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return best ? /** @type {[string, string]} */ (best[0].split('\n')) : null;
}

/** Numbers of the normal distribution, the same for a seed everywhere. @param {number} state */
function normal(state) {
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  // The sum of twelve has the variance one: no function of the platform takes part.
  return () => Array.from({ length: 12 }, uniform).reduce((sum, each) => sum + each, -6);
}

/** @typedef {{ name: string, shape: number[], values: Float32Array }} Tensor `shape` of rows, the length of a row first */

/** @param {Token[]} tokens @param {number} nLayers @param {number} seed @returns {Tensor[]} */
function tensorsOf(tokens, nLayers, seed) {
  const next = normal(seed);
  const matrix = (
    /** @type {string} */ name,
    /** @type {number} */ rows,
    /** @type {number} */ columns,
    scale = 1,
  ) => ({
    name,
    shape: [columns, rows],
    values: Float32Array.from({ length: rows * columns }, () => (next() * scale) / Math.sqrt(columns)),
  });
  const ones = (/** @type {string} */ name) => ({
    name,
    shape: [nEmbedding],
    values: new Float32Array(nEmbedding).fill(1),
  });
  const embedding = matrix('token_embd.weight', tokens.length, nEmbedding, 4);
  const output = matrix('output.weight', tokens.length, nEmbedding, 3);
  // The first dimension is the same for every token, and no layer writes to it: by it the output leans.
  for (const [row, { piece, kind }] of tokens.entries()) {
    embedding.values[row * nEmbedding] = 1;
    output.values[row * nEmbedding] = leanings[piece] ?? (kind === kinds.normal ? 0 : -20);
  }
  const layers = Array.from({ length: nLayers }, (_, at) => {
    const name = (/** @type {string} */ part) => `blk.${at}.${part}.weight`;
    const toStream = ['attn_output', 'ffn_down'].map((part) =>
      matrix(name(part), nEmbedding, part === 'ffn_down' ? nFeedForward : nEmbedding),
    );
    for (const { shape, values } of toStream) values.fill(0, 0, shape[0]);
    return [
      ...['attn_q', 'attn_k', 'attn_v'].map((part) => matrix(name(part), nEmbedding, nEmbedding)),
      ...['ffn_gate', 'ffn_up'].map((part) => matrix(name(part), nFeedForward, nEmbedding)),
      ...toStream,
      ones(name('attn_norm')),
      ones(name('ffn_norm')),
    ];
  });
  return [embedding, output, ones('output_norm.weight'), ...layers.flat()];
}

/** Types of values in a header. */
const types = { u16: 2, u32: 4, i32: 5, f32: 6, bool: 7, text: 8, list: 9 };

/** Bytes in the order in which they are added. */
class Writer {
  /** @type {Buffer[]} */
  #parts = [];
  bytes = 0;

  /** @param {Buffer} part */
  add(part) {
    this.#parts.push(part);
    this.bytes += part.length;
  }

  /** @param {number} width @param {number | bigint} value */
  whole(width, value) {
    const part = Buffer.alloc(width);
    if (width === 8) part.writeBigUInt64LE(BigInt(value));
    else if (width === 4) part.writeInt32LE(Number(value) | 0);
    else if (width === 2) part.writeUInt16LE(Number(value));
    else part.writeUInt8(Number(value));
    this.add(part);
  }

  /** @param {number} value */
  float(value) {
    const part = Buffer.alloc(4);
    part.writeFloatLE(value);
    this.add(part);
  }

  /** @param {string} text */
  text(text) {
    const part = Buffer.from(text);
    this.whole(8, part.length);
    this.add(part);
  }

  /** @param {number} type @param {any} value */
  value(type, value) {
    if (type === types.text) this.text(value);
    else if (type === types.f32) this.float(value);
    else this.whole(type === types.bool ? 1 : type === types.u16 ? 2 : 4, value);
  }

  /** Fills up to a multiple. @param {number} multiple */
  align(multiple) {
    this.add(Buffer.alloc((multiple - (this.bytes % multiple)) % multiple));
  }

  joined() {
    return Buffer.concat(this.#parts);
  }
}

/**
 * @param {object} [options]
 * @param {string} [options.architecture] that the file claims
 * @param {number} [options.nLayers]
 * @param {number} [options.context] tokens it says it was trained for
 * @param {number} [options.seed] of the weights; each says something else
 * @returns {Buffer}
 */
export function nonsense(options = {}) {
  const { header, tensors } = contents(options);
  return file(header, tensors);
}

/** The same model in two files, as llama.cpp splits one. @returns {Buffer[]} */
export function nonsenseInParts() {
  const { header, tensors } = contents({});
  const part = (/** @type {number} */ no) =>
    /** @type {Value[]} */ ([
      ['split.no', types.u16, no],
      ['split.count', types.u16, 2],
      ['split.tensors.count', types.i32, tensors.length],
    ]);
  return [
    file([...header, ...part(0)], tensors.slice(0, 4)),
    file([['general.architecture', types.text, 'llama'], ...part(1)], tensors.slice(4)),
  ];
}

/** @typedef {[key: string, type: number, value: unknown]} Value a list has the type of its values */

/** @param {NonNullable<Parameters<typeof nonsense>[0]>} options */
function contents({ architecture = 'llama', nLayers = 2, context = 32_768, seed = 10 }) {
  const tokens = vocabulary();
  /** @type {Value[]} */
  const header = [
    ['general.architecture', types.text, architecture],
    ['general.name', types.text, modelName],
    ['general.file_type', types.u32, 1],
    [`${architecture}.context_length`, types.u32, context],
    [`${architecture}.embedding_length`, types.u32, nEmbedding],
    [`${architecture}.block_count`, types.u32, nLayers],
    [`${architecture}.feed_forward_length`, types.u32, nFeedForward],
    [`${architecture}.attention.head_count`, types.u32, nHeads],
    [`${architecture}.attention.head_count_kv`, types.u32, nHeads],
    [`${architecture}.rope.dimension_count`, types.u32, nEmbedding / nHeads],
    [`${architecture}.attention.layer_norm_rms_epsilon`, types.f32, 1e-5],
    [`${architecture}.vocab_size`, types.u32, tokens.length],
    ['tokenizer.ggml.model', types.text, 'llama'],
    ['tokenizer.ggml.tokens', types.text, tokens.map(({ piece }) => piece)],
    ['tokenizer.ggml.scores', types.f32, tokens.map(({ score }) => score)],
    ['tokenizer.ggml.token_type', types.i32, tokens.map(({ kind }) => kind)],
    ['tokenizer.ggml.unknown_token_id', types.u32, 0],
    ['tokenizer.ggml.bos_token_id', types.u32, 1],
    ['tokenizer.ggml.eos_token_id', types.u32, 2],
    ['tokenizer.ggml.add_bos_token', types.bool, 0],
    ['tokenizer.ggml.add_space_prefix', types.bool, 0],
    ['tokenizer.chat_template', types.text, template],
  ];
  return { header, tensors: tensorsOf(tokens, nLayers, seed) };
}

/** A GGUF file, version 3. @param {Value[]} header @param {Tensor[]} tensors */
function file(header, tensors) {
  const writer = new Writer();
  writer.add(Buffer.from('GGUF'));
  writer.whole(4, 3);
  writer.whole(8, tensors.length);
  writer.whole(8, header.length);
  for (const [key, type, value] of header) {
    writer.text(key);
    writer.whole(4, Array.isArray(value) ? types.list : type);
    if (Array.isArray(value)) {
      writer.whole(4, type);
      writer.whole(8, value.length);
    }
    for (const each of [value].flat()) writer.value(type, each);
  }
  let offset = 0;
  for (const { name, shape, values } of tensors) {
    writer.text(name);
    writer.whole(4, shape.length);
    for (const n of shape) writer.whole(8, n);
    writer.whole(4, 0); // of four bytes each
    writer.whole(8, offset);
    offset += values.byteLength;
  }
  writer.align(32);
  // Each tensor has a multiple of 32 bytes.
  for (const { values } of tensors) writer.add(Buffer.from(values.buffer));
  return writer.joined();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , target] = process.argv;
  if (!target) throw new Error('usage: node tests/llm/nonsense.mjs FILE.gguf');
  writeFileSync(target, nonsense());
}

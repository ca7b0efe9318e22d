/**
 * Header of a GGUF file: what a model is, read before anything of it is loaded. The file is hostile input: each length in it
 * is held against the bytes that are there.
 *
 * Costs the bytes of the header, a few megabytes: most of it is the vocabulary, which is passed over.
 */

import { LlmError } from '../llm/errors.js';

/**
 * @typedef {object} Header
 * @property {string} architecture as llama.cpp names it; not known to be one that it has
 * @property {string} name that the file gives its model; may be empty
 * @property {number} context tokens that the model was trained for; 0 where the file does not say
 * @property {number} cacheBytes of keys and values for one token of context
 * @property {{ no: number, count: number }} split part of how many, from 0
 */

/** Bytes that a header may have: the largest vocabularies take 12 MB. */
const maxBytes = 64 * 1024 * 1024;
/** Bytes that are read at first. */
const firstBytes = 1024 * 1024;
/** Depth of lists in lists. */
const maxDepth = 4;

/** Bytes of a value by its type; strings and lists have a length of their own. @type {Readonly<Record<number, number>>} */
const widths = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };
const typeString = 8;
const typeList = 9;

/** The bytes end before the header does. */
class Short extends Error {}

/**
 * @param {Blob} file
 * @returns {Promise<Header>}
 * @throws {LlmError} `unavailable`
 */
export async function readHeader(file) {
  for (let bytes = firstBytes; ; bytes *= 4) {
    const part = file.slice(0, Math.min(bytes, maxBytes));
    const buffer = await part.arrayBuffer().catch(() => {
      throw damaged('it was moved or changed since it was opened');
    });
    try {
      return headerOf(readValues(new DataView(buffer)));
    } catch (error) {
      if (!(error instanceof Short)) throw error;
      if (buffer.byteLength >= Math.min(file.size, maxBytes)) throw damaged('its header is cut off');
    }
  }
}

/** @param {Map<string, unknown>} values @returns {Header} */
function headerOf(values) {
  const architecture = values.get('general.architecture');
  if (typeof architecture !== 'string' || architecture === '') throw damaged('it names no architecture');
  const number = (/** @type {string} */ key) => numberOf(values.get(`${architecture}.${key}`));
  const name = values.get('general.name');
  const heads = number('attention.head_count');
  const width = heads > 0 ? number('embedding_length') / heads : 0;
  const keyed = number('attention.key_length') || width;
  const valued = number('attention.value_length') || width;
  const keyHeads = number('attention.head_count_kv') || heads;
  return {
    architecture,
    name: typeof name === 'string' ? name : '',
    context: number('context_length'),
    // Halves of four bytes: keys and values are held as f16.
    cacheBytes: number('block_count') * keyHeads * (keyed + valued) * 2,
    split: { no: numberOf(values.get('split.no')), count: Math.max(1, numberOf(values.get('split.count'))) },
  };
}

/** A number, or the largest of a list with one for each layer; 0 for anything else. @param {unknown} value */
function numberOf(value) {
  const numbers = [value].flat().filter((each) => typeof each === 'number' && Number.isFinite(each));
  return Math.max(0, .../** @type {number[]} */ (numbers));
}

/** @param {DataView} view @returns {Map<string, unknown>} values by key; lists of more than 1,024 are left out */
function readValues(view) {
  const cursor = new Cursor(view);
  if (cursor.number(4) !== 0x46554747)
    throw new LlmError('unavailable', 'the file is no GGUF file', { reason: 'file-not-gguf' });
  const version = cursor.number(4);
  if (version < 2 || version > 3) throw damaged(`its version of the format is ${version}, expected 2 or 3`);
  cursor.number(10); // tensors
  const count = cursor.number(10);
  /** @type {Map<string, unknown>} */
  const values = new Map();
  for (let at = 0; at < count; at += 1) {
    const key = cursor.text();
    values.set(key, cursor.value(cursor.number(4), 0));
  }
  return values;
}

class Cursor {
  #view;
  #at = 0;

  /** @param {DataView} view */
  constructor(view) {
    this.#view = view;
  }

  /** @param {number} bytes @returns {number} where they begin */
  #take(bytes) {
    const at = this.#at;
    // A length that no header can have would otherwise ask for more and more of the file.
    if (bytes > maxBytes) throw damaged('a length in it is longer than the header');
    if (at + bytes > this.#view.byteLength) throw new Short();
    this.#at = at + bytes;
    return at;
  }

  /** @param {number} type by its number, or 4 for a count of four bytes and 10 for one of eight @returns {number} */
  number(type) {
    const at = this.#take(widths[type] ?? 0);
    switch (type) {
      case 0:
      case 7:
        return this.#view.getUint8(at);
      case 1:
        return this.#view.getInt8(at);
      case 2:
        return this.#view.getUint16(at, true);
      case 3:
        return this.#view.getInt16(at, true);
      case 4:
        return this.#view.getUint32(at, true);
      case 5:
        return this.#view.getInt32(at, true);
      case 6:
        return this.#view.getFloat32(at, true);
      case 10:
        return Number(this.#view.getBigUint64(at, true));
      case 11:
        return Number(this.#view.getBigInt64(at, true));
      default:
        return this.#view.getFloat64(at, true);
    }
  }

  text() {
    const bytes = this.number(10);
    const at = this.#take(bytes);
    return new TextDecoder().decode(new Uint8Array(this.#view.buffer, at, bytes));
  }

  /** @param {number} type @param {number} depth @returns {unknown} */
  value(type, depth) {
    if (type === typeString) return this.text();
    if (type === typeList) return this.#list(depth);
    if (widths[type] === undefined) throw damaged(`a value in it has the type ${type}`);
    return this.number(type);
  }

  /** @param {number} depth */
  #list(depth) {
    const type = this.number(4);
    const count = this.number(10);
    const width = widths[type];
    if (width !== undefined && count > 1024) {
      this.#take(count * width);
      return null;
    }
    if (depth >= maxDepth) throw damaged('a list in it is nested too deeply');
    /** @type {unknown[]} */
    const values = [];
    for (let at = 0; at < count; at += 1) {
      if (type === typeString && count > 1024) this.#take(this.number(10));
      else values.push(this.value(type, depth + 1));
    }
    return values;
  }
}

/** @param {string} how */
function damaged(how) {
  return new LlmError('unavailable', `the model file cannot be read: ${how}`, { reason: 'file-damaged' });
}

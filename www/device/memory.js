/**
 * Memory that a model takes, against what WebAssembly and this device give it: the file as it lies, keys and values of the
 * context, and room to compute in. Asked before anything is loaded, since a page that has run out of memory ends without
 * a word.
 */

import { LlmError } from '../llm/errors.js';

/** Most bytes of one memory of WebAssembly, as the program that runs models has been built. */
const maxOfWasm = 4 * 1024 ** 3;
/** Bytes of the program and of what it computes in, besides weights and context. */
const working = 320 * 1024 ** 2;
/** Part of the device's memory that a page can have without the system getting slow. */
const share = 0.7;
/** Lengths of the context in tokens, best first: the longest prompt of a profile has some 7,000, of the small one 5,000. */
const contexts = [8192, 6144, 4096];

/** Most bytes that a model may take. @param {{ hardwareConcurrency?: number, deviceMemory?: number }} machine a Navigator, which may tell its memory in GiB */
export function allowedBytes({ deviceMemory }) {
  const ofDevice = deviceMemory === undefined ? Infinity : deviceMemory * 1024 ** 3 * share;
  return Math.floor(Math.min(maxOfWasm, ofDevice) / 65536) * 65536;
}

/**
 * The longest context that fits.
 * @param {{ fileBytes: number, header: Pick<import('./gguf.js').Header, 'context' | 'cacheBytes'>, allowed: number }} model
 * @returns {number} tokens
 * @throws {LlmError} `unavailable` where none fits
 */
export function contextOf({ fileBytes, header, allowed }) {
  const trained = header.context || Infinity;
  const needed = (/** @type {number} */ tokens) => fileBytes + working + tokens * header.cacheBytes;
  const lengths = contexts.map((tokens) => Math.min(tokens, trained));
  const fitting = lengths.find((tokens) => needed(tokens) <= allowed);
  if (fitting !== undefined) return fitting;
  throw new LlmError('unavailable', 'the model is too large for this device', {
    reason: 'memory-short',
    values: { needed: needed(lengths.at(-1) ?? 0), allowed },
  });
}

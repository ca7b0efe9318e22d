/**
 * The trial of a GPU before it embeds, and the checks of its work. It has to make the vectors of the CPU, to a cosine of
 * .999, over texts short and long, since browsers have shipped GPUs whose results are wrong without a word; and to be
 * faster than all workers together. Afterwards one canary stands in every batch.
 */

import { isFatal, toPlain } from '../errors.js';
import { nextMessage } from '../next-message.js';
import { GpuExecutor, batchTexts, batchTokens } from './executor.js';

/** @typedef {Pick<InstanceType<typeof import('pincite-encoder').Encoder>, 'embedExactly' | 'tokens' | 'program' | 'programConstant'>} Encoder */
/**
 * Why the GPU does not embed: there is none that a page can use; it is software; the model has parts that only the CPU
 * knows; the device failed, with its message; its vectors are others; it is slower, with the rates of both in tokens a
 * second; it was lost in its work.
 * @typedef {(
 *   | { kind: 'none' | 'software' | 'model' }
 *   | { kind: 'failed' | 'lost', message: string }
 *   | { kind: 'wrong', cosine: number }
 *   | { kind: 'slower', gpu: number, cpu: number }
 * )} Refusal
 */

/** Least cosine of a GPU's vector to the CPU's. */
const leastCosine = 0.999;

/** Texts of a few tokens and of more than a tile of any kernel. */
const canaries = [
  'notice',
  'The firm must keep a record of each complaint for six years.',
  'Where goods are lost on the way, the seller bears the loss until they are handed to the first carrier at the place named. '.repeat(
    3,
  ),
];

/** Longest time of a trial, and of a batch, in milliseconds: a driver may hang. */
const trialTime = 30_000;
const batchTime = 60_000;

/** A GPU that would need over so many times as long is not asked to run the race. */
const hopeless = 10;

/**
 * A GPU that embeds.
 */
export class GpuEncoder {
  #executor;
  #encoder;
  /** Vector of the first canary, by the CPU. @type {Float32Array} */
  #canary;

  /** @param {GpuExecutor} executor @param {Encoder} encoder */
  constructor(executor, encoder) {
    this.#executor = executor;
    this.#encoder = encoder;
    this.#canary = encoder.embedExactly(canaries.slice(0, 1));
  }

  /**
   * Vectors of texts, row by row.
   * @param {string[]} texts
   * @returns {Promise<Float32Array>}
   * @throws {Error} when the device is lost, does not answer, or gives other vectors than before
   */
  async embed(texts) {
    const dimensions = this.#canary.length;
    const { ids, lengths } = this.#encoder.tokens(texts);
    const known = this.#encoder.tokens(canaries.slice(0, 1)).ids;
    const vectors = new Float32Array(texts.length * dimensions);
    for (let text = 0, token = 0; text < texts.length; ) {
      let [end, last] = [text, token];
      while (
        end < texts.length &&
        (end === text || fits(end - text, last - token + (lengths[end] ?? 0), known.length))
      )
        last += lengths[end++] ?? 0;
      const batch = {
        ids: joined(ids.subarray(token, last), known),
        lengths: joined(lengths.subarray(text, end), Uint32Array.of(known.length)),
      };
      const made = await within(batchTime, this.#executor.embed(batch));
      this.#check(made);
      vectors.set(made.subarray(0, -dimensions), text * dimensions);
      [text, token] = [end, last];
    }
    return vectors;
  }

  /** Every vector has length 1, and the last one is the canary's. @param {Float32Array} made */
  #check(made) {
    const dimensions = this.#canary.length;
    for (let at = 0; at < made.length; at += dimensions) {
      const row = made.subarray(at, at + dimensions);
      const square = cosineOf(row, row, dimensions);
      if (!(Math.abs(square - 1) < 1e-3)) throw new Error(`a vector has length ${Math.sqrt(square)}`);
    }
    const cosine = cosineOf(made.subarray(-dimensions), this.#canary, dimensions);
    if (!(cosine >= leastCosine)) throw new Error(`a known text has another vector now, cosine ${cosine}`);
  }

  /** Gives the device back. */
  release() {
    this.#executor.destroy();
  }
}

/**
 * Has a GPU show what it can do.
 *
 * @param {Encoder} encoder
 * @param {object} options
 * @param {boolean} options.always even where it is software or slower
 * @param {number} options.rate tokens a second of all workers together
 * @param {GPU | undefined} [options.gpu]
 * @param {typeof GpuExecutor.create} [options.create]
 * @returns {Promise<{ gpu: GpuEncoder, refusal: null } | { gpu: null, refusal: Refusal }>}
 */
export async function tryGpu(
  encoder,
  { always, rate, gpu = globalThis.navigator?.gpu, create = GpuExecutor.create },
) {
  const adapter = await within(trialTime, Promise.resolve(gpu?.requestAdapter())).catch(() => null);
  if (!adapter) return refused({ kind: 'none' });
  if (adapter.info?.isFallbackAdapter && !always) return refused({ kind: 'software' });
  const program = encoder.program();
  if (!program) return refused({ kind: 'model' });
  const asked = adapter.requestDevice();
  try {
    const device = await within(trialTime, asked);
    /** @type {string | null} */
    let fault = null;
    device.addEventListener('uncapturederror', ({ error }) => {
      fault ??= error.message;
    });
    const executor = await within(
      trialTime,
      create(device, program, (idx) => encoder.programConstant(idx)),
    );
    const shown = async () =>
      (await compare(executor, encoder)) ?? (always ? null : await race(executor, encoder, rate));
    const refusal = await within(trialTime, shown());
    if (fault !== null) throw new Error(fault);
    if (refusal === null) return { gpu: new GpuEncoder(executor, encoder), refusal };
    device.destroy();
    return refused(refusal);
  } catch (error) {
    // One that comes late is given back.
    void asked.then(
      (late) => late.destroy(),
      () => {},
    );
    if (isFatal(error)) throw error;
    return refused({ kind: 'failed', message: toPlain(error).message });
  }
}

/** @param {Refusal} refusal @returns {{ gpu: null, refusal: Refusal }} */
function refused(refusal) {
  return { gpu: null, refusal };
}

/**
 * Compares vectors of the canaries.
 * @param {GpuExecutor} executor
 * @param {Encoder} encoder
 * @returns {Promise<Refusal | null>}
 */
async function compare(executor, encoder) {
  const made = await executor.embed(encoder.tokens(canaries));
  const dimensions = made.length / canaries.length;
  let cosine = 1;
  for (const [at, text] of canaries.entries()) {
    // A question may come in between.
    await nextMessage();
    const vector = encoder.embedExactly([text]);
    cosine = Math.min(cosine, cosineOf(made.subarray(at * dimensions), vector, dimensions));
  }
  return cosine >= leastCosine ? null : { kind: 'wrong', cosine };
}

/**
 * Times the GPU, first over the canaries.
 * @param {GpuExecutor} executor
 * @param {Encoder} encoder
 * @param {number} cpu tokens a second to beat
 * @returns {Promise<Refusal | null>}
 */
async function race(executor, encoder, cpu) {
  const { ids, lengths } = encoder.tokens(canaries);
  const few = await rateOf(executor, { ids, lengths });
  if (few * hopeless < cpu) return { kind: 'slower', gpu: Math.round(few), cpu: Math.round(cpu) };
  const times = Math.floor(batchTokens / ids.length);
  const gpu = await rateOf(executor, { ids: repeated(ids, times), lengths: repeated(lengths, times) });
  return gpu > cpu ? null : { kind: 'slower', gpu: Math.round(gpu), cpu: Math.round(cpu) };
}

/** Tokens a second. @param {GpuExecutor} executor @param {import('./executor.js').Tokens} tokens */
async function rateOf(executor, tokens) {
  const begin = performance.now();
  await executor.embed(tokens);
  return (tokens.ids.length * 1000) / Math.max(performance.now() - begin, 0.1);
}

/** True if so many texts and tokens and a canary are no more than a batch. @param {number} texts @param {number} tokens @param {number} canary */
const fits = (texts, tokens, canary) => texts < batchTexts - 1 && tokens + canary <= batchTokens;

/** @param {Uint32Array} first @param {Uint32Array} second */
function joined(first, second) {
  const all = new Uint32Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** @param {Uint32Array} values @param {number} times */
function repeated(values, times) {
  const all = new Uint32Array(values.length * times);
  for (let at = 0; at < times; at += 1) all.set(values, at * values.length);
  return all;
}

/**
 * The cosine of two vectors of length 1; NaN where there is one in them.
 * @param {Float32Array} a @param {Float32Array} b @param {number} dimensions
 */
function cosineOf(a, b, dimensions) {
  let sum = 0;
  for (let at = 0; at < dimensions; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

/** @template T @param {number} ms @param {Promise<T>} result @returns {Promise<T>} */
function within(ms, result) {
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no reply in ${ms / 1000} s`)), ms);
  });
  return /** @type {Promise<T>} */ (Promise.race([result, late]).finally(() => clearTimeout(timer)));
}

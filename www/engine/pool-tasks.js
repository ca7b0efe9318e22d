/**
 * The pool's side: hashing and parsing files, and in small steps embedding passages and comparing them with a question.
 * A worker does one background task at a time; a question's embedding may come in between two steps of a batch, never
 * later. Texts of the background are embedded in order of length, so that those of one length run together; passages
 * that a question waits for are embedded and compared in their own order. Where a GPU has won its trial, passages are
 * embedded on it; a question, and what is compared with one, never is: a single text is faster here.
 */

import { bytesOf } from './content.js';
import { encoderMissing, startEncoder } from './encoder-module.js';
import { EngineError, fromPlain, isFatal, toPlain } from './errors.js';
import { Gift } from './gift.js';
import { tryGpu } from './gpu/trial.js';
import { startIngest } from './ingest-module.js';
import { modelFile } from './model-files.js';
import { nextMessage } from './next-message.js';
import { sha256 } from './sha256.js';
import { gpuBatch, microBatch } from './protocol.js';

/** @typedef {import('./protocol.js').PoolRequest} PoolRequest */
/** @typedef {import('./protocol.js').Progress} Progress */
/** @typedef {import('./protocol.js').TokenMatches} TokenMatches */
/** @typedef {import('./encoder-module.js').EncoderModule} EncoderModule */

/**
 * @template T
 * @typedef {import('./protocol.js').Given<T>} Given
 */

export class PoolTasks {
  #model;
  /** The module that reads files, from the page. @type {Gift<import('./ingest-module.js').IngestModule>} */
  #ingest = new Gift();
  /** The encoder with the model, once a task has needed it. @type {Promise<InstanceType<EncoderModule['Encoder']>> | null} */
  #encoder = null;
  /** The encoder's module, from the page. @type {Gift<Awaited<ReturnType<typeof startEncoder>>>} */
  #encoding = new Gift();
  /** True if the batch or the comparison under way is to end at its next step. */
  #hurried = false;
  /** The GPU, once it has won its trial. @type {import('./gpu/trial.js').GpuEncoder | null} */
  #gpu = null;
  #tryGpu;
  #startIngest;
  #startEncoder;

  /**
   * @param {import('./protocol.js').ModelFiles} model an absolute address has its query kept for each file
   * @param {object} [options]
   * @param {typeof startIngest} [options.ingest] the start of the module that reads files
   * @param {typeof startEncoder} [options.encoder] the start of the encoder
   * @param {typeof tryGpu} [options.gpu] the trial of a GPU
   */
  constructor(model, { ingest = startIngest, encoder = startEncoder, gpu = tryGpu } = {}) {
    this.#model = model;
    this.#startIngest = ingest;
    this.#startEncoder = encoder;
    this.#tryGpu = gpu;
  }

  /**
   * @param {PoolRequest} request
   * @param {(progress: Progress) => void} onProgress
   * @returns {Promise<unknown>}
   */
  async handle(request, onProgress) {
    switch (request.type) {
      case 'hash':
        return sha256(request.file).catch(() => null);
      case 'parse':
        return this.#parse(request, onProgress);
      case 'take-ingest':
        this.#takeIngest(request.given);
        return null;
      case 'take-encoder':
        this.#takeEncoder(request.given);
        return null;
      case 'warm': {
        const { fingerprint, dimensions } = await this.#warm();
        return { fingerprint, dimensions };
      }
      case 'embed':
        return this.#embed(request.texts, byLength(request.texts));
      case 'embed-first':
        return this.#embed(request.texts, [...request.texts.keys()]);
      case 'compare':
        return this.#compare(request.query, request.passages);
      case 'hurry':
        this.#hurried = true;
        return null;
      case 'try-gpu': {
        const { gpu, refusal } = await this.#tryGpu(await this.#warm(), request);
        this.#gpu = gpu;
        return refusal;
      }
      case 'release-gpu':
        this.#releaseGpu();
        return null;
      case 'link-graph':
        return (await this.#ingest.module).linkGraph(request.points);
      case 'embed-query': {
        const encoder = await this.#warm();
        return { vector: encoder.embed([request.text]), fingerprint: encoder.fingerprint };
      }
    }
  }

  /** @param {Extract<PoolRequest, { type: 'parse' }>} request @param {(progress: Progress) => void} onProgress */
  async #parse({ file, name, password, maxBytes, maxPages }, onProgress) {
    onProgress({ stage: 'load', done: 0, total: 1 });
    const part = (/** @type {string} */ name) => this.#fetch(name).catch(() => undefined);
    const [ingest, bytes, vocabulary, manifest] = await Promise.all([
      this.#ingest.module,
      readFile(file),
      part('vocab.txt'),
      part('manifest.json'),
    ]);
    const parser = new ingest.Parser(vocabulary, manifest && new TextDecoder().decode(manifest));
    const options = { maxBytes, maxPages, ...(password === null ? {} : { password }) };
    let last = 0;
    return parser.parse(bytes, name, options, (stage, done, total) => {
      // Ten messages a second are enough to watch; the first and the last of a stage always pass.
      const now = performance.now();
      if (done > 0 && done < total && now - last < 100) return;
      last = now;
      onProgress({ stage: /** @type {Progress['stage']} */ (stage), done, total });
    });
  }

  /**
   * Embeds texts in this order, until it is hurried.
   * @param {string[]} texts
   * @param {number[]} order
   * @returns {Promise<import('./protocol.js').Embedded>}
   */
  async #embed(texts, order) {
    this.#hurried = false;
    const encoder = await this.#warm();
    const { dimensions, fingerprint } = encoder;
    const vectors = new Float32Array(texts.length * dimensions);
    const textOf = (/** @type {number} */ position) => texts[position] ?? '';
    const hadGpu = this.#gpu !== null;
    /** @type {string | null} */
    let lost = null;
    const size = () => (this.#gpu ? gpuBatch : microBatch);
    const { done, seconds } = await this.#inSteps(order, size, async (step, at) => {
      const some = step.map(textOf);
      const gpu = this.#gpu;
      try {
        vectors.set(gpu ? await gpu.embed(some) : encoder.embed(some), at * dimensions);
        return step.length;
      } catch (error) {
        if (!gpu || isFatal(error)) throw error;
        if (gpu === this.#gpu) {
          this.#releaseGpu();
          lost = toPlain(error).message;
        }
        // It was lost, or given back meanwhile. Nothing of the step is kept: it is done again here.
        return 0;
      }
    });
    const ended = order.slice(0, done);
    return {
      done: ended,
      vectors: vectors.slice(0, done * dimensions),
      fingerprint,
      seconds,
      tokens: encoder.tokens(ended.map(textOf)).ids.length,
      onGpu: hadGpu && this.#gpu !== null,
      lost,
    };
  }

  #releaseGpu() {
    this.#gpu?.release();
    this.#gpu = null;
  }

  /**
   * Compares a query with passages token by token, in their order, until it is hurried.
   * @param {string} query
   * @param {string[][]} passages each in pieces, such as its sentences
   */
  async #compare(query, passages) {
    this.#hurried = false;
    const encoder = await this.#warm();
    /** @type {TokenMatches[]} */
    const matches = [];
    const size = () => microBatch;
    const { done, seconds } = await this.#inSteps(passages, size, async (step) => {
      matches.push(...encoder.compare(query, step));
      return step.length;
    });
    return { done, matches, seconds };
  }

  /**
   * Works through a list a few at a time, until it is hurried. Messages are handled between two steps.
   * @template T
   * @param {readonly T[]} list
   * @param {() => number} size of the next step
   * @param {(step: T[], at: number) => Promise<number>} work gives how many of the step, from its first on, are done; `at` is
   *   the position of its first
   * @returns {Promise<{ done: number, seconds: number }>} number of those done, and the time of the work
   */
  async #inSteps(list, size, work) {
    let done = 0;
    let seconds = 0;
    while (done < list.length && !this.#hurried) {
      const step = list.slice(done, done + size());
      const begin = performance.now();
      done += await work(step, done);
      seconds += (performance.now() - begin) / 1000;
      await nextMessage();
    }
    return { done, seconds };
  }

  #warm() {
    this.#encoder ??= this.#loadEncoder();
    // A failed load may be tried again: the network comes back.
    this.#encoder.catch(() => (this.#encoder = null));
    return this.#encoder;
  }

  /** @param {Given<import('./protocol.js').ModuleAssets>} given */
  #takeIngest({ assets, problem }) {
    this.#ingest.give(async () => {
      if (assets === null) throw fromPlain(problem);
      return this.#startIngest(assets);
    });
  }

  /** @param {Given<import('./protocol.js').EncoderAssets>} given */
  #takeEncoder({ assets, problem }) {
    this.#encoding.give(async () => {
      if (assets === null) throw encoderMissing(problem.message);
      return this.#startEncoder(assets);
    });
  }

  async #loadEncoder() {
    const manifest = this.#fetch('manifest.json').then((bytes) => new TextDecoder().decode(bytes));
    const [{ module, relaxed }, declared, model, vocabulary, comparison] = await Promise.all([
      this.#encoding.module,
      manifest,
      this.#fetch('model.onnx'),
      this.#fetch('vocab.txt'),
      manifest.then((json) => this.#comparison(json)),
    ]);
    const encoder = new module.Encoder(model, vocabulary, declared, relaxed, comparison);
    if (encoder.comparingProblem) report(encoder.comparingProblem);
    return encoder;
  }

  /**
   * The file for comparing, where the manifest declares one. Without it passages keep the order of the search.
   * @param {string} manifest
   */
  async #comparison(manifest) {
    try {
      const { name } = JSON.parse(manifest).files?.comparison ?? {};
      return typeof name === 'string' ? await this.#fetch(name) : undefined;
    } catch (error) {
      report(toPlain(error).message);
      return undefined;
    }
  }

  /** @param {string} file @returns {Promise<Uint8Array>} */
  async #fetch(file) {
    try {
      return await modelFile(this.#model, file);
    } catch (error) {
      throw new EngineError(
        'model-missing',
        `could not load model/${file}: ${toPlain(error).message}`,
        'Answers are found by words only.',
      );
    }
  }
}

/** Says to developers why passages are not compared with questions. @param {string} problem */
function report(problem) {
  console.warn(`pincite: ${problem}; passages are not compared with questions`);
}

/** Positions of texts, the shortest first. @param {string[]} texts */
function byLength(texts) {
  const length = (/** @type {number} */ position) => texts[position]?.length ?? 0;
  return [...texts.keys()].sort((a, b) => length(a) - length(b) || a - b);
}

/** @param {import('./content.js').Content} file */
async function readFile(file) {
  try {
    return await bytesOf(file);
  } catch {
    throw new EngineError(
      'internal',
      'the file could not be read',
      'It may have been moved or changed. Choose it again.',
    );
  }
}

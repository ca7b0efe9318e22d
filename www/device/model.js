/**
 * A model on this device, out of a GGUF file that a person opened: kept in this browser, loaded into a worker of its own when
 * it is first asked, and asked one request at a time. Nothing is sent anywhere; the program that runs it comes from this site
 * once, and is then kept with the model.
 *
 * Whoever stops waiting for a reply is let go at once; the worker hears of it after the batch of tokens that it is at.
 */

import { EngineError } from '../engine/errors.js';
import { hasRuntime, runtimeFile, workerReady } from '../engine/files.js';
import { sha256 } from '../engine/sha256.js';
import { startWorker } from '../engine/start-worker.js';
import { Draft } from '../llm/conversation.js';
import { LlmError, cancelled } from '../llm/errors.js';
import { onEvent, write } from '../llm/openai.js';
import { failure, refusal, told } from './failures.js';
import { readHeader } from './gguf.js';
import { modelStore } from './kept-model.js';
import { allowedBytes, contextOf } from './memory.js';
import { runtimeHash } from './runtime-hash.js';

/** @typedef {import('../llm/types.js').LlmRequest} LlmRequest */
/** @typedef {import('../llm/types.js').LlmReply} LlmReply */
/** @typedef {import('../llm/types.js').CompleteOptions} CompleteOptions */
/** @typedef {import('../llm/device.js').DeviceState} DeviceState */
/** @typedef {import('./protocol.js').FromWorker} FromWorker */
/** @typedef {import('./kept-model.js').KeptModel} KeptModel */
/** @typedef {Extract<FromWorker, { id: number | null }>} Told an event of one request */

const workerFile = 'device/worker.js';

export class DeviceModel {
  #base;
  #onState;
  /** @type {DeviceState} */
  #state = { phase: 'idle' };
  #store = modelStore();
  /** A model that could not be kept: it is there until the page is closed. @type {KeptModel | null} */
  #held = null;
  /** @type {Promise<Worker> | null} */
  #loading = null;
  /** @type {Worker | null} */
  #worker = null;
  /** Ends what waits for the worker. @type {(error: LlmError) => void} */
  #lose = () => {};
  /** @type {Map<number, (told: Told) => void>} */
  #open = new Map();
  #nRequests = 0;
  /** The request before, which the next one waits for. @type {Promise<unknown>} */
  #turn = Promise.resolve();
  /** @type {() => import('./protocol.js').GpuSetting} */
  #gpu;
  /** True after the program failed on the graphics processor: it is not tried there again. */
  #gpuFailed = false;
  #onGpu = false;
  /** False where the program that runs models must be chosen with a model. */
  hasProgram = hasRuntime;

  /**
   * @param {object} options
   * @param {import('../engine/files.js').AssetBase} options.base
   * @param {() => import('./protocol.js').GpuSetting} options.gpu whether the graphics processor may be used
   * @param {(state: DeviceState) => void} options.onState
   */
  constructor({ base, gpu, onState }) {
    this.#base = base;
    this.#gpu = gpu;
    this.#onState = onState;
  }

  /** The model that is there; one that the browser did not keep is gone with the page. @returns {Promise<{ name: string, bytes: number, isKept: boolean } | null>} */
  async kept() {
    const model = await this.#model();
    return model && { name: model.name, bytes: bytesOf(model.files), isKept: this.#held === null };
  }

  /** Reason why no model runs in this browser; null where one does. @returns {LlmError | null} */
  lack() {
    return hasMemory64()
      ? null
      : new LlmError(
          'unavailable',
          'this browser runs no model in the page: it has no WebAssembly memory of 64 bits',
          {
            reason: 'browser-lacks',
          },
        );
  }

  /**
   * Takes a model from files of this device in the place of the one before. With it may come the program (`.wasm`), where the
   * page does not have it.
   * @param {readonly File[]} files
   * @param {AbortSignal} signal
   * @throws {LlmError}
   */
  async take(files, signal) {
    this.#requireFeatures();
    const parts = await ordered(files.filter(({ name }) => !/\.wasm$/i.test(name)));
    const [first] = parts;
    if (!first) throw new LlmError('unavailable', 'no model file was chosen', { reason: 'file-not-gguf' });
    contextOf({
      fileBytes: bytesOf(parts),
      header: await readHeader(first),
      allowed: allowedBytes(navigator),
    });
    this.close();
    const total = bytesOf(parts);
    this.#show({ phase: 'storing', done: 0, total });
    const program = files.find(({ name }) => /\.wasm$/i.test(name)) ?? null;
    const kept = await this.#model();
    const runtime = await until(this.#runtime(program, kept), signal).finally(() =>
      this.#show({ phase: 'idle' }),
    );
    const model = { name: first.name, files: parts, runtime };
    this.#held = model;
    try {
      await (await this.#store).write(model, (done) => this.#show({ phase: 'storing', done, total }), signal);
      this.#held = null;
    } catch {
      await (await this.#store).clear().catch(() => {});
      if (signal.aborted) this.#held = null;
    }
    this.#show({ phase: 'idle' });
    if (signal.aborted) throw cancelled();
  }

  /** Removes the model from this browser. */
  async remove() {
    this.close();
    this.#held = null;
    await (await this.#store).clear();
  }

  /** Gives back the memory; a request that waits fails. */
  close() {
    this.#lose(cancelled());
    this.#lose = () => {};
    this.#worker?.terminate();
    this.#worker = null;
    this.#loading = null;
    this.#open.clear();
    this.#show({ phase: 'idle' });
  }

  /**
   * @param {LlmRequest} request
   * @param {CompleteOptions} options
   * @returns {Promise<LlmReply>}
   */
  async complete(request, { signal = null, onText = () => {} } = {}) {
    const before = this.#turn;
    const { promise, resolve: done } = Promise.withResolvers();
    this.#turn = promise;
    try {
      await until(before, signal);
      const worker = await this.#loaded(signal);
      return await this.#ask(worker, request, { signal, onText });
    } finally {
      before.then(done);
      if (this.#state.phase !== 'storing') this.#show({ phase: 'idle' });
    }
  }

  /** @throws {LlmError} where this browser cannot run the program */
  #requireFeatures() {
    const lack = this.lack();
    if (lack !== null) throw lack;
  }

  /** @returns {Promise<KeptModel | null>} */
  async #model() {
    return this.#held ?? (await (await this.#store).read().catch(() => null));
  }

  /**
   * The program: that which is kept, if it is of this build, or of the site, or what the person chose.
   * @param {Blob | null} given @param {KeptModel | null} kept
   */
  async #runtime(given, kept) {
    // A copy: the file that is kept goes when another model is.
    for (const found of [kept?.runtime ?? null, given])
      if (found !== null && (await sha256(found)) === runtimeHash)
        return new Blob([await found.arrayBuffer()]);
    if (hasRuntime)
      return runtimeFile(this.#base).catch((error) => {
        throw new LlmError('unavailable', error.message, { reason: 'runtime-unreachable' });
      });
    const message =
      given === null
        ? 'the program that runs models is not in this page'
        : 'the file .wasm is not the program that this page runs models with';
    throw new LlmError('unavailable', message, { reason: 'runtime-missing' });
  }

  /** The worker with the model in it. Who stops waiting while it loads ends it. @param {AbortSignal | null} signal */
  async #loaded(signal) {
    this.#loading ??= this.#load();
    const loading = this.#loading;
    try {
      return await until(loading, signal);
    } catch (error) {
      if (this.#loading === loading) this.close();
      throw error;
    }
  }

  async #load() {
    const { promise: lost, reject } = Promise.withResolvers();
    lost.catch(() => {});
    this.#lose = reject;
    this.#requireFeatures();
    const kept = await this.#model();
    if (kept === null)
      throw new LlmError('unavailable', 'there is no model file in this browser', {
        reason: 'model-file-missing',
      });
    const { files } = kept;
    const header = await readHeader(/** @type {File} */ (files[0]));
    const allowed = allowedBytes(navigator);
    const total = bytesOf(files);
    const context = contextOf({ fileBytes: total, header, allowed });
    const runtime = await this.#runtime(null, kept);
    const worker = await this.#start(reject);
    this.#show({ phase: 'loading', done: 0, total });
    worker.postMessage(
      /** @type {import('./protocol.js').Load} */ ({
        type: 'load',
        runtime,
        files: files.map((file, at) => ({ name: partName(at, files.length), file })),
        context,
        maxBytes: allowed,
        gpu: this.#gpuFailed ? 'never' : this.#gpu(),
      }),
    );
    const ready = new Promise((resolve) => {
      worker.onmessage = ({ data }) => {
        const event = /** @type {FromWorker} */ (data);
        if (event.type === 'read') this.#show({ phase: 'loading', done: event.bytes, total });
        else if (event.type === 'loaded') {
          this.#onGpu = event.onGpu;
          resolve(worker);
        } else if (event.type === 'failed' && event.id === null) {
          this.#gpuFailed ||= event.onGpu;
          this.#fail(worker, event.said);
        } else this.#open.get(/** @type {number} */ (event.id))?.(event);
      };
    });
    return /** @type {Promise<Worker>} */ (Promise.race([ready, lost]));
  }

  /** @param {(error: LlmError) => void} lose of the loading that wants it; one that was given up starts no worker */
  async #start(lose) {
    try {
      await workerReady(workerFile);
      if (this.#lose !== lose) throw cancelled();
      const worker = startWorker(workerFile, this.#base);
      worker.onerror = (event) => {
        event.preventDefault();
        this.#fail(worker, event.message ?? '');
      };
      this.#worker = worker;
      return worker;
    } catch (error) {
      if (error instanceof LlmError) throw error;
      throw failure(error instanceof EngineError ? error.message : String(error));
    }
  }

  /** The program is lost with all that it was asked. @param {Worker} worker @param {string} said */
  #fail(worker, said) {
    if (worker !== this.#worker) return;
    const lose = this.#lose;
    worker.terminate();
    this.#worker = null;
    this.#loading = null;
    lose(failure(said));
  }

  /**
   * @param {Worker} worker
   * @param {LlmRequest} request
   * @param {{ signal: AbortSignal | null, onText: (text: string) => void }} options
   * @returns {Promise<LlmReply>}
   */
  async #ask(worker, request, { signal, onText }) {
    this.#nRequests += 1;
    const id = this.#nRequests;
    const { body } = write(request, 'device', true, () => true);
    const draft = new Draft();
    /** @type {(told: Told) => void} */
    let hear = () => {};
    const reply = new Promise((resolve, reject) => {
      this.#lose = reject;
      hear = (event) => {
        if (event.type === 'ended') return resolve(undefined);
        if (event.type === 'failed') return reject(refusal(event.said));
        if (event.type !== 'event') return;
        if (event.isError) return reject(told(event.data));
        this.#follow(event.data);
        const before = draft.text.length;
        onEvent(draft, '', event.data);
        if (draft.text.length > before) onText(draft.text);
      };
    });
    reply.catch(() => {});
    this.#open.set(id, hear);
    this.#show({ phase: 'reading', done: 0, total: 0 });
    worker.postMessage({
      type: 'complete',
      id,
      body: { ...body, return_progress: true, timings_per_token: true },
    });
    try {
      await until(reply, signal);
    } catch (error) {
      if (signal?.aborted) worker.postMessage({ type: 'cancel', id });
      throw error;
    } finally {
      this.#open.delete(id);
    }
    return { text: draft.text, finish: draft.finish ?? 'other', usage: draft.usage, model: '' };
  }

  /** Shows how a reply gets on. @param {any} data an event of it */
  #follow({ prompt_progress: reading, timings }) {
    if (reading) this.#show({ phase: 'reading', done: reading.processed, total: reading.total });
    else if (timings?.predicted_n > 1)
      this.#show({ phase: 'writing', perSecond: timings.predicted_per_second, onGpu: this.#onGpu });
  }

  /** @param {DeviceState} state */
  #show(state) {
    if (state.phase === 'idle' && this.#state.phase === 'idle') return;
    this.#state = state;
    this.#onState(state);
  }
}

/** Name under which the program finds a part. @param {number} at @param {number} count */
function partName(at, count) {
  const number = (/** @type {number} */ n) => String(n).padStart(5, '0');
  return count === 1 ? 'model.gguf' : `model-${number(at + 1)}-of-${number(count)}.gguf`;
}

/** The parts of one model in their order. @param {readonly File[]} files @throws {LlmError} where one is missing or of another */
async function ordered(files) {
  const parts = await Promise.all(
    files.map(async (file) => ({ file, split: (await readHeader(file)).split })),
  );
  const count = parts[0]?.split.count ?? 0;
  const isWhole =
    parts.length === count &&
    parts.every(({ split }) => split.count === count) &&
    new Set(parts.map(({ split }) => split.no)).size === count;
  if (parts.length > 0 && !isWhole)
    throw new LlmError(
      'unavailable',
      count > 1
        ? `the model has ${count} parts, and these files are not all of them`
        : 'several models were chosen',
      { reason: 'file-split', values: count > 1 ? { parts: count } : {} },
    );
  return parts.sort((a, b) => a.split.no - b.split.no).map(({ file }) => file);
}

/** @param {readonly Blob[]} files */
const bytesOf = (files) => files.reduce((sum, { size }) => sum + size, 0);

/** True if the browser has the kind of memory that the program was compiled for. */
function hasMemory64() {
  try {
    const memory = { initial: 1n, maximum: 1n, shared: true, address: 'i64' };
    new WebAssembly.Memory(/** @type {WebAssembly.MemoryDescriptor} */ (/** @type {unknown} */ (memory)));
    return true;
  } catch {
    return false;
  }
}

/** A promise, or the end of waiting for it. @template T @param {Promise<T>} promise @param {AbortSignal | null} signal @returns {Promise<T>} */
async function until(promise, signal) {
  if (signal?.aborted) throw cancelled();
  const { promise: stopped, reject } = Promise.withResolvers();
  const stop = () => reject(cancelled());
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return /** @type {T} */ (await Promise.race([promise, stopped]));
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/**
 * llama.cpp in a worker: the compiled module with its bindings, as calls of this page. Weights are read piece by piece
 * out of the model's files into the memory of WebAssembly, so they are in memory once.
 *
 * Prompts are read and words written a batch at a time; between two batches the worker hears messages.
 */

import { emscripten, glueDeserialize, glueSerialize } from './wllama.js';

/** @typedef {import('./wllama.js').EmscriptenModule} EmscriptenModule */
/** @typedef {{ name: string, file: Blob }} ModelFile */

/**
 * @typedef {object} LoadOptions
 * @property {WebAssembly.Module} module
 * @property {readonly ModelFile[]} files parts of the model in their order
 * @property {number} context tokens
 * @property {number} maxBytes of memory
 * @property {boolean} onGpu
 * @property {(bytes: number) => void} onRead told how much of the files has been read
 */

/** Tokens that are read at a time. Larger batches are no faster on one core, and longer to wait for when one stops. */
const batch = 64;
const batchOnGpu = 512;
const page = 65536;
/** The module's least memory. */
const initialPages = 2048;
/** Lines of the program's log that are kept to tell why it failed. */
const maxLines = 40;

export class Llama {
  /** @type {EmscriptenModule} */
  #module;
  /** Last words of the program, errors and warnings only. @type {string[]} */
  said = [];
  /** @type {((name: string, message: bigint) => Promise<bigint>) | null} */
  #act = null;
  #onRead;
  #read = 0;
  /** @type {readonly ModelFile[]} */
  #files;
  #memory;

  /** @param {LoadOptions} options */
  constructor({ files, maxBytes, onRead }) {
    this.#files = files;
    this.#onRead = onRead;
    const pages = Math.max(initialPages, Math.floor(maxBytes / page));
    // Of 64 bits, and shared by threads that are never started: so the module was compiled.
    const memory = { initial: BigInt(initialPages), maximum: BigInt(pages), shared: true, address: 'i64' };
    this.#memory = new WebAssembly.Memory(
      /** @type {WebAssembly.MemoryDescriptor} */ (/** @type {unknown} */ (memory)),
    );
    this.#module = /** @type {EmscriptenModule} */ (/** @type {unknown} */ ({}));
  }

  /** Loads the model. @param {LoadOptions} options @throws what stopped it; `said` has why */
  async load({ module: compiled, context, onGpu }) {
    const module = this.#module;
    const note = (/** @type {string} */ line) => {
      if (!/@@(?:INFO|DEBUG)@@/.test(line)) this.said = [...this.said, line].slice(-maxLines);
    };
    if (!onGpu) hideGpu();
    fillInSuspending();
    await new Promise((resolve, reject) => {
      Object.assign(module, {
        noInitialRun: true,
        pthreadPoolSize: 0,
        wasmMemory: this.#memory,
        print: note,
        printErr: note,
        onAbort: note,
        preRun: () => {
          module.ENV['USE_ASYNC_FILE'] = '1';
        },
        onRuntimeInitialized: resolve,
        /** @param {WebAssembly.Imports} imports @param {(instance: WebAssembly.Instance, module: WebAssembly.Module) => void} use */
        instantiateWasm: (imports, use) => {
          Object.assign(/** @type {object} */ (imports['env']), {
            __asyncjs__js_file_read: (/** @type {bigint[]} */ ...place) => this.#readFile(...place),
          });
          WebAssembly.instantiate(compiled, imports).then((instance) => use(instance, compiled), reject);
        },
      });
      emscripten(module);
    });
    module.FS.mkdir('/models');
    for (const { name, file } of this.#files) {
      module.FS_createDataFile('/models', name, new Uint8Array(), true, true, true);
      module.FS.lookupPath(`/models/${name}`).node.usedBytes = file.size;
    }
    const started = await module.cwrap('wllama_start', 'string', [], { async: true })();
    if (!String(started).includes('success')) throw new Error('the program did not start');
    this.#act = /** @type {(name: string, message: bigint) => Promise<bigint>} */ (
      module.cwrap('wllama_action', 'bigint', ['string', 'bigint'], { async: true })
    );
    const { success } = await this.#call('load', {
      _name: 'load_req',
      model_paths: this.#files.map(({ name }) => `/models/${name}`),
      n_ctx_auto: false,
      use_mmap: false,
      use_mlock: false,
      n_gpu_layers: onGpu ? 9999 : 0,
      n_ctx: context,
      n_threads: 1,
      n_batch: onGpu ? batchOnGpu : batch,
      n_ubatch: onGpu ? batchOnGpu : batch,
      n_parallel: 1,
      kv_unified: true,
      warmup: false,
      // Models that think before they answer do so for minutes on one core.
      reasoning: false,
      log_level: 3,
    });
    if (!success) throw new Error('the model did not load');
  }

  /**
   * Events of a chat completion, as a server of llama.cpp would send them.
   * @param {object} body of the request
   * @param {() => boolean} isCancelled asked between two batches
   * @returns {AsyncGenerator<{ data: unknown, isError: boolean }, void, void>}
   */
  async *complete(body, isCancelled) {
    const request = { _name: 'cmpl_req', is_chat: true, data_json: JSON.stringify(body), files: [] };
    const { req_id: id } = await this.#call('completion', request);
    for (let more = true; more; ) {
      await turn();
      if (isCancelled()) {
        await this.#call('cancel', { _name: 'cncl_req', req_id: id });
        return;
      }
      const reply = await this.#call('get_result', { _name: 'gres_req', req_id: id });
      more = reply['has_more'] && !reply['is_error'];
      for (const data of [JSON.parse(reply['data_json'] || 'null')].flat())
        if (data !== null) yield { data, isError: reply['is_error'] };
    }
  }

  /** @param {string} name @param {{ _name: string, [field: string]: unknown }} message */
  async #call(name, message) {
    const bytes = glueSerialize(message);
    const malloc = this.#module.cwrap('wllama_malloc', 'bigint', ['bigint', 'number']);
    const place = Number(await malloc(BigInt(Math.max(bytes.length, 4)), 0));
    this.#heap().set(bytes, place);
    const answer = Number(await this.#act?.(name, BigInt(place)));
    // The program caught an error of its own, and wrote it to its log.
    if (answer === 0) throw new Error('the program refused the request');
    const length = new DataView(this.#memory.buffer).getUint32(place, true);
    return glueDeserialize(this.#heap().slice(answer, answer + length));
  }

  /** Reads a part of a file into the memory. @param {bigint[]} where path, first byte, bytes, and where to put them */
  #readFile(...where) {
    const [path = 0, offset = 0, bytes = 0, place = 0] = where.map(Number);
    const file = this.#files.find(({ name }) => this.#textAt(path).endsWith(`/${name}`))?.file;
    if (!file) return 0n;
    const read = new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.slice(offset, offset + bytes)));
    this.#heap().set(read, place);
    this.#read = Math.max(this.#read, this.#before(file) + offset + read.length);
    this.#onRead(this.#read);
    return BigInt(read.length);
  }

  /** Bytes of the files before this one. @param {Blob} file */
  #before(file) {
    const at = this.#files.findIndex((each) => each.file === file);
    return this.#files.slice(0, at).reduce((sum, each) => sum + each.file.size, 0);
  }

  #heap() {
    return new Uint8Array(this.#memory.buffer);
  }

  /** A text that ends with a zero. @param {number} at */
  #textAt(at) {
    const heap = this.#heap();
    return new TextDecoder().decode(heap.slice(at, heap.indexOf(0, at)));
  }
}

/** A task of its own, in which messages are heard. Timers would wait for milliseconds. */
const turn = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(null);
  });

/** Keeps the program from asking for a graphics processor. */
function hideGpu() {
  const gpu = { requestAdapter: () => Promise.resolve(null) };
  Object.defineProperty(navigator, 'gpu', { value: gpu, configurable: true });
}

/** Stand-ins where the browser cannot suspend WebAssembly: without a graphics processor nothing waits. */
function fillInSuspending() {
  if (Reflect.has(WebAssembly, 'Suspending')) return;
  /** @template T @param {T} imported */
  function Suspending(imported) {
    return imported;
  }
  const promising =
    (/** @type {(...values: unknown[]) => unknown} */ exported) =>
    async (/** @type {unknown[]} */ ...values) =>
      exported(...values);
  Object.assign(WebAssembly, { Suspending, promising });
}

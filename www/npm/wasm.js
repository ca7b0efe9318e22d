/**
 * `pincite/wasm`: the compiled modules bound to JavaScript, for whoever runs them in workers of their own. Each is started
 * once in a thread; what a module needs besides being instantiated is done here.
 */

import { startEncoder } from '../engine/encoder-module.js';
import { EngineError } from '../engine/errors.js';
import { startIngest } from '../engine/ingest-module.js';
import { relaxedModule } from '../engine/relaxed.js';
import { loadGlue } from '../single/glue.js';
import { locate } from './locate.js';

/** @typedef {BufferSource | string | URL} BytesSource bytes, or their address */
/** @typedef {BytesSource | WebAssembly.Module} ModuleSource */

/** @type {Promise<typeof import('pincite-wasm')> | null} */
let engine = null;
/** @type {ReturnType<typeof startIngest> | null} */
let ingest = null;
/** @type {ReturnType<typeof startEncoder> | null} */
let encoder = null;

/**
 * Starts the engine's module in this thread: `Library` searches and answers.
 * @param {ModuleSource} [source] the package's own when absent
 */
export function initEngine(source = own('engine/pincite_wasm_bg.wasm')) {
  engine ??= (async () => {
    const glue = await loadGlue();
    await glue.default({ module_or_path: await compiled(source) });
    return glue;
  })();
  engine.catch(() => (engine = null));
  return engine;
}

/**
 * Starts the module in this thread that reads files: what its `Parser` makes goes to `Library.add`.
 * @param {ModuleSource} [source] the package's own when absent
 */
export function initIngest(source = own('engine/pincite_ingest_bg.wasm')) {
  ingest ??= (async () => startIngest({ glue: '', module: await compiled(source) }))();
  ingest.catch(() => (ingest = null));
  return ingest;
}

/**
 * Starts the encoder's module in this thread: `new Encoder(model, vocabulary, manifest, relaxed, comparison)` embeds
 * texts and, with the file for comparing, compares passages with a question by matrices trained for it.
 * @param {ModuleSource} [source] the package's own when absent
 * @param {BytesSource} [relaxed] products by relaxed SIMD, used where this browser has it; the package's own when absent
 * @returns {ReturnType<typeof startEncoder>} the module, and what `relaxed` of its `Encoder` is to be
 */
export function initEncoder(
  source = own('engine/pincite_encoder_bg.wasm'),
  relaxed = own('engine/pincite_relaxed.wasm'),
) {
  encoder ??= (async () => {
    const products = await relaxedModule(() => bytesOf(relaxed));
    return startEncoder({ glue: '', module: await compiled(source), relaxed: products });
  })();
  encoder.catch(() => (encoder = null));
  return encoder;
}

/** Addresses of the files of the embedding model, by name. */
export const modelFiles = () => ({
  model: own('model/model.onnx'),
  vocabulary: own('model/vocab.txt'),
  manifest: own('model/manifest.json'),
  comparison: own('model/lay.adapter'),
});

/** @param {string} path */
const own = (path) => locate(path, { folder: null, workers: {} });

/** @param {ModuleSource} source */
async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  return WebAssembly.compile(await bytesOf(source));
}

/** @param {BytesSource} source @returns {Promise<BufferSource>} */
async function bytesOf(source) {
  if (typeof source !== 'string' && !(source instanceof URL)) return source;
  const response = await fetch(source);
  if (!response.ok)
    throw new EngineError(
      'assets-missing',
      `expected a module at ${source}, found status ${response.status}`,
    );
  return response.arrayBuffer();
}

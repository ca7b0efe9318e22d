/**
 * Files of the site, for the page: engine, model, workers, samples, what pdf.js reads. They lie below the site's folder
 * and are fetched when they are needed. The page in one file has `single/files.js` in the place of this module.
 */

import { EngineError } from './errors.js';
import { build } from './protocol.js';
import { ending } from '../single/template.js';
import { relaxedModule } from './relaxed.js';

/** @typedef {'engine/worker.js' | 'viewer/pdf.worker.min.mjs'} WorkerFile */

/** With the build's id in its address a host may let a file be cached for good, and a worker that is replaced needs no
 * network. @param {string} path @param {URL} base */
const versioned = (path, base) => new URL(`${path}?v=${build}`, base);

/** Assets that workers start with. @param {URL} base the site's folder @returns {Promise<import('./protocol.js').Assets>} */
export async function engineAssets(base) {
  const response = await fetchFile('engine/pincite_wasm_bg.wasm', base).catch((error) => {
    throw new EngineError('internal', `could not load the engine: ${error.message}`, 'Reload the page.');
  });
  const glue = versioned('engine/pincite_wasm.js', base).href;
  return { glue, module: await compile(response), model: versioned('model/', base).href };
}

/** Encoder that workers embed with, without the model. @param {URL} base @returns {Promise<import('./protocol.js').EncoderAssets>} */
export async function encoderAssets(base) {
  const [module, relaxed] = await Promise.all([
    fetchFile('engine/pincite_encoder_bg.wasm', base).then(compile),
    relaxedModule(async () => (await fetchFile('engine/pincite_relaxed.wasm', base)).arrayBuffer()),
  ]);
  return { glue: versioned('engine/pincite_encoder.js', base).href, module, relaxed };
}

/** Address and type of a worker. @param {WorkerFile} file @param {URL} base @returns {{ href: string, type: WorkerType }} */
export function workerSource(file, base) {
  return { href: versioned(file, base).href, type: 'module' };
}

/** Resolves when a worker of this file can be started. @param {WorkerFile} _file @returns {Promise<void>} */
export async function workerReady(_file) {}

/** A sample, or the list of them. @param {string} name @param {URL} base @returns {Promise<Blob>} */
export async function sampleFile(name, base) {
  const response = await fetch(versioned(`samples/${encodeURIComponent(name)}`, base));
  if (!response.ok) throw new Error(`samples/${name} could not be loaded: status ${response.status}`);
  return response.blob();
}

/**
 * The page of an evidence file up to its data. It is fetched when an answer is saved with its documents.
 * @param {URL} base
 * @returns {Promise<Blob>}
 */
export async function evidenceTemplate(base) {
  const page = await fetchFile('evidence.html', base).then(
    (response) => response.blob(),
    (error) => {
      throw new EngineError('internal', `evidence.html could not be loaded: ${error.message}`);
    },
  );
  return page.slice(0, page.size - ending.length);
}

/**
 * Options of pdf.js for its own data: character maps, fonts, profiles, decoders.
 * @param {string} version of pdf.js @param {URL} base
 */
export function pdfData(version, base) {
  const folder = (/** @type {string} */ name) => new URL(`viewer/${version}/${name}/`, base).href;
  return {
    cMapUrl: folder('cmaps'),
    standardFontDataUrl: folder('standard_fonts'),
    iccUrl: folder('iccs'),
    wasmUrl: folder('wasm'),
  };
}

/** @param {string} path @param {URL} base @returns {Promise<Response>} */
async function fetchFile(path, base) {
  const response = await fetch(versioned(path, base));
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response;
}

/** @param {Response} response @returns {Promise<WebAssembly.Module>} */
async function compile(response) {
  // Some hosts send wasm under another type; it is compiled from its bytes then.
  if (response.headers.get('content-type') === 'application/wasm')
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

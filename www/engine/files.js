/**
 * Files of the site, for the page: engine, model, workers, samples, what pdf.js reads. They lie below the site's folder
 * and are fetched when they are needed. The page in one file has `single/files.js` in the place of this module.
 */

import { EngineError } from './errors.js';
import { locate, modelAddress } from './locate.js';
import { ending } from './page-ending.js';
import { relaxedModule } from './relaxed.js';

export { pdfData, sampleFile } from './locate.js';

/** @typedef {import('./locate.js').AssetBase} AssetBase */
/** @typedef {import('./locate.js').WorkerFile} WorkerFile */

/** @typedef {import('./protocol.js').ModuleAssets} ModuleAssets */

/** The engine, which the owner of the library starts with. @param {AssetBase} base */
export const engineAssets = (base) => moduleAssets('the engine', 'engine/pincite_wasm', base);

/** The module that files are read with. @param {AssetBase} base */
export const ingestAssets = (base) => moduleAssets('what reads files', 'engine/pincite_ingest', base);

/** Encoder that workers embed with, without the model. @param {AssetBase} base @returns {Promise<import('./protocol.js').EncoderAssets>} */
export async function encoderAssets(base) {
  const [assets, relaxed] = await Promise.all([
    moduleAssets('the encoder', 'engine/pincite_encoder', base),
    relaxedModule(async () => (await fetchFile('engine/pincite_relaxed.wasm', base)).arrayBuffer()),
  ]);
  return { ...assets, relaxed };
}

/** Trainer and measures of the lab. @param {AssetBase} base */
export const labAssets = (base) => moduleAssets('the lab', 'lab/pincite_lab', base);

/** The embedding model, for workers. @param {AssetBase} base @returns {Promise<import('./protocol.js').ModelFiles>} */
export const modelFiles = async (base) => modelAddress(base);

/** True if the page has the program that runs models of this device. */
export const hasRuntime = true;

/** Program that runs models of this device. @param {AssetBase} base @returns {Promise<Blob>} */
export async function runtimeFile(base) {
  return (await fetchFile('device/llama.wasm', base)).blob();
}

/** Address and type of a worker. @param {WorkerFile} file @param {AssetBase} base @returns {{ href: string, type: WorkerType }} */
export function workerSource(file, base) {
  return { href: locate(file, base), type: 'module' };
}

/** A file as workers read it. @param {Blob} file @returns {Promise<import('./content.js').Content>} */
export const forWorkers = async (file) => file;

/** Resolves when a worker of this file can be started. @param {WorkerFile} _file @returns {Promise<void>} */
export async function workerReady(_file) {}

/**
 * The page of an evidence file up to its data. It is fetched when an answer is saved with its documents.
 * @param {AssetBase} base
 * @returns {Promise<Blob>}
 */
export async function evidenceTemplate(base) {
  const response = await fetch(locate('evidence.bin', base)).catch(() => null);
  const page = response?.ok ? await response.blob() : null;
  // Servers of single-page applications send their page for whatever they do not have.
  const isIt = page !== null && (await page.slice(-ending.length).text()) === ending;
  const found = response === null ? 'no reply' : response.ok ? 'another page' : `status ${response.status}`;
  if (!isIt) throw new EngineError('internal', `evidence.bin could not be loaded: ${found}`);
  return page.slice(0, page.size - ending.length);
}

/** @param {string} path @param {AssetBase} base @returns {Promise<Response>} */
async function fetchFile(path, base) {
  const address = locate(path, base);
  const response = await fetch(address);
  // Servers of single-page applications send their page for whatever they do not have.
  const isPage = response.headers.get('content-type')?.startsWith('text/html');
  if (!response.ok || isPage)
    throw new EngineError(
      'assets-missing',
      `expected a file at ${address}, found ${response.ok ? 'a web page' : `status ${response.status}`}`,
      `Whoever runs this page: there is no file at ${address}. The folder that \`src\` names must hold engine/, model/ and viewer/.`,
    );
  return response;
}

/**
 * @param {string} what it is, for a person
 * @param {string} name its path, without what wasm-bindgen adds
 * @param {AssetBase} base
 * @returns {Promise<ModuleAssets>}
 */
async function moduleAssets(what, name, base) {
  const response = await fetchFile(`${name}_bg.wasm`, base).catch((error) => {
    if (error instanceof EngineError) throw error;
    throw new EngineError('internal', `could not load ${what}: ${error.message}`, 'Reload the page.');
  });
  return { glue: locate(`${name}.js`, base), module: await compile(response) };
}

/** @param {Response} response @returns {Promise<WebAssembly.Module>} */
async function compile(response) {
  // Some hosts send wasm under another type; it is compiled from its bytes then.
  if (response.headers.get('content-type') === 'application/wasm')
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

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

/** Assets that workers start with. @param {AssetBase} base @returns {Promise<import('./protocol.js').Assets>} */
export async function engineAssets(base) {
  const response = await fetchFile('engine/pincite_wasm_bg.wasm', base).catch((error) => {
    if (error instanceof EngineError) throw error;
    throw new EngineError('internal', `could not load the engine: ${error.message}`, 'Reload the page.');
  });
  const glue = locate('engine/pincite_wasm.js', base);
  return { glue, module: await compile(response), model: modelAddress(base) };
}

/** Encoder that workers embed with, without the model. @param {AssetBase} base @returns {Promise<import('./protocol.js').EncoderAssets>} */
export async function encoderAssets(base) {
  const [module, relaxed] = await Promise.all([
    fetchFile('engine/pincite_encoder_bg.wasm', base).then(compile),
    relaxedModule(async () => (await fetchFile('engine/pincite_relaxed.wasm', base)).arrayBuffer()),
  ]);
  return { glue: locate('engine/pincite_encoder.js', base), module, relaxed };
}

/** Trainer and measures of the lab. @param {AssetBase} base @returns {Promise<{ glue: string, module: WebAssembly.Module }>} */
export async function labAssets(base) {
  const module = await compile(await fetchFile('lab/pincite_lab_bg.wasm', base));
  return { glue: locate('lab/pincite_lab.js', base), module };
}

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

/** @param {Response} response @returns {Promise<WebAssembly.Module>} */
async function compile(response) {
  // Some hosts send wasm under another type; it is compiled from its bytes then.
  if (response.headers.get('content-type') === 'application/wasm')
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

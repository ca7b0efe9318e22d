/**
 * Addresses of the files of the npm package, in place of `engine/locate.js`: without a folder each is named by a literal
 * `new URL(…, import.meta.url)`, which Vite, webpack and others follow. `?no-inline` keeps Vite from writing small files into
 * the script as `data:`, which a strict policy refuses to load. There are no samples.
 */

import { readArchive } from './archive.js';
import { readPdfData } from '../engine/pdf-data.js';
import { build } from '../engine/protocol.js';

/** @typedef {import('../engine/locate.js').AssetBase} AssetBase */
/** @typedef {import('../engine/locate.js').WorkerFile} WorkerFile */

/** Files of the package. @type {Record<string, () => URL>} */
const files = {
  'engine/worker.js': () => new URL('./assets/engine/worker.js?no-inline', import.meta.url),
  'engine/pincite_wasm_bg.wasm': () => new URL('./assets/engine/pincite_wasm_bg.wasm', import.meta.url),
  'engine/pincite_ingest_bg.wasm': () => new URL('./assets/engine/pincite_ingest_bg.wasm', import.meta.url),
  'engine/pincite_encoder_bg.wasm': () => new URL('./assets/engine/pincite_encoder_bg.wasm', import.meta.url),
  'engine/pincite_relaxed.wasm': () =>
    new URL('./assets/engine/pincite_relaxed.wasm?no-inline', import.meta.url),
  'device/worker.js': () => new URL('./assets/device/worker.js?no-inline', import.meta.url),
  'lab/worker.js': () => new URL('./assets/lab/worker.js?no-inline', import.meta.url),
  'lab/pincite_lab_bg.wasm': () => new URL('./assets/lab/pincite_lab_bg.wasm', import.meta.url),
  'device/llama.wasm': () => new URL('./assets/device/llama.wasm', import.meta.url),
  'model/manifest.json': () => new URL('./assets/model/manifest.json?no-inline', import.meta.url),
  'model/model.onnx': () => new URL('./assets/model/model.onnx', import.meta.url),
  'model/vocab.txt': () => new URL('./assets/model/vocab.txt', import.meta.url),
  'model/lay.adapter': () => new URL('./assets/model/lay.adapter', import.meta.url),
  'model/thesaurus.txt': () => new URL('./assets/model/thesaurus.txt', import.meta.url),
  'evidence.bin': () => new URL('./assets/evidence.bin', import.meta.url),
  'viewer/pdf.worker.min.mjs': () => new URL('./assets/viewer/pdf.worker.min.mjs', import.meta.url),
  'viewer/cmaps.bin': () => new URL('./assets/viewer/cmaps.bin', import.meta.url),
  'viewer/standard_fonts.bin': () => new URL('./assets/viewer/standard_fonts.bin', import.meta.url),
  'viewer/wasm.bin': () => new URL('./assets/viewer/wasm.bin', import.meta.url),
};

/** Address of a file; '' for what the worker has inside. @param {string} path @param {AssetBase} base */
export function locate(path, { folder }) {
  const own = files[path];
  if (!own) return '';
  return (folder === null ? own() : new URL(`${path}?v=${build}`, folder)).href;
}

/** The files of the embedding model. @param {AssetBase} base @returns {import('../engine/protocol.js').ModelFiles} */
export function modelAddress(base) {
  const names = ['manifest.json', 'model.onnx', 'vocab.txt', 'lay.adapter', 'thesaurus.txt'];
  return Object.fromEntries(names.map((name) => [name, locate(`model/${name}`, base)]));
}

/** @param {string} name @returns {Promise<Blob>} */
export const sampleFile = (name) => Promise.reject(new Error(`the package has no samples, so no ${name}`));

/** Archives of data of pdf.js, by address. @type {Map<string, Promise<Map<string, Uint8Array>>>} */
const archives = new Map();

/** Options of pdf.js for its own data. @param {string} _version @param {AssetBase} base */
export function pdfData(_version, base) {
  return readPdfData(async (path) => {
    const [kind = '', name = ''] = path.split('/');
    const address = locate(`viewer/${kind}.bin`, base);
    const archive = archives.get(address) ?? fetchArchive(address);
    archives.set(address, archive);
    archive.catch(() => archives.delete(address));
    const file = (await archive).get(name);
    if (!file) throw new Error(`${path} is not in the package`);
    return file.slice();
  });
}

/** @param {string} address */
async function fetchArchive(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`status ${response.status} at ${address}`);
  return readArchive(new Uint8Array(await response.arrayBuffer()));
}

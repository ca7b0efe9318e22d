/**
 * Addresses of the site's files below its folder. The npm package has `npm/locate.js` in the place of this module: there
 * each file has an address of its own, which a bundler can follow.
 */

import { build } from './protocol.js';

/** @typedef {'engine/worker.js' | 'device/worker.js' | 'lab/worker.js' | 'viewer/pdf.worker.min.mjs'} WorkerFile */

/** Address of a script, or a `TrustedScriptURL`, which is an object. @typedef {string | URL | object} ScriptAddress */

/**
 * Source of the files.
 * @typedef {object} AssetBase
 * @property {URL | null} folder that holds `engine/`, `model/`, `device/` and `viewer/`; null for that of the page, or the package's own files
 * @property {Partial<Record<WorkerFile, ScriptAddress>>} workers addresses of workers that the page around gives, each in
 *   place of ours
 */

/**
 * Address of a file. With the build's id in it a host may let the file be cached for good, and a worker that is replaced
 * needs no network.
 * @param {string} path below the folder
 * @param {AssetBase} base
 */
export const locate = (path, base) => new URL(`${path}?v=${build}`, folderOf(base)).href;

/** The embedding model, as workers read it. @param {AssetBase} base @returns {import('./protocol.js').ModelFiles} */
export const modelAddress = (base) => locate('model/', base);

/** A sample, or the list of them. @param {string} name @param {AssetBase} base @returns {Promise<Blob>} */
export async function sampleFile(name, base) {
  const response = await fetch(locate(`samples/${encodeURIComponent(name)}`, base));
  if (!response.ok) throw new Error(`samples/${name} could not be loaded: status ${response.status}`);
  return response.blob();
}

/**
 * Options of pdf.js for its own data: character maps, fonts, profiles, decoders.
 * @param {string} version of pdf.js @param {AssetBase} base
 * @returns {import('./pdf-data.js').PdfDataOptions}
 */
export function pdfData(version, base) {
  const folder = (/** @type {string} */ name) => new URL(`viewer/${version}/${name}/`, folderOf(base)).href;
  return {
    cMapUrl: folder('cmaps'),
    standardFontDataUrl: folder('standard_fonts'),
    iccUrl: folder('iccs'),
    wasmUrl: folder('wasm'),
  };
}

/** @param {AssetBase} base */
const folderOf = ({ folder }) => folder ?? new URL('./', document.baseURI);

/**
 * Files of the site inside the page in one file, in place of `engine/files.js`: `file://` lets a page load nothing from
 * beside it. Each file is compressed and written in base 85 into one or more blocks of data,
 * `<script type="text/plain" data-file="PATH">`, at the end of the page.
 */

import { EngineError } from '../engine/errors.js';
import { relaxedModule } from '../engine/relaxed.js';
import { decode } from './base85.js';

/** @typedef {import('../engine/files.js').WorkerFile} WorkerFile */

/** Names of the model's files. */
const modelNames = ['manifest.json', 'model.onnx', 'vocab.txt', 'lay.adapter', 'thesaurus.txt'];
/** Files that were taken out of the page, compressed. @type {Map<string, Promise<Blob>>} */
const taken = new Map();
/** Addresses of workers, which are made for this page and end with it. @type {Map<WorkerFile, string>} */
const workers = new Map();

/** @returns {Promise<import('../engine/protocol.js').Assets>} */
export async function engineAssets() {
  const [compiled, model] = await Promise.all([
    unpacked('engine/pincite_wasm_bg.wasm').then((bytes) => WebAssembly.compile(bytes)),
    Promise.all(modelNames.map(async (name) => /** @type {const} */ ([name, await packed(`model/${name}`)]))),
  ]);
  return { glue: '', module: compiled, model: Object.fromEntries(model) };
}

/** @returns {Promise<import('../engine/protocol.js').EncoderAssets>} */
export async function encoderAssets() {
  const [compiled, relaxed] = await Promise.all([
    unpacked('engine/pincite_encoder_bg.wasm').then((bytes) => WebAssembly.compile(bytes)),
    relaxedModule(() => unpacked('engine/pincite_relaxed.wasm')),
  ]);
  return { glue: '', module: compiled, relaxed };
}

/** @param {WorkerFile} file @returns {{ href: string, type: WorkerType }} */
export function workerSource(file) {
  const href = workers.get(file);
  if (href === undefined) throw new Error(`${file} is not ready`);
  return { href, type: 'classic' };
}

/** Resolves when a worker of this file can be started. @param {WorkerFile} file */
export async function workerReady(file) {
  if (workers.has(file)) return;
  const source = new Blob([await unpacked(file)], { type: 'text/javascript' });
  if (!workers.has(file)) workers.set(file, URL.createObjectURL(source));
}

/** A sample, or the list of them. @param {string} name */
export async function sampleFile(name) {
  return new Blob([await unpacked(`samples/${name}`)]);
}

/** Options of pdf.js for its own data. Colour profiles are not among them: pdf.js reads them by address only. */
export function pdfData() {
  return {
    cMapUrl: 'viewer/cmaps/',
    standardFontDataUrl: 'viewer/standard_fonts/',
    wasmUrl: 'viewer/wasm/',
    useWorkerFetch: false,
    BinaryDataFactory,
  };
}

/** Source of the data of pdf.js. */
class BinaryDataFactory {
  /** @type {Record<string, string>} */
  #folders;

  /** @param {Record<string, string>} folders by kind */
  constructor(folders) {
    this.#folders = folders;
  }

  /** @param {{ kind: string, filename: string }} wanted */
  async fetch({ kind, filename }) {
    return new Uint8Array(await unpacked(`${this.#folders[kind] ?? ''}${filename}`));
  }
}

/** @param {string} path @returns {Promise<ArrayBuffer>} */
async function unpacked(path) {
  const file = await packed(path);
  try {
    return await new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  } catch {
    throw damaged(path);
  }
}

/** A file as it is compressed. @param {string} path @returns {Promise<Blob>} */
function packed(path) {
  const file = taken.get(path) ?? take(path);
  taken.set(path, file);
  return file;
}

/** Takes a file out of the page, block by block, so that the page answers in between. @param {string} path */
async function take(path) {
  await loaded();
  const blocks = document.querySelectorAll(`script[data-file="${CSS.escape(path)}"]`);
  const parts = [];
  for (const block of blocks) {
    try {
      parts.push(decode((block.textContent ?? '').trim()));
    } catch {
      throw damaged(path);
    }
    block.remove();
    await new Promise((resolve) => setTimeout(resolve));
  }
  if (parts.length === 0) throw damaged(path);
  return new Blob(parts);
}

/** Resolves when the page was read to its end. @returns {Promise<void>} */
function loaded() {
  if (document.readyState !== 'loading') return Promise.resolve();
  return new Promise((resolve) =>
    document.addEventListener('DOMContentLoaded', () => resolve(), { once: true }),
  );
}

/** @param {string} path */
function damaged(path) {
  return new EngineError(
    'page-damaged',
    `${path} is missing or damaged in this page`,
    'Get the file again, and compare its SHA-256 with the one that came with it.',
  );
}

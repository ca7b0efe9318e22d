/**
 * Files of the site inside the page in one file, in place of `engine/files.js`: `file://` lets a page load nothing from
 * beside it. Each file is compressed and written in base 85 into one or more blocks of data,
 * `<script type="text/plain" data-file="PATH">`, at the end of the page.
 */

import { bytesOf } from '../engine/content.js';
import { EngineError } from '../engine/errors.js';
import { readPdfData } from '../engine/pdf-data.js';
import { relaxedModule } from '../engine/relaxed.js';
import { decode } from './base85.js';
import { blockBytes, blocksOf, frameName, headOf, isForEvidence } from './template.js';

/** @typedef {import('../engine/files.js').WorkerFile} WorkerFile */

/** Names of the model's files; an evidence file has none. */
const modelNames =
  document.querySelector('pincite-evidence') === null
    ? ['manifest.json', 'model.onnx', 'vocab.txt', 'lay.adapter', 'thesaurus.txt']
    : [];
/** Names of all files in the page, in their order. @type {string[] | null} */
let names = null;
/** Files that were taken out of the page, compressed. @type {Map<string, Promise<Blob>>} */
const taken = new Map();
/** Addresses of workers, which are made for this page and end with it. @type {Map<WorkerFile, string>} */
const workers = new Map();

/** @typedef {import('../engine/protocol.js').ModuleAssets} ModuleAssets */

export const engineAssets = () => moduleAssets('engine/pincite_wasm');

export const ingestAssets = () => moduleAssets('engine/pincite_ingest');

/** @returns {Promise<import('../engine/protocol.js').EncoderAssets>} */
export async function encoderAssets() {
  const [assets, relaxed] = await Promise.all([
    moduleAssets('engine/pincite_encoder'),
    relaxedModule(() => unpacked('engine/pincite_relaxed.wasm')),
  ]);
  return { ...assets, relaxed };
}

export const labAssets = () => moduleAssets('lab/pincite_lab');

/** @returns {Promise<import('../engine/protocol.js').ModelFiles>} */
export async function modelFiles() {
  const files = modelNames.map(
    async (name) => /** @type {const} */ ([name, await bytesOf(await packed(`model/${name}`))]),
  );
  return Object.fromEntries(await Promise.all(files));
}

/** The program that runs models of this device would take this page over its size: whoever has a model gives it too. */
export const hasRuntime = false;

/** @returns {Promise<never>} */
export const runtimeFile = () => Promise.reject(new Error('it is not in this page'));

/** @param {WorkerFile} file @returns {{ href: string, type: WorkerType }} */
export function workerSource(file) {
  const href = workers.get(file);
  if (href === undefined) throw new Error(`${file} is not ready`);
  return { href, type: 'classic' };
}

/**
 * A file as workers read it. In WebKit a worker of a page from a disk reads no blob, not even one that it has made. Of a
 * file that the page cannot read either, the worker says so.
 * @param {Blob} file
 * @returns {Promise<import('../engine/content.js').Content>}
 */
export const forWorkers = (file) => bytesOf(file).catch(() => file);

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

/**
 * The page of an evidence file up to its data, made of what is in this one: `file://` lets it read no file, not even
 * itself.
 * @returns {Promise<Blob>}
 */
export async function evidenceTemplate() {
  const frame = await new Response(await unpacked(frameName)).text();
  const [style, script] = await Promise.all([
    ownText(document.querySelectorAll('style'), frame),
    ownText(document.querySelectorAll('script:not([type])'), frame),
  ]);
  /** @type {BlobPart[]} */
  const parts = [headOf(frame, { style, script })];
  for (const name of (names ?? []).filter(isForEvidence)) {
    const file = await packed(name);
    for (let at = 0; at < file.size; at += blockBytes)
      parts.push(...blocksOf(name, new Uint8Array(await file.slice(at, at + blockBytes).arrayBuffer())));
  }
  return new Blob(parts);
}

/**
 * Text of the one element that the policy of the frame names by its hash: an extension of the browser may have put
 * others into this page.
 * @param {Iterable<Element>} elements
 * @param {string} frame
 */
async function ownText(elements, frame) {
  for (const { textContent } of elements) {
    const text = textContent ?? '';
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
    if (frame.includes(`'sha256-${btoa(String.fromCharCode(...digest))}'`)) return text;
  }
  throw damaged('its script');
}

/** Options of pdf.js for its own data. */
export const pdfData = () => readPdfData(async (path) => new Uint8Array(await unpacked(`viewer/${path}`)));

/** @param {string} name @returns {Promise<ModuleAssets>} */
async function moduleAssets(name) {
  return { glue: '', module: await WebAssembly.compile(await unpacked(`${name}_bg.wasm`)) };
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
  names ??= Array.from(
    document.querySelectorAll('script[data-file]'),
    (block) => block.getAttribute('data-file') ?? '',
  ).filter((name, at, all) => all.indexOf(name) === at);
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

/**
 * The build's id: a hash of everything that must fit together in a visitor's browser. Every part of the site but
 * `index.html` is fetched with this id in its address, and hosts may let such an address be cached for good. So whatever is
 * fetched by it must be in it: the page's and the workers' sources and what bundles them, the engine with its glue, the model,
 * pdf.js with its worker, the program that runs models, the samples.
 */

import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { wllamaFiles } from './wllama.mjs';

/** Folders of the page's sources. */
const sources = [
  'agents',
  'device',
  'dom',
  'engine',
  'evidence',
  'icons',
  'lab',
  'llm',
  'offline',
  'remote',
  'single',
  'strings',
  'viewer',
  'widget',
];
const pageFiles = ['index.html', 'manifest.webmanifest', 'page.css', 'page.js'];
/** Scripts that bundle the sources: other chunks of the same sources are another build. */
const bundlers = ['build.mjs', 'build-stamp.mjs', 'one-chunk.mjs', 'wllama.mjs'];
/** Engine, ingest and encoder with their glue, and products by relaxed SIMD. */
export const engineFiles = [
  'pincite_wasm.js',
  'pincite_wasm_bg.wasm',
  'pincite_ingest.js',
  'pincite_ingest_bg.wasm',
  'pincite_encoder.js',
  'pincite_encoder_bg.wasm',
  'pincite_relaxed.wasm',
];
/** Trainer and measures of the lab, with their glue. */
export const labFiles = ['pincite_lab.js', 'pincite_lab_bg.wasm'];
export const modelFiles = ['manifest.json', 'model.onnx', 'vocab.txt', 'lay.adapter'];
/** Words for one concept: the page's `model/thesaurus.txt`. */
export const thesaurusFile = fileURLToPath(new URL('../models/thesaurus/legal.txt', import.meta.url));
const pdfjsFiles = ['legacy/build/pdf.min.mjs', 'legacy/build/pdf.worker.min.mjs'];

/** @param {string} folder @returns {Promise<string[]>} files below it, sorted */
export async function filesBelow(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/** The list of samples and those that it names; none without it. @param {string} folder @returns {Promise<string[]>} */
export async function sampleFiles(folder) {
  const list = path.join(folder, 'samples.json');
  const text = await readFile(list, 'utf8').catch(() => null);
  if (text === null) return [];
  return [
    list,
    ...JSON.parse(text).map((/** @type {{ file: string }} */ { file }) => path.join(folder, file)),
  ];
}

/**
 * @param {object} folders
 * @param {string} folders.www
 * @param {string} folders.pkg the engine, as wasm-bindgen wrote it
 * @param {string} folders.model
 * @param {string} folders.pdfjs the package of pdf.js
 * @param {string} [folders.samples] none in the npm package
 * @param {string[]} [folders.more] folders of sources that this build has besides the site's
 */
export async function buildId({ www, pkg, model, pdfjs, samples, more = [] }) {
  const files = [
    ...(await Promise.all([...sources, ...more].map((folder) => filesBelow(path.join(www, folder))))).flat(),
    ...[...engineFiles, ...labFiles].map((file) => path.join(pkg, file)),
    ...modelFiles.map((file) => path.join(model, file)),
    thesaurusFile,
    ...pdfjsFiles.map((file) => path.join(pdfjs, file)),
    ...wllamaFiles,
    ...[...pageFiles, ...bundlers].map((file) => path.join(www, file)),
    ...(samples === undefined ? [] : await sampleFiles(samples)),
  ].filter((file) => !file.endsWith('.test.js'));
  const hash = createHash('sha256');
  for (const file of files) {
    // A site may be built without the model or, in tests, without the engine.
    const bytes = await readFile(file).catch(() => Buffer.alloc(0));
    hash.update(`${path.basename(file)} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 16);
}

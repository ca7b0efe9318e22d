/**
 * Speed of the encoder: tokens a second of the engine and of onnxruntime-web, fp32 and int8, one thread each, in turn in one
 * Chromium. Prints a few lines; `encoder.txt` keeps them.
 *
 *   node tests/bench/encoder.mjs [--pkg DIR] [--model DIR] [--compare DIR] [--rounds N] [--gpu]
 *
 * `--compare` holds fp32.onnx, int8.onnx and cases.json, which encoder_models.py makes. The texts are 32 of 128 tokens, by
 * which encoders are usually compared, and passages of a rulebook as they are; a batch holds texts of one length, as in
 * the engine. With `--gpu` the engine's program runs on the GPU too, if Chromium has one that is no software.
 */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromiumArgs } from '../browser/harness.mjs';
import { openPages } from './pages.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    pkg: { type: 'string', default: path.join(root, 'target/wasm-pkg') },
    model: { type: 'string', default: path.join(root, 'models/build') },
    compare: { type: 'string', default: path.join(root, 'target/encoder-bench') },
    rounds: { type: 'string', default: '5' },
    gpu: { type: 'boolean', default: false },
  },
});
const runtime = path.join(root, 'tests/bench/node_modules/onnxruntime-web');
const { version } = JSON.parse(await readFile(path.join(runtime, 'package.json'), 'utf8'));
const cases = JSON.parse(await readFile(path.join(values.compare, 'cases.json'), 'utf8'));

const { pkg: engine, model, compare, gpu } = values;
const args = gpu
  ? [
      ...chromiumArgs.filter((arg) => arg !== '--disable-gpu'),
      '--enable-unsafe-webgpu',
      '--enable-features=Vulkan',
      '--use-angle=vulkan',
    ]
  : chromiumArgs;
const www = path.join(root, 'www');
const pages = await openPages({ engine, model, compare, www, ort: path.join(runtime, 'dist') }, args);
try {
  const { load, megabytes, sets } = await pages.call('encoder-page.mjs', 'measure', [
    cases,
    Number(values.rounds),
    gpu,
  ]);
  console.log(`${pages.machine}, onnxruntime-web ${version}, one thread each; medians of ${values.rounds}`);
  console.log(`engine: loaded in ${load} ms, ${megabytes} MB of memory after the whole run`);
  for (const { name, rates, cosines } of sets) {
    const ratio = (/** @type {string} */ which, /** @type {string} */ to) =>
      (rates[which] / rates[to]).toFixed(2);
    const shown = (/** @type {string} */ which) =>
      `${rates[which]} tokens a second, ${ratio(which, 'fp32')} of fp32, ${ratio(which, 'int8')} of int8; ` +
      `least cosine to fp32 ${cosines[which].toFixed(5)}`;
    console.log(`${name}: fp32 ${rates.fp32}, int8 ${rates.int8} (least cosine ${cosines.int8.toFixed(5)})`);
    console.log(`  simd128: ${shown('engine')}`);
    console.log(`  relaxed SIMD: ${shown('relaxed')}`);
    if (gpu) console.log(`  GPU: ${rates.gpu ? shown('gpu') : 'Chromium has none, or only software'}`);
  }
} finally {
  await pages.close();
}

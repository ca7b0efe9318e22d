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

const { pkg, model, compare, gpu } = values;
const args = gpu
  ? [
      ...chromiumArgs.filter((arg) => arg !== '--disable-gpu'),
      '--enable-unsafe-webgpu',
      '--enable-features=Vulkan',
      '--use-angle=vulkan',
    ]
  : chromiumArgs;
const www = path.join(root, 'www');
const pages = await openPages({ pkg, model, compare, www, ort: path.join(runtime, 'dist') }, args);
try {
  const { load, megabytes, sets } = await pages.call('encoder-page.mjs', 'measure', [
    cases,
    Number(values.rounds),
    gpu,
  ]);
  console.log(`${pages.machine}, onnxruntime-web ${version}, one thread each; medians of ${values.rounds}`);
  console.log(`engine: loaded in ${load} ms, ${megabytes} MB of memory after the whole run`);
  for (const { name, rates, cosines } of sets) {
    const ratio = (/** @type {string} */ to) => (rates.engine / rates[to]).toFixed(2);
    console.log(
      `${name}: tokens a second ${rates.engine}, fp32 ${rates.fp32}, int8 ${rates.int8}; ` +
        `${ratio('fp32')} of fp32, ${ratio('int8')} of int8; ` +
        `least cosine to fp32 ${cosines.engine.toFixed(5)}, of int8 ${cosines.int8.toFixed(5)}`,
    );
    if (rates.gpu)
      console.log(
        `  on the GPU ${rates.gpu}, ${(rates.gpu / rates.engine).toFixed(2)} of the engine's; ` +
          `least cosine to fp32 ${cosines.gpu.toFixed(5)}`,
      );
    else if (gpu) console.log('  no GPU: Chromium has none, or only software');
  }
} finally {
  await pages.close();
}

/**
 * The encoder's module, in a worker: beside the engine's, with a memory of its own. It is more than half of what wasm a page
 * has, and nothing but vectors needs it, so a worker starts it when it embeds for the first time.
 */

import { EngineError, toPlain } from './errors.js';
import { loadEncoderGlue } from './glue.js';
import { guarded } from './guard.js';
import { setUpRelaxed } from './relaxed.js';

/** @typedef {Pick<typeof import('pincite-encoder'), 'Encoder'>} EncoderModule */

/** @param {string} problem */
export const encoderMissing = (problem) =>
  new EngineError(
    'model-missing',
    `could not load the encoder: ${problem}`,
    'Answers are found by words only.',
  );

/**
 * @param {import('./protocol.js').EncoderAssets} assets
 * @returns {Promise<{ module: EncoderModule, relaxed: boolean }>} the module, and whether products by relaxed SIMD are set up
 */
export async function startEncoder(assets) {
  const wasm = await loadEncoderGlue(assets).catch((error) => {
    throw encoderMissing(toPlain(error).message);
  });
  const exports = await wasm.default({ module_or_path: assets.module });
  exports.__wasm_call_ctors(); // once, see crate/wasm-encoder/build.rs
  return { module: guarded(wasm), relaxed: await setUpRelaxed(assets.relaxed, exports.memory) };
}

/**
 * The bindings of engine and encoder, for workers: modules beside the compiled ones, as wasm-bindgen made them. The page in
 * one file has `single/glue.js` in the place of this module.
 */

/** @param {import('./protocol.js').Assets} assets @returns {Promise<typeof import('pincite-wasm')>} */
export const loadGlue = (assets) => import(assets.glue);

/** @param {import('./protocol.js').EncoderAssets} assets @returns {Promise<typeof import('pincite-encoder')>} */
export const loadEncoderGlue = (assets) => import(assets.glue);

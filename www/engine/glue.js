/**
 * The bindings of engine, ingest and encoder, for workers: modules beside the compiled ones, as wasm-bindgen made them. The page in
 * one file has `single/glue.js` in the place of this module.
 */

/** @param {import('./protocol.js').ModuleAssets} assets @returns {Promise<typeof import('pincite-wasm')>} */
export const loadGlue = (assets) => import(assets.glue);

/** @param {import('./protocol.js').ModuleAssets} assets @returns {Promise<typeof import('pincite-ingest')>} */
export const loadIngestGlue = (assets) => import(assets.glue);

/** @param {import('./protocol.js').ModuleAssets} assets @returns {Promise<typeof import('pincite-encoder')>} */
export const loadEncoderGlue = (assets) => import(assets.glue);

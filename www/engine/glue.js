/**
 * The engine's binding, for workers: a module of its own beside the compiled engine, as wasm-bindgen made it. The page in
 * one file has `single/glue.js` in the place of this module.
 */

/** @param {import('./protocol.js').Assets} assets @returns {Promise<typeof import('pincite-wasm')>} */
export const loadGlue = (assets) => import(assets.glue);

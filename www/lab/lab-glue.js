/**
 * The bindings of the lab's module, for its worker: a module beside the compiled one, as wasm-bindgen made it. The page in one
 * file has `single/lab-glue.js` in the place of this module.
 */

/** @param {string} glue address @returns {Promise<typeof import('pincite-lab')>} */
export const loadLab = (glue) => import(glue);

/**
 * The engine's binding inside the worker of the page in one file: what it would be imported from has no address there.
 */

import * as wasm from 'pincite-wasm';

/** @returns {Promise<typeof import('pincite-wasm')>} */
export const loadGlue = async () => wasm;

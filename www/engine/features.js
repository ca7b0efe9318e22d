/**
 * Features of this browser, checked once. Threads and cross-origin isolation are never required: every worker
 * has its own wasm instance.
 */

import { EngineError } from './errors.js';

/** A module with one function that uses a v128 constant: it validates only where wasm SIMD exists. */
const simdProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98,
  11,
]);

/** @throws {EngineError} when something is missing without which nothing works */
export function requireFeatures() {
  const missing = [];
  if (typeof WebAssembly !== 'object') missing.push('WebAssembly');
  else if (!WebAssembly.validate(simdProbe)) missing.push('WebAssembly SIMD');
  if (typeof Worker !== 'function') missing.push('workers');
  if (typeof customElements !== 'object') missing.push('custom elements');
  if (missing.length > 0) {
    throw new EngineError('unsupported-browser', `missing here: ${missing.join(', ')}`);
  }
}

/**
 * Number of pool workers: one core is left for page and owner where there are more than two, and each worker may hold the
 * model (53 MB) and read a file (some 300 MB), so there is one for each gigabyte. Browsers that do not say how much there
 * is are taken to have four.
 * @param {{ hardwareConcurrency?: number, deviceMemory?: number }} machine a Navigator, or a stand-in
 * @returns {number} 1 to 4
 */
export function poolSize({ hardwareConcurrency = 2, deviceMemory = 4 }) {
  const byCores = hardwareConcurrency > 2 ? hardwareConcurrency - 1 : hardwareConcurrency;
  const byMemory = Math.floor(deviceMemory);
  return Math.max(1, Math.min(4, byCores, byMemory));
}

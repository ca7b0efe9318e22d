/**
 * The module that reads files, in a worker of the pool: beside the engine's, with a memory of its own. A page whose library is
 * stored answers without it, so a worker starts it when it reads its first file.
 */

import { loadIngestGlue } from './glue.js';
import { guarded } from './guard.js';

/** @typedef {Pick<typeof import('pincite-ingest'), 'Parser' | 'linkGraph'>} IngestModule */

/** @param {import('./protocol.js').ModuleAssets} assets @returns {Promise<IngestModule>} */
export async function startIngest(assets) {
  const wasm = await loadIngestGlue(assets);
  await wasm.default({ module_or_path: assets.module });
  return guarded(wasm);
}

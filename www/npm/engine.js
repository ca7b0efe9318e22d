/**
 * `pincite/engine`: the engine without the widget. It reads, searches and answers in workers; the page around draws.
 */

import { Engine } from '../engine/client.js';

export { Engine };
export { EngineError } from '../engine/errors.js';

/** @typedef {import('../engine/client.js').Snapshot} Snapshot */
/** @typedef {import('../engine/protocol.js').Answer} Answer */
/** @typedef {import('../engine/protocol.js').Citation} Citation */
/** @typedef {import('../engine/protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {import('../engine/protocol.js').SearchReply} SearchReply */

/**
 * @typedef {object} EngineOptions
 * @property {string} [library] name of the stored library; `pincite` when absent
 * @property {string | URL} [src] folder of a copy of the package's `assets/`, relative to the page; the package's own when absent
 * @property {import('../engine/files.js').AssetBase['workers']} [workers] addresses of workers, where the page's policy is to
 *   make them
 */

/**
 * Starts an engine. Resolves when the stored library has been loaded and questions can be asked.
 * @param {EngineOptions} [options]
 * @returns {Promise<Engine>}
 * @throws {EngineError}
 */
export async function openEngine({ library, src, workers = {} } = {}) {
  const folder =
    src === undefined ? null : new URL(String(src).replace(/\/?$/, '/'), globalThis.document?.baseURI);
  const engine = new Engine({ base: { folder, workers }, ...(library === undefined ? {} : { library }) });
  try {
    await engine.opened;
  } catch (error) {
    engine.close();
    throw error;
  }
  return engine;
}

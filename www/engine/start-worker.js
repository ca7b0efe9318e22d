/**
 * Workers of this site, also on a page that lets no address be run which is only a text
 * (`require-trusted-types-for 'script'`). The policy is called `pincite`; it lets through the workers of this list, at
 * the addresses that this module makes, and nothing else. It is made when the first worker is started and never handed
 * out. A page that allows no policy of this name gives addresses that a policy of its own has made (`AssetBase.workers`).
 */

import { EngineError } from './errors.js';
import { workerSource } from './files.js';

/** @typedef {{ createScriptURL: (address: string) => unknown }} Policy */

/** Addresses of the workers that were started. @type {Set<string>} */
const ours = new Set();
/** Undefined until it is needed, null where there is none. @type {Policy | null | undefined} */
let policy;

/**
 * Starts a worker of this site.
 * @param {import('./files.js').WorkerFile} file ready, see `workerReady`
 * @param {import('./files.js').AssetBase} base
 * @param {WorkerOptions} [options]
 * @throws {EngineError} `policy-refused` where the page lets no worker be started
 */
export function startWorker(file, base, options = {}) {
  const { href, type } = workerSource(file, base);
  const given = base.workers[file] ?? href;
  try {
    return new Worker(/** @type {string} */ (trusted(given)), { type, ...options });
  } catch (error) {
    throw new EngineError(
      'policy-refused',
      `could not start ${file}: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** Starts the service worker of the static page, which looks for another version of it past every cache. @param {URL} base the folder of the site */
export function startServiceWorker(base) {
  const address = /** @type {string} */ (trusted(new URL('service-worker.js', base)));
  return navigator.serviceWorker.register(address, { updateViaCache: 'none' });
}

/** An address that the page runs. @param {import('./locate.js').ScriptAddress} address @returns {unknown} */
function trusted(address) {
  if (typeof address !== 'string' && !(address instanceof URL)) return address;
  const href = String(address);
  ours.add(href);
  policy ??= makePolicy();
  return policy === null ? href : policy.createScriptURL(href);
}

/** @returns {Policy | null} */
function makePolicy() {
  /** @type {{ createPolicy: (name: string, rules: { createScriptURL: (address: string) => string }) => Policy } | undefined} */
  const factory = Reflect.get(globalThis, 'trustedTypes');
  if (!factory) return null;
  try {
    return factory.createPolicy('pincite', {
      createScriptURL: (address) => {
        if (!ours.has(address)) throw new TypeError('this is no worker of Pincite');
        return address;
      },
    });
  } catch {
    // The page allows no policy of this name. Where it does not require one either, a text does.
    return null;
  }
}

/**
 * The worker: one file, two roles. The first message says which, and brings the owner the compiled engine; after that
 * each request is answered under its id. What comes out of wasm and is not its own error is told once as
 * `fatal`; the page then ends this worker, whose wasm instance cannot be used again.
 */

import { isFatal, toPlain } from './errors.js';
import { loadGlue } from './glue.js';
import { guarded } from './guard.js';
import { modelFile } from './model-files.js';
import { Owner } from './owner.js';
import { PoolTasks } from './pool-tasks.js';
import { build, transfers } from './protocol.js';

/** @typedef {import('./protocol.js').Request} Request */
/** @typedef {import('./protocol.js').OwnerRequest} OwnerRequest */
/** @typedef {import('./protocol.js').PoolRequest} PoolRequest */

const scope = /** @type {DedicatedWorkerGlobalScope & { __pincite_panic?: (message: string) => void }} */ (
  /** @type {unknown} */ (globalThis)
);

/** @param {import('./protocol.js').Event} event */
function post(event) {
  scope.postMessage(event, event.type === 'done' ? transfers(event.result) : []);
}

/** @type {Promise<Owner | PoolTasks> | null} */
let role = null;
/** Message of the panic hook; empty without a panic. */
let panic = '';
scope.__pincite_panic = (message) => {
  panic = message;
};

scope.onmessage = ({ data }) => {
  if (data.type === 'init') {
    tellAlive();
    role = start(data);
    role.then(
      () => post({ type: 'ready' }),
      (error) => fatal(error, null),
    );
  } else {
    void answer(data);
  }
};

/**
 * Holds a lock for as long as this worker lives, and names it to the page: a worker that is ended from outside, as when memory
 * runs out, has no other way to say so. Without Web Locks no name is given.
 */
function tellAlive() {
  const locks = /** @type {LockManager | undefined} */ (navigator.locks);
  const withoutLock = () => post({ type: 'alive', lock: null });
  // A page opened over http from another machine has neither locks nor random ids.
  if (!locks) return withoutLock();
  const lock = `pincite:worker:${crypto.randomUUID()}`;
  locks
    .request(lock, () => {
      post({ type: 'alive', lock });
      return new Promise(() => {});
    })
    .catch(withoutLock); // A worker of a page without an origin may hold none.
}

/** @param {import('./protocol.js').Init} init */
async function start({ start, build: expected }) {
  if (expected !== build)
    throw new Error(`the worker is of build ${build}, the page of build ${expected}; reload the page`);
  if (start.role === 'pool') return new PoolTasks(start.model);
  const words = thesaurus(start.model);
  const wasm = await loadGlue(start.engine);
  await wasm.default({ module_or_path: start.engine.module });
  return new Owner(guarded(wasm), post, await words);
}

/** Words for one concept, a group a line; null where the site does not have them. @param {import('./protocol.js').ModelFiles} model */
async function thesaurus(model) {
  try {
    return new TextDecoder().decode(await modelFile(model, 'thesaurus.txt'));
  } catch {
    return null;
  }
}

/** @param {Request} request */
async function answer(request) {
  const { id } = request;
  const tasks = await role;
  try {
    const result =
      tasks instanceof Owner
        ? await tasks.handle(/** @type {OwnerRequest} */ (request), (document) =>
            post({ type: 'document', id, document }),
          )
        : await tasks?.handle(/** @type {PoolRequest} */ (request), (progress) =>
            post({ type: 'progress', id, progress }),
          );
    post({ type: 'done', id, result });
  } catch (error) {
    if (isFatal(error)) fatal(error, tasks instanceof Owner ? tasks.working : null);
    else post({ type: 'error', id, error: toPlain(error) });
  }
}

/** @param {unknown} error @param {string | null} document */
function fatal(error, document) {
  post({ type: 'fatal', message: panic || toPlain(error).message, document });
}

/**
 * The worker that runs a model of this device. It is ended to give its memory back, and when its program has failed.
 */

import { Llama } from './llama.js';

/** @typedef {import('./protocol.js').ToWorker} ToWorker */
/** @typedef {import('./protocol.js').FromWorker} FromWorker */

const scope = /** @type {DedicatedWorkerGlobalScope} */ (/** @type {unknown} */ (globalThis));

/** Bytes of the files between two messages about loading. */
const told = 4 * 1024 * 1024;

/** @type {Llama | null} */
let llama = null;
let onGpu = false;
/** Completions that are no longer wanted. @type {Set<number>} */
const cancelled = new Set();

/** Ends with the completion before: a program that waits for the graphics processor must not be entered again. */
let busy = Promise.resolve();

/** @param {FromWorker} event */
const post = (event) => scope.postMessage(event);

scope.onmessage = ({ data }) => {
  const request = /** @type {ToWorker} */ (data);
  if (request.type === 'load') void load(request);
  else if (request.type === 'cancel') cancelled.add(request.id);
  else busy = busy.then(() => complete(request));
};

/** @param {import('./protocol.js').Load} request */
async function load({ runtime, files, context, maxBytes, gpu }) {
  let last = 0;
  try {
    const module = await WebAssembly.compile(await runtime.arrayBuffer());
    onGpu = gpu !== 'never' && (await hasGpu(gpu === 'always'));
    const onRead = (/** @type {number} */ bytes) => {
      if (bytes - last < told) return;
      last = bytes;
      post({ type: 'read', bytes });
    };
    const options = { module, files, context, maxBytes, onGpu, onRead };
    llama = new Llama(options);
    await llama.load(options);
    post({ type: 'loaded', onGpu });
  } catch (error) {
    post({ type: 'failed', id: null, said: words(error), onGpu });
  }
}

/** @param {import('./protocol.js').Complete} request */
async function complete({ id, body }) {
  try {
    if (llama === null) throw new Error('no model is loaded');
    llama.said = [];
    for await (const event of llama.complete(body, () => cancelled.has(id)))
      post({ type: 'event', id, ...event });
    post({ type: 'ended', id });
  } catch (error) {
    // After a trap the memory may be anything; an error that the program caught itself leaves it sound.
    const isTrap = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    post({ type: 'failed', id: isTrap ? null : id, said: words(error), onGpu });
  } finally {
    cancelled.delete(id);
  }
}

/** Reason of a failure, in the program's words where it has said some. @param {unknown} error */
function words(error) {
  const thrown = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return [...(llama?.said ?? []), thrown].join('\n');
}

/**
 * True if a graphics processor can be used: the program waits for it, so WebAssembly must be able to.
 * @param {boolean} any also one that the browser only imitates
 */
async function hasGpu(any) {
  if (!Reflect.has(WebAssembly, 'Suspending')) return false;
  const { gpu } =
    /** @type {{ gpu?: { requestAdapter: () => Promise<{ info?: { isFallbackAdapter?: boolean } } | null> } }} */ (
      /** @type {unknown} */ (navigator)
    );
  const adapter = (await gpu?.requestAdapter().catch(() => null)) ?? null;
  return adapter !== null && (any || adapter.info?.isFallbackAdapter !== true);
}

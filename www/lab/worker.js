/**
 * The worker of the lab: one trainer at a time, and the measures. Training comes in steps of one tree, so that it can be
 * cancelled by a message; the measures are calls of some milliseconds.
 */

import { toPlain } from '../engine/errors.js';
import { nextMessage } from '../engine/next-message.js';
import { loadLab } from './lab-glue.js';

/** @typedef {import('./protocol.js').ToLab} ToLab */
/** @typedef {import('./protocol.js').FromLab} FromLab */
/** @typedef {typeof import('pincite-lab')} Lab */

const scope = /** @type {DedicatedWorkerGlobalScope} */ (/** @type {unknown} */ (globalThis));

/** @type {Promise<Lab> | null} */
let started = null;
/** @type {import('pincite-lab').Trainer | null} */
let trainer = null;
let isCancelled = false;

/** @param {FromLab} event */
const post = (event) => scope.postMessage(event);

scope.onmessage = ({ data }) => {
  const request = /** @type {ToLab} */ (data);
  if (request.type === 'init') started = start(request);
  else if (request.type === 'cancel') isCancelled = true;
  else void answer(request);
};

/** @param {Extract<ToLab, { type: 'init' }>} init @returns {Promise<Lab>} */
async function start({ glue, module }) {
  const lab = await loadLab(glue);
  await lab.default({ module_or_path: module });
  return lab;
}

/** @param {import('./protocol.js').LabRequest & { id: number }} request */
async function answer(request) {
  const { id } = request;
  try {
    const lab = await /** @type {Promise<Lab>} */ (started);
    post({ type: 'done', id, result: await handle(lab, request) });
  } catch (error) {
    post({ type: 'error', id, error: toPlain(error) });
  }
}

/** @param {Lab} lab @param {import('./protocol.js').LabRequest & { id: number }} request */
function handle(lab, request) {
  switch (request.type) {
    case 'hold-out':
      return lab.holdOut(request.ids, request.documents, request.share, request.seed);
    case 'measure':
      return lab.measure(request.questions, new Uint32Array(request.ks));
    case 'compare':
      return request.pairs.map(({ before, after }) =>
        lab.compare(Float64Array.from(before), Float64Array.from(after)),
      );
    case 'reliability':
      return lab.reliability(Float64Array.from(request.probabilities), Uint8Array.from(request.right));
    case 'add': {
      trainer ??= new lab.Trainer(request.names, { base: request.base });
      return trainer.add(request.question, request.features, request.labels, request.scores);
    }
    case 'train':
      return train(request.id);
    case 'reset':
      trainer?.free();
      trainer = null;
      isCancelled = false;
      return null;
  }
}

/** Grows trees until training is over or cancelled. @param {number} id @returns {Promise<string | null>} the model; null where it was cancelled */
async function train(id) {
  if (trainer === null) return null;
  for (let isDone = false; !isDone; ) {
    const progress = trainer.step();
    post({ type: 'progress', id, progress });
    isDone = progress.done;
    await nextMessage();
    if (isCancelled) return null;
  }
  return trainer.model();
}

/**
 * Messages between the lab and its worker. Types only: of one page, so of one build.
 */

/** @typedef {import('pincite-lab').RankedQuestion} RankedQuestion */
/** @typedef {import('pincite-lab').TrainerProgress} TrainerProgress */
/** @typedef {import('pincite-lab').Difference} Difference */

/**
 * @typedef {(
 *   | { type: 'hold-out', ids: string[], documents: string[], share: number, seed: number }
 *   | { type: 'measure', questions: RankedQuestion[], ks: number[] }
 *   | { type: 'compare', pairs: { before: number[], after: number[] }[] }
 *   | { type: 'reliability', probabilities: number[], right: number[] }
 *   | { type: 'add', question: string, base: string, names: string[], features: Float32Array, labels: Uint8Array, scores: Float32Array }
 *   | { type: 'train' }
 *   | { type: 'reset' }
 * )} LabRequest
 */

/**
 * Reply to each request.
 * @typedef {object} LabReplies
 * @property {import('pincite-lab').HeldOut} hold-out
 * @property {import('pincite-lab').MeasureReply} measure
 * @property {Difference[]} compare
 * @property {import('pincite-lab').ReliabilityReply} reliability
 * @property {boolean} add `base` is the ranker that training goes on with; false where its candidates teach nothing
 * @property {string | null} train the ranker as LightGBM's text; null where it was cancelled
 * @property {null} reset a new trainer
 */

/** @typedef {{ type: 'init', glue: string, module: WebAssembly.Module } | { type: 'cancel' } | (LabRequest & { id: number })} ToLab */

/**
 * @typedef {{ type: 'done', id: number, result: unknown }
 *   | { type: 'progress', id: number, progress: TrainerProgress }
 *   | { type: 'error', id: number, error: import('../engine/errors.js').PlainError }} FromLab
 */

export {};

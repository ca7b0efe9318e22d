/**
 * Messages between the page and the worker that runs a model. Types only: of one page, so of one build.
 */

/** @typedef {import('../engine/gpu/choice.js').GpuSetting} GpuSetting */
/** @typedef {{ type: 'load', runtime: Blob, files: { name: string, file: Blob }[], context: number, maxBytes: number, gpu: GpuSetting }} Load */
/** @typedef {{ type: 'complete', id: number, body: object }} Complete */
/** @typedef {{ type: 'cancel', id: number }} Cancel a completion that has ended is no mistake */
/** @typedef {Load | Complete | Cancel} ToWorker */

/**
 * @typedef {{ type: 'read', bytes: number }
 *   | { type: 'loaded', onGpu: boolean }
 *   | { type: 'event', id: number, data: any, isError: boolean }
 *   | { type: 'ended', id: number }
 *   | { type: 'failed', id: number | null, said: string, onGpu: boolean }} FromWorker
 * `failed` tells of a request, or without one that this worker is of no use any more; `said` are the program's own words
 */

export {};

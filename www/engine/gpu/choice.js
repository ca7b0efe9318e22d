/**
 * The choice between GPU and processor for embedding: as a person has set it, and as the GPU has shown. It is tried
 * when there is enough to embed that the trial pays, and not again where it failed, unless the setting asks for more.
 */

import { toPlain } from '../errors.js';

/** @typedef {'auto' | 'always' | 'never'} GpuSetting a GPU embeds where it is faster, wherever there is one, or never */
/** @typedef {import('./trial.js').Refusal} Refusal */

/** Passages to embed below which a trial, of about two seconds, is longer than the work. */
const worthwhile = 128;

export class GpuChoice {
  #pool;
  #setting;
  /** @type {Refusal | null} */
  #refusal = null;
  /** Setting under which it was tried last. @type {GpuSetting} */
  #triedAt = 'never';
  #trying = false;

  /**
   * @param {import('../pool.js').Pool} pool
   * @param {() => GpuSetting} setting
   */
  constructor(pool, setting) {
    this.#pool = pool;
    this.#setting = setting;
  }

  /** Why no GPU embeds; null where one does or has not been tried. */
  get refusal() {
    return this.#refusal;
  }

  /** True while one is tried that is to embed all there is: the processor waits for it. */
  get goesFirst() {
    return this.#trying && this.#setting() === 'always';
  }

  /**
   * Has a worker try the GPU where that may pay.
   * @param {{ passages: number, rate: number | null }} work passages to embed, and tokens a second of all workers, null
   *   where that is not known yet
   * @returns {Promise<void> | null} settles when it was tried; null where it was not. Rejects, once, when the worker could
   *   not load the model or was lost
   */
  consider({ passages, rate }) {
    const setting = this.#setting();
    // One that won because it is always used has not shown that it is faster.
    const isUnproved = setting === 'auto' && this.#triedAt === 'always';
    if (this.#pool.hasGpu && (setting === 'never' || isUnproved)) this.#pool.releaseGpu();
    const settled = this.#refusal !== null && this.#triedAt === setting;
    if (setting === 'never' || this.#trying || settled || this.#pool.hasGpu || passages === 0) return null;
    const always = setting === 'always';
    if (!always && (rate === null || passages < worthwhile)) return null;
    this.#trying = true;
    return this.#try(setting, rate ?? 0);
  }

  /** Notes that the GPU was lost in its work. @param {string} message */
  lost(message) {
    this.#refusal = { kind: 'lost', message };
    this.#triedAt = this.#setting();
  }

  /** @param {GpuSetting} setting @param {number} rate */
  async #try(setting, rate) {
    this.#triedAt = setting;
    try {
      this.#refusal = await this.#pool.run({ type: 'try-gpu', always: setting === 'always', rate });
    } catch (error) {
      // What failed here would fail again, each time with another worker.
      this.#refusal = { kind: 'failed', message: toPlain(error).message };
      throw error;
    } finally {
      this.#trying = false;
    }
  }
}

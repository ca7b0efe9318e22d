/**
 * Whether a GPU embeds: as a person has set it, and as it has shown. It is tried when there is enough to embed that the
 * trial pays, and not again where it failed, unless the setting asks for more.
 */

/** @typedef {'auto' | 'always' | 'never'} GpuSetting a GPU embeds where it is faster, wherever there is one, or never */
/** @typedef {import('./trial.js').Refusal} Refusal */

/** Passages to embed below which a trial, of about two seconds, is longer than the work. */
const worthwhile = 128;

export class GpuChoice {
  #pool;
  #setting;
  /** @type {Refusal | null} */
  #refusal = null;
  /** Setting under which it was refused. @type {GpuSetting} */
  #refusedAt = 'never';
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
   * @returns {Promise<void> | null} settles when it was tried; null where it was not
   */
  consider({ passages, rate }) {
    const setting = this.#setting();
    if (setting === 'never') {
      if (this.#pool.hasGpu) this.#pool.releaseGpu();
      return null;
    }
    const settled = this.#refusal !== null && this.#refusedAt === setting;
    if (this.#trying || settled || this.#pool.hasGpu || passages === 0) return null;
    const always = setting === 'always';
    if (!always && (rate === null || passages < worthwhile)) return null;
    this.#trying = true;
    return this.#try(setting, rate ?? 0);
  }

  /** Notes that the GPU was lost in its work. @param {string} message */
  lost(message) {
    this.#refuse({ kind: 'lost', message });
  }

  /** @param {GpuSetting} setting @param {number} rate */
  async #try(setting, rate) {
    try {
      const refusal = await this.#pool.run({ type: 'try-gpu', always: setting === 'always', rate });
      if (refusal === null) this.#refusal = null;
      else this.#refuse(refusal, setting);
    } catch {
      // Its worker was ended under it: the next one may try.
    } finally {
      this.#trying = false;
    }
  }

  /** @param {Refusal} refusal */
  #refuse(refusal, setting = this.#setting()) {
    this.#refusal = refusal;
    this.#refusedAt = setting;
  }
}

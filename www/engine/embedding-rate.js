/**
 * Tokens a second of embedding: of the last batches, in the time of the workers that embedded them.
 */

/** @typedef {{ tokens: number, passages: number, seconds: number }} Measured one batch */

/** Batches that are looked back on. */
const window = 16;

export class EmbeddingRate {
  /** @type {Measured[]} */
  #batches = [];
  #onGpu = false;

  /** @param {Measured} batch @param {boolean} onGpu another processor than before begins anew */
  add(batch, onGpu) {
    if (batch.passages === 0) return;
    if (onGpu !== this.#onGpu) this.#batches = [];
    this.#onGpu = onGpu;
    this.#batches.push(batch);
    if (this.#batches.length > window) this.#batches.shift();
  }

  /** True if the last batch was embedded on a GPU. */
  get onGpu() {
    return this.#onGpu;
  }

  /** Tokens a second. @param {number} workers that embed at once @returns {number | null} null before the first batch */
  tokensPerSecond(workers) {
    const { tokens, seconds } = this.#total;
    return seconds > 0 ? (tokens / seconds) * workers : null;
  }

  /** Seconds that so many passages take. @param {number} passages @param {number} workers @returns {number | null} */
  secondsFor(passages, workers) {
    const total = this.#total;
    return total.passages > 0 ? ((total.seconds / total.passages) * passages) / workers : null;
  }

  get #total() {
    const total = { tokens: 0, passages: 0, seconds: 0 };
    for (const { tokens, passages, seconds } of this.#batches) {
      total.tokens += tokens;
      total.passages += passages;
      total.seconds += seconds;
    }
    return total;
  }
}

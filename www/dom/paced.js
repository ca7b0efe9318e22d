/**
 * Work that follows changes, at a share of the time: a change is followed at once, and many of them together once it has been
 * quiet for a while, which grows with what the work costs.
 */

/** Time between two runs, in times of what the last run took. */
const rest = 3;

export class Paced {
  #work;
  #now;
  /** When the next run may begin, in ms. */
  #from = 0;
  /** @type {ReturnType<typeof setTimeout> | null} */
  #timer = null;

  /** @param {() => void} work @param {() => number} [now] in ms */
  constructor(work, now = () => performance.now()) {
    this.#work = work;
    this.#now = now;
  }

  /** Says that something has changed. */
  change() {
    if (this.#timer !== null) return;
    const wait = this.#from - this.#now();
    if (wait <= 0) this.#run();
    else this.#timer = setTimeout(() => this.#run(), wait);
  }

  #run() {
    this.#timer = null;
    const begin = this.#now();
    this.#work();
    const end = this.#now();
    this.#from = end + rest * (end - begin);
  }
}

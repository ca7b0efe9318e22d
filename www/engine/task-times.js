/** Times of the latest tasks of a worker: while one runs, nobody else is answered. */

/** Maximum number of tasks that are remembered. */
const maxTasks = 10_000;

export class TaskTimes {
  /** @type {{ name: string, ms: number }[]} */
  #tasks = [];

  /** @param {string} name @param {number} ms */
  add(name, ms) {
    this.#tasks.push({ name, ms });
    if (this.#tasks.length > maxTasks) this.#tasks.splice(0, maxTasks / 2);
  }

  /** Number of tasks, and in milliseconds the 95th percentile and the longest. */
  summary() {
    const sorted = [...this.#tasks].sort((a, b) => a.ms - b.ms);
    const longest = sorted.at(-1);
    return {
      tasks: sorted.length,
      p95: sorted[Math.floor((sorted.length - 1) * 0.95)]?.ms ?? 0,
      longest: longest?.ms ?? 0,
      longestTask: longest?.name ?? '',
    };
  }
}

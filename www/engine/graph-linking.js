/**
 * The graph over a library's vectors, made where nothing waits for it: the owner gives the points, a pool worker links
 * them in one long call, the owner takes the links. Searches go on meanwhile, by a scan. Whether a graph pays is the
 * engine's to say (`auto`); it is asked each time all vectors are there.
 */

/** @typedef {import('./channel.js').Channel} Channel */
/** @typedef {import('./pool.js').Pool} Pool */
/** @typedef {import('./protocol.js').Ann} Ann */

export class GraphLinking {
  #pool;
  #owner;
  #ann;
  #isRunning = false;
  #controller = new AbortController();

  /**
   * @param {object} options
   * @param {Pick<Pool, 'run'>} options.pool
   * @param {() => Pick<Channel, 'request'>} options.owner
   * @param {() => Ann} options.ann how vectors are searched
   */
  constructor({ pool, owner, ann }) {
    this.#pool = pool;
    this.#owner = owner;
    this.#ann = ann;
  }

  /** Links a new graph where one pays. One at a time: vectors that come meanwhile are scanned until the next. */
  async update() {
    const { signal } = this.#controller;
    if (this.#isRunning || signal.aborted) return;
    this.#isRunning = true;
    try {
      const owner = this.#owner();
      const points = await owner.request({ type: 'graph-points', ann: this.#ann() });
      if (points === null) return;
      const links = await this.#pool.run({ type: 'link-graph', points }, { signal });
      await owner.request({ type: 'set-graph', links });
    } catch {
      // The owner or the worker was lost, or the page closes: searches scan, as before.
    } finally {
      this.#isRunning = false;
    }
  }

  /** Stops for good. */
  close() {
    this.#controller.abort();
  }
}

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
  /** Vectors came while a graph was being linked. */
  #isOutdated = false;
  /** Linking failed in a worker: it would fail again, minutes later. */
  #hasFailed = false;
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
    if (this.#controller.signal.aborted || this.#hasFailed) return;
    this.#isOutdated = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (this.#isOutdated) {
        this.#isOutdated = false;
        await this.#link();
      }
    } catch {
      // The owner was lost, or the page closes: the next owner is asked anew.
    } finally {
      this.#isRunning = false;
    }
  }

  async #link() {
    const { signal } = this.#controller;
    const owner = this.#owner();
    const points = await owner.request({ type: 'graph-points', ann: this.#ann() });
    if (points === null) return;
    let links;
    try {
      links = await this.#pool.run({ type: 'link-graph', points }, { signal });
    } catch (error) {
      this.#hasFailed = !signal.aborted;
      throw error;
    }
    await owner.request({ type: 'set-graph', links });
  }

  /** Stops for good. */
  close() {
    this.#controller.abort();
  }
}

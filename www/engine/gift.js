/**
 * A module that the page gives a worker when the first task needs it. Tasks wait for it, and fail where it cannot be started; it
 * may be given again then.
 * @template T
 */
export class Gift {
  #isGiven = false;
  /** @type {(started: Promise<T>) => void} */
  #give = () => {};
  /** @type {Promise<T>} */
  #module = this.#renew();

  /** The module, when it was given and has started. */
  get module() {
    return this.#module;
  }

  /** Starts the module, unless it was given before. @param {() => Promise<T>} start */
  give(start) {
    if (this.#isGiven) return;
    this.#isGiven = true;
    const started = start();
    this.#give(started);
    started.catch(() => (this.#module = this.#renew()));
  }

  #renew() {
    this.#isGiven = false;
    const module = new Promise((resolve) => (this.#give = resolve));
    module.catch(() => {});
    return module;
  }
}

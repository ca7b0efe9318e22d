/**
 * Runs that are under way, which a tab tells the others by Web Locks: one that is closed or killed has none any more, however it
 * ended. Without Web Locks (a page that is not in a secure context) no tab knows of another's.
 */

export class UnderWay {
  #prefix;

  /** @param {string} library */
  constructor(library) {
    this.#prefix = `pincite:${library}:lab:`;
  }

  /**
   * Holds a run, which is under way in this tab until it is released.
   * @param {string} run
   * @returns {Promise<(() => Promise<void>) | null>} what releases it; null where another tab holds it
   */
  async hold(run) {
    const locks = locksHere();
    if (!locks) return async () => {};
    return new Promise((resolve) => {
      const held = locks
        .request(this.#prefix + run, { ifAvailable: true }, (lock) => {
          if (lock === null) return resolve(null);
          return new Promise((end) => {
            resolve(() => {
              end(undefined);
              return held;
            });
          });
        })
        // Where locks are refused, as in some sandboxes, it is as without them.
        .catch(() => resolve(async () => {}));
    });
  }

  /** Runs that any tab holds. @returns {Promise<ReadonlySet<string>>} */
  async runs() {
    const { held = [] } =
      (await locksHere()
        ?.query()
        .catch(() => null)) ?? {};
    return new Set(
      held.flatMap(({ name = '' }) =>
        name.startsWith(this.#prefix) ? [name.slice(this.#prefix.length)] : [],
      ),
    );
  }
}

const locksHere = () => /** @type {LockManager | undefined} */ (globalThis.navigator?.locks);

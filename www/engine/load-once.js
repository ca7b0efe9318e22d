/**
 * Loads something once, for all who ask, and again after a failure: the network comes back.
 * @template T
 * @param {() => Promise<T>} load
 * @returns {() => Promise<T>}
 */
export function loadOnce(load) {
  /** @type {Promise<T> | null} */
  let loaded = null;
  return () => {
    loaded ??= load();
    loaded.catch(() => (loaded = null));
    return loaded;
  };
}

/** Small storage of the browser. */

/** @param {'localStorage' | 'sessionStorage'} name @returns {Storage | null} null where the browser forbids it to this page */
export function storageOf(name) {
  try {
    return globalThis[name] ?? null;
  } catch {
    return null;
  }
}

/**
 * The console of a page in WebKit, from soon after its document is there: WebDriver has none, the inspector cannot be had
 * beside it, and of private sessions, such as those of WebDriver, nothing is written to standard error.
 */

/** Begins to keep what is said. Runs in the page; true where it had begun. */
export function listen() {
  if (Reflect.has(globalThis, 'said')) return true;
  /** @type {string[]} */
  const said = [];
  Reflect.set(globalThis, 'said', said);
  for (const level of /** @type {const} */ (['log', 'info', 'warn', 'error'])) {
    const original = console[level];
    console[level] = (...values) => {
      said.push(`${level}: ${values.join(' ')}`);
      original.apply(console, values);
    };
  }
  addEventListener('error', ({ message }) => said.push(`uncaught: ${message}`));
  addEventListener('unhandledrejection', ({ reason }) => said.push(`uncaught: ${reason}`));
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    said.push(`policy: ${effectiveDirective} ${blockedURI}`),
  );
  return false;
}

/** Gives what was said since the last time. Runs in the page. @returns {string[]} */
export const heard = () => Reflect.get(globalThis, 'said')?.splice(0) ?? [];

/**
 * Budget of looking up the quotations of one answer. A server could make each of them as dear as it likes, and pages that
 * are held come at once: without a bound, and without a rest between two look-ups, nothing else would be done in the page, not
 * even what ends the comparing.
 */

import { LibraryError } from './errors.js';

/** Most steps of looking up all quotations of an answer, and the longest that the page is kept from all else, in milliseconds. */
const maxSteps = 20_000_000;
const maxBusyMs = 10;

export class Effort {
  /** Steps, of all look-ups together. */
  left = maxSteps;
  signal;
  #since = performance.now();

  /** @param {AbortSignal} signal ends it */
  constructor(signal) {
    this.signal = signal;
  }

  /** Lets the page do what else it has to do, between two look-ups. @throws {LibraryError} where there may be no more */
  async rest() {
    if (performance.now() - this.#since > maxBusyMs) {
      // Not by a clock, which stands almost still in a page that is out of sight.
      const { port1, port2 } = new MessageChannel();
      await new Promise((resolve) => {
        port1.onmessage = resolve;
        port2.postMessage(null);
      });
      port1.close();
      this.#since = performance.now();
    }
    if (this.signal.aborted) throw new LibraryError('cancelled', 'cancelled');
    if (this.left <= 0) throw new LibraryError('timeout', 'the quotations take too long to look up');
  }
}

/**
 * A PDF on the server as pdf.js reads it: by the ranges that it asks for, so that page 412 of 900 opens without the rest.
 * pdf.js waits for a range until it comes and knows no failure, so what failed is asked for again: by itself after what may
 * pass, else when a person says so.
 */

import { libraryError } from './errors.js';
import { partBytes } from './remote-file.js';

/** @typedef {import('./remote-file.js').RemoteFile} RemoteFile */
/** @typedef {import('./errors.js').LibraryError} LibraryError */
/** @typedef {import('../viewer/pdf.js').PdfSource} PdfSource */

/** Waits before a range is asked for again, in milliseconds; the last is repeated. */
const waitsMs = [500, 1_000, 2_000, 5_000, 10_000];

/**
 * @typedef {object} RangesHost
 * @property {(error: LibraryError, again: () => void) => void} [onTrouble] ranges are missing; `again` asks for them once more
 * @property {() => void} [onEase] nothing is missing any more
 */

/**
 * What pdf.js opens. `close` ends its requests.
 * @param {RemoteFile} file
 * @param {RangesHost} [host]
 * @returns {Promise<{ source: PdfSource, close: () => void }>}
 * @throws {LibraryError} where the file cannot be had
 */
export async function pdfRanges(file, { onTrouble = () => {}, onEase = () => {} } = {}) {
  const controller = new AbortController();
  const { signal } = controller;
  const [size, { PDFDataRangeTransport }] = await Promise.all([
    file.size(signal),
    import('../viewer/pdf.js'),
  ]);
  /** Ranges that did not come, by their beginning. @type {Map<number, () => void>} */
  const missing = new Map();

  class Transport extends PDFDataRangeTransport {
    /** @param {number} begin @param {number} end */
    requestDataRange(begin, end) {
      void this.#bring(begin, end, 0);
    }

    abort() {
      controller.abort();
    }

    /** @param {number} begin @param {number} end @param {number} nth */
    async #bring(begin, end, nth) {
      if (signal.aborted) return;
      try {
        const bytes = await file.range(begin, end, signal);
        if (signal.aborted) return;
        if (missing.delete(begin) && missing.size === 0) onEase();
        this.onDataRange(begin, bytes);
      } catch (thrown) {
        if (signal.aborted) return;
        const error = libraryError(thrown);
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        let clock;
        const again = () => {
          clearTimeout(clock);
          globalThis.removeEventListener?.('online', again);
          void this.#bring(begin, end, nth + 1);
        };
        if (error.isPassing) {
          clock = setTimeout(again, error.retryAfterMs ?? waitsMs[nth] ?? waitsMs.at(-1));
          globalThis.addEventListener?.('online', again, { once: true });
          signal.addEventListener('abort', () => clearTimeout(clock), { once: true });
        }
        missing.set(begin, again);
        onTrouble(error, () => {
          for (const each of [...missing.values()]) each();
        });
      }
    }
  }

  const head = await file.range(0, Math.min(size, partBytes), signal);
  return {
    source: {
      range: new Transport(size, head),
      rangeChunkSize: partBytes,
      disableAutoFetch: true,
      disableStream: true,
    },
    close: () => controller.abort(),
  };
}

/** How large a file may be, and what is said of one that is larger. */

import { EngineError } from './errors.js';

/** @param {number} bytes @param {number} maxBytes @throws {EngineError} `limit-exceeded` */
export function requireSize(bytes, maxBytes) {
  if (bytes > maxBytes) throw tooLarge(bytes, maxBytes);
}

/** The error of a file with more bytes than are allowed. @param {number} bytes @param {number} maxBytes */
export function tooLarge(bytes, maxBytes) {
  return new EngineError(
    'limit-exceeded',
    `${bytes} bytes, at most ${maxBytes} are allowed`,
    `It has ${megabytes(bytes)}; at most ${megabytes(maxBytes)} are allowed. Split it into smaller files.`,
  );
}

/** @param {number} bytes */
function megabytes(bytes) {
  const mib = bytes / (1024 * 1024);
  return mib >= 10 ? `${Math.round(mib)} MB` : `${mib.toFixed(1)} MB`;
}

/** Hash of a file, by the browser: in the page and in workers. */

import { bytesOf } from './content.js';

/**
 * The sha256 of bytes in hex, or null where the page is not in a secure context (then the engine's own hash,
 * which comes after parsing, tells duplicates apart).
 * @param {import('./content.js').Content} file
 * @returns {Promise<string | null>}
 */
export async function sha256(file) {
  if (!globalThis.crypto?.subtle) return null;
  const digest = await crypto.subtle.digest('SHA-256', await bytesOf(file));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

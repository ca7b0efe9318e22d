/** `SHA256SUMS`: every file of a folder by its hash, in the form that `sha256sum --check` reads. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { filesBelow } from '../build-id.mjs';

export const sumsName = 'SHA256SUMS';

/** @param {string} folder @returns {Promise<string>} a line for each file but the list itself, in order of names */
export async function sums(folder) {
  const hashes = Object.entries(await hashesOf(folder)).filter(([name]) => name !== sumsName);
  return hashes.map(([name, hash]) => `${hash}  ${name}\n`).join('');
}

/** Files of a folder by their path in it, each with its SHA-256, in order of names. @param {string} folder */
export async function hashesOf(folder) {
  /** @type {Record<string, string>} */
  const hashes = {};
  for (const file of await filesBelow(folder)) {
    const bytes = await readFile(file);
    hashes[path.relative(folder, file).replaceAll('\\', '/')] = createHash('sha256')
      .update(bytes)
      .digest('hex');
  }
  return hashes;
}

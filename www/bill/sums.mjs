/** `SHA256SUMS`: every file of a folder by its hash, in the form that `sha256sum --check` reads. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { filesBelow } from '../build-id.mjs';

export const sumsName = 'SHA256SUMS';

/** @param {string} folder @returns {Promise<string>} a line for each file but the list itself, in order of names */
export async function sums(folder) {
  const lines = [];
  for (const file of await filesBelow(folder)) {
    const name = path.relative(folder, file).replaceAll('\\', '/');
    if (name === sumsName) continue;
    lines.push(
      `${createHash('sha256')
        .update(await readFile(file))
        .digest('hex')}  ${name}\n`,
    );
  }
  return lines.join('');
}

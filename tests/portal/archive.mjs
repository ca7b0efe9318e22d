/**
 * The archive of the npm package, as `npm pack` made it: a portal gets what lies in it, not the folder that it was made of, so a file
 * that was left out must be missed.
 */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const { version } = JSON.parse(await readFile(path.join(root, 'www/package.json'), 'utf8'));
export const archive = process.env['PINCITE_PACKAGE'] ?? path.join(root, `dist/pincite-${version}.tgz`);

/** Unpacks it. @returns {Promise<{ npm: string, remove: () => Promise<void> }>} folder of the package */
export async function unpacked() {
  const folder = await mkdtemp(path.join(tmpdir(), 'pincite-package-'));
  await promisify(execFile)('tar', ['-xzf', archive, '-C', folder]);
  return { npm: path.join(folder, 'package'), remove: () => rm(folder, { recursive: true }) };
}

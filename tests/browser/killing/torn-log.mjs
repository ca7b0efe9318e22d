/** The log of IndexedDB as a kill leaves it that comes in the middle of a write. */

import { readdir, stat, truncate } from 'node:fs/promises';
import path from 'node:path';

/** Cuts the last record of the newest log, in a profile that no browser has. @param {string} profile */
export async function tearLog(profile) {
  const folder = path.join(profile, 'Default/IndexedDB');
  const database = (await readdir(folder)).find((name) => name.endsWith('.indexeddb.leveldb'));
  if (!database) throw new Error(`no database lies in ${folder}`);
  const files = await readdir(path.join(folder, database));
  const newest = files
    .filter((name) => name.endsWith('.log'))
    .sort()
    .at(-1);
  if (!newest) throw new Error(`the database has no log: ${files.join(', ')}`);
  const log = path.join(folder, database, newest);
  const { size } = await stat(log);
  if (size < 4) throw new Error(`${newest} has ${size} bytes`);
  await truncate(log, size - 3);
}

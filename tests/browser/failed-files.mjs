/**
 * A reporter for `node --test`: the name of each file with a test that failed, one a line.
 */

import path from 'node:path';

/**
 * @param {AsyncIterable<{ type: string, data: { file?: string } }>} events
 * @returns {AsyncGenerator<string>}
 */
export default async function* failedFiles(events) {
  const seen = new Set();
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || !data.file || seen.has(data.file)) continue;
    seen.add(data.file);
    yield `${path.basename(data.file)}\n`;
  }
}

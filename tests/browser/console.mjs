/** The console of a page, which must stay empty: no error, no warning, no report of the policy. */

import assert from 'node:assert/strict';

/**
 * Fails where something was said, and shows it also where the body fails.
 * @param {(said: (line: string) => void) => Promise<void>} body `said` takes a line of the console
 * @param {RegExp | null} [provoked] lines that the test makes it say
 */
export async function withEmptyConsole(body, provoked = null) {
  /** @type {string[]} */
  const lines = [];
  try {
    await body((line) => {
      if (!provoked?.test(line)) lines.push(line);
    });
    assert.deepEqual(lines, [], 'the console must be empty');
  } catch (error) {
    if (lines.length > 0) console.log('console:', lines.join('\n'));
    throw error;
  }
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LlmError } from './errors.js';
import { defaultRetry, retry, retryAfter, waitFor } from './retry.js';

const now = Date.parse('2026-11-21T12:00:00Z');

test('the wait that a server asks for is read as seconds, milliseconds or a date', () => {
  /** @type {[Record<string, string>, number | null][]} */
  const cases = [
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': ' 0 ' }, 0],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': '-1' }, null],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '99999999999' }, null],
    [{ 'retry-after': '' }, null],
    [{}, null],
  ];
  for (const [headers, expected] of cases)
    assert.equal(retryAfter(new Headers(headers), now), expected, JSON.stringify(headers));
});

test('waits double, with jitter, and are bounded; a server that asks for too long is not waited for', () => {
  const options = { baseMs: 100, maxWaitMs: 1000, random: () => 0 };
  assert.deepEqual(
    [1, 2, 3, 4, 5, 60].map((attempt) => waitFor(attempt, null, options)),
    [50, 100, 200, 400, 500, 500],
  );
  assert.equal(waitFor(2, null, { ...options, random: () => 1 }), 200);
  assert.equal(waitFor(1, 1000, options), 1000);
  assert.equal(waitFor(1, 1001, options), null);
});

test('only passing faults are tried again, a limited number of times', async () => {
  /** @param {LlmError | Error} error @param {number} failures */
  const run = async (error, failures) => {
    let calls = 0;
    /** @type {number[]} */
    const waits = [];
    const options = {
      ...defaultRetry,
      attempts: 3,
      random: () => 1,
      sleep: async (/** @type {number} */ ms) => void waits.push(ms),
    };
    const result = await retry(
      async (attempt) => {
        calls += 1;
        assert.equal(attempt, calls);
        if (calls <= failures) throw error;
        return 'good';
      },
      options,
      null,
    ).catch((thrown) => thrown);
    return { calls, waits, result };
  };
  const passing = new LlmError('server-error', 'x');
  assert.deepEqual(await run(passing, 2), { calls: 3, waits: [500, 1000], result: 'good' });
  assert.deepEqual(await run(passing, 3), { calls: 3, waits: [500, 1000], result: passing });
  for (const error of [
    new LlmError('unauthorized', 'x'),
    new LlmError('timeout', 'x'),
    new LlmError('cancelled', 'x'),
    new TypeError('a bug'),
  ]) {
    assert.deepEqual(await run(error, 3), { calls: 1, waits: [], result: error });
  }
});

test('waiting ends when the signal fires', async () => {
  const signal = AbortSignal.timeout(20);
  const options = { ...defaultRetry, baseMs: 60_000, maxWaitMs: 60_000 };
  await assert.rejects(
    retry(async () => Promise.reject(new LlmError('network', 'x')), options, signal),
    { code: 'cancelled' },
  );
});

/**
 * Asking again: after errors that pass, a few times, each wait twice as long as the one before with jitter, so
 * that many pages do not ask in step. A server that says how long to wait is believed, up to a limit: past it
 * the person is told instead of kept waiting. In a browser `Retry-After` can be read only where the server
 * exposes it (`Access-Control-Expose-Headers`); else our own waits apply.
 */

import { LlmError, cancelled } from './errors.js';

/**
 * @typedef {object} RetryOptions
 * @property {number} attempts at most, the first included
 * @property {number} baseMs the first wait, before jitter
 * @property {number} maxWaitMs the longest wait
 * @property {() => number} random 0 to 1
 * @property {() => number} now milliseconds since the epoch
 * @property {(ms: number, signal: AbortSignal | null) => Promise<void>} sleep rejects when the signal fires
 */

/** @type {RetryOptions} */
export const defaultRetry = {
  attempts: 4,
  baseMs: 500,
  maxWaitMs: 30_000,
  random: Math.random,
  now: Date.now,
  sleep,
};

/**
 * @template T
 * @param {(attempt: number) => Promise<T>} task is told which attempt it is, from 1
 * @param {RetryOptions} options
 * @param {AbortSignal | null} signal ends waiting at once
 * @returns {Promise<T>}
 */
export async function retry(task, options, signal) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await task(attempt);
    } catch (error) {
      if (!(error instanceof LlmError) || !error.retryable || attempt >= options.attempts || signal?.aborted)
        throw error;
      const wait = waitFor(attempt, error.retryAfterMs, options);
      if (wait === null) {
        error.values = { seconds: Math.ceil((error.retryAfterMs ?? 0) / 1000) };
        throw error;
      }
      await options.sleep(wait, signal);
    }
  }
}

/**
 * Wait after this attempt, in milliseconds; null where the server asks for longer than the maximum.
 * @param {number} attempt from 1
 * @param {number | null} retryAfterMs
 * @param {Pick<RetryOptions, 'baseMs' | 'maxWaitMs' | 'random'>} options
 */
export function waitFor(attempt, retryAfterMs, { baseMs, maxWaitMs, random }) {
  if (retryAfterMs !== null) return retryAfterMs > maxWaitMs ? null : retryAfterMs;
  const full = Math.min(maxWaitMs, baseMs * 2 ** (attempt - 1));
  return full / 2 + (full / 2) * random();
}

/**
 * The wait that a server asks for, in milliseconds: seconds or a date, or `retry-after-ms` as Azure sends it.
 * @param {Headers} headers
 * @param {number} now
 * @returns {number | null}
 */
export function retryAfter(headers, now) {
  const ms = headers.get('retry-after-ms')?.trim() ?? '';
  if (/^\d{1,9}(\.\d+)?$/.test(ms)) return Number(ms);
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = /[a-z]{3}/i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** @param {number} ms @param {AbortSignal | null} signal @returns {Promise<void>} */
function sleep(ms, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(stopped(signal));
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(stopped(signal));
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** The error that a signal was fired with, or that of a caller who gave up. @param {AbortSignal | null} signal */
export function stopped(signal) {
  return signal?.reason instanceof LlmError ? signal.reason : cancelled();
}

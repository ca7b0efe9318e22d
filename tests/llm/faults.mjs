/**
 * Every fault of the line, and what becomes of it: one table for Node and for a real browser.
 */

/**
 * The fault; `good` where the reply comes whole, else the code of the error; how many requests it takes of at most
 * three; and whether it is a matter of streams alone.
 * @type {[import('./wire.mjs').Fault, string, number, boolean?][]}
 */
export const outcomes = [
  [{ kind: 'rate-limit', retryAfter: 1 }, 'good', 2],
  [{ kind: 'rate-limit', times: 0 }, 'rate-limited', 3],
  [{ kind: 'rate-limit', retryAfter: 3600 }, 'rate-limited', 1],
  [{ kind: 'status', status: 500 }, 'good', 2],
  [{ kind: 'status', status: 503, times: 2, retryAfter: 0 }, 'good', 3],
  [{ kind: 'status', status: 502, times: 0 }, 'server-error', 3],
  [{ kind: 'status', status: 400 }, 'bad-request', 1],
  [{ kind: 'quota' }, 'quota', 1],
  [{ kind: 'unauthorized' }, 'unauthorized', 1],
  [{ kind: 'forbidden' }, 'unauthorized', 1],
  [{ kind: 'wrong-path' }, 'wrong-path', 1],
  [{ kind: 'unknown-model' }, 'model-unknown', 1],
  [{ kind: 'too-long' }, 'too-long', 1],
  [{ kind: 'html' }, 'wrong-path', 1],
  [{ kind: 'redirect', times: 0 }, 'network', 3],
  [{ kind: 'refuse' }, 'good', 2],
  [{ kind: 'stall-connect' }, 'good', 2, true],
  [{ kind: 'stall-first' }, 'good', 2, true],
  [{ kind: 'stall' }, 'good', 2],
  [{ kind: 'stall', times: 0 }, 'stalled', 3],
  [{ kind: 'cut' }, 'good', 2],
  [{ kind: 'cut', times: 0 }, 'cut-off', 3],
  [{ kind: 'malformed-sse' }, 'good', 2],
  [{ kind: 'malformed-sse', times: 0 }, 'cut-off', 3, true],
  [{ kind: 'malformed-json' }, 'good', 2],
  [{ kind: 'malformed-json', times: 0 }, 'bad-reply', 3],
  [{ kind: 'error-in-stream' }, 'good', 2],
  [{ kind: 'error-in-stream', times: 0 }, 'server-error', 3],
  [{ kind: 'no-done' }, 'good', 1],
  [{ kind: 'no-end', times: 0 }, 'cut-off', 3, true],
  [{ kind: 'empty-deltas' }, 'good', 1],
  [{ kind: 'no-usage' }, 'good', 1],
  [{ kind: 'drip', bytes: 1 }, 'good', 1],
  [{ kind: 'drip', bytes: 5 }, 'good', 1],
  [{ kind: 'huge', times: 0 }, 'too-large', 1],
  [{ kind: 'endless-line' }, 'too-large', 1, true],
  [{ kind: 'crlf' }, 'good', 1],
  [{ kind: 'cr' }, 'good', 1],
  [{ kind: 'comments' }, 'good', 1],
  [{ kind: 'bom' }, 'good', 1],
  [{ kind: 'plain-json' }, 'good', 1],
  [{ kind: 'sse-as-text' }, 'good', 1],
  [{ kind: 'cors' }, 'good', 1], // only browsers mind, and for them it is no answer
];

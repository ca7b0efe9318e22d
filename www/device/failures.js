/**
 * Failures of the program that runs models, told apart by what it wrote to its log: it has no codes.
 */

import { LlmError, fromStatus, readFailure, scrubber } from '../llm/errors.js';

/** @typedef {import('../llm/errors.js').LlmReason} LlmReason */

/** Words of the program, and what they mean. @type {readonly (readonly [RegExp, LlmReason, string])[]} */
const known = [
  [
    /unknown model architecture/i,
    'architecture-unknown',
    'the program does not have the architecture of the model',
  ],
  [
    /bad_alloc|out of memory|failed to (?:re)?allocate|unable to allocate|Array buffer allocation|could not allocate/i,
    'memory-out',
    'the model needs more memory than the browser gave',
  ],
  [
    /NotReadableError|NotFoundError|not within the file bounds|corrupted or incomplete|failed to read|unexpectedly reached end|tensor .*not found|missing tensor|wrong shape|wrong number of tensors|key not found|invalid magic|failed to load model from/i,
    'file-damaged',
    'the model file is damaged or cut off',
  ],
];

/** The failure of loading a model, or of the program as a whole. @param {string} said */
export function failure(said) {
  const found = known.find(([words]) => words.test(said));
  const [, reason, message] = found ?? [
    null,
    /** @type {const} */ ('model-failed'),
    'the program that runs the model failed',
  ];
  // The log has more lines than the one that tells why, and marks their levels.
  const line = said.split('\n').find((each) => found?.[0].test(each)) ?? said;
  return new LlmError('unavailable', message, {
    reason,
    detail: scrubber([])(line.replaceAll(/@@[A-Z]+@@/g, '')),
  });
}

/** The failure of one request. @param {string} said */
export function refusal(said) {
  const whole = failure(said);
  if (whole.reason === 'memory-out') return whole;
  return new LlmError('bad-request', 'the model does not take the request', { detail: whole.detail });
}

/** The failure that an event of a reply tells of, as a server of llama.cpp words it. @param {unknown} data */
export function told(data) {
  return fromStatus(400, readFailure({ error: data }), { scrub: scrubber([]) });
}

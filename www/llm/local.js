/**
 * A request to a model on this device, whichever program runs it. Nothing leaves the machine; the ledger lists it all the
 * same, with no bytes. It ends by the signal of who asked, or when it takes too long.
 */

import { LlmError, cancelled } from './errors.js';

/** @typedef {import('./types.js').LlmRequest} LlmRequest */
/** @typedef {import('./types.js').LlmReply} LlmReply */

/**
 * @param {LlmRequest} request
 * @param {object} options
 * @param {string} options.name of the endpoint
 * @param {number} options.timeoutMs
 * @param {import('./ledger.js').Ledger} options.ledger
 * @param {AbortSignal | null} options.signal
 * @param {(signal: AbortSignal) => Promise<LlmReply>} work throws `LlmError`
 * @returns {Promise<LlmReply>}
 */
export async function onThisDevice(request, { name, timeoutMs, ledger, signal }, work) {
  if (signal?.aborted) throw cancelled();
  const { step, call, passages, turns = 0 } = request;
  const entry = ledger.begin({
    endpoint: name,
    url: null,
    method: 'local',
    step,
    call,
    attempt: 1,
    passages: [...passages],
    turns,
    bytesOut: 0,
  });
  const controller = new AbortController();
  const stop = () => controller.abort(cancelled());
  signal?.addEventListener('abort', stop, { once: true });
  const whole = setTimeout(
    () => controller.abort(new LlmError('timeout', 'the request took longer than allowed')),
    timeoutMs,
  );
  try {
    const reply = await work(controller.signal);
    entry.end('ok');
    return reply;
  } catch (thrown) {
    const error = controller.signal.aborted ? controller.signal.reason : thrown;
    entry.end(error instanceof LlmError ? error.code : 'internal');
    throw error;
  } finally {
    clearTimeout(whole);
    signal?.removeEventListener('abort', stop);
  }
}

/**
 * A request to a model that needs no server: of a file on this device, from which nothing leaves it, or of the browser, which does
 * not promise where it runs it. The ledger lists both, that of this device with no bytes. It ends by the signal of who asked, or
 * when it takes too long.
 */

import { LlmError, cancelled } from './errors.js';

/** @typedef {import('./types.js').LlmRequest} LlmRequest */
/** @typedef {import('./types.js').LlmReply} LlmReply */

const utf8 = new TextEncoder();

/**
 * @param {LlmRequest} request
 * @param {object} options
 * @param {string} options.name of the endpoint
 * @param {'local' | 'browser'} options.method `local` for a model of this device
 * @param {number} options.timeoutMs
 * @param {import('./ledger.js').Ledger} options.ledger
 * @param {AbortSignal | null} options.signal
 * @param {(signal: AbortSignal) => Promise<LlmReply>} work throws `LlmError`
 * @returns {Promise<LlmReply>}
 */
export async function inThisBrowser(request, { name, method, timeoutMs, ledger, signal }, work) {
  if (signal?.aborted) throw cancelled();
  const { step, call, passages, turns = 0, messages } = request;
  const bytes = (/** @type {string} */ text) => (method === 'local' ? 0 : utf8.encode(text).byteLength);
  const entry = ledger.begin({
    endpoint: name,
    url: null,
    method,
    step,
    call,
    attempt: 1,
    passages: [...passages],
    turns,
    bytesOut: messages.reduce((sum, { content }) => sum + bytes(content), 0),
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
    entry.received(bytes(reply.text));
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

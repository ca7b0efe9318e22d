/**
 * A model out of a file of this device. Here it is an endpoint as others are; what runs it is given by the page.
 */

import { LlmError } from './errors.js';
import { inThisBrowser } from './in-browser.js';

/**
 * State of a model on this device: `storing` and `loading` in bytes, `reading` a prompt in tokens (0 of 0 until that is
 * known), `writing` in tokens a second.
 * @typedef {{ phase: 'idle' } | { phase: 'storing' | 'loading' | 'reading', done: number, total: number }
 *   | { phase: 'writing', perSecond: number, onGpu: boolean }} DeviceState
 */

/** @typedef {{ complete: import('./types.js').Provider['complete'] }} Device */

/**
 * @param {{ name: string, model: string, timeoutMs: number }} settings
 * @param {import('./types.js').Host} host
 * @param {(() => Promise<Device>) | null} open
 * @returns {import('./types.js').Provider['complete']}
 */
export function device({ name, model, timeoutMs }, { world }, open) {
  return async (request, { signal = null, onText } = {}) => {
    if (open === null) throw new LlmError('unavailable', 'this page runs no model itself');
    const options = { name, method: /** @type {const} */ ('local'), timeoutMs, ledger: world.ledger, signal };
    return inThisBrowser(request, options, async (signal) => {
      const opened = await open().catch((error) => {
        throw new LlmError('unavailable', String(error), { reason: 'runtime-unreachable' });
      });
      return { ...(await opened.complete(request, { signal, ...(onText ? { onText } : {}) })), model };
    });
  };
}

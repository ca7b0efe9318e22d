import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ledger } from './ledger.js';
import { browserModel, promptApi } from './prompt-api.js';
import { defaultRetry } from './retry.js';

/** @type {import('./types.js').LlmRequest} */
const request = {
  call: 1,
  step: 'filter',
  endpoint: null,
  model: null,
  maxTokens: 100,
  temperature: 0,
  schema: { name: 'x', schema: { type: 'object' } },
  passages: [],
  messages: [
    { role: 'system', content: 'rules' },
    { role: 'user', content: 'question' },
  ],
};
const settings = { name: 'browser', timeoutMs: 1000, maxReplyBytes: 1000 };

/** A browser's model that says these pieces. @param {string[]} pieces @param {{ state?: string, endless?: boolean, error?: Error | null }} [options] */
function fake(pieces, { state = 'available', endless = false, error = null } = {}) {
  /** @type {any[]} */
  const calls = [];
  let destroyed = 0;
  const api = {
    availability: async () => state,
    params: async () => ({ defaultTopK: 3 }),
    create: async (/** @type {object} */ options) => {
      calls.push(options);
      if (error) throw error;
      return {
        promptStreaming: (/** @type {unknown} */ text, /** @type {object} */ more) => {
          calls.push([text, more]);
          return new ReadableStream({
            start(controller) {
              for (const piece of pieces) controller.enqueue(piece);
              if (!endless) controller.close();
            },
          });
        },
        destroy: () => (destroyed += 1),
      };
    },
  };
  return { api, calls, destroyed: () => destroyed };
}

/** @param {ReturnType<typeof fake>['api'] | null} api @param {Ledger} [ledger] */
function provider(api, ledger = new Ledger()) {
  return promptApi(settings, { world: { fetch, ledger, now: Date.now }, retryOptions: defaultRetry }, api);
}

test('the model of a browser answers, held to the schema, and what it is given counts as what has left', async () => {
  const { api, calls, destroyed } = fake(['{"a"', ':1}']);
  const ledger = new Ledger();
  /** @type {string[]} */
  const seen = [];
  const reply = await provider(api, ledger)(request, { onText: (text) => seen.push(text) });
  assert.deepEqual(reply, { text: '{"a":1}', finish: 'stop', usage: null, model: 'browser' });
  assert.deepEqual(seen, ['{"a"', '{"a":1}']);
  assert.deepEqual(
    [calls[0].initialPrompts, calls[0].topK, calls[0].temperature],
    [[request.messages[0]], 1, 0],
  );
  assert.deepEqual(
    [calls[1][0], calls[1][1].responseConstraint],
    [[request.messages[1]], { type: 'object' }],
  );
  assert.equal(destroyed(), 1);
  assert.deepEqual(
    [ledger.entries[0]?.where, ledger.entries[0]?.method, ledger.entries[0]?.outcome, ledger.hasLeft],
    ['this browser', 'browser', 'ok', true],
  );
  const given = request.messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  assert.deepEqual(ledger.totals, { requests: 1, bytesOut: given, bytesIn: 7 });
});

test('a browser without one, or with one that would have to be fetched, says so', async () => {
  assert.equal(browserModel(), null);
  await assert.rejects(provider(null)(request, {}), { code: 'unavailable' });
  for (const state of ['unavailable', 'downloadable', 'downloading']) {
    const { api, calls } = fake([], { state });
    await assert.rejects(provider(api)(request, {}), { code: 'unavailable' });
    assert.equal(calls.length, 0);
  }
});

test('a request to the model of the browser ends at once when stopped, is bounded, and names its failures', async () => {
  const endless = fake(['a'], { endless: true });
  await assert.rejects(provider(endless.api)(request, { signal: AbortSignal.timeout(20) }), {
    code: 'cancelled',
  });
  assert.equal(endless.destroyed(), 1);
  await assert.rejects(provider(fake(['x'.repeat(1001)]).api)(request, {}), { code: 'too-large' });
  await assert.rejects(
    provider(fake([], { error: new DOMException('x', 'QuotaExceededError') }).api)(request, {}),
    { code: 'too-long' },
  );
  await assert.rejects(provider(fake([], { error: new Error('x') }).api)(request, {}), {
    code: 'server-error',
    retryable: false,
  });
  await assert.rejects(
    promptApi(
      { ...settings, timeoutMs: 20 },
      { world: { fetch, ledger: new Ledger(), now: Date.now }, retryOptions: defaultRetry },
      endless.api,
    )(request, {}),
    { code: 'timeout' },
  );
});

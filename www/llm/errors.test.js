import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LlmError, fromStatus, llmCodes, readFailure } from './errors.js';

test('failures are read in the words of every server', () => {
  /** @type {[number, unknown, string][]} */
  const cases = [
    [
      401,
      {
        error: {
          message: 'Incorrect API key provided',
          type: 'invalid_request_error',
          code: 'invalid_api_key',
        },
      },
      'unauthorized',
    ],
    [
      404,
      {
        error: {
          message: 'The model `x` does not exist',
          type: 'invalid_request_error',
          code: 'model_not_found',
        },
      },
      'model-unknown',
    ],
    [
      404,
      { error: { message: 'model "x" not found, try pulling it first', type: 'api_error', code: null } },
      'model-unknown',
    ],
    [404, { error: 'model "x" not found, try pulling it first' }, 'model-unknown'],
    [
      404,
      { object: 'error', message: 'The model `x` does not exist.', type: 'NotFoundError', code: 404 },
      'model-unknown',
    ],
    [
      404,
      { type: 'error', error: { type: 'not_found_error', message: 'model: x not found' } },
      'model-unknown',
    ],
    [
      404,
      {
        error: {
          code: 'DeploymentNotFound',
          message: 'The API deployment for this resource does not exist.',
        },
      },
      'model-unknown',
    ],
    [404, { detail: 'Not Found' }, 'wrong-path'],
    [404, null, 'wrong-path'],
    [405, { detail: 'Method Not Allowed' }, 'wrong-path'],
    [
      400,
      {
        error: {
          message: "This model's maximum context length is 4096 tokens",
          code: 'context_length_exceeded',
        },
      },
      'too-long',
    ],
    [
      400,
      {
        error: {
          type: 'exceed_context_size_error',
          message: 'the request exceeds the available context size',
          code: 400,
        },
      },
      'too-long',
    ],
    [413, null, 'too-long'],
    [
      422,
      {
        detail: [
          {
            loc: ['body', 'stream_options'],
            msg: 'Extra inputs are not permitted',
            input: 'text of a document',
          },
        ],
      },
      'bad-request',
    ],
    [
      429,
      { error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' } },
      'rate-limited',
    ],
    [
      429,
      {
        error: {
          message: 'You exceeded your current quota',
          type: 'insufficient_quota',
          code: 'insufficient_quota',
        },
      },
      'quota',
    ],
    [402, null, 'quota'],
    [529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'server-error'],
    [500, 'not an object', 'server-error'],
    [408, null, 'server-error'],
    [200, { error: { message: 'Rate limit reached', type: 'rate_limit_error' } }, 'rate-limited'],
    [200, { error: { message: 'Overloaded', type: 'overloaded_error' } }, 'server-error'],
    [200, { error: 'llama runner process has terminated' }, 'server-error'],
    [400, { error: { message: 'something else', type: 'api_error' } }, 'bad-request'],
  ];
  for (const [status, body, code] of cases) {
    const error = fromStatus(status, readFailure(body), { scrub: (text) => text });
    assert.equal(error.code, code, JSON.stringify([status, body]));
    assert.ok(!error.detail.includes('document') && !error.message.includes('`x`'));
  }
});

test('an error tells whether another request to the endpoint would fail too', () => {
  const lasting = llmCodes.filter((code) => new LlmError(code, 'x').lasts);
  assert.deepEqual(lasting, [
    'bad-config',
    'unavailable',
    'network',
    'unauthorized',
    'wrong-path',
    'model-unknown',
    'quota',
  ]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure, refusal, told } from './failures.js';

test('the log of the program tells failures apart, and what it says is short and of one line', () => {
  /** @type {[said: string, reason: string][]} */
  const cases = [
    [
      "@@ERROR@@llama_model_load: error loading model: unknown model architecture: 'perceptron'",
      'architecture-unknown',
    ],
    ['@@ERROR@@std::bad_alloc', 'memory-out'],
    ['RangeError: Array buffer allocation failed', 'memory-out'],
    [
      '@@ERROR@@llama_model_load: tensor data is not within the file bounds, model is corrupted or incomplete',
      'file-damaged',
    ],
    ['NotReadableError: The requested file could not be read', 'file-damaged'],
    ['RuntimeError: unreachable', 'model-failed'],
  ];
  for (const [said, reason] of cases) {
    const error = failure(said);
    assert.deepEqual([error.code, error.reason, error.lasts], ['unavailable', reason, true], said);
  }
  const log = '@@WARN@@ggml_webgpu: no adapter\n@@ERROR@@load: std::bad_alloc\n@@ERROR@@failed to load';
  assert.equal(failure(log).detail, 'load: std::bad_alloc');
  const { detail } = failure(`one\n<b>two</b>${'x'.repeat(1000)}`);
  assert.ok(detail.length <= 300 && !detail.includes('\n'));
});

test('a request that is refused leaves the model as it is, unless the memory ran out', () => {
  assert.deepEqual(
    [refusal('no such template').code, refusal('std::bad_alloc').reason],
    ['bad-request', 'memory-out'],
  );
  const long = {
    code: 400,
    type: 'exceed_context_size_error',
    message: 'request (9000 tokens) exceeds the available context size',
  };
  assert.equal(told(long).code, 'too-long');
});

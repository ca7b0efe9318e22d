import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError, InstanceLost } from './errors.js';
import { guarded } from './guard.js';

/** As Firefox has it: no subclass of RangeError. */
class InternalError extends Error {}

/** An object of the glue. */
class Asking {
  __wbg_ptr = 1;
  #steps = 0;

  /** @param {unknown} error */
  throwing(error) {
    throw error;
  }

  step() {
    this.#steps += 1;
    return this.#steps;
  }

  /** @returns {string} */
  get fingerprint() {
    throw new RangeError('Out of memory');
  }
}

class Library {
  __wbg_ptr = 2;

  /** @param {unknown} [error] */
  constructor(error) {
    if (error) throw error;
  }

  asking() {
    return new Asking();
  }
}

const wasm = guarded({
  Library,
  version: () => 'v',
  linkGraph: () => {
    throw new InternalError('too much recursion');
  },
});

test('whatever is not the engine’s own ends the instance, whichever class it has', () => {
  const asking = new wasm.Library().asking();
  for (const error of [
    new WebAssembly.RuntimeError('unreachable'),
    new RangeError('Maximum call stack size exceeded'),
    new InternalError('too much recursion'),
    new TypeError('null pointer passed to rust'),
    'a string',
  ]) {
    assert.throws(() => asking.throwing(error), InstanceLost);
    assert.throws(() => new wasm.Library(error), InstanceLost);
  }
  assert.throws(() => wasm.linkGraph(), { name: 'InstanceLost', message: 'too much recursion' });
  assert.throws(() => asking.fingerprint, InstanceLost);
});

test('an error of the engine passes as it is, and so do results', () => {
  const asking = new wasm.Library().asking();
  const own = new EngineError('bad-argument', 'x');
  assert.throws(
    () => asking.throwing(own),
    (error) => error === own,
  );
  assert.deepEqual([wasm.version(), asking.step(), asking.step()], ['v', 1, 2]);
});

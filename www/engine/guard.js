/**
 * The engine's module behind a guard: an exception that is not the engine's own ends the instance. A trap leaves wasm
 * memory in any state, and browsers tell it by several classes (`WebAssembly.RuntimeError`, `RangeError`, Firefox's
 * `InternalError`), so the question is not which class it is but whether the engine threw it.
 */

import { InstanceLost, isOwn } from './errors.js';

/**
 * Stands for a module, a class, an object or a function of the glue; what it gives back is guarded too.
 * @template {object} T
 * @param {T} target
 * @returns {T}
 */
export function guarded(target) {
  return new Proxy(target, {
    get: (object, key) => {
      const value = run(() => Reflect.get(object, key, object));
      return typeof value === 'function' && key !== 'constructor' && key !== 'prototype'
        ? guardedFunction(value, object)
        : value;
    },
    construct: (object, values) => run(() => Reflect.construct(/** @type {any} */ (object), values)),
  });
}

/** @param {Function} call @param {object} self */
function guardedFunction(call, self) {
  return new Proxy(call, {
    apply: (object, _self, values) => run(() => Reflect.apply(object, self, values)),
    construct: (object, values) => run(() => Reflect.construct(object, values)),
  });
}

/** @param {() => unknown} call @returns {any} */
function run(call) {
  let result;
  try {
    result = call();
  } catch (error) {
    throw isOwn(error) ? error : new InstanceLost(error);
  }
  // An object of the glue holds the address of its Rust twin.
  return typeof result === 'object' && result !== null && '__wbg_ptr' in result ? guarded(result) : result;
}

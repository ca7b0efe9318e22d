import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { EngineError, InstanceLost, engineCodes, fromPlain, isFatal, isOwn, toPlain } from './errors.js';

test('the codes are those of the engine', async () => {
  const source = await readFile(new URL('../../crate/engine/src/error.rs', import.meta.url), 'utf8');
  const names = [...source.matchAll(/Self::\w+ => "([a-z-]+)"/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(names)].sort(), [...engineCodes].sort());
});

test('an error keeps its code and hint across a message', () => {
  const sent = structuredClone(toPlain(new EngineError('pdf-encrypted', 'needs a password', 'Give it.')));
  const error = fromPlain(sent);
  assert.ok(error instanceof EngineError);
  assert.deepEqual(
    [error.name, error.code, error.message, error.hint],
    ['EngineError', 'pdf-encrypted', 'needs a password', 'Give it.'],
  );
});

test('any other error becomes internal', () => {
  assert.equal(toPlain(new TypeError('x')).code, 'internal');
  assert.equal(toPlain('a string').message, 'a string');
  assert.equal(toPlain(Object.assign(new Error('x'), { code: 'ENOENT' })).code, 'internal');
});

test('a lost instance is fatal, errors of the engine are not', () => {
  assert.ok(isFatal(new InstanceLost(new Error('too much recursion'))));
  assert.ok(isFatal(new WebAssembly.RuntimeError('unreachable')));
  assert.ok(!isFatal(new EngineError('pdf-invalid', 'x')));
  // An error of the page or of the browser's storage says nothing about wasm.
  assert.ok(!isFatal(new DOMException('full', 'QuotaExceededError')));
});

test('an error is the engine’s own by its shape', () => {
  const thrown = Object.assign(new Error('x'), { name: 'EngineError', code: 'pdf-invalid' });
  assert.ok(isOwn(thrown) && isOwn(new EngineError('internal', 'x')));
  assert.ok(!isOwn(Object.assign(new Error('x'), { code: 'pdf-invalid' })));
  assert.ok(!isOwn(Object.assign(new Error('x'), { name: 'EngineError', code: 'ENOENT' })));
  assert.ok(!isOwn({ name: 'EngineError', code: 'pdf-invalid' }));
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { EngineError, engineCodes, fromPlain, isFatal, toPlain } from './errors.js';

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

test('traps, overflows and exhausted memory end the instance; engine errors do not', () => {
  assert.ok(isFatal(new WebAssembly.RuntimeError('unreachable')));
  assert.ok(isFatal(new RangeError('Maximum call stack size exceeded')));
  assert.ok(!isFatal(new EngineError('pdf-invalid', 'x')));
});

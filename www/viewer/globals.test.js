import assert from 'node:assert/strict';
import { test } from 'node:test';

test('what a page has under the names of pdf.js is there again', async () => {
  const own = { version: '2.0 of the page' };
  Reflect.set(globalThis, 'pdfjsLib', own);
  const { restoreGlobals } = await import('./globals.js');
  Reflect.set(globalThis, 'pdfjsLib', { version: 'ours' });
  Reflect.set(globalThis, 'pdfjsWorker', {});
  restoreGlobals();
  assert.equal(Reflect.get(globalThis, 'pdfjsLib'), own);
  assert.ok(!Object.hasOwn(globalThis, 'pdfjsWorker'));
});

/** The lab's engine over a stand-in of the library's. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LabEngine } from './engine.js';

test('a wait for vectors says how many documents lack some, and what share of all passages has one', async () => {
  const documents = [
    { problem: null, missing: [0, 1, 2], nToEmbed: 4, nEmbedded: 1 },
    { problem: null, missing: [], nToEmbed: 6, nEmbedded: 6 },
    { problem: { code: 'index-damaged' }, missing: [0], nToEmbed: 100, nEmbedded: 0 },
  ];
  const engine = /** @type {any} */ ({ snapshot: { documents }, vectorOf: async () => new Float32Array(1) });
  const lab = new LabEngine(() => engine, /** @type {any} */ (null));
  /** @type {[number, number][]} */
  const told = [];
  await lab.embedded(new AbortController().signal, (waiting, share) => {
    told.push([waiting, share]);
    Object.assign(documents[0] ?? {}, { missing: [], nEmbedded: 4 });
  });
  assert.deepEqual(told, [[1, 0.7]]);
});

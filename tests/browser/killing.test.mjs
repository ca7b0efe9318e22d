/**
 * The tab and the whole browser killed at thirty random moments of adding, embedding, saving, removing and asking: after
 * each the page opens with whole documents only, and with everything that it had shown before. `tests/bench/kill.mjs` kills
 * at more of them, over longer documents.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from '../../www/serve.mjs';
import { withEmptyConsole } from './console.mjs';
import { siteFolder } from './harness.mjs';
import { killAtMoments } from './killing/moments.mjs';

const seed = Number(process.env['PINCITE_SEED'] ?? 20261124);
const moments = 30;

test(`killed at ${moments} moments (seed ${seed}), the page opens with whole documents and nothing else lost`, (t) =>
  withEmptyConsole(async (said) => {
    const server = await serve(siteFolder, 0);
    try {
      const { wrong, ...counts } = await killAtMoments(server.url, { moments, seed, said });
      t.diagnostic(JSON.stringify(counts));
      assert.deepEqual(wrong, []);
      assert.ok(counts.during > 0, 'no kill found anything under way');
    } finally {
      await server.close();
    }
  }));

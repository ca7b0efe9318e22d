/**
 * Kills the browser and the tab at random moments, as `tests/browser/killing.test.mjs` does, at more of them and over longer
 * documents. Whatever the page listed before must be listed, whole and found again; nothing half may be.
 *
 *   node tests/bench/kill.mjs --site dist/site --moments 50 --seed 1 [--lines 40]
 *
 * Prints one line of JSON; exit status 1 when something was not as it must be. CHROMIUM names another Chromium.
 */

import { parseArgs } from 'node:util';
import { killAtMoments } from '../browser/killing/moments.mjs';
import { serve } from '../../www/serve.mjs';

const { values } = parseArgs({
  options: {
    site: { type: 'string', default: 'dist/site' },
    moments: { type: 'string', default: '50' },
    seed: { type: 'string', default: '20261122' },
    lines: { type: 'string', default: '40' },
  },
});
const [moments, seed, nLines] = [values.moments, values.seed, values.lines].map(Number);
const server = await serve(values.site, 0);
const killed = await killAtMoments(server.url, {
  moments: moments ?? 50,
  seed: seed ?? 1,
  nLines: nLines ?? 40,
});
await server.close();
console.log(JSON.stringify({ moments, seed, ...killed }));
process.exit(killed.wrong.length > 0 ? 1 : 0);

/**
 * A tab whose process is killed while files are stored: whatever it listed is there when the page is opened again, and
 * can be asked. `tests/bench/kill.mjs` kills Chromium at fifty moments; here are some in each engine that has a way to.
 */

import assert from 'node:assert/strict';
import { ask, drop, isStored, pdf, ready, snapshot } from '../browser/harness.mjs';
import { chance } from '../browser/chance.mjs';
import { inEachEngine } from './harness.mjs';

const seed = Number(process.env['PINCITE_SEED'] ?? 20261124);
const moments = 5;
/** Longest wait before a kill, in milliseconds: the files of a moment are stored by then. */
const longest = 1_500;

/** Files of one name, the hardest case for what is told apart. @param {number} moment */
const filesOf = (moment) =>
  Array.from({ length: 4 }, (_, part) =>
    pdf('deed.pdf', [`Deed ${moment} ${part}`, `The penalty number ${moment} is due in ${part + 2} days.`]),
  );

inEachEngine(({ name, test, atSite }) => {
  // WebDriver ends the session of WebKit with its page, and a session's storage with it.
  if (name === 'WebKit') return;
  test(`killed at ${moments} moments of storing (seed ${seed}), what a tab listed is there again`, () =>
    atSite(async (tab, host) => {
      const next = chance(seed);
      await ready(tab);
      for (let moment = 0; moment < moments; moment += 1) {
        await drop(tab, filesOf(moment));
        await new Promise((resolve) => setTimeout(resolve, next() * longest));
        const told = (await snapshot(tab)).documents.map(({ id }) => id);
        await tab.kill();
        await tab.goto(host.url);
        await ready(tab);
        const { documents } = await snapshot(tab);
        const there = new Set(documents.map(({ id }) => id));
        assert.deepEqual(
          told.filter((id) => !there.has(id)),
          [],
          `moment ${moment}`,
        );
        assert.ok(documents.every(({ problem }) => problem === null));
        const n = documents.length;
        await isStored(tab, { documents: n, files: n, segments: n });
      }
      await drop(tab, [pdf('last.pdf', ['The last penalty is due in ninety days.'])]);
      await tab.waitForFunction(() =>
        /** @type {import('../browser/harness.mjs').PinciteWidget} */ (
          document.querySelector('pincite-widget')
        ).engine.snapshot.documents.some(({ name }) => name === 'last.pdf'),
      );
      assert.ok((await ask(tab, 'When is the last penalty due?')).citations.length > 0);
    }));
});

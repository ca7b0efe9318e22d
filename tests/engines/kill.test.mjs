/**
 * A tab whose process is killed while files are stored: whatever it listed is there when the page is opened again, and
 * can be asked. `tests/bench/kill.mjs` kills Chromium at fifty moments; here are some in each engine that has a way to.
 */

import assert from 'node:assert/strict';
import { ask, drop, isStored, pdf, ready, snapshot } from '../browser/harness.mjs';
import { chance } from '../browser/chance.mjs';
import { inEachEngine } from './harness.mjs';
import { withUndriven } from './webkit-undriven.mjs';

const seed = Number(process.env['PINCITE_SEED'] ?? 20261124);
const moments = 5;
/** Longest wait before a kill, in milliseconds: the files of a moment are stored by then. */
const longest = 1_500;

/** Files of one name, the hardest case for what is told apart. @param {number} moment */
const filesOf = (moment) =>
  Array.from({ length: 4 }, (_, part) =>
    pdf('deed.pdf', [`Deed ${moment} ${part}`, `The penalty number ${moment} is due in ${part + 2} days.`]),
  );

const behaviour = `killed at ${moments} moments of storing (seed ${seed}), what a tab listed is there again`;

inEachEngine(({ name, test, atSite }) => {
  // WebDriver ends the session of WebKit with its page, and a session's storage with it: it is killed without one, below.
  if (name === 'WebKit') return void test(behaviour, killedWebKit);
  test(behaviour, () =>
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
    }),
  );
});

/** The page tells the host what it lists; it is given files to store as it opens. */
async function killedWebKit() {
  const next = chance(seed);
  await withUndriven(async ({ open, kill, told }) => {
    /** @type {string[]} */
    let listed = [];
    for (let moment = 0; moment <= moments; moment += 1) {
      const isLast = moment === moments;
      await open(isLast ? [pdf('last.pdf', ['The last penalty is due in ninety days.'])] : filesOf(moment));
      const { documents } = await told('opened');
      const there = new Set(documents.map(({ id }) => id));
      assert.deepEqual(
        listed.filter((id) => !there.has(id)),
        [],
        `moment ${moment}`,
      );
      assert.ok(documents.every(({ problem }) => problem === null));
      if (isLast) break;
      // So that at least one is at stake.
      if (moment === 0) await told('listed', 1);
      await new Promise((resolve) => setTimeout(resolve, next() * longest));
      listed = (await told('listed')).documents.map(({ id }) => id);
      await kill();
    }
    assert.ok(listed.length > 0);
    assert.ok((await told('answered')).nCitations > 0);
  });
}

/**
 * The page killed at random moments of whatever a person does with a library, its tab twice and the whole
 * browser once in turn, and opened again each time. Shared by the test, which kills at thirty moments, and by `tests/bench/kill.mjs`.
 */

import { chance } from '../chance.mjs';
import { embedded, snapshot } from '../harness.mjs';
import { acts, durations, settled } from './acts.mjs';
import { KillableBrowser } from './browser.mjs';
import { deed } from './deeds.mjs';
import { keptAnswers, wrongs } from './library.mjs';

/** @typedef {import('../harness.mjs').PinciteWidget} PinciteWidget */
/** @typedef {import('./deeds.mjs').Deed} Deed */

/** Documents in a library above which some are taken out, to keep the moments alike. */
const most = 10;

/**
 * @typedef {object} Killed
 * @property {number} browser times that all of the browser was killed
 * @property {number} tab times that its tab was
 * @property {number} during kills that found something under way
 * @property {number} resets moments after which Chromium said of itself that it had thrown the database away: library and answers are
 *   gone then, and nothing is excused but that
 * @property {number} told documents that were listed during an act, all moments together
 * @property {Record<string, number>} longest milliseconds of the longest wait in each act
 * @property {string[]} wrong what was not as it must be, with the moment and its act
 */

/**
 * @param {string} address of the site
 * @param {object} options
 * @param {number} options.moments
 * @param {number} options.seed
 * @param {number} [options.nLines] of a document
 * @param {(line: string) => void} [options.said] takes what pages say on the console
 * @returns {Promise<Killed>}
 */
export async function killAtMoments(address, { moments, seed, nLines = 6, said = () => {} }) {
  const next = chance(seed);
  /** @type {Map<string, Deed>} */
  const deeds = new Map();
  const files = (/** @type {number} */ n) =>
    Array.from({ length: n }, () => {
      const made = deed(deeds.size, nLines);
      deeds.set(made.id, made);
      return made;
    });
  const browser = new KillableBrowser(address, said);
  try {
    let page = await browser.open();
    await settled({ page, files, next });
    await browser.killTab();
    page = await browser.open();
    const longest = await durations({ page, files, next });
    const counts = { browser: 0, tab: 0, during: 0, resets: 0, told: 0 };
    const killed = { ...counts, longest, wrong: /** @type {string[]} */ ([]) };
    const names = /** @type {(keyof typeof acts)[]} */ (Object.keys(acts));
    for (let moment = 0; moment < moments; moment += 1) {
      const act = names[moment % names.length] ?? 'adding';
      const isTab = Math.floor(moment / names.length) % 3 !== 2;
      const nAnswers = await keptAnswers(page);
      const before = new Set((await snapshot(page)).documents.map(({ id }) => id));
      const { open = [] } = await acts[act]({ page, files, next });
      await page.waitForTimeout(next() * longest[act]);

      const seen = await whatIsSeen(page);
      killed.during += Number(seen.isBusy);
      killed.told += seen.listed.filter((id) => !before.has(id)).length;
      killed[isTab ? 'tab' : 'browser'] += 1;
      await (isTab ? browser.killTab() : browser.killAll());
      page = await browser.open();

      const isOpen = new Set(open);
      const kept = seen.listed.filter((id) => !isOpen.has(id));
      const isReset = (await browser.takeResets()) > 0;
      killed.resets += Number(isReset);
      const found = await wrongs(page, {
        must: new Set(isReset ? [] : kept),
        gone: new Set(seen.removed),
        deeds,
        nAnswers: isReset ? 0 : nAnswers,
        // The last document may have gone right before the kill, and the page not have noted it.
        isLost: kept.length > 0 ? isReset : null,
      });
      killed.wrong.push(...found.map((line) => `moment ${moment}, ${act}: ${line}`));
      if (isReset) await settled({ page, files, next });
      await thinOut(page);
    }
    await embedded(page);
    return killed;
  } finally {
    await browser.close();
  }
}

/** The page's own account right before it is killed. @param {import('../harness.mjs').Page} page */
function whatIsSeen(page) {
  return page.evaluate(() => {
    const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
    const { documents, jobs, embedding } = widget.engine.snapshot;
    const isAsking = widget.shadowRoot?.querySelector('.answer-card[data-state=asking]') !== null;
    return {
      listed: documents.filter(({ kept }) => kept).map(({ id }) => id),
      /** Removals that the engine has confirmed. @type {string[]} */
      removed: [...(Reflect.get(globalThis, 'removed') ?? [])],
      isBusy: jobs.length > 0 || embedding !== null || isAsking,
    };
  });
}

/** Takes the oldest documents out of a library of many. @param {import('../harness.mjs').Page} page */
function thinOut(page) {
  return page.evaluate(async (most) => {
    const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
    const { documents } = engine.snapshot;
    const extra = documents.length > most ? documents.slice(0, most / 2) : [];
    await Promise.all(extra.map(({ id }) => engine.remove(id, { undoMs: 0 })));
  }, most);
}

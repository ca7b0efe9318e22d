/**
 * Acts of a person during which the page is killed: adding files, having them embedded, saving them, removing them, asking.
 * Each act begins something and does not wait for its end; it says which documents may or may not be there afterwards.
 */

import { drop, embedded, snapshot } from '../harness.mjs';

/** @typedef {import('../harness.mjs').Page} Page */
/** @typedef {import('../harness.mjs').PinciteWidget} PinciteWidget */
/** @typedef {import('./deeds.mjs').Deed} Deed */

/**
 * @typedef {object} Acting
 * @property {Page} page
 * @property {(n: number) => Deed[]} files so many that were never added
 * @property {() => number} next a random number below 1
 */

/**
 * @typedef {(acting: Acting) => Promise<{ open?: string[] }>} Act
 *   begins; `open` are documents of which it is open whether they stay
 */

/** @type {Record<'adding' | 'embedding' | 'saving' | 'removing' | 'asking', Act>} */
export const acts = {
  async adding({ page, files }) {
    await drop(page, files(4));
    return {};
  },

  async embedding({ page, files }) {
    await droppedUntil(page, files(2), 'listed');
    return {};
  },

  async saving({ page, files }) {
    await droppedUntil(page, files(1), 'saving');
    return {};
  },

  async removing({ page, next }) {
    const { documents } = await snapshot(page);
    const open = documents.map(({ id }) => id).filter(() => next() < 0.4);
    await page.evaluate((ids) => {
      const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      /** @type {string[]} */
      const removed = [];
      Reflect.set(globalThis, 'removed', removed);
      for (const [at, id] of ids.entries()) {
        // Every third is put back at once; the others go for good.
        const gone = engine.remove(id, { undoMs: at % 3 === 2 ? 6_000 : 0 });
        if (at % 3 === 2) void engine.restore(id);
        else void gone.then(() => removed.push(id));
      }
    }, open);
    return { open };
  },

  async asking({ page }) {
    await page.getByRole('textbox', { name: 'Your question' }).fill('When is the penalty due?');
    await page.keyboard.press('Enter');
    return {};
  },
};

/**
 * Drops files and waits until one is being saved, or until one is listed whose vectors are to come. Either may be over before
 * anybody looks from outside.
 * @param {Page} page @param {Deed[]} files @param {'saving' | 'listed'} stage
 */
async function droppedUntil(page, files, stage) {
  const seen = page.evaluate(
    (stage) =>
      new Promise((resolve) => {
        const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
        const look = () => {
          const { jobs, documents } = engine.snapshot;
          const isSeen =
            stage === 'saving'
              ? jobs.some((job) => job.stage === 'saving')
              : documents.some(({ missing }) => missing.length > 0);
          if (!isSeen) return;
          engine.removeEventListener('change', look);
          resolve(undefined);
        };
        engine.addEventListener('change', look);
      }),
    stage,
  );
  await drop(page, files);
  await seen;
}

/** Adds the first documents, with which the site is kept and the model is loaded for the first time. @param {Acting} acting */
export async function settled(acting) {
  await acts.adding(acting);
  await listed(acting.page, 4);
  await embedded(acting.page);
}

/**
 * Milliseconds that each act takes on a page that has just been opened, when nothing is killed: the longest wait before a
 * kill.
 * @param {Acting} acting
 */
export async function durations(acting) {
  const { page } = acting;
  const taken = async (/** @type {() => Promise<unknown>} */ work) => {
    const begin = performance.now();
    await work();
    return Math.round(performance.now() - begin);
  };
  const adding = await taken(() => acts.adding(acting).then(() => listed(page, 8)));
  const embedding = await taken(() => embedded(page));
  const asking = await taken(() =>
    acts.asking(acting).then(() => page.locator('.answer-card[data-state=answered]').first().waitFor()),
  );
  // Twice as long for files, since they are read side by side and stored at the end. Saving and removing are a transaction each, of a
  // few milliseconds.
  return { adding: 2 * adding, embedding, saving: 20, removing: 40, asking };
}

/** Waits until so many documents are listed. @param {Page} page @param {number} n */
function listed(page, n) {
  return page.waitForFunction(
    (n) =>
      /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).engine.snapshot.documents
        .length >= n,
    n,
  );
}

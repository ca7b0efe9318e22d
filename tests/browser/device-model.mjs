/** Gestures and texts of the tests of a model file, in whatever engine: a short profile, an honest answer, and stopping while the model reads. */

import assert from 'node:assert/strict';
import { sent } from './harness.mjs';

/** @typedef {import('./harness.mjs').Scripted} Scripted */
/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

/** Short requests: the program has one thread, and nonsense takes its time. */
const profile =
  'format = 1\nname = "short"\ntitle = "Short"\n[voice]\nrole = "You read contracts."\n' +
  '[budgets]\ncontext = 900\nanswer = 60\nreply = 60\n[retrieval]\nfound = 3\n' +
  '[steps.rewrite]\nby = "off"\n[steps.filter]\non = false\n[steps.reflect]\non = false\n';

/** @param {Scripted} page */
export function setShortProfile(page) {
  return page.evaluate((profile) => {
    /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).profile = profile;
  }, profile);
}

/** Nonsense is used, and nothing of it is called verified. @param {import('./harness.mjs').Answer} answer */
export function mustBeHonest(answer) {
  assert.ok(answer.trace.calls.every(({ outcome }) => outcome === 'used' || outcome === 'unusable'));
  assert.ok(answer.trace.calls.some(({ outcome }) => outcome === 'used'));
  if (answer.by !== 'model') return;
  const cited = new Set(answer.statements.flatMap(({ citations }) => citations));
  for (const { id, status } of answer.citations) assert.ok(!cited.has(id) || status !== 'verified');
}

/** Nothing has left this device, as the list of requests has it. @param {Scripted} page */
export async function mustBeLocal(page) {
  const entries = await sent(page);
  assert.ok(entries.length > 0);
  for (const { method, where, bytesOut, bytesIn } of entries)
    assert.deepEqual(
      { method, where, bytesOut, bytesIn },
      { method: 'local', where: 'this device', bytesOut: 0, bytesIn: 0 },
    );
}

/** Stops an answer while the model reads. Nonsense is read quickly, so the page itself presses the button. @param {Scripted} page */
export function stopWhileItReads(page) {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const root = document.querySelector('pincite-widget')?.shadowRoot;
        const look = () => {
          const line = root?.querySelector('.searching');
          if (!line?.textContent?.includes('The model reads: ')) return void setTimeout(look, 1);
          line.querySelector('button')?.click();
          resolve(undefined);
        };
        look();
      }),
  );
}

/**
 * The part of run.mjs that goes through the page in Chromium: set up and checked as a person does, asked with every
 * profile, streamed, stopped, refused. The console must stay empty but for what is provoked.
 */

import assert from 'node:assert/strict';
import path from 'node:path';
import {
  ask,
  drop,
  embedded,
  sample,
  searchable,
  sent,
  setModel,
  start,
  stop,
  withPage,
} from '../../browser/harness.mjs';

/** @typedef {import('../../browser/harness.mjs').Page} Page */
/** @typedef {import('../../browser/harness.mjs').PinciteWidget} PinciteWidget */
/** @typedef {import('../../../www/engine/protocol.js').Answer} Answer */

/**
 * @param {object} options
 * @param {import('./run.mjs').Real} options.server that asks for no key and lets every page read its answers
 * @param {import('./run.mjs').Real} options.locked that asks for a key and lets one other page read its answers
 * @param {import('./run.mjs').Real} options.keyed that asks for a key
 * @param {import('./run.mjs').Real} options.short with a context that most prompts do not fit into
 * @param {import('./run.mjs').Real} options.twin that is set up as the page runs a model itself
 * @param {string} options.modelFile the model that all of them have
 * @param {string} options.key
 * @param {string} options.question
 * @param {string} options.model
 * @param {readonly string[]} options.profiles
 * @param {(profile: string, ask: () => Promise<Answer>) => Promise<boolean>} options.measured whether the command was asked and answered the same
 * @param {(answer: Answer, who: string) => void} options.honest fails where nonsense is called verified
 * @returns {Promise<import('./run.mjs').Finding[]>}
 */
export async function byPage({
  server,
  locked,
  keyed,
  short,
  twin,
  modelFile,
  key,
  question,
  model,
  profiles,
  honest,
  measured,
}) {
  /** @type {import('./run.mjs').Finding[]} */
  const seen = [];
  const found = (/** @type {string} */ what, /** @type {string} */ said) => {
    console.error(`page, ${what}: ${said}`);
    seen.push({ what: `page, ${what}`, seen: said.replaceAll('\n', ' ').replaceAll('|', '\\|') });
  };
  await start();
  try {
    await withPage(
      async (page) => {
        await drop(page, [await sample('contract.pdf')]);
        await searchable(page, 1);
        found('connection check', await checked(page, { url: server.url, model }));
        found(
          'check of a model that it does not have',
          await checked(page, { url: server.url, model: 'gpt-of-another' }),
        );
        found('check without /v1', await checked(page, { url: server.origin, model }));
        found('check of a wrong path', await checked(page, { url: `${server.origin}/api/v2`, model }));
      },
      { provoked: /status of 404/ },
    );
    await withPage(
      async (page) => {
        found('check with the key', await checked(page, { url: keyed.url, model, key }));
        found('check with a wrong key', await checked(page, { url: keyed.url, model, key: `${key}x` }));
        found('check without a key', await checked(page, { url: keyed.url, model }));
        found(
          'check where another page alone is allowed',
          await checked(page, { url: locked.url, model, key }),
        );
      },
      { provoked: /status of 401|CORS policy|ERR_FAILED/ },
    );
    await withPage(
      async (page) => {
        await drop(page, [await sample('contract.pdf')]);
        await searchable(page, 1);
        await embedded(page); // as the command has, before it asks
        await setModel(page, { kind: 'openai', url: server.url, model });
        /** @type {string[]} */
        const same = [];
        for (const profile of profiles) {
          await page.evaluate((profile) => {
            /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).profile = profile;
          }, profile);
          if (await measured(profile, () => ask(page, question))) same.push(profile);
          await page.getByRole('button', { name: 'New conversation', exact: true }).click();
        }
        found(
          'profiles with which page and command made the same requests and got the same replies',
          same.join(', ') || 'none',
        );
        const entries = await sent(page);
        assert.ok(
          entries.every(({ where }) => where === `${server.url}/chat/completions`),
          'only the server that was set is asked',
        );
        found(
          'requests of the page, by status and outcome',
          tally(entries.map(({ status, outcome }) => `${status} ${outcome}`)),
        );
      },
      { vectors: true },
    );
    await withPage(async (page) => {
      await drop(page, [await sample('contract.pdf')]);
      await searchable(page, 1);
      await setModel(page, { kind: 'openai', url: server.url, model });
      found('streaming and stopping', await stopped(page, question, server));
    });
    await withPage(
      async (page) => {
        await drop(page, [await sample('contract.pdf')]);
        await searchable(page, 1);
        await embedded(page);
        await setModel(page, { kind: 'openai', url: short.url, model });
        const { by, sufficient } = await ask(page, question);
        assert.ok(sufficient, 'an answer comes all the same');
        found(
          'a context of 2,048 tokens',
          `answered by ${by}; ${(await page.locator('.degraded').innerText()).replaceAll(/\s*\n\s*/g, ' ')}`,
        );
      },
      { vectors: true, provoked: /status of 400/ },
    );
    await withPage(
      async (page) => {
        await drop(page, [await sample('contract.pdf')]);
        await searchable(page, 1);
        await embedded(page);
        await openModel(page, modelFile);
        /** @type {string[]} */
        const same = [];
        for (const profile of profilesOfDevice) {
          await page.evaluate((profile) => {
            /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).profile = profile;
          }, profile);
          const traces = [];
          for (const endpoint of [
            { kind: /** @type {const} */ ('openai'), url: twin.url, model },
            { kind: /** @type {const} */ ('device'), model: path.basename(modelFile) },
          ]) {
            await setModel(page, endpoint);
            const answer = await ask(page, question);
            honest(answer, `${endpoint.kind}, ${profile}`);
            traces.push(tracedIn(answer));
            await page.getByRole('button', { name: 'New conversation', exact: true }).click();
          }
          const [byServer, byPageItself] = traces;
          if (byServer === byPageItself) same.push(profile);
          else
            console.error(`${profile}, by the server: ${byServer}\n${profile}, by the page: ${byPageItself}`);
        }
        found(
          'profiles with which a server and the page itself, with the same model, got the same requests and gave the same replies',
          same.join(', ') || 'none',
        );
        assert.deepEqual(
          same,
          [...profilesOfDevice],
          'profiles with the same trace by the server and by the page',
        );
      },
      { vectors: true },
    );
  } finally {
    await stop();
  }
  return seen;
}

/** Profiles asked of a model that the page runs, at some hundred tokens a second: the one for small models, and the longest. */
const profilesOfDevice = /** @type {const} */ (['small', 'general']);

/** Requests and replies of an answer, with what came of them, and the answer itself. @param {Answer} answer */
const tracedIn = ({ answer, trace }) =>
  JSON.stringify([
    trace.calls.map(({ step, sent, received, outcome }) => [step, sent, received, outcome]),
    answer,
  ]);

/** Opens a model file, which the page then runs itself. @param {Page} page @param {string} file */
async function openModel(page, file) {
  await page.locator('[part=settings-button]').click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByLabel('Language model').selectOption('device');
  await dialog.getByRole('button', { name: 'Open a model file' }).waitFor();
  await dialog.locator('input[accept^=".gguf"]').setInputFiles(file);
  await dialog.getByText('kept in this browser').waitFor();
  await page.keyboard.press('Escape');
}

/** Runs the connection check as a person does. @param {Page} page @param {{ url: string, model: string, key?: string }} given */
async function checked(page, { url, model, key = '' }) {
  await page.locator('[part=settings-button]').click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByLabel('Language model').selectOption('openai');
  await dialog.getByLabel('Address').fill(url);
  await dialog.getByLabel('Model', { exact: true }).fill(model);
  await dialog.getByLabel('Key', { exact: true }).fill(key);
  await dialog.getByRole('button', { name: 'Check connection', exact: true }).click();
  const result = dialog.locator('.check-result .note');
  await result.waitFor({ timeout: 60_000 });
  const said = (await result.innerText())
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(new URL(url).host, 'HOST')
    .replaceAll(new URL(page.url()).origin, 'PAGE');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  return said;
}

/** Stops a question while its answer is being written. @param {Page} page @param {string} question @param {import('./run.mjs').Real} server */
async function stopped(page, question, server) {
  const before = server.log().split('cancel task').length;
  await page.getByRole('textbox', { name: 'Your question' }).fill(question);
  await page.keyboard.press('Enter');
  // Nonsense is written quickly: whoever wants to stop it must not wait for a click from outside of the page.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
        const look = () => {
          const last = widget.ledger.entries.at(-1);
          if (!last || last.bytesIn === 0 || last.outcome !== 'open') return void setTimeout(look, 1);
          /** @type {HTMLElement | null | undefined} */ (
            widget.shadowRoot?.querySelector('.searching button')
          )?.click();
          resolve(undefined);
        };
        look();
      }),
  );
  const last = (await sent(page)).at(-1);
  assert.equal(last?.outcome, 'cancelled');
  for (let wait = 0; wait < 100 && server.log().split('cancel task').length === before; wait += 1)
    await page.waitForTimeout(50);
  const cancelled = server.log().split('cancel task').length > before;
  assert.ok(cancelled, 'the server stops writing');
  return `${last?.bytesIn} bytes of a reply had come when it was stopped in the step “${last?.step}”; the server cancelled its task`;
}

/** @param {string[]} list */
export function tally(list) {
  const counts = new Map();
  for (const each of list) counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts].map(([each, n]) => `${n} × ${each}`).join(', ') || 'none';
}

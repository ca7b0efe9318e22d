/**
 * Scenes of what is kept, and where: the page without a network, a browser that stores nothing or has no space left, the library and
 * a model as files, an answer that is handed on.
 */

import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { nonsense } from '../../llm/nonsense.mjs';
import {
  ask,
  drop,
  modelAddress,
  pdf,
  ready,
  sample,
  searchable,
  site,
  siteFolder,
  type,
} from '../harness.mjs';
import { Host, nextVersion } from '../host.mjs';
import {
  addSamples,
  beginsElsewhere,
  openCitation,
  openSettings,
  press,
  question,
  unfoldLibrary,
} from './gestures.mjs';

/** @typedef {import('../harness.mjs').Page} Page */
/** @typedef {import('../harness.mjs').PinciteWidget} PinciteWidget */
/** @typedef {import('./gestures.mjs').Scene} Scene */

/** @param {(folder: string) => Promise<void>} body */
async function inFolder(body) {
  const folder = await mkdtemp(path.join(tmpdir(), 'pincite-pictures-'));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Opens the page anew at an address, and waits for its library. @param {Page} page @param {string} address */
async function open(page, address) {
  await page.goto(address);
  await ready(page);
}

/** Waits until the page says this of its being kept. @param {Page} page @param {Partial<import('../../../www/offline/site.js').SiteState>} expected */
const keeps = (page, expected) =>
  page.waitForFunction(
    (expected) => {
      const state = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).site?.state;
      return state && Object.entries(expected).every(([name, value]) => Reflect.get(state, name) === value);
    },
    expected,
    { timeout: 60_000 },
  );

/** Bytes of a file that the page saves when a button is pressed. @param {Page} page @param {string} button */
async function saved(page, button) {
  const [file] = await Promise.all([page.waitForEvent('download'), press(page, button)]);
  return readFile(await file.path());
}

/** A packed library whose first file has other bytes. @param {Buffer} library */
function damaged(library) {
  const changed = Buffer.from(library);
  const parts = 16 + changed.readUInt32LE(12);
  return changed.fill(0, parts + 100, parts + 200);
}

const passphrase = 'garden wall correct horse';

/** @type {readonly Scene[]} */
export const keepingScenes = [
  {
    title: 'Without a network',
    options: { ...beginsElsewhere, serviceWorkers: 'allow', vectors: true },
    play: (page, picture) =>
      inFolder(async (folder) => {
        await nextVersion(siteFolder, path.join(folder, 'next'));
        const host = await new Host().open(siteFolder);
        try {
          await open(page, host.url);
          await keeps(page, { isKept: true });
          await openSettings(page, 'Without a network');
          await picture('After the first visit the page is stored in this browser, and the settings say so.');
          await page.keyboard.press('Escape');
          await addSamples(page, 'contract.pdf');
          await host.deploy(path.join(folder, 'next'));
          await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
          await page.getByText('A new version is ready.').waitFor();
          await picture('An update is offered; the page goes on with its version until it is reloaded.');
          await press(page, 'Reload');
          await page.getByText('A new version is ready.').waitFor({ state: 'detached' });
          await ready(page);
          await host.close();
          await page.reload();
          await ready(page);
          await searchable(page, 1);
          await ask(page, question);
          await openCitation(page);
          await picture('The host is gone: the second visit answers from what is stored.');
        } finally {
          await host.close();
        }
      }),
  },
  {
    title: 'A browser that stores nothing',
    options: beginsElsewhere,
    play: async (page, picture, { context }) => {
      await context.route('**/engine/worker.js*', async (route) => {
        const response = await route.fetch();
        const refusing =
          "IDBFactory.prototype.open = () => { throw new DOMException('refused', 'SecurityError'); };";
        await route.fulfill({ response, body: `${refusing}\n${await response.text()}` });
      });
      await open(page, site());
      await addSamples(page, 'contract.pdf');
      await ask(page, question);
      await unfoldLibrary(page);
      await page.getByText('This browser stores nothing here').waitFor();
      await picture('Documents are kept until the page is closed, as it says below their list.');
      await openSettings(page, 'Without a network');
      await picture('The page itself is not stored either.');
    },
  },
  {
    title: 'A browser with no space left',
    options: { ...beginsElsewhere, serviceWorkers: 'allow', vectors: true },
    play: async (page, picture, { context }) => {
      const host = await new Host().open(siteFolder);
      try {
        const session = await context.newCDPSession(page);
        const { origin } = new URL(host.url);
        await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 2e6 });
        await context.route(modelAddress, (route) => route.fulfill({ status: 404 }));
        await open(page, host.url);
        await keeps(page, { failure: 'no-space' });
        await addSamples(page, 'contract.pdf');
        const { name, bytes } = pdf('loan.pdf', ['The lender may call the loan at any time.']);
        await drop(page, [{ name, bytes: Buffer.concat([bytes, randomBytes(4e6)]) }]);
        await searchable(page, 2);
        await page.getByText('It could not be stored in this browser.').waitFor({ state: 'attached' });
        await ask(page, 'When may the lender call the loan?');
        await unfoldLibrary(page);
        await picture(
          'A document that there is no space for is asked like any other, until the page is closed.',
        );
        await openSettings(page, 'Without a network');
        await picture('Nor is there space for the page, which needs the network then.');
      } finally {
        await host.close();
      }
    },
  },
  {
    title: 'A library as a file',
    play: async (page, picture) => {
      await addSamples(page, 'contract.pdf', 'opinion.pdf');
      await unfoldLibrary(page);
      const library = await saved(page, 'Save as a file');
      await page.locator('.library-file').getByText('library.pincite: ').waitFor();
      await picture(
        'All documents are saved as one file, which another browser opens without reading them anew.',
      );
      await page.locator('.library-file .icon-button').click();
      await page.evaluate(() =>
        /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).engine.clear(),
      );
      await searchable(page, 0);
      await drop(page, [
        { name: 'cut-off.pincite', bytes: library.subarray(0, 100) },
        { name: 'library.pincite', bytes: damaged(library) },
      ]);
      await page.getByText('This library file is damaged').waitFor();
      await page.getByText('damaged in the library file').waitFor();
      await searchable(page, 1);
      await unfoldLibrary(page);
      await picture(
        'A file that was cut off is refused; of one with a damaged document the others are opened.',
      );
    },
  },
  {
    title: 'A model in a file of one’s own',
    play: async (page, picture, { context }) => {
      const settings = page.getByRole('dialog', { name: 'Settings' });
      const model = nonsense({ seed: 7 });
      const choose = (/** @type {string} */ name, /** @type {Uint8Array} */ bytes) =>
        settings
          .locator('input[accept^=".gguf"]')
          .setInputFiles({ name, mimeType: '', buffer: Buffer.from(bytes) });
      /** @type {() => void} */
      let release = () => {};
      const held = new Promise((resolve) => (release = () => resolve(undefined)));
      await context.route('**/device/llama.wasm*', async (route) => {
        await held;
        await route.continue();
      });
      await addSamples(page, 'contract.pdf');
      await page.locator('[part=settings-button]').click();
      await settings.getByLabel('Language model').selectOption('device');
      await choose('letter-to-the-bank.gguf', (await sample('contract.pdf')).bytes);
      await settings.getByText('The file is no GGUF file.').waitFor();
      await picture('A file that is no model is refused, with what to choose instead.');
      await choose('counsel-7b-q4.gguf', model);
      await settings.getByRole('button', { name: 'Stop' }).waitFor();
      await picture('A model is opened: how far it is, and a way to stop.');
      release();
      await settings.getByText('kept in this browser').waitFor();
      await press(page, 'Try the model');
      await settings.getByText('answers on this device.').waitFor({ timeout: 120_000 });
      await picture('It is kept in this browser, and was tried.');
      await choose('counsel-cut-off.gguf', model.subarray(0, model.length - 100_000));
      await settings.getByText('counsel-cut-off.gguf, ').waitFor();
      await press(page, 'Try the model');
      await settings.getByText('damaged or cut off').waitFor({ timeout: 120_000 });
      await picture('One whose end is missing fails when it is tried.');
    },
  },
  {
    title: 'An answer handed on',
    play: async (page, picture, { context }) => {
      await addSamples(page, 'rulebook.pdf');
      await type(page, 'Who may complain to the ombudsman?');
      await press(page, 'Save with documents');
      await page.getByText(/The file will have about/).waitFor();
      await picture('One file is made of answer and documents.');
      const dialog = page.locator('dialog.evidence');
      await dialog.getByLabel('Lock the file with a passphrase').check();
      for (const id of ['pincite-passphrase', 'pincite-passphrase-again'])
        await page.locator(`#${id}`).fill(passphrase);
      await page.locator('#pincite-passphrase-lost').scrollIntoViewIfNeeded();
      await picture('It can be locked with a passphrase.');
      const file = await saved(page, 'Save file');
      await inFolder(async (folder) => {
        const at = path.join(folder, 'answer.html');
        await writeFile(at, file);
        const reader = await context.newPage();
        await reader.goto(pathToFileURL(at).href);
        const field = reader.locator('pincite-evidence input[type=password]');
        await field.fill('garden wall');
        await field.press('Enter');
        await reader.getByText('The passphrase is wrong.').waitFor();
        await picture('Whoever gets it is asked for the passphrase.', reader);
        await field.fill(passphrase);
        await field.press('Enter');
        await reader
          .getByText(/^Compared on this device/)
          .first()
          .waitFor({ timeout: 60_000 });
        await picture('They read it offline, and every quotation is compared again.', reader);
        await openCitation(reader);
        await picture('The documents are in the file, and citations open them.', reader);
      });
    },
  },
];

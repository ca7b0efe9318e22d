/**
 * A model with no server: a GGUF file opened from the disk, kept, asked, stopped and removed; and every way in which that
 * fails, each with one message. The model is of random weights, so nothing that it says may be called verified.
 */

import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { nonsense, nonsenseInParts } from '../llm/nonsense.mjs';
import { mustBeHonest, mustBeLocal, setShortProfile, stopWhileItReads } from './device-model.mjs';
import {
  ask,
  drop,
  ready,
  sample,
  searchable,
  sent,
  singleFile,
  siteFolder,
  start,
  startWithGpu,
  stop,
  violations,
  withPage,
} from './harness.mjs';

/** @typedef {import('./harness.mjs').Page} Page */

let folder = '';
/** Names are hostile too. */
const name = 'non<b>sense.gguf';
let model = '';

/** Writes a file and gives its path. @param {string} name @param {Uint8Array} bytes */
async function file(name, bytes) {
  await writeFile(path.join(folder, name), bytes);
  return path.join(folder, name);
}

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pincite-device-'));
  // Of this seed it says several words to a greeting.
  model = await file(name, nonsense({ seed: 7 }));
  await start();
});
after(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

const question = 'What is the cap on liability?';
/** @param {Page} page */
const settings = (page) => page.getByRole('dialog', { name: 'Settings' });
/** @param {Page} page @param {string} name */
const button = (page, name) => settings(page).getByRole('button', { name, exact: true });

/** A page with a document. @param {Page} page */
async function prepare(page) {
  await drop(page, [await sample('contract.pdf')]);
  await searchable(page, 1);
  await setShortProfile(page);
}

/** Opens the settings at the model file. @param {Page} page */
async function openSettings(page) {
  await page.locator('[part=settings-button]').click();
  await settings(page).getByLabel('Language model').selectOption('device');
  await button(page, 'Open a model file').waitFor();
}

/** Chooses files as a person does. @param {Page} page @param {string | string[]} files */
const choose = (page, files) => settings(page).locator('input[accept^=".gguf"]').setInputFiles(files);

/** The warning in the settings. @param {Page} page */
async function warning(page) {
  const note = settings(page).locator('div.note.warning');
  await note.waitFor({ timeout: 120_000 });
  return note.innerText();
}

/** Nothing has left this device, as the page says and as its list has it. @param {Page} page */
async function mustHaveStayed(page) {
  await mustBeLocal(page);
  await page.getByRole('button', { name: 'Nothing has left this device' }).waitFor();
}

test('a model file is opened, kept, tried and asked, is there after a reload, and can be removed', () =>
  withPage(async (page) => {
    /** @type {string[]} */
    const loaded = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await prepare(page);
    await openSettings(page);
    assert.ok(!loaded.includes('/device/llama.wasm'), 'it is loaded for those who open a model');
    await choose(page, model);
    await settings(page).getByText(`${name}, 875 kB, kept in this browser`).waitFor();
    assert.deepEqual(await violations(page), []);
    await button(page, 'Try the model').click();
    await settings(page).getByText(`${name} answers on this device.`).waitFor({ timeout: 120_000 });
    await settings(page)
      .getByText(/^It wrote [\d.,]+ tokens a second\.$/)
      .waitFor();
    await button(page, 'Use').click();
    await page.getByRole('button', { name: `Answers by ${name}` }).waitFor();
    mustBeHonest(await ask(page, question));
    await mustHaveStayed(page);
    await page.reload();
    await ready(page);
    await setShortProfile(page);
    loaded.length = 0;
    mustBeHonest(await ask(page, question));
    assert.ok(!loaded.includes('/device/llama.wasm'), 'the program is kept with the model');
    await openSettings(page);
    await settings(page).getByText(`${name}, 875 kB`).waitFor();
    await button(page, 'Remove the file').click();
    await settings(page).getByText('No model file is open.').waitFor();
    await page.keyboard.press('Escape');
    const { by, trace } = await ask(page, question);
    assert.equal(by, 'extraction');
    assert.ok(trace.degraded.some(({ code }) => code === 'unavailable'));
    await page.locator('.degraded').first().getByText('There is no model file in this browser').waitFor();
  }));

test('a model file is asked with the profile for small ones, unless another is chosen, and no longer when it is not used', () =>
  withPage(async (page) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    const profile = settings(page).getByLabel('Profile', { exact: true });
    const use = async (/** @type {string} */ kind) => {
      await settings(page).getByLabel('Language model').selectOption(kind);
      // The file is looked for once the settings are open; what is used before that is refused.
      if (kind === 'device') await settings(page).getByText(`${name}, 875 kB`).waitFor();
      await button(page, 'Use').click();
      await settings(page).waitFor({ state: 'hidden' });
      await page.locator('[part=settings-button]').click();
      return profile.inputValue();
    };
    await openSettings(page);
    await profile.locator('option[value=small]').waitFor({ state: 'attached' });
    const before = await profile.inputValue();
    assert.notEqual(before, 'small');
    await choose(page, model);
    await settings(page).getByText(`${name}, 875 kB, kept in this browser`).waitFor();
    assert.equal(await use('device'), 'small');
    await page.keyboard.press('Escape');
    const { trace } = await ask(page, question);
    const steps = trace.calls.map(({ step }) => step);
    assert.ok(
      steps.length > 0 && !steps.some((step) => ['rewrite', 'filter', 'reflect'].includes(step)),
      `${steps}`,
    );
    await page.locator('[part=settings-button]').click();
    assert.equal(await use('none'), before);
    await profile.selectOption('obligations');
    assert.equal(await use('device'), 'obligations', 'what a person chose stays');
  }));

test('a model in two parts is opened with both, and one of them alone is refused', () =>
  withPage(async (page) => {
    const parts = await Promise.all(
      nonsenseInParts().map((bytes, at) => file(`nonsense-0000${at + 1}-of-00002.gguf`, bytes)),
    );
    await openSettings(page);
    await choose(page, parts.slice(1));
    assert.match(
      await warning(page),
      /has 2 parts, and these files are not all of them\.\s+Choose all 2 parts together/,
    );
    await choose(page, [...parts].reverse());
    await settings(page).getByText('nonsense-00001-of-00002.gguf, 875 kB').waitFor();
    await button(page, 'Try the model').click();
    await settings(page).getByText('answers on this device.').waitFor({ timeout: 120_000 });
    const wrote = settings(page).getByText(/^It wrote/);
    await wrote.waitFor();
    await choose(page, model);
    await settings(page).getByText(`${name}, 875 kB`).waitFor();
    assert.ok(await wrote.isHidden(), 'another model wrote that fast');
  }));

test('files that are no model of ours are refused, each with one message', () =>
  withPage(async (page) => {
    const whole = nonsense();
    /** @type {[file: string, said: RegExp][]} */
    const atOnce = [
      [await file('contract.gguf', (await sample('contract.pdf')).bytes), /The file is no GGUF file\./],
      [await file('empty.gguf', new Uint8Array()), /its header is cut off/],
      [await file('short.gguf', whole.subarray(0, 5000)), /its header is cut off/],
      [
        await file('old.gguf', Buffer.concat([Buffer.from('GGUF\x01\0\0\0'), whole.subarray(8)])),
        /version of the format is 1/,
      ],
    ];
    /** @type {[file: string, said: RegExp][]} */
    const whenLoaded = [
      [
        await file('other.gguf', nonsense({ architecture: 'perceptron' })),
        /does not have the architecture of the model/,
      ],
      [await file('cut.gguf', whole.subarray(0, whole.length - 100_000)), /damaged or cut off/],
    ];
    await openSettings(page);
    for (const [chosen, said] of atOnce) {
      await choose(page, chosen);
      assert.match(await warning(page), said);
      await settings(page).getByText('No model file is open.').waitFor();
    }
    for (const [chosen, said] of whenLoaded) {
      await choose(page, chosen);
      await settings(page)
        .getByText(`${path.basename(chosen)}, `)
        .waitFor();
      await button(page, 'Try the model').click();
      assert.match(await warning(page), said, chosen);
    }
  }));

test('a model that is too large is refused before it is loaded, and memory that runs out ends in a message', () =>
  withPage(async (page, context) => {
    await openSettings(page);
    await page.evaluate(() =>
      Object.defineProperty(navigator, 'deviceMemory', { value: 0.25, configurable: true }),
    );
    await choose(page, model);
    assert.match(
      await warning(page),
      /too large for this device\.\s+It needs about \d+ MB, and this page may use 179 MB/,
    );
    await page.evaluate(() => Reflect.deleteProperty(navigator, 'deviceMemory'));
    // Its context alone takes more than the memory that the program begins with, which the browser then does not enlarge.
    await context.route('**/device/worker.js*', async (route) => {
      const response = await route.fetch();
      const grow = 'WebAssembly.Memory.prototype.grow = () => { throw new RangeError("no more"); };\n';
      await route.fulfill({ response, body: grow + (await response.text()) });
    });
    await choose(page, await file('deep.gguf', nonsense({ nLayers: 64 })));
    await settings(page).getByText('deep.gguf, ').waitFor();
    await button(page, 'Try the model').click();
    assert.match(await warning(page), /more memory than the browser gave/);
  }));

test('a graphics processor runs the model where the browser has one', async () => {
  await stop();
  await startWithGpu();
  try {
    await withPage(async (page) => {
      await openSettings(page);
      // The browser imitates one here, which is used when it is asked for.
      await settings(page).getByLabel('Graphics processor').selectOption('always');
      await choose(page, model);
      await settings(page).getByText(`${name}, `).waitFor();
      await button(page, 'Try the model').click();
      await settings(page).getByText(`${name} answers on this device.`).waitFor({ timeout: 120_000 });
      await settings(page)
        .getByText(/^It wrote [\d.,]+ tokens a second on the graphics processor\.$/)
        .waitFor();
    });
  } finally {
    await stop();
    await start();
  }
});

test('copying, loading and answering can be stopped, and the model answers after that', () =>
  withPage(async (page, context) => {
    /** @type {(() => void) | null} */
    let release = null;
    const held = new Promise((resolve) => {
      release = () => resolve(undefined);
    });
    await context.route('**/device/llama.wasm*', async (route) => {
      await held;
      await route.continue().catch(() => {});
    });
    await prepare(page);
    await openSettings(page);
    await choose(page, model);
    await settings(page).getByRole('button', { name: 'Stop' }).click();
    await settings(page).getByText('No model file is open.').waitFor();
    /** @type {() => void} */ (/** @type {unknown} */ (release))();
    await context.unroute('**/device/llama.wasm*');
    await choose(page, model);
    await settings(page).getByText('kept in this browser').waitFor();
    await button(page, 'Use').click();
    // While it loads: the worker does not come.
    /** @type {import('../../www/node_modules/playwright-core/index.js').Route[]} */
    const waiting = [];
    await context.route('**/device/worker.js*', (route) => void waiting.push(route));
    await page.getByRole('textbox', { name: 'Your question' }).fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.searching').getByText('Loading the model: ').waitFor();
    await page.locator('.searching').getByRole('button').click();
    await page.locator('.answer-card[data-state=cancelled]').first().waitFor();
    await context.unroute('**/device/worker.js*');
    for (const route of waiting) await route.abort().catch(() => {});
    // While it answers.
    await page.getByRole('textbox', { name: 'Your question' }).fill(question);
    await page.keyboard.press('Enter');
    await stopWhileItReads(page);
    await page.locator('.answer-card[data-state=cancelled]').nth(1).waitFor();
    assert.deepEqual(
      (await sent(page)).map(({ outcome }) => outcome),
      ['cancelled', 'cancelled'],
    );
    await openSettings(page);
    await button(page, 'Try the model').click();
    await settings(page).getByText(`${name} answers on this device.`).waitFor({ timeout: 120_000 });
  }));

test('in the page in one file, without a network, the program comes with the model once', async () => {
  await copyFile(singleFile, path.join(folder, 'pincite.html'));
  const address = pathToFileURL(path.join(folder, 'pincite.html')).href;
  const program = path.join(path.dirname(singleFile), 'llama.wasm');
  await withPage(
    async (page, context) => {
      /** @type {string[]} */
      const asked = [];
      context.on('request', (request) => asked.push(request.url()));
      await prepare(page);
      await openSettings(page);
      await choose(page, model);
      assert.match(await warning(page), /is not in this page\.\s+Choose the llama\.wasm/);
      await choose(page, [model, path.join(siteFolder, 'engine/pincite_wasm_bg.wasm')]);
      assert.match(await warning(page), /not the program that this page runs models with/);
      await choose(page, [model, program]);
      await settings(page).getByText(`${name}, 875 kB, kept in this browser`).waitFor();
      await button(page, 'Use').click();
      mustBeHonest(await ask(page, question));
      await mustHaveStayed(page);
      await page.reload();
      await ready(page);
      await openSettings(page);
      await button(page, 'Try the model').click();
      await settings(page).getByText(`${name} answers on this device.`).waitFor({ timeout: 120_000 });
      assert.deepEqual(
        asked.filter((url) => url !== address && !url.startsWith('blob:')),
        [],
      );
    },
    { path: address, offline: true, vectors: true },
  );
});

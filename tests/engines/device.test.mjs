/**
 * A model with no server in the engines other than Chromium, which `tests/browser/device.test.mjs` has: Firefox runs it, and
 * WebKit, which lacks a kind of memory, says so and answers without.
 */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { mustBeHonest, mustBeLocal, setShortProfile, stopWhileItReads } from '../browser/device-model.mjs';
import { ask, drop, ready, sample, searchable, sent, setModel, singleFile } from '../browser/harness.mjs';
import { nonsense } from '../llm/nonsense.mjs';
import { inEachEngine } from './harness.mjs';

/** @typedef {import('./tab.mjs').Tab} Tab */

const question = 'What is the cap on liability?';
const model = { name: 'nonsense.gguf', bytes: nonsense({ seed: 7 }) };

/** A page with a document. @param {Tab} tab */
async function prepare(tab) {
  await ready(tab);
  // The tour of a first visit lies over the settings.
  await tab.click('.tour button', 'Skip');
  await drop(tab, [await sample('contract.pdf')]);
  await searchable(tab, 1);
  await setShortProfile(tab);
}

/** Opens the settings at the model file. @param {Tab} tab */
async function openSettings(tab) {
  await tab.click('[part=settings-button]');
  await tab.shows('dialog[open].settings');
  await tab.evaluate(() => {
    const select = document
      .querySelector('pincite-widget')
      ?.shadowRoot?.querySelector('dialog[open] option[value=device]')
      ?.closest('select');
    if (!select) throw new Error('the settings offer no model file');
    select.value = 'device';
    select.dispatchEvent(new Event('change'));
  });
}

/**
 * Chooses files, as the browser's own dialog would: no protocol reaches that in each engine.
 * @param {Tab} tab
 * @param {{ name: string, bytes: Uint8Array }[]} files
 */
function choose(tab, files) {
  const encoded = files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') }));
  return tab.evaluate((files) => {
    const input = /** @type {HTMLInputElement} */ (
      document.querySelector('pincite-widget')?.shadowRoot?.querySelector('input[accept^=".gguf"]')
    );
    const data = new DataTransfer();
    for (const { name, base64 } of files)
      data.items.add(new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], name));
    input.files = data.files;
    input.dispatchEvent(new Event('change'));
  }, encoded);
}

inEachEngine(({ name: engine, test, atSite, withTab }) => {
  if (engine === 'Firefox')
    test('a model file is opened, asked, there after a reload and stopped, a file that is none is refused, and nothing leaves', () =>
      atSite(async (tab) => {
        await prepare(tab);
        await openSettings(tab);
        await tab.shows('button', 'Open a model file');
        await choose(tab, [{ ...(await sample('contract.pdf')), name: 'contract.gguf' }]);
        await tab.shows('div.note.warning', 'The file is no GGUF file.');
        await choose(tab, [model]);
        await tab.shows('dialog[open].settings', `${model.name}, 875 kB, kept in this browser`);
        await tab.click('dialog[open] button[type=submit]', 'Use');
        mustBeHonest(await ask(tab, question));
        await mustBeLocal(tab);
        await tab.shows('button', 'Nothing has left this device');
        await tab.reload();
        await ready(tab);
        await setShortProfile(tab);
        await tab.click('textarea');
        await tab.type(question);
        await tab.press('Enter');
        await stopWhileItReads(tab);
        await tab.shows('.answer-card[data-state=cancelled]');
        mustBeHonest(await ask(tab, question));
        await mustBeLocal(tab);
      }));

  if (engine === 'Firefox')
    test('from a disk, the program is chosen with the model, and both are kept', () =>
      withTab(async (tab) => {
        await tab.goto(pathToFileURL(singleFile).href);
        await prepare(tab);
        await openSettings(tab);
        await tab.shows('button', 'Open a model file');
        await choose(tab, [model]);
        await tab.shows('div.note.warning', 'Choose the llama.wasm that came with this page');
        const program = await readFile(path.join(path.dirname(singleFile), 'llama.wasm'));
        await choose(tab, [model, { name: 'llama.wasm', bytes: program }]);
        await tab.shows('dialog[open].settings', `${model.name}, 875 kB, kept in this browser`);
        await tab.click('dialog[open] button[type=submit]', 'Use');
        mustBeHonest(await ask(tab, question));
        await mustBeLocal(tab);
      }));

  if (engine === 'WebKit')
    test('that this browser runs no model file is said before one is chosen, and a question is answered without', () =>
      atSite(async (tab) => {
        await prepare(tab);
        await openSettings(tab);
        const lack = 'no WebAssembly memory of 64 bits';
        const note = await tab.shows('div.note.warning', lack);
        assert.match(note, /Use a newer Chrome, Edge or Firefox, or a server such as Ollama\./);
        assert.doesNotMatch(await tab.shows('dialog[open].settings'), /Open a model file/);
        await tab.press('Escape');
        // As a portal sets it, which does not ask what the browser has.
        await setModel(tab, { kind: 'device', model: model.name });
        const answer = await ask(tab, question);
        assert.equal(answer.by, 'extraction');
        assert.ok(answer.citations.length > 0);
        await tab.shows('.degraded', lack);
        assert.deepEqual(
          (await sent(tab)).filter(({ outcome }) => outcome === 'ok'),
          [],
        );
        await mustBeLocal(tab);
        await tab.shows('button', 'Nothing has left this device');
      }));
});

/**
 * The page in one file, and an evidence file that one engine saves and the next one opens, in three engines: from a disk,
 * with no other machine to ask.
 */

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { drop, embedded, ready, sample, searchable, singleFile } from '../browser/harness.mjs';
import { inEachEngine } from './harness.mjs';

const question = 'Who may complain to the ombudsman?';
/** Folder of whoever gets an evidence file. */
let folder = '';
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pincite-recipient-'));
});
after(() => rm(folder, { recursive: true }));

/** The file that each engine has saved, by its name. @type {Map<string, string>} */
const sent = new Map();

inEachEngine(({ name, test, withTab, saved }) => {
  test('from a disk: a sample, a question, its citation lit; library and conversation after a reload; an evidence file is saved', () =>
    withTab(async (tab) => {
      await tab.goto(pathToFileURL(singleFile).href);
      await ready(tab);
      await drop(tab, [await sample('rulebook.pdf')]);
      await searchable(tab, 1);
      await embedded(tab);
      await tab.ask(question);
      await tab.click('button.citation');
      await tab.shows('.page-view canvas');
      await tab.shows('.light');
      await tab.press('Escape');
      await tab.reload();
      await ready(tab);
      await searchable(tab, 1);
      await tab.shows('.thread .asked', question);
      await tab.click('button', 'Save with documents');
      await tab.click('button', 'Save file');
      await tab.shows('.evidence-outcome', 'Fingerprint of the contents');
      const file = path.join(folder, `from-${name}.html`);
      await writeFile(file, await saved(/<\/html>\s*$/));
      sent.set(name, file);
    }));
});

inEachEngine(({ name, test, withTab }) => {
  test('an evidence file that another engine saved is compared again, its citation lit, and nothing is stored', () =>
    withTab(async (tab) => {
      // Of the engine behind this one, round and round; its own where it is the only one.
      const names = [...sent.keys()];
      const file = sent.get(names[(names.indexOf(name) + 1) % names.length] ?? '');
      assert.ok(file, 'an engine has saved one');
      await tab.goto(pathToFileURL(file).href);
      await tab.shows('.thread', 'Everything agrees with what was saved.');
      await tab.shows('.thread', 'every quote matches its source');
      await tab.click('button.citation');
      await tab.shows('.page-view canvas');
      await tab.shows('.light');
      assert.deepEqual(await tab.evaluate(() => indexedDB.databases()), []);
    }));
});

/** A packed library: `pincite pack` makes it, and the page searches it at once. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ask, ready, samplesFolder, searchable, start, stop, withPage } from './harness.mjs';

/** @typedef {import('../../www/widget/pincite-widget.js').PinciteWidget} PinciteWidget */

const root = fileURLToPath(new URL('../..', import.meta.url));
const command = process.env['PINCITE'] ?? path.join(root, 'target/debug/pincite');
const address = '/policies.pincite';
let folder = '';
/** @type {Buffer} */
let library;

before(async () => {
  await start();
  folder = await mkdtemp(path.join(tmpdir(), 'pincite-'));
  const out = path.join(folder, 'policies.pincite');
  const files = ['contract.pdf', 'rulebook.pdf', 'word/contract.docx'].map((name) =>
    path.join(samplesFolder, name),
  );
  await promisify(execFile)(command, ['pack', ...files, '--out', out], { cwd: root });
  library = await readFile(out);
});

after(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

/** Adds the library to the page; returns the names of its documents. @param {import('./harness.mjs').Page} page */
const added = (page) =>
  page.evaluate(async (address) => {
    const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
    return (await widget.addLibrary(address)).map(({ name }) => name);
  }, address);

test('a packed library is searched by meaning at once, cited on its pages, and is there after a reload', () =>
  withPage(
    async (page, context) => {
      await context.route(`**${address}`, (route) => route.fulfill({ body: library }));
      assert.deepEqual(await added(page), ['contract.pdf', 'rulebook.pdf', 'contract.docx']);
      const { documents, embedSeconds } = await page.evaluate(async () => {
        const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
        return { documents: engine.snapshot.documents, embedSeconds: (await engine.stats()).embedSeconds };
      });
      for (const { nToEmbed, nEmbedded } of documents) assert.equal(nEmbedded, nToEmbed);
      assert.equal(embedSeconds, 0);
      const answer = await ask(page, 'What is the cap on liability?');
      assert.equal(answer.citations[0]?.status, 'verified');
      await page.locator('button.citation').first().click();
      await page.locator('.viewer .light').first().waitFor();
      await page.reload();
      await ready(page);
      await searchable(page, 3);
      assert.equal((await added(page)).length, 3, 'added again it changes nothing');
      await searchable(page, 3);
    },
    { vectors: true },
  ));

test('a packed library that was cut off says so, and the documents before the cut are there', () =>
  withPage(async (page, context) => {
    await context.route(`**${address}`, (route) =>
      route.fulfill({ body: library.subarray(0, library.length - 10) }),
    );
    await assert.rejects(added(page), /the file ends after \d+ bytes/);
    await page.getByText('This library file is damaged, or is none').waitFor();
    await searchable(page, 2);
  }));

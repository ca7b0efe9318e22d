/**
 * The library as a file: saved in one browser, opened by hand in another, and what becomes of it where a browser stores nothing,
 * where the file is damaged, of another version, or made to do harm, and where one of its documents cannot be opened.
 */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  ask,
  drop,
  embedded,
  modelAddress,
  pdf,
  ready,
  sample,
  samplesFolder,
  searchable,
  site,
  siteFolder,
  snapshot,
  start,
  stop,
  stored,
  violations,
  withPage,
} from './harness.mjs';
import { Host } from './host.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */
/** @typedef {{ name: string, folder: string, file: Part, segment: Part, vectors: Part | null }} Row */
/** @typedef {{ length: number, sha256: string }} Part */

const root = fileURLToPath(new URL('../..', import.meta.url));
const command = process.env['PINCITE'] ?? path.join(root, 'target/debug/pincite');
const question = 'What is the cap on liability?';
let folder = '';
/** What the command packed, with vectors. @type {Buffer} */
let packed;

before(async () => {
  await start();
  folder = await mkdtemp(path.join(tmpdir(), 'pincite-'));
  const out = path.join(folder, 'packed.pincite');
  const files = ['contract.pdf', 'word/contract.docx'].map((name) => path.join(samplesFolder, name));
  await promisify(execFile)(command, ['pack', ...files, '--out', out], { cwd: root });
  packed = await readFile(out);
});

after(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

const saveButton = (/** @type {Page} */ page) => page.getByRole('button', { name: 'Save as a file' });
const panel = (/** @type {Page} */ page) => page.getByRole('group', { name: 'Library as a file' });
const names = async (/** @type {Page} */ page) =>
  (await snapshot(page)).documents.map(({ name }) => name).sort();

/** Saves the library by its button. @param {Page} page */
async function saved(page) {
  const [download] = await Promise.all([page.waitForEvent('download'), saveButton(page).click()]);
  assert.equal(download.suggestedFilename(), 'library.pincite');
  const at = path.join(folder, 'saved.pincite');
  await download.saveAs(at);
  await panel(page).getByText('library.pincite:').waitFor();
  return readFile(at);
}

/** Drops a packed library. @param {Page} page @param {Uint8Array} bytes */
const dropLibrary = (page, bytes) => drop(page, [{ name: 'library.pincite', bytes }]);

/** Table of a packed library, and its parts as one. @param {Buffer} library @returns {{ documents: Row[], parts: Buffer }} */
function unpacked(library) {
  const end = 16 + library.readUInt32LE(12);
  return { ...JSON.parse(library.toString('utf8', 16, end)), parts: library.subarray(end) };
}

/** @param {Row[]} documents @param {Uint8Array} parts */
function packedAs(documents, parts) {
  const table = Buffer.from(JSON.stringify({ documents }));
  const head = Buffer.from('pincite\n\x01\0\0\0....');
  head.writeUInt32LE(table.length, 12);
  return Buffer.concat([head, table, parts]);
}

/** A packed library with other bytes in a part of its first document. @param {'file' | 'segment'} part @param {(bytes: Buffer) => void} change @param {boolean} [isNamed] true where the table has the hash of the other bytes */
function changed(part, change, isNamed = false) {
  const { documents, parts } = unpacked(Buffer.from(packed));
  const [row] = documents;
  assert.ok(row);
  const begin = part === 'file' ? 0 : row.file.length;
  const bytes = parts.subarray(begin, begin + row[part].length);
  change(bytes);
  if (isNamed) row[part].sha256 = createHash('sha256').update(bytes).digest('hex');
  return packedAs(documents, parts);
}

/** Sets limits of files. @param {Page} page @param {{ maxBytes?: number, maxPages?: number }} limits */
const limit = (page, limits) =>
  page.evaluate(
    (limits) =>
      void Object.assign(
        /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).engine.limits,
        limits,
      ),
    limits,
  );

/**
 * The first document of a packed library is named with the reason, the other one opened, and nothing of the first is there.
 * @param {Page} page @param {string} code @param {RegExp} text
 */
async function namedAlone(page, code, text) {
  const row = page.locator('.documents > li', { hasText: 'contract.pdf' });
  await row.getByRole('alert').filter({ hasText: text }).waitFor();
  await page.locator('.shell > [role=status]', { hasText: 'library.pincite: 1 of 2 documents' }).waitFor();
  const { jobs, documents } = await snapshot(page);
  assert.deepEqual(
    jobs.map(({ name, error }) => [name, error?.code]),
    [['contract.pdf', code]],
  );
  assert.deepEqual(
    documents.map(({ name }) => name),
    ['contract.docx'],
  );
  const { vectors: _, ...kept } = await stored(page);
  assert.deepEqual(kept, { documents: 1, files: 1, segments: 1 });
}

/** First citation of an answer: how many sentences it has depends on how quick the machine is. @param {import('./harness.mjs').Answer} answer */
function firstPlace({ citations: [first] }) {
  const { documentId, page, sectionPath, status, quote } = first ?? {};
  return { documentId, page, sectionPath, status, quote: quote?.slice(0, 100) };
}

/** The failed job is the only one, said once. @param {Page} page @param {string} code @param {RegExp} text */
async function refused(page, code, text) {
  const message = page.getByRole('alert').filter({ hasText: text });
  await message.waitFor();
  const { jobs } = await snapshot(page);
  assert.deepEqual(
    jobs.map(({ error }) => error?.code),
    [code],
  );
  await page.getByRole('button', { name: 'Dismiss the message about library.pincite' }).click();
  await message.waitFor({ state: 'detached' });
}

/** The page as a browser that refuses storage shows it. @param {(page: Page) => Promise<void>} body */
const withoutStorage = (body) =>
  withPage(async (_, context) => {
    const page = await context.newPage();
    await context.route(modelAddress, (route) => route.fulfill({ status: 404 }));
    await context.route('**/engine/worker.js*', async (route) => {
      const response = await route.fetch();
      const refusing =
        "IDBFactory.prototype.open = () => { throw new DOMException('refused', 'SecurityError'); };";
      await route.fulfill({ response, body: `${refusing}\n${await response.text()}` });
    });
    await page.goto(site());
    await ready(page);
    await body(page);
  });

test('a library saved in one browser answers alike in another, without a network and without embedding', async () => {
  /** @type {Buffer | undefined} */
  let library;
  /** @type {import('./harness.mjs').Answer | undefined} */
  let answer;
  await withPage(
    async (page) => {
      await drop(page, [await sample('contract.pdf'), await sample('opinion.pdf')]);
      await searchable(page, 2);
      await embedded(page);
      answer = await ask(page, question);
      library = await saved(page);
      assert.deepEqual(await violations(page), []);
    },
    { vectors: true },
  );
  const host = await new Host().open(siteFolder);
  try {
    await withPage(
      async (page) => {
        await page.waitForFunction(
          () => /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).site?.state.isKept,
          null,
          { timeout: 60_000 },
        );
        await host.close();
        await page.reload();
        await ready(page);
        await dropLibrary(page, library ?? Buffer.of());
        await searchable(page, 2);
        const { documents } = await snapshot(page);
        for (const { nToEmbed, nEmbedded } of documents) assert.equal(nEmbedded, nToEmbed);
        const again = await ask(page, question);
        assert.ok(answer?.citations[0]);
        assert.deepEqual(firstPlace(again), firstPlace(answer));
        const seconds = await page.evaluate(async () => {
          const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
          return (await engine.stats()).embedSeconds;
        });
        assert.equal(seconds, 0);
        await page.locator('button.citation').first().click();
        await page.locator('.viewer .light').first().waitFor();
      },
      { path: host.url, serviceWorkers: 'allow', vectors: true },
    );
  } finally {
    await host.close();
  }
});

test('what the command packed is saved again byte for byte, and what the page read as the command reads it', async () => {
  await withPage(async (page) => {
    await page.locator('.drop-zone input').setInputFiles({
      name: 'policies.pincite',
      mimeType: 'application/vnd.pincite',
      buffer: packed,
    });
    await searchable(page, 2);
    assert.ok((await saved(page)).equals(packed));
  });
  const byCommand = unpacked(packed);
  await withPage(async (page) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    const byPage = unpacked(await saved(page));
    // A dropped file has no folder, and this page no model.
    assert.deepEqual(byPage.documents, [{ ...byCommand.documents[0], folder: '', vectors: null }]);
    assert.ok(byPage.parts.equals(byCommand.parts.subarray(0, byPage.parts.length)));
  });
});

test('where nothing is stored the page says so, and the library is saved as a file and opened from it', () =>
  withoutStorage(async (page) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await page.getByText('This browser stores nothing here: kept until the page is closed').waitFor();
    const library = await saved(page);
    await page.reload();
    await ready(page);
    assert.deepEqual(await names(page), []);
    await dropLibrary(page, library);
    await searchable(page, 1);
    const [citation] = (await ask(page, question)).citations;
    assert.equal(citation?.status, 'verified');
  }));

test('documents that are there already are kept once, and others stay', () =>
  withPage(async (page) => {
    await drop(page, [await sample('contract.pdf'), await sample('opinion.pdf')]);
    await searchable(page, 2);
    await dropLibrary(page, packed);
    await searchable(page, 3);
    assert.deepEqual(await names(page), ['contract.docx', 'contract.pdf', 'opinion.pdf']);
    await dropLibrary(page, packed);
    await page.locator('.shell > [role=status]', { hasText: 'library.pincite: 2 of 2 documents' }).waitFor();
    await searchable(page, 3);
  }));

test('a file that is cut off, of a later version, or none is refused with one message, and nothing is lost', () =>
  withPage(async (page) => {
    const own = pdf('own.pdf', ['The lender may call the loan at any time.']);
    await drop(page, [own]);
    await searchable(page, 1);
    const later = Buffer.from(packed);
    later.writeUInt32LE(2, 8);
    await dropLibrary(page, later);
    await refused(page, 'packed-version', /format 2, which this page does not know/);
    for (const file of [own.bytes, packed.subarray(0, 100)]) {
      await dropLibrary(page, file);
      await refused(page, 'packed-invalid', /This library file is damaged, or is none/);
    }
    assert.deepEqual(await names(page), ['own.pdf']);
    await dropLibrary(page, packed.subarray(0, packed.length - 10));
    await refused(page, 'packed-invalid', /This library file is damaged, or is none/);
    assert.deepEqual(await names(page), ['contract.pdf', 'own.pdf'], 'what was whole of it is there');
    await page.reload();
    await ready(page);
    assert.deepEqual(await names(page), ['contract.pdf', 'own.pdf']);
  }));

test('a damaged document of a library is named, the others are opened, and it is added from a whole file', () =>
  withPage(async (page) => {
    await page.evaluate(() => {
      /** @type {unknown[]} */
      const told = [];
      Reflect.set(globalThis, 'told', told);
      document.querySelector('pincite-widget')?.addEventListener('pincite-error', (event) => {
        const { error, file } = /** @type {import('../../www/widget/events.js').PinciteErrorEvent} */ (event);
        told.push([file, error.code]);
      });
    });
    await dropLibrary(
      page,
      changed('file', (bytes) => bytes.fill(0, 100, 200)),
    );
    await namedAlone(page, 'packed-document', /damaged in the library file.*Get the library file again/);
    assert.deepEqual(await page.evaluate(() => Reflect.get(globalThis, 'told')), [
      ['contract.pdf', 'packed-document'],
    ]);
    const [citation] = (await ask(page, question)).citations;
    assert.deepEqual([citation?.document, citation?.status], ['contract.docx', 'verified']);
    await page.getByRole('button', { name: 'Dismiss the message about contract.pdf' }).press('Enter');
    await page.reload();
    await ready(page);
    assert.deepEqual(await names(page), ['contract.docx'], 'nothing of the other one is stored');
    await dropLibrary(page, packed);
    await searchable(page, 2);
    assert.deepEqual((await snapshot(page)).jobs, []);
  }));

test('a document of a library over the limits is named with what to do, and the others are opened', () =>
  withPage(async (page) => {
    const { file } = unpacked(packed).documents[0] ?? assert.fail('empty');
    await limit(page, { maxBytes: file.length - 1 });
    await dropLibrary(page, packed);
    await namedAlone(page, 'limit-exceeded', /more bytes or pages than can be read.*at most .* Split it/);
    await page.getByRole('button', { name: 'Dismiss the message about contract.pdf' }).click();
    await page.getByRole('button', { name: 'Remove contract.docx' }).click();
    await searchable(page, 0);
    // A segment of another version leads back to the file, which has more pages than this.
    await limit(page, { maxBytes: file.length, maxPages: 1 });
    const later = changed('segment', (bytes) => bytes.writeUInt32LE(99, 16), true);
    await dropLibrary(page, later);
    await namedAlone(page, 'limit-exceeded', /more bytes or pages than can be read/);
  }));

test('a document whose segment is damaged in the file is read anew, and answers alike', () =>
  withPage(async (page) => {
    const { documents, parts } = unpacked(packed);
    const alone = packedAs(documents.slice(0, 1), parts);
    await dropLibrary(page, alone);
    await searchable(page, 1);
    const answer = await ask(page, question);
    await page.evaluate(() =>
      /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).engine.clear(),
    );
    await dropLibrary(
      page,
      changed('segment', (bytes) => bytes.fill(0, 100)),
    );
    await searchable(page, 2);
    assert.deepEqual((await snapshot(page)).jobs, []);
    await page.getByRole('button', { name: 'Remove contract.docx' }).click();
    await searchable(page, 1);
    assert.deepEqual(firstPlace(await ask(page, question)), firstPlace(answer));
  }));

test('a document that was removed comes back by Undo, also where a damaged library names it meanwhile', () =>
  withPage(async (page) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await page.getByRole('button', { name: 'Remove contract.pdf' }).click();
    await dropLibrary(
      page,
      changed('file', (bytes) => bytes.fill(0, 100, 200)),
    );
    await page.getByRole('alert').filter({ hasText: 'damaged in the library file' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await searchable(page, 2);
    assert.deepEqual(await names(page), ['contract.docx', 'contract.pdf']);
    const { documents, files } = await stored(page);
    assert.deepEqual({ documents, files }, { documents: 2, files: 2 });
  }));

test('a document with the segment of another is read from its file, and that other stays as it is', () =>
  withPage(async (page) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    const [before] = (await ask(page, question)).citations;
    const {
      documents: [contract],
      parts,
    } = unpacked(packed);
    assert.ok(contract);
    const words = pdf('other.pdf', ['The tenant may keep a dog.']).bytes;
    const file = { length: words.length, sha256: createHash('sha256').update(words).digest('hex') };
    const segment = parts.subarray(contract.file.length, contract.file.length + contract.segment.length);
    const row = { ...contract, name: 'other.pdf', file, vectors: null };
    await dropLibrary(page, packedAs([row], Buffer.concat([words, segment])));
    await searchable(page, 2);
    assert.deepEqual(await names(page), ['contract.pdf', 'other.pdf']);
    assert.deepEqual((await ask(page, question)).citations[0], before);
    const [citation] = (await ask(page, 'May the tenant keep a dog?')).citations;
    assert.equal(citation?.document, 'other.pdf');
  }));

test('by keyboard: saving is begun and what came of it dismissed, and the focus is where it was', () =>
  withPage(async (page) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await saveButton(page).focus();
    const download = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    await (await download).delete();
    await page.locator('.shell > [role=status]', { hasText: 'library.pincite: 1 document' }).waitFor();
    await page.getByRole('button', { name: 'Dismiss the message about the saved library' }).focus();
    await page.keyboard.press('Enter');
    await panel(page).waitFor({ state: 'detached' });
    assert.ok(
      await saveButton(page).evaluate(
        (button) => /** @type {ShadowRoot} */ (button.getRootNode()).activeElement === button,
      ),
    );
  }));

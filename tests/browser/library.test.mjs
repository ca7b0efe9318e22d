/**
 * The library: kept, taken up again, cancelled, replaced, removed and put back, and repaired.
 */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import {
  ask,
  drop,
  embedded,
  isStored,
  nothingStored,
  snapshot,
  ready,
  sample,
  searchable,
  sharedFolder,
  start,
  stop,
  stored,
  withPage,
} from './harness.mjs';

before(start);
after(stop);

/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */
/** @typedef {import('./harness.mjs').Page} Page */

const long = path.join(sharedFolder, 'legal-dev/irm_2_3_59.pdf');

/** Clicks a button and tells how long the text took to appear. @param {Page} page @param {string} button @param {string} text */
function clickUntil(page, button, text) {
  return page.evaluate(
    ([button, text]) =>
      new Promise((resolve) => {
        const root = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).shadowRoot;
        const begin = performance.now();
        const look = () =>
          root?.querySelector('.documents')?.textContent?.includes(text ?? '')
            ? resolve(performance.now() - begin)
            : requestAnimationFrame(look);
        /** @type {HTMLElement | null | undefined} */ (root?.querySelector(`[title="${button}"]`))?.click();
        look();
      }),
    [button, text],
  );
}

test('a file that is cancelled leaves nothing behind; others go on', () =>
  withPage(
    async (page, context) => {
      /** @type {() => void} */
      let release = () => {};
      const held = new Promise((resolve) => (release = () => resolve(undefined)));
      await context.route('**/model/vocab.txt*', async (route) => {
        await held;
        await route.continue();
      });
      await drop(page, [await sample('rulebook.pdf'), await sample('contract.pdf')]);
      await page.getByRole('button', { name: 'Cancel rulebook.pdf' }).waitFor();
      await page.waitForFunction(() =>
        /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).engine.snapshot.jobs.some(
          ({ stage }) => stage === 'load',
        ),
      );
      const ms = await clickUntil(page, 'Cancel rulebook.pdf', 'Cancelled');
      assert.ok(ms < 200, `cancelled after ${ms} ms`);
      release();
      await searchable(page, 1);
      await embedded(page);
      assert.deepEqual(
        (await snapshot(page)).documents.map(({ name }) => name),
        ['contract.pdf'],
      );
      const { documents, files, segments } = await stored(page);
      assert.deepEqual({ documents, files, segments }, { documents: 1, files: 1, segments: 1 });
    },
    { vectors: true },
  ));

test(
  'a parse that runs is cancelled within 200 ms',
  { skip: existsSync(long) ? false : `skipped: no ${long}` },
  () =>
    withPage(async (page) => {
      await drop(page, [{ name: 'long.pdf', bytes: await readFile(long) }]);
      await page.waitForFunction(
        () =>
          /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).engine.snapshot.jobs.some(
            ({ stage }) => ['pages', 'layout', 'chunks', 'index'].includes(stage),
          ),
        null,
        { polling: 'raf' },
      );
      const ms = await clickUntil(page, 'Cancel long.pdf', 'Cancelled');
      assert.ok(ms < 200, `cancelled after ${ms} ms`);
      await page.waitForTimeout(300);
      assert.deepEqual(await stored(page), nothingStored);
      assert.deepEqual((await snapshot(page)).documents, []);
    }),
);

test('cancelling while passages are embedded leaves nothing either', () =>
  withPage(
    async (page) => {
      await drop(page, [await sample('rulebook.pdf')]);
      await searchable(page, 1);
      const ms = await clickUntil(page, 'Cancel rulebook.pdf', 'Cancelled');
      assert.ok(ms < 200, `cancelled after ${ms} ms`);
      await page.waitForFunction(
        () =>
          /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).engine.snapshot.removed
            .length === 0,
      );
      await page.waitForTimeout(500);
      assert.deepEqual(await stored(page), nothingStored);
    },
    { vectors: true },
  ));

test('embedding that a reload interrupts goes on where it was', () =>
  withPage(
    async (page) => {
      await drop(page, [
        await sample('rulebook.pdf'),
        await sample('opinion.pdf'),
        await sample('contract.pdf'),
      ]);
      await searchable(page, 3);
      await page.waitForFunction(
        () =>
          /** @type {PinciteWidget} */ (
            document.querySelector('pincite-widget')
          ).engine.snapshot.documents.some(({ nEmbedded }) => nEmbedded > 0),
        null,
        { timeout: 120_000, polling: 50 },
      );
      const { vectors: before } = await stored(page);
      await page.reload();
      await ready(page);
      const after = (await snapshot(page)).documents.reduce((sum, { nEmbedded }) => sum + nEmbedded, 0);
      assert.ok(
        before !== undefined && before > 0 && after > 0,
        `${before} batches were stored, ${after} passages are there after the reload`,
      );
      await embedded(page);
    },
    { vectors: true },
  ));

test('a file added twice is reported and stored once', () =>
  withPage(async (page) => {
    const contract = await sample('contract.pdf');
    await drop(page, [contract, { ...contract, name: 'copy.pdf' }]);
    await searchable(page, 1);
    await page.getByText('already in the library').first().waitFor();
    await drop(page, [contract]);
    await page.waitForFunction(
      () =>
        /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).engine.snapshot.jobs.filter(
          ({ stage }) => stage === 'failed',
        ).length === 2,
    );
    assert.equal(await page.getByText('This document is already in the library.').count(), 2);
    assert.equal((await stored(page))['documents'], 1);
  }));

test('a removed document can be put back, or is gone for good', () =>
  withPage(
    async (page) => {
      await drop(page, [await sample('contract.pdf')]);
      await searchable(page, 1);
      await embedded(page);
      await page.getByRole('button', { name: 'Remove contract.pdf' }).click();
      assert.equal((await snapshot(page)).documents.length, 0);
      await page.getByRole('button', { name: 'Undo' }).click();
      await searchable(page, 1);
      await embedded(page);
      assert.ok((await ask(page, 'What is the cap on liability?')).citations.length > 0);
      await page.getByRole('button', { name: 'Remove contract.pdf' }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
      await isStored(page, nothingStored);
      await page.reload();
      await ready(page);
      assert.deepEqual((await snapshot(page)).documents, []);
    },
    { vectors: true },
  ));

test('clearing asks once more and leaves nothing', () =>
  withPage(
    async (page) => {
      await drop(page, [await sample('contract.pdf'), await sample('opinion.pdf')]);
      await searchable(page, 2);
      await page.getByRole('button', { name: 'Clear all' }).click();
      await page.getByRole('button', { name: 'Keep' }).click();
      assert.equal((await snapshot(page)).documents.length, 2);
      await page.getByRole('button', { name: 'Clear all' }).click();
      await page.getByRole('button', { name: 'Remove all' }).click();
      await page.getByRole('heading', { name: 'Answers pinned to the exact words.' }).waitFor();
      await page.waitForTimeout(500);
      assert.deepEqual(await stored(page), nothingStored);
    },
    { vectors: true },
  ));

/** Rewrites the stored segments. @param {Page} page @param {'version' | 'damage'} how */
function tamper(page, how) {
  return page.evaluate(
    (how) =>
      new Promise((resolve) => {
        const request = indexedDB.open('pincite');
        request.onsuccess = () => {
          const transaction = request.result.transaction('segments', 'readwrite');
          const segments = transaction.objectStore('segments');
          segments.openCursor().onsuccess = (event) => {
            const cursor = /** @type {IDBRequest<IDBCursorWithValue | null>} */ (event.target).result;
            if (!cursor) return;
            /** @type {Uint8Array} */
            const bytes = cursor.value;
            if (how === 'damage') bytes.fill(0, bytes.length >> 1, (bytes.length >> 1) + 64);
            // The version is the little-endian number behind the two names of eight letters.
            else new DataView(bytes.buffer, bytes.byteOffset).setUint32(16, 99, true);
            cursor.update(bytes);
            cursor.continue();
          };
          transaction.oncomplete = () => {
            request.result.close();
            resolve(undefined);
          };
        };
      }),
    how,
  );
}

for (const [how, code, words] of /** @type {const} */ ([
  ['version', 'index-version', /99/],
  ['damage', 'index-damaged', /damaged/],
])) {
  test(`a stored document that cannot be read (${how}) is kept, said, and read again on request`, () =>
    withPage(
      async (page) => {
        await drop(page, [await sample('contract.pdf'), await sample('opinion.pdf')]);
        await searchable(page, 2);
        await page.reload();
        await ready(page);
        await tamper(page, how);
        await page.reload();
        await ready(page);
        const { documents } = await snapshot(page);
        assert.deepEqual(
          documents.map(({ problem }) => problem?.code),
          [code, code],
        );
        assert.match(await page.locator('.row').first().innerText(), words);
        assert.equal((await stored(page))['segments'], 2, 'nothing is overwritten unasked');
        await page.getByRole('button', { name: 'Read again' }).first().click();
        await page.waitForFunction(
          () =>
            /** @type {PinciteWidget} */ (
              document.querySelector('pincite-widget')
            ).engine.snapshot.documents.filter(({ problem }) => problem === null).length === 1,
        );
        const healed = (await snapshot(page)).documents.find(({ problem }) => problem === null);
        assert.ok(
          (
            await ask(
              page,
              healed?.name === 'contract.pdf'
                ? 'What is the cap on liability?'
                : 'Who may rely on this opinion?',
            )
          ).citations.length > 0,
        );
      },
      { vectors: true },
    ));
}

test('when the owner stops, a new one takes over from what is stored', () =>
  withPage(
    async (page) => {
      await drop(page, [await sample('contract.pdf')]);
      await searchable(page, 1);
      await embedded(page);
      await Promise.all(
        page.workers().map((worker) =>
          worker
            .evaluate(() => {
              setTimeout(() => {
                throw new WebAssembly.RuntimeError('unreachable');
              });
            })
            .catch(() => {}),
        ),
      );
      await page.waitForTimeout(300);
      await ready(page);
      await searchable(page, 1);
      assert.equal((await snapshot(page)).documents[0]?.missing.length, 0);
      assert.ok((await ask(page, 'What is the cap on liability?')).citations.length > 0);
    },
    { vectors: true },
  ));

test('the page works offline once it is loaded', () =>
  withPage(
    async (page, context) => {
      await drop(page, [await sample('contract.pdf')]);
      await searchable(page, 1);
      await embedded(page);
      await context.setOffline(true);
      await drop(page, [await sample('opinion.pdf')]);
      await searchable(page, 2);
      await embedded(page);
      assert.ok((await ask(page, 'Who may rely on this opinion?')).citations.length > 0);
    },
    { vectors: true },
  ));

test('a filter narrows answers to a document and a section, says so, and is lifted again', () =>
  withPage(async (page) => {
    await drop(page, [await sample('rulebook.pdf'), await sample('contract.pdf')]);
    await searchable(page, 2);
    const question = 'What must be notified?';
    const documents = async () => [
      ...new Set((await ask(page, question)).citations.map((citation) => citation.document)),
    ];
    await page.locator('.filter > summary').click();
    await page.getByRole('combobox', { name: 'Document' }).selectOption({ label: 'contract.pdf' });
    await page.getByText('Looking in: contract.pdf').waitFor();
    assert.deepEqual(await documents(), ['contract.pdf']);
    await page.getByRole('textbox', { name: 'Section' }).fill('Article 999');
    await page.getByRole('textbox', { name: 'Section' }).blur();
    await page.getByText('Looking in: contract.pdf, Article 999').waitFor();
    assert.deepEqual(await documents(), []);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    assert.equal(await page.locator('.filter > summary').innerText(), 'All documents');
    assert.ok((await documents()).length > 0);

    // Each answer says what it was looked for in, and still does when the page is opened again.
    const lines = () => page.locator('.thread .searched').allInnerTexts();
    const said = ['Searched: contract.pdf, Article 999.', 'Searched: contract.pdf.'];
    assert.deepEqual(await lines(), said);
    await page.reload();
    await ready(page);
    await page.locator('.answer-card').nth(2).waitFor();
    assert.deepEqual(await lines(), said);
  }));

test('where a graph over the vectors is wanted, a pool worker links it, and searches find the same', () =>
  withPage(
    async (page) => {
      await page.evaluate(() => {
        /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).engine.ann = 'hnsw';
      });
      await drop(page, [await sample('contract.pdf')]);
      await searchable(page, 1);
      await embedded(page);
      const found = await page.evaluate(async () => {
        const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
        for (let wait = 0; wait < 100 && (await engine.stats()).owner.graphs === 0; wait += 1)
          await new Promise((resolve) => setTimeout(resolve, 50));
        const { graphs } = (await engine.stats()).owner;
        const hits = async () => {
          const { hits, vectors } = await engine.search('cap on liability', { vectors: 'wait' });
          return [vectors, ...hits.map(({ text }) => text)];
        };
        const byGraph = await hits();
        engine.ann = 'exact';
        return { graphs, byGraph, byScan: await hits() };
      });
      assert.ok(found.graphs >= 1);
      assert.equal(found.byGraph[0], 'all');
      assert.deepEqual(found.byGraph, found.byScan);
    },
    { vectors: true },
  ));

test('the boxes beside the documents choose where to look; the filter says so, and one document stays chosen', () =>
  withPage(async (page) => {
    await drop(page, [await sample('rulebook.pdf')]);
    await searchable(page, 1);
    assert.equal(await page.getByRole('checkbox', { name: /^Look in/ }).count(), 0, 'nothing to choose');
    await drop(page, [await sample('contract.pdf'), await sample('opinion.pdf')]);
    await searchable(page, 3);
    const boxes = page.getByRole('checkbox', { name: /^Look in/ });
    assert.equal(await boxes.count(), 3);
    const question = 'How long must a firm keep its records?';
    /** @returns {Promise<string[]>} names of the documents that an answer cites */
    const cited = async () => {
      const { citations } = await page.evaluate(
        (question) => /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).ask(question),
        question,
      );
      const names = new Map((await snapshot(page)).documents.map(({ id, name }) => [id, name]));
      return [...new Set(citations.map(({ documentId }) => names.get(documentId) ?? ''))];
    };
    assert.ok((await cited()).includes('rulebook.pdf'));

    // By keyboard: the rulebook is left out.
    const { documents } = await snapshot(page);
    const rulebook = documents.find(({ name }) => name === 'rulebook.pdf');
    const box = page.getByRole('checkbox', { name: `Look in ${rulebook?.title ?? rulebook?.name}` });
    await box.focus();
    await page.keyboard.press('Space');
    assert.equal(await box.isChecked(), false);
    await page.getByText('Looking in: 2 of 3 documents').waitFor();
    assert.ok(!(await cited()).includes('rulebook.pdf'));
    const where = page.locator('.answer-card').first().locator('.searched');
    assert.equal(await where.innerText(), 'Searched: 2 of 3 documents.');

    // One more: the last one cannot be left out.
    await boxes.nth(1).uncheck();
    const chosen = page.locator('pincite-widget .row-choice > input:checked');
    assert.equal(await chosen.count(), 1);
    assert.equal(await chosen.isDisabled(), true);

    await page.getByText(/^Looking in:/).click();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    assert.equal(await chosen.count(), 3);
    assert.ok((await cited()).includes('rulebook.pdf'));
  }));

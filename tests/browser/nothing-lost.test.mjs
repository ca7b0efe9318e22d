/**
 * The library holds its documents until the person takes them out: files of one name, two tabs, storing that is cancelled,
 * an engine that stops where nothing is stored, a browser that stores nothing, workers that are ended from outside.
 */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import playwright from '../../www/node_modules/playwright-core/index.js';
import { withEmptyConsole } from './console.mjs';
import {
  ask,
  chromiumArgs,
  chromiumPath,
  drop,
  embedded,
  eventually,
  isStored,
  listen,
  modelAddress,
  nothingStored,
  pdf,
  ready,
  sample,
  searchable,
  site,
  snapshot,
  start,
  stop,
  stored,
  type,
  withPage,
} from './harness.mjs';

before(start);
after(stop);

/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */
/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {import('./harness.mjs').BrowserContext} BrowserContext */

/** Names as the library lists them. @param {Page} page */
async function names(page) {
  return (await snapshot(page)).documents.map(({ name }) => name);
}

/** Waits until the library lists these. @param {Page} page @param {string[]} expected */
async function lists(page, expected) {
  await page
    .waitForFunction(
      (expected) =>
        JSON.stringify(
          /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).engine.snapshot.documents
            .map(({ name }) => name)
            .sort(),
        ) === JSON.stringify(expected),
      [...expected].sort(),
      { timeout: 20_000 },
    )
    .catch(() => {});
  assert.deepEqual((await names(page)).sort(), [...expected].sort());
}

/** Another tab of the same person. @param {BrowserContext} context */
async function anotherTab(context) {
  const page = await context.newPage();
  await page.goto(site());
  await page.waitForFunction(() => customElements.get('pincite-widget') !== undefined);
  await ready(page);
  return page;
}

/** @param {string} from a sample @param {string} name */
async function called(from, name) {
  return { ...(await sample(from)), name };
}

test('two files of one name are both kept, listed and cited apart, until the person decides', () =>
  withPage(async (page) => {
    await drop(page, [await called('contract.pdf', 'deed.pdf')]);
    await searchable(page, 1);
    await drop(page, [await called('rulebook.pdf', 'deed.pdf')]);
    await searchable(page, 2);
    const [first = '', second = ''] = await names(page);
    assert.equal(first, 'deed.pdf');
    assert.match(second, /^deed \((2|\d{4}.*)\)\.pdf$/);
    await page.getByText(`this one is “${second}”`).waitFor();
    const cited = async (/** @type {string} */ question) =>
      (await ask(page, question)).citations[0]?.document;
    assert.equal(await cited('What is the cap on liability?'), first);
    assert.equal(await cited('For how long must records of Client Money be kept?'), second);
    await page.locator('.filter > summary').click();
    assert.deepEqual(
      await page.getByRole('combobox', { name: 'Document' }).locator('option').allInnerTexts(),
      ['All documents', first, second],
    );

    // One replaces the other when the person says so, and that can be undone.
    await page.getByRole('button', { name: 'Replace the earlier one' }).click();
    await lists(page, [second]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await lists(page, [first, second]);
    assert.equal(await cited('What is the cap on liability?'), first);
    await page.reload();
    await ready(page);
    await lists(page, [first, second]);
  }));

test('files of one name that come at once are both kept, and the question goes when it is answered', () =>
  withPage(async (page) => {
    await drop(page, [await called('contract.pdf', 'deed.pdf'), await called('opinion.pdf', 'deed.pdf')]);
    await searchable(page, 2);
    assert.equal(new Set(await names(page)).size, 2);
    await page.getByRole('button', { name: 'Keep both' }).click();
    await page.getByRole('button', { name: 'Keep both' }).waitFor({ state: 'detached' });
    assert.equal((await stored(page))['files'], 2);
  }));

test('two tabs with one library see what the other adds and removes', () =>
  withPage(async (one, context) => {
    const two = await anotherTab(context);
    await drop(one, [await sample('contract.pdf')]);
    await lists(two, ['contract.pdf']);
    assert.ok((await ask(two, 'What is the cap on liability?')).citations.length > 0);
    await drop(two, [await called('opinion.pdf', 'contract.pdf')]);
    await searchable(two, 2);
    await lists(one, await names(two));
    await two.getByRole('button', { name: 'Remove contract.pdf' }).click();
    await lists(one, (await names(two)).slice());
    assert.equal((await names(one)).length, 1);
    await one.getByRole('button', { name: 'Clear all' }).click();
    await one.getByRole('button', { name: 'Remove all' }).click();
    await lists(two, []);
  }));

test('vectors that one tab makes are there in the other', () =>
  withPage(
    async (one, context) => {
      const two = await anotherTab(context);
      await drop(two, [await sample('contract.pdf')]);
      await lists(one, ['contract.pdf']);
      await Promise.all([embedded(one), embedded(two)]);
      const [documentOne, documentTwo] = [
        (await snapshot(one)).documents[0],
        (await snapshot(two)).documents[0],
      ];
      assert.equal(documentOne?.nEmbedded, documentOne?.nToEmbed);
      assert.equal(documentTwo?.nEmbedded, documentOne?.nEmbedded);
    },
    { vectors: true },
  ));

test('a removal can be undone while another tab is opened, and is out of storage meanwhile', () =>
  withPage(async (page, context) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await page.getByRole('button', { name: 'Remove contract.pdf' }).click();
    await isStored(page, nothingStored);
    const two = await anotherTab(context);
    await lists(two, []);
    await page.getByRole('button', { name: 'Undo' }).click();
    await lists(page, ['contract.pdf']);
    await lists(two, ['contract.pdf']);
    assert.equal((await stored(page))['files'], 1);
    assert.ok((await ask(page, 'What is the cap on liability?')).citations.length > 0);
  }));

test('storing that is cancelled leaves the edition that was there', () =>
  withPage(async (page) => {
    await drop(page, [await called('contract.pdf', 'deed.pdf')]);
    await searchable(page, 1);
    const before = (await snapshot(page)).documents[0];
    await page.evaluate(() => {
      const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      engine.addEventListener('change', () => {
        const job = engine.snapshot.jobs.find(({ stage }) => stage === 'saving');
        if (job) engine.cancel(job.key);
      });
    });
    await drop(page, [await called('rulebook.pdf', 'deed.pdf')]);
    await page.getByText('Cancelled. Nothing of this file was kept.').waitFor();
    await isStored(page, { documents: 1, files: 1, segments: 1, vectors: 0 });
    const { documents } = await snapshot(page);
    assert.deepEqual(
      documents.map(({ id, name }) => [id, name]),
      [[before?.id, 'deed.pdf']],
    );
    assert.ok((await ask(page, 'What is the cap on liability?')).citations.length > 0);
  }));

test('the browser is asked to keep what is stored, at the first document and not before', () =>
  withPage(async (page, context) => {
    await context.addInitScript(() => {
      StorageManager.prototype.persist = async () => {
        document.documentElement.dataset['asked'] = String(
          Number(document.documentElement.dataset['asked'] ?? 0) + 1,
        );
        return false;
      };
    });
    await page.reload();
    await ready(page);
    const asked = () => page.evaluate(() => document.documentElement.dataset['asked'] ?? 'never');
    assert.equal(await asked(), 'never');
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    assert.equal(await asked(), '1');
  }));

test('a document that there is no space for can be used until the page is closed, and takes no other away', () =>
  withPage(async (_, context) => {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const { origin } = new URL(site());
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 2e6 });
    await context.route(modelAddress, (route) => route.fulfill({ status: 404 }));
    await page.goto(site());
    await ready(page);
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    const { name, bytes } = pdf('loan.pdf', ['The lender may call the loan at any time.']);
    await drop(page, [{ name, bytes: Buffer.concat([bytes, randomBytes(4e6)]) }]);
    await searchable(page, 2);
    await page.getByText('It could not be stored in this browser.').waitFor();
    await page.getByText('It can be used until the page is closed.').waitFor();
    const { citations } = await ask(page, 'When may the lender call the loan?');
    assert.equal(citations[0]?.document, name);
    await page.reload();
    await ready(page);
    await lists(page, ['contract.pdf']);
  }));

/** Ends the owner as a trap does. @param {Page} page */
async function trap(page) {
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
}

test('where nothing is stored, an engine that stops says which documents are lost', () =>
  withPage(async (_, context) => {
    const page = await context.newPage();
    await context.route(modelAddress, (route) => route.fulfill({ status: 404 }));
    await context.route('**/engine/worker.js*', async (route) => {
      const response = await route.fetch();
      const body = `Object.defineProperty(globalThis, 'indexedDB', { value: undefined });\n${await response.text()}`;
      await route.fulfill({ response, body });
    });
    await page.goto(site());
    await ready(page);
    assert.equal((await snapshot(page)).persistent, false);
    await drop(page, [await sample('contract.pdf'), await sample('opinion.pdf')]);
    await searchable(page, 2);
    await trap(page);
    await page.getByText('this document is gone').first().waitFor();
    const { jobs, documents } = await snapshot(page);
    assert.deepEqual(documents, []);
    assert.deepEqual(jobs.map(({ name, error }) => [name, error?.code]).sort(), [
      ['contract.pdf', 'document-lost'],
      ['opinion.pdf', 'document-lost'],
    ]);
    await drop(page, [await sample('contract.pdf')]);
    await lists(page, ['contract.pdf']);
  }));

/** Has the workers that are started from now on find storage that cannot be opened. @param {BrowserContext} context */
async function refuseStorage(context) {
  await context.route('**/engine/worker.js*', async (route) => {
    const response = await route.fetch();
    const refuses =
      "IDBFactory.prototype.open = () => { throw new DOMException('Internal error', 'UnknownError'); };";
    await route.fulfill({ response, body: `${refuses}\n${await response.text()}` });
  });
}

/** Loses the library as a browser does that finds its database damaged. @param {Page} page */
async function lose(page) {
  await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.deleteDatabase('pincite');
        request.onsuccess = resolve;
        request.onerror = () => reject(request.error);
      }),
  );
}

test('where the stored library cannot be opened again, the page says so, and after a reload all is there', () =>
  withPage(async (page, context) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await refuseStorage(context);
    await trap(page);
    const told = page.getByText('The stored library could not be opened again');
    await told.waitFor();
    await page.getByText('Its documents are still in this browser. Reload the page.').waitFor();
    await lists(page, ['contract.pdf']);
    assert.deepEqual((await snapshot(page)).jobs, [], 'no document is called lost');
    await type(page, 'What is the cap on liability?');
    const card = page.locator('.answer-card').first();
    assert.match(
      await card.innerText(),
      /could not be opened again\.\s+Its documents are still in this browser\./,
    );
    await context.unroute('**/engine/worker.js*');
    await page.reload();
    await ready(page);
    await lists(page, ['contract.pdf']);
    assert.ok((await ask(page, 'What is the cap on liability?')).citations.length > 0);
  }));

test('where the library cannot be opened when the page comes, it says so, and after a reload all is there', () =>
  withPage(async (page, context) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await refuseStorage(context);
    await page.reload();
    await page.getByText('The stored library could not be opened again').waitFor();
    await page.getByText('Its documents are still in this browser. Reload the page.').waitFor();
    await drop(page, [await sample('opinion.pdf')]);
    await page.locator('[data-stage=failed]').getByText('could not be opened again').waitFor();
    assert.deepEqual(await names(page), [], 'nothing is taken that would be gone at the next reload');
    await context.unroute('**/engine/worker.js*');
    await page.reload();
    await ready(page);
    await lists(page, ['contract.pdf']);
  }));

test('where the browser has lost the library, the page says so once, and takes new documents', () =>
  withPage(async (page) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await lose(page);
    await page.reload();
    await ready(page);
    const told = page.locator('.library').getByText('no longer has the documents that were kept here');
    await told.waitFor();
    await page.getByText('Add the files again.').waitFor();
    await drop(page, [await sample('opinion.pdf')]);
    await lists(page, ['opinion.pdf']);
    await page.reload();
    await ready(page);
    assert.equal(await told.count(), 0);
    await lists(page, ['opinion.pdf']);
    await lose(page);
    await page.reload();
    await ready(page);
    await page.getByRole('button', { name: 'Dismiss this message' }).click();
    await told.waitFor({ state: 'detached' });
  }));

test('where a person has taken the documents out, none is called lost', () =>
  withPage(async (page) => {
    const reloaded = async () => {
      await page.reload();
      await ready(page);
      return snapshot(page);
    };
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await page.getByRole('button', { name: 'Remove contract.pdf' }).click();
    await isStored(page, nothingStored);
    assert.deepEqual((await reloaded()).jobs, []);
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByRole('button', { name: 'Remove all' }).click();
    await isStored(page, nothingStored);
    assert.deepEqual((await reloaded()).jobs, []);
  }));

test('a document that was taken out of storage as the engine stopped is not listed again', () =>
  withPage(async (_, context) => {
    const page = await context.newPage();
    await context.route(modelAddress, (route) => route.fulfill({ status: 404 }));
    // The first reply to a removal is the last word of its worker.
    await context.route('**/engine/worker.js*', async (route) => {
      const response = await route.fetch();
      const traps = `{
        let removal;
        const post = globalThis.postMessage.bind(globalThis);
        addEventListener('message', ({ data }) => data.type === 'remove' && (removal = data.id));
        globalThis.postMessage = (event, ...rest) =>
          event.type === 'done' && event.id === removal
            ? post({ type: 'fatal', message: 'unreachable', document: null })
            : post(event, ...rest);
      }`;
      await route.fulfill({ response, body: `${traps}\n${await response.text()}` });
    });
    await page.goto(site());
    await ready(page);
    await drop(page, [await sample('contract.pdf'), await sample('opinion.pdf')]);
    await searchable(page, 2);
    const fault = await page.evaluate(async () => {
      const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      const contract = engine.snapshot.documents.find(({ name }) => name === 'contract.pdf');
      const fault = await engine.remove(contract?.id ?? '').then(
        () => null,
        ({ message }) => message,
      );
      await engine.opened;
      return fault;
    });
    assert.match(fault, /the engine stopped/);
    assert.deepEqual(await names(page), ['opinion.pdf']);
    assert.equal((await stored(page))['files'], 1);
  }));

/**
 * Opens the page in a browser of its own.
 * @param {{ preferences?: object, args?: string[], address: string }} how
 * @param {(page: Page) => Promise<void>} body
 */
async function withBrowser({ preferences = {}, args = [], address }, body) {
  const profile = await mkdtemp(path.join(tmpdir(), 'pincite-browser-'));
  await mkdir(path.join(profile, 'Default'));
  await writeFile(path.join(profile, 'Default/Preferences'), JSON.stringify(preferences));
  const options = { executablePath: chromiumPath, args: [...chromiumArgs, ...args] };
  const context = await playwright.chromium.launchPersistentContext(profile, options);
  try {
    await withEmptyConsole(async (said) => {
      const page = await context.newPage();
      listen(page, said);
      await page.goto(address);
      await ready(page);
      await body(page);
    });
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The browser's owner lets no site store anything: IndexedDB, caches, locks and all others are denied alike. */
const storageDenied = { profile: { default_content_setting_values: { cookies: 2 } } };

test('where the browser denies storage, the page says how long documents are kept, answers, and lights the words', () =>
  withBrowser({ preferences: storageDenied, address: site() }, async (page) => {
    const refused = () =>
      page.evaluate(
        () =>
          new Promise((resolve) => {
            const request = indexedDB.open('pincite');
            request.onsuccess = () => resolve(false);
            request.onerror = () => resolve(true);
          }),
      );
    assert.ok(await refused(), 'the browser denies it');
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await page.locator('.library').getByText('Kept until the page is closed').waitFor();
    assert.equal((await snapshot(page)).persistent, false);
    await embedded(page);
    await type(page, 'What is the cap on liability?');
    const citation = page.locator('.answer-card').first().locator('button.citation').first();
    assert.match(await citation.innerText(), /125 per cent/);
    await citation.click();
    await page.locator('.page-view .light').first().waitFor();
    await page.reload();
    await ready(page);
    assert.deepEqual((await snapshot(page)).documents, [], 'as it said');
  }));

test('over http from another machine, where a page has no locks, caches or hashes, documents are read, embedded and kept', () =>
  withBrowser(
    {
      args: ['--host-resolver-rules=MAP another.test 127.0.0.1'],
      address: site().replace('localhost', 'another.test').replace('127.0.0.1', 'another.test'),
    },
    async (page) => {
      assert.equal(await page.evaluate(() => globalThis.isSecureContext), false);
      await drop(page, [await sample('contract.pdf')]);
      await searchable(page, 1);
      await embedded(page);
      const { citations, vectors } = await ask(page, 'What is the cap on liability?');
      assert.deepEqual([citations[0]?.document, vectors], ['contract.pdf', 'all']);
      await page.reload();
      await ready(page);
      await lists(page, ['contract.pdf']);
    },
  ));

/** Ends workers as the system does, without a word to the page. @param {Page} page @param {(place: number) => boolean} which 0 is the owner */
async function end(page, which) {
  const workers = page.workers().filter((_, place) => which(place));
  assert.ok(workers.length > 0, 'there are such workers');
  // The last call of an ended worker may have no reply.
  await Promise.all(workers.map((worker) => worker.evaluate(() => globalThis.close()).catch(() => {})));
}

test('workers that are ended from outside while a library is embedded are replaced, and no one need know', () =>
  withPage(
    async (page) => {
      await drop(page, [await sample('contract.pdf'), await sample('rulebook.pdf')]);
      await searchable(page, 2);
      const begun = () =>
        page.waitForFunction(
          () => {
            const { documents } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'))
              .engine.snapshot;
            return documents.some(({ nEmbedded, missing }) => nEmbedded > 0 && missing.length > 0);
          },
          null,
          { polling: 20 },
        );
      await begun();
      await end(page, (place) => place > 0);
      await end(page, (place) => place === 0);
      await page.waitForFunction(
        () => {
          const { documents } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).engine
            .snapshot;
          return documents.length === 2 && documents.every(({ missing }) => missing.length === 0);
        },
        null,
        { timeout: 120_000 },
      );
      await lists(page, ['contract.pdf', 'rulebook.pdf']);
      const { jobs, state } = await snapshot(page);
      assert.deepEqual([jobs, state], [[], 'open']);
      const { citations, vectors } = await ask(page, 'What is the cap on liability?');
      assert.deepEqual([citations[0]?.document, vectors], ['contract.pdf', 'all']);
      await page.reload();
      await ready(page);
      await lists(page, ['contract.pdf', 'rulebook.pdf']);
    },
    { vectors: true },
  ));

test('files whose worker is ended while they are read are read by another; nothing stored is lost', () =>
  withPage(async (page, context) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    let release = () => {};
    const held = new Promise((resolve) => (release = () => resolve(undefined)));
    let nAsked = 0;
    await context.route('**/model/vocab.txt*', async (route) => {
      nAsked += 1;
      await held;
      // Those who asked first are no more.
      await route.continue().catch(() => {});
    });
    await drop(page, [await sample('rulebook.pdf'), await sample('opinion.pdf')]);
    // One that is ended before it says that it lives is missed after a minute only.
    const nReading = () => page.workers().length - 1;
    await eventually(async () => nAsked >= Math.max(1, nReading()), 'the files are being read');
    await end(page, (place) => place > 0);
    release();
    await searchable(page, 3);
    assert.deepEqual((await snapshot(page)).jobs, [], 'no file has a message');
    await isStored(page, { documents: 3, files: 3, segments: 3 });
  }));

test('a question whose owner is ended has one message, and is answered when it is asked again', () =>
  withPage(async (page) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    const question = 'What is the cap on liability?';
    // The owner takes the question and has no time to answer it.
    await page.workers()[0]?.evaluate(() => {
      globalThis.onmessage = () => {};
    });
    await page.getByRole('textbox', { name: 'Your question' }).fill(question);
    await page.keyboard.press('Enter');
    const card = page.locator('.answer-card').first();
    await card.and(page.locator('[data-state=asking]')).waitFor();
    await end(page, (place) => place === 0);
    await card.and(page.locator('[data-state=failed]')).waitFor();
    assert.equal(await card.getByText('The question could not be answered.').count(), 1);
    assert.equal(await card.getByText('Try it again.').count(), 1);
    await lists(page, ['contract.pdf']);
    assert.ok((await ask(page, question)).citations.length > 0);
    await isStored(page, { documents: 1, files: 1, segments: 1 });
  }));

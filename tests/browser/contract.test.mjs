/**
 * The widget as a portal drives it: documents by address, layouts, slots, its methods, and its coming and going.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DocumentHost } from './document-host.mjs';
import {
  ask,
  drop,
  eventually,
  ready,
  sample,
  searchable,
  snapshot,
  start,
  stop,
  violations,
  withPage,
} from './harness.mjs';

/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */
/** @typedef {import('./harness.mjs').Page} Page */

before(start);
after(stop);

/** @param {Page} page @param {string} address @param {{ authorization?: string }} [given] */
function addUrl(page, address, { authorization } = {}) {
  return page.evaluate(
    async ([address, authorization]) => {
      const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      const getAuth = () => authorization ?? null;
      try {
        return (await widget.addUrl(address ?? '', { getAuth })).name;
      } catch (error) {
        return /** @type {{ code: string }} */ (error).code;
      }
    },
    [address, authorization],
  );
}

/** Puts the widget into a page with a heading and content of its own. @param {Page} page @param {string} layout */
function embed(page, layout) {
  return page.evaluate((layout) => {
    const main = document.createElement('main');
    const heading = document.createElement('h1');
    heading.textContent = 'Policies';
    main.append(heading);
    document.body.prepend(main);
    document.querySelector('pincite-widget')?.setAttribute('layout', layout);
  }, layout);
}

test('a document comes from a server with authorization, once however often it is named', () =>
  withPage(
    async (page) => {
      /** @type {(string | undefined)[]} */
      const seen = [];
      const { bytes } = await sample('contract.pdf');
      await page.route('**/policies/*', (route) => {
        const { authorization } = route.request().headers();
        seen.push(authorization);
        return authorization === 'Bearer good'
          ? route.fulfill({ body: Buffer.from(bytes), contentType: 'application/pdf' })
          : route.fulfill({ status: 401 });
      });
      const address = '/policies/Services%20agreement.pdf';
      assert.equal(await addUrl(page, address), 'download-failed');
      const problem = page.locator('[data-stage=failed]');
      assert.match((await problem.textContent()) ?? '', /could not be fetched.*Sign in again/);
      await page.getByRole('button', { name: /^Dismiss/ }).click();
      assert.equal(await addUrl(page, address, { authorization: 'Bearer good' }), 'Services agreement.pdf');
      assert.equal(await addUrl(page, address, { authorization: 'Bearer good' }), 'Services agreement.pdf');
      const { documents, jobs } = await snapshot(page);
      assert.deepEqual([documents.length, jobs.length], [1, 0]);
      assert.deepEqual(seen, [undefined, undefined, 'Bearer good', 'Bearer good']);
    },
    { provoked: /401/ },
  ));

test('a document of another origin comes with cookies where the page says so, and goes on when its transfer breaks', async () => {
  const { bytes } = await sample('contract.pdf');
  const host = await new DocumentHost(bytes).open();
  const add = (/** @type {Page} */ page, /** @type {object} */ options) =>
    page.evaluate(
      ({ url, options }) =>
        /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).addUrl(url, options).then(
          ({ name }) => name,
          ({ code }) => code,
        ),
      { url: host.url, options },
    );
  try {
    await withPage(
      async (page) => {
        await page.evaluate(
          (address) => fetch(address, { credentials: 'include' }).then(() => {}),
          new URL('/sign-in', host.url).href,
        );
        assert.equal(await add(page, {}), 'download-failed');
        await page.getByRole('button', { name: /^Dismiss/ }).click();
        host.isHalting = true;
        const added = add(page, { credentials: 'include' });
        const half = Math.floor(bytes.length / 2);
        await page.waitForFunction(
          (half) =>
            /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).engine.snapshot.jobs.some(
              ({ done }) => done === half,
            ),
          half,
        );
        host.breakOff();
        assert.equal(await added, 'contract.pdf');
        assert.deepEqual(
          host.asked.map(({ cookie, range }) => [cookie, range]),
          [
            [undefined, undefined],
            ['session=good', undefined],
            ['session=good', `bytes=${half}-`],
          ],
        );
        assert.ok((await ask(page, 'What is the cap on liability?')).citations.length > 0);
      },
      { provoked: /401|ERR_(INCOMPLETE|CONTENT_LENGTH|CONNECTION)/ },
    );
  } finally {
    await host.close();
  }
});

test('a download is cancelled from the list, and nothing is left of it', () =>
  withPage(
    async (page) => {
      await page.route('**/slow.pdf', () => {});
      const added = addUrl(page, '/slow.pdf');
      await page.getByRole('button', { name: /^Cancel/ }).click();
      assert.equal(await added, 'cancelled');
      assert.equal((await snapshot(page)).documents.length, 0);
    },
    { provoked: /slow\.pdf/ },
  ));

test('the answer layout has no documents to manage, and takes no dropped files', () =>
  withPage(async (page) => {
    await embed(page, 'answer');
    assert.equal(await page.locator('.library').isVisible(), false);
    await drop(page, [await sample('contract.pdf')]);
    assert.equal((await snapshot(page)).jobs.length, 0);
    await page.evaluate(async () => {
      const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      await widget.addUrl('samples/contract.pdf');
    });
    await ask(page, 'What is the cap on liability?');
    await page.locator('button.citation').first().click();
    await page.locator('.page-view canvas').first().waitFor();
    assert.deepEqual(await violations(page), []);
  }));

test('the floating layout opens by its button and closes by Escape, with the focus in the right place', () =>
  withPage(async (page) => {
    await embed(page, 'floating');
    assert.equal(await page.locator('.shell').isVisible(), false);
    assert.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: 'Ask your documents' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ask your documents' });
    await dialog.waitFor();
    const focused = () =>
      page.evaluate(() => document.querySelector('pincite-widget')?.shadowRoot?.activeElement?.className);
    assert.equal(await focused(), 'question-input');
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    assert.equal(await dialog.isVisible(), false);
    assert.equal(await focused(), 'launcher');
    await page.evaluate(() => {
      const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      widget.addUrl('samples/contract.pdf');
    });
    await searchable(page, 1);
    await ask(page, 'What is the cap on liability?');
    assert.ok(await dialog.isVisible(), 'asking opens the panel');
    assert.deepEqual(await violations(page), []);
  }));

test('a program opens a citation without an event, and is told when its document is gone', () =>
  withPage(async (page) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    const [events, code] = await page.evaluate(async () => {
      const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      let events = 0;
      widget.addEventListener('pincite-cite', () => (events += 1));
      const { citations } = await widget.ask('What is the cap on liability?');
      const [first] = citations;
      if (!first) throw new Error('no citation');
      widget.open(first, citations);
      try {
        widget.open({ ...first, documentId: 'gone' });
      } catch (error) {
        return [events, /** @type {{ code: string }} */ (error).code];
      }
      return [events, ''];
    });
    assert.deepEqual([events, code], [0, 'bad-argument']);
    await page.locator('.light').first().waitFor({ state: 'attached' });
  }));

test('slots stand in the place of the introduction, of the name and of the footer', () =>
  withPage(async (page) => {
    await page.evaluate(() => {
      const widget = document.querySelector('pincite-widget');
      for (const slot of ['empty', 'header', 'footer']) {
        const paragraph = document.createElement('p');
        paragraph.slot = slot;
        paragraph.textContent = `our ${slot}`;
        widget?.append(paragraph);
      }
    });
    for (const slot of ['empty', 'header', 'footer'])
      assert.ok(await page.getByText(`our ${slot}`).isVisible(), slot);
    assert.equal(await page.locator('.headline').isVisible(), false);
    assert.equal(await page.locator('.brand').isVisible(), false);
    const bottom = await page.getByText('our footer').boundingBox();
    assert.ok(bottom && bottom.y > 800, 'the footer is at the bottom');
  }));

/** Takes the widget out of the page; `putBack` has the same one. @param {Page} page */
const takeOut = (page) =>
  page.evaluate(() => {
    const widget = document.querySelector('pincite-widget');
    Reflect.set(globalThis, 'widget', widget);
    widget?.remove();
  });

/** @param {Page} page */
async function putBack(page) {
  await page.evaluate(() => document.body.append(Reflect.get(globalThis, 'widget')));
  await ready(page);
}

test('a widget that is taken out of the page with its lab open ends its workers, and can be put back', () =>
  withPage(async (page) => {
    await page.locator('[part=settings-button]').click();
    await page.getByRole('button', { name: 'How good is this on my documents?' }).click();
    await page.locator('.lab h1').waitFor();
    await takeOut(page);
    await eventually(async () => page.workers().length === 0, 'no worker is left');
    await putBack(page);
    assert.equal(await page.locator('.lab').isVisible(), false);
    assert.ok(await page.getByRole('textbox', { name: 'Your question' }).isVisible());
  }));

test('a part that comes when the widget has been taken out of the page does not open', () =>
  withPage(async (page) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await ask(page, 'What is the cap on liability?');
    /** @type {string[]} */
    const asked = [];
    let release = () => {};
    /** @type {Promise<void>} */
    let held = Promise.resolve();
    await page.route(/\/(?:chunks|lab)\/[^/]+\.js/, async (route) => {
      asked.push(route.request().url());
      await held;
      await route.continue();
    });
    /** @type {[name: string, open: () => Promise<void>][]} */
    const parts = [
      ['keyboard map', () => page.locator('.help-button').click()],
      ['answer with its documents', () => page.getByRole('button', { name: 'Save with documents' }).click()],
      ['library as a file', () => page.locator('.library').getByRole('button', { name: 'Save' }).click()],
      [
        'lab',
        async () => {
          await page.locator('[part=settings-button]').click();
          await page.getByRole('button', { name: 'How good is this on my documents?' }).click();
        },
      ],
    ];
    for (const [name, open] of parts) {
      asked.length = 0;
      held = new Promise((resolve) => (release = resolve));
      await open();
      await eventually(async () => asked.length > 0, name);
      await takeOut(page);
      release();
      // It has come, and whoever waited for it has gone on.
      await page.evaluate(async (addresses) => {
        await Promise.all(addresses.map((address) => import(address)));
        await new Promise((resolve) => setTimeout(resolve));
      }, asked);
      await putBack(page);
      const shown = page.locator('dialog[open], .lab:not([hidden]), .library-file, .failure:not([hidden])');
      assert.deepEqual(await shown.allInnerTexts(), [], name);
    }
  }));

test('a part that fails to come when the widget has been taken out of the page is no error of the page', () =>
  withPage(
    async (page) => {
      let release = () => {};
      /** @type {Promise<void>} */
      const held = new Promise((resolve) => (release = resolve));
      const asked = page.waitForRequest(/\/device\/index\.js/);
      await page.route(/\/device\/index\.js/, async (route) => {
        await held;
        await route.abort();
      });
      await page.locator('[part=settings-button]').click();
      const settings = page.getByRole('dialog', { name: 'Settings' });
      await settings.getByLabel('Language model').selectOption('device');
      const failed = page.waitForEvent('requestfailed', (each) => each === request);
      const request = await asked;
      await takeOut(page);
      release();
      await failed;
      await putBack(page);
      await page.locator('[part=settings-button]').click();
      assert.equal(await settings.getByLabel('Language model').inputValue(), 'none');
    },
    { provoked: /ERR_FAILED/ },
  ));

test('fifty times removed and added again, a widget leaves less than 20 kB a time', () =>
  withPage(async (page, context) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    // Conversations that are kept stand in a list of every later widget, one row more a round.
    await page.evaluate(() => localStorage.setItem('pincite:pincite:conversations', 'never'));
    const session = await context.newCDPSession(page);
    const rounds = (/** @type {number} */ n) =>
      page.evaluate(async (n) => {
        for (let round = 0; round < n; round += 1) {
          const old = document.querySelector('pincite-widget');
          const widget = /** @type {PinciteWidget} */ (document.createElement('pincite-widget'));
          widget.setAttribute('src', './');
          old?.replaceWith(widget);
          await widget.engine.opened;
          await widget.ask('What is the cap on liability?');
        }
      }, n);
    const heap = async () => {
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
      return { usedSize, nodes, jsEventListeners };
    };
    await rounds(5); // what is compiled and cached once
    // The widget that was removed last may be held for a moment: each count is the least of three, a round apart.
    const least = async () => {
      let least = await heap();
      for (let more = 0; more < 2; more += 1) {
        await rounds(1);
        const next = await heap();
        if (next.nodes < least.nodes) least = next;
      }
      return least;
    };
    const begin = await least();
    await rounds(50);
    const end = await least();
    const grown = (/** @type {'usedSize' | 'nodes' | 'jsEventListeners'} */ figure) =>
      (end[figure] - begin[figure]) / 50;
    const [bytes, nodes, listeners] = [grown('usedSize'), grown('nodes'), grown('jsEventListeners')];
    console.log(`a round leaves ${Math.round(bytes)} bytes, ${nodes} nodes, ${listeners} listeners`);
    assert.ok(bytes < 20_000, `${bytes} bytes a round`);
    assert.ok(nodes < 1, `${nodes} nodes a round`);
    assert.ok(listeners < 1, `${listeners} listeners a round`);
    await ready(page);
  }));

/**
 * The site as an app: kept whole by its service worker, it opens without a network; a new version is offered and never
 * mixed with the one that is open; what cannot be kept is said in the settings, and the page works as before.
 */

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import {
  ask,
  embedded,
  eventually,
  ready,
  searchable,
  site,
  siteFolder,
  start,
  stop,
  type,
  withPage,
} from './harness.mjs';
import { Host, buildOf, nextVersion } from './host.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {import('./harness.mjs').BrowserContext} BrowserContext */
/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

let folder = '';
let first = '';
let second = '';
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pincite-next-'));
  first = await buildOf(siteFolder);
  second = await nextVersion(siteFolder, path.join(folder, 'next'));
  await start();
});
after(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

/**
 * Opens the page at a host of its own; the context allows its service worker.
 * @param {(page: Page, host: Host, context: BrowserContext) => Promise<void>} body
 * @param {{ prepare?: (host: Host) => void, provoked?: RegExp }} [options]
 */
async function atHost(body, { prepare = () => {}, provoked } = {}) {
  const host = await new Host().open(siteFolder);
  prepare(host);
  try {
    await withPage((page, context) => body(page, host, context), {
      path: host.url,
      serviceWorkers: 'allow',
      vectors: true,
      provoked,
    });
  } finally {
    await host.close();
  }
}

/**
 * Waits until the page says this of its being kept.
 * @param {Page} page
 * @param {Partial<import('../../www/offline/site.js').SiteState>} expected
 */
async function until(page, expected) {
  await page.waitForFunction(
    (expected) => {
      const { site } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      return (
        site && Object.entries(expected).every(([name, value]) => Reflect.get(site.state, name) === value)
      );
    },
    expected,
    { timeout: 60_000 },
  );
}

/** @param {Page} page */
async function reload(page) {
  await page.reload();
  await ready(page);
}

/** The build whose worker runs on a page. @param {Page} page */
const running = async (page) => page.workers().map((worker) => new URL(worker.url()).searchParams.get('v'));

/** Files that are kept, by the builds whose lists are there, and their number. @param {Page} page */
const kept = (page) =>
  page.evaluate(async () => {
    const [name = ''] = await caches.keys();
    const keys = name ? await (await caches.open(name)).keys() : [];
    const builds = keys.flatMap(({ url }) => new URL(url).searchParams.get('build') ?? []);
    const models = keys.filter(({ url }) => url.includes('/model.onnx'));
    return { builds: builds.sort(), nFiles: keys.length - builds.length, nModels: models.length };
  });

/** Text of the settings. @param {Page} page */
async function settings(page) {
  await page.locator('[part=settings-button]').click();
  const text = await page.locator('dialog.settings').innerText();
  await page.keyboard.press('Escape');
  return text;
}

/** Adds a sample, and asks it by words and by meaning. @param {Page} page */
async function works(page) {
  await page.getByRole('button', { name: 'Add the sample' }).first().click();
  await searchable(page, 1);
  await embedded(page);
  await type(page, 'What is the cap on liability?');
  await page.locator('.answer-card button.citation').first().click();
  await page.locator('.viewer canvas').first().waitFor();
  await page.locator('.viewer .light').first().waitFor();
}

/** @type {[string, Record<string, string>][]} */
const hosts = [
  ['a host that has everything asked for again', { 'cache-control': 'no-cache' }],
  ['a host that forbids to store anything', { 'cache-control': 'no-store', vary: '*' }],
];
for (const [name, headers] of hosts)
  test(`from the second visit on the page needs no network: ${name}`, () =>
    atHost(
      async (page, host) => {
        await until(page, { isKept: true });
        assert.match(await settings(page), /opens without a network/);
        await host.close();
        await reload(page);
        await works(page);
        assert.ok((await running(page)).every((build) => build === first));
      },
      { prepare: (host) => (host.headers = headers) },
    ));

test('a new version is offered; pages that are open stay with theirs, without a network too, until they are reloaded', () =>
  atHost(async (page, host, context) => {
    await until(page, { isKept: true });
    await reload(page);
    const other = await context.newPage();
    await other.goto(host.url);
    await ready(other);
    await host.deploy(path.join(folder, 'next'));
    host.asked = [];
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    await page.getByText('A new version is ready.').waitFor();
    assert.ok(!host.asked.includes('model/model.onnx'), 'the model is the same, and is not loaded again');
    assert.deepEqual(await running(page), [first]);
    assert.deepEqual((await kept(page)).builds, [first, second].sort());

    await page.getByRole('button', { name: 'Reload' }).click();
    await page.waitForFunction(() => performance.getEntriesByType('navigation').length > 0);
    await page.getByText('A new version is ready.').waitFor({ state: 'detached' });
    await ready(page);
    assert.deepEqual(await running(page), [second]);

    // The other tab was told, and goes on: what it has not asked for yet comes from its own version.
    await other.getByText('A new version is ready.').waitFor();
    await host.close();
    await works(other);
    assert.ok((await running(other)).every((build) => build === first));
    await reload(page);
    const held = await kept(page);
    assert.deepEqual([held.builds, held.nModels], [[first, second].sort(), 1]);

    // With the last page of the old version it goes.
    await other.getByRole('button', { name: 'Reload' }).click();
    await other.getByText('A new version is ready.').waitFor({ state: 'detached' });
    await ready(other);
    await eventually(async () => (await kept(page)).builds.length === 1, 'one version is kept');
    assert.deepEqual((await kept(page)).builds, [second]);
    assert.ok((await kept(page)).nFiles < held.nFiles);
  }));

test('a host that fails in the middle leaves nothing half kept, and the next visit goes on from there', () =>
  atHost(
    async (page, host) => {
      await until(page, { failure: 'unreachable' });
      assert.match(await settings(page), /pincite_encoder_bg.wasm could not be loaded/);
      assert.equal(
        await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
        0,
      );
      await reload(page);
      assert.equal(await page.evaluate(() => navigator.serviceWorker.controller), null);
      await until(page, { failure: 'unreachable' });
      host.send = (_, bytes) => bytes;
      host.asked = [];
      await reload(page);
      await until(page, { isKept: true });
      assert.ok(host.asked.length < 40, `${host.asked.length} files were asked for`);
      await host.close();
      await reload(page);
      await works(page);
    },
    {
      prepare: (host) => {
        host.send = (name, bytes) => (name === 'engine/pincite_encoder_bg.wasm' ? null : bytes);
      },
    },
  ));

test('a file that is not the one that was built is never kept: the settings name it, and the page works', () =>
  atHost(
    async (page) => {
      await until(page, { failure: 'other-file' });
      assert.match(await settings(page), /another licences.txt than the one that was built/);
      await works(page);
    },
    {
      prepare: (host) => {
        host.send = (name, bytes) => (name === 'licences.txt' ? Buffer.from('changed on the way') : bytes);
      },
    },
  ));

test('an update that fails in the middle leaves the version that is there, whole', () =>
  atHost(
    async (page, host) => {
      await until(page, { isKept: true });
      await reload(page);
      await host.deploy(path.join(folder, 'next'));
      host.send = (name, bytes) => (name === 'page.js' ? bytes.subarray(0, 20) : bytes);
      await page.evaluate(async () => (await navigator.serviceWorker.ready).update().catch(() => {}));
      await until(page, { failure: 'other-file', isKept: true, isUpdateReady: false });
      assert.match(await settings(page), /A newer version is not/);
      await host.close();
      await reload(page);
      await works(page);
      assert.deepEqual((await kept(page)).builds, [first]);
    },
    { provoked: /service-worker\.js/ },
  ));

test('where there is no space, the page says so in the settings, keeps nothing, and works from the network', () =>
  atHost(async (_, host, context) => {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await page.goto(`${host.url}licences.txt`);
    await page.evaluate(async () => {
      for (const registration of await navigator.serviceWorker.getRegistrations())
        await registration.unregister();
      for (const name of await caches.keys()) await caches.delete(name);
    });
    await session.send('Storage.overrideQuotaForOrigin', {
      origin: new URL(host.url).origin,
      quotaSize: 9e6,
    });
    await page.goto(host.url);
    await ready(page);
    await until(page, { failure: 'no-space' });
    assert.match(await settings(page), /no space left to store it/);
    assert.equal((await kept(page)).nFiles, 0);
    await page.getByRole('button', { name: 'Add the sample' }).first().click();
    await searchable(page, 1);
    assert.ok((await ask(page, 'What is the cap on liability?')).citations.length > 0);
  }));

test('where the browser refuses a service worker, the page says so in the settings only', () =>
  withPage(async (page) => {
    await until(page, { failure: 'refused' });
    assert.match(await settings(page), /stores nothing for this page/);
    assert.equal(await page.locator('.site-notice').innerText(), '');
  }));

test('a widget in a page of someone else’s starts no service worker', () =>
  withPage(async (page, context) => {
    await context.route('**/portal.html', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><html lang="en"><title>Portal</title><link rel="icon" href="data:,">
          <script type="module" src="${site()}pincite-widget.js"></script><pincite-widget src="./"></pincite-widget>`,
      }),
    );
    await until(page, { failure: 'refused' });
    /** @type {string[]} */
    const said = [];
    page.on('console', (message) => said.push(message.text()));
    await page.goto(new URL('portal.html', site()).href);
    await page.waitForFunction(() => customElements.get('pincite-widget') !== undefined);
    await ready(page);
    await page.waitForTimeout(500);
    assert.deepEqual(said, [], 'an attempt would be told');
  }));

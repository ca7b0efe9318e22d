/**
 * The installed app: its manifest, files that are opened with it, and files that are shared with it, which no host gets.
 */

import assert from 'node:assert/strict';
import { buffer as buffered } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { pdf, ready, searchable, siteFolder, snapshot, start, stop, withPage } from './harness.mjs';
import { Host } from './host.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

before(start);
after(stop);

/**
 * @param {(page: Page, host: Host) => Promise<void>} body
 * @param {((page: Page) => Promise<void>)} [prepare] before the page is loaded again
 */
async function asApp(body, prepare) {
  const host = await new Host().open(siteFolder);
  try {
    await withPage(
      async (page) => {
        await page.waitForFunction(
          () => /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).site?.state.isKept,
          null,
          { timeout: 60_000 },
        );
        await prepare?.(page);
        await page.reload();
        await ready(page);
        await body(page, host);
      },
      { path: host.url, serviceWorkers: 'allow', vectors: true },
    );
  } finally {
    await host.close();
  }
}

test('the browser reads the manifest, its icons, and would install the app', () =>
  asApp(async (page, host) => {
    const session = await page.context().newCDPSession(page);
    const { url, errors, data } = await session.send('Page.getAppManifest');
    assert.equal(url, `${host.url}manifest.webmanifest`);
    assert.deepEqual(errors, []);
    const manifest = JSON.parse(data ?? '');
    const { accept } = manifest.file_handlers[0];
    assert.deepEqual(Object.values(accept).flat(), ['.pdf', '.docx', '.pincite']);
    assert.deepEqual(
      manifest.share_target.params.files[0].accept.sort(),
      [...Object.keys(accept), ...Object.values(accept).flat()].sort(),
      'whatever is opened with the app can be shared with it',
    );
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    // A context of a test is a private window, in which nothing can be installed.
    assert.deepEqual(
      installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito'),
      [],
    );
    const sizes = await page.evaluate(
      (icons) =>
        Promise.all(
          icons.map(async (/** @type {{ src: string }} */ { src }) => {
            const bytes = await (await fetch(src)).blob();
            const image = new Image();
            image.src = URL.createObjectURL(bytes);
            await image.decode();
            return [bytes.type, image.naturalWidth];
          }),
        ),
      manifest.icons,
    );
    assert.deepEqual(sizes.slice(1), [
      ['image/png', 192],
      ['image/png', 512],
      ['image/png', 512],
    ]);
    assert.equal(sizes[0]?.[0], 'image/svg+xml');
  }));

test('files that are opened with the app are added like dropped ones; one that cannot be read is named', () =>
  asApp(
    async (page) => {
      await searchable(page, 1);
      assert.equal((await snapshot(page)).documents[0]?.name, 'opened.pdf');
      await page.getByText('gone.pdf could not be read.').waitFor();
    },
    async (page) => {
      const { bytes } = pdf('opened.pdf', ['The lender may call the loan at any time.']);
      // The queue as the system fills it, with handles as the browser makes them.
      await page.evaluate(
        async (bytes) => {
          const folder = await navigator.storage.getDirectory();
          const file = await (await folder.getFileHandle('opened.pdf', { create: true })).createWritable();
          await file.write(Uint8Array.from(bytes));
          await file.close();
        },
        [...bytes],
      );
      await page.addInitScript(() => {
        const take = async (/** @type {(launch: object) => void} */ consumer) => {
          const folder = await navigator.storage.getDirectory();
          const gone = await folder.getFileHandle('gone.pdf', { create: true });
          await folder.removeEntry('gone.pdf');
          consumer({ files: [await folder.getFileHandle('opened.pdf'), gone] });
        };
        Object.defineProperty(globalThis, 'launchQueue', { value: { setConsumer: take } });
      });
    },
  ));

/** Shares files with the app, as the system does. @param {Page} page @param {{ name: string, mimeType: string, buffer: Buffer }[]} files */
async function share(page, files) {
  const address = page.url();
  await page.evaluate(() => {
    const form = document.createElement('form');
    form.method = 'post';
    form.enctype = 'multipart/form-data';
    form.action = 'share';
    const input = document.createElement('input');
    input.type = 'file';
    input.name = 'documents';
    input.multiple = true;
    input.id = 'shared';
    form.append(input);
    document.body.append(form);
  });
  await page.locator('#shared').setInputFiles(files);
  await Promise.all([
    page.waitForEvent('framenavigated'),
    page.evaluate(() => document.querySelector('form')?.submit()),
  ]);
  await page.waitForFunction(() => customElements.get('pincite-widget') !== undefined);
  await ready(page);
  assert.equal(page.url(), address);
}

/** @param {string} name */
const shareable = (name) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(pdf(name, [`The words of ${name} stay on this device.`]).bytes),
});

test('shared files are added, twice too and without a network; the host gets no byte of them', () =>
  asApp(async (page, host) => {
    await share(page, [shareable('one.pdf'), shareable('two.pdf')]);
    await searchable(page, 2);
    await host.close();
    await share(page, [shareable('three.pdf')]);
    await searchable(page, 3);
    await page.reload();
    await ready(page);
    await searchable(page, 3);
    assert.deepEqual(host.posted, []);
  }));

test('a library that is shared with the app brings its documents, and the host gets no byte of it', () =>
  asApp(async (page, host) => {
    await share(page, [shareable('one.pdf')]);
    await searchable(page, 1);
    const save = page.getByRole('button', { name: 'Save as a file' });
    const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
    const buffer = await buffered(await download.createReadStream());
    await page.getByRole('button', { name: 'Remove one.pdf' }).click();
    await searchable(page, 0);
    await share(page, [{ name: 'library.pincite', mimeType: 'application/vnd.pincite', buffer }]);
    await searchable(page, 1);
    assert.deepEqual(
      (await snapshot(page)).documents.map(({ name }) => name),
      ['one.pdf'],
    );
    assert.deepEqual(host.posted, []);
  }));

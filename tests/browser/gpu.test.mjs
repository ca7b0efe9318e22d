/**
 * Embedding on a GPU, by the software that Chromium has in place of one: the vectors of the processor, and what happens
 * where the GPU is lost, too small, or slower.
 */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { drop, sample, snapshot, startWithGpu, stop, withPage } from './harness.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

before(startWithGpu);
after(stop);

/** Lets the page always use its GPU, as a person does. @param {Page} page */
async function always(page) {
  await page.getByRole('button', { name: 'Quotes only (no AI)' }).click();
  await page.getByLabel('Graphics processor').selectOption('Use it always');
  await page.getByRole('button', { name: 'Close the settings' }).click();
}

/** Waits until every passage has its vector. @param {Page} page */
async function embedded(page) {
  await page.waitForFunction(
    () => {
      const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      const { documents } = engine.snapshot;
      return documents.length > 0 && documents.every(({ missing }) => missing.length === 0);
    },
    undefined,
    { timeout: 240_000 },
  );
}

/** Passages that a GPU embedded. @param {Page} page */
const nOnGpu = (page) =>
  page.evaluate(async () => {
    const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
    return (await engine.stats()).nOnGpu;
  });

/** The similarity of a question with passages of the document. @param {Page} page */
const similarities = (page) =>
  page.evaluate(async () => {
    const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
    const { hits } = await engine.search('When is the deposit due?', { vectors: 'wait' });
    return hits.map(({ sectionPath, score }) => [sectionPath.join(' › '), Number(score.toFixed(3))]);
  });

/** Runs a script in every worker before it has a device. @param {Page} page @param {() => void} script */
function inWorkers(page, script) {
  page.on('worker', (worker) => void worker.evaluate(script).catch(() => {}));
}

test('shaders calculate what plain loops do, also where shapes fill no tile', () =>
  withPage(async (page) => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const folders = { gpu: path.join(root, 'www/engine/gpu'), tests: path.join(root, 'tests/browser') };
    for (const [name, folder] of Object.entries(folders))
      await page.route(`**/source-${name}/*`, async (route) => {
        const file = path.join(folder, path.basename(new URL(route.request().url()).pathname));
        await route.fulfill({ contentType: 'text/javascript', body: await readFile(file) });
      });
    for (const pooling of /** @type {const} */ (['mean', 'cls'])) {
      const difference = await page.evaluate(async (pooling) => {
        const { largestDifference } = await import(`${location.origin}/source-tests/gpu-program.mjs`);
        return largestDifference(`${location.origin}/source-gpu/executor.js`, pooling);
      }, pooling);
      assert.ok(difference < 1e-5, `${pooling}: ${difference}`);
    }
  }));

test('a GPU that is always used gives the vectors of the processor, and the page says what embeds', async () => {
  /** @type {unknown[]} */
  const found = [];
  for (const onGpu of [false, true])
    await withPage(
      async (page) => {
        if (onGpu) await always(page);
        await drop(page, [await sample('claims/false-digit.pdf')]);
        await embedded(page);
        assert.ok(onGpu ? (await nOnGpu(page)) > 0 : (await nOnGpu(page)) === 0);
        assert.equal((await snapshot(page)).gpuRefusal, null);
        const progress = page.locator('.embedding-progress');
        assert.equal(await progress.isVisible(), false, 'it is over');
        const processor = onGpu ? 'graphics processor' : 'processor';
        assert.match(
          (await progress.textContent()) ?? '',
          new RegExp(`^Improving search on the ${processor}: [^,]+ left$`),
        );
        found.push(await similarities(page));
      },
      { vectors: true },
    );
  assert.deepEqual(found[1], found[0]);
});

test('a GPU that is lost in its work leaves the rest to the processor, and the settings say so', () =>
  withPage(
    async (page) => {
      inWorkers(page, () => {
        const { requestDevice } = GPUAdapter.prototype;
        GPUAdapter.prototype.requestDevice = async function (...options) {
          const device = await requestDevice.apply(this, options);
          const { queue } = device;
          let n = 0;
          // The trial submits once; the first batch after it meets a device that is gone.
          const submit = queue.submit.bind(queue);
          queue.submit = (...commands) => {
            n += 1;
            if (n === 2) device.destroy();
            submit(...commands);
          };
          return device;
        };
      });
      await always(page);
      await drop(page, [await sample('claims/false-digit.pdf')]);
      await embedded(page);
      assert.equal(await nOnGpu(page), 0);
      assert.equal((await snapshot(page)).gpuRefusal?.kind, 'lost');
      await page.getByRole('button', { name: 'Quotes only (no AI)' }).click();
      await page.getByText(/^It is no longer used: it failed in its work/).waitFor();
    },
    { vectors: true },
  ));

test('a GPU that cannot hold the model is refused in words, and the processor embeds', () =>
  withPage(
    async (page) => {
      inWorkers(page, () => {
        Object.defineProperty(GPUSupportedLimits.prototype, 'maxStorageBufferBindingSize', {
          get: () => 1 << 20,
        });
      });
      await always(page);
      await drop(page, [await sample('claims/false-digit.pdf')]);
      await embedded(page);
      const { gpuRefusal } = await snapshot(page);
      assert.ok(
        gpuRefusal?.kind === 'failed' && /holds 1048576 bytes/.test(gpuRefusal.message),
        JSON.stringify(gpuRefusal),
      );
      assert.equal(await nOnGpu(page), 0);
    },
    { vectors: true },
  ));

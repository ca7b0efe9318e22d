/**
 * The packed package as portals use it: installed into a fresh Vite app (built, and in development), a fresh webpack app, and a
 * page with a script tag; and what it says of itself to tools.
 *
 *   npm ci --prefix tests/portal && node --test tests/portal/portal.test.mjs
 */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { build, createServer, preview } from 'vite';
import webpack from 'webpack';
import { serve } from '../../www/serve.mjs';
import { freePort } from '../browser/free-port.mjs';
import { searchable, type } from '../browser/harness.mjs';
import { archive } from './archive.mjs';
import { inApp, mainJob, policy, startBrowser, stopBrowser, withApp } from './harness.mjs';

/** @typedef {import('../browser/harness.mjs').Page} Page */

const run = promisify(execFile);
/** @param {import('webpack').Configuration} config @returns {Promise<import('webpack').Stats | undefined>} */
const webpackRun = (config) =>
  new Promise((resolve, reject) => {
    webpack(config, (error, stats) => (error ? reject(error) : resolve(stats)));
  });
const here = path.dirname(fileURLToPath(import.meta.url));
const moduleScript = '<script type="module" src="/main.js"></script>';

before(startBrowser);
after(stopBrowser);

/** @param {Page} page */
async function modulesJob(page) {
  const [answer, vector] = await page.evaluate(() => Reflect.get(globalThis, 'results'));
  assert.ok(answer.sufficient && answer.nCitations > 0);
  assert.equal(vector.dimensions, 384);
  assert.ok(Math.abs(vector.length - 1) < 1e-4, `length ${vector.length}`);
}

/** The engine answers by the worker that the app named, and by no other. @param {Page} page */
async function workerJob(page) {
  const { sufficient, nCitations } = await page.evaluate(() => Reflect.get(globalThis, 'results'));
  assert.ok(sufficient && nCitations > 0);
  const started = page.workers().map((worker) => worker.url());
  assert.ok(started.length > 0);
  for (const address of started) assert.match(address, /\.js\?named-by-the-app$/);
}

/** The main job, then the answer is saved as a file with its documents. @param {Page} page */
async function savingJob(page) {
  await mainJob(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save with documents' }).first().click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save file' }).click(),
  ]);
  assert.match(await readFile(await file.path(), 'utf8'), /<pincite-evidence/);
}

/** Serves a folder whose page states the policy. @param {string} folder @param {(address: string) => Promise<void>} body */
async function served(folder, body) {
  const server = await serve(folder, 0);
  try {
    await body(server.url);
  } finally {
    await server.close();
  }
}

test('a Vite app builds it, and the widget works under the strict policy', () =>
  inApp({ script: moduleScript }, async (folder) => {
    const input = ['index.html', 'modules.html', 'worker-vite.html'].map((name) => path.join(folder, name));
    await build({ root: folder, logLevel: 'error', build: { rollupOptions: { input } } });
    const assets = path.join(folder, 'dist/assets');
    const names = await readdir(assets);
    assert.ok(
      names.some((name) => /^model-.*\.onnx$/.test(name)),
      names.join(),
    );
    for (const name of names.filter((name) => name.endsWith('.js')))
      assert.doesNotMatch(
        await readFile(path.join(assets, name), 'utf8'),
        /data:application\/(wasm|json)/,
        name,
      );
    const server = await preview({
      root: folder,
      logLevel: 'error',
      preview: { port: await freePort(), headers: { 'content-security-policy': policy } },
    });
    try {
      const address = server.resolvedUrls?.local[0] ?? '';
      await withApp(address, savingJob);
      await withApp(new URL('modules.html', address).href, modulesJob);
      await withApp(new URL('worker-vite.html', address).href, workerJob);
    } finally {
      await server.close();
    }
  }));

/**
 * Serves an app as `vite` does in development.
 * @param {string} folder @param {import('vite').InlineConfig} config @param {(page: Page) => Promise<void>} body
 * @param {RegExp} provoked
 */
async function inDevelopment(folder, config, body, provoked) {
  const port = await freePort();
  const server = await createServer({ root: folder, configFile: false, server: { port }, ...config });
  try {
    await server.listen();
    await withApp(server.resolvedUrls?.local[0] ?? '', body, { provoked });
  } finally {
    await server.close();
  }
}

/** @type {[string, import('vite').InlineConfig, string][]} */
const inVite = [
  [
    'excluded from prebundling',
    { optimizeDeps: { exclude: ['pincite'] } },
    '<pincite-widget></pincite-widget>',
  ],
  ['prebundled, as it is by itself', {}, '<pincite-widget></pincite-widget>'],
  ['prebundled, with its files below `src`', {}, '<pincite-widget src="/pincite/"></pincite-widget>'],
];
for (const [name, config, element] of inVite) {
  test(`a Vite app in development: ${name}`, () =>
    inApp({ script: moduleScript, element }, async (folder) => {
      await cp(path.join(folder, 'node_modules/pincite/assets'), path.join(folder, 'public/pincite'), {
        recursive: true,
      });
      await inDevelopment(folder, { logLevel: 'error', ...config }, savingJob, /^\[vite\]/);
    }));
}

test('a `src` that names no folder of files says so, where the server sends its page in their place', () =>
  inApp(
    { script: moduleScript, element: '<pincite-widget src="/wrong/"></pincite-widget>' },
    async (folder) => {
      await inDevelopment(
        folder,
        { logLevel: 'silent' },
        async (page) => {
          const failure = page.locator('.failure').filter({ hasText: 'Files of Pincite are missing' });
          await failure.waitFor();
          assert.match((await failure.textContent()) ?? '', /`src`/);
        },
        /^\[vite\]/,
      );
    },
  ));

test('a webpack app builds it, and the widget works under the strict policy', () =>
  inApp({ script: '<script defer src="main.js"></script>', policies: 'pincite portal' }, async (folder) => {
    const stats = await webpackRun({
      context: folder,
      mode: 'production',
      entry: { main: './main.js', modules: './modules.js', 'worker-webpack': './worker-webpack.js' },
      // Chunks are loaded by address, for which webpack has a policy of its own.
      output: { path: path.join(folder, 'public'), trustedTypes: { policyName: 'portal' } },
      performance: { hints: false },
    });
    assert.deepEqual([...(stats?.compilation.errors ?? []), ...(stats?.compilation.warnings ?? [])], []);
    for (const page of ['index.html', 'modules.html', 'worker-webpack.html'])
      await cp(path.join(folder, page), path.join(folder, 'public', page));
    await served(path.join(folder, 'public'), async (address) => {
      await withApp(address, mainJob);
      await withApp(new URL('modules.html', address).href, modulesJob);
      await withApp(new URL('worker-webpack.html', address).href, workerJob);
    });
  }));

test('a page without a bundler has a script tag, which leaves nothing on the global object', () =>
  inApp({ script: '<script src="node_modules/pincite/script.js"></script>' }, (folder) =>
    served(folder, (address) =>
      withApp(address, async (page) => {
        const before = await page.evaluate(() => Object.getOwnPropertyNames(globalThis));
        await savingJob(page);
        const after = await page.evaluate(() => Object.getOwnPropertyNames(globalThis));
        assert.deepEqual(
          after.filter((name) => /pincite|engine|pdf|scriptAddress/i.test(name)),
          [],
        );
        assert.deepEqual(
          after.filter((name) => !before.includes(name)),
          [],
        );
      }),
    ),
  ));

test('publint and Are the Types Wrong find nothing', async () => {
  const bin = (/** @type {string} */ name) => path.join(here, 'node_modules/.bin', name);
  const { buffer, byteOffset, byteLength } = await readFile(archive);
  const tarball = /** @type {ArrayBuffer} */ (buffer).slice(byteOffset, byteOffset + byteLength);
  const { messages } = await publint({ pack: { tarball }, strict: true });
  // `script.js` has Papaparse, and in it a string with "global." in it, which publint takes for CommonJS.
  const others = messages.filter(
    ({ code, path }) => code !== 'FILE_INVALID_FORMAT' || path.at(-1) !== './script',
  );
  assert.deepEqual(others, []);
  await run(bin('attw'), [
    archive,
    // ES modules only, as Vite and webpack take them; what runs by itself, and data, have no types.
    ...['--profile', 'esm-only', '--no-emoji', '--exclude-entrypoints'],
    ...['script', 'worker', 'custom-elements.json'],
  ]);
});

/** A portal that renders again with each answer, and each time with another array and another callback. */
const reactPortal = `import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Pincite } from './pincite';

function Portal() {
  const [answered, setAnswered] = useState<string[]>([]);
  return (
    <>
      <h1>{answered.length} answered</h1>
      <Pincite
        library="policies"
        documents={['/contract.pdf']}
        onAnswer={({ question }) => setAnswered([...answered, question])}
      />
    </>
  );
}

const root = document.createElement('div');
document.body.append(root);
createRoot(root).render(<StrictMode><Portal /></StrictMode>);
`;

test('the React wrapper of the README has twenty lines and sound types, and an answer stays when its parent renders again', () =>
  inApp({ script: '<script type="module" src="/main.tsx"></script>', element: '' }, async (folder) => {
    const readme = await readFile(path.join(folder, 'node_modules/pincite/README.md'), 'utf8');
    const [, wrapper = ''] = /```tsx\n(.*?)```/s.exec(readme) ?? [];
    assert.match(wrapper, /export function Pincite/);
    assert.ok(wrapper.split('\n').filter((line) => line.trim() !== '').length <= 20);
    await writeFile(path.join(folder, 'pincite.tsx'), wrapper);
    await writeFile(path.join(folder, 'main.tsx'), reactPortal);
    for (const name of ['@types', 'csstype', 'react', 'react-dom', 'scheduler'])
      await symlink(path.join(here, 'node_modules', name), path.join(folder, 'node_modules', name));
    await mustHaveSoundTypes(folder, 'main.tsx');
    await build({ root: folder, logLevel: 'error' });
    await served(path.join(folder, 'dist'), (address) =>
      withApp(address, async (page) => {
        await page.waitForFunction(() => customElements.get('pincite-widget') !== undefined);
        await searchable(page, 1);
        const questions = ['What is the cap on liability?', 'Who may end the agreement?'];
        for (const [at, question] of questions.entries()) {
          await type(page, question);
          await page.getByRole('heading', { name: `${at + 1} answered` }).waitFor();
        }
        const cards = page.locator('.answer-card[data-state=answered] .asked');
        assert.deepEqual(await cards.allInnerTexts(), questions.reverse());
      }),
    );
  }));

/** @param {string} folder of an app @param {string} file with what it imports */
async function mustHaveSoundTypes(folder, file) {
  const options = ['--strict', '--noEmit', '--jsx', 'react-jsx', '--module', 'esnext', '--target', 'es2022'];
  await run(
    path.join(here, 'node_modules/.bin/tsc'),
    [...options, '--moduleResolution', 'bundler', '--types', 'react', file],
    { cwd: folder },
  ).catch(({ stdout }) => assert.fail(stdout));
}

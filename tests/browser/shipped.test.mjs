/** Files beside the page for whoever serves it or looks into it: hashes, licences, the bill of materials. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import {
  ask,
  drop,
  eventually,
  pdf,
  ready,
  searchable,
  site,
  siteFolder,
  snapshot,
  start,
  stop,
  withPage,
} from './harness.mjs';

/** @typedef {import('./harness.mjs').Page} Page */

before(start);
after(stop);

const read = (/** @type {string} */ name) => readFile(path.join(siteFolder, name), 'utf8');

test('every file of the site is listed with its hash, and is the one that was built', async () => {
  execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: siteFolder });
  const listed = (await read('SHA256SUMS'))
    .trim()
    .split('\n')
    .map((line) => line.slice(66));
  const entries = await readdir(siteFolder, { withFileTypes: true, recursive: true });
  const there = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(siteFolder, path.join(entry.parentPath, entry.name)))
    .filter((name) => name !== 'SHA256SUMS');
  assert.deepEqual(listed.sort(), there.sort());
});

test('the model that is served is the one of the bill of materials', async () => {
  /** @type {{ components: { type: string, hashes?: { content: string }[] }[] }} */
  const { components } = JSON.parse(await read('sbom.cdx.json'));
  const model = components.find(({ type }) => type === 'machine-learning-model');
  const listed = (await read('SHA256SUMS')).split('\n').find((line) => line.endsWith('  model/model.onnx'));
  assert.equal(listed?.slice(0, 64), model?.hashes?.[0]?.content);
});

test('the page leads to the licences of what it is made of', async () => {
  const address = /<link rel="license" href="([^"]+)">/.exec(await read('index.html'))?.[1] ?? '';
  const reply = await fetch(new URL(address, site()));
  assert.equal(reply.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.match(await reply.text(), /^pdfjs-dist 5\.\S+, Apache-2\.0: \[\d+\]/m);
});

/** Files that a page has loaded whose address has a text, each by what asked for it. @param {Page} page @param {string} text */
const loaded = (page, text) =>
  page.evaluate(
    (text) =>
      /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType('resource'))
        .filter(({ name }) => name.includes(text))
        .map(({ initiatorType }) => initiatorType),
    text,
  );

test('the engine is loaded beside the scripts, once, and the encoder not before it is needed', () =>
  withPage(async (page) => {
    await ready(page);
    // By the hint in the page's head, which the scripts then find done.
    assert.deepEqual(await loaded(page, 'pincite_wasm_bg.wasm'), ['link']);
    assert.deepEqual(await loaded(page, 'pincite_encoder'), []);
  }));

test('where what reads files is missing a file says so, and is read once it is there', () =>
  withPage(
    async (page, context) => {
      const ingest = '**/pincite_ingest_bg.wasm*';
      await context.route(ingest, (route) => route.fulfill({ status: 404 }));
      await page.reload();
      await ready(page);
      const file = pdf('notice.pdf', ['Notices are sent by post.']);
      await drop(page, [file]);
      const failures = async () => (await snapshot(page)).jobs.map(({ error }) => error?.code);
      await eventually(async () => (await failures())[0] === 'assets-missing', 'a failed file');
      await context.unroute(ingest);
      await drop(page, [file]);
      await searchable(page, 1);
    },
    { provoked: /status of 404/ },
  ));

test('what reads files is loaded for whoever has none, and else not before there is a file to read', () =>
  withPage(async (page) => {
    const ingest = 'pincite_ingest_bg.wasm';
    await ready(page);
    await eventually(async () => (await loaded(page, ingest)).length === 1, 'the module that reads files');
    await drop(page, [pdf('first.pdf', ['Records are kept for ten years.'])]);
    await searchable(page, 1);
    assert.deepEqual(await loaded(page, ingest), ['fetch']);
    await page.reload();
    await ready(page);
    await ask(page, 'How long are records kept?');
    assert.deepEqual(await loaded(page, ingest), []);
    await drop(page, [pdf('second.pdf', ['Notices are sent by post.'])]);
    await searchable(page, 2);
    assert.deepEqual(await loaded(page, ingest), ['fetch']);
  }));

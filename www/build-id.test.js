import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { buildId } from './build-id.mjs';
import { pdfData } from './engine/files.js';

/** Parts of a site, each with a file that a visitor's browser keeps under the build's id. */
const parts = [
  'www/agents/tools.js',
  'www/device/model.js',
  'www/dom/elements.js',
  'www/engine/worker.js',
  'www/evidence/save-dialog.js',
  'www/llm/check.js',
  'www/offline/service-worker.js',
  'www/single/template.js',
  'www/strings/en.js',
  'www/viewer/pdf.js',
  'www/widget/view.js',
  'pkg/pincite_wasm.js',
  'pkg/pincite_wasm_bg.wasm',
  'pkg/pincite_ingest.js',
  'pkg/pincite_ingest_bg.wasm',
  'model/model.onnx',
  'model/vocab.txt',
  'model/manifest.json',
  'model/lay.adapter',
  'pdfjs/legacy/build/pdf.min.mjs',
  'pdfjs/legacy/build/pdf.worker.min.mjs',
  'www/icons/draw.mjs',
  'www/lab/lab.js',
  'www/remote/remote-library.js',
  'pkg/pincite_lab.js',
  'pkg/pincite_lab_bg.wasm',
  'www/index.html',
  'www/manifest.webmanifest',
  'www/page.css',
  'www/page.js',
  'www/one-chunk.mjs',
  'samples/contract.pdf',
];

test('a change of any part is a new build: the engine alone, the model, pdf.js or its worker', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'pincite-build-'));
  const folder = (/** @type {string} */ name) => path.join(root, name);
  const id = () =>
    buildId({
      www: folder('www'),
      pkg: folder('pkg'),
      model: folder('model'),
      pdfjs: folder('pdfjs'),
      samples: folder('samples'),
    });
  try {
    await mkdir(folder('samples'));
    await writeFile(folder('samples/samples.json'), '[{ "file": "contract.pdf" }]');
    for (const part of parts) {
      await mkdir(path.dirname(folder(part)), { recursive: true });
      await writeFile(folder(part), 'before');
    }
    const before = await id();
    assert.match(before, /^[0-9a-f]{16}$/);
    for (const part of parts) {
      await writeFile(folder(part), 'after!');
      assert.notEqual(await id(), before, part);
      await writeFile(folder(part), 'before');
      assert.equal(await id(), before, part);
    }
    await writeFile(folder('www/engine/worker.test.js'), 'a test');
    assert.equal(await id(), before, 'a test is no part of a site');
  } finally {
    await rm(root, { recursive: true });
  }
});

test('the data of pdf.js lies under its version, so that an old file is never read by a new library', async () => {
  const addresses = Object.values(
    pdfData('9.8.7', { folder: new URL('https://host.example/site/'), workers: {} }),
  );
  assert.equal(addresses.length, 4);
  for (const address of addresses)
    assert.match(String(address), /^https:\/\/host\.example\/site\/viewer\/9\.8\.7\/\w+\/$/);
  const viewer = await readFile(new URL('viewer/pdf.js', import.meta.url), 'utf8');
  assert.match(viewer, /pdfData\(pdfjs\.version, /);
});

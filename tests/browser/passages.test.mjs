/**
 * Quads sit on the glyphs: the text that pdf.js, an independent reader, places under the quads of passages is
 * the passages' text. Asked of whole documents, the samples and, where they are at hand, real ones with every
 * kind of font. The engine runs in Node here: it is the same wasm.
 */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openGlyphs, similarity, textUnder } from './geometry.mjs';
import { samplesFolder, sharedFolder, siteFolder } from './harness.mjs';

/** Enough words for a passage of any of the documents to hold one. */
const QUERY =
  'section rule shall may must not any other such under court company tax fund act agreement page information year date';
/** Nearly all of a passage's characters lie under its quads and no others do. */
const SAME = 0.97;

/** @type {typeof import('pincite-wasm')} */
let wasm;
/** @type {typeof import('pincite-ingest')} */
let ingest;
before(async () => {
  wasm = await started('pincite_wasm');
  ingest = await started('pincite_ingest');
});

/** A module of the site. @param {string} name @returns {Promise<any>} */
async function started(name) {
  const glue = await import(pathToFileURL(path.join(siteFolder, `engine/${name}.js`)).href);
  glue.initSync({ module: await readFile(path.join(siteFolder, `engine/${name}_bg.wasm`)) });
  return glue;
}

/**
 * The share of a document's passages that stand where their quads say, and what stands under the others.
 * @param {string} file @param {number} k
 */
async function compare(file, k) {
  const bytes = await readFile(file);
  const parser = new ingest.Parser();
  const { segment } = parser.parse(bytes, path.basename(file), undefined, undefined);
  parser.free();
  const library = new wasm.Library();
  library.add(segment);
  const { hits } = library.search(QUERY, { k, units: 'child' });
  library.free();
  const glyphs = await openGlyphs(bytes);
  const wrong = [];
  for (const { text, spans } of hits) {
    let under = '';
    for (const span of spans) under += textUnder(await glyphs.page(span.page ?? 0), span.quads);
    if (similarity(under, text) < SAME) wrong.push({ similarity: similarity(under, text), text, under });
  }
  await glyphs.close();
  return { n: hits.length, wrong };
}

for (const name of ['rulebook', 'opinion', 'contract']) {
  test(`every passage of the ${name} stands under its quads`, async () => {
    const { n, wrong } = await compare(path.join(samplesFolder, `${name}.pdf`), 200);
    assert.ok(n > 10);
    assert.deepEqual(wrong, []);
  });
}

const folder = path.join(sharedFolder, 'legal-dev');
const present = existsSync(folder);
test('passages of real documents stand under their quads', {
  skip: present ? false : `there is no ${folder}`,
}, async () => {
  let [all, off] = [0, 0];
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.pdf')).sort()) {
    const { n, wrong } = await compare(path.join(folder, file), 30);
    all += n;
    off += wrong.length;
    console.log(
      `${file}: ${n - wrong.length} of ${n}${wrong[0] ? `; ${wrong[0].similarity.toFixed(2)} ${JSON.stringify(wrong[0].text.slice(0, 150))} | ${JSON.stringify(wrong[0].under.slice(0, 150))}` : ''}`,
    );
  }
  assert.ok(off <= 0.02 * all, `${off} of ${all}`);
});

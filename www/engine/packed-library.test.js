import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { bytesOf } from './content.js';
import { packedDocuments, partsAhead } from './packed-library.js';

/** @typedef {import('./packed-library.js').PackedDocument} PackedDocument */

/** @param {string} text */
const part = (text) => ({ length: text.length, sha256: createHash('sha256').update(text).digest('hex') });

/** @param {string | object} table @param {string} parts @param {{ magic?: string, format?: number }} [head] */
function packed(table, parts, { magic = 'pincite\n', format = 1 } = {}) {
  const json = typeof table === 'string' ? table : JSON.stringify(table);
  return new Blob([magic, Uint32Array.of(format, json.length), json, parts]);
}

const row = {
  name: 'a.pdf',
  folder: '2024',
  date: null,
  file: part('%PDF'),
  segment: part('segment'),
  vectors: { ...part('vec'), count: 2, fingerprint: 'model' },
};
const second = { ...row, name: 'b.docx', date: '2024-05', vectors: null };
const library = packed({ documents: [row, second] }, '%PDFsegmentvec%PDFsegment');

const vectors = { start: 0, count: 2, fingerprint: 'model' };

/** Documents with their parts as text. @param {Blob} library @param {PackedDocument[]} documents */
async function textsOf(library, documents) {
  const text = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);
  const texts = [];
  for await (const some of partsAhead(library, documents))
    for (const { document, parts } of some) {
      const batches = parts.vectors.map((batch) => ({ ...batch, bytes: text(batch.bytes) }));
      const file = await parts.file.text();
      texts.push({ name: document.name, file, segment: text(parts.segment), vectors: batches });
    }
  return texts;
}

/** The documents of a library that is whole. @param {Blob} file */
async function documentsOf(file) {
  const documents = await packedDocuments(file);
  assert.ok(documents);
  return documents;
}

test('documents are listed with their parts, which are those that were packed', async () => {
  const documents = await documentsOf(library);
  assert.deepEqual(
    documents.map(({ name, folder, date }) => [name, folder, date]),
    [
      ['a.pdf', '2024', null],
      ['b.docx', '2024', '2024-05'],
    ],
  );
  assert.deepEqual(await textsOf(library, documents), [
    { name: 'a.pdf', file: '%PDF', segment: 'segment', vectors: [{ ...vectors, bytes: 'vec' }] },
    { name: 'b.docx', file: '%PDF', segment: 'segment', vectors: [] },
  ]);
});

test('a caller that stops meets no error of what was read ahead', async () => {
  const documents = await documentsOf(library);
  const cut = library.slice(0, library.size - 1);
  for await (const some of partsAhead(cut, documents)) {
    assert.deepEqual(
      some.map(({ document }) => document.name),
      ['a.pdf'],
      'those before the damage come first',
    );
    break;
  }
  await assert.rejects(textsOf(cut, documents), { code: 'packed-invalid' });
});

test('the beginning of a library lists its documents as soon as the table is whole', async () => {
  const end = library.size - '%PDFsegmentvec%PDFsegment'.length;
  for (const size of [0, 15, 16, end - 1]) assert.equal(await packedDocuments(library.slice(0, size)), null);
  assert.equal((await documentsOf(library.slice(0, end))).length, 2);
});

test('a part that was changed or cut off is refused', async () => {
  const [document] = await documentsOf(library);
  assert.ok(document);
  const bytes = await bytesOf(library);
  bytes[document.segment.at] = 0;
  for (const damaged of [new Blob([bytes]), library.slice(0, document.segment.at + 3)])
    await assert.rejects(textsOf(damaged, [document]), { code: 'packed-invalid' });
});

test('another kind of file, another format, and a table of another form are refused', async () => {
  const documents = [row];
  for (const file of [
    new Blob(['%PDF-1.7 and more of it']),
    packed({ documents }, '', { format: 2 }),
    packed('{"documents": [', ''),
    packed('7', ''),
    packed({}, ''),
    packed({ documents: [null] }, ''),
    packed({ documents: [{ ...row, name: 7 }] }, ''),
    packed({ documents: [{ ...row, file: { ...row.file, length: -1 } }] }, ''),
    packed({ documents: [{ ...row, segment: { length: 1e300, sha256: '' } }] }, ''),
    packed({ documents: [{ ...row, vectors: undefined }] }, ''),
    new Blob(['pincite\n', Uint32Array.of(1, 2 ** 31)]),
  ])
    await assert.rejects(packedDocuments(file), { code: 'packed-invalid' });
});

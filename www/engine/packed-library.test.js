import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf } from './content.js';
import {
  hash,
  libraryOf,
  packedDocument,
  packedLibrary as packed,
  segmentOf,
  vectorsOf,
} from './packed.fixture.js';
import { packedDocuments, partsAhead } from './packed-library.js';

/** @typedef {import('./packed-library.js').PackedDocument} PackedDocument */

const first = packedDocument('one', { name: 'a.pdf', folder: '2024', count: 2 });
const second = packedDocument('two', { name: 'b.docx', date: '2024-05', vectors: null });
const library = libraryOf([first, second]);
const maxBytes = 1000;

/** Documents with their parts. @param {Blob} library @param {PackedDocument[]} documents */
async function partsOf(library, documents) {
  const found = [];
  for await (const some of partsAhead(library, documents, maxBytes))
    for (const { document, parts } of some)
      found.push({ name: document.name, ...parts, file: await parts.file.text() });
  return found;
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
      ['b.docx', '', '2024-05'],
    ],
  );
  const vectors = { start: 0, count: 2, fingerprint: 'model', bytes: vectorsOf(first.id) };
  assert.deepEqual(await partsOf(library, documents), [
    { name: 'a.pdf', file: 'one', segment: segmentOf(first.id), vectors: [vectors] },
    { name: 'b.docx', file: 'two', segment: segmentOf(second.id), vectors: [] },
  ]);
});

test('a caller that stops meets no error of what was read ahead', async () => {
  const documents = await documentsOf(library);
  const cut = library.slice(0, library.size - 1);
  for await (const some of partsAhead(cut, documents, maxBytes)) {
    assert.deepEqual(
      some.map(({ document }) => document.name),
      ['a.pdf'],
      'those before the damage come first',
    );
    break;
  }
  await assert.rejects(partsOf(cut, documents), { code: 'packed-invalid' });
});

test('the beginning of a library lists its documents as soon as the table is whole', async () => {
  const parts = [...first.parts, ...second.parts];
  const end = library.size - parts.reduce((sum, part) => sum + part.length, 0);
  for (const size of [0, 15, 16, end - 1]) assert.equal(await packedDocuments(library.slice(0, size)), null);
  assert.equal((await documentsOf(library.slice(0, end))).length, 2);
});

test('a part that was changed or cut off is refused', async () => {
  const [document] = await documentsOf(library);
  assert.ok(document);
  const bytes = await bytesOf(library);
  bytes[document.segment.at] = 0;
  for (const damaged of [new Blob([bytes]), library.slice(0, document.segment.at + 3)])
    await assert.rejects(partsOf(damaged, [document]), { code: 'packed-invalid' });
});

test('a segment or vectors of another document, or of another model than they say, are left out', async () => {
  const other = hash('other');
  for (const [options, nSegment, nVectors] of /** @type {const} */ ([
    [{}, segmentOf(first.id).length, 1],
    [{ segment: segmentOf(other) }, 0, 1],
    [{ segment: new Uint8Array(200) }, 0, 1],
    [{ vectors: vectorsOf(other) }, segmentOf(first.id).length, 0],
    [{ vectors: vectorsOf(first.id, 'another') }, segmentOf(first.id).length, 0],
    [
      { vectors: new Uint8Array([...vectorsOf(first.id), ...vectorsOf(other)]) },
      segmentOf(first.id).length,
      0,
    ],
    [{ vectors: new Uint8Array() }, segmentOf(first.id).length, 0],
  ])) {
    const file = libraryOf([packedDocument('one', options)]);
    const [parts] = await partsOf(file, await documentsOf(file));
    assert.deepEqual([parts?.segment.length, parts?.vectors.length], [nSegment, nVectors]);
  }
});

test('parts beyond the limits are refused before anything is read', async () => {
  for (const part of ['file', 'segment', 'vectors']) {
    const row = { ...first.row, [part]: { ...first.row.file, length: 2 ** 31, count: 1, fingerprint: '' } };
    const file = packed({ documents: [second.row, row] }, second.parts);
    const documents = await documentsOf(file);
    file.slice = () => assert.fail('read');
    await assert.rejects(partsOf(file, documents), { code: 'limit-exceeded' });
  }
});

test('another format is named by its number', async () => {
  await assert.rejects(packedDocuments(packed({ documents: [] }, [], { format: 7 })), {
    code: 'packed-version',
    message: 'format 7 of packed libraries, this page reads 1',
  });
});

test('another kind of file, and a table of another form, are refused', async () => {
  const { row } = first;
  const documents = [row];
  for (const file of [
    new Blob(['%PDF-1.7 and more of it']),
    packed({ documents }, [], { magic: 'pincite\0' }),
    packed('{"documents": ['),
    packed('7'),
    packed({}),
    packed({ documents: [null] }),
    packed({ documents: [{ ...row, name: 7 }] }),
    packed({ documents: [{ ...row, name: 'a'.repeat(5000) }] }),
    packed({ documents: [{ ...row, file: { ...row.file, length: -1 } }] }),
    packed({ documents: [{ ...row, file: { ...row.file, sha256: 'a.pdf' } }] }),
    packed({ documents: [{ ...row, segment: { ...row.segment, length: 1e300 } }] }),
    packed({ documents: Array(3).fill({ ...row, file: { ...row.file, length: 2 ** 52 } }) }),
    packed({ documents: [{ ...row, vectors: undefined }] }),
    packed({ documents: [{ ...row, vectors: { ...row.vectors, count: '1' } }] }),
    new Blob(['pincite\n', Uint32Array.of(1, 2 ** 31)]),
  ])
    await assert.rejects(packedDocuments(file), { code: 'packed-invalid' });
});

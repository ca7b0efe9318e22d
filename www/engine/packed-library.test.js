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
import { excessOf, packedDocuments, partsAhead } from './packed-library.js';

/** @typedef {import('./packed-library.js').PackedDocument} PackedDocument */

const first = packedDocument('one', { name: 'a.pdf', folder: '2024', count: 2 });
const second = packedDocument('two', { name: 'b.docx', date: '2024-05', vectors: null });
const library = libraryOf([first, second]);

/** Documents with their parts, the file as its text; without parts where that is damaged. @param {Blob} library @param {PackedDocument[]} documents */
async function partsOf(library, documents) {
  const found = [];
  for await (const some of partsAhead(library, documents))
    for (const { document, parts } of some)
      found.push({ name: document.name, ...(parts && { ...parts, file: await parts.file.text() }) });
  return found;
}

/** A library whose bytes at one place are others than those that were packed. @param {Blob} library @param {number} at */
async function changedAt(library, at) {
  const bytes = await bytesOf(library);
  bytes[at] = ~(bytes[at] ?? 0);
  return new Blob([bytes]);
}

/** A library as a disk gives it on which some places cannot be read. @param {Blob} library @param {(begin: number, end: number) => boolean} isReadable */
function onDisk(library, isReadable) {
  const slice = library.slice.bind(library);
  const unreadable = new Blob();
  unreadable.arrayBuffer = () => Promise.reject(new Error('not readable'));
  library.slice = (begin = 0, end = library.size) =>
    isReadable(begin, end) ? slice(begin, end) : unreadable;
  return library;
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
  const documents = (await documentsOf(library)).reverse();
  const place = documents[0]?.file.at ?? 0;
  // The head cannot be read either: the file is gone, once its last document has been read.
  const vanishing = onDisk(libraryOf([first, second]), (begin) => begin >= place);
  for await (const some of partsAhead(vanishing, documents)) {
    assert.deepEqual(
      some.map(({ document }) => document.name),
      ['b.docx'],
    );
    break;
  }
  await assert.rejects(partsOf(vanishing, documents), /not readable/);
});

test('the beginning of a library lists its documents as soon as the table is whole', async () => {
  const parts = [...first.parts, ...second.parts];
  const end = library.size - parts.reduce((sum, part) => sum + part.length, 0);
  for (const size of [0, 15, 16, end - 1]) assert.equal(await packedDocuments(library.slice(0, size)), null);
  assert.equal((await documentsOf(library.slice(0, end))).length, 2);
});

test('a document whose file was changed has no parts, and keeps no other out', async () => {
  const documents = await documentsOf(library);
  for (const [at, names] of /** @type {const} */ ([
    [0, ['b.docx']],
    [1, ['a.pdf']],
  ])) {
    const found = await partsOf(await changedAt(library, documents[at]?.file.at ?? 0), documents);
    assert.equal(found.length, 2);
    assert.deepEqual(
      found.flatMap((each) => ('segment' in each ? each.name : [])),
      names,
    );
  }
});

test('a document whose segment was changed is read from its file, and one whose vectors were is embedded again', async () => {
  const [document] = await documentsOf(library);
  assert.ok(document?.vectors);
  for (const [part, nSegment, nVectors] of /** @type {const} */ ([
    ['segment', 0, 1],
    ['vectors', segmentOf(first.id).length, 0],
  ])) {
    const { at } = part === 'segment' ? document.segment : document.vectors.part;
    const [parts] = await partsOf(await changedAt(library, at + 40), [document]);
    assert.deepEqual(
      [parts?.file, parts?.segment?.length, parts?.vectors?.length],
      ['one', nSegment, nVectors],
    );
  }
});

test('of a library that was cut off the documents before its end come, and then it is refused', async () => {
  const documents = await documentsOf(library);
  /** @type {string[]} */
  const names = [];
  await assert.rejects(
    async () => {
      for await (const some of partsAhead(library.slice(0, (documents[1]?.segment.at ?? 0) + 3), documents))
        names.push(...some.map(({ document }) => document.name));
    },
    { code: 'packed-invalid', message: /ends after \d+ bytes/ },
  );
  assert.deepEqual(names, ['a.pdf']);
});

test('a document that the disk does not give has no parts; a file that is gone is an error', async () => {
  const documents = await documentsOf(library);
  const place = documents[0]?.segment.at ?? 0;
  const faulty = onDisk(libraryOf([first, second]), (begin, end) => end <= place || begin > place);
  assert.deepEqual(
    (await partsOf(faulty, documents)).map((each) => [each.name, 'segment' in each]),
    [
      ['a.pdf', false],
      ['b.docx', true],
    ],
  );
  const gone = onDisk(libraryOf([first, second]), () => false);
  await assert.rejects(partsOf(gone, documents), /not readable/);
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
    assert.deepEqual([parts?.segment?.length, parts?.vectors?.length], [nSegment, nVectors]);
  }
});

test('a document with a part beyond the limits is told by the table alone', async () => {
  const [within, ...others] = await documentsOf(
    packed({
      documents: ['', 'file', 'segment', 'vectors'].map((part) =>
        part === ''
          ? first.row
          : { ...first.row, [part]: { ...first.row.file, length: 2 ** 31, count: 1, fingerprint: '' } },
      ),
    }),
  );
  assert.ok(within);
  assert.equal(excessOf(within, within.file.length), null);
  assert.equal(excessOf(within, within.file.length - 1)?.code, 'limit-exceeded');
  assert.deepEqual(
    others.map((document) => excessOf(document, 1000)?.code),
    ['limit-exceeded', 'limit-exceeded', 'limit-exceeded'],
  );
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

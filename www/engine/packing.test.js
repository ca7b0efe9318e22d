import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf } from './content.js';
import { libraryOf, packedDocument, segmentOf, vectorsOf } from './packed.fixture.js';
import { pack } from './packing.js';

/** @typedef {import('./store.js').Kept} Kept */
/** @typedef {ReturnType<typeof packedDocument>} Packed */

/** A document as it is stored, with its vectors in batches. @param {Packed} packed @param {Partial<Kept>} [other] @returns {Kept} */
function keptOf({ id, row, parts: [file = new Uint8Array()] }, other = {}) {
  const { name: fileName, folder, date } = row;
  return {
    document: /** @type {any} */ ({ id, name: `2024 ${fileName}`, fileName, folder, date }),
    file: new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (file)]),
    segment: segmentOf(id),
    vectors: [],
    ...other,
  };
}

/** @param {Kept[]} documents @param {Parameters<typeof pack>[2]} [options] */
function packed(documents, options) {
  const ids = documents.map(({ document }) => document.id);
  const find = async (/** @type {string} */ id) =>
    documents.find(({ document }) => document.id === id) ?? null;
  return pack(ids, find, options);
}

const id = packedDocument('one').id;
const batch = (/** @type {number} */ start, /** @type {number} */ count, fingerprint = 'model') => ({
  ...{ start, count, fingerprint },
  bytes: vectorsOf(id, fingerprint),
});

test('what is written is what `pincite pack` writes: its names, and batches of vectors one after the other', async () => {
  const both = new Uint8Array([...vectorsOf(id), ...vectorsOf(id)]);
  const one = packedDocument('one', { folder: 'a "b"', date: '2024-05', vectors: both, count: 40 });
  const two = packedDocument('two', { name: '合同.docx', vectors: null });
  /** @type {[number, number][]} */
  const progress = [];
  const { file, left } = await packed([keptOf(one, { vectors: [batch(0, 32), batch(32, 8)] }), keptOf(two)], {
    onProgress: (done, total) => progress.push([done, total]),
  });
  assert.deepEqual(await bytesOf(file), await bytesOf(libraryOf([one, two])));
  assert.deepEqual(left, []);
  assert.deepEqual(progress, [
    [0, 2],
    [1, 2],
    [2, 2],
  ]);
});

test('of vectors of two models those of the first are written', async () => {
  const { file } = await packed([
    keptOf(packedDocument('one'), { vectors: [batch(0, 1), batch(1, 1, 'b')] }),
  ]);
  assert.deepEqual(await bytesOf(file), await bytesOf(libraryOf([packedDocument('one')])));
});

test('without vectors of its first passage a document is written without any', async () => {
  const { file } = await packed([keptOf(packedDocument('one'), { vectors: [batch(32, 32)] })]);
  assert.deepEqual(await bytesOf(file), await bytesOf(libraryOf([packedDocument('one', { vectors: null })])));
});

test('a document whose file has changed or cannot be read, or without a segment, is left out and named', async () => {
  const gone = new Blob();
  gone.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'));
  const two = packedDocument('two', { vectors: null });
  for (const other of [{ file: new Blob(['another']) }, { file: gone }, { segment: null }]) {
    const { file, left } = await packed([keptOf(packedDocument('one'), other), keptOf(two)]);
    assert.deepEqual(left, [id]);
    assert.deepEqual(await bytesOf(file), await bytesOf(libraryOf([two])));
  }
});

test('it can be stopped between two documents', async () => {
  const controller = new AbortController();
  const onProgress = () => controller.abort();
  const documents = [keptOf(packedDocument('one')), keptOf(packedDocument('two'))];
  await assert.rejects(packed(documents, { signal: controller.signal, onProgress }), { name: 'AbortError' });
});

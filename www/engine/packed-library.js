/**
 * A packed library: documents with their segments and vectors in one file, as `pincite pack` writes it
 * (`crate/cli/src/pack.rs` has its format). It is read part by part, and each part is held to its hash. That tells damage,
 * not lies: what a segment says of its document is believed, so a page takes a packed library from whom it would take
 * its scripts.
 */

import { bytesOf } from './content.js';
import { EngineError } from './errors.js';
import { sha256 } from './sha256.js';

/** @typedef {import('./store.js').VectorBatch} VectorBatch */
/** @typedef {{ at: number, length: number, sha256: string }} Part bytes of the file, from `at` on */
/** @typedef {{ count: number, fingerprint: string, part: Part }} PackedVectors passages that have a vector, and by which model */
/** @typedef {{ name: string, folder: string, date: string | null, file: Part, segment: Part, vectors: PackedVectors | null }} PackedDocument */
/** @typedef {{ file: Blob, segment: Uint8Array<ArrayBuffer>, vectors: VectorBatch[] }} PackedParts */

const magic = 'pincite\n';
const format = 1;
/** Bytes before the table. */
const headBytes = 16;
/** Largest table that is read, in bytes: that of some hundred thousand documents. */
const maxTableBytes = 64 * 1024 * 1024;

/**
 * The documents of a packed library, from its beginning.
 * @param {Blob} head at least its first bytes
 * @returns {Promise<PackedDocument[] | null>} null where the table is not whole yet
 * @throws {EngineError} `packed-invalid`
 */
export async function packedDocuments(head) {
  if (head.size < headBytes) return null;
  const view = new DataView(await head.slice(0, headBytes).arrayBuffer());
  const found = new TextDecoder().decode(new Uint8Array(view.buffer, 0, magic.length));
  if (found !== magic) throw invalid('expected a packed library, found another kind of file');
  if (view.getUint32(8, true) !== format)
    throw invalid(`format ${view.getUint32(8, true)} of packed libraries, this build reads ${format}`);
  const length = view.getUint32(12, true);
  if (length > maxTableBytes) throw invalid(`a table of ${length} bytes, at most ${maxTableBytes} are read`);
  if (head.size < headBytes + length) return null;
  const text = await head.slice(headBytes, headBytes + length).text();
  return rowsOf(text, headBytes + length);
}

/**
 * Documents with what is stored of them, in order; the next one is read while the caller works on one.
 * @param {Blob} library @param {PackedDocument[]} documents
 * @throws {EngineError} `packed-invalid`
 */
export async function* partsAhead(library, documents) {
  /** @param {number} index */
  const read = (index) => {
    const parts = documents[index] ? partsOf(library, documents[index]) : null;
    parts?.catch(() => {}); // A caller that stops does not ask for it; one that goes on meets the error below.
    return parts;
  };
  let next = read(0);
  for (const [index, document] of documents.entries()) {
    const parts = await next;
    next = read(index + 1);
    if (parts) yield { document, parts };
  }
}

/**
 * The parts of a document that are stored, each held to its hash. The parts are read side by side: hashing is half of the time.
 * @param {Blob} library @param {PackedDocument} document
 * @returns {Promise<PackedParts>}
 * @throws {EngineError} `packed-invalid`
 */
async function partsOf(library, { file, segment, vectors }) {
  const [, segmentBytes, vectorBytes] = await Promise.all([
    partOf(library, file),
    partOf(library, segment),
    vectors ? partOf(library, vectors.part) : null,
  ]);
  const { count, fingerprint } = vectors ?? { count: 0, fingerprint: '' };
  return {
    file: library.slice(file.at, file.at + file.length),
    segment: segmentBytes,
    vectors: vectorBytes ? [{ start: 0, count, fingerprint, bytes: vectorBytes }] : [],
  };
}

/** Bytes of a part, held to its hash where the browser has one. @param {Blob} library @param {Part} part */
async function partOf(library, { at, length, sha256: expected }) {
  const bytes = await bytesOf(library.slice(at, at + length));
  const found = bytes.byteLength === length ? await sha256(bytes) : '';
  if (found !== null && found !== expected)
    throw invalid(`bytes ${at} to ${at + length} are not those that were packed`);
  return bytes;
}

/** @param {string} text the table @param {number} begin of the first part @returns {PackedDocument[]} */
function rowsOf(text, begin) {
  let at = begin;
  /** The next part. @param {unknown} told @returns {Part} */
  const next = (told) => {
    const { length, sha256 } = record(told);
    if (!Number.isSafeInteger(length) || Number(length) < 0) throw invalid('a part without a length');
    const part = { at, length: Number(length), sha256: string(sha256) };
    at += part.length;
    return part;
  };
  const { documents } = record(parsed(text));
  if (!Array.isArray(documents)) throw invalid('a table without documents');
  return documents.map((row) => {
    const { name, folder, date, file, segment, vectors } = record(row);
    return {
      name: string(name),
      folder: string(folder),
      date: date === null ? null : string(date),
      file: next(file),
      segment: next(segment),
      vectors: vectors === null ? null : packedVectors(record(vectors), next(vectors)),
    };
  });
}

/** @param {Record<string, unknown>} told @param {Part} part @returns {PackedVectors} */
function packedVectors({ count, fingerprint }, part) {
  return { count: Number(count), fingerprint: string(fingerprint), part };
}

/** @param {string} text @returns {unknown} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('a table that is no JSON');
  }
}

/** @param {unknown} value @returns {Record<string, unknown>} */
function record(value) {
  if (typeof value !== 'object' || value === null) throw invalid('a table of another form');
  return /** @type {Record<string, unknown>} */ (value);
}

/** @param {unknown} value @returns {string} */
function string(value) {
  if (typeof value !== 'string') throw invalid('a table of another form');
  return value;
}

/** @param {string} what */
function invalid(what) {
  return new EngineError(
    'packed-invalid',
    what,
    'Make it again with `pincite pack` of the version that this page has.',
  );
}

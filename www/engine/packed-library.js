/**
 * A packed library: documents with their segments and vectors in one file, as `pincite pack` and `packing.js` write it
 * (`crate/cli/src/pack.rs` has its format). It is read part by part, and each part is held to its hash. That tells damage,
 * not lies: what a segment says of its document is believed, so a page takes a packed library from whom it would take
 * its scripts. It cannot say anything of another document, and no more is allocated than the file has bytes and the
 * limits allow. Damage of one document keeps no other out.
 */

import { bytesOf } from './content.js';
import { tooLarge } from './file-size.js';
import { EngineError } from './errors.js';
import { sha256 } from './sha256.js';
import { documentOfSegment, sourcesOfVectors } from './stored-form.js';

/** @typedef {import('./store.js').VectorBatch} VectorBatch */
/** @typedef {{ at: number, length: number, sha256: string }} Part bytes of the file, from `at` on */
/** @typedef {{ count: number, fingerprint: string, part: Part }} PackedVectors passages that have a vector, and by which model */
/** @typedef {{ name: string, folder: string, date: string | null, file: Part, segment: Part, vectors: PackedVectors | null }} PackedDocument */
/** @typedef {{ file: Blob, segment: Uint8Array<ArrayBuffer>, vectors: VectorBatch[] }} PackedParts */
/** @typedef {{ document: PackedDocument, parts: PackedParts | null }} Unpacked null where its file is damaged */

const magic = 'pincite\n';
const format = 1;
/** Bytes before the table. */
const headBytes = 16;
/** Maximum documents and bytes that are read and stored together; one document may be larger. */
const together = { documents: 32, bytes: 8 * 1024 * 1024 };
/** Largest table that is read, in bytes: that of some hundred thousand documents. */
const maxTableBytes = 64 * 1024 * 1024;
/** Longest text in the table: a name, a folder, a date. */
const maxTextLength = 4096;
/** Largest segment and largest vectors of a document, in bytes; documents of the largest size that is read stay below. */
const [maxSegmentBytes, maxVectorsBytes] = [128 * 1024 * 1024, 512 * 1024 * 1024];

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
  const version = view.getUint32(8, true);
  if (version !== format)
    throw new EngineError(
      'packed-version',
      `format ${version} of packed libraries, this page reads ${format}`,
    );
  const length = view.getUint32(12, true);
  if (length > maxTableBytes) throw invalid(`a table of ${length} bytes, at most ${maxTableBytes} are read`);
  if (head.size < headBytes + length) return null;
  const text = await head.slice(headBytes, headBytes + length).text();
  return rowsOf(text, headBytes + length);
}

/**
 * Documents with what is stored of them, in order, some at a time; the next are read while the caller works on these.
 * @param {Blob} library @param {readonly PackedDocument[]} documents within the limits, see `excessOf`
 * @returns {AsyncGenerator<Unpacked[], void, void>}
 * @throws {EngineError} `packed-invalid` where the file is cut off, after the documents before its end
 */
export async function* partsAhead(library, documents) {
  const inside = documents.filter((document) => endOf(document) <= library.size);
  const batches = batchesOf(inside);
  const read = (/** @type {number} */ index) => {
    const some = batches[index] ? unpacked(library, batches[index]) : null;
    // A caller that has stopped meets no error of what was read ahead.
    some?.catch(() => {});
    return some;
  };
  let next = read(0);
  for (const index of batches.keys()) {
    const some = await next;
    next = read(index + 1);
    if (some) yield some;
  }
  if (inside.length < documents.length)
    throw invalid(`the file ends after ${library.size} bytes, before the end of its documents`);
}

/**
 * The limit that a document is over; null where it is within all of them.
 * @param {PackedDocument} document @param {number} maxBytes of its file
 * @returns {EngineError | null} `limit-exceeded`
 */
export function excessOf({ file, segment, vectors }, maxBytes) {
  if (file.length > maxBytes) return tooLarge(file.length, maxBytes);
  const limits = [
    { length: segment.length, limit: maxSegmentBytes },
    { length: vectors?.part.length ?? 0, limit: maxVectorsBytes },
  ];
  const over = limits.find(({ length, limit }) => length > limit);
  if (!over) return null;
  return new EngineError('limit-exceeded', `a part of ${over.length} bytes, at most ${over.limit} are read`);
}

/** Documents that lie side by side, some at a time. @param {readonly PackedDocument[]} documents */
function batchesOf(documents) {
  /** @type {[PackedDocument, ...PackedDocument[]][]} */
  const batches = [];
  for (const document of documents) {
    const last = batches.at(-1);
    const isBeside = last?.at(-1) && endOf(/** @type {PackedDocument} */ (last.at(-1))) === document.file.at;
    const bytes = last ? endOf(document) - last[0].file.at : 0;
    if (last && isBeside && last.length < together.documents && bytes <= together.bytes) last.push(document);
    else batches.push([document]);
  }
  return batches;
}

/** The first byte after a document. @param {PackedDocument} document */
function endOf({ segment, vectors }) {
  const last = vectors?.part ?? segment;
  return last.at + last.length;
}

/**
 * Documents that lie side by side, each part held to its hash. They are read at once: a slice of a blob takes the browser half
 * a millisecond.
 * @param {Blob} library @param {[PackedDocument, ...PackedDocument[]]} documents
 * @returns {Promise<Unpacked[]>}
 * @throws {unknown} where nothing of the file can be read any more
 */
async function unpacked(library, documents) {
  const [first] = documents;
  const begin = first.file.at;
  const bytes = await bytesOf(library.slice(begin, endOf(documents.at(-1) ?? first))).catch(() => null);
  if (bytes !== null)
    return Promise.all(
      documents.map(async (document) => ({
        document,
        parts: await partsOf(library, document, bytes, begin),
      })),
    );
  if (documents.length === 1) {
    // Taken away or written to, it gives not even its head; a disk with a fault gives that.
    await bytesOf(library.slice(0, headBytes));
    return [{ document: first, parts: null }];
  }
  /** @type {Unpacked[]} */
  const all = [];
  for (const document of documents) all.push(...(await unpacked(library, [document])));
  return all;
}

/**
 * The parts of a document that are stored, each held to its hash. A document whose segment is damaged, or is of another, is read
 * from its file, and one whose vectors are is embedded again.
 * @param {Blob} library @param {PackedDocument} document
 * @param {Uint8Array<ArrayBuffer>} bytes of the library, from `begin` on @param {number} begin
 * @returns {Promise<PackedParts | null>} null where its file is damaged
 */
async function partsOf(library, { file, segment, vectors }, bytes, begin) {
  const part = (/** @type {Part} */ each) => partOf(bytes, begin, each);
  const [fileBytes, segmentBytes, vectorBytes] = await Promise.all([
    part(file),
    part(segment),
    vectors ? part(vectors.part) : null,
  ]);
  if (fileBytes === null) return null;
  const isOwn = segmentBytes !== null && documentOfSegment(segmentBytes) === file.sha256;
  return {
    file: library.slice(file.at, file.at + file.length),
    // Of their own, since what goes to a worker goes with all bytes that it lies among.
    segment: isOwn ? segmentBytes.slice() : new Uint8Array(),
    vectors: vectors && vectorBytes ? vectorsOf(file, vectors, vectorBytes) : [],
  };
}

/** The vectors of a document; none where they are of another, or of another model than they say. @param {Part} file @param {PackedVectors} vectors @param {Uint8Array} bytes @returns {VectorBatch[]} */
function vectorsOf(file, { count, fingerprint }, bytes) {
  const sources = sourcesOfVectors(bytes);
  const isOwn = (/** @type {Set<string | null>} */ found, /** @type {string} */ one) =>
    found.size === 1 && found.has(one);
  const areOwn = sources && isOwn(sources.documents, file.sha256) && isOwn(sources.fingerprints, fingerprint);
  return areOwn ? [{ start: 0, count, fingerprint, bytes: bytes.slice() }] : [];
}

/** Bytes of a part; null where they are not those of its hash, as far as the browser has one. @param {Uint8Array<ArrayBuffer>} bytes @param {number} begin @param {Part} part */
async function partOf(bytes, begin, { at, length, sha256: expected }) {
  const part = bytes.subarray(at - begin, at - begin + length);
  const found = part.byteLength === length ? await sha256(part) : '';
  return found === null || found === expected ? part : null;
}

/** @param {string} text the table @param {number} begin of the first part @returns {PackedDocument[]} */
function rowsOf(text, begin) {
  let at = begin;
  /** The next part. @param {unknown} told @returns {Part} */
  const next = (told) => {
    const { length, sha256 } = record(told);
    const part = { at, length: natural(length), sha256: string(sha256) };
    if (!/^[0-9a-f]{64}$/.test(part.sha256)) throw invalid('a part without a hash');
    at = natural(at + part.length);
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
  return { count: natural(count), fingerprint: string(fingerprint), part };
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

/** @param {unknown} value @returns {number} */
function natural(value) {
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw invalid('a length that is no number of bytes');
  return Number(value);
}

/** @param {unknown} value @returns {string} */
function string(value) {
  if (typeof value !== 'string' || value.length > maxTextLength) throw invalid('a table of another form');
  return value;
}

/** @param {string} what */
function invalid(what) {
  return new EngineError('packed-invalid', what);
}

/**
 * A document as the owner of the index holds it: what is stored of it, what the engine says of it, and which of its vectors
 * are there; and how it is listed.
 */

import { batchSize } from './protocol.js';

/** @typedef {import('./protocol.js').Commit} Commit */
/** @typedef {import('./protocol.js').DocumentInfo} DocumentInfo */
/** @typedef {import('./protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {import('./store.js').StoredDocument} StoredDocument */

/**
 * A document that is in the library or would be if it could be read.
 * @typedef {object} Entry
 * @property {StoredDocument} stored
 * @property {DocumentInfo | null} info null when it could not be read
 * @property {Set<number>} embedded first passages of the batches that are there
 * @property {string | null} fingerprint of the model its vectors are from
 * @property {import('./errors.js').PlainError | null} problem
 * @property {boolean} kept false for a document that could not be stored: it is in memory only
 * @property {number} vectorBytes
 */

/** A document without anything of it in the library yet. @param {StoredDocument} stored @param {boolean} kept @returns {Entry} */
export function entryOf(stored, kept) {
  return {
    stored,
    info: null,
    embedded: new Set(),
    fingerprint: null,
    problem: null,
    kept,
    vectorBytes: 0,
  };
}

/**
 * Parts of the name of a new document: the names that are taken, and the marks that tell it from documents whose file has the same
 * name. A folder or date that one of those has too does not. `namesake` is the last of them.
 * @param {string} fileName
 * @param {{ folder: string, date: string | null }} given
 * @param {readonly StoredDocument[]} others
 */
export function namingOf(fileName, { folder, date }, others) {
  const namesakes = others.filter((other) => [other.name, other.fileName].includes(fileName));
  const marks = [
    ...(namesakes.every((other) => other.folder !== folder) ? [folder] : []),
    ...(date !== null && namesakes.every((other) => other.date !== date) ? [date] : []),
  ];
  const taken = others.map((other) => other.name);
  return { marks, taken, namesake: namesakes.at(-1)?.id ?? null };
}

/**
 * Record of a file that has become a document, as it is stored.
 * @param {Commit} commit
 * @param {DocumentInfo} info
 * @param {Pick<StoredDocument, 'name' | 'fileName' | 'addedAt' | 'formatVersion'>} given
 * @returns {StoredDocument}
 */
export function storedOf({ bytes, folder, segment, info: { id, date } }, info, given) {
  const { title, nPages, nPassages, diags } = info;
  return {
    ...{ id, folder, date, title, nPages, nPassages, diags, bytes },
    ...given,
    segmentBytes: segment.byteLength,
  };
}

/**
 * The document as the page lists it.
 * @param {Entry} entry
 * @param {readonly (readonly [number, number])[]} gaps ranges of passages without a vector, of one that could be read
 * @returns {LibraryDocument}
 */
export function listedOf({ stored, info, problem, kept, vectorBytes }, gaps) {
  const { id, name, title, nPages, diags, bytes, addedAt, segmentBytes } = stored;
  const nToEmbed = info === null ? stored.nPassages : info.nToEmbed;
  const nMissing = info === null ? nToEmbed : gaps.reduce((sum, [from, end]) => sum + end - from, 0);
  /** @type {Set<number>} */
  const missing = new Set();
  for (const [from, end] of gaps)
    for (let start = from - (from % batchSize); start < end; start += batchSize) missing.add(start);
  return {
    id,
    name,
    title,
    nPages,
    nToEmbed,
    nEmbedded: nToEmbed - nMissing,
    diags,
    bytes,
    addedAt,
    missing: [...missing],
    kept,
    problem,
    stored: bytes + segmentBytes + vectorBytes,
  };
}

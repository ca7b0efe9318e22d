/**
 * Writes a packed library: documents with their segments and vectors in one file, byte for byte as `pincite pack` does
 * (`crate/cli/src/pack.rs` has the format). Nothing is read or embedded for it. One document at a time is in memory; the file
 * refers to stored files.
 */

import { bytesOf } from './content.js';
import { EngineError } from './errors.js';
import { sha256 } from './sha256.js';

/** @typedef {import('./store.js').Kept} Kept */
/** @typedef {import('./store.js').VectorBatch} VectorBatch */
/** @typedef {{ length: number, sha256: string }} PartRow */

/**
 * Documents of a library as one file.
 * @param {readonly string[]} ids in their order
 * @param {(id: string) => Promise<Kept | null>} read
 * @param {{ signal?: AbortSignal, onProgress?: (done: number, total: number) => void }} [options] progress in documents
 * @returns {Promise<{ file: Blob, left: string[] }>} `left` are those that cannot be packed: their file has changed on the disk
 *   since, or nothing whole is stored of them
 * @throws {EngineError} `packed-invalid` where the browser cannot hash
 */
export async function pack(ids, read, { signal, onProgress = () => {} } = {}) {
  const rows = [];
  /** @type {BlobPart[]} */
  const parts = [];
  /** @type {string[]} */
  const left = [];
  for (const [done, id] of ids.entries()) {
    signal?.throwIfAborted();
    onProgress(done, ids.length);
    const kept = await read(id);
    const packed = kept && (await packedDocument(kept));
    if (packed) {
      rows.push(packed.row);
      parts.push(...packed.parts);
    } else left.push(id);
  }
  signal?.throwIfAborted();
  onProgress(ids.length, ids.length);
  const table = new TextEncoder().encode(JSON.stringify({ documents: rows }));
  const head = new DataView(new ArrayBuffer(8));
  head.setUint32(0, 1, true);
  head.setUint32(4, table.length, true);
  return { file: new Blob(['pincite\n', head, table, ...parts]), left };
}

/** Row and parts of a document; null where it cannot be packed. @param {Kept} kept */
async function packedDocument({ document, file, segment, vectors }) {
  const { id, fileName: name, folder, date } = document;
  const content = await bytesOf(file).catch(() => null);
  if (content === null || segment === null || (await hashOf(content)) !== id) return null;
  const batches = ofOneModel(vectors);
  const own = batches[0]?.fingerprint ?? null;
  const joined = new Blob(batches.map(({ bytes }) => /** @type {Uint8Array<ArrayBuffer>} */ (bytes)));
  const count = batches.reduce((sum, batch) => sum + batch.count, 0);
  const row = {
    ...{ name, folder, date },
    file: { length: content.byteLength, sha256: id },
    segment: await partRow(segment),
    vectors: own === null ? null : { ...(await partRow(await bytesOf(joined))), count, fingerprint: own },
  };
  // A browser may keep blobs on the disk; what is stored as a file stays where it is.
  const parts = [
    file instanceof Blob ? file : new Blob([file]),
    new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (segment)]),
    joined,
  ];
  return { row, parts };
}

/**
 * The batches of one model, none where that of the first passage is missing, as while a document is being embedded: the file does not
 * say where batches begin, so a page that opens it keeps them as one from the first passage on, and what it makes for that
 * passage would take their place.
 * @param {readonly VectorBatch[]} vectors by `start`
 */
function ofOneModel([first, ...others]) {
  if (first?.start !== 0) return [];
  return [first, ...others.filter(({ fingerprint }) => fingerprint === first.fingerprint)];
}

/** @param {Uint8Array} bytes @returns {Promise<PartRow>} */
async function partRow(bytes) {
  return { length: bytes.byteLength, sha256: await hashOf(/** @type {Uint8Array<ArrayBuffer>} */ (bytes)) };
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function hashOf(bytes) {
  const hash = await sha256(bytes);
  if (hash === null)
    throw new EngineError('packed-invalid', 'the browser cannot hash on a page that was opened over http');
  return hash;
}

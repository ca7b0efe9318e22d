/** Segments, vectors and packed libraries as the engine and `pincite pack` write them, but for sums and what follows their heads. */

import { createHash } from 'node:crypto';

/** @param {string | Uint8Array} bytes */
export const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');

const encoder = new TextEncoder();

/** A text as postcard writes it. @param {string} text @returns {Uint8Array<ArrayBuffer>} */
function string(text) {
  const bytes = encoder.encode(text);
  const length = [];
  let rest = bytes.length;
  for (; rest >= 0x80; rest >>= 7) length.push((rest & 0x7f) | 0x80);
  return Uint8Array.from([...length, rest, ...bytes]);
}

/** @param {string} kind @param {Record<string, Uint8Array>} sections @returns {Uint8Array<ArrayBuffer>} */
function stored(kind, sections) {
  const eight = (/** @type {string} */ name) => encoder.encode(name.padEnd(8, '\0'));
  const bodies = Object.entries(sections);
  /** @type {Uint8Array[]} */
  const parts = [eight('pincite'), eight(kind), new Uint8Array(Uint32Array.of(1, bodies.length).buffer)];
  for (const [name, body] of bodies)
    parts.push(eight(name), new Uint8Array(BigUint64Array.of(BigInt(body.length), 0n).buffer));
  parts.push(new Uint8Array(8), ...bodies.map(([, body]) => body));
  return /** @type {Uint8Array<ArrayBuffer>} */ (new Uint8Array(Buffer.concat(parts)));
}

/** A segment of a document. @param {string} id @param {string} [name] */
export const segmentOf = (id, name = 'a.pdf') =>
  stored('segment', { meta: Buffer.concat([Uint8Array.of(0), string(name), string(id)]), text: string('') });

/** A batch of vectors of a document. @param {string} id @param {string} [model] */
export const vectorsOf = (id, model = 'model') =>
  stored('vectors', { meta: Buffer.concat([string(id), string(model)]), codes: new Uint8Array(5) });

/**
 * A packed document: its row in the table, and its parts.
 * @param {string} content of its file
 * @param {{ name?: string, folder?: string, date?: string | null, segment?: Uint8Array, vectors?: Uint8Array | null, count?: number }} [options]
 */
export function packedDocument(
  content,
  { name = `${content}.pdf`, folder = '', date = null, segment, vectors, count = 1 } = {},
) {
  const part = (/** @type {Uint8Array} */ bytes) => ({ length: bytes.length, sha256: hash(bytes) });
  const file = encoder.encode(content);
  const id = hash(file);
  const own = segment ?? segmentOf(id);
  const batch = vectors === undefined ? vectorsOf(id) : vectors;
  const row = {
    ...{ name, folder, date },
    file: part(file),
    segment: part(own),
    vectors: batch && { ...part(batch), count, fingerprint: 'model' },
  };
  return { id, row, parts: [file, own, ...(batch ? [batch] : [])] };
}

/**
 * A packed library.
 * @param {string | object} table
 * @param {readonly Uint8Array[]} [parts]
 * @param {{ magic?: string, format?: number }} [head]
 */
export function packedLibrary(table, parts = [], { magic = 'pincite\n', format = 1 } = {}) {
  const json = encoder.encode(typeof table === 'string' ? table : JSON.stringify(table));
  return new Blob([
    magic,
    Uint32Array.of(format, json.length),
    json,
    .../** @type {Uint8Array<ArrayBuffer>[]} */ (parts),
  ]);
}

/** A packed library of documents. @param {readonly ReturnType<typeof packedDocument>[]} documents */
export const libraryOf = (documents) =>
  packedLibrary(
    { documents: documents.map(({ row }) => row) },
    documents.flatMap(({ parts }) => parts),
  );

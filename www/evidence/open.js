/**
 * Opens the data of an evidence file. All of it is hostile: sizes are checked before anything is read, nothing is
 * decompressed, and what the contents claim of documents is compared with their bytes.
 */

import { sha256 } from '../engine/sha256.js';
import { decode } from '../single/base85.js';
import { maxContentsBytes, readContents } from './contents.js';
import { blockSizes, headBytes, readHeader } from './envelope.js';
import { EvidenceError } from './errors.js';
import { fingerprintOf } from './fingerprint.js';
import { hexOf, keyOf, openBlock } from './seal.js';

/** @typedef {import('./contents.js').Contents} Contents */
/** @typedef {import('./contents.js').SavedDocument} SavedDocument */
/** @typedef {{ header: string, blocks: readonly { textContent: string | null, remove: () => void }[] }} Envelope */

/** @typedef {SavedDocument & { file: Blob, sha256: string }} OpenedDocument `sha256` of the bytes that are there */

/**
 * @typedef {object} Opened
 * @property {Contents} contents
 * @property {string} fingerprint
 * @property {boolean} isAsSaved false where the hash that was saved with the contents is another than theirs
 * @property {OpenedDocument[]} documents
 */

/** True if a passphrase is needed. @param {Envelope} envelope @throws {EvidenceError} */
export function isLocked({ header }) {
  return readHeader(header).lock !== null;
}

/**
 * @param {Envelope} envelope its blocks are taken out of the page once the first of them was opened
 * @param {string} passphrase not looked at where there is no lock
 * @param {{ onProgress?: (done: number, total: number) => void }} [options] progress in bytes
 * @returns {Promise<Opened>}
 * @throws {EvidenceError}
 */
export async function opened(envelope, passphrase, { onProgress = () => {} } = {}) {
  if (!globalThis.crypto?.subtle) throw new EvidenceError('insecure', 'the page has no crypto.subtle');
  const header = readHeader(envelope.header);
  const sizes = [...blockSizes(header)];
  if (envelope.blocks.length !== sizes.length)
    throw new EvidenceError('damaged', `${envelope.blocks.length} blocks, expected ${sizes.length}`);
  const { lock } = header;
  const seal = lock && { key: await keyOf(passphrase, lock), lock, header: envelope.header };
  /** @type {BlobPart[]} */
  const parts = [];
  let done = 0;
  for (const [at, block] of envelope.blocks.entries()) {
    const bytes = blockOf(block.textContent ?? '', /** @type {number} */ (sizes[at]));
    parts.push(seal ? await openBlock(seal, at, bytes) : bytes);
    done += bytes.length;
    onProgress(Math.min(done, header.bytes), header.bytes);
    // The page answers in between.
    await new Promise((resolve) => setTimeout(resolve));
  }
  for (const block of envelope.blocks) block.remove();
  return unpacked(new Blob(parts));
}

/** @param {string} text @param {number} size */
function blockOf(text, size) {
  const written = text.trim();
  if (written.length !== Math.ceil((size * 5) / 4))
    throw new EvidenceError('damaged', `a block has ${written.length} characters`);
  try {
    return decode(written);
  } catch {
    throw new EvidenceError('damaged', 'a block is not in base 85');
  }
}

/** @param {Blob} payload head, contents, documents @returns {Promise<Opened>} */
async function unpacked(payload) {
  const head = new DataView(await payload.slice(0, headBytes).arrayBuffer());
  const length = head.getUint32(headBytes - 4);
  const end = headBytes + length;
  if (length > maxContentsBytes || end > payload.size)
    throw new EvidenceError('damaged', `the contents have ${length} bytes`);
  const text = new Uint8Array(await payload.slice(headBytes, end).arrayBuffer());
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  const contents = readContents(text);
  const total = contents.documents.reduce((sum, { bytes }) => sum + bytes, 0);
  if (end + total !== payload.size)
    throw new EvidenceError('damaged', `${payload.size - end} bytes of documents, expected ${total}`);
  const documents = [];
  let at = end;
  for (const document of contents.documents) {
    const type = document.nPages > 0 ? 'application/pdf' : '';
    const file = payload.slice(at, at + document.bytes, type);
    at += document.bytes;
    documents.push({ ...document, file, sha256: String(await sha256(file)) });
  }
  const isAsSaved = hexOf(hash) === hexOf(new Uint8Array(head.buffer, 0, hash.length));
  return { contents, fingerprint: fingerprintOf(hash), isAsSaved, documents };
}

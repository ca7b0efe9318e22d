/**
 * Writes an evidence file: the page up to its data, the header, then block after block, so that the page answers in
 * between and a person can stop it.
 */

import { sha256 } from '../engine/sha256.js';
import { encode } from '../single/base85.js';
import { blockBytes, ending } from '../single/template.js';
import { maxContentsBytes } from './contents.js';
import { elementText, headBytes, headerText } from './envelope.js';
import { EvidenceError } from './errors.js';
import { fingerprintOf } from './fingerprint.js';
import { keyOf, newLock, sealBlock } from './seal.js';

/** @typedef {{ file: Blob, fingerprint: string, sha256: string }} Packed `sha256` of the whole file */

/**
 * @param {object} what
 * @param {Blob} what.template the page of an evidence file up to its data
 * @param {import('./contents.js').Contents} what.contents
 * @param {readonly Blob[]} what.files the documents, in the order of the contents
 * @param {string | null} what.passphrase
 * @param {{ signal?: AbortSignal, onProgress?: (done: number, total: number) => void }} [options] progress in bytes
 * @returns {Promise<Packed>}
 */
export async function packed(
  { template, contents, files, passphrase },
  { signal, onProgress = () => {} } = {},
) {
  if (!globalThis.crypto?.subtle) throw new EvidenceError('insecure', 'the page has no crypto.subtle');
  for (const [at, file] of files.entries()) {
    signal?.throwIfAborted();
    if ((await sha256(file)) !== contents.documents[at]?.id)
      throw new EvidenceError(
        'changed',
        `${contents.documents[at]?.name} is stored otherwise than it was read`,
      );
  }
  const text = new TextEncoder().encode(JSON.stringify(contents));
  if (text.length > maxContentsBytes)
    throw new EvidenceError(
      'too-large',
      `the answers have ${text.length} bytes, at most ${maxContentsBytes} are allowed`,
    );
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  const head = new Uint8Array(headBytes);
  head.set(hash);
  new DataView(head.buffer).setUint32(hash.length, text.length);

  const body = new Blob([text, ...files]);
  const lock = passphrase === null ? null : newLock();
  const header = headerText({ bytes: body.size, lock });
  const seal = lock && { key: await keyOf(/** @type {string} */ (passphrase), lock), lock, header };
  /** @type {BlobPart[]} */
  const parts = [template, elementText('header', header)];
  const put = async (/** @type {Uint8Array<ArrayBuffer>} */ bytes, /** @type {number} */ blockIdx) => {
    const text = encode(seal ? await sealBlock(seal, blockIdx, bytes) : bytes);
    // Out of the page's memory at once, not all in one long task at the end.
    parts.push(new Blob([elementText('block', text)]));
  };
  await put(head, 0);
  for (let at = 0, blockIdx = 1; at < body.size; at += blockBytes, blockIdx += 1) {
    signal?.throwIfAborted();
    onProgress(at, body.size);
    await put(new Uint8Array(await body.slice(at, at + blockBytes).arrayBuffer()), blockIdx);
  }
  const file = new Blob([...parts, ending], { type: 'text/html' });
  const whole = String(await sha256(file));
  signal?.throwIfAborted();
  onProgress(body.size, body.size);
  return { file, fingerprint: fingerprintOf(hash), sha256: whole };
}

/**
 * Bytes of the file that would come of it, without its answers: base 85 writes four bytes as five characters.
 * @param {number} template @param {number} documents bytes
 */
export function sizeOf(template, documents) {
  return template + Math.ceil(documents * 1.25);
}

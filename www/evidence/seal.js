/**
 * The lock of an evidence file: AES-256-GCM, block by block, under a key that PBKDF2 makes of the passphrase. The nonce of
 * a block is eight random bytes of the file and the block's number, and the file's header is authenticated with each
 * block, so blocks can be neither changed, left out, added nor put in another order. What is not known is not kept
 * anywhere: a lost passphrase cannot be recovered.
 */

import { EvidenceError } from './errors.js';

/** @typedef {{ rounds: number, salt: string, iv: string }} Lock bytes in hex */

/** Rounds of PBKDF2 with SHA-256: OWASP's figure. */
export const rounds = 600_000;
/** Most rounds that a file may ask for: about ten seconds. */
const maxRounds = 10_000_000;
const saltBytes = 16;
const ivBytes = 8;
/** Bytes that a sealed block has more than the open one. */
export const tagBytes = 16;

/** @returns {Lock} */
export function newLock() {
  const random = (/** @type {number} */ n) => hexOf(crypto.getRandomValues(new Uint8Array(n)));
  return { rounds, salt: random(saltBytes), iv: random(ivBytes) };
}

/** True if these are parameters of a lock that this page would make or accept. @param {unknown} value @returns {value is Lock} */
export function isLock(value) {
  if (typeof value !== 'object' || value === null) return false;
  const { rounds: n, salt, iv } = /** @type {Record<string, unknown>} */ (value);
  const isHex = (/** @type {unknown} */ text, /** @type {number} */ bytes) =>
    typeof text === 'string' && text.length === bytes * 2 && /^[0-9a-f]+$/.test(text);
  return (
    Number.isInteger(n) &&
    Number(n) >= rounds &&
    Number(n) <= maxRounds &&
    isHex(salt, saltBytes) &&
    isHex(iv, ivBytes)
  );
}

/**
 * @param {string} passphrase the same characters typed on another system are the same passphrase
 * @param {Lock} lock
 */
export async function keyOf(passphrase, lock) {
  const words = new TextEncoder().encode(passphrase.normalize('NFC'));
  const material = await crypto.subtle.importKey('raw', words, 'PBKDF2', false, ['deriveKey']);
  return crypto.subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt: bytesOf(lock.salt), iterations: lock.rounds },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

/** @typedef {{ key: CryptoKey, lock: Lock, header: string }} Seal `header` is the file's, as it is written */

/** @param {Seal} seal @param {number} blockIdx @param {Uint8Array<ArrayBuffer>} bytes */
export async function sealBlock(seal, blockIdx, bytes) {
  return new Uint8Array(await crypto.subtle.encrypt(parameters(seal, blockIdx), seal.key, bytes));
}

/**
 * @param {Seal} seal @param {number} blockIdx @param {Uint8Array<ArrayBuffer>} bytes
 * @throws {EvidenceError} `passphrase` at the first block, `changed` at a later one
 */
export async function openBlock(seal, blockIdx, bytes) {
  try {
    return new Uint8Array(await crypto.subtle.decrypt(parameters(seal, blockIdx), seal.key, bytes));
  } catch {
    throw blockIdx === 0
      ? new EvidenceError('passphrase', 'the passphrase does not open the first block')
      : new EvidenceError('changed', `block ${blockIdx} is not as it was sealed`);
  }
}

/** @param {Seal} seal @param {number} blockIdx @returns {AesGcmParams} */
function parameters({ lock, header }, blockIdx) {
  const iv = new Uint8Array(ivBytes + 4);
  iv.set(bytesOf(lock.iv));
  new DataView(iv.buffer).setUint32(ivBytes, blockIdx);
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(header) };
}

/** @param {Uint8Array} bytes */
export function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {string} hex */
function bytesOf(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/**
 * Guess of how a passphrase would stand up to somebody who tries many. It goes by length and variety alone: it cannot
 * know that words are those of a song.
 * @param {string} passphrase
 * @returns {'short' | 'weak' | 'fair' | 'strong'} `short` is not taken
 */
export function strengthOf(passphrase) {
  const length = [...passphrase].length;
  const nDifferent = new Set(passphrase.toLowerCase()).size;
  if (length < shortest) return 'short';
  if (length < 12 || nDifferent < 6) return 'weak';
  return length < 20 || nDifferent < 9 ? 'fair' : 'strong';
}

/** Fewest characters of a passphrase. */
export const shortest = 8;

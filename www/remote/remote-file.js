/**
 * The bytes of a document on the server, by ranges: a part that is not asked for does not come. Parts are held in memory, so
 * that the page a quotation was compared with is the page that is shown; where one has to be fetched again, it must have the
 * bytes that it had. Nothing is stored. A file that came whole is the one that is cited only if its SHA-256 is the id.
 */

import { sha256 } from '../engine/sha256.js';
import { LibraryError, libraryError } from './errors.js';
import { joined } from './access.js';
import { contentRange } from './replies.js';

/** @typedef {import('./access.js').Access} Access */

/** Bytes of a part. */
export const partBytes = 128 * 1024;
/** Most bytes of a file that is read by ranges, and of one that is read whole. */
const maxFileBytes = 4 * 1024 ** 3;
export const maxWholeBytes = 256 * 1024 * 1024;
/** Time for a request, in milliseconds. */
const wholeMs = 600_000;
/** Most bytes that are held of one file. */
const maxHeldBytes = 48 * 1024 * 1024;

/** @typedef {{ start: number, bytes: Uint8Array<ArrayBuffer>, total: number }} Piece bytes of a file that came */

export class RemoteFile {
  #access;
  #id;
  #onSize;
  /** Parts in memory, the last used last. @type {Map<number, Promise<Uint8Array<ArrayBuffer>>>} */
  #parts = new Map();
  /** SHA-256 of each part that has come. @type {Map<number, string>} */
  #hashes = new Map();
  /** @type {Promise<number> | null} */
  #size = null;
  /** @type {Promise<Blob> | null} */
  #whole = null;

  /** @param {Pick<Access, 'request'>} access @param {string} id @param {(bytes: number) => void} [onSize] */
  constructor(access, id, onSize = () => {}) {
    this.#access = access;
    this.#id = id;
    this.#onSize = onSize;
  }

  /** Size in bytes. @param {AbortSignal | null} [signal] @returns {Promise<number>} */
  async size(signal = null) {
    for (;;) {
      this.#size ??= this.#begin(signal);
      const size = this.#size;
      try {
        return await size;
      } catch (error) {
        if (this.#size === size) this.#size = null;
        if (libraryError(error).reason !== 'cancelled' || signal?.aborted) throw error;
      }
    }
  }

  /** @param {number} start @param {number} end @param {AbortSignal | null} [signal] @returns {Promise<Uint8Array<ArrayBuffer>>} a copy */
  async range(start, end, signal = null) {
    const size = await this.size(signal);
    const last = Math.min(end, size);
    if (start < 0 || start >= last) throw new LibraryError('bad-reply', `no bytes from ${start} to ${end}`);
    const [first, after] = [Math.floor(start / partBytes), Math.ceil(last / partBytes)];
    this.#fetchMissing(first, after, size, signal);
    const parts = await Promise.all(
      Array.from({ length: after - first }, (_, at) => this.#part(first + at, size, signal)),
    );
    const offset = first * partBytes;
    const bytes = joined(parts).slice(start - offset, last - offset);
    this.#forgetOldest();
    return bytes;
  }

  /**
   * The file, whole: it is the one that is cited. Kept, as long as this object is.
   * @param {{ maxBytes?: number, signal?: AbortSignal | null }} [options]
   * @returns {Promise<Blob>}
   * @throws {LibraryError} `changed` where its hash is another than its id
   */
  whole({ maxBytes = maxWholeBytes, signal = null } = {}) {
    this.#whole ??= this.#fetchWhole(maxBytes, signal);
    this.#whole.catch(() => (this.#whole = null));
    return this.#whole;
  }

  /** True if the file has come whole. */
  get isWhole() {
    return this.#whole !== null;
  }

  /** @param {number} maxBytes @param {AbortSignal | null} signal */
  async #fetchWhole(maxBytes, signal) {
    const size = await this.size(signal);
    if (size > maxBytes) throw new LibraryError('too-large', `the document has ${size} bytes`);
    const file = new Blob([await this.range(0, size, signal)]);
    const hash = await sha256(file);
    if (hash !== null && hash !== this.#id)
      throw new LibraryError('changed', 'the document that came is another than was cited');
    return file;
  }

  /** The first part, which tells the size. @param {AbortSignal | null} signal */
  async #begin(signal) {
    const { start, bytes, total } = await this.#fetch(0, partBytes, signal, maxWholeBytes);
    if (start !== 0 || (bytes.length !== total && bytes.length !== Math.min(partBytes, total)))
      throw new LibraryError('bad-reply', 'the bytes that came are others than were asked for');
    if (total > maxFileBytes) throw new LibraryError('too-large', `the document has ${total} bytes`);
    for (let at = 0; at < bytes.length; at += partBytes)
      await this.#keep(at / partBytes, bytes.slice(at, at + partBytes));
    this.#onSize(total);
    return total;
  }

  /** Parts that lie beside each other are one request. @param {number} first @param {number} after @param {number} size @param {AbortSignal | null} signal */
  #fetchMissing(first, after, size, signal) {
    for (let from = first; from < after; from += 1) {
      if (this.#parts.has(from)) continue;
      let to = from + 1;
      while (to < after && !this.#parts.has(to)) to += 1;
      const [start, end] = [from * partBytes, Math.min(to * partBytes, size)];
      const fetched = this.#fetch(start, end, signal, end - start).then((piece) => {
        if (piece.start !== start || piece.start + piece.bytes.length !== end || piece.total !== size)
          throw new LibraryError('changed', 'the bytes that came are others than were asked for');
        return piece.bytes;
      });
      for (let part = from; part < to; part += 1) {
        const at = (part - from) * partBytes;
        const one = fetched.then((bytes) => this.#same(part, bytes.slice(at, at + partBytes)));
        one.catch(() => this.#parts.delete(part));
        this.#parts.set(part, one);
      }
      from = to - 1;
    }
  }

  /** @param {number} part @param {number} size @param {AbortSignal | null} signal @returns {Promise<Uint8Array<ArrayBuffer>>} */
  async #part(part, size, signal) {
    for (;;) {
      if (!this.#parts.has(part)) this.#fetchMissing(part, part + 1, size, signal);
      const held = /** @type {Promise<Uint8Array<ArrayBuffer>>} */ (this.#parts.get(part));
      try {
        const bytes = await held;
        if (this.#parts.delete(part)) this.#parts.set(part, held);
        return bytes;
      } catch (error) {
        // Somebody else asked for it, and gave it up.
        if (libraryError(error).reason !== 'cancelled' || signal?.aborted) throw error;
      }
    }
  }

  /** @param {number} part @param {Uint8Array<ArrayBuffer>} bytes */
  async #keep(part, bytes) {
    this.#parts.set(part, this.#same(part, bytes));
    await this.#parts.get(part);
  }

  /** The bytes of a part, as they were before if they came before. @param {number} part @param {Uint8Array<ArrayBuffer>} bytes */
  async #same(part, bytes) {
    const hash = await sha256(new Blob([bytes]));
    const before = this.#hashes.get(part);
    if (hash !== null && before !== undefined && before !== hash)
      throw new LibraryError('changed', 'the document has changed since it was first read');
    if (hash !== null) this.#hashes.set(part, hash);
    return bytes;
  }

  #forgetOldest() {
    const most = Math.max(1, Math.floor(maxHeldBytes / partBytes));
    for (const part of this.#parts.keys()) {
      if (this.#parts.size <= most) return;
      this.#parts.delete(part);
    }
  }

  /** @param {number} start @param {number} end @param {AbortSignal | null} signal @param {number} maxBytes @returns {Promise<Piece>} */
  async #fetch(start, end, signal, maxBytes) {
    const path = `documents/${this.#id}`;
    const request = { path, step: 'library-document', maxBytes, wholeMs, signal };
    try {
      const piece = await this.#access.request(
        { ...request, method: 'GET', headers: { accept: '*/*', range: `bytes=${start}-${end - 1}` } },
        async ({ headers, status, read }) => {
          const tag = headers.get('etag');
          if (tag !== null && !tag.includes(this.#id))
            throw new LibraryError('changed', 'the server names another document');
          const parts = [];
          for await (const part of read()) parts.push(part);
          const bytes = joined(parts);
          if (status !== 206) return { start: 0, bytes, total: bytes.length };
          const header = headers.get('content-range');
          if (header === null) return { start, bytes, total: null };
          const range = contentRange(header);
          if (range.end - range.start !== bytes.length)
            throw new LibraryError('bad-reply', 'the range has another length than it says');
          return { start: range.start, bytes, total: range.total };
        },
      );
      return piece.total === null ? { ...piece, total: await this.#sizeTold(request) } : piece;
    } catch (error) {
      const failure = libraryError(error);
      if (failure.reason !== 'not-found') throw failure;
      const { requestId, detail } = failure;
      throw new LibraryError('document-unknown', 'the library has no such document', { requestId, detail });
    }
  }

  /** The size as the head of the file tells it: a server may not let a page read the range of its replies. @param {Pick<import('./access.js').LibraryRequest, 'path' | 'step' | 'maxBytes' | 'signal'>} request */
  #sizeTold(request) {
    return this.#access.request(
      { ...request, method: 'HEAD', headers: { accept: '*/*' } },
      async ({ headers }) => {
        const size = Number(headers.get('content-length') ?? Number.NaN);
        if (!Number.isSafeInteger(size) || size < 1)
          throw new LibraryError('bad-reply', 'the server does not tell the size of the document');
        return size;
      },
    );
  }
}

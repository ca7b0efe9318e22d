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
/** @typedef {{ maxBytes: number, signal: AbortSignal | null }} Limits of who asks */

export class RemoteFile {
  #access;
  #id;
  #onSize;
  /** Parts in memory, the last used last. @type {Map<number, Promise<Uint8Array<ArrayBuffer>>>} */
  #parts = new Map();
  /** SHA-256 of each part that has come. @type {Map<number, string>} */
  #hashes = new Map();
  #wholeBytes = 0;
  /** @type {Shared<number>} */
  #size = new Shared((limits) => this.#begin(limits));
  /** @type {Shared<Blob>} */
  #whole = new Shared((limits) => this.#fetchWhole(limits));

  /** @param {Pick<Access, 'request'>} access @param {string} id @param {(bytes: number) => void} [onSize] */
  constructor(access, id, onSize = () => {}) {
    this.#access = access;
    this.#id = id;
    this.#onSize = onSize;
  }

  /** Size in bytes; a server that knows no ranges sends all of them, up to `maxBytes`. @param {AbortSignal | null} [signal] @param {number} [maxBytes] @returns {Promise<number>} */
  size(signal = null, maxBytes = maxWholeBytes) {
    return this.#size.get({ maxBytes, signal });
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
    return this.#whole.get({ maxBytes, signal });
  }

  /** True if the file has come whole. */
  get isWhole() {
    return this.#whole.isBegun;
  }

  /** Bytes that are held, about. */
  get heldBytes() {
    return this.#parts.size * partBytes + this.#wholeBytes;
  }

  /** @param {Limits} limits */
  async #fetchWhole({ maxBytes, signal }) {
    const size = await this.size(signal, maxBytes);
    if (size > maxBytes) throw new LibraryError('too-large', `the document has ${size} bytes`);
    const file = new Blob([await this.#all(size, signal)]);
    const hash = await sha256(file);
    if (hash !== null && hash !== this.#id)
      throw new LibraryError('changed', 'the document that came is another than was cited');
    this.#wholeBytes = size;
    return file;
  }

  /** All bytes; those of a file that is larger than what is held of one in a request of its own. @param {number} size @param {AbortSignal | null} signal */
  async #all(size, signal) {
    if (size <= maxHeldBytes) return this.range(0, size, signal);
    const { start, bytes } = await this.#fetch(0, size, signal, size);
    if (start !== 0 || bytes.length !== size)
      throw new LibraryError('changed', 'the bytes that came are others than were asked for');
    return bytes;
  }

  /** The first part, which tells the size. @param {Limits} limits */
  async #begin({ maxBytes, signal }) {
    const { start, bytes, total } = await this.#fetch(0, partBytes, signal, maxBytes);
    if (start !== 0 || (bytes.length !== total && bytes.length !== Math.min(partBytes, total)))
      throw new LibraryError('bad-reply', 'the bytes that came are others than were asked for');
    if (total > maxFileBytes) throw new LibraryError('too-large', `the document has ${total} bytes`);
    for (let at = 0; at < bytes.length; at += partBytes)
      await this.#keep(at / partBytes, bytes.slice(at, at + partBytes));
    this.#forgetOldest();
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

/**
 * Value that several ask for and that is fetched once. What ended it for the one who began it, a signal or a smaller limit, does not
 * end it for another. A failure is not kept.
 * @template T
 */
class Shared {
  #begin;
  /** @type {{ result: Promise<T>, maxBytes: number } | null} */
  #begun = null;

  /** @param {(limits: Limits) => Promise<T>} begin */
  constructor(begin) {
    this.#begin = begin;
  }

  get isBegun() {
    return this.#begun !== null;
  }

  /** @param {Limits} limits @returns {Promise<T>} */
  async get(limits) {
    const { maxBytes, signal } = limits;
    for (;;) {
      const isOwn = this.#begun === null;
      this.#begun ??= { result: this.#begin(limits), maxBytes };
      const begun = this.#begun;
      try {
        return await begun.result;
      } catch (error) {
        if (this.#begun === begun) this.#begun = null;
        const { reason } = libraryError(error);
        const isOfOther =
          reason === 'cancelled' ? !signal?.aborted : reason === 'too-large' && begun.maxBytes < maxBytes;
        if (isOwn || !isOfOther) throw error;
      }
    }
  }
}

/**
 * Documents of a library as they are opened and compared: the bytes that came of each, and an engine in memory that reads
 * those that came whole, as it would read a file of this browser.
 */

import { LibraryError, libraryError } from './errors.js';
import { pdfRanges } from './pdf-ranges.js';
import { RemoteFile } from './remote-file.js';

/** @typedef {import('../engine/client.js').Engine} Engine */
/** @typedef {import('../viewer/pdf.js').PdfSource} PdfSource */

/** Documents whose bytes are held, and of whole ones those that the engine in memory holds. */
const maxFiles = 20;
/** Bytes that are held of all of them, besides the one that was used last. */
const maxHeldBytes = 128 * 1024 * 1024;
/** A file up to this size is opened whole, in bytes. */
const smallBytes = 1024 * 1024;

/**
 * @typedef {object} DocumentsHost
 * @property {() => import('./access.js').Access} access
 * @property {Engine} engine the documents of this browser
 * @property {() => import('../engine/files.js').AssetBase} base
 * @property {AbortSignal} signal ends everything
 * @property {(id: string) => boolean} isHere true if this browser has the document itself
 * @property {(id: string) => { name: string, nPages: number } | undefined} listed
 * @property {(id: string, known: { bytes?: number, nPages?: number }) => void} onKnown
 * @property {(id: string, error: LibraryError | null, again?: () => void) => void} onMissing a part of the document that is
 *   open did not come, or nothing is missing any more
 */

export class RemoteDocuments {
  #host;
  /** The last used last. @type {Map<string, RemoteFile>} */
  #files = new Map();
  /** Started when the first file comes whole. @type {Engine | null} */
  #reader = null;
  /** Ends the requests of the PDF that the viewer has opened last. */
  #closePdf = () => {};

  /** @param {DocumentsHost} host */
  constructor(host) {
    this.#host = host;
  }

  close() {
    this.#closePdf();
    this.#reader?.close();
    this.#files.clear();
  }

  /** Blocks of the text of a document without pages, or of one that was read whole; none of another. @param {string} id @param {number} start @param {number} limit */
  async text(id, start, limit) {
    const hasPages = (this.#host.listed(id)?.nPages ?? 0) > 0;
    if (hasPages && !this.#hasRead(id)) return [];
    const reader = await this.#read(id, await this.#whole(id));
    return reader.text(id, start, limit);
  }

  /** A document, whole. @param {string} id @returns {Promise<Blob>} */
  async file(id) {
    const file = await this.#whole(id);
    return this.#host.listed(id)?.nPages ? file.slice(0, file.size, 'application/pdf') : file;
  }

  /**
   * What the viewer opens of a document: a small one whole, of a large PDF the ranges that it asks for.
   * @param {string} id
   * @returns {Promise<Blob | PdfSource>}
   */
  async source(id) {
    this.#closePdf();
    this.#host.onMissing(id, null);
    const file = this.#file(id);
    const size = await file.size(this.#host.signal);
    if (size <= smallBytes || file.isWhole) return this.file(id);
    const { source, close } = await pdfRanges(file, {
      onTrouble: (error, again) => this.#host.onMissing(id, error, again),
      onEase: () => this.#host.onMissing(id, null),
    });
    this.#closePdf = close;
    return source;
  }

  /** The engine that has read all of some documents; null where one of them did not come whole. @param {string[]} ids */
  reader(ids) {
    const { engine, isHere } = this.#host;
    if (ids.every(isHere)) return engine;
    return ids.every((id) => this.#hasRead(id)) ? this.#reader : null;
  }

  /** What comparing quotations needs. @returns {import('./checking.js').CheckHost} */
  get checkHost() {
    const { engine, base, isHere, onKnown } = this.#host;
    return {
      file: (id) => this.#file(id),
      read: (id, file) => this.#read(id, file),
      here: engine,
      isHere,
      onPages: (id, nPages) => onKnown(id, { nPages }),
      openPdf: async (source) => {
        const { openPdf } = await import('../viewer/pdf.js');
        const askPassword = () => Promise.reject(new LibraryError('forbidden', 'the document is locked'));
        return openPdf({ source, base: base(), password: null, askPassword });
      },
    };
  }

  /** @param {string} id */
  #file(id) {
    const { access, onKnown } = this.#host;
    const file = this.#files.get(id) ?? new RemoteFile(access(), id, (bytes) => onKnown(id, { bytes }));
    this.#files.delete(id);
    this.#files.set(id, file);
    let held = [...this.#files.values()].reduce((sum, { heldBytes }) => sum + heldBytes, 0);
    for (const [old, { heldBytes }] of this.#files) {
      if (old === id || (this.#files.size <= maxFiles && held <= maxHeldBytes)) break;
      this.#files.delete(old);
      held -= heldBytes;
    }
    return file;
  }

  /** @param {string} id */
  #whole(id) {
    return this.#file(id).whole({ signal: this.#host.signal });
  }

  /** @param {string} id */
  #hasRead(id) {
    return this.#reader?.snapshot.documents.some((document) => document.id === id) ?? false;
  }

  /** The engine in memory, once it has read a document. @param {string} id @param {Blob} file */
  async #read(id, file) {
    this.#reader ??= this.#newReader();
    const reader = this.#reader;
    if (this.#hasRead(id)) return reader;
    const read = await this.#added(reader, id, file);
    if (read.id !== id) {
      await reader.remove(read.id, { undoMs: 0 });
      throw new LibraryError('changed', 'the document that came is another than was cited');
    }
    this.#host.onKnown(id, { nPages: read.nPages });
    const { documents } = reader.snapshot;
    for (const old of documents.slice(0, Math.max(0, documents.length - maxFiles)))
      await reader.remove(old.id, { undoMs: 0 });
    return reader;
  }

  /** @param {Engine} reader @param {string} id @param {Blob} file */
  async #added(reader, id, file) {
    try {
      return await reader.add(file, { name: this.#host.listed(id)?.name ?? id });
    } catch (error) {
      // Somebody else had it read at the same time.
      const document = reader.snapshot.documents.find((each) => each.id === id);
      if (document) return document;
      throw libraryError(error);
    }
  }

  /** An engine as that of this browser's documents, of nothing that is stored. @returns {Engine} */
  #newReader() {
    const { engine, base } = this.#host;
    const Same = /** @type {typeof import('../engine/client.js').Engine} */ (engine.constructor);
    return new Same({ base: base(), library: null, vectors: false });
  }
}

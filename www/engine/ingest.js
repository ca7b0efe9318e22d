/**
 * Files on their way into the library. A file becomes a document in one step (`commit`), as soon as it is
 * parsed; a file is hashed and parsed in the pool when its turn comes, and only its handle is held before. Until it is
 * a document nothing of it is kept anywhere, so cancelling it is ending its worker. Cancelled while it is
 * stored, it leaves what was stored before as it was.
 */

import { EngineError, cancelled, toPlain } from './errors.js';
import { requireSize } from './file-size.js';
import { forWorkers } from './files.js';
import { Turns } from './turns.js';

/** @typedef {import('./protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {import('./errors.js').PlainError} PlainError */
/** @typedef {import('./channel.js').Channel} Channel */
/** @typedef {import('./pool.js').Pool} Pool */
/** @typedef {{ maxBytes: number, maxPages: number }} Limits */

/** Largest packed library that is fetched, in bytes. */
const maxPackedBytes = 4 * 1024 ** 3;

/**
 * @typedef {object} Job
 * @property {number} key
 * @property {string} name empty of a message that is about no file
 * @property {number} bytes
 * @property {'waiting' | 'download' | 'load' | 'pages' | 'layout' | 'chunks' | 'index' | 'saving' | 'failed' | 'locked' | 'cancelled'} stage
 * @property {number} done
 * @property {number} total
 * @property {PlainError | null} error
 * @property {boolean} isLibrary true of a packed library: while it is being saved, `done` and `total` count its documents
 * @property {boolean} wrongPassword a password was given and did not fit
 */

/**
 * A job with what it works on. `address` of a file that is still to be fetched; `hash` of a file that no other job had before; `same` is
 * the id of a file that is there, or that another job brings; `added` settles when the job is over.
 * @typedef {Job & { file: Blob, address: URL | null, folder: string, controller: AbortController, hash: string | null,
 *   same: { id: string, added: Promise<unknown> } | null, added: Promise<unknown> }} OpenJob
 */
/** @typedef {import('./download.js').DownloadOptions & { signal?: AbortSignal }} LinkOptions */
/** @typedef {LinkOptions & { onFailed?: (error: PlainError, name: string) => void }} PackedOptions `onFailed` is told of each document
 * that could not be added, and why */
/** @typedef {import('./protocol.js').Committed} Committed */

/**
 * Parts of the engine that ingesting uses.
 * @typedef {object} IngestHost
 * @property {() => Promise<Pool>} pool when the library is open
 * @property {() => Channel} owner
 * @property {() => Limits} limits
 * @property {(id: string) => LibraryDocument | undefined} document
 * @property {() => string | null} model fingerprint of the model that is loaded; null where none is
 * @property {(committed: Committed, password: string | null) => void} onCommit
 * @property {() => void} changed
 */

export class Ingest {
  /** @type {Map<number, OpenJob>} */
  #jobs = new Map();
  #nextKey = 1;
  #turns = new Turns();
  /** Four downloads at a time. */
  #downloads = new Turns(4);
  #host;

  /** @param {IngestHost} host */
  constructor(host) {
    this.#host = host;
  }

  /** @returns {Job[]} */
  get jobs() {
    return [...this.#jobs.values()];
  }

  /**
   * Resolves when the file can be searched.
   * @param {Blob} file @param {string} name @param {string | null} password
   * @param {string} [folder] of the file, where it is known
   * @param {string | null} [id] of the document that is indexed again
   * @returns {Promise<LibraryDocument>}
   */
  add(file, name, password, folder = '', id = null) {
    const job = this.#open(file, name, file.size, folder);
    job.hash = id;
    return this.#run(job, () => this.#ingest(job, password), password);
  }

  /**
   * Fetches a file and adds it. One that is there already, or that comes, counts as added: a portal names its documents at every
   * visit, and may do so twice at once.
   * @param {URL} address @param {string} name @param {LinkOptions} options
   * @returns {Promise<LibraryDocument>}
   */
  async addLink(address, name, { signal, ...options }) {
    const job = this.#open(new Blob(), name, 0);
    job.address = address;
    const { maxBytes } = this.#host.limits();
    const add = async () => {
      await this.#download(job, address, { ...options, maxBytes });
      return this.#ingest(job, null);
    };
    try {
      return await this.#until(signal, job, () => this.#run(job, add));
    } catch (error) {
      if (job.same === null) throw error;
      await job.same.added;
      if (signal?.aborted) throw cancelled();
      return this.#host.document(job.same.id) ?? Promise.reject(error);
    }
  }

  /**
   * Adds the documents of a packed library that are not there yet, some at a time: cancelled, it leaves those that were added. One
   * that cannot be added is in the list with the reason, and keeps no other out. Of an address no more is fetched than is needed.
   * @param {Blob | URL} source @param {string} name @param {PackedOptions} options
   * @returns {Promise<LibraryDocument[]>} all of its documents that are there then, in its order
   */
  async addPacked(source, name, { signal, onFailed = () => {}, ...options }) {
    const job = this.#open(source instanceof Blob ? source : new Blob(), name, 0);
    job.isLibrary = true;
    const stop = job.controller.signal;
    const add = async () => {
      await this.#host.pool();
      // Loaded when it is needed: most pages open no such file.
      const { addDocuments, tableOfPresent } = await import('./packed-ingest.js');
      /** @type {import('./packed-ingest.js').PackedHost} */
      const host = {
        ...this.#host,
        present: (id) => this.#present(id),
        read: (file, title, folder) => this.#readPacked(this.#open(file, title, file.size, folder), stop),
        list: (title, bytes, error) => this.#listFailed(title, bytes, error),
        onFailed,
        onProgress: (done, total) => this.#at(job, { stage: 'saving', done, total }),
      };
      if (source instanceof URL) {
        const isEnough = tableOfPresent(host);
        await this.#download(job, source, { ...options, maxBytes: maxPackedBytes, isEnough });
      }
      job.bytes = job.file.size;
      return addDocuments(job.file, host, stop);
    };
    return this.#until(signal, job, () => this.#run(job, add));
  }

  /** Makes the file of a packed document one, in a job of its own, which ends with that of the library. @param {OpenJob} job @param {AbortSignal} signal */
  #readPacked(job, signal) {
    return this.#until(signal, job, () => this.#run(job, () => this.#ingest(job, null)));
  }

  /** A document of the library that can be read. @param {string} id */
  #present(id) {
    const present = this.#host.document(id);
    return present && !present.problem ? present : null;
  }

  /** Cancels a job where a signal says so. @template T @param {AbortSignal | undefined} signal @param {OpenJob} job @param {() => Promise<T>} work */
  async #until(signal, job, work) {
    const cancel = () => this.cancel(job.key);
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await work();
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Gives a locked file its password. @param {number} key @param {string} password */
  async unlock(key, password) {
    const job = this.#jobs.get(key);
    if (job?.stage !== 'locked') return;
    Object.assign(job, { stage: 'waiting', error: null });
    await this.#run(job, () => this.#ingest(job, password), password);
  }

  /** Ends a job. The list says "cancelled" until it is dismissed. @param {number} key */
  cancel(key) {
    const job = this.#jobs.get(key);
    if (!job || isOver(job)) return;
    job.stage = 'cancelled';
    job.controller.abort();
    this.#host.changed();
  }

  /** Ends the jobs that bring a document, without a word of them in the list: it is being taken out. @param {string} id */
  drop(id) {
    for (const job of this.#jobs.values()) {
      if (job.hash !== id || isOver(job)) continue;
      this.#jobs.delete(job.key);
      job.controller.abort();
    }
  }

  /** Lists as cancelled what was a document already. @param {string} name @param {number} bytes */
  listCancelled(name, bytes) {
    this.#open(new Blob(), name, bytes).stage = 'cancelled';
  }

  /** Lists as lost what was a document that nothing stored. @param {string} name @param {number} bytes */
  listLost(name, bytes) {
    const message = 'the engine stopped, and this document was not stored';
    this.#listFailed(name, bytes, new EngineError('document-lost', message));
  }

  /** Lists, without a name, that the browser has lost all of the library. */
  listLibraryLost() {
    this.#listFailed('', 0, new EngineError('library-lost', 'the browser has lost the stored library'));
  }

  /** @param {string} name @param {number} bytes @param {EngineError} error */
  #listFailed(name, bytes, error) {
    Object.assign(this.#open(new Blob(), name, bytes), { stage: 'failed', error: toPlain(error) });
  }

  /** Takes the message of a job that is over from the list. @param {number} key */
  dismiss(key) {
    const job = this.#jobs.get(key);
    if (!job || !isOver(job)) return;
    this.#jobs.delete(key);
    this.#host.changed();
  }

  /** Ends all jobs and forgets them. */
  clear() {
    for (const job of this.#jobs.values()) job.controller.abort();
    this.#jobs.clear();
  }

  /** @param {Blob} file @param {string} name @param {number} bytes */
  #open(file, name, bytes, folder = '') {
    /** @type {OpenJob} */
    const job = {
      key: this.#nextKey++,
      name,
      bytes,
      stage: 'waiting',
      done: 0,
      total: 0,
      error: null,
      isLibrary: false,
      wrongPassword: false,
      file,
      address: null,
      folder,
      controller: new AbortController(),
      hash: null,
      same: null,
      added: Promise.resolve(),
    };
    this.#jobs.set(job.key, job);
    this.#host.changed();
    return job;
  }

  /** @template T @param {OpenJob} job @param {() => Promise<T>} work @param {string | null} [password] @returns {Promise<T>} */
  #run(job, work, password = null) {
    const running = this.#finish(job, work, password);
    job.added = running;
    return running;
  }

  /** @template T @param {OpenJob} job @param {() => Promise<T>} work @param {string | null} password @returns {Promise<T>} */
  async #finish(job, work, password) {
    try {
      const result = await work();
      this.#jobs.delete(job.key);
      this.#host.changed();
      return result;
    } catch (error) {
      const plain = toPlain(error);
      if (plain.code === 'document-exists' && job.address !== null) this.#jobs.delete(job.key);
      else if (job.stage !== 'cancelled') {
        const isLocked = plain.code === 'pdf-encrypted' && !job.isLibrary;
        job.stage = plain.code === 'cancelled' ? 'cancelled' : isLocked ? 'locked' : 'failed';
        job.error = plain;
        job.wrongPassword = job.stage === 'locked' && password !== null;
      }
      this.#host.changed();
      throw error;
    }
  }

  /** @param {OpenJob} job @param {URL} address @param {Omit<Parameters<typeof import('./download.js').download>[1], 'signal' | 'onProgress'>} options */
  async #download(job, address, options) {
    const { signal } = job.controller;
    const onProgress = (/** @type {number} */ done, /** @type {number} */ total) =>
      this.#at(job, { stage: 'download', done, total });
    // Loaded when it is needed: a page whose documents are dropped fetches none.
    const { download } = await import('./download.js');
    job.file = await this.#downloads.run(1, signal, () =>
      download(address, { ...options, signal, onProgress }),
    );
    job.bytes = job.file.size;
  }

  /** @param {OpenJob} job @param {string | null} password */
  async #ingest(job, password) {
    const {
      file,
      name,
      controller: { signal },
    } = job;
    const { maxBytes, maxPages } = this.#host.limits();
    requireSize(file.size, maxBytes);
    const pool = await this.#host.pool();
    const { segment, info } = await this.#turns.run(file.size, signal, async () => {
      // Two equal files at once would both be parsed, so their bytes are compared first.
      const hash = await pool.run({ type: 'hash', file: await forWorkers(file) }, { signal });
      this.#refuseDuplicate(job, hash);
      return pool.run(
        { type: 'parse', file: await forWorkers(file), name, password, maxBytes, maxPages },
        { signal, onProgress: (progress) => this.#at(job, progress) },
      );
    });
    this.#refuseDuplicate(job, info.id);
    this.#at(job, { stage: 'saving', done: 0, total: 0 });
    const stored = info.nPages > 0 ? typed(file, 'application/pdf') : file.slice(0, file.size, file.type);
    const owner = this.#host.owner();
    const cancel = () => void owner.request({ type: 'cancel-commit', document: info.id }).catch(() => {});
    signal.addEventListener('abort', cancel, { once: true });
    const committed = await owner.request({
      type: 'commit',
      file: await forWorkers(stored),
      bytes: file.size,
      folder: job.folder,
      segment,
      info,
    });
    signal.removeEventListener('abort', cancel);
    if (signal.aborted && committed.isNew) {
      // It was stored before the owner heard of it.
      await owner.request({ type: 'remove', document: info.id });
      throw cancelled();
    }
    this.#host.onCommit(committed, password);
    return committed.document;
  }

  /** @param {OpenJob} job @param {{ stage: Job['stage'], done: number, total: number }} progress */
  #at(job, progress) {
    if (job.controller.signal.aborted) return;
    Object.assign(job, progress);
    this.#host.changed();
  }

  /** Refuses a file that is there, or that another job was found to bring before. @param {OpenJob} job @param {string | null} hash */
  #refuseDuplicate(job, hash) {
    if (hash === null) return;
    const present = this.#host.document(hash);
    // One that cannot be read is to be indexed again.
    if (present && !present.problem) {
      job.same = { id: hash, added: Promise.resolve() };
      throw new EngineError(
        'document-exists',
        'the same file is in the library already',
        `It is there as “${present.name}”.`,
      );
    }
    const others = [...this.#jobs.values()].filter((other) => other !== job);
    const coming = others.find((other) => other.hash === hash && !isOver(other));
    if (coming) {
      job.same = { id: hash, added: coming.added };
      throw new EngineError(
        'document-exists',
        'the same file is being added already',
        `It is being added as “${coming.name}”.`,
      );
    }
    job.hash = hash;
  }
}

/** A file under a media type. @param {Blob} file @param {string} type */
const typed = (file, type) => file.slice(0, file.size, type);

/** @param {Pick<Job, 'stage'>} job */
export function isOver({ stage }) {
  return stage === 'failed' || stage === 'locked' || stage === 'cancelled';
}

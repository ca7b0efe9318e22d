/**
 * Documents of a packed library on their way into the library: those that are not there yet are stored with their segments and
 * vectors, some at a time. A document that cannot be added is told with the reason and leaves nothing behind; the others are
 * added all the same.
 */

import { EngineError, cancelled, fromPlain, toPlain } from './errors.js';
import { forWorkers } from './files.js';
import { excessOf, packedDocuments, partsAhead } from './packed-library.js';

/** @typedef {import('./protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {import('./errors.js').PlainError} PlainError */
/** @typedef {import('./packed-library.js').PackedDocument} PackedDocument */
/** @typedef {import('./packed-library.js').PackedParts} PackedParts */
/** @typedef {{ document: PackedDocument, parts: PackedParts }} Whole */
/** @typedef {Map<string, LibraryDocument>} ById */

/**
 * Part of an ingest that adding the documents of a library needs.
 * @typedef {Pick<import('./ingest.js').IngestHost, 'owner' | 'limits' | 'model' | 'onCommit'> & {
 *   present: (id: string) => LibraryDocument | null,
 *   read: (file: Blob, name: string, folder: string) => Promise<LibraryDocument>,
 *   list: (name: string, bytes: number, error: EngineError) => void,
 *   onFailed: (error: PlainError, name: string) => void,
 *   onProgress: (done: number, total: number) => void,
 * }} PackedHost `present` finds a document that can be searched; `read` makes a file a document, and lists what it meets; `list` puts
 * a document that cannot be added into the list; the caller of the library is told by `onFailed`; `onProgress` counts documents
 */

/**
 * Tells of the beginning of a packed library whether it is enough: of its documents all that can be added are here. It looks at the
 * table once.
 * @param {PackedHost} host
 */
export function tableOfPresent(host) {
  const { maxBytes } = host.limits();
  let isRead = false;
  return async (/** @type {readonly BlobPart[]} */ head) => {
    if (isRead) return false;
    const documents = await packedDocuments(new Blob([...head]));
    isRead = documents !== null;
    return (
      documents?.every(
        (document) => host.present(document.file.sha256) || excessOf(document, maxBytes) !== null,
      ) ?? false
    );
  };
}

/**
 * Adds what is not there yet.
 * @param {Blob} library @param {PackedHost} host @param {AbortSignal} signal
 * @returns {Promise<LibraryDocument[]>} the documents of the packed library that are there then, in its order
 * @throws {EngineError} `packed-invalid` and `packed-version` of the library itself
 */
export async function addDocuments(library, host, signal) {
  const documents = await packedDocuments(library);
  if (documents === null) throw new EngineError('packed-invalid', 'the file ends within its table');
  if (signal.aborted) throw cancelled();
  const { maxBytes } = host.limits();
  /** @type {ById} */
  const here = new Map();
  const missing = documents.filter((document) => {
    const present = host.present(document.file.sha256);
    if (present) here.set(document.file.sha256, present);
    const excess = present ? null : excessOf(document, maxBytes);
    if (excess) fail(document, excess, host);
    return !present && !excess;
  });
  let left = missing.length;
  host.onProgress(documents.length - left, documents.length);
  for await (const some of partsAhead(library, missing)) {
    if (signal.aborted) throw cancelled();
    /** @type {Whole[]} */
    const whole = [];
    for (const { document, parts } of some) {
      if (parts) whole.push({ document, parts });
      else fail(document, damaged(document), host);
    }
    if (whole.length > 0) await addParts(whole, host, signal, here);
    left -= some.length;
    host.onProgress(documents.length - left, documents.length);
  }
  return documents.flatMap(({ file }) => here.get(file.sha256) ?? []);
}

/** Names a document that cannot be added, with the reason. @param {PackedDocument} document @param {EngineError} error @param {PackedHost} host */
function fail({ name, file }, error, host) {
  host.list(name, file.length, error);
  host.onFailed(toPlain(error), name);
}

/** The error of a document whose file is not the one that was packed. @param {PackedDocument} document */
function damaged({ file: { at, length } }) {
  return new EngineError(
    'packed-document',
    `bytes ${at} to ${at + length} of the library are not those that were packed`,
  );
}

/**
 * Stores documents together. One that another version has packed is read from its file, after the others.
 * @param {readonly Whole[]} some @param {PackedHost} host @param {AbortSignal} signal
 * @param {ById} here receives those that were added
 */
async function addParts(some, host, signal, here) {
  const commits = await Promise.all(some.map((each) => commitOf(each, host.model())));
  if (signal.aborted) throw cancelled();
  const replies = await host.owner().request({ type: 'commit-all', commits });
  for (const [at, reply] of replies.entries()) {
    if ('problem' in reply) continue;
    host.onCommit(reply, null);
    here.set(some[at]?.document.file.sha256 ?? '', reply.document);
  }
  for (const [at, { document, parts }] of some.entries()) {
    const reply = replies[at];
    if (!reply || !('problem' in reply) || here.has(document.file.sha256)) continue;
    if (signal.aborted) throw cancelled();
    if (['index-version', 'index-damaged'].includes(reply.problem.code)) {
      const { name, folder, file } = document;
      try {
        here.set(file.sha256, await host.read(parts.file, name, folder));
      } catch (error) {
        // It is in the list with what is wrong with it, such as a password that is asked for.
        if (signal.aborted) throw cancelled();
        host.onFailed(toPlain(error), name);
      }
    } else fail(document, fromPlain(reply.problem), host);
  }
  if (signal.aborted) throw cancelled();
}

/**
 * A document as the owner stores it. Vectors of another model are taken out when a model is loaded, so none come in afterwards.
 * @param {Whole} whole @param {string | null} model that is loaded
 * @returns {Promise<import('./protocol.js').Commit>}
 */
async function commitOf({ document: { name, folder, date, file: packed }, parts }, model) {
  const { file, segment, vectors } = parts;
  const isPdf = name.toLowerCase().endsWith('.pdf');
  return {
    file: await forWorkers(isPdf ? file.slice(0, file.size, 'application/pdf') : file),
    bytes: file.size,
    folder,
    segment,
    info: { id: packed.sha256, name, date },
    vectors: vectors.filter(({ fingerprint }) => model === null || fingerprint === model),
  };
}

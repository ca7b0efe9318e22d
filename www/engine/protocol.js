/**
 * Messages between the page and its workers: unions discriminated by `type`. Every request has an `id`;
 * a worker answers it with any number of `progress` and `document` events, then one `done` or `error`. `changed`
 * and `gone` have no id: another tab has changed the library. Nor has `fatal`: the worker's wasm instance is gone
 * and everything in flight with it. Nor has `alive`, which a worker says as it starts: it names a lock that the worker holds
 * as long as it lives, or none without Web Locks. There is no `cancel`: a parse or a batch is one long call into wasm, so cancelling
 * is ending the worker.
 *
 * Message types are a versioned surface: page and worker of different builds refuse each other (`build`).
 */

/** @typedef {import('pincite-wasm').DocumentInfo} DocumentInfo */
/** A citation. `library` is the host of the library on a server that its document lies in; absent where that is one of this browser.
 * Of such a document that did not come to be compared, `status` is `unchecked` at run time.
 * @typedef {import('pincite-wasm').Citation & { library?: string }} Citation */
/** @typedef {Omit<import('pincite-wasm').Answer, 'citations'> & { citations: Citation[] }} Answer */
/** @typedef {import('pincite-wasm').SearchReply} SearchReply */
/** @typedef {import('pincite-wasm').Filter} Filter */
/** @typedef {import('pincite-wasm').Need} Need */
/** @typedef {import('pincite-encoder').TokenMatches} TokenMatches */
/** @typedef {import('pincite-wasm').ModelRequest} ModelRequest */
/** @typedef {import('pincite-wasm').ProfileInfo} ProfileInfo */
/** @typedef {import('pincite-wasm').TextBlock} TextBlock */
/** @typedef {import('pincite-wasm').BlockRange} BlockRange */
/** @typedef {import('./errors.js').PlainError} PlainError */
/** @typedef {import('./store.js').Kept} Kept */
/** @typedef {import('./content.js').Content} Content */
/** @typedef {'auto' | 'exact' | 'hnsw'} Ann how vectors are searched: by a scan, by a graph, or by what pays */
/** @typedef {Readonly<Record<string, string[]>>} Glossary other words for terms of the question */

/** @typedef {{ glue: string, module: WebAssembly.Module }} ModuleAssets
 * a compiled module and the address of its glue, '' where the worker has that inside */

/** @typedef {string | Record<string, Uint8Array<ArrayBuffer> | string>} ModelFiles
 * the model: address of its folder, or of each file by name, or the files compressed by gzip */

/**
 * Module that the page gives a worker, or the reason why it cannot.
 * @template T
 * @typedef {{ assets: T, problem: null } | { assets: null, problem: PlainError }} Given
 */

/** @typedef {ModuleAssets & { relaxed: WebAssembly.Module | null }} EncoderAssets
 * the encoder, and products by relaxed SIMD where the browser has it */

/**
 * A document as the library lists it.
 * @typedef {object} LibraryDocument
 * @property {string} id sha256 of the file
 * @property {string} name the file's name, or one that tells it from another document of that name
 * @property {string | null} title
 * @property {number} nPages 0 for a document that has none: it is shown as text
 * @property {number} nToEmbed passages that get a vector: not those mostly in a script that the model cannot read
 * @property {number} nEmbedded those of them that have one
 * @property {DocumentInfo['diags']} diags
 * @property {number} bytes size of the file
 * @property {number} stored bytes that the browser keeps of it: file, segment, vectors
 * @property {number} addedAt milliseconds since the epoch
 * @property {number[]} missing first passages of the batches of which vectors are still to come
 * @property {boolean} kept false when storing failed: it lasts until the page is closed
 * @property {PlainError | null} problem why it cannot be searched (`index-version`, `index-damaged`)
 * @property {string} [library] host of the library on a server that it lies in; absent where that is this browser
 */

/** Passages in one stored batch of vectors. */
export const batchSize = 32;

/** Passages embedded or compared between two checks of the message queue: the longest that a question waits. */
export const microBatch = 2;

/** Passages that a GPU embeds between two checks of the message queue. */
export const gpuBatch = 32;

/** @typedef {{ done: number[], vectors: Float32Array, fingerprint: string, seconds: number, tokens: number, onGpu: boolean, lost: string | null }} Embedded
 * positions of the texts that were embedded, and their vectors in that order, not all when it was hurried; tokens of the
 * texts; and why the GPU was lost meanwhile, null where it was not */

/** @typedef {{ done: number, matches: TokenMatches[], seconds: number }} Compared number of passages that were compared,
 * from the first on, and how each matches; not all when it was hurried */

/** @typedef {{ vector: Float32Array, fingerprint: string }} QueryVector a question's, and the model's that made it */

/** @typedef {import('pincite-wasm').SearchOptions} SearchOptions */
/** @typedef {Pick<SearchOptions, 'units' | 'ann' | 'fusion' | 'k1' | 'b' | 'headerWeight' | 'denseWeight'>} RankingSettings */
/** @typedef {Pick<SearchOptions, 'k1' | 'b' | 'headerWeight' | 'denseWeight'>} AnswerRanking */
/** @typedef {{ settings: RankingSettings, ranker: string | null }} KeptRanking settings of every search, and a ranker of one's
 * own as LightGBM's text; null for those that ship */
/** @typedef {'kept' | 'shipped' | 'trial'} RankerChoice */

/**
 * @typedef {(
 *   | { type: 'try-search', query: string, vector: QueryVector | null, options: SearchOptions, ranker: RankerChoice }
 *   | { type: 'candidates', query: string, vector: QueryVector | null, options: SearchOptions }
 *   | { type: 'shipped-ranker' }
 *   | { type: 'try-ranker', ranker: string | null }
 *   | { type: 'keep-ranking', ranking: KeptRanking }
 * )} RankingRequest of the lab, to the worker that owns the index
 */

/** @typedef {{ file: Content, bytes: number, folder: string, segment: Uint8Array, info: Pick<DocumentInfo, 'id' | 'name' | 'date'>, vectors?: import('./store.js').VectorBatch[] }} Commit a file that becomes a document */
/** @typedef {{ document: LibraryDocument, isNew: boolean, namesake: string | null }} Committed `namesake` is the document added last before whose file has the same name */

/**
 * @typedef {(
 *   | { type: 'open', library: string | null, skip: string[] }
 *   | { type: 'commit' } & Commit
 *   | { type: 'commit-all', commits: Commit[] }
 *   | { type: 'cancel-commit', document: string }
 *   | { type: 'remove', document: string }
 *   | { type: 'restore', kept: Kept }
 *   | { type: 'passages', document: string, start: number, limit: number }
 *   | { type: 'text', document: string, start: number, limit: number }
 *   | { type: 'unembedded', document: string, start: number, limit: number }
 *   | { type: 'put-vectors', document: string, rows: number[], vectors: Float32Array, fingerprint: string }
 *   | { type: 'use-model', fingerprint: string }
 *   | { type: 'graph-points', ann: Ann }
 *   | { type: 'set-graph', links: Uint8Array }
 *   | { type: 'ask-begin', question: string, history: { question: string, answer: string }[], profile: string | null, glossary: Glossary, model: boolean, filter: Filter | null, ann: Ann, ranking?: AnswerRanking }
 *   | { type: 'ask-wanted', ask: number }
 *   | { type: 'ask-search', ask: number, vector: QueryVector | null }
 *   | { type: 'ask-compared', ask: number, matches: (TokenMatches | null)[] }
 *   | { type: 'ask-reply', ask: number, reply?: { text: string, finish: string }, fault?: { code: string, message: string, lasts: boolean } }
 *   | { type: 'ask-end', ask: number }
 *   | { type: 'ask-drop', ask: number }
 *   | { type: 'profiles' }
 *   | { type: 'read-profile', file: string }
 *   | { type: 'search', query: string, vector: QueryVector | null, k: number, filter: Filter | null, glossary: Glossary, ann: Ann }
 *   | RankingRequest
 *   | { type: 'file', document: string }
 *   | { type: 'stored', document: string }
 *   | { type: 'usage' }
 *   | { type: 'clear' }
 *   | { type: 'stats' }
 * )} OwnerRequest to the worker that owns the index
 */

/**
 * @typedef {(
 *   | { type: 'hash', file: Content }
 *   | { type: 'parse', file: Content, name: string, password: string | null, maxBytes: number, maxPages: number }
 *   | { type: 'take-ingest', given: Given<ModuleAssets> }
 *   | { type: 'take-encoder', given: Given<EncoderAssets> }
 *   | { type: 'warm' }
 *   | { type: 'embed', texts: string[] }
 *   | { type: 'embed-first', texts: string[] }
 *   | { type: 'compare', query: string, passages: string[][] }
 *   | { type: 'hurry' }
 *   | { type: 'embed-query', text: string }
 *   | { type: 'try-gpu', always: boolean, rate: number }
 *   | { type: 'release-gpu' }
 *   | { type: 'link-graph', points: Uint8Array }
 * )} PoolRequest to a worker of the pool
 */

/**
 * Reply to each request.
 * @typedef {object} Replies
 * @property {{ persistent: boolean, formatVersion: number, version: string }} open
 * @property {Committed} commit fails with `cancelled` when it was cancelled in time
 * @property {(Committed | { problem: PlainError })[]} commit-all in order; one with a problem does not keep the others out
 * @property {null} cancel-commit
 * @property {Kept | null} remove all that is needed to restore it
 * @property {LibraryDocument | null} restore
 * @property {string[]} passages
 * @property {TextBlock[]} text
 * @property {{ rows: number[], texts: string[] }} unembedded the passages without vectors among those asked for
 * @property {LibraryDocument | null} put-vectors
 * @property {LibraryDocument[]} use-model the documents whose vectors were of another model and are gone
 * @property {Uint8Array | null} graph-points null where a graph would not pay
 * @property {null} set-graph
 * @property {{ ask: number, need: Need }} ask-begin a question being answered, by its number
 * @property {import('pincite-wasm').WantedPassage[]} ask-wanted passages that the search would have vectors of, best first
 * @property {Need} ask-search
 * @property {Need} ask-compared matches in the order of the passages; null, or missing at the end: not compared
 * @property {Need} ask-reply
 * @property {Answer} ask-end the answer; its number is free again
 * @property {null} ask-drop
 * @property {ProfileInfo[]} profiles
 * @property {ProfileInfo} read-profile fails with `profile-invalid`
 * @property {SearchReply} search
 * @property {SearchReply} try-search with settings and a ranker of its own
 * @property {import('pincite-wasm').Candidates} candidates
 * @property {string} shipped-ranker as LightGBM's text
 * @property {null} try-ranker sets the ranker on trial; fails with `bad-argument`
 * @property {null} keep-ranking sets what every search uses from now on, and keeps it beside the library
 * @property {Content | null} file
 * @property {Kept | null} stored all that is stored of a document
 * @property {{ documents: number, used: number, quota: number, persistent: boolean }} usage
 * @property {null} clear
 * @property {OwnerStats} stats
 * @property {string | null} hash sha256 of the file; null where the page is not in a secure context
 * @property {{ segment: Uint8Array, info: DocumentInfo }} parse
 * @property {null} take-ingest the module that files are read with, which tasks wait for, or the reason why there is none
 * @property {null} take-encoder the encoder, which tasks with the model wait for, or the reason why there is none
 * @property {{ fingerprint: string, dimensions: number }} warm
 * @property {Embedded} embed
 * @property {Embedded} embed-first in the order of the texts
 * @property {Compared} compare
 * @property {null} hurry ends the batch or the comparison that is under way: what is done of it is its result
 * @property {QueryVector} embed-query
 * @property {import('./gpu/trial.js').Refusal | null} try-gpu null where the GPU embeds from now on
 * @property {null} release-gpu
 * @property {Uint8Array} link-graph
 */

/** @typedef {{ tasks: number, p95: number, longest: number, longestTask: string, graphs: number }} OwnerStats times in milliseconds; `graphs` that were set */
/** @typedef {{ stage: ParseStage, done: number, total: number }} Progress */
/** @typedef {'load' | 'pages' | 'layout' | 'chunks' | 'index'} ParseStage */

/**
 * @typedef {{ role: 'owner', engine: ModuleAssets, model: ModelFiles } | { role: 'pool', model: ModelFiles }} Start
 * what a worker starts with
 */
/** @typedef {{ type: 'init', start: Start, build: string }} Init the first message to a worker */
/** @typedef {(OwnerRequest | PoolRequest) & { id: number }} Request */

/**
 * @typedef {(
 *   | { type: 'ready' }
 *   | { type: 'alive', lock: string | null }
 *   | { type: 'progress', id: number, progress: Progress }
 *   | { type: 'document', id: number, document: LibraryDocument }
 *   | { type: 'changed', document: LibraryDocument }
 *   | { type: 'gone', document: string }
 *   | { type: 'done', id: number, result: unknown }
 *   | { type: 'error', id: number, error: PlainError }
 *   | { type: 'fatal', message: string, document: string | null }
 * )} Event from a worker
 */

/** Replaced by the build with a hash of the sources; a worker of another build is refused. */
export const build = 'source';

/**
 * The buffers that a message hands over instead of copying.
 * @param {unknown} value a request or a result
 * @returns {Transferable[]}
 */
export function transfers(value) {
  if (typeof value !== 'object' || value === null) return [];
  /** @type {Transferable[]} */
  const found = [];
  for (const part of [value, ...Object.values(value)]) {
    // A view of wasm memory never gets here: the glue copies what it returns. A view of part of a buffer is copied.
    if (
      ArrayBuffer.isView(part) &&
      part.buffer instanceof ArrayBuffer &&
      part.byteLength === part.buffer.byteLength
    ) {
      found.push(part.buffer);
    }
  }
  return found;
}

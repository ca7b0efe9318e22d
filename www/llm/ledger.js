/**
 * Ledger of what leaves the machine: one entry for every request that the page makes to an endpoint or a library on a server,
 * retries and connection checks included, made before the request is sent. An entry says where it went (never the query or
 * a key), when, how many bytes of body each way, which passages were in it, and how it ended. It holds no text.
 *
 * The list is bounded; what drops out of it is still counted in the totals.
 */

/**
 * @typedef {object} SentPassage words of a document that were in a request
 * @property {string} document its name
 * @property {string} [documentId] sha256 of its file
 * @property {number | null} page
 * @property {string | null} [pageLabel] printed label of that page, if the file has one
 * @property {string[]} sectionPath
 */

/**
 * @typedef {object} LedgerEntry
 * @property {number} id from 1
 * @property {number} at milliseconds since the epoch
 * @property {string} endpoint its name
 * @property {string} where origin and path; `this device` for a model out of a file, `this site` for what the page around the
 *   widget carries itself, `this browser` for its own model, `an agent of this browser` for what such a one was given: nobody here
 *   knows where these run
 * @property {'GET' | 'POST' | 'HEAD' | 'local' | 'browser' | 'given' | 'agent'} method `agent`: asked for by an agent of the browser, and given to it
 * @property {string} step of the answer, or `check`; `library-list`, `library-ask` or `library-document` of a library
 * @property {number | null} call the request's number in its answer
 * @property {number} attempt from 1
 * @property {SentPassage[]} passages those of documents, and those that earlier turns in it cite
 * @property {number} turns earlier questions and answers in it
 * @property {number} bytesOut of the body
 * @property {number} bytesIn of the body, unpacked where it came compressed
 * @property {number | null} status of HTTP
 * @property {string} outcome `open` until it has ended, then `ok` or the code of the error
 * @property {number | null} ms how long it took
 */

/** @typedef {{ requests: number, bytesOut: number, bytesIn: number }} LedgerTotals bytes that stayed on the device are none */

/** Places of requests that have no address, by their method. @type {Readonly<Record<string, string>>} */
const places = { given: 'this site', browser: 'this browser', agent: 'an agent of this browser' };

/** Fired on every change of the list. */
export class LedgerEvent extends Event {
  constructor() {
    super('change');
  }
}

/** Entries that are kept. */
export const maxEntries = 1000;

export class Ledger extends EventTarget {
  /** @type {LedgerEntry[]} */
  #entries = [];
  /** @type {LedgerTotals} */
  #totals = { requests: 0, bytesOut: 0, bytesIn: 0 };
  #left = 0;
  #max;
  #now;

  /** @param {{ max?: number, now?: () => number }} [options] */
  constructor({ max = maxEntries, now = Date.now } = {}) {
    super();
    this.#max = max;
    this.#now = now;
  }

  /** Oldest first. @returns {readonly Readonly<LedgerEntry>[]} */
  get entries() {
    return this.#entries.map((entry) => ({ ...entry }));
  }

  /** Of all requests, also those that are no longer listed. @returns {Readonly<LedgerTotals>} */
  get totals() {
    return { ...this.#totals };
  }

  /**
   * Lists a request that is about to be sent.
   * @param {Pick<LedgerEntry, 'endpoint' | 'method' | 'step' | 'call' | 'attempt' | 'passages' | 'bytesOut'> & { url: URL | null, turns?: number }} request
   * @returns {Entry}
   */
  begin({ endpoint, url, method, step, call, attempt, passages, turns = 0, bytesOut }) {
    this.#totals.requests += 1;
    this.#totals.bytesOut += bytesOut;
    if (method !== 'local') this.#left += 1;
    const at = this.#now();
    /** @type {LedgerEntry} */
    const entry = {
      id: this.#totals.requests,
      at,
      endpoint,
      where: url ? url.origin + url.pathname : (places[method] ?? 'this device'),
      method,
      step,
      call,
      attempt,
      passages: passages.map(({ document, documentId, page, pageLabel, sectionPath }) => ({
        document,
        ...(documentId ? { documentId } : {}),
        page,
        ...(pageLabel ? { pageLabel } : {}),
        sectionPath: [...sectionPath],
      })),
      turns,
      bytesOut,
      bytesIn: 0,
      status: null,
      outcome: 'open',
      ms: null,
    };
    this.#entries.push(entry);
    if (this.#entries.length > this.#max) this.#entries.splice(0, this.#entries.length - this.#max);
    this.dispatchEvent(new LedgerEvent());
    return {
      status: (status) => {
        entry.status = status;
      },
      received: (bytes) => {
        entry.bytesIn += bytes;
        this.#totals.bytesIn += bytes;
      },
      end: (outcome) => {
        if (entry.outcome !== 'open') return;
        entry.outcome = outcome;
        entry.ms = this.#now() - at;
        this.dispatchEvent(new LedgerEvent());
      },
    };
  }

  /** True if any request went elsewhere than to a model on this device. */
  get hasLeft() {
    return this.#left > 0;
  }

  /** Empties the list; the totals stay. */
  clear() {
    this.#entries = [];
    this.dispatchEvent(new LedgerEvent());
  }

  /** Form for `JSON.stringify`. */
  toJSON() {
    return {
      format: 'pincite-egress-1',
      totals: this.totals,
      unlisted: this.#totals.requests - this.#entries.length,
      entries: this.#entries.map((entry) => ({ ...entry, at: new Date(entry.at).toISOString() })),
    };
  }
}

/**
 * @typedef {object} Entry what is told of a request under way
 * @property {(status: number) => void} status
 * @property {(bytes: number) => void} received
 * @property {(outcome: string) => void} end
 */

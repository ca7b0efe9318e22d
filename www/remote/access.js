/**
 * Requests to a library on a server, by `llm/transport.js`: only its origin is asked, no redirect followed, no cookie sent, each
 * request in the ledger. The token comes from the page around, is held in memory, sent in the header alone, and asked for
 * again once when the server no longer takes it, however many requests find that out at the same time.
 */

import { LibraryError, libraryError } from './errors.js';

/** @typedef {import('../llm/transport.js').Incoming} Incoming */
/** @typedef {typeof import('../llm/transport.js').send} Send */
/** @typedef {() => string | Promise<string>} TokenSource */

/**
 * @typedef {object} LibraryRequest
 * @property {string} path below `/v1/`
 * @property {'GET' | 'POST' | 'HEAD'} method
 * @property {string} step as the ledger has it
 * @property {unknown} [body] sent as JSON
 * @property {number} [turns] earlier questions in it
 * @property {Record<string, string>} [headers]
 * @property {number} maxBytes of the reply
 * @property {number} [waitMs] until the reply begins, and between two pieces of it
 * @property {number} [wholeMs] of the whole
 * @property {AbortSignal | null} signal
 */

/** @typedef {Incoming & { status: number, headers: Headers }} Reply */

/** Longest token, in characters. */
const maxToken = 16_384;
/** A report of the policy comes after the request has failed, in a task of its own. */
const reportMs = 60;

/** Fault of a token, in words of our own. */
class TokenError extends Error {}

export class Access {
  #root;
  #token;
  #tokenMs;
  #send;
  #ledger;
  /** The token in use. @type {Promise<string> | null} */
  #held = null;
  #isForbidden = false;
  #onViolation = (/** @type {SecurityPolicyViolationEvent} */ event) => {
    if (event.effectiveDirective === 'connect-src' && event.blockedURI.startsWith(this.#root.origin))
      this.#isForbidden = true;
  };

  /**
   * @param {object} options
   * @param {URL} options.root
   * @param {TokenSource | null} options.token null for a server that asks for none
   * @param {Send} options.send
   * @param {import('../llm/ledger.js').Ledger} options.ledger
   * @param {number} [options.tokenMs] time for a token, in milliseconds
   */
  constructor({ root, token, send, ledger, tokenMs = 30_000 }) {
    this.#tokenMs = tokenMs;
    this.#root = root;
    this.#token = token;
    this.#send = send;
    this.#ledger = ledger;
    globalThis.document?.addEventListener('securitypolicyviolation', this.#onViolation);
  }

  close() {
    this.#held = null;
    globalThis.document?.removeEventListener('securitypolicyviolation', this.#onViolation);
  }

  /**
   * Sends a request and hands its reply to `use`, which reads it. Where the token has expired, also in the middle of a reply,
   * the request is sent once more with a new one, and `use` reads again from the beginning.
   * @template T
   * @param {LibraryRequest} request
   * @param {(reply: Reply) => Promise<T>} use
   * @returns {Promise<T>}
   * @throws {LibraryError}
   */
  async request(request, use) {
    for (let attempt = 1; ; attempt += 1) {
      const used = this.#tokenInUse();
      try {
        return await this.#once(request, await until(used, request.signal), attempt, use);
      } catch (error) {
        const failure = libraryError(error);
        if (failure.reason !== 'unauthorized' || this.#token === null || attempt > 1)
          throw await this.#explained(failure);
        if (this.#held === used) this.#held = null;
      }
    }
  }

  /**
   * A reply of JSON, read.
   * @template T
   * @param {LibraryRequest} request
   * @param {(value: unknown) => T} read throws where it is of another shape
   * @returns {Promise<T>}
   */
  json(request, read) {
    return this.request(request, async ({ type, read: bytes }) => {
      if (type !== 'application/json')
        throw new LibraryError('bad-reply', `expected JSON, found ${type || 'no media type'}`);
      const parts = [];
      for await (const part of bytes()) parts.push(part);
      const text = new TextDecoder('utf-8', { fatal: true }).decode(joined(parts));
      return readBy(read, JSON.parse(text));
    });
  }

  /** @template T @param {LibraryRequest} request @param {string} token @param {number} attempt @param {(reply: Reply) => Promise<T>} use */
  async #once({ path, waitMs = 30_000, wholeMs = 120_000, maxBytes, ...request }, token, attempt, use) {
    const url = new URL(path, this.#root);
    if (!url.href.startsWith(this.#root.href))
      throw new LibraryError('address', 'only the library’s own addresses are asked');
    let told = { status: 0, headers: new Headers() };
    const endpoint = {
      name: 'library',
      stream: true,
      timeoutMs: wholeMs,
      firstByteMs: waitMs,
      stallMs: waitMs,
      maxReplyBytes: maxBytes,
      scrub: (/** @type {string} */ text) => (token === '' ? text : text.replaceAll(token, '•••')),
      sign: (/** @type {URL} */ { href }) => ({
        address: href,
        headers: /** @type {Record<string, string>} */ (
          token === '' ? {} : { authorization: `Bearer ${token}` }
        ),
      }),
    };
    const exchange = {
      ...request,
      headers: { accept: 'application/json', ...request.headers },
      endpoint,
      url,
      call: null,
      attempt,
      passages: [],
      deadline: Date.now() + wholeMs,
      onReply: (/** @type {typeof told} */ reply) => {
        told = reply;
      },
    };
    const world = { fetch: globalThis.fetch, ledger: this.#ledger, now: Date.now };
    try {
      return await this.#send(exchange, world, (incoming) =>
        use({ ...incoming, status: told.status, headers: told.headers }),
      );
    } catch (error) {
      throw libraryError(error, told.headers.get('x-request-id') ?? '');
    }
  }

  /** The token in use; the page around is asked for one where there is none. */
  #tokenInUse() {
    this.#held ??= this.#fresh();
    const held = this.#held;
    held.catch(() => {
      if (this.#held === held) this.#held = null;
    });
    return held;
  }

  /** @returns {Promise<string>} empty where the server asks for none */
  async #fresh() {
    if (this.#token === null) return '';
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let clock;
    const late = new Promise((_, reject) => {
      clock = setTimeout(() => reject(new TokenError('it took too long')), this.#tokenMs);
    });
    try {
      const token = await Promise.race([Promise.resolve(this.#token()), late]);
      // What a header cannot carry would fail with the token in the message.
      if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token.trim()) || token.length > maxToken)
        throw new TokenError('it is no text that a header can carry');
      return token.trim();
    } catch (error) {
      // What the page's own function throws may hold anything.
      const why = error instanceof TokenError ? error.message : 'its function failed';
      throw new LibraryError('token', `the page gave no token: ${why}`);
    } finally {
      clearTimeout(clock);
    }
  }

  /** Says why nothing was reached, as far as the page can know. @param {LibraryError} error */
  async #explained(error) {
    if (error.reason !== 'unreachable') return error;
    await new Promise((resolve) =>
      setTimeout(resolve, globalThis.document && !this.#isForbidden ? reportMs : 0),
    );
    if (this.#isForbidden)
      return new LibraryError('policy', 'the policy of the page does not allow requests to the library');
    return globalThis.navigator?.onLine === false
      ? new LibraryError('offline', 'this device has no network')
      : error;
  }
}

/** What a reader makes of a value; what it refuses is a reply that is not of the protocol. @template T @param {(value: unknown) => T} read @param {unknown} value */
export function readBy(read, value) {
  try {
    return read(value);
  } catch (error) {
    if (error instanceof LibraryError) throw error;
    throw new LibraryError('bad-reply', error instanceof Error ? error.message : 'it is of another shape');
  }
}

/** @param {readonly Uint8Array[]} parts */
export function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @template T @param {Promise<T>} promise @param {AbortSignal | null} signal @returns {Promise<T>} */
function until(promise, signal) {
  if (signal === null) return promise;
  return new Promise((resolve, reject) => {
    const stop = () => reject(new LibraryError('cancelled', 'cancelled'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

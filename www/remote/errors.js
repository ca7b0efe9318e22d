/**
 * Errors of a library on a server. A program acts on the reason; the words for a person are in `strings/remote/`. No message
 * holds a token or text of a document; what the server says itself is in `detail`, shortened, and shown as a text only.
 */

/** Why a library, or a document of it, cannot be had. */
export const libraryReasons = /** @type {const} */ ([
  'address', // the address is none that may be asked
  'token', // the page around gave no token
  'unauthorized', // the server takes neither the token nor a new one
  'forbidden', // the token does not allow this
  'not-found', // nothing of this protocol is at this address
  'document-unknown', // the library has no such document, or none that the person may see
  'rate-limited', // too many requests: later
  'unavailable', // the server's store cannot be reached: later
  'timeout', // the server took longer than it, or we, allow
  'server-error', // the server failed
  'refused', // the server does not take the request as it is
  'offline', // this device has no network
  'unreachable', // nobody answered, or the browser did not let the page see the answer
  'policy', // the policy of the page does not allow requests to this server
  'cut-off', // the connection broke in the middle of the answer
  'bad-reply', // the answer is not of the protocol
  'too-large', // the answer is longer than is taken
  'changed', // a document is no longer the one that was cited
  'cancelled',
]);

/** @typedef {typeof libraryReasons[number]} LibraryReason */

/** Reasons that may be gone a little later. @type {ReadonlySet<LibraryReason>} */
const passing = new Set([
  'rate-limited',
  'unavailable',
  'timeout',
  'server-error',
  'offline',
  'unreachable',
  'cut-off',
]);

/** Most characters of a server's own words, and the longest wait that it may ask for, in milliseconds. */
const maxDetail = 300;
const maxWaitMs = 120_000;

export class LibraryError extends Error {
  /**
   * @param {LibraryReason} reason
   * @param {string} message lower case, no full stop: what was found, what was expected
   * @param {object} [options]
   * @param {string} [options.detail] the server's own words
   * @param {string} [options.requestId] by which the server's log has it
   * @param {number | null} [options.retryAfterMs] how long the server asks us to wait
   * @param {string} [options.hint] what the person can do
   */
  constructor(reason, message, { detail = '', requestId = '', retryAfterMs = null, hint = '' } = {}) {
    super(message);
    this.name = 'LibraryError';
    /** As the page's own errors have it. @type {'cancelled' | 'library-failed'} */
    this.code = reason === 'cancelled' ? 'cancelled' : 'library-failed';
    this.reason = reason;
    this.hint = hint;
    /** All that a person is told; empty until it is put into words. */
    this.told = '';
    this.detail = shown(detail);
    this.requestId = /^[\w.:-]{1,80}$/.test(requestId) ? requestId : '';
    this.retryAfterMs = retryAfterMs === null ? null : Math.min(maxWaitMs, retryAfterMs);
    this.isPassing = passing.has(reason);
  }
}

/** A server's words without what would change how others are read, and short enough to show. @param {string} text */
function shown(text) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ');
  return plain.trim().slice(0, maxDetail);
}

/** @type {Readonly<Record<number, LibraryReason>>} */
const byStatus = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  405: 'not-found',
  410: 'not-found',
  408: 'timeout',
  429: 'rate-limited',
  503: 'unavailable',
  504: 'timeout',
};

/** Codes of the server that say more than the status, or stand inside of an answer that has begun. @type {Readonly<Record<string, LibraryReason>>} */
const byCode = {
  unauthorized: 'unauthorized',
  'token-expired': 'unauthorized',
  forbidden: 'forbidden',
  'document-unknown': 'document-unknown',
  'file-missing': 'document-unknown',
  'bad-argument': 'refused',
  'limit-exceeded': 'refused',
  'rate-limited': 'rate-limited',
  'store-unavailable': 'unavailable',
  'issuer-unavailable': 'unavailable',
  'audit-unavailable': 'unavailable',
  overloaded: 'unavailable',
  'shutting-down': 'unavailable',
  timeout: 'timeout',
};

/** Codes of `llm/errors.js`, as the transport throws them. @type {Readonly<Record<string, LibraryReason>>} */
const byTransport = {
  network: 'unreachable',
  timeout: 'timeout',
  stalled: 'timeout',
  'cut-off': 'cut-off',
  'too-large': 'too-large',
  cancelled: 'cancelled',
};

/** An error that the server tells inside of its answer. @param {{ code: string, message: string, requestId?: string }} told */
export function toldError({ code, message, requestId = '' }) {
  const reason = Object.hasOwn(byCode, code) ? byCode[code] : undefined;
  return new LibraryError(
    reason ?? 'server-error',
    `the server told of an error of the code ${shown(code)}`,
    {
      detail: message,
      requestId,
    },
  );
}

/**
 * Anything thrown by a request, as an error of the library.
 * @param {unknown} thrown
 * @param {string} [requestId]
 * @returns {LibraryError}
 */
export function libraryError(thrown, requestId = '') {
  if (thrown instanceof LibraryError) return thrown;
  const {
    code,
    status,
    detail,
    retryAfterMs,
    message,
    kind = '',
  } = /** @type {Partial<import('../llm/errors.js').LlmError>} */ (thrown);
  const said = typeof message === 'string' ? message : String(thrown);
  const options = { detail: detail ?? '', requestId, retryAfterMs: retryAfterMs ?? null };
  if (typeof status === 'number') {
    const told = Object.hasOwn(byCode, kind) ? byCode[kind] : undefined;
    const reason = told ?? byStatus[status] ?? (status >= 500 ? 'server-error' : 'refused');
    return new LibraryError(reason, `the server answered with the status ${status}`, options);
  }
  const reason = typeof code === 'string' && Object.hasOwn(byTransport, code) ? byTransport[code] : undefined;
  return new LibraryError(reason ?? 'bad-reply', said, options);
}

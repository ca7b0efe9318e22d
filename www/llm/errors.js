/**
 * Errors of endpoints. Servers fail in many dialects; the caller gets one kind of error with a code, a reason, and
 * whether a repeated request can help. Programs act on the code; the words for a person are in `strings/`, by reason.
 * No message holds a key, the query of an address or text of a document. The server's own words are in `detail`,
 * shortened and without secrets.
 */

/** Codes of faults of a request to a model. */
export const llmCodes = /** @type {const} */ ([
  'bad-config', // the endpoint as configured cannot be asked: its address, or a key over an open line
  'unavailable', // this browser or device has no such model
  'network', // nobody answered, or the browser did not let the page see the answer
  'timeout', // the whole request took longer than allowed
  'stalled', // the server stopped sending in the middle
  'unauthorized', // the key is missing, wrong or not allowed this
  'wrong-path', // something answers there, but not this protocol
  'model-unknown', // the server does not have the model
  'rate-limited', // too many requests: later
  'quota', // no credit left: not later either
  'server-error', // the server failed
  'bad-request', // the server refused the request as such
  'too-long', // the prompt is longer than the model takes
  'bad-reply', // the answer is not of the protocol
  'cut-off', // the answer ended in the middle
  'too-large', // the answer is longer than we take
  'cancelled',
]);

/** @typedef {typeof llmCodes[number]} LlmCode */

/** Finer reasons, by which a fault is told to a person where its code says too little. Those without a remark are of `bad-config`. */
export const llmReasons = /** @type {const} */ ([
  'address-missing',
  'address-scheme',
  'address-invalid',
  'address-credentials',
  'address-redirected',
  'key-over-http',
  'key-missing', // of an endpoint that was remembered without it
  'header-reserved',
  'header-form',
  'header-characters',
  'model-name-missing',
  'no-endpoint',
  'endpoint-unknown', // the profile names one that is not set up
  'name-missing',
  'name-long',
  'name-taken',
  'name-exists',
  'too-many-endpoints',
  // of a model on this device, all `unavailable`
  'model-file-missing', // none was opened, or it was removed
  'file-not-gguf',
  'file-damaged',
  'file-split', // parts are missing, or several models were chosen
  'architecture-unknown',
  'memory-short', // known before it is loaded
  'memory-out', // found while it was loaded or asked
  'browser-lacks',
  'runtime-missing', // the page in one file has no program that runs models, and was given none or another
  'runtime-unreachable',
  'model-failed',
]);

/** @typedef {LlmCode | typeof llmReasons[number]} LlmReason */

/** Codes for which the same request can succeed a little later. */
const passing = new Set(['network', 'stalled', 'rate-limited', 'server-error', 'bad-reply', 'cut-off']);

/** Codes for which any other request to the endpoint would fail too. @type {ReadonlySet<LlmCode>} */
const lasting = new Set([
  'bad-config',
  'unavailable',
  'network',
  'unauthorized',
  'wrong-path',
  'model-unknown',
  'quota',
]);

export class LlmError extends Error {
  /**
   * @param {LlmCode} code
   * @param {string} message lower case, no full stop, no text of documents: what was found, what was expected
   * @param {object} [options]
   * @param {LlmReason} [options.reason] by which the words for a person are chosen; the code when absent
   * @param {{ seconds?: number, endpoint?: string, parts?: number, needed?: number, allowed?: number }} [options.values] what those words say besides
   * @param {number | null} [options.status] of HTTP
   * @param {boolean} [options.retryable] where the code alone does not tell
   * @param {number | null} [options.retryAfterMs] how long the server asks us to wait
   * @param {string} [options.detail] the server's own words
   */
  constructor(
    code,
    message,
    { reason = code, values = {}, status = null, retryable, retryAfterMs = null, detail = '' } = {},
  ) {
    super(message);
    this.name = 'LlmError';
    this.code = code;
    this.reason = reason;
    this.values = values;
    this.status = status;
    this.retryable = retryable ?? passing.has(code);
    this.lasts = lasting.has(code);
    this.retryAfterMs = retryAfterMs;
    this.detail = detail;
    /** The server's own code; empty where it gives none. */
    this.kind = '';
  }
}

/** @param {string} [message] */
export function cancelled(message = 'cancelled') {
  return new LlmError('cancelled', message);
}

/**
 * Takes secrets out of a text and makes it short enough to show. Common shapes of keys go too: a server may
 * repeat a key that another program gave it.
 * @param {readonly string[]} secrets
 * @returns {(text: string) => string}
 */
export function scrubber(secrets) {
  const forms = secrets
    .filter((secret) => secret.length >= 3)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const form of forms) clean = clean.replaceAll(form, '•••');
    return (
      clean
        .replace(/\b(?:sk|pk|key|gsk|xai)-[\w-]{6,}/g, '•••')
        .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, '$1 •••')
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
        .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ')
        .trim()
        .slice(0, maxDetail)
    );
  };
}

/** Characters of a server's words that are kept. */
const maxDetail = 300;

/**
 * Reads a server's account of a failure, in any of the forms in use: `{error: {message, type, code, param}}`,
 * `{error: "…"}`, `{object: "error", message, …}`, `{type: "error", error: {…}}`, `{detail: "…"}`, `{message}`.
 * @param {unknown} body parsed JSON
 * @returns {{ message: string, kind: string, param: string } | null} null where it says none
 */
export function readFailure(body) {
  if (typeof body !== 'object' || body === null) return null;
  const outer = /** @type {Record<string, unknown>} */ (body);
  const inner =
    outer['error'] ??
    (outer['object'] === 'error' || outer['type'] === 'error' ? outer : (outer['detail'] ?? null));
  if (Array.isArray(inner)) {
    // FastAPI: a list of complaints. Their `input` is ours and stays out.
    const complaints = inner.slice(0, 5).map((each) => `${[each?.loc].flat().join('.')}: ${each?.msg ?? ''}`);
    return { message: complaints.join('; '), kind: '', param: '' };
  }
  if (typeof inner === 'string') return { message: inner, kind: '', param: '' };
  if (typeof inner === 'object' && inner !== null) {
    const { message, type, code, param } = /** @type {Record<string, unknown>} */ (inner);
    const kind = [type, code]
      .filter((part) => typeof part === 'string' || typeof part === 'number')
      .join(' ');
    return {
      message: typeof message === 'string' ? message : '',
      kind,
      param: typeof param === 'string' ? param : '',
    };
  }
  return null;
}

/**
 * The error for a status of HTTP, or for a failure told inside of a stream (status 200), by what is said of it.
 * @param {number} status
 * @param {{ message: string, kind: string, param: string } | null} failure
 * @param {object} options
 * @param {(text: string) => string} options.scrub
 * @param {number | null} [options.retryAfterMs]
 */
export function fromStatus(status, failure, { scrub, retryAfterMs = null }) {
  const { code, message, reason = code } = classify(status, failure);
  return new LlmError(code, message, { reason, status, retryAfterMs, detail: scrub(failure?.message ?? '') });
}

/**
 * @param {number} status
 * @param {{ message: string, kind: string, param: string } | null} failure
 * @returns {{ code: LlmCode, message: string, reason?: LlmReason }}
 */
function classify(status, failure) {
  const kind = failure?.kind.toLowerCase() ?? '';
  const said = `${kind} ${failure?.message.toLowerCase() ?? ''}`;
  // Of too many requests some servers say how more can be bought.
  const busy = status === 429 || status >= 500;
  if (
    /insufficient_quota|credit balance|exceeded your current quota/.test(said) ||
    (!busy && /billing/.test(said)) ||
    status === 402
  ) {
    return { code: 'quota', message: 'the account has no credit left' };
  }
  if (
    /context_length|context length|context window|maximum context|prompt is too long|exceed_context/.test(
      said,
    ) ||
    status === 413
  ) {
    return { code: 'too-long', message: 'the request is longer than the model takes' };
  }
  if (status === 429 || /rate_limit|rate limit|\b429\b/.test(kind)) {
    return { code: 'rate-limited', message: 'too many requests' };
  }
  if (status === 401 || status === 403 || /authentication|permission|invalid_api_key|\b401\b/.test(kind)) {
    return {
      code: 'unauthorized',
      message: failure ? 'the server refused the key' : `the server refused the request (status ${status})`,
    };
  }
  if (
    /model_not_found|deploymentnotfound/.test(kind) ||
    (failure &&
      !busy &&
      /\bmodel\b/.test(said) &&
      /not found|does ?n.t exist|does not exist|not exist|unknown|not (?:been )?loaded|invalid model|no such|pull/.test(
        said,
      ))
  ) {
    return { code: 'model-unknown', message: 'the server does not know the model' };
  }
  if (status === 404 || status === 405 || status === 410) {
    return { code: 'wrong-path', message: `nothing of this protocol is at this address (status ${status})` };
  }
  if (
    status >= 500 ||
    status === 408 ||
    status === 409 ||
    status === 425 ||
    (status === 200 && /server_error|overloaded|internal|unavailable|timeout|api_error|\b5\d\d\b/.test(kind))
  ) {
    return {
      code: 'server-error',
      message:
        status === 200
          ? 'the server failed in the middle of the reply'
          : `the server failed (status ${status})`,
    };
  }
  if (status >= 300 && status < 400)
    return {
      code: 'bad-config',
      reason: 'address-redirected',
      message: `the address leads elsewhere (status ${status}), which is not followed`,
    };
  if (status === 200 && !kind)
    return { code: 'server-error', message: 'the server failed in the middle of the reply' };
  return { code: 'bad-request', message: `the server refused the request (status ${status})` };
}

/**
 * Errors that cross threads. A worker cannot post an `Error` with its own fields (structured cloning drops
 * them), so an error travels as plain data and is rebuilt by its code on the other side. The codes of the
 * engine come from `crate/wasm`; those of the page itself are listed apart.
 */

/** Codes that the engine throws: one table in `crate/wasm`, mirrored here, held equal by a test. */
export const engineCodes = /** @type {const} */ ([
  'format-unknown',
  'doc-legacy',
  'pdf-invalid',
  'pdf-encrypted',
  'pdf-empty',
  'docx-invalid',
  'docx-encrypted',
  'limit-exceeded',
  'model-missing',
  'model-mismatch',
  'index-version',
  'index-damaged',
  'profile-invalid',
  'cancelled',
  'bad-argument',
  'internal',
]);

/** Codes that only the page raises. */
export const pageCodes = /** @type {const} */ ([
  'assets-missing',
  'document-exists',
  'document-lost',
  'download-failed',
  'library-failed',
  'library-lost',
  'packed-document',
  'packed-invalid',
  'packed-version',
  'page-damaged',
  'policy-refused',
  'storage-failed',
  'unsupported-browser',
]);

/** @typedef {typeof engineCodes[number] | typeof pageCodes[number]} ErrorCode */
/** @typedef {{ code: ErrorCode, message: string, hint: string }} PlainError what is posted */

/** An error with a code that a program can act on and a hint that a person can. */
export class EngineError extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} message lower case, no full stop: what was found and what was expected
   * @param {string} [hint] what the person can do
   */
  constructor(code, message, hint = '') {
    super(message);
    this.name = 'EngineError';
    this.code = code;
    this.hint = hint;
  }
}

/** @param {unknown} code @returns {code is ErrorCode} */
function isCode(code) {
  return [...engineCodes, ...pageCodes].some((known) => known === code);
}

/**
 * Anything thrown, as plain data. What is no EngineError is a bug, and its code says so.
 * @param {unknown} error
 * @returns {PlainError}
 */
export function toPlain(error) {
  if (error instanceof Error) {
    const { code, hint } = /** @type {{ code?: unknown, hint?: unknown }} */ (/** @type {unknown} */ (error));
    return {
      code: isCode(code) ? code : 'internal',
      message: error.message,
      hint: typeof hint === 'string' ? hint : '',
    };
  }
  return { code: 'internal', message: String(error), hint: '' };
}

/** @param {PlainError} plain */
export function fromPlain({ code, message, hint }) {
  return new EngineError(isCode(code) ? code : 'internal', message, hint);
}

/** True for an error that the engine threw: it has the shape of `crate/border/src/error.rs`.
 * @param {unknown} error */
export function isOwn(error) {
  if (!(error instanceof Error) || error.name !== 'EngineError') return false;
  return isCode(/** @type {{ code?: unknown }} */ (/** @type {unknown} */ (error)).code);
}

/** The wasm instance is lost: something came out of it that is no error of the engine. */
export class InstanceLost extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'InstanceLost';
  }
}

/** True if a thrown value means that the wasm instance is lost. @param {unknown} error */
export function isFatal(error) {
  return error instanceof InstanceLost || error instanceof WebAssembly.RuntimeError;
}

/** @param {string} [what] */
export function cancelled(what = 'cancelled') {
  return new EngineError('cancelled', what);
}

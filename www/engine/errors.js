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
export const pageCodes = /** @type {const} */ (['document-exists', 'storage-failed', 'unsupported-browser']);

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

/** Whether a thrown value means that the wasm instance is gone: a trap, a stack overflow, memory at its end.
 * @param {unknown} error */
export function isFatal(error) {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}

/** @param {string} [what] */
export function cancelled(what = 'cancelled') {
  return new EngineError('cancelled', what);
}

/**
 * What a person is told of a document that could not be added: one sentence of what happened, one of what to do.
 * @param {PlainError} error
 * @returns {{ title: string, hint: string }}
 */
export function describe(error) {
  /** @type {Record<ErrorCode, [string, string]>} */
  const told = {
    'format-unknown': ['This is not a PDF or a Word document', 'Choose a PDF or a Word document (.docx).'],
    'doc-legacy': ['This is a Word 97–2003 file (.doc)', 'Save it as .docx or PDF and add that.'],
    'pdf-invalid': [
      'This is not a PDF that can be read',
      'It may be damaged. Try to open it in a PDF viewer and save it again.',
    ],
    'pdf-encrypted': [
      'This PDF is locked with a password',
      'Enter the password to open it. It is used on this device only and is not stored.',
    ],
    'pdf-empty': ['This PDF has no pages', 'Check that the file was downloaded or exported completely.'],
    'docx-invalid': ['This Word document is damaged', 'Open it in a word processor and save it again.'],
    'docx-encrypted': [
      'This Word document is protected by a password',
      'Remove the password in the word processor and save it again.',
    ],
    'limit-exceeded': [
      'This file is larger than the limits allow',
      'Split the document into smaller files and add those.',
    ],
    'model-missing': ['The language model could not be loaded', 'Answers are found by words only.'],
    'model-mismatch': ['The stored vectors come from another model', 'Index the document again.'],
    'index-version': ['This document was stored by another version', 'Index it again from the stored file.'],
    'index-damaged': ['What was stored of this document is damaged', 'Index it again from the stored file.'],
    'profile-invalid': ['This profile cannot be used', 'Correct the file, or choose another profile.'],
    cancelled: ['Cancelled', 'Nothing of this file was kept.'],
    'bad-argument': ['The request was not understood', 'Reload the page and try again.'],
    internal: [
      'Something went wrong with this document',
      'The other documents are not affected. Please report the file if you can.',
    ],
    'document-exists': ['This document is already in the library', ''],
    'storage-failed': [
      'This document could not be stored in the browser',
      'It can be used until the page is closed. Free some space to keep it.',
    ],
    'unsupported-browser': [
      'This browser lacks something that is needed',
      'Use a current version of Chrome, Edge, Firefox or Safari.',
    ],
  };
  const [title, hint] = told[error.code];
  // The engine knows many kinds of file by name.
  const named = error.code === 'format-unknown' && error.message.startsWith('this is ');
  return { title: named ? `T${error.message.slice(1)}` : title, hint: error.hint || hint };
}

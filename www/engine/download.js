/**
 * A document from a server of the portal. Nothing is sent along but what the caller says: cookies by `credentials`, or
 * the value of the `Authorization` header, which browsers drop when a reply leads to another origin. A sign-in page that comes
 * in place of a document is told apart from it.
 */

import { EngineError, cancelled } from './errors.js';

/**
 * @typedef {object} DownloadOptions
 * @property {RequestCredentials} [credentials] whether cookies go along; `same-origin` when absent
 * @property {(address: string) => string | null | Promise<string | null>} [getAuth] value of the `Authorization` header, such
 *   as `Bearer …`; asked for each request, and once more when the server answers 401
 */

/**
 * @param {URL} address
 * @param {DownloadOptions & { maxBytes: number, signal: AbortSignal, onProgress: (done: number, total: number) => void, isEnough?: (head: readonly BlobPart[]) => Promise<boolean> }} options
 *   progress in bytes; the total is 0 while it is unknown. `isEnough` is asked as bytes come, and ends the download
 * @returns {Promise<Blob>} the file, or as much of it as was enough
 * @throws {EngineError} `download-failed`, `limit-exceeded` or `cancelled`
 */
export async function download(address, { maxBytes, signal, onProgress, isEnough, ...options }) {
  try {
    let response = await request(address, signal, options);
    if (response.status === 401 && options.getAuth) response = await request(address, signal, options);
    requireDocument(response);
    const encoded = response.headers.has('content-encoding');
    const total = encoded ? 0 : Number(response.headers.get('content-length') ?? 0);
    requireSize(total, maxBytes);
    return await read(response, maxBytes, (done) => onProgress(done, total), isEnough);
  } catch (error) {
    if (signal.aborted) throw cancelled();
    if (error instanceof EngineError) throw error;
    throw new EngineError(
      'download-failed',
      `no document from ${address.origin}: ${error instanceof Error ? error.message : error}`,
      'The server may be down, or not allow this page to read it. Try again later.',
    );
  }
}

/** @param {URL} address @param {AbortSignal} signal @param {DownloadOptions} options */
async function request(address, signal, { credentials = 'same-origin', getAuth }) {
  const authorization = (await getAuth?.(address.href)) ?? null;
  return fetch(address, {
    credentials,
    signal,
    headers: authorization === null ? {} : { authorization },
  });
}

/** @param {Response} response */
function requireDocument({ ok, status, headers }) {
  const isPage = headers.get('content-type')?.startsWith('text/html');
  if (ok && !isPage) return;
  const found = ok ? 'a web page' : `status ${status}`;
  const hint =
    ok || status === 401 || status === 403
      ? 'Sign in again, or ask whoever runs this page for access.'
      : 'The document may have moved. Tell whoever runs this page.';
  throw new EngineError('download-failed', `expected a document, found ${found}`, hint);
}

/** @param {Response} response @param {number} maxBytes @param {(done: number) => void} onProgress
 * @param {((head: readonly BlobPart[]) => Promise<boolean>) | undefined} isEnough */
async function read({ body, headers }, maxBytes, onProgress, isEnough) {
  /** @type {BlobPart[]} */
  const parts = [];
  let done = 0;
  const reader = body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    parts.push(part.value);
    done += part.value.length;
    requireSize(done, maxBytes);
    onProgress(done);
    if (await isEnough?.(parts)) {
      await reader?.cancel();
      break;
    }
  }
  return new Blob(parts, { type: headers.get('content-type') ?? '' });
}

/** @param {number} bytes @param {number} maxBytes @throws {EngineError} `limit-exceeded` */
export function requireSize(bytes, maxBytes) {
  if (bytes > maxBytes) throw tooLarge(bytes, maxBytes);
}

/** The error of a file with more bytes than are allowed. @param {number} bytes @param {number} maxBytes */
export function tooLarge(bytes, maxBytes) {
  return new EngineError(
    'limit-exceeded',
    `${bytes} bytes, at most ${maxBytes} are allowed`,
    `It has ${megabytes(bytes)}; at most ${megabytes(maxBytes)} are allowed. Split it into smaller files.`,
  );
}

/** @param {number} bytes */
function megabytes(bytes) {
  const mib = bytes / (1024 * 1024);
  return mib >= 10 ? `${Math.round(mib)} MB` : `${mib.toFixed(1)} MB`;
}

/** Name of the file that an address ends with. @param {URL} address */
export function nameOf({ pathname }) {
  const last = pathname.split('/').filter(Boolean).at(-1) ?? '';
  try {
    return decodeURIComponent(last) || 'document';
  } catch {
    return last;
  }
}

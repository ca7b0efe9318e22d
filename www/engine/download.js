/**
 * A document from a server of the portal. Nothing is sent along but what the caller says: cookies by `credentials`, or
 * the value of the `Authorization` header, which browsers drop when a reply leads to another origin. A sign-in page that comes
 * in place of a document is told apart from it.
 *
 * The whole file is fetched, for all of it is read. A transfer that breaks goes on where it broke, by range, as long as the
 * server shows that the file is the same one still; else it begins anew.
 */

import { EngineError, cancelled } from './errors.js';
import { requireSize } from './file-size.js';

/**
 * @typedef {object} DownloadOptions
 * @property {RequestCredentials} [credentials] whether cookies go along; `same-origin` when absent
 * @property {(address: string) => string | null | Promise<string | null>} [getAuth] value of the `Authorization` header, such
 *   as `Bearer …`; asked for each request, and once more when the server answers 401
 */

/**
 * A file of which some has come. `total` is 0 while it is unknown, `version` null where nothing tells this file from a later one.
 * @typedef {{ response: Response, parts: BlobPart[], done: number, total: number, version: string | null }} Coming
 */

/** So many bytes further than ever, the waits begin anew. */
const headway = 1024 * 1024;

/**
 * @typedef {object} Download
 * @property {number} maxBytes
 * @property {AbortSignal} signal
 * @property {(done: number, total: number) => void} onProgress in bytes; the total is 0 while it is unknown
 * @property {(head: readonly BlobPart[]) => Promise<boolean>} [isEnough] asked as bytes come; ends the download
 * @property {readonly number[]} [waits] before a transfer that broke is taken up again, in milliseconds; then it is given up
 */

/**
 * @param {URL} address
 * @param {DownloadOptions & Download} options
 * @returns {Promise<Blob>} the file, or as much of it as was enough
 * @throws {EngineError} `download-failed`, `limit-exceeded` or `cancelled`
 */
export async function download(address, options) {
  try {
    return await fetched(address, options);
  } catch (error) {
    if (options.signal.aborted) throw cancelled();
    if (error instanceof EngineError) throw error;
    throw new EngineError(
      'download-failed',
      `no document from ${address.origin}: ${error instanceof Error ? error.message : error}`,
      'The server may be down, or not allow this page to read it. Try again later.',
    );
  }
}

/** @param {URL} address @param {DownloadOptions & Download} options */
async function fetched(address, options) {
  const { maxBytes, signal, onProgress, isEnough, waits = [500, 2_000, 8_000] } = options;
  const onPart = (/** @type {Coming} */ { parts, done, total }) => {
    requireSize(done, maxBytes);
    onProgress(done, total);
    return isEnough?.(parts);
  };
  /** @type {Coming | null} */
  let coming = null;
  let nBroken = 0;
  let furthest = 0;
  for (;;) {
    try {
      coming = await replied(address, options, coming);
      requireSize(coming.total, maxBytes);
      await read(coming, onPart);
      return new Blob(coming.parts, { type: coming.response.headers.get('content-type') ?? '' });
    } catch (error) {
      // Without a first reply there is nothing to go on with.
      if (coming === null || signal.aborted || error instanceof EngineError) throw error;
      if (coming.done >= furthest + headway) nBroken = 0;
      furthest = Math.max(furthest, coming.done);
      const wait = waits[nBroken++];
      if (wait === undefined) throw error;
      await passed(wait, signal);
    }
  }
}

/**
 * A file with a reply that brings it, or the rest of what is coming.
 * @param {URL} address @param {DownloadOptions & Download} options @param {Coming | null} coming
 * @returns {Promise<Coming>}
 */
async function replied(address, options, coming) {
  let response = await request(address, options, coming);
  if (coming && isRest(response, coming)) return { ...coming, response };
  if (coming && (response.status === 206 || response.status === 416)) {
    await response.body?.cancel();
    response = await request(address, options, null);
  }
  if (coming && response.status >= 500) throw new Error(`status ${response.status}`);
  requireDocument(response);
  return begun(response);
}

/**
 * Asks for a file, or for the rest of one, with fresh authorization where the server says 401.
 * @param {URL} address @param {DownloadOptions & Download} options @param {Coming | null} coming
 */
async function request(address, { credentials = 'same-origin', getAuth, signal }, coming) {
  const ask = async () => {
    /** @type {Record<string, string>} */
    const headers = {};
    const authorization = await getAuth?.(address.href);
    if (authorization) headers['authorization'] = authorization;
    if (coming?.version && coming.done > 0) {
      headers['range'] = `bytes=${coming.done}-`;
      // Another origin would have to allow it. What comes is compared in any case.
      if (address.origin === globalThis.location?.origin) headers['if-range'] = coming.version;
    }
    return fetch(address, { credentials, signal, headers });
  };
  const response = await ask();
  return response.status === 401 && getAuth ? ask() : response;
}

/** True if a reply is what is missing of a file, of the same version of it. @param {Response} response @param {Coming} coming */
function isRest({ status, headers }, { done, total, version }) {
  // Another origin may hide its range, though not its length.
  const range = headers.get('content-range');
  const isWhole = range
    ? range.startsWith(`bytes ${done}-${total - 1}/`)
    : Number(headers.get('content-length')) === total - done;
  return status === 206 && isWhole && version !== null && versionOf(headers) === version;
}

/** @param {Response} response @returns {Coming} */
function begun(response) {
  const { headers } = response;
  const total = headers.has('content-encoding') ? 0 : Number(headers.get('content-length') ?? 0);
  return { response, parts: [], done: 0, total, version: total > 0 ? versionOf(headers) : null };
}

/** What stands for these very bytes: a strong tag, or a date so long past that the file had not been written twice by then. @param {Headers} headers */
function versionOf(headers) {
  const tag = headers.get('etag');
  if (tag?.startsWith('"')) return tag;
  const modified = headers.get('last-modified') ?? '';
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  return now - Date.parse(modified) >= 60_000 ? modified : null;
}

/** @param {number} ms @param {AbortSignal} signal which ends the wait */
function passed(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      reject(cancelled());
    };
    signal.addEventListener('abort', end, { once: true });
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

/** @param {Coming} coming @param {(coming: Coming) => Promise<boolean> | undefined} onPart */
async function read(coming, onPart) {
  const reader = coming.response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    coming.parts.push(part.value);
    coming.done += part.value.length;
    if (await onPart(coming)) return void (await reader?.cancel());
  }
  // Another origin may hide that its length is of packed bytes.
  const isLengthKnown = coming.response.type !== 'cors';
  if (isLengthKnown && coming.done < coming.total)
    throw new Error(`${coming.done} of ${coming.total} bytes came`);
}

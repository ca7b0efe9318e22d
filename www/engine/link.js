/** Addresses of documents on servers, and the names that files have there. */

import { EngineError } from './errors.js';

/** Address of a file, relative to the page. @param {string | URL} address @throws {EngineError} `bad-argument` */
export function fetchable(address) {
  const url = new URL(address, document.baseURI);
  if (!['http:', 'https:', 'blob:'].includes(url.protocol))
    throw new EngineError('bad-argument', `expected an address of http or https, found ${url.protocol}`);
  return url;
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

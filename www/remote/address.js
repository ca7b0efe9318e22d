/**
 * Address of a library: https, or http on this machine, without a user's name or parameters. A path before `/v1` may be part
 * of it. Relative to the page, so that a gateway that serves the page itself is `/`.
 */

import { LibraryError } from './errors.js';

/** Names of this machine, as `URL.hostname` gives them. */
const loopback = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** @typedef {{ root: URL, where: string }} LibraryAddress `root` ends with `/v1/`; `where` is the host, for people */

/**
 * @param {unknown} text
 * @param {string} page address of the page
 * @returns {LibraryAddress}
 * @throws {LibraryError} `address`
 */
export function libraryAddress(text, page) {
  const given = typeof text === 'string' || text instanceof URL ? String(text).trim() : '';
  if (given === '') throw new LibraryError('address', 'the library has no address');
  let url;
  try {
    url = new URL(given, page);
  } catch {
    throw new LibraryError('address', 'the address of the library is not a URL');
  }
  const { protocol, hostname } = url;
  if (protocol !== 'https:' && !(protocol === 'http:' && loopback.test(hostname)))
    throw new LibraryError(
      'address',
      `expected an address of https, or of http on this machine, found ${protocol}`,
    );
  if (url.username || url.password || url.search || url.hash)
    throw new LibraryError('address', 'the address of the library holds a user name, parameters or a mark');
  const path = url.pathname.replace(/\/+$/, '');
  return { root: new URL(`${path.endsWith('/v1') ? path : `${path}/v1`}/`, url.origin), where: url.host };
}

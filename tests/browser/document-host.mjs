/**
 * A host of one document on an origin of its own, as a portal's document server is: it lets the page read what it sends, gives the
 * document to whoever has its cookie, knows ranges, and can break a transfer in the middle.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';

export class DocumentHost {
  /** Of the document. */
  url = '';
  /** Headers of the requests for it, preflights not counted. @type {import('node:http').IncomingHttpHeaders[]} */
  asked = [];
  /** Stops the next reply in the middle, until the connection is broken. */
  isHalting = false;
  /** Breaks the connection of the reply that has stopped. */
  breakOff = () => {};
  #bytes;
  #server = createServer((request, response) => this.#answer(request, response));

  /** @param {Uint8Array} bytes of the document */
  constructor(bytes) {
    this.#bytes = bytes;
  }

  async open() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (this.#server.address());
    this.url = `http://127.0.0.1:${port}/contract.pdf`;
    return this;
  }

  close() {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  #answer({ method, url, headers }, response) {
    response.setHeader('access-control-allow-origin', headers.origin ?? '*');
    response.setHeader('access-control-allow-credentials', 'true');
    if (method === 'OPTIONS') return void response.writeHead(403).end();
    if (url === '/sign-in') return void response.setHeader('set-cookie', 'session=good; HttpOnly').end();
    this.asked.push(headers);
    if (headers.cookie !== 'session=good') return void response.writeHead(401).end();
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    const rest = this.#bytes.subarray(from);
    response.setHeader('last-modified', 'Thu, 01 Jan 2026 00:00:00 GMT');
    response.setHeader('content-length', rest.length);
    if (from > 0)
      response.setHeader('content-range', `bytes ${from}-${this.#bytes.length - 1}/${this.#bytes.length}`);
    response.writeHead(from > 0 ? 206 : 200, { 'content-type': 'application/pdf' });
    if (!this.isHalting) return void response.end(rest);
    this.isHalting = false;
    this.breakOff = () => response.destroy();
    response.write(rest.subarray(0, rest.length / 2));
  }
}

/**
 * The network as an engine sees it: a proxy that passes on what is asked of this machine, and refuses and lists all else.
 * One way for three engines, workers and service workers included, where their protocols each tell another part.
 */

import { once } from 'node:events';
import { Agent, createServer, request as ask } from 'node:http';

/** Whatever an engine asks of itself, not of a page. */
const ownRequests =
  /^(?:GET http:\/\/detectportal\.firefox\.com\/|CONNECT (?:[\w.-]+\.)?(?:mozilla\.(?:com|org|net)|firefox\.com):443$|CONNECT content-autofill\.googleapis\.com:443$)/;

/** A connection for each request: one that is kept may be closed by a host at the moment at which it is used. */
const direct = new Agent({ keepAlive: false });

export class Network {
  /** What was asked of other machines, as `METHOD address`. @type {string[]} */
  refused = [];
  address = '';
  #server = createServer((request, response) => this.#pass(request, response));

  async open() {
    this.#server.on('connect', ({ url }, socket) => {
      this.#refuse(`CONNECT ${url}`);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (this.#server.address());
    this.address = `127.0.0.1:${port}`;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** @param {string} asked */
  #refuse(asked) {
    if (!ownRequests.test(asked)) this.refused.push(asked);
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  #pass(request, response) {
    const { method, url = '', headers } = request;
    if (!/^http:\/\/(?:127\.0\.0\.1|localhost):/.test(url)) {
      this.#refuse(`${method} ${url}`);
      return void response.writeHead(502).end();
    }
    const passed = ask(url, { method, headers, agent: direct }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response).on('close', () => reply.destroy());
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  }
}

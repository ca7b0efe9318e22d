/**
 * A host of the site that a test has in hand: it caches nothing, fails in the middle, sends another file, is given a new
 * version, or is gone. And a second version of a built site, for updates.
 */

import { createHash } from 'node:crypto';
import { cp, readFile, readdir, realpath, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { types } from '../../www/hosting.mjs';
import { resolveFile } from '../../www/serve.mjs';

export class Host {
  url = '';
  /** Headers of every reply. @type {Record<string, string>} */
  headers = { 'cache-control': 'no-cache' };
  /** What becomes of a reply; null breaks the connection. @type {(name: string, bytes: Buffer) => Buffer | null} */
  send = (_, bytes) => bytes;
  /** Texts by name, of files that the site does not have. @type {Record<string, string>} */
  extra = {};
  /** Names of the files that were asked for. @type {string[]} */
  asked = [];
  /** Bodies of whatever was not a GET. @type {string[]} */
  posted = [];
  #folder = '';
  #server = createServer((request, response) => void this.#answer(request, response));

  /** @param {string} folder of the site */
  async open(folder) {
    await this.deploy(folder);
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve(undefined)));
    const address = /** @type {import('node:net').AddressInfo} */ (this.#server.address());
    this.url = `http://127.0.0.1:${address.port}/`;
    return this;
  }

  /** Serves another version from now on. @param {string} folder */
  async deploy(folder) {
    this.#folder = await realpath(folder);
  }

  /** Ends the host, with all its connections. */
  close() {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async #answer(request, response) {
    if (request.method !== 'GET') {
      let body = '';
      for await (const part of request) body += part;
      this.posted.push(body);
      response.writeHead(405).end();
      return;
    }
    const extra = this.extra[request.url?.slice(1) ?? ''];
    if (extra !== undefined) {
      const type = types[path.extname(request.url ?? '')] ?? '';
      response.writeHead(200, { 'content-type': type, ...this.headers }).end(extra);
      return;
    }
    const file = await resolveFile(this.#folder, request.url ?? '/');
    if (file === null) {
      response.writeHead(404).end();
      return;
    }
    const name = path.relative(this.#folder, file);
    this.asked.push(name);
    const sent = this.send(name, await readFile(file));
    if (sent === null) response.destroy();
    else
      response.writeHead(200, { 'content-type': types[path.extname(file)] ?? '', ...this.headers }).end(sent);
  }
}

/** Id of a built site. @param {string} folder */
export async function buildOf(folder) {
  const page = await readFile(path.join(folder, 'index.html'), 'utf8');
  return /page\.js\?v=([0-9a-f]{16})/.exec(page)?.[1] ?? '';
}

/**
 * Writes a second version of a site, as a build of other sources would be: another id, other names of the chunks.
 * @param {string} from @param {string} to
 */
export async function nextVersion(from, to) {
  await cp(from, to, { recursive: true });
  const id = await buildOf(from);
  const chunks = (await readdir(path.join(from, 'chunks'))).map((name) => path.parse(name).name);
  const renamed = (/** @type {string} */ text) =>
    chunks
      .reduce((all, name) => all.replaceAll(name, `${name.slice(0, -1)}9`), text)
      .replaceAll(id, idAfter(id));
  const hash = (/** @type {string | Buffer} */ bytes) => createHash('sha256').update(bytes).digest('hex');
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  let worker = renamed(await readFile(path.join(from, 'service-worker.js'), 'utf8'));
  for (const entry of entries.filter((each) => each.isFile() && /\.(js|html)$/.test(each.name))) {
    const name = path.relative(from, path.join(entry.parentPath, entry.name));
    if (name === 'service-worker.js') continue;
    const before = await readFile(path.join(from, name));
    const after = renamed(before.toString());
    worker = worker.replaceAll(hash(before), hash(after));
    await writeFile(path.join(to, renamed(name)), after);
  }
  await writeFile(path.join(to, 'service-worker.js'), worker);
  return idAfter(id);
}

/** @param {string} id */
const idAfter = (id) => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;

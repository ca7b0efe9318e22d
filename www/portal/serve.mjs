/**
 * Serves the portal as its host would: a strict policy with a nonce for each page, and documents for those who are signed in.
 *
 *   node www/portal/serve.mjs [PORT]    after `node www/build-npm.mjs`: the package in dist/npm, documents in target/samples
 */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, realpath } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { types } from '../hosting.mjs';
import { resolveFile } from '../serve.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');

/** @param {string} nonce */
const policy = (nonce) =>
  `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'; img-src blob: data:; font-src blob: data:; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types portal`;

/**
 * @param {{ port?: number, npm?: string, documents?: string }} [options] folders of the package and of the documents
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function servePortal({
  port = 0,
  npm = path.join(root, 'dist/npm'),
  documents = path.join(root, 'target/samples'),
} = {}) {
  const folders = { pincite: await realpath(npm), documents: await realpath(documents) };
  const server = createServer(async ({ url = '/', headers }, response) => {
    const [first = '', ...rest] = url.slice(1).split('/');
    const folder = Object.hasOwn(folders, first)
      ? folders[/** @type {keyof typeof folders} */ (first)]
      : null;
    if (folder === folders.documents && headers.authorization !== 'Bearer of-this-session')
      return void response.writeHead(401).end();
    const page = { '': 'index.html', frame: 'frame.html', floating: 'floating.html' }[url.slice(1)];
    const file = await resolveFile(folder ?? here, folder ? rest.join('/') : (page ?? url));
    if (file === null) return void response.writeHead(404).end();
    const bytes = await readFile(file);
    const type = types[path.extname(file)] ?? 'application/octet-stream';
    if (!page) return void response.writeHead(200, { 'content-type': type }).end(bytes);
    const nonce = randomBytes(16).toString('base64');
    response
      .writeHead(200, { 'content-type': type, 'content-security-policy': policy(nonce) })
      .end(bytes.toString('utf8').replaceAll('NONCE', nonce));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: actual } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${actual}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await servePortal({ port: Number(process.argv[2] ?? 8081) });
  console.log(`The portal is at ${url} (Ctrl-C ends it)`);
}

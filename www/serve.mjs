/**
 * A small static server for development and tests, on this machine only: types, headers and caching as `hosting.mjs` asks
 * of every host, no listing, nothing outside the folder. It does not compress: on one machine that costs more than it saves.
 *
 *   node www/serve.mjs dist/site --port 8080
 */

import { createReadStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cacheControl, headers as always, policyOf, types } from './hosting.mjs';

/**
 * The file that an address names, or null when it names none inside the folder.
 * @param {string} folder absolute, without links
 * @param {string} address the request's path, still encoded
 */
export async function resolveFile(folder, address) {
  try {
    const wanted = decodeURIComponent(address.split(/[?#]/, 1)[0] ?? '');
    if (wanted.includes('\0')) return null;
    let file = await realpath(path.join(folder, wanted));
    if ((await stat(file)).isDirectory()) file = await realpath(path.join(file, 'index.html'));
    return file.startsWith(folder + path.sep) && (await stat(file)).isFile() ? file : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} site the folder to serve
 * @param {number} port 0 for any free one
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serve(site, port) {
  const folder = await realpath(site);
  const policy = policyOf(await readFile(path.join(folder, 'index.html'), 'utf8'));
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
      return;
    }
    const file = await resolveFile(folder, request.url ?? '/');
    if (file === null) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
      return;
    }
    const { size, mtimeMs } = await stat(file);
    const tag = `"${size.toString(16)}-${Math.round(mtimeMs).toString(16)}"`;
    /** @type {Record<string, string | number>} */
    const headers = {
      'content-type': types[path.extname(file)] ?? 'application/octet-stream',
      'cache-control': cacheControl(request.url ?? '/'),
      ...always,
      etag: tag,
    };
    if (policy) headers['content-security-policy'] = policy;
    if (request.headers['if-none-match'] === tag) {
      response.writeHead(304, headers).end();
      return;
    }
    response.writeHead(200, { ...headers, 'content-length': size });
    if (request.method === 'HEAD') response.end();
    else
      createReadStream(file)
        .on('error', () => response.destroy())
        .pipe(response);
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(undefined));
  });
  const address = server.address();
  const actual = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${actual}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string', default: '8080' } },
  });
  const [site] = positionals;
  const port = Number(values.port);
  if (site === undefined || !Number.isInteger(port) || port < 0 || port > 65535) {
    console.error('usage: node serve.mjs FOLDER [--port 8080]');
    process.exit(2);
  }
  try {
    const { url } = await serve(site, port);
    console.log(`Pincite is at ${url} (Ctrl-C ends it)`);
  } catch (error) {
    console.error(`could not serve ${site}: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}

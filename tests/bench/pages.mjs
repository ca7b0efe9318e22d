/**
 * Where the measurements in the browser run: folders of this machine served to one headless Chromium, from an origin
 * that is isolated (for a clock of 5 µs, and memory that is shared), and a function of a module called in a new page.
 */

import { createReadStream } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { createServer } from 'node:http';
import { cpus } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import playwright from '../../www/node_modules/playwright-core/index.js';
import { types } from '../../www/hosting.mjs';
import { resolveFile } from '../../www/serve.mjs';
import { chromiumArgs, chromiumPath } from '../browser/harness.mjs';

/** @typedef {import('../../www/node_modules/playwright-core/index.js').Page} Page */

const here = path.dirname(fileURLToPath(import.meta.url));

/**
 * @param {Record<string, string>} folders what a page may fetch, by the first part of its path; `bench` is this folder
 * @param {string[]} [args] of the browser
 */
export async function openPages(folders, args = chromiumArgs) {
  /** Without links, as `resolveFile` wants them; a folder that is not there has nothing. @type {Map<string, string>} */
  const known = new Map();
  for (const [top, folder] of Object.entries({ bench: here, ...folders })) {
    const real = await realpath(folder).catch(() => null);
    if (real !== null) known.set(top, real);
  }
  const server = createServer(async (request, response) => {
    const [, top = '', rest = ''] = /^\/([^/?#]*)(.*)$/.exec(request.url ?? '/') ?? [];
    response.setHeader('cross-origin-opener-policy', 'same-origin');
    response.setHeader('cross-origin-embedder-policy', 'require-corp');
    if (top === '') {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><link rel="icon" href="data:,"><title>bench</title>');
      return;
    }
    const folder = known.get(top);
    const file = folder === undefined ? null : await resolveFile(folder, rest);
    if (file === null) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-type', types[path.extname(file)] ?? 'application/octet-stream');
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const browser = await playwright.chromium.launch({ executablePath: chromiumPath, args });

  /** A new, empty page of that origin. @returns {Promise<Page>} */
  const open = async () => {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error('uncaught:', error.stack));
    await page.goto(origin);
    return page;
  };
  return {
    /** Measuring side, for the head of a table. */
    machine: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Chromium ${browser.version()}`,
    open,
    /** Calls a function of a module of this folder in a new page. @param {string} module @param {string} name @param {unknown[]} given @returns {Promise<any>} */
    call: async (module, name, given) => {
      const page = await open();
      try {
        return await page.evaluate(async ({ at, name, given }) => (await import(at))[name](...given), {
          at: `/bench/${module}`,
          name,
          given,
        });
      } finally {
        await page.close();
      }
    },
    close: async () => {
      await browser.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

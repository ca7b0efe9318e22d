/**
 * WebKit without a driver, whose session would end with the page that is killed: MiniBrowser on a folder of data that stays. The page
 * drives itself, by a script beside the site's, and tells the host what it lists.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { siteFolder } from '../browser/harness.mjs';
import { Host } from '../browser/host.mjs';
import { until } from './tab.mjs';
import { miniBrowser, openDisplay } from './webkit.mjs';

/** What a page lists, and of an answer that it gave, once all files were added, the number of citations.
 * @typedef {{ kind: 'opened' | 'listed' | 'answered', documents: { id: string, problem: unknown }[], nCitations: number }} Told */

/**
 * @typedef {object} Undriven
 * @property {(files: { name: string, bytes: Uint8Array }[]) => Promise<void>} open opens the page, which adds the files
 * @property {(kind: Told['kind'], nDocuments?: number) => Promise<Told>} told the last of a kind that the page has told since it was
 *   opened, once it lists so many documents
 * @property {() => Promise<void>} kill kills the process of the page, then ends the browser
 */

/** @param {(browser: Undriven) => Promise<void>} body */
export async function withUndriven(body) {
  const data = await mkdtemp(path.join(tmpdir(), 'pincite-webkit-'));
  const host = await new Host().open(siteFolder);
  host.send = (name, bytes) => (name === 'model/model.onnx' ? Buffer.from('no model') : bytes);
  const page = await readFile(path.join(siteFolder, 'index.html'), 'utf8');
  // Without the service worker, which would load the whole site meanwhile.
  host.extra['undriven.html'] = page.replace(/src="page\.js[^"]*"/, 'src="undriven.js"');
  host.extra['undriven.js'] = `import './pincite-widget.js';\n(${driven})();\n`;
  const { display, name } = await openDisplay();
  /** @type {import('node:child_process').ChildProcess | null} */
  let browser = null;
  const end = async () => {
    if (!browser || browser.exitCode !== null || browser.signalCode !== null) return;
    const gone = once(browser, 'exit');
    browser.kill();
    await gone;
  };
  try {
    await body({
      async open(files) {
        host.posted.length = 0;
        host.extra['files.json'] = JSON.stringify(
          files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') })),
        );
        browser = spawn(miniBrowser, [new URL('undriven.html', host.url).href], {
          stdio: 'ignore',
          env: {
            ...process.env,
            DISPLAY: name,
            HOME: data,
            XDG_DATA_HOME: data,
            XDG_CACHE_HOME: data,
            XDG_CONFIG_HOME: data,
            WEBKIT_DISABLE_COMPOSITING_MODE: '1',
          },
        });
      },
      told: (kind, nDocuments = 0) =>
        until(
          () => {
            /** @type {Told[]} */
            const all = host.posted.map((text) => JSON.parse(text));
            return all.reverse().find((each) => each.kind === kind && each.documents.length >= nDocuments);
          },
          180_000,
          () => `waited for what is ${kind}`,
        ),
      async kill() {
        for (const pid of await pagesOf(browser?.pid ?? 0)) process.kill(pid, 'SIGKILL');
        await end();
      },
    });
  } finally {
    await end();
    display.kill();
    await host.close();
    await rm(data, { recursive: true });
  }
}

/** Processes of the pages of a browser. @param {number} parent */
async function pagesOf(parent) {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      const isPage = /^Name:\tWebKitWebProces/m.test(status) && status.includes(`\nPPid:\t${parent}\n`);
      return isPage ? [Number(pid)] : [];
    }),
  );
  const pages = found.flat();
  if (pages.length === 0) throw new Error('the browser has no page');
  return pages;
}

/** Runs in the page. */
async function driven() {
  await customElements.whenDefined('pincite-widget');
  const widget = /** @type {import('../browser/harness.mjs').PinciteWidget} */ (
    document.querySelector('pincite-widget')
  );
  const { engine } = widget;
  await engine.opened;
  const tell = (/** @type {string} */ kind, nCitations = 0) => {
    const documents = engine.snapshot.documents.map(({ id, problem }) => ({ id, problem }));
    return fetch('told', { method: 'POST', body: JSON.stringify({ kind, documents, nCitations }) });
  };
  await tell('listed');
  await tell('opened');
  engine.addEventListener('change', () => void tell('listed'));
  /** @type {{ name: string, base64: string }[]} */
  const files = await (await fetch('files.json')).json();
  await widget.addFiles(
    files.map(({ name, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      return new File([bytes], name, { type: 'application/pdf' });
    }),
  );
  const { citations } = await widget.ask('When is the last penalty due?');
  await tell('answered', citations.length);
}

/**
 * Harness of the browser tests: the built site on a port of its own, Debian's Chromium, a page whose
 * console must stay empty, and the few gestures that tests repeat.
 */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import playwright from '../../www/node_modules/playwright-core/index.js';
import { serve } from '../../www/serve.mjs';
import { withEmptyConsole } from './console.mjs';
import { helvetica, pageObject, pdfFile, textStream } from './pdf-file.mjs';

/** @typedef {import('../../www/node_modules/playwright-core/index.js').Page} Page */
/** What most gestures need of a page; a tab of another engine has it too. @typedef {Pick<Page, 'evaluate' | 'waitForFunction'>} Scripted */
/** @typedef {import('../../www/node_modules/playwright-core/index.js').Browser} Browser */
/** @typedef {import('../../www/node_modules/playwright-core/index.js').BrowserContext} BrowserContext */
/** @typedef {import('../../www/node_modules/playwright-core/index.js').BrowserContextOptions} BrowserContextOptions */
/** @typedef {import('../../www/widget/pincite-widget.js').PinciteWidget} PinciteWidget */
/** @typedef {import('../../www/engine/protocol.js').Answer} Answer */
/** @typedef {import('../../www/engine/protocol.js').LibraryDocument} LibraryDocument */

const root = path.resolve(fileURLToPath(new URL('../..', import.meta.url)));
export const siteFolder = process.env['PINCITE_SITE'] ?? path.join(root, 'dist/site');
export const singleFile = path.join(path.dirname(siteFolder), 'pincite.html');
export const samplesFolder = process.env['PINCITE_SAMPLES'] ?? path.join(root, 'target/samples');
export const sharedFolder = path.join(root, '../shared/pdf/corpus');

export const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** The same engine without a browser's own window, which costs two fifths less processor time a page; else Chromium itself. */
export const shellPath = process.env['HEADLESS_SHELL'] ?? chromiumPath;
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Those of the shell: most functions of a module run a few times in a test, and to optimise them takes a sixth of a page's time. */
export const shellArgs = [...chromiumArgs, '--js-flags=--wasm-tiering-budget=200000000'];

/** Milliseconds between two looks at a page that works: one a frame, as Playwright does, has it paint frames. */
const polling = 50;

/** @type {Awaited<ReturnType<typeof serve>> | null} */
let server = null;
/** @type {Browser | null} */
let browser = null;

/** Starts server and browser. */
export async function start() {
  server = await serve(siteFolder, 0);
  // `run.mjs` shares one browser among the files; a file that runs by itself starts its own.
  const shared = process.env['PINCITE_BROWSER'];
  browser = shared
    ? await playwright.chromium.connect(shared)
    : await playwright.chromium.launch({ executablePath: shellPath, args: shellArgs });
}

/** Starts server and a browser of one's own, with WebGPU as software. */
export function startWithGpu() {
  const args = chromiumArgs.filter((arg) => arg !== '--disable-gpu');
  return startWith([...args, '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader']);
}

/** Starts server and a browser of one's own, in which agents are offered tools (WebMCP). */
export const startWithAgents = () => startWith([...chromiumArgs, '--enable-features=WebMCP']);

/** @param {string[]} args */
async function startWith(args) {
  server = await serve(siteFolder, 0);
  browser = await playwright.chromium.launch({ executablePath: chromiumPath, args });
}

export async function stop() {
  await browser?.close();
  await server?.close();
}

/** Address of the embedding model's weights, as a pattern. */
export const modelAddress = '**/model/model.onnx*';

/** The address of the site. */
export function site() {
  assert.ok(server, 'start() has not been called');
  return server.url;
}

/**
 * Opens the page in a profile of its own, runs the test, and sees that the console stayed empty: no error, no
 * warning, no report of the policy, but for what the test provokes.
 * The embedding model is left out unless `vectors` asks for it: it costs seconds a page, and most tests are about words.
 * @param {(page: Page, context: BrowserContext) => Promise<void>} body
 * @param {BrowserContextOptions & { path?: string, provoked?: RegExp | null, vectors?: boolean, tour?: boolean, opened?: (page: Page) => Promise<void> }} [options]
 *   `opened` waits for the page, where that is not one with a library; `tour` lets the tour begin, which else lies over what is tested
 */
export async function withPage(
  body,
  { path: at = '', provoked = null, vectors = false, tour = false, opened = ready, ...options } = {},
) {
  assert.ok(browser, 'start() has not been called');
  await inProfile(
    browser,
    async (page, context) => {
      if (!vectors) await context.route(modelAddress, (route) => route.fulfill({ status: 404 }));
      if (!tour)
        await context.addInitScript(() =>
          document.addEventListener('readystatechange', () =>
            document.querySelector('pincite-widget')?.removeAttribute('tour'),
          ),
        );
      await page.goto(new URL(at, site()).href);
      await opened(page);
      await body(page, context);
    },
    {
      // It would load the whole site beside every test; `offline.test.mjs` allows it.
      serviceWorkers: 'block',
      ...options,
      isLeftOut: (text, address) =>
        text.startsWith('Service Worker registration blocked') ||
        (!vectors && address.includes('/model/model.onnx')) ||
        provoked?.test(text) === true,
    },
  );
}

/**
 * Opens a tab in a profile of its own, and sees that the console stays empty.
 * @param {Browser} browser
 * @param {(page: Page, context: BrowserContext) => Promise<void>} body
 * @param {BrowserContextOptions & { isLeftOut?: (text: string, address: string) => boolean }} options `isLeftOut` tells what
 *   the console may say
 */
export async function inProfile(browser, body, { isLeftOut = () => false, ...options }) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  try {
    await withEmptyConsole(async (said) => {
      const page = await context.newPage();
      listen(page, (line, text, address) => {
        if (!isLeftOut(text, address)) said(line);
      });
      await body(page, context);
    });
  } finally {
    // What a test answers in the place of the site may be on its way still: nobody waits for it.
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  }
}

/**
 * Hands on what a page says: on its console, and by errors that nothing caught.
 * @param {Page} page
 * @param {(line: string, text: string, address: string) => void} said
 */
export function listen(page, said) {
  page.on('console', (message) => {
    const { url } = message.location();
    said(`${message.type()}: ${message.text()} (${url})`, message.text(), url);
  });
  page.on('pageerror', (error) => said(`uncaught: ${error.stack}`, error.message, ''));
}

/** Waits until the stored library has been loaded. @param {Scripted} page */
export async function ready(page) {
  await page.waitForFunction(() => customElements.get('pincite-widget') !== undefined, undefined, {
    polling,
  });
  await page.evaluate(
    () => /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).engine.opened,
  );
}

/** @param {Scripted} page @returns {Promise<import('../../www/engine/client.js').Snapshot>} */
export function snapshot(page) {
  return page.evaluate(() => {
    const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
    const { jobs, ...rest } = engine.snapshot;
    return {
      ...rest,
      jobs: jobs.map(({ key, name, bytes, stage, done, total, error, isLibrary, wrongPassword }) => ({
        key,
        name,
        bytes,
        stage,
        done,
        total,
        error,
        isLibrary,
        wrongPassword,
      })),
    };
  });
}

/**
 * Drops files on the widget, as a person does.
 * @param {Scripted} page
 * @param {{ name: string, bytes: Uint8Array }[]} files
 */
export async function drop(page, files) {
  const encoded = files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') }));
  await page.evaluate(async (files) => {
    const data = new DataTransfer();
    for (const { name, base64 } of files) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      data.items.add(new File([bytes], name, { type: 'application/pdf' }));
    }
    const target = /** @type {PinciteWidget} */ (
      document.querySelector('pincite-widget')
    ).shadowRoot?.querySelector('.shell');
    for (const type of ['dragenter', 'dragover', 'drop']) {
      target?.dispatchEvent(
        new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true, composed: true }),
      );
    }
  }, encoded);
}

/** @param {string} name a file of the samples' folder @returns {Promise<{ name: string, bytes: Uint8Array }>} */
export async function sample(name) {
  return { name: path.basename(name), bytes: await readFile(path.join(samplesFolder, name)) };
}

/** Waits until so many documents can be searched. @param {Scripted} page @param {number} n */
export async function searchable(page, n) {
  await page.waitForFunction(
    (n) => {
      const { documents, jobs } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'))
        .engine.snapshot;
      return (
        documents.length === n && jobs.every(({ stage }) => ['failed', 'locked', 'cancelled'].includes(stage))
      );
    },
    n,
    { timeout: 120_000, polling },
  );
}

/**
 * Waits for what the page does in its own time, such as a layout after a text was read.
 * @param {() => Promise<boolean>} isSo
 * @param {string} expected what was waited for, said where it does not come within 10 s
 */
export async function eventually(isSo, expected) {
  const end = Date.now() + 10_000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`not within 10 s: ${expected}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Waits until every document has all its vectors. @param {Scripted} page */
export async function embedded(page) {
  await page.waitForFunction(
    () =>
      /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).engine.snapshot.documents.every(
        ({ missing }) => missing.length === 0,
      ),
    null,
    { timeout: 240_000, polling },
  );
}

/** Asks through the widget's method. @param {Scripted} page @param {string} question @returns {Promise<Answer>} */
export function ask(page, question) {
  return page.evaluate(
    (question) => /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).ask(question),
    question,
  );
}

/** Asks by typing. @param {Page} page @param {string} question */
export async function type(page, question) {
  await page.getByRole('textbox', { name: 'Your question' }).fill(question);
  await page.keyboard.press('Enter');
  await page
    .locator('.answer-card')
    .first()
    .and(page.locator(':not([data-state=asking])'))
    .waitFor({ timeout: 60_000 });
}

/** Number of records in each table of the stored library. @param {Scripted} page @returns {Promise<Record<string, number>>} */
export function stored(page) {
  return page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open('pincite');
        // One that is not there is not to be made, without the tables that the page would have made.
        request.onupgradeneeded = () => request.transaction?.abort();
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
          const database = request.result;
          const names = [...database.objectStoreNames];
          const transaction = database.transaction(names, 'readonly');
          /** @type {Record<string, number>} */
          const counts = {};
          for (const name of names) {
            const count = transaction.objectStore(name).count();
            count.onsuccess = () => (counts[name] = count.result);
          }
          transaction.oncomplete = () => {
            database.close();
            resolve(counts);
          };
        };
      }),
  );
}

/** Waits until so much is stored; fails when it stays otherwise. @param {Scripted} page @param {Record<string, number>} expected */
export async function isStored(page, expected) {
  for (let wait = 0; wait < 50; wait += 1) {
    const { vectors, ...others } = await stored(page);
    const found = 'vectors' in expected ? { ...others, vectors } : others;
    if (JSON.stringify(Object.entries(found).sort()) === JSON.stringify(Object.entries(expected).sort()))
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.deepEqual(await stored(page), expected);
}

export const nothingStored = { documents: 0, files: 0, segments: 0, vectors: 0 };

const axe = await readFile(new URL('../../www/node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** Violations that axe finds, in short. @param {Page} page @returns {Promise<string[]>} */
export async function violations(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await Reflect.get(globalThis, 'axe').run(document, {
      resultTypes: ['violations'],
    });
    return violations.map(
      (/** @type {any} */ { id, nodes }) =>
        `${id}: ${nodes.map((/** @type {any} */ node) => `${node.target} ${node.failureSummary}`).join('; ')}`,
    );
  });
}

/** True if an element of a shadow root has the focus. @param {Element} element */
export function isFocused(element) {
  return /** @type {ShadowRoot} */ (element.getRootNode()).activeElement === element;
}

/**
 * Sets the language model as a portal does, by property.
 * @param {Scripted} page
 * @param {import('../../www/llm/endpoint.js').EndpointConfig | null} config
 */
export function setModel(page, config) {
  return page.evaluate((config) => {
    /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).llm = config;
  }, config);
}

/** Requests sent to models. @param {Scripted} page */
export function sent(page) {
  return page.evaluate(() => [
    .../** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).ledger.entries,
  ]);
}

/**
 * A small PDF of our own, a line of text to a line, for documents whose words a test needs to choose.
 * @param {string} name
 * @param {string[]} lines ASCII
 * @param {string} [pages] its page tree, over the page 3
 * @returns {{ name: string, bytes: Uint8Array }}
 */
export function pdf(name, lines, pages = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>') {
  const bytes = pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    pages,
    pageObject(4, 5),
    textStream(lines),
    helvetica,
  ]);
  return { name, bytes };
}

/**
 * A library on a server beside the page, for tests: documents of two tenants, and the gestures that tests repeat.
 */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { after, before, beforeEach } from 'node:test';
import { drop, eventually, sample, searchable, start, stop } from './harness.mjs';
import { LibraryServer } from './library-server.mjs';
import { bookPdf } from './pdf-file.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */
/** @typedef {import('./library-server.mjs').Held} Held */

const command =
  process.env['PINCITE'] ?? fileURLToPath(new URL('../../target/debug/pincite', import.meta.url));
/** Why the tests cannot run; false where they can. */
export const skip = existsSync(command)
  ? false
  : `skipped: ${command} is not built (cargo build -p pincite-cli)`;

export const server = new LibraryServer(command);
/** Documents of the server: the first three of tenant A, the last of B. @type {{ rulebook: Held, manual: Held, word: Held, other: Held }} */
export const held = /** @type {any} */ ({});

/** The page of the manual that a question is about, and what it says. */
export const lensPage = 412;
export const lens = 'The keeper of the lighthouse must polish the great lens every nineteen days.';
export const lensQuestion = 'How often must the keeper polish the great lens?';
export const complaint = 'How long does a firm have to send a final response to a complaint?';

/** Starts browser, site and server before the tests of a file, and ends them after; before each test the server is as at first. */
export function useLibrary() {
  before(async () => {
    await start();
    if (skip) return;
    await server.start();
    held.rulebook = await server.add('a', await sample('rulebook.pdf'), {
      title: 'Client protection rulebook',
      date: '2024-01-01',
      nPages: 7,
    });
    held.manual = await server.add(
      'a',
      { name: 'plants.pdf', bytes: bookPdf(manual()) },
      { title: 'Manual of all plants', nPages: 900 },
    );
    held.word = await server.add('a', await sample('word/opinion.docx'), { nPages: 0 });
    held.other = await server.add('b', await sample('contract.pdf'), {
      title: 'Secret agreement',
      nPages: 6,
    });
  });
  after(async () => {
    await stop();
    if (!skip) await server.close();
  });
  beforeEach(() => server.reset());
}

/** Lines of 900 pages, a PDF of 2 MB; page {@link lensPage} has the lens. */
export function manual() {
  return Array.from({ length: 900 }, (_, page) => [
    `Chapter ${page + 1}. Duties of plant ${page + 1}`,
    ...Array.from(
      { length: 22 },
      (_, line) =>
        `${page + 1}.${line + 1} The operator of plant ${page + 1} must test valve ${line + 1} every ${((page * 7 + line * 3) % 90) + 2} days and note it.`,
    ),
    ...(page + 1 === lensPage ? [lens] : []),
  ]);
}

/**
 * Sets the library as a portal does, with the tokens one after the other, and waits until it is listed or has failed.
 * @param {Page} page
 * @param {{ tokens?: string[], url?: string, state?: string }} [options] the last token is given again and again
 */
export async function connect(page, { tokens = ['token-a'], url = server.url, state = 'open' } = {}) {
  await page.evaluate(
    ({ tokens, url }) => {
      const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      const given = [...tokens];
      Reflect.set(globalThis, 'tokens', given);
      Reflect.set(globalThis, 'asked', 0);
      widget.library = {
        url,
        token: () => {
          Reflect.set(globalThis, 'asked', Reflect.get(globalThis, 'asked') + 1);
          return (given.length > 1 ? given.shift() : given[0]) ?? '';
        },
      };
    },
    { tokens, url },
  );
  await eventually(async () => (await status(page))?.state === state, `a library that is ${state}`);
}

/** @param {Page} page */
export const status = (page) =>
  page.evaluate(() => /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).library);

/**
 * Starts a library with two samples, which needs no command: its answer to everything is the one that the page has given to
 * {@link complaint}, over a document that it then forgets.
 * @param {Page} page without documents
 * @param {LibraryServer} library
 */
export async function answersAsRead(page, library) {
  await library.start();
  library.reset();
  const rulebook = await sample('rulebook.pdf');
  await library.add('a', rulebook, { title: 'Client protection rulebook', date: '2024-01-01', nPages: 7 });
  await library.add('a', await sample('word/opinion.docx'), { title: 'Tax opinion', nPages: 0 });
  await drop(page, [rulebook]);
  await searchable(page, 1);
  const answer = await page.evaluate(async (question) => {
    const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
    const answer = await engine.ask(question);
    await engine.clear();
    return answer;
  }, complaint);
  library.stream = async (send) => send({ event: 'answer', answer, texts: {} });
}

/** Adds a document of this browser. @param {Page} page */
export async function addContract(page) {
  await drop(page, [await sample('contract.pdf')]);
  await searchable(page, 1);
}

/** Asks by typing and waits for the end of it. @param {Page} page @param {string} question */
export async function asks(page, question) {
  await page.getByRole('textbox', { name: 'Your question' }).fill(question);
  await page.keyboard.press('Enter');
  await page
    .locator('.answer-card', { hasText: question })
    .first()
    .and(page.locator(':not([data-state=asking])'))
    .waitFor({ timeout: 60_000 });
}

/** Newest answer, in words. @param {Page} page */
export const newest = (page) => page.locator('.answer-card').first().innerText();

/** Number, document, section, place and statuses of each citation of the newest answer. @param {Page} page */
export const cited = (page) =>
  page
    .locator('.answer-card')
    .first()
    .locator('button.citation')
    .evaluateAll((rows) =>
      rows.map((row) => {
        const text = (/** @type {string} */ selector) => row.querySelector(selector)?.textContent ?? null;
        return {
          id: Number(text('.mark')),
          document: text('.citation-document'),
          path: text('.citation-path'),
          // A definition, or a provision that a cited one refers to: it may lie outside of a filter.
          isSupporting: row.querySelector('.citation-supporting') !== null,
          library: text('.citation-library'),
          statuses: [...row.querySelectorAll('.status')].map((each) => each.textContent),
          quote: text('.citation-quote'),
        };
      }),
    );

/** Boxes that are lit, by page. @param {Page} page */
export const lights = (page) =>
  page
    .locator('.light')
    .evaluateAll((all) => all.map((light) => Number(light.closest('.page-view')?.getAttribute('data-page'))));

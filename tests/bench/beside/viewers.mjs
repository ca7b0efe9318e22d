/**
 * The five tasks in two viewers of PDF that a page can embed: pdf.js' own, in pdfjs-viewer-element, which frames it
 * as it is, and EmbedPDF's snippet. Neither answers a question. A person opens the file, guessed rightly by its name,
 * searches for the words of the question in order, and looks at the first ten hits of each until the answer is beside
 * one; handed over is a copy of the file with the passage marked.
 */

import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AnnotationType, getDocument } from '../../../www/node_modules/pdfjs-dist/legacy/build/pdf.mjs';
import { serve } from '../../../www/serve.mjs';
import { samplesFolder } from '../../browser/harness.mjs';
import { Person } from '../keystrokes.mjs';
import { handing, tasks } from '../user-tasks.mjs';
import { comes, timed } from './pincite.mjs';
import { answerPlace, contentWords, isNear, maxHits } from './samples.mjs';

/** @typedef {import('../../../www/node_modules/playwright-core/index.js').Browser} Browser */
/** @typedef {import('../../../www/node_modules/playwright-core/index.js').Page} Page */
/** @typedef {import('../user-tasks.mjs').Task} Task */
/** @typedef {import('./pincite.mjs').Run} Run */
/** @typedef {import('./pincite.mjs').Camera} Camera */
/** @typedef {import('./samples.mjs').Place} Place */
/** @typedef {{ outside: Set<string>, folder: string, camera: Camera }} Surroundings `outside`: hosts that were asked for something */
/**
 * A viewer of PDF, driven.
 * @typedef {object} Viewer
 * @property {string} folder of its package in `node_modules`
 * @property {string} html the page around it
 * @property {(page: Page) => Promise<unknown>} opened waits for it
 * @property {(person: Person) => Promise<unknown>} pick brings up the picker of the system
 * @property {(page: Page, file: string) => Promise<unknown>} open waits for the file
 * @property {(person: Person, word: string) => Promise<number>} search the number of hits
 * @property {(person: Person, hitIdx: number) => Promise<Place | null>} look where the hit is
 * @property {(person: Person, hitIdx: number) => Promise<unknown>} settle shows the hit, where looking did not
 * @property {(person: Person, task: Task) => Promise<unknown>} mark marks the passage that is shown
 * @property {(person: Person) => Promise<unknown>} save
 */

const packages = new URL('../node_modules/', import.meta.url);

/** @param {Viewer} viewer @param {Browser} browser @param {Surroundings} surroundings @returns {Promise<Run[]>} */
export async function inViewer(viewer, browser, { outside, folder, camera }) {
  const site = path.join(folder, 'site');
  await mkdir(site, { recursive: true });
  await cp(new URL(viewer.folder, packages), path.join(site, 'viewer'), {
    recursive: true,
    dereference: true,
  });
  await writeFile(path.join(site, 'index.html'), viewer.html);
  for (const { file } of tasks) await cp(path.join(samplesFolder, file), path.join(site, file));
  const server = await serve(site, 0);
  const context = await browser.newContext({ viewport: { width: 1280, height: 760 }, colorScheme: 'light' });
  context.on('request', (request) => {
    const { protocol, host, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(server.url).origin) outside.add(host);
  });
  try {
    const page = await context.newPage();
    await page.goto(server.url, { waitUntil: 'commit' });
    await viewer.opened(page);
    const person = new Person(page);
    const runs = [];
    let open = '';
    for (const task of tasks) {
      const waited = task.file === open ? 0 : await timed(() => opening(viewer, person, task.file));
      open = task.file;
      const run = await hunt(viewer, person, task);
      runs.push({ ...run, waited: waited + (run.waited ?? 0) });
      await camera(page, task.name);
    }
    runs.push(await hand(viewer, person, path.join(folder, 'marked.pdf')));
    await camera(page, handing);
    return runs;
  } finally {
    await context.close();
    await server.close();
  }
}

/** @param {Viewer} viewer @param {Person} person @param {string} file */
async function opening(viewer, person, file) {
  const chooser = person.page.waitForEvent('filechooser');
  await viewer.pick(person);
  person.countPicker(1);
  await (await chooser).setFiles(path.join(samplesFolder, file));
  await viewer.open(person.page, file);
}

/** @param {Viewer} viewer @param {Person} person @param {Task} task @returns {Promise<Run>} */
async function hunt(viewer, person, task) {
  const answer = await answerPlace(task);
  const tried = [];
  let waited = 0;
  for (const word of contentWords(task.question)) {
    let nHits = 0;
    waited += await timed(async () => {
      nHits = await viewer.search(person, word);
    });
    for (let hitIdx = 0; hitIdx < Math.min(nHits, maxHits); hitIdx += 1) {
      person.think();
      if (!isNear(await viewer.look(person, hitIdx), answer)) continue;
      await viewer.settle(person, hitIdx);
      tried.push(`“${word}”: hit ${hitIdx + 1} of ${nHits}`);
      return { task: task.name, counted: person.take(), waited, isDone: true, way: tried.join(', ') };
    }
    if (nHits === 0) person.think();
    tried.push(
      `“${word}”: ${nHits === 0 ? 'no hit' : `not in the first ${Math.min(nHits, maxHits)} of ${nHits}`}`,
    );
  }
  return { task: task.name, counted: person.take(), waited, isDone: false, way: tried.join(', ') };
}

/** Marks what the last task found, and saves a copy. @param {Viewer} viewer @param {Person} person @param {string} file @returns {Promise<Run>} */
async function hand(viewer, person, file) {
  await viewer.mark(person, /** @type {Task} */ (tasks.at(-1)));
  const saved = person.page.waitForEvent('download');
  const waited = await timed(async () => {
    await viewer.save(person);
    await (await saved).saveAs(file);
  });
  return {
    task: handing,
    counted: person.take(),
    waited,
    isDone: await isMarked(file),
    way: 'a copy of the one file with the passage marked',
  };
}

/** True if a page of the file has a highlight. @param {string} file */
async function isMarked(file) {
  const opened = getDocument({ data: new Uint8Array(await readFile(file)), verbosity: 0 });
  const document = await opened.promise;
  let isMarked = false;
  for (let number = 1; number <= document.numPages; number += 1) {
    const annotations = await (await document.getPage(number)).getAnnotations();
    isMarked ||= annotations.some(({ annotationType }) => annotationType === AnnotationType.HIGHLIGHT);
  }
  await opened.destroy();
  return isMarked;
}

/** The frame that pdf.js' viewer is in. @param {Page} page */
const frameOf = (page) => page.frameLocator('pdfjs-viewer-element iframe');

/** Middle of a box at its left or right edge. @param {{ x: number, y: number, width: number, height: number } | null} box @param {'left' | 'right'} side */
function edge(box, side) {
  if (box === null) throw new Error('nothing is there to mark');
  return { x: side === 'left' ? box.x + 1 : box.x + box.width - 1, y: box.y + box.height / 2 };
}

/** @type {Viewer} */
export const pdfjs = {
  folder: 'pdfjs-viewer-element/dist',
  html: `<!doctype html><html lang="en"><meta charset="utf-8"><title>pdf.js</title><style>body { margin: 0; }</style>
<script type="module" src="/viewer/pdfjs-viewer-element.js"></script>
<pdfjs-viewer-element viewer-css-theme="LIGHT" style="height: 100dvh"></pdfjs-viewer-element>`,
  async opened(page) {
    await frameOf(page).locator('#viewerContainer').waitFor();
    // A person who uses the viewer by itself has no frame to click into.
    await page.waitForFunction(() => {
      const frame = document.querySelector('pdfjs-viewer-element')?.shadowRoot?.querySelector('iframe');
      const viewer = /** @type {any} */ (frame?.contentWindow);
      viewer?.focus();
      return viewer?.PDFViewerApplication?.initialized;
    });
  },
  async pick(person) {
    const { page } = person;
    person.think();
    // Ctrl+O does nothing while the caret is in the field of the search.
    if (await frameOf(page).locator('#findbar').isVisible()) await person.press('Escape');
    await person.press('Control+o');
  },
  async open(page, file) {
    await page.waitForFunction((name) => {
      const frame = document.querySelector('pdfjs-viewer-element')?.shadowRoot?.querySelector('iframe');
      const viewer = /** @type {any} */ (frame?.contentWindow)?.PDFViewerApplication;
      return viewer?._title?.includes(name) || viewer?._docFilename === name;
    }, file);
    await frameOf(page).locator('.textLayer span').first().waitFor();
  },
  async search(person, word) {
    await person.press('Control+f');
    await person.write(word);
    const found = frameOf(person.page).locator('#findMsg, #findResultsCount');
    await found
      .filter({ hasText: /match|not found/ })
      .first()
      .waitFor();
    // The count is said before the last page has been searched.
    await person.page.waitForTimeout(500);
    const said = (await found.allInnerTexts()).join(' ').replaceAll(/[\u2068\u2069]/g, '');
    return Number(/of (\d+)/.exec(said)?.[1] ?? 0);
  },
  async look(person, hitIdx) {
    const { page } = person;
    const frame = frameOf(page);
    if (hitIdx > 0) {
      const count = frame.locator('#findResultsCount');
      const before = await count.innerText();
      await person.press('Enter');
      await count.filter({ hasNotText: before }).waitFor();
    }
    const lit = frame.locator('.highlight.selected').first();
    await lit.waitFor();
    return lit.evaluate((element) => {
      const sheet = /** @type {HTMLElement} */ (element.closest('.page'));
      const number = Number(sheet.dataset['pageNumber']);
      const { pdfViewer } = /** @type {any} */ (window)['PDFViewerApplication'];
      const { bottom } = element.getBoundingClientRect();
      const scale = pdfViewer.getPageView(number - 1).viewport.scale;
      return { page: number, top: (bottom - sheet.getBoundingClientRect().top) / scale };
    });
  },
  settle: async () => {},
  async mark(person, { holds }) {
    const frame = frameOf(person.page);
    await person.click(frame.locator('#editorHighlightButton'));
    await frame.locator('#editorHighlightParamsToolbar').waitFor();
    // Its colours lie over the upper right of the page, where the passage is: the page is rolled down.
    await person.page.mouse.move(640, 500);
    await person.page.mouse.wheel(0, -300);
    person.counted.points += 1;
    await person.page.waitForTimeout(500);
    const hit = await frame.locator('.highlight.selected').first().boundingBox();
    const answer = await frame.locator('.textLayer span').filter({ hasText: holds }).first().boundingBox();
    // From right to left: the other way the selection ends in the gap between two columns of a table.
    await person.drag(edge(answer, 'right'), edge(hit, 'left'));
    await comes(frame.locator('.highlightEditor'));
  },
  save: (person) => person.click(frameOf(person.page).locator('#downloadButton')),
};

/** State of EmbedPDF's search in the document that is open. @param {Page} page */
const searched = (page) =>
  page.evaluate(async () => {
    const registry = await /** @type {any} */ (window)['viewer'].registry;
    const documentId = registry.getPlugin('document-manager').provides().getActiveDocumentId();
    const state = registry.getPlugin('search').provides().forDocument(documentId).getState();
    return /** @type {{ query: string, loading: boolean, results: { pageIndex: number, rects: { origin: { y: number }, size: { height: number } }[] }[] }} */ (
      state
    );
  });

/** @type {Viewer} */
export const embedPdf = {
  folder: '@embedpdf/snippet/dist',
  // As its page on networks without the internet asks for: engine from here, no fonts from elsewhere.
  html: `<!doctype html><html lang="en"><meta charset="utf-8"><title>EmbedPDF</title><style>body { margin: 0; }</style>
<div id="viewer" style="height: 100dvh"></div>
<script type="module">
import EmbedPDF from '/viewer/embedpdf.js';
window.viewer = EmbedPDF.init({
  type: 'container', target: document.getElementById('viewer'), tabBar: 'always', theme: { preference: 'light' },
  wasmUrl: new URL('/viewer/pdfium.wasm', location.href).href, fonts: { ui: null, signature: null }, fontFallback: null,
});
</script>`,
  opened: (page) => page.getByRole('button', { name: 'Open Document' }).waitFor(),
  async pick(person) {
    const { page } = person;
    // Ctrl+O does nothing while there is no document, or the caret is in the field of the search.
    await person.click(page.getByRole('button', { name: /^Open (Document|File)$/ }).first());
  },
  async open(page, file) {
    await page.getByText(file, { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Next Page' }).waitFor();
    // The panel of the search belongs to the document before, and goes with it.
    await page.getByPlaceholder('Search').waitFor({ state: 'detached' });
  },
  async search(person, word) {
    const { page } = person;
    const field = page.getByPlaceholder('Search');
    if ((await field.count()) === 0) {
      person.think();
      await person.press('Control+f');
      await field.waitFor();
      // The panel opens without the caret in its field.
      await person.click(field);
    } else if (!(await field.evaluate((element) => element.matches(':focus')))) await person.click(field);
    await person.press('Control+a');
    await person.write(word);
    for (;;) {
      const { query, loading, results } = await searched(page);
      if (query === word && !loading) return results.length;
      await page.waitForTimeout(50);
    }
  },
  async look({ page }, hitIdx) {
    const result = (await searched(page)).results[hitIdx];
    const rect = result?.rects[0];
    return result && rect ? { page: result.pageIndex + 1, top: rect.origin.y + rect.size.height } : null;
  },
  // The list tells the words around each hit, and a click on one shows it.
  async settle(person, hitIdx) {
    await person.click(person.page.locator('button').filter({ hasText: '…' }).nth(hitIdx));
    await person.page.waitForTimeout(800);
  },
  async mark(person) {
    const { page } = person;
    const lit = await page.locator('embedpdf-container').evaluate((host) => {
      const all = [.../** @type {ShadowRoot} */ (host.shadowRoot).querySelectorAll('div')];
      const isLit = (/** @type {Element} */ element) =>
        getComputedStyle(element).backgroundColor === 'rgb(255, 191, 0)';
      const box = all
        .filter(isLit)
        .map((element) => element.getBoundingClientRect())
        .find(({ width }) => width > 0);
      return box ? { x: box.x, y: box.y, width: box.width, height: box.height } : null;
    });
    await person.drag(edge(lit, 'left'), { x: edge(lit, 'left').x + 290, y: edge(lit, 'left').y });
    await person.click(page.getByRole('button', { name: 'Highlight', exact: true }));
  },
  async save(person) {
    const { page } = person;
    await person.click(page.getByRole('button', { name: 'Document Menu' }));
    await person.click(page.getByText('Export', { exact: true }).first());
  },
};

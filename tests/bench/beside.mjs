/**
 * The five tasks of a new user in Pincite's page and in those of its peers that run here, with the same samples: clicks,
 * keys and seconds by the keystroke-level model, and pictures of the states in which the tasks end. Prints tables in
 * Markdown, which `beside.md` keeps, and writes `beside.html` with its pictures beside the site.
 *
 *   node tests/bench/beside.mjs --site dist/site [--out dist] > tests/bench/beside.md
 *
 * The peers are the packages of `package.json`, served from this machine; other hosts that they ask for are named.
 */

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import playwright from '../../www/node_modules/playwright-core/index.js';
import { serve } from '../../www/serve.mjs';
import { chromiumArgs, chromiumPath, siteFolder } from '../browser/harness.mjs';
import { pageOf } from './beside/page.mjs';
import { pagefind } from './beside/pagefind.mjs';
import { pincite } from './beside/pincite.mjs';
import { embedPdf, inViewer, pdfjs } from './beside/viewers.mjs';
import { seconds } from './keystrokes.mjs';
import { adding, handing, notebook, tasks } from './user-tasks.mjs';

/** @typedef {import('./beside/pincite.mjs').Run} Run */
/** @typedef {import('./beside/pincite.mjs').Camera} Camera */
/** @typedef {import('./keystrokes.mjs').Gestures} Gestures */
/** @typedef {{ name: string, slug: string, runs: Run[], outside: Set<string> }} Product */

const { values } = parseArgs({
  options: { site: { type: 'string', default: siteFolder }, out: { type: 'string', default: 'dist' } },
});
const allTasks = [adding, ...tasks.map(({ name }) => name), handing];
const pictures = path.join(values.out, 'beside');

/** @param {string} slug @param {string} task */
const pictureOf = (slug, task) => `${slug}-${allTasks.indexOf(task) + 1}.png`;

/** @param {string} name of a package of `package.json` */
async function versionOf(name) {
  const { devDependencies } = JSON.parse(await readFile(new URL('package.json', import.meta.url), 'utf8'));
  return devDependencies[name];
}

/** @param {string} name @param {string} slug @param {(place: { outside: Set<string>, folder: string, camera: Camera }) => Promise<Run[]>} run @returns {Promise<Product>} */
async function product(name, slug, run) {
  const folder = await mkdtemp(path.join(tmpdir(), 'pincite-beside-'));
  const outside = new Set();
  try {
    const runs = await run({
      outside,
      folder,
      camera: async (page, task) => {
        await page.screenshot({ path: path.join(pictures, pictureOf(slug, task)) });
      },
    });
    return { name, slug, runs, outside };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @param {Gestures} counted */
const hands = (counted) => `${counted.clicks} / ${counted.keys}`;

/** @param {Run | undefined} run */
function cell(run) {
  if (!run) return '—';
  const time = `${seconds(run.counted).toFixed(1)} + ${((run.waited ?? 0) / 1000).toFixed(1)}`;
  return `${hands(run.counted)} · ${time}${run.isDone ? '' : ' · **not found**'}`;
}

/** @param {string} task */
function notebookCell(task) {
  const question = tasks.find(({ name }) => name === task)?.question;
  const counted =
    question !== undefined
      ? notebook.finding(question)
      : task === adding
        ? notebook.adding
        : notebook.handing;
  return `${hands(counted)} · ${seconds(counted).toFixed(1)} + ?`;
}

/** @param {Product[]} products @param {string} task */
const runsOf = (products, task) =>
  products.map(({ runs, ...rest }) => ({ ...rest, run: runs.find((run) => run.task === task) }));

/** @param {Product[]} products */
function tableOf(products) {
  const rows = allTasks.map(
    (task) =>
      `| ${[task, ...runsOf(products, task).map(({ run }) => cell(run)), notebookCell(task)].join(' | ')} |`,
  );
  return [
    `| Task | ${products.map(({ name }) => name).join(' | ')} | NotebookLM, by its help |`,
    `|---|${'---|'.repeat(products.length + 1)}`,
    ...rows,
  ].join('\n');
}

/** @param {Product[]} products */
function waysOf(products) {
  return products
    .filter(({ slug }) => slug !== 'pincite')
    .map(({ name, runs, outside }) =>
      [
        `- **${name}.** Other hosts asked for: ${[...outside].join(', ') || 'none'}.`,
        ...runs.map(({ task, way, isDone }) => `  - ${task}: ${way}${isDone ? '' : '; not found'}`),
      ].join('\n'),
    )
    .join('\n');
}

await rm(pictures, { recursive: true, force: true });
await mkdir(pictures, { recursive: true });
const server = await serve(path.resolve(values.site), 0);
const browser = await playwright.chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
/** @type {Product[]} */
const products = [];
try {
  products.push(
    await product('Pincite', 'pincite', (place) => pincite(browser, { ...place, url: server.url })),
    await product(
      `pdf.js (pdfjs-viewer-element ${await versionOf('pdfjs-viewer-element')})`,
      'pdfjs',
      (place) => inViewer(pdfjs, browser, place),
    ),
    await product(`EmbedPDF ${await versionOf('@embedpdf/snippet')}`, 'embedpdf', (place) =>
      inViewer(embedPdf, browser, place),
    ),
    await product(`Pagefind ${await versionOf('pagefind')}`, 'pagefind', (place) => pagefind(browser, place)),
  );
} finally {
  await browser.close();
  await server.close();
}

const sections = allTasks.map((task) => ({
  task,
  question: tasks.find(({ name }) => name === task)?.question ?? '',
  pictures: runsOf(products, task).flatMap(({ name, slug, run }) =>
    run
      ? [
          {
            product: name,
            file: `beside/${pictureOf(slug, task)}`,
            caption: `${run.isDone ? 'Done' : 'Not found'}: ${run.counted.clicks} clicks, ${run.counted.keys} keys, ${seconds(run.counted).toFixed(1)} s. ${run.way ?? ''}`,
          },
        ]
      : [],
  ),
}));
const words = await readFile(new URL('beside/findings.md', import.meta.url), 'utf8');
await writeFile(
  path.join(values.out, 'beside.html'),
  pageOf(
    sections,
    'NotebookLM, Kotaemon, Zotero, Excalidraw and draw.io are not in pictures: tests/bench/beside.md says why, and what their documentation says.',
  ),
);
console.log(
  words.replace('<!-- table -->', tableOf(products)).replace('<!-- ways -->', waysOf(products)).trimEnd(),
);
console.error(`${path.join(values.out, 'beside.html')}: pictures in ${pictures}`);

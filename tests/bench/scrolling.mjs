/**
 * Frames that are drawn while the viewer scrolls through a long document, at the speed of somebody who looks it through and
 * of somebody who drags the bar, and the long tasks meanwhile. How many frames a machine draws depends on what else it does, so
 * each turn scrolls a bare page too, of empty boxes as large as the pages, and the frames of the viewer are set against
 * those. Long tasks are counted by the clock and by the processor's time. Prints ratios and counts on
 * stderr, which `scrolling.txt` keeps, and JSON on stdout.
 *
 *   node tests/bench/scrolling.mjs [--site dist/site] [--pdf FILE] [--seconds 4] [--turns 3]
 *
 * Without --pdf it takes the 400 pages of `../shared/pdf/corpus/legal-dev/irm_2_3_59.pdf`, or, where those are not at hand,
 * as many of its own making.
 */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import playwright from '../../www/node_modules/playwright-core/index.js';
import { serve } from '../../www/serve.mjs';
import { chromiumArgs, chromiumPath, drop, modelAddress, ready, searchable } from '../browser/harness.mjs';
import { longPdf } from '../browser/pdf-file.mjs';
import { withLongTasks } from './long-tasks.mjs';
import { spread, spreadCell } from './spread.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    site: { type: 'string', default: path.join(root, 'dist/site') },
    pdf: { type: 'string', default: path.join(root, '../shared/pdf/corpus/legal-dev/irm_2_3_59.pdf') },
    seconds: { type: 'string', default: '4' },
    turns: { type: 'string', default: '3' },
  },
});

const bytes = existsSync(values.pdf) ? await readFile(values.pdf) : longPdf();
const { url, close } = await serve(values.site, 0);
const browser = await playwright.chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, Chromium ${browser.version()}`;
console.error(`node tests/bench/scrolling.mjs, ${new Date().toISOString().slice(0, 10)}\n${machine}\n`);
const page = await browser.newPage({ viewport: { width: 1280, height: 760 } });
page.on('pageerror', (error) => console.error('uncaught:', error.stack));
await page.route(modelAddress, (route) => route.fulfill({ status: 404 }));
await page.goto(url);
await ready(page);
await drop(page, [{ name: 'long.pdf', bytes }]);
await searchable(page, 1);
await page.locator('button.row-name').click();
await page.locator('.page-view canvas').first().waitFor();

// As many boxes of the same size, in a page of its own.
const box = await page.locator('.viewer-pages').evaluate((pages) => {
  const { clientWidth: width = 0, clientHeight: height = 0 } = pages.querySelector('.page-view') ?? {};
  return { width, height, n: Math.round(pages.scrollHeight / Math.max(1, height)) };
});
const bare = await browser.newPage({ viewport: { width: 1280, height: 760 } });
const style =
  `.page-view { width: ${box.width}px; height: ${box.height}px; margin-bottom: 16px; background: #fff; ` +
  'border: 1px solid #999; box-sizing: border-box }';
await bare.setContent(
  `<style>body { margin: 0 } main { height: 100vh; overflow: auto } ${style}</style>` +
    `<main class="viewer-pages">${'<div class="page-view"></div>'.repeat(box.n)}</main>`,
);

/** Scrolls a page, in front of the other. @param {import('../../www/node_modules/playwright-core/index.js').Page} scrolling @param {number} pixels */
async function counted(scrolling, pixels) {
  await scrolling.bringToFront();
  const { result, tasks } = await withLongTasks(browser, scrolling, () =>
    scrolling.locator('.viewer-pages').evaluate(scrolled, { pixels, ms: 1_000 * Number(values.seconds) }),
  );
  return { ...result, ...tasks };
}

/** @type {Record<string, unknown>} */
const report = {};
for (const [speed, pixels] of /** @type {const} */ ([
  ['reading', 40],
  ['dragging', 1_600],
])) {
  const turns = [];
  for (let turn = 0; turn < Number(values.turns); turn += 1)
    turns.push({ viewer: await counted(page, pixels), bare: await counted(bare, pixels) });
  const ratio = spread(turns.map(({ viewer, bare }) => viewer.frames / bare.frames));
  report[speed] = { ratio, turns };
  console.error(
    `${speed.padEnd(10)} frames of the viewer to those of a bare page ${spreadCell(ratio)}; pages passed ${turns.map(({ viewer }) => viewer.pagesPassed).join(', ')}`,
  );
  for (const name of /** @type {const} */ (['viewer', 'bare'])) {
    const cells = turns.map(({ [name]: { frames, longFrames, byCpu, byClock } }) =>
      [frames, longFrames, `${byClock.n} (${byClock.longestMs})`, `${byCpu.n} (${byCpu.longestMs})`].join(
        ' / ',
      ),
    );
    console.error(
      `  ${name.padEnd(8)} frames / long frames / long tasks by the clock (longest in ms) / by the processor: ${cells.join('; ')}`,
    );
  }
}
await browser.close();
await close();
console.log(JSON.stringify(report));

/**
 * Scrolls by so many pixels a frame, from the top, and counts. Runs in the page.
 * @param {Element} pages @param {{ pixels: number, ms: number }} how
 */
async function scrolled(pages, { pixels, ms }) {
  pages.scrollTop = 0;
  await new Promise((resolve) => setTimeout(resolve, 500));
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  /** @type {number[]} */
  const deltas = [];
  const begin = await frame();
  for (let last = begin, now = begin; now - begin < ms; last = now) {
    pages.scrollTop += pixels;
    now = await frame();
    deltas.push(now - last);
  }
  return {
    frames: deltas.length,
    longFrames: deltas.filter((delta) => delta > 50).length,
    worstMs: Math.round(Math.max(...deltas)),
    pagesPassed: Math.round(pages.scrollTop / (pages.querySelector('.page-view')?.clientHeight ?? 1)),
  };
}

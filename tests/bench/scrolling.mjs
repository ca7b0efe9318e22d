/**
 * Frames that are drawn while the viewer scrolls through a long document, at the speed of somebody who looks it through and
 * of somebody who drags the bar, and the long tasks meanwhile. Prints counts on stderr and JSON on stdout.
 *
 *   node tests/bench/scrolling.mjs [--site dist/site] [--pdf FILE] [--seconds 4]
 *
 * Without --pdf it takes the 400 pages of `../shared/pdf/corpus/legal-dev/irm_2_3_59.pdf`, or, where those are not at hand,
 * as many of its own making.
 */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import playwright from '../../www/node_modules/playwright-core/index.js';
import { serve } from '../../www/serve.mjs';
import { chromiumArgs, chromiumPath, drop, modelAddress, ready, searchable } from '../browser/harness.mjs';
import { longPdf } from '../browser/pdf-file.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    site: { type: 'string', default: path.join(root, 'dist/site') },
    pdf: { type: 'string', default: path.join(root, '../shared/pdf/corpus/legal-dev/irm_2_3_59.pdf') },
    seconds: { type: 'string', default: '4' },
  },
});

const bytes = existsSync(values.pdf) ? await readFile(values.pdf) : longPdf();
const { url, close } = await serve(values.site, 0);
const browser = await playwright.chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
const page = await browser.newPage({ viewport: { width: 1280, height: 760 } });
page.on('pageerror', (error) => console.error('uncaught:', error.stack));
await page.route(modelAddress, (route) => route.fulfill({ status: 404 }));
await page.goto(url);
await ready(page);
await drop(page, [{ name: 'long.pdf', bytes }]);
await searchable(page, 1);
await page.locator('button.row-name').click();
await page.locator('.page-view canvas').first().waitFor();

/** @type {Record<string, unknown>} */
const report = {};
for (const [speed, pixels] of /** @type {const} */ ([
  ['reading', 40],
  ['dragging', 1_600],
])) {
  const counts = await page
    .locator('.viewer-pages')
    .evaluate(scrolled, { pixels, ms: 1_000 * Number(values.seconds) });
  report[speed] = counts;
  console.error(
    `${speed.padEnd(10)} ${Object.entries(counts)
      .map(([name, n]) => `${name} ${n}`)
      .join(', ')}`,
  );
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
  /** @type {number[]} */
  const tasks = [];
  const observer = new PerformanceObserver((list) =>
    tasks.push(...list.getEntries().map(({ duration }) => duration)),
  );
  observer.observe({ type: 'longtask' });
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  /** @type {number[]} */
  const deltas = [];
  const begin = await frame();
  for (let last = begin, now = begin; now - begin < ms; last = now) {
    pages.scrollTop += pixels;
    now = await frame();
    deltas.push(now - last);
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  observer.disconnect();
  return {
    frames: deltas.length,
    longFrames: deltas.filter((delta) => delta > 50).length,
    worstMs: Math.round(Math.max(...deltas)),
    longTasks: tasks.length,
    longestTaskMs: Math.round(Math.max(0, ...tasks)),
    pagesPassed: Math.round(pages.scrollTop / (pages.querySelector('.page-view')?.clientHeight ?? 1)),
  };
}

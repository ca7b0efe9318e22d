/**
 * Suggestions of questions in a library of 1,000 documents beside one of three: until they are on show after the library has been
 * opened, and long tasks of the page and its workers meanwhile, by the clock and by the processor's time. Each visit is made with
 * the suggestions and with their module refused, in turn, since a long list of documents makes tasks of its own. Prints a row
 * a visit on stderr, and JSON on stdout.
 *
 *   node tests/bench/suggestions.mjs [--site dist/site] [--library FILE] [--turns 5]
 */

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import playwright from '../../www/node_modules/playwright-core/index.js';
import { serve } from '../../www/serve.mjs';
import { chromiumArgs, chromiumPath, modelAddress } from '../browser/harness.mjs';
import { pagesPdf } from '../browser/pdf-file.mjs';
import { withLongTasks } from './long-tasks.mjs';
import { spread, spreadCell } from './spread.mjs';

/** @typedef {import('../../www/node_modules/playwright-core/index.js').Page} Page */
/** @typedef {import('../../www/widget/pincite-widget.js').PinciteWidget} PinciteWidget */

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    site: { type: 'string', default: path.join(root, 'dist/site') },
    pincite: { type: 'string', default: path.join(root, 'target/debug/pincite') },
    library: { type: 'string' },
    turns: { type: 'string', default: '5' },
  },
});
/** Documents of the small library. */
const few = 3;
/** Longest that examples are tried, and what lies before and behind that, in milliseconds. */
const longest = 8_000;
const examples = '**/chunks/examples-*.js';

/** A term of which no other agreement has a definition: a digit, a word. @param {number} n */
const termOf = (n) =>
  [...String(n)]
    .map((digit) => 'Oak Ash Elm Fir Yew Bay Box Fig Gum Nut'.split(' ')[Number(digit)])
    .join(' ');

/** Lines of an agreement of a page; each has another term, sum and periods. @param {number} n */
function agreement(n) {
  return [
    `Supply agreement number ${n}`,
    '',
    '1. Definitions',
    `"${termOf(n)} Week" means the week in which the goods of order ${n} are handed over to the buyer.`,
    '2. Payment',
    `The buyer shall pay ${1000 + n} euros within ${10 + (n % 50)} days after it has received the invoice for the goods.`,
    '3. Limitation of liability',
    `The liability of the supplier under this agreement is limited to ${n % 90} per cent of the price of the goods.`,
    '4. Termination for convenience',
    `Either party may terminate this agreement by a notice of ${1 + (n % 12)} months to the end of a calendar quarter.`,
    '5. Confidential information',
    `Neither party shall disclose information of the other party for ${1 + (n % 9)} years after the end of the agreement.`,
  ];
}

/** A packed library of so many documents. @param {number} n */
async function packed(n) {
  const files = path.join(folder, String(n));
  await mkdir(files);
  for (let at = 0; at < n; at += 1)
    await writeFile(path.join(files, `agreement-${at}.pdf`), pagesPdf([agreement(at)]));
  const library = path.join(folder, `${n}.pincite`);
  await promisify(execFile)(values.pincite, ['pack', files, '--out', library], { cwd: root });
  return readFile(library);
}

/** A profile with a library. @param {Buffer} library */
async function profile(library) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    serviceWorkers: 'block',
  });
  await context.route(modelAddress, (route) => route.fulfill({ status: 404 }));
  await context.route('**/library.pincite', (route) => route.fulfill({ body: library }));
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error('uncaught:', error.stack));
  await page.goto(url);
  await opened(page);
  const n = await page.evaluate(async () => {
    const blob = await (await fetch('library.pincite')).blob();
    const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
    return (await widget.addLibrary(new File([blob], 'library.pincite'))).length;
  });
  await context.unroute('**/library.pincite');
  return { n, context, page };
}

/** @param {Page} page */
async function opened(page) {
  await page.waitForFunction(() => customElements.get('pincite-widget') !== undefined);
  await page.evaluate(
    () => /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).engine.opened,
  );
}

/** Opens a library again. @param {Awaited<ReturnType<typeof profile>>} profile @param {boolean} areMade */
async function visit({ n, context, page }, areMade) {
  const refuse = (/** @type {import('../../www/node_modules/playwright-core/index.js').Route} */ route) =>
    route.abort();
  if (!areMade) await context.route(examples, refuse);
  await page.reload();
  const { result, tasks } = await withLongTasks(browser, page, () =>
    page.evaluate(
      async ({ areMade, longest }) => {
        await customElements.whenDefined('pincite-widget');
        const { engine, shadowRoot } = /** @type {PinciteWidget} */ (
          document.querySelector('pincite-widget')
        );
        await engine.opened;
        const begin = performance.now();
        const nShown = () => shadowRoot?.querySelectorAll('.suggestion').length ?? 0;
        const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
        while (performance.now() < begin + longest && !(areMade && nShown() > 0)) await pause(10);
        return { ms: performance.now() - begin, nShown: nShown() };
      },
      { areMade, longest },
    ),
  );
  if (!areMade) await context.unroute(examples, refuse);
  const row = { documents: n, areMade, ...result, ...tasks };
  console.error(
    `${String(n).padStart(5)} documents, ${areMade ? `${row.nShown} suggestions after ${Math.round(row.ms)} ms` : 'without suggestions'}; ` +
      `long tasks by the clock ${row.byClock.n} (longest ${row.byClock.longestMs} ms), by the processor ${row.byCpu.n} (${row.byCpu.longestMs} ms), ` +
      `of the workers ${row.workersByCpu.n} (${row.workersByCpu.longestMs} ms)`,
  );
  return row;
}

const { url, close } = await serve(path.resolve(values.site), 0);
const browser = await playwright.chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
const folder = await mkdtemp(path.join(tmpdir(), 'pincite-suggestions-'));
const small = await profile(await packed(few));
const large = await profile(await (values.library ? readFile(values.library) : packed(1_000)));
await rm(folder, { recursive: true });
/** @type {Awaited<ReturnType<typeof visit>>[]} */
const rows = [];
for (let turn = 0; turn < Number(values.turns); turn += 1)
  for (const each of [small, large])
    for (const areMade of [true, false]) rows.push(await visit(each, areMade));
await browser.close();
await close();
/** @param {boolean} isLarge */
const waits = (isLarge) =>
  rows.filter(({ documents, areMade }) => areMade && documents > few === isLarge).map(({ ms }) => ms);
const ofSmall = waits(false);
console.error(
  `until suggestions are on show, the large library to the small: ${spreadCell(spread(waits(true).map((ms, turn) => ms / (ofSmall[turn] ?? NaN))))}`,
);
console.log(JSON.stringify(rows, null, 1));

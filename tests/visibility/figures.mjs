/**
 * Share of glyphs that the engine takes for visible and nobody sees on the page, or the other way round.
 *
 *     node tests/visibility/figures.mjs --visibility PROGRAM [--shared DIR] [--pages N] [--generated N] [--verbose]
 *
 * PROGRAM is what `cargo build --workspace --bin visibility` makes. It writes 300 pages that hide text in every way
 * known to us, and says of each glyph what the engine takes it for. What a reader sees is what pdf.js paints: each page
 * is rendered whole, without its text, and with nothing but its text. The ink of a glyph is what the third rendering
 * shows in its box; the glyph is seen if at least a tenth of it makes a difference between the first two.
 *
 * Not counted: glyphs under or over a glyph of the other kind (text drawn twice), glyphs of which between 2 % and 30 %
 * of the ink is seen, where either is right, text layers of scans, and text below one point, whose ink says nothing of
 * whether it can be read. How many they are is told.
 *
 * `--shared` names a folder with real documents (`corpus/legal-dev`), of each of which N pages are measured, evenly
 * spread. The table goes to figures.md next to this file.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');
const pdfjs = path.join(root, 'www/node_modules/pdfjs-dist');
const { createCanvas } = createRequire(path.join(pdfjs, 'legacy/build/pdf.mjs'))('@napi-rs/canvas');
const { getDocument, OPS } = await import(path.join(pdfjs, 'legacy/build/pdf.mjs'));

/** Pages that one process renders: pictures are freed only when it ends. */
const BATCH = 20;
/** Pixels per point. */
const SCALE = 2;
/** Least difference of a colour that is seen, of 255. */
const CONTRAST = 11;
/** Shares of a glyph's ink: below the first it is hidden, above the second it is visible, between either is right. */
const [HIDDEN, VISIBLE] = [0.02, 0.3];
/** Least share of a box that is the ink of a glyph. */
const MIN_INK = 0.01;
/** Least overlap of two boxes, as a share of the smaller one, that makes them the same place. */
const SAME_PLACE = 0.25;
/** Type size in points below which ink does not mean that text can be read. */
const LEGIBLE = 1;

const TEXT_OPS = new Set([
  OPS.showText,
  OPS.showSpacedText,
  OPS.nextLineShowText,
  OPS.nextLineSetSpacingShowText,
]);
/** Operators of pdf.js that paint and are not text. */
const PAINT_OPS = new Set(
  [
    'stroke',
    'closeStroke',
    'fill',
    'eoFill',
    'fillStroke',
    'eoFillStroke',
    'closeFillStroke',
    'closeEOFillStroke',
    'shadingFill',
    'paintImageXObject',
    'paintInlineImageXObject',
    'paintInlineImageXObjectGroup',
    'paintImageMaskXObject',
    'paintImageMaskXObjectGroup',
    'paintImageMaskXObjectRepeat',
    'paintImageXObjectRepeat',
    'paintSolidColorImageMask',
    'rawFillPath',
  ].map((name) => OPS[/** @type {keyof typeof OPS} */ (name)]),
);

const { values } = parseArgs({
  options: {
    visibility: { type: 'string' },
    shared: { type: 'string', default: '../shared/pdf' },
    pages: { type: 'string', default: '4' },
    generated: { type: 'string', default: '300' },
    verbose: { type: 'boolean', default: false },
    /** A file and numbers of its pages: what a process is given that measures some of them. */
    file: { type: 'string' },
    numbers: { type: 'string' },
  },
});

/** @typedef {{ box: [number, number, number, number], visibility: string, text: string, size: number }} Glyph */
/** @typedef {Record<'glyphs' | 'hidden' | 'missed' | 'lost' | 'twice' | 'partly' | 'layer' | 'small', number>} Counts */

/** @param {string[]} args */
const program = (...args) =>
  execFileSync(path.resolve(values.visibility ?? ''), args, { maxBuffer: 2 ** 30, encoding: 'utf8' });

/** Verdicts of the engine, page by page. @param {string} file @returns {Map<number, Glyph[]>} */
function verdicts(file) {
  const pages = new Map();
  for (const line of program('glyphs', file).split('\n').filter(Boolean)) {
    const { page, glyphs } = JSON.parse(line);
    pages.set(
      page,
      glyphs.map((/** @type {[number, number, number, number, string, string, number]} */ glyph) => {
        const [x0, y0, x1, y1, visibility, text, size] = glyph;
        return { box: [x0, y0, x1, y1], visibility, text, size };
      }),
    );
  }
  return pages;
}

/** @param {string} file */
const open = (file) =>
  getDocument({
    data: new Uint8Array(readFileSync(file)),
    standardFontDataUrl: path.join(pdfjs, 'standard_fonts/'),
    cMapUrl: path.join(pdfjs, 'cmaps/'),
    wasmUrl: path.join(pdfjs, 'wasm/'),
    cMapPacked: true,
    verbosity: 0,
  }).promise;

/** Pixels of a page, with the operators that `keeps` keeps. */
async function render(page, viewport, keeps) {
  const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height));
  const context = canvas.getContext('2d');
  /** The list that is being painted: that of `getOperatorList` is optimised in another way, and counts differently. */
  let list = null;
  const operationsFilter = (/** @type {number} */ idx) => {
    list ??= [...page._intentStates.values()].find(({ renderTasks }) => renderTasks?.size > 0).operatorList;
    return keeps(list, idx);
  };
  await page.render({
    canvasContext: context,
    viewport,
    background: '#fff',
    operationsFilter: keeps === null ? null : operationsFilter,
  }).promise;
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/** True if an operator paints a path, which its last operand says. */
function paintsPath(list, idx) {
  const fn = list.fnArray[idx];
  return PAINT_OPS.has(fn) || (fn === OPS.constructPath && PAINT_OPS.has(list.argsArray[idx][0]));
}

const isText = (list, idx) => TEXT_OPS.has(list.fnArray[idx]);

/** Number of pixels in a box at which two pictures differ; white is the picture that is not given. */
function difference(a, b, [x0, y0, x1, y1]) {
  let n = 0;
  for (let y = Math.max(0, y0); y < Math.min(a.height, y1); y += 1) {
    for (let x = Math.max(0, x0); x < Math.min(a.width, x1); x += 1) {
      const at = 4 * (y * a.width + x);
      for (let part = 0; part < 3; part += 1) {
        if (Math.abs(a.data[at + part] - (b === null ? 255 : b.data[at + part])) >= CONTRAST) {
          n += 1;
          break;
        }
      }
    }
  }
  return n;
}

/** For each glyph, true if it lies where one of the other kind does. @param {Glyph[]} glyphs @param {(glyph: Glyph) => boolean} shows */
function drawnTwice(glyphs, shows) {
  /** @type {Map<string, number[]>} */
  const cells = new Map();
  const around = ([x0, y0, x1, y1]) => {
    const keys = [];
    for (let x = Math.floor(x0 / 20); x <= Math.floor(x1 / 20) && keys.length < 400; x += 1) {
      for (let y = Math.floor(y0 / 20); y <= Math.floor(y1 / 20); y += 1) keys.push(`${x} ${y}`);
    }
    return keys;
  };
  glyphs.forEach(({ box }, idx) => {
    for (const key of around(box)) cells.set(key, [...(cells.get(key) ?? []), idx]);
  });
  const area = ([x0, y0, x1, y1]) => Math.max(0, x1 - x0) * Math.max(0, y1 - y0);
  return glyphs.map((glyph) =>
    around(glyph.box)
      .flatMap((key) => cells.get(key) ?? [])
      .some((idx) => {
        const other = glyphs[idx];
        if (shows(other) === shows(glyph)) return false;
        const [a, b] = [glyph.box, other.box];
        const common = area([
          Math.max(a[0], b[0]),
          Math.max(a[1], b[1]),
          Math.min(a[2], b[2]),
          Math.min(a[3], b[3]),
        ]);
        return common > SAME_PLACE * Math.min(area(a), area(b));
      }),
  );
}

/** @returns {Counts} */
const nothing = () => ({ glyphs: 0, hidden: 0, missed: 0, lost: 0, twice: 0, partly: 0, layer: 0, small: 0 });

/** @param {string} file @param {number} number @param {Glyph[]} glyphs @param {Counts} counts */
async function measure(document, file, number, glyphs, counts) {
  const page = await document.getPage(number);
  const viewport = page.getViewport({ scale: SCALE });
  const whole = await render(page, viewport, null);
  const without = await render(page, viewport, (list, idx) => !isText(list, idx));
  const alone = await render(page, viewport, (list, idx) => !paintsPath(list, idx));
  const shows = (/** @type {Glyph} */ glyph) => glyph.visibility === 'Visible';
  const twice = drawnTwice(glyphs, shows);
  glyphs.forEach((glyph, idx) => {
    const { box, visibility, text, size } = glyph;
    if (visibility === 'Invisible') counts.layer += 1;
    else if (size < LEGIBLE) counts.small += 1;
    else if (twice[idx]) counts.twice += 1;
    else {
      // A tenth of the advance at either side may be the ink of a neighbour.
      const side = 0.1 * (box[2] - box[0]);
      const pixels = [box[0] + side, box[1], box[2] - side, box[3]].map((n) => Math.round(n * SCALE));
      const seen = difference(whole, without, pixels);
      const ink = Math.max(seen, difference(alone, null, pixels));
      const area = (pixels[2] - pixels[0]) * (pixels[3] - pixels[1]);
      const share = seen < MIN_INK * area ? 0 : seen / ink;
      counts.glyphs += 1;
      if (!shows(glyph)) counts.hidden += 1;
      if (share > HIDDEN && share < VISIBLE) counts.partly += 1;
      else if (shows(glyph) && share <= HIDDEN) {
        // A glyph without ink of its own, such as one that its font lacks, is no word that somebody hid.
        if (ink < MIN_INK * area && visibility === 'Visible' && text === '\u{FFFD}') return;
        counts.missed += 1;
        if (values.verbose)
          console.log('missed', path.basename(file), number, text, box.map(Math.round).join(' '));
      } else if (!shows(glyph) && share >= VISIBLE) {
        counts.lost += 1;
        if (values.verbose)
          console.log('lost', path.basename(file), number, text, visibility, box.map(Math.round).join(' '));
      }
    }
  });
  page.cleanup();
}

/** Numbers of at most `n` of the pages, evenly spread. @param {number} total @param {number} n */
const spread = (total, n) =>
  Array.from(
    { length: Math.min(n, total) },
    (_, idx) => 1 + Math.floor(((idx + 0.5) * total) / Math.min(n, total)),
  );

/** Counts of these pages of a file. @param {string} file @param {number[]} numbers */
async function measurePages(file, numbers) {
  const counts = nothing();
  const glyphs = verdicts(file);
  const document = await open(file);
  for (const number of numbers) await measure(document, file, number, glyphs.get(number) ?? [], counts);
  await document.destroy();
  return counts;
}

/** Counts of `n` pages of a file, some in one process. @param {string} file @param {number} n */
async function measureFile(file, n) {
  const document = await open(file);
  const numbers = spread(document.numPages, n);
  await document.destroy();
  const all = [];
  for (let from = 0; from < numbers.length; from += BATCH) {
    const batch = numbers.slice(from, from + BATCH).join(',');
    const own = [fileURLToPath(import.meta.url), '--visibility', values.visibility ?? '', '--file', file];
    const options = values.verbose ? ['--verbose'] : [];
    const out = execFileSync(process.execPath, [...own, '--numbers', batch, ...options], {
      encoding: 'utf8',
    });
    const lines = out.trimEnd().split('\n');
    all.push(JSON.parse(lines[lines.length - 1]));
    for (const line of lines.slice(0, -1)) console.log(line);
  }
  return sum(all);
}

/** @param {Counts[]} all */
function sum(all) {
  const total = nothing();
  for (const counts of all) {
    for (const key of /** @type {(keyof Counts)[]} */ (Object.keys(total))) total[key] += counts[key];
  }
  return total;
}

/** @param {string} name @param {Counts} counts */
function row(name, { glyphs, hidden, missed, lost, twice, partly, layer, small }) {
  const share = glyphs === 0 ? 0 : (100 * (missed + lost)) / glyphs;
  return `| ${[name, glyphs, hidden, missed, lost, `${share.toFixed(3)} %`, partly, twice, layer, small].join(' | ')} |`;
}

if (values.file !== undefined && values.numbers !== undefined) {
  console.log(JSON.stringify(await measurePages(values.file, values.numbers.split(',').map(Number))));
  process.exit();
}
const work = path.join(root, 'target/visibility');
mkdirSync(work, { recursive: true });
const generated = path.join(work, 'generated.pdf');
program('pages', generated, '2026', values.generated);
const rows = [
  row(`${values.generated} generated pages`, await measureFile(generated, Number(values.generated))),
];
console.log(rows[0]);
const real = path.join(values.shared, 'corpus/legal-dev');
if (existsSync(real)) {
  const all = [];
  for (const name of readdirSync(real)
    .filter((name) => name.endsWith('.pdf'))
    .sort()) {
    all.push(await measureFile(path.join(real, name), Number(values.pages)));
    console.log(row(name, all[all.length - 1]));
  }
  rows.push(row(`${all.length} real documents, ${values.pages} pages of each`, sum(all)));
  console.log(rows[1]);
} else {
  console.log(`${real} is not there: no real documents are measured`);
}
writeFileSync(
  path.join(here, 'figures.md'),
  `# How well hidden text is told from visible text

Written by \`tests/visibility/figures.mjs\`, which says what the figures are; not edited by hand. *Missed*: taken for
visible, and not seen. *Lost*: taken for hidden, and seen. The last four columns are glyphs that are seen in part (and
counted as right), drawn twice, in the text layer of a scan, and too small (not counted).

| pages | glyphs | taken for hidden | missed | lost | wrong | in part | twice | layer | small |
|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`,
);

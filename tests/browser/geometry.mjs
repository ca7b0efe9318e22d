/**
 * Positions of words from three sides: the samples' truth, the glyphs as pdf.js places them (an independent
 * reader of the same file), and the screen.
 */

import {
  getDocument,
  OPS,
  Util,
  VerbosityLevel,
} from '../../www/node_modules/pdfjs-dist/legacy/build/pdf.mjs';

/** @typedef {[number, number, number, number]} Box left, bottom, right, top in user space */
/** @typedef {{ char: string, x: number, y: number, size: number }} Glyph its middle, in user space */
/** @typedef {{ page: number, text: string, quad: number[], flow: string }} TruthWord */

/** What stands in a quotation where words are left out. */
const gap = '[…]';

/** Letters and figures as they are compared: no spaces, no hyphens, no gaps, one kind of quotation mark.
 * @param {string} text */
export function bare(text) {
  return text
    .replaceAll(gap, '')
    .normalize('NFKC')
    .replace(/[\s\u00ad\u2010\u2011-]/g, '')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"');
}

/** Share of characters that two texts have in common, in order: 1 when equal.
 * @param {string} a @param {string} b */
export function similarity(a, b) {
  const [left, right] = [bare(a), bare(b)];
  if (left === right) return 1;
  let row = new Uint32Array(right.length + 1);
  for (const character of left) {
    const next = new Uint32Array(right.length + 1);
    for (let at = 1; at <= right.length; at += 1) {
      next[at] =
        right[at - 1] === character ? (row[at - 1] ?? 0) + 1 : Math.max(row[at] ?? 0, next[at - 1] ?? 0);
    }
    row = next;
  }
  return (2 * (row[right.length] ?? 0)) / Math.max(1, left.length + right.length);
}

/** @param {readonly number[]} quad @returns {Box} */
export function boxOfQuad(quad) {
  const xs = quad.filter((_, at) => at % 2 === 0);
  const ys = quad.filter((_, at) => at % 2 === 1);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** @param {Box} box */
const area = ([left, bottom, right, top]) => Math.max(0, right - left) * Math.max(0, top - bottom);

/** Intersection over union of two sets of boxes; boxes of one set do not overlap.
 * @param {Box[]} a @param {Box[]} b */
export function iou(a, b) {
  let common = 0;
  for (const one of a) {
    for (const other of b) {
      common += area([
        Math.max(one[0], other[0]),
        Math.max(one[1], other[1]),
        Math.min(one[2], other[2]),
        Math.min(one[3], other[3]),
      ]);
    }
  }
  const sum = (/** @type {Box[]} */ boxes) => boxes.reduce((total, box) => total + area(box), 0);
  return common / (sum(a) + sum(b) - common);
}

/**
 * Every place where a quotation stands among the words of a sample: one box a line and page, two where the line has a gap
 * that is no space, as between an item's mark and its text. Each way in which the parts of a quotation that leaves words
 * out can stand is a place.
 * @param {TruthWord[]} words
 * @param {string} quote
 * @returns {{ boxes: Map<number, Box[]>, midLine: boolean }[]}
 */
export function places(words, quote) {
  /** @type {TruthWord[][]} */
  let found = [[]];
  const then = (/** @type {string} */ part) => {
    const standing = runs(words, bare(part));
    found = found.flatMap((before) => standing.map((run) => [...before, ...run]));
  };
  for (const part of quote.split(gap)) {
    // A note between two paragraphs is left out unmarked: then each stands for itself.
    if (runs(words, bare(part)).length > 0) then(part);
    else part.split('\n').forEach(then);
  }
  return found.map((run) => {
    const [first] = run;
    const before = first && words[words.indexOf(first) - 1];
    return {
      boxes: lines(run),
      midLine:
        before !== undefined &&
        before.page === first?.page &&
        sameLine(boxOfQuad(before.quad), boxOfQuad(first.quad)),
    };
  });
}

/**
 * The runs of words that hold a text.
 * @param {TruthWord[]} words
 * @param {string} wanted as {@link bare} makes it
 */
function runs(words, wanted) {
  const text = words.map((word) => bare(word.text));
  const starts = [0];
  for (const word of text) starts.push((starts.at(-1) ?? 0) + word.length);
  const all = text.join('');
  const found = [];
  for (let at = all.indexOf(wanted); at >= 0 && wanted !== ''; at = all.indexOf(wanted, at + 1)) {
    const run = words.filter(
      (_, word) => (starts[word] ?? 0) < at + wanted.length && (starts[word + 1] ?? 0) > at,
    );
    if (run.length > 0) found.push(run);
  }
  return found;
}

/** @param {Box} a @param {Box} b */
function sameLine(a, b) {
  return Math.min(a[3], b[3]) - Math.max(a[1], b[1]) > 0.5 * Math.min(a[3] - a[1], b[3] - b[1]);
}

/** @param {TruthWord[]} words @returns {Map<number, Box[]>} */
function lines(words) {
  /** @type {Map<number, Box[]>} */
  const pages = new Map();
  for (const { page, quad } of words) {
    const box = boxOfQuad(quad);
    const boxes = pages.get(page) ?? [];
    pages.set(page, boxes);
    const last = boxes.at(-1);
    const widest = 1.2 * (box[3] - box[1]);
    if (last && sameLine(last, box) && box[0] >= last[0] && box[0] - last[2] < widest) {
      boxes[boxes.length - 1] = [
        last[0],
        Math.min(last[1], box[1]),
        Math.max(last[2], box[2]),
        Math.max(last[3], box[3]),
      ];
    } else boxes.push(box);
  }
  return pages;
}

/**
 * A PDF's glyphs as pdf.js places them: text state and matrices followed through its operator list.
 * @param {Uint8Array} bytes
 */
export async function openGlyphs(bytes) {
  const pdf = await getDocument({
    data: Uint8Array.from(bytes),
    isEvalSupported: false,
    verbosity: VerbosityLevel.ERRORS,
    useSystemFonts: false,
  }).promise;
  /** @type {Map<number, Promise<Glyph[]>>} */
  const pages = new Map();
  return {
    /** @param {number} number 1-based @returns {Promise<Glyph[]>} */
    page(number) {
      const known =
        pages.get(number) ?? pdf.getPage(number).then(async (page) => follow(await page.getOperatorList()));
      pages.set(number, known);
      return known;
    },
    close: () => pdf.loadingTask.destroy(),
  };
}

/** @typedef {{ ctm: number[], font: number, spacing: number, words: number, stretch: number, leading: number, rise: number }} TextState */

/** @param {{ fnArray: number[], argsArray: any[] }} list @returns {Glyph[]} */
function follow({ fnArray, argsArray }) {
  /** @type {Glyph[]} */
  const glyphs = [];
  /** @type {TextState} */
  let state = { ctm: [1, 0, 0, 1, 0, 0], font: 1, spacing: 0, words: 0, stretch: 1, leading: 0, rise: 0 };
  /** @type {TextState[]} */
  const stack = [];
  let matrix = [1, 0, 0, 1, 0, 0];
  let [x, y, lineX, lineY] = [0, 0, 0, 0];
  const move = (/** @type {number} */ dx, /** @type {number} */ dy) => {
    x = lineX += dx;
    y = lineY += dy;
  };
  fnArray.forEach((op, at) => {
    const args = argsArray[at] ?? [];
    switch (op) {
      case OPS.save:
        stack.push({ ...state });
        break;
      case OPS.restore:
        state = stack.pop() ?? state;
        break;
      case OPS.transform:
        state.ctm = Util.transform(state.ctm, args);
        break;
      case OPS.paintFormXObjectBegin:
        stack.push({ ...state });
        if (args[0]) state.ctm = Util.transform(state.ctm, [...args[0]]);
        break;
      case OPS.paintFormXObjectEnd:
        state = stack.pop() ?? state;
        break;
      case OPS.beginText:
        matrix = [1, 0, 0, 1, 0, 0];
        x = y = lineX = lineY = 0;
        break;
      case OPS.setFont:
        state.font = args[1];
        break;
      case OPS.setCharSpacing:
        state.spacing = args[0];
        break;
      case OPS.setWordSpacing:
        state.words = args[0];
        break;
      case OPS.setHScale:
        state.stretch = args[0] / 100;
        break;
      case OPS.setLeading:
        state.leading = -args[0];
        break;
      case OPS.setTextRise:
        state.rise = args[0];
        break;
      case OPS.setLeadingMoveText:
        state.leading = args[1];
        move(args[0], args[1]);
        break;
      case OPS.moveText:
        move(args[0], args[1]);
        break;
      case OPS.nextLine:
        move(0, state.leading);
        break;
      case OPS.setTextMatrix:
        matrix = [...(args.length === 6 ? args : args[0])];
        x = y = lineX = lineY = 0;
        break;
      case OPS.showText: {
        for (const glyph of args[0]) {
          if (typeof glyph === 'number') {
            x -= (glyph * state.font * state.stretch) / 1000;
            continue;
          }
          if (glyph === null || typeof glyph !== 'object') continue;
          const width = (glyph.width * state.font) / 1000;
          const middle = Util.transform(Util.transform(state.ctm, matrix), [
            1,
            0,
            0,
            1,
            x + (width * state.stretch) / 2,
            y + state.rise + 0.25 * state.font,
          ]);
          const scale = Util.transform(state.ctm, matrix);
          const size = Math.abs(state.font) * Math.hypot(scale[2] ?? 0, scale[3] ?? 0);
          if (glyph.unicode?.trim())
            glyphs.push({ char: glyph.unicode, x: middle[4] ?? 0, y: middle[5] ?? 0, size });
          x += (width + state.spacing + (glyph.isSpace ? state.words : 0)) * state.stretch;
        }
        break;
      }
    }
  });
  return glyphs;
}

/**
 * The text under quads, in their order. Raised marks of notes, which are no part of a quotation, are left out.
 * @param {Glyph[]} glyphs of the page
 * @param {number[][]} quads
 */
export function textUnder(glyphs, quads) {
  const parts = quads.map((quad) => {
    const [left, bottom, right, top] = boxOfQuad(quad);
    return glyphs
      .filter(({ x, y }) => x > left && x < right && y > bottom && y < top)
      .sort((a, b) => a.x - b.x);
  });
  const sizes = parts
    .flat()
    .map(({ size }) => size)
    .sort((a, b) => a - b);
  const usual = sizes[Math.floor(sizes.length / 2)] ?? 0;
  return parts
    .flat()
    .filter(({ size }) => size > 0.8 * usual)
    .map(({ char }) => char)
    .join('');
}

/**
 * The text that the lit boxes lie over on screen, by the viewer's text layer.
 * @param {import('./harness.mjs').Page} page
 * @returns {Promise<string>}
 */
export function textUnderLights(page) {
  return page.evaluate(() => {
    const root = /** @type {HTMLElement} */ (document.querySelector('pincite-widget')).shadowRoot;
    const lights = [...(root?.querySelectorAll('.light') ?? [])].map((light) =>
      light.getBoundingClientRect(),
    );
    const range = document.createRange();
    /** @type {{ char: string, light: number, x: number }[]} */
    const found = [];
    for (const span of root?.querySelectorAll('.text-layer span') ?? []) {
      const text = span.firstChild;
      if (!(text instanceof Text)) continue;
      for (let at = 0; at < text.length; at += 1) {
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        const box = range.getBoundingClientRect();
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        const light = lights.findIndex(
          (lit) => x > lit.left && x < lit.right && y > lit.top && y < lit.bottom,
        );
        if (light >= 0) found.push({ char: text.data.charAt(at), light, x });
      }
    }
    return found
      .sort((a, b) => a.light - b.light || a.x - b.x)
      .map(({ char }) => char)
      .join('');
  });
}

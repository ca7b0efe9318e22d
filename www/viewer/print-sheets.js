/**
 * Sheets for paper, laid into the frame that is printed: pages of a PDF, each as large as it is; or the text of a
 * document without pages, broken as the browser breaks it.
 */

import { el } from '../dom/elements.js';
import { PrintFrame } from './print-frame.js';
import { printedPages } from './print-pages.js';
import { textRules } from './text.styles.js';

/** @typedef {{ kind: 'pages', title: string, pdf: import('./pdf.js').PdfDocument, nPages: number, current: number, spans: readonly import('./pages.js').PageQuads[] }} PrintablePages */
/** @typedef {{ kind: 'text', title: string, body: HTMLElement, isMarked: boolean, complete: () => Promise<unknown> }} PrintableText */
/** @typedef {PrintablePages | PrintableText} Printable */

const pageRules = `
html, body { margin: 0; padding: 0; }
img { display: block; width: 100%; height: 100%; }
.sheet { overflow: hidden; break-inside: avoid; }
.sheet + .sheet { break-before: page; }
`;

/**
 * Lays pages into a frame.
 * @param {PrintablePages} printable
 * @param {readonly number[]} numbers 1-based
 * @param {boolean} isMarked
 * @param {Element} parent
 * @param {{ signal: AbortSignal, onProgress: (done: number) => void }} options
 * @returns {Promise<{ frame: PrintFrame, release: () => void }>}
 */
export async function pagesLaid({ pdf, title, spans }, numbers, isMarked, parent, { signal, onProgress }) {
  /** @type {{ image: HTMLImageElement, size: string }[]} */
  const pictures = [];
  /** Sizes of pages, by which they are named. @type {Map<string, string>} */
  const sizes = new Map();
  const release = () => {
    for (const { image } of pictures) URL.revokeObjectURL(image.src);
  };
  try {
    for await (const { width, height, picture } of printedPages(
      pdf,
      numbers,
      isMarked ? spans : [],
      signal,
    )) {
      const size = `${width.toFixed(2)}pt ${height.toFixed(2)}pt`;
      if (!sizes.has(size)) sizes.set(size, `size-${sizes.size}`);
      const image = el('img', { src: URL.createObjectURL(picture), alt: '' });
      pictures.push({ image, size });
      await image.decode();
      onProgress(pictures.length);
    }
    const [first = 'auto'] = sizes.keys();
    const named = [...sizes].map(([size, name]) => {
      const [width = '', height = ''] = size.split(' ');
      // A hair lower than the paper: rounded up, each sheet would have an empty one behind it.
      return `@page ${name} { size: ${size}; } .${name} { page: ${name}; width: ${width}; height: calc(${height} - 0.5pt); }`;
    });
    const css = `${pageRules} @page { margin: 0; size: ${first}; } ${named.join('\n')}`;
    const frame = await PrintFrame.in(parent, title, css);
    frame.body.append(
      ...pictures.map(({ image, size }) => el('div', { class: `sheet ${sizes.get(size)}` }, image)),
    );
    return { frame, release };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Lays a text into a frame.
 * @param {PrintableText} printable
 * @param {boolean} isMarked
 * @param {Element} parent
 * @returns {Promise<{ frame: PrintFrame, release: () => void }>}
 */
export async function textLaid({ title, body, complete }, isMarked, parent) {
  await complete();
  const style = getComputedStyle(body);
  const named = ['--serif', '--light'].map((name) => `${name}: ${style.getPropertyValue(name)};`);
  const css = `${textRules}
    @page { margin: 20mm; }
    :root { ${named.join(' ')} print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    body { margin: 0; }
    .text-body { --text-zoom: 0.8; max-width: none; padding: 0; box-shadow: none; }
    .text-piece { content-visibility: visible; }
    ${isMarked ? '' : '.text-light { background: none; box-shadow: none; }'}`;
  const frame = await PrintFrame.in(parent, title, css);
  const text = /** @type {HTMLElement} */ (body.cloneNode(true));
  text.removeAttribute('style'); // the size that it is read at
  frame.body.append(text);
  return { frame, release: () => {} };
}

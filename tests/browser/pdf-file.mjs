/**
 * Small PDFs of our own, for documents whose words, pages and bookmarks a test needs to choose.
 */

export const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';

/**
 * A file of numbered objects, the first of them its catalog.
 * @param {string[]} objects ASCII, object 1 first
 * @returns {Uint8Array}
 */
export function pdfFile(objects) {
  const parts = ['%PDF-1.4\n'];
  let at = 9;
  const offsets = objects.map((object, objectIdx) => {
    const text = `${objectIdx + 1} 0 obj\n${object}\nendobj\n`;
    const offset = at;
    parts.push(text);
    at += text.length;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  parts.push(
    `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`,
  );
  return new TextEncoder().encode(parts.join(''));
}

/** A line of text to a line, below the upper left corner. @param {string[]} lines ASCII */
export function textStream(lines) {
  const escaped = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n');
  const content = `BT /F1 11 Tf 14 TL 72 760 Td\n${escaped}\nET`;
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

/** @param {number} contents number of the stream @param {number} font number of the font */
export function pageObject(contents, font) {
  return `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 842] /Contents ${contents} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`;
}

/**
 * A document of pages. Page n, from 0, is object `4 + 2 * n`.
 * @param {string[][]} pages lines of each
 * @param {{ catalog?: string, more?: (first: number) => string[] }} [options] entries of the catalog, which are given
 *   the number of the first object of `more` in the place of `$`
 * @returns {Uint8Array}
 */
export function pagesPdf(pages, { catalog = '', more = () => [] } = {}) {
  const first = 4 + 2 * pages.length;
  const kids = pages.map((_, page) => `${4 + 2 * page} 0 R`).join(' ');
  return pdfFile([
    `<< /Type /Catalog /Pages 2 0 R ${catalog.replaceAll('$', String(first))} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    helvetica,
    ...pages.flatMap((lines, page) => [pageObject(5 + 2 * page, 3), textStream(lines)]),
    ...more(first),
  ]);
}

/** Four hundred pages of fifty lines, for measurements where no such document is at hand. */
export const longPdf = () =>
  pagesPdf(
    Array.from({ length: 400 }, (_, page) =>
      Array.from({ length: 50 }, (_, line) => `Section ${page}.${line}. The firm shall keep a record of it.`),
    ),
  );

/**
 * A document of many pages, whose tree has a node for so many of them: a page is found without the others, as in what
 * producers of long documents write.
 * @param {string[][]} pages lines of each
 * @param {number} [fan] pages of a node
 * @returns {Uint8Array}
 */
export function bookPdf(pages, fan = 30) {
  const nodes = Array.from({ length: Math.ceil(pages.length / fan) }, (_, node) =>
    pages.slice(node * fan, (node + 1) * fan),
  );
  const first = 4 + nodes.length;
  const pageOf = (/** @type {number} */ page) => first + 2 * page;
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${nodes.map((_, node) => `${4 + node} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    helvetica,
    ...nodes.map((own, node) => {
      const kids = own.map((_, at) => `${pageOf(node * fan + at)} 0 R`).join(' ');
      return `<< /Type /Pages /Parent 2 0 R /Kids [${kids}] /Count ${own.length} >>`;
    }),
    ...pages.flatMap((lines, page) => [
      pageObject(pageOf(page) + 1, 3).replace('/Parent 2 0 R', `/Parent ${4 + Math.floor(page / fan)} 0 R`),
      textStream(lines),
    ]),
  ]);
}

/**
 * Pages as a person writes them: `3, 7-9`. Commas, semicolons and spaces part them; dashes of any kind and Chinese commas
 * are taken too.
 */

/**
 * @param {string} text
 * @param {number} nPages of the document
 * @returns {number[] | null} 1-based, ascending, each once; null where it is no list of pages of the document
 */
export function pagesIn(text, nPages) {
  const parts = text
    .normalize('NFKC')
    .replace(/\s*[-‐-―−~]\s*/g, '-')
    .split(/[\s,;、]+/)
    .filter(Boolean);
  /** @type {Set<number>} */
  const pages = new Set();
  for (const part of parts) {
    const [, from, to = from] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (!(first >= 1 && first <= last && last <= nPages)) return null;
    for (let page = first; page <= last; page += 1) pages.add(page);
  }
  return pages.size === 0 ? null : [...pages].sort((a, b) => a - b);
}

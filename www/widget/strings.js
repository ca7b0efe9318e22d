/**
 * What the page says in more than one place, or with numbers in it.
 */

/** @param {number} n @param {string} one @param {string} [many] */
export function count(n, one, many = `${one}s`) {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

/** @param {number} bytes */
export function bytes(bytes) {
  if (bytes < 1024 * 1024) return `${Math.max(1, Math.round(bytes / 1024)).toLocaleString('en')} kB`;
  const mib = bytes / (1024 * 1024);
  return `${mib < 10 ? mib.toFixed(1) : Math.round(mib).toLocaleString('en')} MB`;
}

/** The engine's messages are lower case and without a full stop; as a sentence of its own one has both.
 * @param {string} text */
export function sentence(text) {
  return text === '' ? '' : text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?。]$/.test(text) ? '' : '.');
}

/**
 * What is being done with a file, in words.
 * @param {import('../engine/ingest.js').Job} job
 */
export function jobText({ stage, done, total }) {
  switch (stage) {
    case 'waiting':
      return 'Waiting';
    case 'load':
      return 'Opening';
    case 'pages':
      return total > 0 ? `Reading page ${Math.max(1, done)} of ${total}` : 'Reading pages';
    case 'layout':
      return 'Finding paragraphs, notes and columns';
    case 'chunks':
      return 'Finding sections';
    case 'index':
      return 'Indexing words';
    case 'saving':
      return 'Storing';
    case 'cancelled':
      return 'Cancelled. Nothing of this file was kept.';
    case 'failed':
    case 'locked':
      return '';
  }
}

/**
 * How far a file is, 0 to 1; null when that cannot be said.
 * @param {import('../engine/ingest.js').Job} job
 */
export function jobShare({ stage, done, total }) {
  // Reading pages is most of the work; the rest is quick.
  if (stage === 'pages') return total > 0 ? (0.9 * done) / total : 0;
  /** @type {Partial<Record<typeof stage, number>>} */
  const reached = { layout: 0.92, chunks: 0.95, index: 0.97, saving: 0.99 };
  return reached[stage] ?? null;
}

/** @param {{ page: number | null, pageLabel: string | null }} place */
export function pageText({ page, pageLabel }) {
  if (page === null) return '';
  return pageLabel !== null && pageLabel !== String(page) ? `page ${pageLabel} (${page})` : `page ${page}`;
}

/** @param {{ document: string, page: number | null, pageLabel: string | null }} place */
export function placeText(place) {
  return [place.document, pageText(place)].filter(Boolean).join(', ');
}

/** @type {Record<import('../engine/protocol.js').Citation['status'], string>} */
export const statusText = {
  verified: 'Found word for word',
  cited: 'The passage, in other words',
  repaired: 'Found but for a small difference: these are the document’s words',
  misattributed: 'Found word for word, in another passage than named',
  stitched: 'Put together from several places',
  'not-found': 'Not found in the document',
};

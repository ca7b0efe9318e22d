/**
 * Where the viewer opens a citation: its page with the words to be lit, or its blocks in a document without pages, and its
 * turn among the citations of its answer.
 */

/** @typedef {import('../engine/protocol.js').Citation} Citation */

/** @param {Pick<Citation, 'page' | 'quads' | 'spans' | 'places' | 'quote'>} citation */
export function placeOf({ page, quads, spans, places, quote }) {
  if (page === null) return { page: 1, spans: [], places, quote };
  const onPages = spans.flatMap(({ page, quads }) => (page === null ? [] : [{ page, quads }]));
  return { page, spans: onPages.length > 0 ? onPages : [{ page, quads }], places: null, quote };
}

/**
 * @param {Citation} citation
 * @param {readonly Citation[]} all those of its answer
 * @param {(other: Citation) => void} open
 * @returns {import('./citation-steps.js').CitationTurn}
 */
export function turnOf(citation, all, open) {
  return {
    at: all.indexOf(citation) + 1,
    n: all.length,
    go: (at) => {
      const other = all[at - 1];
      if (other) open(other);
    },
  };
}

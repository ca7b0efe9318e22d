/** Answers for tests: a whole one, with as few citations as are wanted. */

/** @typedef {import('../engine/protocol.js').Answer} Answer */
/** @typedef {import('../engine/protocol.js').Citation} Citation */

/** @param {string} letter @returns {string} a document's id */
export const idOf = (letter) => letter.charCodeAt(0).toString(16).padStart(2, '0').repeat(32);

/** @param {number} id @param {string} quote @param {Partial<Citation>} [parts] @returns {Citation} */
export function citation(id, quote, parts = {}) {
  const quad = /** @type {Citation['quads'][number]} */ ([72, 700, 200, 700, 72, 690, 200, 690]);
  return {
    id,
    quote,
    status: 'verified',
    document: 'a.pdf',
    documentId: idOf('a'),
    page: 1,
    pageLabel: null,
    sectionPath: [],
    legalStatus: null,
    quads: [quad],
    spans: [{ page: 1, range: [0, quote.length], quads: [quad] }],
    places: [],
    caveats: [],
    ...parts,
  };
}

/** An extracted answer, a sentence for each citation. @param {Citation[]} citations @param {Partial<Answer>} [parts] @returns {Answer} */
export function answerOf(citations, parts = {}) {
  return {
    answer: citations.map(({ id, quote }) => `${quote} [P${id}]`).join('\n'),
    sufficient: true,
    answerability: 'answers',
    probability: 0.8,
    by: 'extraction',
    verdict: null,
    statements: citations.map(({ id, quote }) => ({
      text: quote,
      citations: [id],
      unsupported: [],
      unknown: [],
      continues: false,
      operative: null,
    })),
    citations,
    supporting: [],
    conflicts: [],
    notes: [],
    missing: [],
    message: '',
    vectors: 'all',
    trace: {
      question: 'q',
      rewrites: [],
      passage: null,
      queries: [['q']],
      glossary: [],
      also: [],
      kept: [],
      extracts: [],
      selected: [],
      reflection: [],
      calls: [],
      degraded: [],
      onDemand: { embedded: 0, left: 0 },
      compared: 0,
      diags: [],
    },
    ...parts,
  };
}

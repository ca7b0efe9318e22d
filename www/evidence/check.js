/**
 * Checks the citations of a saved answer again, on this machine, from documents that this machine has read: nothing of the
 * file but the words of answer and quotations is believed. A quotation is looked up in the text that the engine makes of
 * the document's bytes; the engine, asked as if a model had just quoted those words, says by its own check where they stand
 * and what has to be said of them. What comes out is never better than what was saved, since whoever saved it knew which
 * passages the answer was written from.
 */

import { DocumentText, flat } from './document-text.js';

/** @typedef {import('../engine/protocol.js').Citation} Citation */
/** @typedef {import('../engine/protocol.js').Answer} Answer */
/** @typedef {import('./contents.js').SavedAnswer} SavedAnswer */
/** @typedef {SavedAnswer['statements'][number]} Statement */
/** @typedef {Pick<import('../engine/client.js').Engine, 'ask' | 'text'>} Asked */

/**
 * Finding of a check of one citation. `absent`: the words do not stand in the document. `moved`: they stand on another page.
 * `unplaced`: they stand in the document, and where they are lit is as it was saved. `worse`: the status is lower than was
 * saved.
 * @typedef {'absent' | 'moved' | 'unplaced' | 'worse'} Finding
 */
/** @typedef {{ citation: Citation, findings: Finding[] }} CheckedCitation `citation` with status and place as computed */
/**
 * Findings of a check of one statement: words that its sources do not bear out, or `quotation` where it quotes them
 * otherwise than they stand.
 * @typedef {{ statement: string, quotation: boolean, unsupported: Statement['unsupported'] }} CheckedStatement
 */

/** Statuses of citations, the best first. @type {Readonly<Record<Citation['status'], number>>} */
const ranks = {
  verified: 0,
  ocr: 1,
  tracked: 2,
  differs: 3,
  cited: 4,
  repaired: 5,
  misattributed: 6,
  stitched: 7,
  'not-found': 8,
};
const rank = (/** @type {Citation['status']} */ status) => ranks[status];

/** @param {Citation['status']} a @param {Citation['status']} b */
export const worse = (a, b) => (rank(a) > rank(b) ? a : b);

/** A question is answered from the passages that its words find, and by one reply. */
const profile = `format = 1
name = "check"
title = "Check"
[steps.rewrite]
by = "off"
[steps.filter]
on = false
[steps.extract]
on = false
[steps.reflect]
on = false
[budgets]
context = 200000
[retrieval]
found = 50
`;
/** Most characters that are searched for. */
const maxQuery = 4_000;
/** Bytes at the ends of a part that may not be in it: a space, a quotation mark. */
const slack = 4;
/** Passages before a quotation that may hold its beginning. */
const nBefore = 3;

/** @typedef {{ start: number, end: number }} Bytes of a document's text */
/** @typedef {Bytes & { words: string[] }} Place with its words, block by block */

export class Checker {
  #engine;
  /** @type {Map<string, Promise<DocumentText>>} */
  #texts = new Map();

  /** @param {Asked} engine that has read the documents */
  constructor(engine) {
    this.#engine = engine;
  }

  /** @param {Citation} citation @returns {Promise<CheckedCitation>} */
  async citation(citation) {
    if (citation.status === 'not-found') return { citation, findings: [] };
    const places = await this.#places(citation);
    if (places === null) return { citation: { ...citation, status: 'not-found' }, findings: ['absent'] };
    const found = await this.#found(citation, places);
    const caveats = found?.caveats ?? citation.caveats;
    const computed = caveats.at(-1) ?? 'verified';
    const status = worse(computed, citation.status);
    /** @type {Finding[]} */
    const findings = [];
    if (found === null) findings.push('unplaced');
    else if (found.page !== citation.page) findings.push('moved');
    if (status !== citation.status) findings.push('worse');
    return { citation: { ...citation, ...found, status }, findings };
  }

  /**
   * @param {Statement} statement
   * @param {Pick<SavedAnswer, 'by' | 'citations'>} answer
   * @returns {Promise<CheckedStatement | null>} null where nothing is to be said
   */
  async statement({ text, citations: ids, unsupported: known }, { by, citations }) {
    const cited = citations.filter(({ id }) => ids.includes(id));
    if (by === 'extraction') {
      const isQuotation = cited.some(({ quote }) => quote === text);
      return isQuotation ? null : { statement: text, quotation: true, unsupported: [] };
    }
    const places = await Promise.all(cited.map((citation) => this.#places(citation)));
    if (cited.length === 0 || places.every((place) => place === null)) return null;
    const near = cited.flatMap(({ documentId }, at) =>
      (places[at] ?? []).map((place) => ({ ...place, documentId })),
    );
    const answer = await this.#ask(
      cited.map(({ quote }) => flat(quote)).join(' '),
      cited.map(({ documentId }) => documentId),
      (marksNear) => `${text} ${[...new Set(near.flatMap((place) => marksNear(place)))].join('')}`,
    );
    const worst = (/** @type {readonly Citation[]} */ all) =>
      Math.max(...all.map(({ status }) => rank(status)));
    const quoted = answer.citations.filter(({ status }) => status !== 'cited');
    const said = new Set(known.map(({ text }) => text));
    const unsupported = answer.statements
      .flatMap((statement) => statement.unsupported)
      .filter((claim) => !said.has(claim.text));
    const quotation = quoted.length > 0 && worst(quoted) > worst(cited);
    return quotation || unsupported.length > 0 ? { statement: text, quotation, unsupported } : null;
  }

  /** Where the quotation of a citation stands. @param {Citation} citation @returns {Promise<Place[] | null>} */
  async #places({ documentId, quote, spans }) {
    const text = await this.#text(documentId);
    const found = text.find(quote, text.unitAt(spans[0]?.range[0] ?? 0));
    return found?.map((range) => ({ ...text.inBytes(range), words: text.wordsByBlock(range) })) ?? null;
  }

  /**
   * The place as the engine finds it, where it finds all of the words there.
   * @param {Citation} citation @param {Place[]} places
   */
  async #found({ documentId, quote }, places) {
    const [first, last] = [places[0], places.at(-1)];
    if (!first || !last) return null;
    const around = { start: first.start, end: last.end, documentId };
    const answer = await this.#ask(flat(quote), [documentId], (marksNear) =>
      places
        .flatMap(({ words }) => words)
        .map((words) => `> ${words} ${marksNear(around).join('')}`)
        .join('\n\n'),
    );
    return together(answer.citations, documentId, places);
  }

  /**
   * Has the engine check a reply over the passages that a query finds in some documents.
   * @param {string} query
   * @param {string[]} documents
   * @param {(marksNear: (place: Bytes & { documentId: string }) => string[]) => string} reply is given the marks of the
   *   passages at a place
   */
  async #ask(query, documents, reply) {
    /** @type {import('../engine/asking.js').Model} */
    const model = {
      complete: async ({ passages }) => ({
        text: reply((place) => marksNear(passages, place)),
        finish: 'stop',
      }),
    };
    return this.#engine.ask(query.slice(0, maxQuery), {
      vectors: 'none',
      profile,
      model,
      filter: { documents },
    });
  }

  /** @param {string} id */
  #text(id) {
    const text = this.#texts.get(id) ?? DocumentText.of(this.#engine, id);
    this.#texts.set(id, text);
    return text;
  }
}

/**
 * Marks of the passages that may hold a place: those that begin inside it, and the last ones that begin before.
 * @param {readonly { documentId?: string, spans?: Citation['spans'] }[]} passages P1 first
 * @param {Bytes & { documentId: string }} place
 */
function marksNear(passages, { start, end, documentId }) {
  const starts = passages
    .map((passage, at) => ({
      mark: `[P${at + 1}]`,
      of: passage.documentId,
      at: passage.spans?.[0]?.range[0] ?? 0,
    }))
    .filter(({ of, at }) => of === documentId && at < end)
    .sort((a, b) => a.at - b.at);
  const nOutside = starts.filter(({ at }) => at <= start).length;
  return starts.slice(Math.max(0, nOutside - nBefore)).map(({ mark }) => mark);
}

/**
 * The places of words that the engine found, as one; null unless they cover all of the places that were wanted.
 * @param {readonly Citation[]} citations @param {string} documentId @param {Bytes[]} places
 */
function together(citations, documentId, places) {
  const rangeOf = (/** @type {Citation} */ { spans }) => ({
    start: spans[0]?.range[0] ?? 0,
    end: spans.at(-1)?.range[1] ?? 0,
  });
  const inside = citations
    .filter((citation) => citation.documentId === documentId && citation.status !== 'not-found')
    .map((citation) => ({ citation, ...rangeOf(citation) }))
    .filter(
      ({ start, end }) => end > start && places.some((place) => start >= place.start && end <= place.end),
    )
    .sort((a, b) => a.start - b.start || b.end - a.end);
  /** @type {typeof inside} */
  const parts = [];
  for (const part of inside) if (part.start >= (parts.at(-1)?.end ?? 0)) parts.push(part);
  const length = (/** @type {readonly Bytes[]} */ ranges) =>
    ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  if (parts.length === 0 || length(parts) + slack * (parts.length + places.length) < length(places))
    return null;
  const spans = parts.flatMap(({ citation }) => citation.spans);
  const page = spans[0]?.page ?? null;
  const caveats = new Set(parts.flatMap(({ citation }) => citation.caveats));
  return {
    page,
    pageLabel: parts[0]?.citation.pageLabel ?? null,
    spans,
    quads: spans.filter((span) => span.page === page).flatMap(({ quads }) => quads),
    places: parts.flatMap(({ citation }) => citation.places),
    caveats: [...caveats].sort((a, b) => rank(a) - rank(b)),
  };
}

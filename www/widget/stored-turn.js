/**
 * A question with its answer as it is stored, and the reader that takes it out of storage again. The types come from the
 * engine, so that a part of an answer that has no reader here does not compile.
 */

import { byKind, flag, keyOf, listOf, number, orNull, shape, text } from './shape.js';

/** @typedef {import('../engine/protocol.js').Answer} Answer */
/** @typedef {import('../engine/protocol.js').Citation} Citation */
/** @typedef {Answer['trace']} Trace */
/** @template T @typedef {import('./shape.js').Reader<T>} Reader */

/**
 * @typedef {object} StoredTurn
 * @property {string} question
 * @property {number} at time of the answer, in milliseconds since the epoch
 * @property {Answer} answer
 * @property {import('../engine/embedding.js').ModelState} embedding state of the embedding model when it was asked
 * @property {{ name: string, where: string } | null} model its author; null without a model, empty where addresses are not
 *   to be remembered
 * @property {string | null} servers that the question went to, likewise
 * @property {{ nBefore: number, nRemoved: number }} left
 * @property {import('./places.js').Searched} searched
 */

/** @type {Reader<'repealed' | 'superseded' | 'reserved'>} */
const legalStatus = keyOf({ repealed: true, superseded: true, reserved: true });
/** @type {Reader<Citation['status']>} */
const status = keyOf({
  verified: true,
  ocr: true,
  tracked: true,
  differs: true,
  cited: true,
  repaired: true,
  misattributed: true,
  stitched: true,
  'not-found': true,
});
/** @type {Reader<Trace['degraded'][number]['step']>} */
const step = keyOf({ passage: true, rewrite: true, filter: true, extract: true, read: true, reflect: true });

/** @type {Reader<Citation['quads'][number]>} */
const quad = (value) => {
  const corners = listOf(number)(value);
  if (corners.length !== 8) throw new TypeError(`${corners.length} numbers where a quad has 8`);
  return /** @type {Citation['quads'][number]} */ (/** @type {unknown} */ (corners));
};
/** @type {Reader<[number, number]>} */
const range = (value) => {
  const [start = 0, end = 0] = listOf(number)(value);
  return [start, end];
};

const place = {
  document: text,
  documentId: text,
  page: orNull(number),
  pageLabel: orNull(text),
  sectionPath: listOf(text),
  legalStatus: orNull(legalStatus),
  quads: listOf(quad),
  spans: listOf(shape({ page: orNull(number), range, quads: listOf(quad) })),
  places: listOf(shape({ block: number, start: number, end: number })),
  caveats: listOf(keyOf({ ocr: true, tracked: true, differs: true })),
};
const words = listOf(shape({ term: text, words: listOf(text) }));

/** @type {Reader<NonNullable<Answer['verdict']>>} */
const verdict = shape({
  grounded: flag,
  consistent: flag,
  complete: flag,
  problem: text,
  missing: listOf(text),
});

/** @type {Reader<Trace>} */
const trace = shape({
  question: text,
  rewrites: listOf(text),
  passage: orNull(text),
  queries: listOf(listOf(text)),
  glossary: words,
  also: words,
  kept: listOf(shape(place)),
  extracts: listOf(shape(place)),
  selected: listOf(shape(place)),
  reflection: listOf(verdict),
  calls: listOf(
    shape({
      call: number,
      step,
      endpoint: orNull(text),
      model: orNull(text),
      prompt: number,
      sent: number,
      received: number,
      outcome: keyOf({ open: true, used: true, unusable: true, failed: true }),
      why: orNull(text),
    }),
  ),
  degraded: listOf(shape({ step, code: text, call: orNull(number), why: text })),
  onDemand: shape({ embedded: number, left: number }),
  compared: number,
  // Errors of the program in that session: nobody is shown them later.
  diags: () => [],
});

/** @type {Reader<Answer['statements'][number]>} */
const statement = shape({
  text,
  citations: listOf(number),
  unsupported: listOf(
    shape({
      kind: keyOf({ number: true, date: true, amount: true, modal: true, negation: true }),
      text,
    }),
  ),
  unknown: listOf(number),
  continues: flag,
  operative: orNull(text),
});

/** @type {Reader<Answer['notes'][number]>} */
const note = byKind({
  withdrawn: shape({ kind: keyOf({ withdrawn: true }), citation: number, legalStatus }),
  'later-edition': shape({
    kind: keyOf({ 'later-edition': true }),
    citation: number,
    date: text,
    later: text,
    laterDate: text,
  }),
  'several-cases': shape({ kind: keyOf({ 'several-cases': true }), citations: listOf(number) }),
});

/** @type {Reader<Answer>} */
export const answer = shape({
  answer: text,
  sufficient: flag,
  answerability: keyOf({ silent: true, 'may-answer': true, answers: true }),
  probability: number,
  by: keyOf({ model: true, extraction: true }),
  verdict: orNull(verdict),
  statements: listOf(statement),
  citations: listOf(shape({ ...place, id: number, quote: text, status })),
  supporting: listOf(
    shape({ citation: number, why: keyOf({ reference: true, definition: true }), name: text, by: number }),
  ),
  conflicts: listOf(
    shape({
      kind: keyOf({ negation: true, modality: true, number: true, wording: true }),
      citations: listOf(number),
      preferred: orNull(number),
    }),
  ),
  notes: listOf(note),
  missing: listOf(text),
  message: text,
  vectors: keyOf({ all: true, candidates: true, some: true, none: true }),
  trace,
});

/** A turn as it comes out of storage. @type {Reader<StoredTurn>} */
export const storedTurn = shape({
  question: text,
  at: number,
  answer,
  embedding: keyOf({ cold: true, loading: true, ready: true, missing: true }),
  model: orNull(shape({ name: text, where: text })),
  servers: orNull(text),
  left: shape({ nBefore: number, nRemoved: number }),
  searched: shape({
    n: number,
    nReading: orNull(number),
    scope: orNull(
      shape({
        nChosen: number,
        nAll: number,
        document: text,
        section: text,
        from: text,
        to: text,
        inForce: flag,
      }),
    ),
  }),
});

/**
 * A turn without the names and addresses of the model that wrote it.
 * @param {StoredTurn} turn @returns {StoredTurn}
 */
export function withoutServers(turn) {
  if (turn.servers === null) return turn;
  const calls = turn.answer.trace.calls.map((call) => ({ ...call, endpoint: null, model: null }));
  return {
    ...turn,
    model: { name: '', where: '' },
    servers: '',
    answer: { ...turn.answer, trace: { ...turn.answer.trace, calls } },
  };
}

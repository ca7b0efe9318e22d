/**
 * The contents of an evidence file besides the documents' bytes: what the saver typed, the answers with their citations,
 * and the documents by their hashes. One table says what goes in, how long it may be, and so what stays out: it picks
 * from an answer when a file is saved, and checks when one is opened, where it is hostile input. A text is only ever shown
 * as a text, so its characters are not looked at.
 */

import { EvidenceError } from './errors.js';

/** @typedef {import('../engine/protocol.js').Answer} Answer */
/** @typedef {import('../engine/protocol.js').Citation} Citation */

/**
 * An answer without its trace: searches, earlier turns, endpoints and models stay out.
 * @typedef {Pick<Answer, 'statements' | 'citations' | 'supporting' | 'conflicts' | 'notes' | 'verdict' | 'message' | 'answerability' | 'sufficient' | 'by'>} SavedAnswer
 */
/** @typedef {import('../widget/places.js').Searched} Searched */
/** @typedef {{ question: string, answer: SavedAnswer, searched: Searched }} Answered */
/** @typedef {{ id: string, name: string, title: string | null, nPages: number, bytes: number }} SavedDocument `id` is the SHA-256 of its bytes */

/**
 * @typedef {object} Contents
 * @property {string} title
 * @property {string} by
 * @property {string} date as typed: `2026-11-24`, or empty
 * @property {Answered[]} answers oldest first
 * @property {SavedDocument[]} documents in the order of their bytes
 */

/** Most bytes of the contents as JSON. */
export const maxContentsBytes = 16 << 20;
/** Most bytes of all documents. */
export const maxDocumentBytes = 400 << 20;

/**
 * @template T
 * @typedef {(value: unknown, path: string) => T} Shape gives a copy of what it describes, or throws
 */

/** @param {string} path @param {string} expected @returns {never} */
function refuse(path, expected) {
  throw new EvidenceError('damaged', `${path} is not ${expected}`);
}

/** @param {number} max UTF-16 code units @returns {Shape<string>} */
const text = (max) => (value, path) =>
  typeof value === 'string' && value.length <= max ? value : refuse(path, `a text of at most ${max}`);

/** @param {RegExp} pattern @returns {Shape<string>} */
const matching = (pattern) => (value, path) =>
  typeof value === 'string' && pattern.test(value) ? value : refuse(path, `${pattern}`);

/** @param {number} max @returns {Shape<number>} */
const whole = (max) => (value, path) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max
    ? value
    : refuse(path, `a whole number of at most ${max}`);

/** Coordinate of a page, in points. @type {Shape<number>} */
const coordinate = (value, path) =>
  typeof value === 'number' && Math.abs(value) < 1e7 ? value : refuse(path, 'a coordinate');

/** @type {Shape<boolean>} */
const flag = (value, path) => (typeof value === 'boolean' ? value : refuse(path, 'true or false'));

/** @template T @param {Shape<T>} shape @returns {Shape<T | null>} */
const orNull = (shape) => (value, path) => (value === null ? null : shape(value, path));

/** @template {string} T @param {...T} values @returns {Shape<T>} */
const oneOf =
  (...values) =>
  (value, path) =>
    values.find((each) => each === value) ?? refuse(path, `one of ${values.join(', ')}`);

/** @template T @param {Shape<T>} shape @param {number} max @param {number} [min] @returns {Shape<T[]>} */
const list =
  (shape, max, min = 0) =>
  (value, path) =>
    Array.isArray(value) && value.length <= max && value.length >= min
      ? value.map((each, at) => shape(each, `${path}[${at}]`))
      : refuse(path, `a list of ${min} to ${max}`);

/**
 * @template {Record<string, Shape<any>>} F
 * @param {F} fields all others are left out
 * @returns {Shape<{ [K in keyof F]: ReturnType<F[K]> }>}
 */
const record = (fields) => (value, path) => {
  if (typeof value !== 'object' || value === null) refuse(path, 'an object');
  const entries = Object.entries(fields).map(([name, shape]) => [
    name,
    shape(Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined, `${path}.${name}`),
  ]);
  return /** @type {any} */ (Object.fromEntries(entries));
};

const id = whole(1_000_000);
const ids = list(id, 1_000);
const sha256 = matching(/^[0-9a-f]{64}$/);
const name = text(1_000);
/** Statuses of citations. */
const statuses = /** @type {const} */ ([
  'verified',
  'ocr',
  'tracked',
  'differs',
  'cited',
  'repaired',
  'misattributed',
  'stitched',
  'not-found',
]);

const legalStatus = oneOf('repealed', 'superseded', 'reserved');
const caveat = oneOf('ocr', 'tracked', 'differs');

const quads = list(list(coordinate, 8, 8), 4_000);

const citation = record({
  id,
  quote: text(200_000),
  status: oneOf(...statuses),
  document: name,
  documentId: sha256,
  page: orNull(whole(1_000_000)),
  pageLabel: orNull(text(200)),
  sectionPath: list(text(2_000), 50),
  legalStatus: orNull(legalStatus),
  quads,
  spans: list(record({ page: orNull(whole(1_000_000)), range: list(whole(2 ** 32), 2, 2), quads }), 1_000),
  places: list(record({ block: whole(2 ** 32), start: whole(2 ** 32), end: whole(2 ** 32) }), 4_000),
  caveats: list(caveat, 3),
});

const statement = record({
  text: text(50_000),
  citations: ids,
  unsupported: list(
    record({ kind: oneOf('number', 'date', 'amount', 'modal', 'negation'), text: text(1_000) }),
    200,
  ),
  unknown: ids,
  continues: flag,
});

const withdrawn = record({ kind: oneOf('withdrawn'), citation: id, legalStatus });
const laterEdition = record({
  kind: oneOf('later-edition'),
  citation: id,
  date: text(40),
  later: name,
  laterDate: text(40),
});
const severalCases = record({ kind: oneOf('several-cases'), citations: ids });
/** @type {Record<string, Shape<any>>} */
const notes = { withdrawn, 'later-edition': laterEdition, 'several-cases': severalCases };

/** @type {Shape<any>} */
function note(value, path) {
  const kind = typeof value === 'object' && value !== null ? String(Reflect.get(value, 'kind')) : '';
  const shape = Object.hasOwn(notes, kind) ? notes[kind] : undefined;
  return shape ? shape(value, path) : refuse(path, 'a note');
}

const answer = record({
  statements: list(statement, 2_000),
  citations: list(citation, 1_000),
  supporting: list(
    record({ citation: id, why: oneOf('reference', 'definition'), name: text(1_000), by: id }),
    1_000,
  ),
  conflicts: list(
    record({
      kind: oneOf('negation', 'modality', 'number', 'wording'),
      citations: ids,
      preferred: orNull(id),
    }),
    200,
  ),
  notes: list(note, 500),
  verdict: orNull(
    record({
      grounded: flag,
      consistent: flag,
      complete: flag,
      problem: text(20_000),
      missing: list(text(2_000), 50),
    }),
  ),
  message: text(20_000),
  answerability: oneOf('silent', 'may-answer', 'answers'),
  sufficient: flag,
  by: oneOf('model', 'extraction'),
});

const count = whole(1_000_000);
const searched = record({
  n: count,
  nReading: orNull(count),
  scope: orNull(
    record({
      nChosen: count,
      nAll: count,
      document: name,
      section: text(2_000),
      from: text(40),
      to: text(40),
      inForce: flag,
    }),
  ),
});

const contents = record({
  title: text(300),
  by: text(300),
  date: text(40),
  answers: list(record({ question: text(20_000), answer, searched }), 100, 1),
  documents: list(
    record({
      id: sha256,
      name,
      title: orNull(text(2_000)),
      nPages: whole(1_000_000),
      bytes: whole(maxDocumentBytes),
    }),
    500,
  ),
});

/**
 * Contents of a file of these answers. Names stay out of documents that are not cited: of a later edition, and of the one that
 * was looked in.
 * @param {Pick<Contents, 'title' | 'by' | 'date' | 'answers' | 'documents'>} from answers may have more than is saved
 * @returns {Contents}
 */
export function contentsOf(from) {
  const names = new Set(from.documents.map((document) => document.name));
  const picked = /** @type {Contents} */ (contents(from, 'contents'));
  for (const { answer, searched } of picked.answers) {
    for (const each of answer.notes)
      if (each.kind === 'later-edition' && !names.has(each.later)) each.later = '';
    if (searched.scope && !names.has(searched.scope.document)) searched.scope.document = '';
  }
  return picked;
}

/**
 * @param {Uint8Array} bytes JSON
 * @returns {Contents}
 * @throws {EvidenceError} where it is anything else
 */
export function readContents(bytes) {
  /** @type {Contents} */
  let read;
  try {
    read = /** @type {Contents} */ (
      contents(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), 'contents')
    );
  } catch (error) {
    throw error instanceof EvidenceError ? error : new EvidenceError('damaged', 'the contents are not JSON');
  }
  const known = new Set(read.documents.map((document) => document.id));
  if (known.size < read.documents.length) refuse('contents.documents', 'a list of different documents');
  for (const { answer } of read.answers) {
    const ids = new Set(answer.citations.map((citation) => citation.id));
    if (ids.size < answer.citations.length) refuse('answer.citations', 'a list of different citations');
    for (const { documentId } of answer.citations)
      if (!known.has(documentId)) refuse('a citation', 'one of a document in this file');
  }
  return read;
}

/** Documents that answers cite, by id, the first cited first. @param {readonly { answer: Pick<Answer, 'citations'> }[]} answers */
export function citedDocuments(answers) {
  return [...new Set(answers.flatMap(({ answer }) => answer.citations.map(({ documentId }) => documentId)))];
}

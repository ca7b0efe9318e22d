/**
 * Readers of what a library's server sends. All of it is hostile input: each part is made anew of what is known of it, in
 * bounds; anything else refuses the whole reply. Whether a quotation is true is not read here but looked up (`checking.js`).
 * Answers have the reader of those in storage, which is given: importing it would cut the first load into more files.
 */

import { LibraryError, toldError } from './errors.js';

/** @typedef {import('../engine/protocol.js').Answer} Answer */

/** Most documents and profiles of a list that are read. */
export const maxListed = 1_000;
const maxProfiles = 100;
const maxCitations = 200;
const maxQuote = 20_000;
/** Most sentences; of one citation: parts of its quotation, spans and quads. */
const maxStatements = 1_000;
const maxParts = 40;
const maxSpans = 1_000;
const maxQuads = 4_000;
const maxPage = 1_000_000;
const maxPlace = 2 ** 32;
/** Coordinates beyond which nothing is on a page, in points. */
const maxPoint = 100_000;

/** Most characters of a name. */
const maxName = 1_000;

/** @typedef {{ id: string, name: string, title: string | null, date: string | null, nPages: number }} ListedDocument */
/** @typedef {{ documents: ListedDocument[], nDocuments: number, profiles: string[], hasModel: boolean }} LibraryList */
/** @typedef {{ step: string, done: number, total: number }} AskProgress `total` is 0 where it is not told */
/** @typedef {{ progress: AskProgress } | { answer: Answer }} AskEvent */

/**
 * The library, or its first documents and how many it has: documents of one id are one, and no more of them are read than are
 * listed.
 * @param {unknown} value @returns {LibraryList}
 */
export function libraryList(value) {
  const listed = list(field(value, 'documents'), 'the documents').slice(0, maxListed);
  const read = listed.map((each) => ({
    id: documentId(field(each, 'id')),
    name: name(field(each, 'name')),
    title: orNull(field(each, 'title'), name),
    date: orNull(field(each, 'date'), name),
    nPages: whole(field(each, 'nPages'), maxPage),
  }));
  const documents = [...new Map(read.map((each) => [each.id, each])).values()];
  const profiles = list(field(value, 'profiles'), 'the profiles').slice(0, maxProfiles);
  return {
    documents,
    nDocuments: whole(field(value, 'nDocuments'), Number.MAX_SAFE_INTEGER, documents.length),
    profiles: profiles.map((each) => name(field(each, 'name'))),
    hasModel: field(value, 'hasModel') === true,
  };
}

/**
 * An event of a stream of answering.
 * @param {unknown} value
 * @param {import('../widget/shape.js').Reader<Answer>} readAnswer
 * @returns {AskEvent}
 * @throws {LibraryError} the error that the server tells, too
 */
export function askEvent(value, readAnswer) {
  const event = field(value, 'event');
  if (event === 'answer') return { answer: sound(readAnswer(field(value, 'answer'))) };
  if (event === 'progress')
    return {
      progress: {
        step: name(field(value, 'step')),
        done: count(field(value, 'done')),
        total: count(field(value, 'total')),
      },
    };
  if (event !== 'error') throw new TypeError('an event of another kind');
  const error = field(value, 'error');
  const requestId = field(error, 'requestId');
  throw toldError({
    code: name(field(error, 'code')),
    message: name(field(error, 'message')),
    requestId: typeof requestId === 'string' ? requestId : '',
  });
}

/**
 * An answer as a card can show it: what its reader cannot know, since storage is filled by this page alone.
 * @param {Answer} answer @returns {Answer}
 */
function sound(answer) {
  const { citations, statements, by } = answer;
  if (citations.length > maxCitations) throw new TypeError(`${citations.length} citations`);
  if (statements.length > maxStatements) throw new TypeError(`${statements.length} sentences`);
  const ids = new Set(citations.map(({ id }) => id));
  if (ids.size < citations.length) throw new TypeError('two citations have one number');
  for (const { quote, documentId: id, page, quads, spans, places } of citations) {
    documentId(id);
    if (quote.length > maxQuote) throw new TypeError(`a quotation of ${quote.length} characters`);
    if (quote.split(' […] ', maxParts + 1).length > maxParts)
      throw new TypeError('a quotation of very many parts');
    const allQuads = [quads, ...spans.map((span) => span.quads)].flat();
    if (Math.max(spans.length, places.length) > maxSpans || allQuads.length > maxQuads)
      throw new TypeError('a quotation in very many places');
    for (const each of [page, ...spans.map((span) => span.page)]) if (each !== null) whole(each, maxPage, 1);
    for (const coordinate of allQuads.flat())
      if (Math.abs(coordinate) > maxPoint) throw new TypeError('a place that is on no page');
    for (const { block, start, end } of places) for (const each of [block, start, end]) whole(each, maxPlace);
  }
  const quotes = new Map(citations.map(({ id, quote }) => [id, quote]));
  const isQuoted = (/** @type {Answer['statements'][number]} */ statement) =>
    statement.citations.some((id) => quotes.get(id) === statement.text);
  // In an extracted answer a sentence is the quotation of its citation, and as such it is compared with the page.
  if (by === 'extraction' && !statements.every(isQuoted))
    throw new TypeError('a sentence of an extracted answer is no quotation');
  return answer;
}

/** Range of a reply to a request for bytes: `bytes 0-99/1234`. @param {string} header */
export function contentRange(header) {
  const found = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header.trim());
  if (!found) throw new LibraryError('bad-reply', 'expected a range of bytes, found another header');
  const [start = 0, last = 0, total = 0] = found.slice(1).map(Number);
  if (last < start || last >= total) throw new LibraryError('bad-reply', 'the range is none of the file');
  return { start, end: last + 1, total };
}

/** A field of its own of an object. @param {unknown} value @param {string} key @returns {unknown} */
function field(value, key) {
  if (typeof value !== 'object' || value === null) throw new TypeError(`expected an object with ${key}`);
  return Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

/** @param {unknown} value @param {string} what @returns {unknown[]} */
function list(value, what) {
  if (!Array.isArray(value)) throw new TypeError(`${what} are no list`);
  return value;
}

/** A text that is shown, cut where it is too long. @param {unknown} value @returns {string} */
function name(value) {
  if (typeof value !== 'string') throw new TypeError('expected a text');
  return value.slice(0, maxName);
}

/** @param {unknown} value @returns {string} */
function documentId(value) {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value))
    throw new TypeError('a document’s id is no SHA-256');
  return value;
}

/** @param {unknown} value @param {number} max @param {number} [min] @returns {number} */
function whole(value, max, min = 0) {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
    throw new TypeError(`expected a whole number from ${min} to ${max}`);
  return value;
}

/** A number of progress; 0 where it is not told. @param {unknown} value */
function count(value) {
  return value === undefined || value === null ? 0 : whole(value, Number.MAX_SAFE_INTEGER);
}

/** @template T @param {unknown} value @param {(value: unknown) => T} read @returns {T | null} */
function orNull(value, read) {
  return value === null || value === undefined ? null : read(value);
}

/**
 * Questions of the lab, read from CSV and JSON lines and written as JSON lines that `pincite eval` reads. A line that cannot be
 * read is named with its number and left out; the others are kept.
 *
 * papaparse splits the CSV: it knows the separators and quotes of spreadsheets, and needs no code made of text, which the
 * policy forbids.
 */

import Papa from 'papaparse';

/**
 * Place that answers a question: any of some pages, or, in a document without pages, a range of its text.
 * @typedef {object} Place
 * @property {string} document file name
 * @property {number[]} pages from 1; empty for a document without pages
 * @property {[number, number] | null} range bytes of the document's text
 * @property {string} quote words that answer; may be empty
 */

/** @typedef {{ id: string, query: string, answer: string, places: Place[] }} Question `answer` may be empty */
/** @typedef {'no-json' | 'no-question' | 'no-document' | 'no-pages' | 'too-long' | 'too-many' | 'no-columns' | 'no-quote-end'} FaultCode */
/** @typedef {{ line: number, code: FaultCode }} Fault */

/**
 * Maximum bytes, listed faults and faults of a file, questions, characters of a text, and places and pages of a question.
 * A line that is no JSON takes 4 µs: a file of nothing else would hold the page for half a minute.
 */
export const limits = {
  bytes: 16_000_000,
  faults: 1_000,
  allFaults: 50_000,
  questions: 2_000,
  text: 10_000,
  places: 40,
  pages: 200,
};

/** Names of a column or field, in the order in which they count. */
const names = {
  id: ['qid', 'id'],
  query: ['query', 'question'],
  answer: ['answer'],
  document: ['document', 'file'],
  pages: ['pages', 'page'],
  quote: ['quotation', 'quote'],
};

/** Thrown for a line that cannot be read. It is no `Error`, whose stack would take most of the time of a file of faults. */
class LineFault {
  /** @param {FaultCode} code */
  constructor(code) {
    this.code = code;
  }
}

/**
 * Questions of a file. Lines of one question, by its id or in the same words, are its places. From the first line with a
 * question above the limit lines are counted as faults without being read; after the last fault that a file may have they are
 * counted as unread.
 * @param {string} text @param {boolean} isJson
 * @returns {{ questions: Question[], faults: Fault[], nFaults: number, nUnread: number }} `nFaults` also counts those above the limit
 */
export function readQuestions(text, isJson) {
  /** @type {Map<string, Question>} */
  const questions = new Map();
  /** @type {Fault[]} */
  const faults = [];
  let nFaults = 0;
  let nUnread = 0;
  let isFull = false;
  const refuse = (/** @type {number} */ line, /** @type {FaultCode} */ code) => {
    nFaults += 1;
    if (faults.length < limits.faults) faults.push({ line, code });
  };
  const add = (/** @type {number} */ line, /** @type {() => Question} */ read) => {
    if (isFull) return refuse(line, 'too-many');
    if (nFaults >= limits.allFaults) {
      nUnread += 1;
      return;
    }
    try {
      const question = read();
      const key = question.id || question.query;
      const known = questions.get(key);
      isFull = !known && questions.size >= limits.questions;
      if (isFull) refuse(line, 'too-many');
      else if (known) known.places = distinct([...known.places, ...question.places]).slice(0, limits.places);
      else questions.set(key, question);
    } catch (error) {
      if (!(error instanceof LineFault)) throw error;
      refuse(line, error.code);
    }
  };
  const source = text.replace(/^\ufeff/, '');
  if (isJson) readLines(source, add);
  else readRows(source, add, refuse);
  return { questions: [...questions.values()].map(withId), faults, nFaults, nUnread };
}

/** @param {string} text @param {(line: number, read: () => Question) => void} add */
function readLines(text, add) {
  for (const [at, line] of text.split('\n').entries())
    if (line.trim() !== '') add(at + 1, () => ofJson(line));
}

/**
 * @param {string} text
 * @param {(line: number, read: () => Question) => void} add
 * @param {(line: number, code: FaultCode) => void} refuse
 */
function readRows(text, add, refuse) {
  /** @type {Columns | null} */
  let columns = null;
  let cursor = 0;
  let line = 1;
  Papa.parse(text, {
    step: ({ data, errors, meta }, parser) => {
      const row = /** @type {string[]} */ (data);
      const at = line;
      line += text.slice(cursor, meta.cursor).split('\n').length - 1;
      cursor = meta.cursor;
      if (errors.some(({ code }) => code === 'MissingQuotes')) refuse(at, 'no-quote-end');
      else if (row.every((cell) => cell.trim() === '')) return;
      else if (columns !== null) {
        const known = columns;
        add(at, () => ofRow(known, row));
      } else {
        columns = columnsOf(row);
        if (columns.query >= 0 && columns.document >= 0) return;
        refuse(at, 'no-columns');
        parser.abort();
      }
    },
  });
}

/** @typedef {Record<keyof typeof names, number>} Columns index of each column; -1 where there is none */

/** @param {readonly string[]} row the first one @returns {Columns} */
function columnsOf(row) {
  const header = row.map((cell) => cell.trim().toLowerCase());
  const column = (/** @type {keyof typeof names} */ name) =>
    header.findIndex((cell) => names[name].includes(cell));
  return {
    id: column('id'),
    query: column('query'),
    answer: column('answer'),
    document: column('document'),
    pages: column('pages'),
    quote: column('quote'),
  };
}

/** @param {Columns} columns @param {readonly string[]} row @returns {Question} */
function ofRow(columns, row) {
  const cell = (/** @type {keyof typeof names} */ name) => clipped(row[columns[name]] ?? '');
  const document = cell('document');
  const written = cell('pages');
  const pages = written === '' ? [] : pagesOf(written);
  return checked({
    id: cell('id'),
    query: cell('query'),
    answer: cell('answer'),
    places: document === '' ? [] : [{ document, pages, range: null, quote: cell('quote') }],
  });
}

/** @param {string} line @returns {Question} */
function ofJson(line) {
  try {
    return ofValue(JSON.parse(line));
  } catch (error) {
    throw error instanceof LineFault ? error : new LineFault('no-json');
  }
}

/** @param {unknown} value a line of JSON @returns {Question} */
function ofValue(value) {
  if (typeof value !== 'object' || value === null) throw new LineFault('no-json');
  const fields = /** @type {Record<string, unknown>} */ (value);
  const field = (/** @type {keyof typeof names} */ name) => {
    return names[name].map((each) => fields[each]).find((each) => each !== undefined && each !== null);
  };
  const asText = (/** @type {keyof typeof names} */ name) => {
    const found = field(name);
    return clipped(typeof found === 'string' || typeof found === 'number' ? String(found) : '');
  };
  const quotes = quotesOf(fields['sources']);
  const passages = Array.isArray(fields['passages']) ? fields['passages'] : [];
  const document = asText('document');
  const written = field('pages');
  const pages = written === undefined ? [] : pagesOf(pagesText(written));
  const places =
    passages.length > 0 ? passages.map((id) => placeOf(typeof id === 'string' ? id : '', quotes)) : [];
  if (places.length === 0 && document !== '')
    places.push({ document, pages, range: null, quote: asText('quote') });
  return checked({ id: asText('id'), query: asText('query'), answer: asText('answer'), places });
}

/** Pages of a JSON field, a number, a text or a list of these, as one text. @param {unknown} written */
function pagesText(written) {
  const parts = Array.isArray(written) ? written : [written];
  if (parts.some((part) => typeof part !== 'number' && typeof part !== 'string'))
    throw new LineFault('no-pages');
  return clipped(parts.join(','));
}

/** @typedef {{ text: string, range: [number, number] | null }} Quotation */

/** Place of a passage as `pincite eval` names it: `file.pdf#7,8`. Takes its quotation. @param {string} id @param {Map<string, Quotation[]>} quotes @returns {Place} */
function placeOf(id, quotes) {
  const [, document = id, written = ''] = /^(.*)#([\d,]+)$/.exec(clipped(id)) ?? [];
  const pages = written === '' ? [] : pagesOf(written);
  const quote = quotes.get(`${document}#${pages[0] ?? ''}`)?.shift();
  return {
    document,
    pages,
    range: pages.length === 0 ? (quote?.range ?? null) : null,
    quote: quote?.text ?? '',
  };
}

/** First quotation of each of the `sources`, in order, by document and page. @param {unknown} sources */
function quotesOf(sources) {
  /** @type {Map<string, Quotation[]>} */
  const quotes = new Map();
  for (const source of listed(sources).slice(0, limits.places)) {
    const { document, page, quotes: quoted } = Object(source);
    const { text, ranges } = Object(listed(quoted)[0]);
    if (typeof text !== 'string') continue;
    const range = listed(listed(ranges)[0]);
    const isRange = range.length === 2 && range.every(Number.isSafeInteger);
    const key = `${document}#${page ?? ''}`;
    const quote = { text: clipped(text), range: isRange ? /** @type {[number, number]} */ (range) : null };
    quotes.set(key, [...(quotes.get(key) ?? []), quote]);
  }
  return quotes;
}

/** @param {unknown} value @returns {unknown[]} */
const listed = (value) => (Array.isArray(value) ? value : []);

/** Pages as they are written: `7`, `7,8`, `7; 8`, `7-9`. @param {string} written */
function pagesOf(written) {
  const pages = written.split(/[,;\s]+/).flatMap((part) => {
    const [, from = '', to = from] = /^(\d{1,6})(?:[-–](\d{1,6}))?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (part === '') return [];
    if (first < 1 || last < first || last - first >= limits.pages) throw new LineFault('no-pages');
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
  if (pages.length === 0 || pages.length > limits.pages) throw new LineFault('no-pages');
  return [...new Set(pages)].sort((a, b) => a - b);
}

/** @param {string} text */
function clipped(text) {
  if (text.length > limits.text) throw new LineFault('too-long');
  return text.trim();
}

/** @param {Question} question */
function checked(question) {
  if (question.query === '') throw new LineFault('no-question');
  if (question.places.length === 0 || question.places.some(({ document }) => document === ''))
    throw new LineFault('no-document');
  if (question.places.length > limits.places) throw new LineFault('too-long');
  return { ...question, places: distinct(question.places) };
}

/** Places without those that a later one of the same id replaces. @param {readonly Place[]} places */
export function distinct(places) {
  return [...new Map(places.map((place) => [placeId(place), place])).values()];
}

/** @param {Question} question @param {number} at */
const withId = (question, at) => ({ ...question, id: wordless(question.id) || `q${at + 1}` });

/** An id without spaces, as TREC files have it. @param {string} id */
export const wordless = (id) => id.replace(/\s+/g, '_');

/** Id of a judged place, as `pincite eval retrieval` writes it. @param {Pick<Place, 'document' | 'pages' | 'range'>} place */
export function placeId({ document, pages, range }) {
  if (pages.length > 0) return `${document}#${pages.join(',')}`;
  return range === null ? document : `${document}@${range[0]}-${range[1]}`;
}

/**
 * Questions as JSON lines, as `pincite eval generate` writes them. Each place has one quotation, empty where it has no words,
 * so that the quotations of places with the same document and page are read back in order.
 * @param {readonly Question[]} questions
 */
export function writeQuestions(questions) {
  const lines = questions.map(({ id, query, answer, places }) => {
    const sources = places.map(({ document, pages, range, quote }) => ({
      document,
      page: pages[0] ?? null,
      quotes: [{ text: quote, ranges: range === null ? [] : [range] }],
    }));
    const passages = places.map(({ document, pages }) => placeId({ document, pages, range: null }));
    return JSON.stringify({ qid: id, query, answer, document: places[0]?.document ?? '', passages, sources });
  });
  return lines.map((line) => `${line}\n`).join('');
}

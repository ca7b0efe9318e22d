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

/** Most bytes of a file, questions, characters of a text, and places and pages of a question. */
export const limits = { bytes: 16_000_000, questions: 2_000, text: 10_000, places: 40, pages: 200 };

/** Names of a column or field, in the order in which they count. */
const names = {
  id: ['qid', 'id'],
  query: ['query', 'question'],
  answer: ['answer'],
  document: ['document', 'file'],
  pages: ['pages', 'page'],
  quote: ['quotation', 'quote'],
};

class LineFault extends Error {
  /** @param {FaultCode} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/**
 * Questions of a file. Lines of one question, by its id or in the same words, are its places.
 * @param {string} text @param {boolean} isJson
 * @returns {{ questions: Question[], faults: Fault[] }}
 */
export function readQuestions(text, isJson) {
  /** @type {Map<string, Question>} */
  const questions = new Map();
  /** @type {Fault[]} */
  const faults = [];
  const add = (/** @type {number} */ line, /** @type {() => Question} */ read) => {
    try {
      const question = read();
      const known = questions.get(question.id || question.query);
      if (!known && questions.size >= limits.questions) throw new LineFault('too-many');
      if (known) known.places = distinct([...known.places, ...question.places]);
      else questions.set(question.id || question.query, question);
    } catch (error) {
      if (!(error instanceof LineFault)) throw error;
      faults.push({ line, code: error.code });
    }
  };
  const source = text.replace(/^\ufeff/, '');
  if (isJson) readLines(source, add);
  else readRows(source, add, faults);
  return { questions: [...questions.values()].map(withId), faults };
}

/** @param {string} text @param {(line: number, read: () => Question) => void} add */
function readLines(text, add) {
  for (const [at, line] of text.split('\n').entries())
    if (line.trim() !== '') add(at + 1, () => ofJson(line));
}

/** @param {string} text @param {(line: number, read: () => Question) => void} add @param {Fault[]} faults */
function readRows(text, add, faults) {
  /** @type {string[] | null} */
  let header = null;
  let cursor = 0;
  let line = 1;
  Papa.parse(text, {
    step: ({ data, errors, meta }) => {
      const row = /** @type {string[]} */ (data);
      const at = line;
      line += text.slice(cursor, meta.cursor).split('\n').length - 1;
      cursor = meta.cursor;
      if (errors.some(({ code }) => code === 'MissingQuotes'))
        faults.push({ line: at, code: 'no-quote-end' });
      else if (row.every((cell) => cell.trim() === '')) return;
      else if (header === null) {
        header = row.map((cell) => cell.trim().toLowerCase());
        if (column(header, names.query) < 0 || column(header, names.document) < 0)
          faults.push({ line: at, code: 'no-columns' });
      } else if (!faults.some(({ code }) => code === 'no-columns')) {
        const columns = header;
        add(at, () => ofRow(columns, row));
      }
    },
  });
}

/** @param {readonly string[]} header @param {readonly string[]} known */
const column = (header, known) => header.findIndex((name) => known.includes(name));

/** @param {readonly string[]} header @param {readonly string[]} row @returns {Question} */
function ofRow(header, row) {
  const cell = (/** @type {keyof typeof names} */ name) => clipped(row[column(header, names[name])] ?? '');
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
  /** @type {unknown} */
  let value;
  try {
    value = JSON.parse(line);
  } catch {
    throw new LineFault('no-json');
  }
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
  const pages = written === undefined ? [] : pagesOf(JSON.stringify(written).replace(/[[\]"]/g, ''));
  const places =
    passages.length > 0 ? passages.map((id) => placeOf(typeof id === 'string' ? id : '', quotes)) : [];
  if (places.length === 0 && document !== '')
    places.push({ document, pages, range: null, quote: asText('quote') });
  return checked({ id: asText('id'), query: asText('query'), answer: asText('answer'), places });
}

/** A passage as `pincite eval` names it: `file.pdf#7,8`. @param {string} id @param {Map<string, { text: string, range: [number, number] | null }>} quotes @returns {Place} */
function placeOf(id, quotes) {
  const [, document = id, written = ''] = /^(.*)#([\d,]+)$/.exec(clipped(id)) ?? [];
  const pages = written === '' ? [] : pagesOf(written);
  const quote = quotes.get(`${document}#${pages[0] ?? ''}`);
  return {
    document,
    pages,
    range: pages.length === 0 ? (quote?.range ?? null) : null,
    quote: quote?.text ?? '',
  };
}

/** First quotations of `sources`, by document and page. @param {unknown} sources */
function quotesOf(sources) {
  /** @type {Map<string, { text: string, range: [number, number] | null }>} */
  const quotes = new Map();
  for (const source of Array.isArray(sources) ? sources.slice(0, limits.places) : []) {
    const { document, page, quotes: [first] = [] } = Object(source);
    const { text, ranges: [range] = [] } = Object(first);
    if (typeof text !== 'string') continue;
    const isRange = Array.isArray(range) && range.length === 2 && range.every(Number.isSafeInteger);
    quotes.set(`${document}#${page ?? ''}`, {
      text: clipped(text),
      range: isRange ? [range[0], range[1]] : null,
    });
  }
  return quotes;
}

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

/** @param {Place[]} places */
function distinct(places) {
  return [...new Map(places.map((place) => [placeId(place), place])).values()].slice(0, limits.places);
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

/** Questions as JSON lines, as `pincite eval generate` writes them. @param {readonly Question[]} questions */
export function writeQuestions(questions) {
  const lines = questions.map(({ id, query, answer, places }) => {
    const sources = places.map(({ document, pages, range, quote }) => ({
      document,
      page: pages[0] ?? null,
      quotes: quote === '' ? [] : [{ text: quote, ranges: range === null ? [] : [range] }],
    }));
    const passages = places.map(({ document, pages }) => placeId({ document, pages, range: null }));
    return JSON.stringify({ qid: id, query, answer, document: places[0]?.document ?? '', passages, sources });
  });
  return lines.map((line) => `${line}\n`).join('');
}

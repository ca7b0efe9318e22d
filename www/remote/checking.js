/**
 * Compares the citations of a library's answer with its documents, in this page: of what the server says of a quotation
 * nothing is believed but its words and which document and pages to look in. A small file, one without pages, and one whose
 * pages did not show the words, comes whole: its hash must be its id, this page's own engine reads it, and the words are looked
 * up as those of a saved answer are (`evidence/check.js`). Of a larger PDF only the cited pages come, and the words must stand
 * there as pdf.js reads them. What comes out is never better than what the server said.
 */

import { Checker, worse } from '../evidence/check.js';
import { Effort } from './effort.js';
import { libraryError } from './errors.js';
import { findAcross } from './page-turn.js';
import { placesOn } from './page-places.js';
import { comparableWords, findWords, pageWords } from './page-words.js';
import { pdfRanges } from './pdf-ranges.js';

/** @typedef {import('../engine/protocol.js').Citation} Citation */
/** @typedef {import('./page-words.js').PageWords} PageWords */
/** @typedef {import('./page-words.js').WordRange} WordRange */
/** @typedef {[page: number, range: WordRange]} Place */
/** @typedef {{ isWhole: boolean, ranges: Place[] }} Places */
/** @typedef {import('./remote-file.js').RemoteFile} RemoteFile */
/** @typedef {import('./errors.js').LibraryError} LibraryError */
/** @typedef {import('../viewer/pdf.js').PdfDocument} PdfDocument */

/** Size up to which a file comes whole at once, and up to which it does where its pages do not show the words, in bytes. */
const smallBytes = 1024 * 1024;
const wholeBytes = 16 * 1024 * 1024;
/** Most pages of one citation that are looked at, and places of the same words on a page. */
const maxPages = 6;
const maxPlaces = 50;
/** Mark of words that a quotation leaves out, and most characters that it leaves out in one place. */
const leftOut = ' […] ';
const maxLeftOut = 3_000;
/** Most times that bytes may be missing before a document is given up. */
const maxTroubles = 3;
/** Documents that are read at the same time. */
const atOnce = 4;

/**
 * @typedef {object} CheckHost
 * @property {(id: string) => RemoteFile} file
 * @property {(id: string, file: Blob, name: string) => Promise<import('../evidence/check.js').Asked>} read an engine that has
 *   read the file, in memory
 * @property {import('../evidence/check.js').Asked | null} here the engine of this browser's documents
 * @property {(id: string) => boolean} isHere true if this browser has the document itself
 * @property {(source: import('../viewer/pdf.js').PdfSource) => Promise<PdfDocument>} openPdf
 * @property {(id: string, nPages: number) => void} onPages a document's number of pages is known
 */

/**
 * Citations with the status that this page came to, in their order; `unchecked` where a document did not come.
 * @param {readonly Citation[]} citations
 * @param {CheckHost} host
 * @param {{ signal: AbortSignal, onProgress?: (done: number, total: number) => void }} options `signal` ends the comparing:
 *   what is not compared by then stays so
 * @returns {Promise<Citation[]>}
 */
export async function checked(citations, host, { signal, onProgress = () => {} }) {
  const effort = new Effort(signal);
  /** @type {Map<Citation, Citation>} */
  const results = new Map();
  const ids = [...new Set(citations.map(({ documentId }) => documentId))];
  const next = async () => {
    for (let id = ids.shift(); id !== undefined && !signal.aborted; id = ids.shift()) {
      const document = id;
      const ofIt = citations.filter(({ documentId }) => documentId === document);
      await ofDocument(document, ofIt, host, effort, (citation, result) => {
        results.set(citation, result);
        onProgress(results.size, citations.length);
      });
    }
  };
  const ended = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await Promise.race([Promise.all(Array.from({ length: atOnce }, next)), ended]);
  return citations.map((citation) => results.get(citation) ?? unchecked(citation));
}

/**
 * Sentences of a model, with what of their figures, dates, duties and denials this page's engine finds in none of the documents
 * that they cite, besides what the server says of it. Of a document that did not come whole that cannot be told.
 * @param {import('../engine/protocol.js').Answer} answer with citations that were looked up
 * @param {(ids: string[]) => import('../evidence/check.js').Asked | null} reader an engine that has read all of these documents
 * @param {AbortSignal} signal
 * @returns {Promise<{ statements: import('../engine/protocol.js').Answer['statements'], nUnchecked: number }>}
 */
export async function checkedStatements({ statements, citations, by }, reader, signal) {
  if (by === 'extraction') return { statements, nUnchecked: 0 };
  /** @type {typeof statements} */
  const results = [];
  let nUnchecked = 0;
  for (const statement of statements) {
    const cited = citations.filter(({ id }) => statement.citations.includes(id));
    const engine = signal.aborted || cited.length === 0 ? null : reader(cited.map((each) => each.documentId));
    nUnchecked += engine === null && cited.length > 0 ? 1 : 0;
    const found = engine && (await new Checker(engine).statement(statement, { by, citations }));
    results.push(
      found ? { ...statement, unsupported: [...statement.unsupported, ...found.unsupported] } : statement,
    );
  }
  return { statements: results, nUnchecked };
}

/** A citation that is not compared: neither its status nor its place is known. @param {Citation} citation @returns {Citation} */
function unchecked(citation) {
  if (citation.status === 'not-found') return nowhere(citation);
  return /** @type {Citation} */ (
    /** @type {unknown} */ ({ ...unlit(citation), status: 'unchecked', caveats: [] })
  );
}

/** @param {Citation} citation @returns {Citation} */
const nowhere = (citation) => ({ ...unlit(citation), status: 'not-found' });

/** A citation that lights nothing. @param {Citation} citation @returns {Citation} */
const unlit = (citation) => ({ ...citation, quads: [], spans: [], places: [] });

/**
 * @param {string} id
 * @param {readonly Citation[]} citations all those of the document
 * @param {CheckHost} host
 * @param {Effort} effort
 * @param {(citation: Citation, result: Citation) => void} onResult
 */
async function ofDocument(id, citations, host, effort, onResult) {
  const { signal } = effort;
  const file = host.file(id);
  const reading = new PageReader(file, host.openPdf, (nPages) => host.onPages(id, nPages), effort);
  /** @type {Promise<Checker> | null} */
  let whole = null;
  const readWhole = async () => {
    if (host.here && host.isHere(id)) return new Checker(host.here);
    const blob = await file.whole({ maxBytes: wholeBytes, signal });
    return new Checker(await host.read(id, blob, citations[0]?.document ?? id));
  };
  try {
    for (const citation of citations) {
      if (signal.aborted) return;
      let wasLookedFor = false;
      try {
        await effort.rest();
        const isByPages =
          !host.isHere(id) &&
          citation.page !== null &&
          (await file.size(signal, wholeBytes)) > smallBytes &&
          !file.isWhole;
        const found = isByPages ? await reading.find(citation) : null;
        wasLookedFor = isByPages;
        await effort.rest();
        whole ??= found === null ? readWhole() : null;
        onResult(
          citation,
          found ?? (await byEngine(await /** @type {Promise<Checker>} */ (whole), citation)),
        );
      } catch (thrown) {
        const isTooLarge = libraryError(thrown).reason === 'too-large';
        onResult(citation, isTooLarge && wasLookedFor ? nowhere(citation) : unchecked(citation));
      }
    }
  } finally {
    reading.close();
  }
}

/** @param {Checker} checker @param {Citation} citation */
async function byEngine(checker, citation) {
  const { citation: found, findings } = await checker.citation(citation);
  if (found.status === 'not-found') return nowhere(found);
  const isUnplaced = findings.includes('unplaced');
  const isWhole = !citation.quote.includes(leftOut) || (!isUnplaced && areNear(found.spans));
  const capped = { ...found, status: isWhole ? found.status : worse('stitched', found.status) };
  // Where the engine does not say where they stand, the server's word for it lights nothing.
  return isUnplaced ? unlit(capped) : capped;
}

/** True if places in a text, in their order, are near each other; of an engine's text bytes are counted. @param {Citation['spans']} spans */
function areNear(spans) {
  const pages = spans.flatMap(({ page }) => page ?? []);
  const isTurn = Math.max(...pages) - Math.min(...pages) <= 1;
  return (
    isTurn &&
    spans.every(({ range: [start] }, at) => start - (spans[at - 1]?.range[1] ?? start) <= maxLeftOut)
  );
}

/** Pages of a large PDF, by ranges; it is opened when the first is looked at. */
class PageReader {
  #file;
  #openPdf;
  #onPages;
  #effort;
  /** `failed` rejects where bytes do not come. @type {Promise<{ pdf: PdfDocument, close: () => void, failed: Promise<never> }> | null} */
  #opened = null;
  /** @type {Map<number, Promise<PageWords>>} */
  #pages = new Map();

  /** @param {RemoteFile} file @param {CheckHost['openPdf']} openPdf @param {(nPages: number) => void} onPages @param {Effort} effort */
  constructor(file, openPdf, onPages, effort) {
    this.#file = file;
    this.#openPdf = openPdf;
    this.#onPages = onPages;
    this.#effort = effort;
  }

  close() {
    this.#opened?.then(
      ({ pdf, close }) => {
        close();
        void pdf.loadingTask.destroy();
      },
      () => {},
    );
  }

  /**
   * The citation where its pages show its words; null where they do not.
   * @param {Citation} citation
   * @returns {Promise<Citation | null>}
   */
  async find(citation) {
    const named = [citation.page, ...citation.spans.map(({ page }) => page)].flatMap((page) => page ?? []);
    const { pdf } = await this.#open();
    const pages = [...new Set(named)].filter((page) => page <= pdf.numPages).slice(0, maxPages);
    /** @type {Map<number, WordRange[]>} */
    const found = new Map();
    let isWhole = true;
    /** Where the part before ends. @type {Place | null} */
    let before = null;
    for (const part of citation.quote.split(leftOut)) {
      /** @type {Places | null} */
      const after = before && (await this.#place(part, pages, citation, before));
      /** @type {Places | null} */
      const places = after ?? (await this.#anywhere(part, pages, citation));
      if (places === null) return null;
      isWhole &&=
        places.isWhole && (before === null || (after !== null && (await this.#isNear(before, after))));
      before = places.ranges.at(-1) ?? null;
      for (const [page, range] of places.ranges) found.set(page, [...(found.get(page) ?? []), range]);
    }
    isWhole &&= Math.max(...found.keys()) - Math.min(...found.keys()) <= 1;
    const spans = await Promise.all(
      [...found].map(async ([page, ranges]) => ({
        page,
        range: /** @type {[number, number]} */ ([0, 0]),
        quads: placesOn(await this.#page(page), ranges, claimedOn(citation, page)),
      })),
    );
    spans.sort((a, b) => a.page - b.page);
    const [first] = spans;
    const computed = isWhole ? (citation.caveats.at(-1) ?? 'verified') : 'stitched';
    return {
      ...citation,
      status: worse(computed, citation.status),
      page: first?.page ?? citation.page,
      pageLabel: first?.page === citation.page ? citation.pageLabel : null,
      quads: first?.quads ?? [],
      spans,
      places: [],
    };
  }

  /** True if what lies between the end of a place and the next is no more than a quotation leaves out. @param {Place} before @param {Places} after */
  async #isNear([page, { end }], { ranges: [next] }) {
    if (!next || next[0] - page > 1) return false;
    const length = next[0] === page ? 0 : (await this.#page(page)).text.length;
    return next[1].start + length - end <= maxLeftOut;
  }

  /** Where words stand, in one place or line by line. @param {string} text @param {readonly number[]} pages @param {Citation} citation */
  async #anywhere(text, pages, citation) {
    return (await this.#place(text, pages, citation)) ?? this.#placeLines(text, pages, citation);
  }

  /**
   * Where words stand together: on a page, or from the end of one to the next.
   * @param {string} text @param {readonly number[]} pages @param {Citation} citation
   * @param {Place | null} [after] only after it, and the first there
   * @returns {Promise<Places | null>}
   */
  async #place(text, pages, citation, after = null) {
    const words = comparableWords(text);
    if (words === '') return null;
    const [first, { end: from }] = after ?? [0, { end: 0 }];
    const inOrder = after ? pages.filter((each) => each >= first).sort((a, b) => a - b) : pages;
    for (const number of inOrder) {
      await this.#effort.rest();
      const page = await this.#page(number);
      const range = after
        ? findWords(page, words, number === first ? from : 0, this.#effort)
        : bestPlace(page, words, claimedOn(citation, number), this.#effort);
      if (range) return { isWhole: true, ranges: [[number, range]] };
    }
    const { pdf } = await this.#open();
    for (const number of inOrder.filter((each) => pages.includes(each + 1))) {
      await this.#effort.rest();
      const [page, next] = await Promise.all([this.#page(number), this.#page(number + 1)]);
      const around = [number - 1, number + 2].filter((each) => each >= 1 && each <= pdf.numPages);
      const across =
        findAcross(page, next, words, [], this.#effort) ??
        findAcross(
          page,
          next,
          words,
          await Promise.all(around.map((each) => this.#page(each))),
          this.#effort,
        );
      if (across && (number !== first || across[0].start >= from))
        return {
          isWhole: true,
          ranges: [
            [number, across[0]],
            [number + 1, across[1]],
          ],
        };
    }
    return null;
  }

  /**
   * Where each line of a text stands, such as the rows of a table: not that they belong together.
   * @param {string} text @param {readonly number[]} pages @param {Citation} citation
   * @returns {Promise<Places | null>}
   */
  async #placeLines(text, pages, citation) {
    const lines = text.split('\n').filter((line) => comparableWords(line) !== '');
    if (lines.length < 2) return null;
    /** @type {Place[]} */
    const ranges = [];
    for (const line of lines) {
      const place = await this.#place(line, pages, citation);
      if (place === null) return null;
      ranges.push(...place.ranges);
    }
    return { isWhole: false, ranges };
  }

  /** @param {number} number */
  #page(number) {
    const page = this.#pages.get(number) ?? this.#read(number);
    this.#pages.set(number, page);
    return page;
  }

  /** @param {number} number */
  async #read(number) {
    const { pdf, failed } = await this.#open();
    const read = pdf.getPage(number).then((page) => page.getTextContent());
    const { items } = await Promise.race([read, failed]);
    return pageWords(items);
  }

  #open() {
    this.#opened ??= this.#openOnce();
    return this.#opened;
  }

  async #openOnce() {
    /** @type {(error: unknown) => void} */
    let fail = () => {};
    /** @type {Promise<never>} */
    const failed = new Promise((_, reject) => {
      fail = reject;
    });
    failed.catch(() => {});
    this.#effort.signal.addEventListener('abort', () => fail(libraryError({ code: 'cancelled' })), {
      once: true,
    });
    let nTroubles = 0;
    // pdf.js would wait for what does not come.
    const onTrouble = (/** @type {LibraryError} */ error) => {
      nTroubles += 1;
      if (!error.isPassing || nTroubles > maxTroubles) fail(error);
    };
    const { source, close } = await pdfRanges(this.#file, { onTrouble });
    try {
      const pdf = await Promise.race([this.#openPdf(source), failed]);
      this.#onPages(pdf.numPages);
      return { pdf, close, failed };
    } catch (error) {
      close();
      throw error;
    }
  }
}

/** Quads that the server gave for a page. @param {Citation} citation @param {number} page */
function claimedOn(citation, page) {
  const spans = citation.spans.filter((span) => span.page === page).flatMap(({ quads }) => quads);
  return spans.length > 0 || page !== citation.page ? spans : citation.quads;
}

/** Of several places of the same words that which the server means, else the first. @param {PageWords} page @param {string} words @param {Citation['quads']} claimed @param {Effort} effort */
function bestPlace(page, words, claimed, effort) {
  const first = findWords(page, words, 0, effort);
  let each = first;
  for (let n = 0; each && claimed.length > 0 && n < maxPlaces; n += 1) {
    if (placesOn(page, [each], claimed)[0] === claimed[0]) return each;
    each = findWords(page, words, each.start + 1, effort);
  }
  return first;
}

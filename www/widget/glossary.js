/**
 * The person's glossary: words of questions and what the documents call them. Written a term a line,
 * `term = other words; more words`, or loaded from a file of such lines or of JSON (`{ "term": ["other words"] }`, as
 * the command line takes it).
 */

/** @typedef {Record<string, string[]>} Glossary */

/** The largest glossary, in terms and in bytes of its file. */
export const maxTerms = 2_000;
export const maxGlossaryBytes = 256 * 1024;

/** A line, or an entry of JSON, that is not written as a glossary has it, from 1; or too many terms (`line` 0). */
export class GlossaryError extends Error {
  /** @param {number} line */
  constructor(line) {
    super(line === 0 ? `more than ${maxTerms} terms` : `line ${line} is not “term = other words”`);
    this.name = 'GlossaryError';
    this.line = line;
  }
}

/** Terms of a text; empty lines and lines that begin with `#` are passed over. @param {string} text @returns {Glossary} @throws {GlossaryError} */
export function readGlossary(text) {
  /** @type {Glossary} */
  const glossary = Object.create(null);
  for (const [lineIdx, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const at = line.search(/[=＝]/);
    const term = line.slice(0, Math.max(0, at)).trim();
    const words = line
      .slice(at + 1)
      .split(/[;；]/)
      .map((each) => each.trim())
      .filter(Boolean);
    if (at < 0 || term === '' || words.length === 0) throw new GlossaryError(lineIdx + 1);
    glossary[term] = [...new Set([...(glossary[term] ?? []), ...words])];
  }
  if (Object.keys(glossary).length > maxTerms) throw new GlossaryError(0);
  return { ...glossary };
}

/**
 * Lines of a file, which may be JSON: an object of lists of words. What lines cannot carry is an error, as is anything
 * else in the JSON.
 * @param {string} file
 * @throws {GlossaryError}
 */
export function glossaryLines(file) {
  if (!file.trimStart().startsWith('{')) return file;
  return entriesOf(file)
    .map(([term, words], at) => {
      const isList = Array.isArray(words) && words.length > 0 && words.every(isPlain);
      if (!isList || !isPlain(term) || /[=＝]/.test(term) || term.startsWith('#'))
        throw new GlossaryError(at + 1);
      return `${term} = ${words.join('; ')}`;
    })
    .join('\n');
}

/** @param {string} file @returns {[string, unknown][]} */
function entriesOf(file) {
  try {
    return Object.entries(JSON.parse(file));
  } catch {
    throw new GlossaryError(1);
  }
}

/** True for a text that one line can carry. @param {unknown} text */
function isPlain(text) {
  return typeof text === 'string' && text.trim() !== '' && !/[;；\r\n]/.test(text);
}

/**
 * Names of places as a person reads them: of models, of passages and documents, and of what a question was looked for in.
 */

/** @typedef {import('../strings/index.js').Strings} Strings */

/**
 * Place of a model: the name of one that is no server is put into the language.
 * @param {Strings} strings
 * @param {string} where host, address, or a key of `strings.places`
 */
export function placeOf(strings, where) {
  return Object.hasOwn(strings.places, where)
    ? strings.places[/** @type {keyof Strings['places']} */ (where)]
    : where;
}

/** @param {Strings} strings @param {{ name: string, where: string }} model */
export function placed(strings, { name, where }) {
  return { name, where: placeOf(strings, where) };
}

/**
 * Document and page of a citation.
 * @param {Pick<import('./parts/citations.js').CardContext, 'strings' | 'titleOf'>} card
 * @param {{ document: string, documentId: string, page: number | null, pageLabel: string | null }} place
 */
export function citedAt({ strings: { format }, titleOf }, place) {
  return format.list([titleOf(place.documentId) ?? place.document, format.page(place)]);
}

/** Document, page and section of a passage. @param {Strings} strings @param {import('../llm/ledger.js').SentPassage} passage */
export function passageAt({ format }, passage) {
  return format.list([passage.document, format.page(passage), passage.sectionPath.at(-1)]);
}

/**
 * Documents and conditions of a filter. `document` is the one that was chosen; '' of several.
 * @typedef {{ nChosen: number, nAll: number, document: string, section: string, from: string, to: string, inForce: boolean }} Scope
 */

/** A filter in words. @param {Strings} strings @param {Scope | null} scope @returns {string[]} none where everything is searched */
export function namesOfScope({ filter }, scope) {
  if (scope === null) return [];
  const { nChosen, nAll, document, section, from, to, inForce } = scope;
  return [
    nChosen === nAll ? '' : document || filter.several(nChosen, nAll),
    section,
    from && filter.fromDate(from),
    to && filter.toDate(to),
    inForce ? filter.nothingRepealed : '',
  ].filter((each) => each !== '');
}

/**
 * Documents that a question was looked for in, those that came too late for it, and the filter. `nReading` is null where files
 * are on their way and it is not known how many.
 * @typedef {{ n: number, nReading: number | null, scope: Scope | null }} Searched
 */

/** What was searched. @param {Strings} strings @param {Searched} searched @returns {string} empty where it was everything */
export function searchedIn(strings, { n, nReading, scope }) {
  const names = namesOfScope(strings, scope);
  if (nReading === 0 && names.length === 0) return '';
  const { filter, answer } = strings;
  const isChosen = scope !== null && scope.nChosen < scope.nAll;
  const all = nReading === null ? answer.documents(n) : filter.several(n, n + nReading);
  return answer.searched(isChosen || nReading === 0 ? names : [all, ...names], nReading);
}

/** @typedef {{ id: string, name: string, title: string | null }} Named a document with its file's name and the title that it gives itself */

/** Titles that are none: the name of a file, alone or behind that of a program, and what programs call what has no title. */
const noTitle =
  /\.(?:pdf|docx?|rtf|odt|txt|html?|pptx?|indd)$|^(?:microsoft \w+ - |\W?(?:untitled|no title)\b|(?:无标题|無標題|未命名)|(?:document|slide|文档) ?\d+$|powerpoint presentation$)/i;

/** True if a declared title tells a reader what the document is; one word ("MANUAL") does not. @param {string} title */
const isTitle = (title) => !/^\s*[!-~]*\s*$/.test(title) && !noTitle.test(title);

/**
 * Names of documents as a person knows them, by id: the title, where it is one and not that of another document too; else
 * the name of the file. Answers, the viewer and the lists call a document so; the buttons of a row and the filter have the name of the
 * file.
 * @param {readonly Named[]} documents
 * @param {readonly Named[]} [wanted] those to be named
 * @returns {ReadonlyMap<string, string>}
 */
export function titlesOf(documents, wanted = documents) {
  /** @type {Map<string | null, number>} */
  const counts = new Map();
  const trimmed = (/** @type {Named} */ { title }) => title?.trim() ?? null;
  for (const title of documents.map(trimmed)) counts.set(title, (counts.get(title) ?? 0) + 1);
  return new Map(
    wanted.map((document) => {
      const title = trimmed(document);
      return [
        document.id,
        title !== null && counts.get(title) === 1 && isTitle(title) ? title : document.name,
      ];
    }),
  );
}

/**
 * Name of one document, as `titlesOf` has it.
 * @param {readonly Named[]} documents
 * @param {string} id
 * @returns {string | null} null where it is no longer there
 */
export function titleOf(documents, id) {
  const wanted = documents.filter((each) => each.id === id);
  return titlesOf(documents, wanted).get(id) ?? null;
}

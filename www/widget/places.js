/**
 * Names of places as a person reads them.
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

/** Document and page of a citation. @param {Strings} strings @param {{ document: string, page: number | null, pageLabel: string | null }} place */
export function citedAt({ format }, place) {
  return format.list([place.document, format.page(place)]);
}

/** Document, page and section of a passage. @param {Strings} strings @param {{ document: string, page: number | null, sectionPath: readonly string[] }} passage */
export function passageAt({ format }, { document, page, sectionPath }) {
  return format.list([document, format.page({ page }), sectionPath.at(-1)]);
}

/**
 * Name of a document as a person knows it: its title, unless that is one word ("MANUAL") or that of another document too;
 * then the name of its file.
 * @param {readonly { id: string, name: string, title: string | null }[]} documents
 * @param {string} id
 * @returns {string | null} null where it is no longer there
 */
export function titleOf(documents, id) {
  const document = documents.find((each) => each.id === id);
  if (!document) return null;
  const { title, name } = document;
  const isOneWord = title === null || (/^[\x20-\x7e]*$/.test(title) && !title.trim().includes(' '));
  const isShared = documents.some((each) => each.id !== id && each.title === title);
  return isOneWord || isShared ? name : title;
}

/**
 * The order of the list of documents, and which of them a name that is looked for finds.
 */

import { comparable, fold } from '../dom/fold.js';

/** @typedef {import('../engine/protocol.js').LibraryDocument} LibraryDocument */

/** Documents below which a list is seen at once and needs no field to find one by its name. */
export const fewDocuments = 12;

/**
 * Ids in the order in which they are listed: those that were listed keep their place, and so does one that was removed and can be
 * put back; new ones follow. Documents that want something done come first.
 * @param {readonly string[]} before as they were listed
 * @param {readonly LibraryDocument[]} documents
 * @param {readonly LibraryDocument[]} removed that can be put back
 */
export function listed(before, documents, removed) {
  const there = new Map([...removed, ...documents].map((document) => [document.id, document]));
  const ids = [...new Set([...before.filter((id) => there.has(id)), ...there.keys()])];
  const isUrgent = (/** @type {string} */ id) => {
    const document = there.get(id);
    return document !== undefined && (document.problem !== null || !document.kept);
  };
  return [...ids.filter(isUrgent), ...ids.filter((id) => !isUrgent(id))];
}

/** Tells whether all words that are looked for stand in a name, in any order. @param {string} name @param {string} words */
export function isFound(name, words) {
  const [whole, wanted] = [name, words].map((text) => comparable(fold(text).text, false));
  return (wanted ?? '').split(' ').every((word) => whole?.includes(word));
}

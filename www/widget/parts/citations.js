/**
 * Citations: the mark in a sentence, and the row below with document and page, the status where the quoted words differ
 * from their source, and the words.
 */

import { el } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { citedAt } from '../places.js';

/** @typedef {import('../../engine/protocol.js').Citation} Citation */
/** @typedef {import('../../engine/protocol.js').Answer['supporting'][number]} SupportingProvision */
/** @typedef {import('../../strings/index.js').Strings} Strings */

/**
 * The language of a card, the action of its citations, and the titles of documents.
 * @typedef {{ strings: Strings, onCite: (citation: Citation) => void, titleOf: (documentId: string) => string | null }} CardContext
 */

/** A status, or `unchecked` while a citation of an evidence file is being compared, and where it cannot be.
 * @typedef {Citation['status'] | 'unchecked'} ShownStatus */

/** @type {Record<ShownStatus, import('../../dom/icons.js').IconName>} */
const icons = {
  verified: 'check',
  ocr: 'document',
  tracked: 'undo',
  differs: 'warning',
  repaired: 'repair',
  misattributed: 'moved',
  stitched: 'pieces',
  'not-found': 'warning',
  cited: 'quote',
  unchecked: 'info',
};

/** Word, explanation and icon of a status. A status of a later version counts as not found. @param {Strings} strings @param {string} status */
export function statusOf(strings, status) {
  const known = Object.hasOwn(icons, status) ? /** @type {ShownStatus} */ (status) : 'not-found';
  const [word, more] = known === 'unchecked' ? strings.evidence.unchecked : strings.statuses[known];
  return { icon: icons[known], word, more };
}

/**
 * Status of a citation, then the caveats of its words that stand beside it. A caveat has the words of the status of its
 * name.
 * @param {Pick<Citation, 'status' | 'caveats'>} citation
 */
export function statusesOf({ status, caveats }) {
  return [status, ...caveats.filter((caveat) => caveat !== status)];
}

/** @param {CardContext} card @param {Citation} citation */
export function mark(card, citation) {
  const { strings, onCite } = card;
  const { id, status } = citation;
  const all = statusesOf(citation).map((each) => statusOf(strings, each));
  const words = strings.format.list(all.map(({ word }) => word));
  const place = citedAt(card, citation);
  return el(
    'button',
    {
      type: 'button',
      class: `mark ${status}`,
      'data-citation': id,
      'aria-label': strings.citation.label(id, place, status === 'verified' ? null : words),
      title: all
        .map(({ word, more }, at) => strings.citation.title(at === 0 ? place : null, word, more))
        .join('\n'),
      onclick: () => onCite(citation),
    },
    String(id),
  );
}

/** Marks of some citations, each with document and page. @param {CardContext} card @param {readonly Citation[]} citations @param {readonly number[]} ids */
export function marksWithPlaces(card, citations, ids) {
  return ids.flatMap((id) => {
    const citation = citations.find((each) => each.id === id);
    return citation ? [mark(card, citation), ` ${citedAt(card, citation)} `] : [];
  });
}

/** @param {CardContext} card @param {Citation} citation @param {SupportingProvision[]} supporting why it is cited, where another citation depends on it */
export function citationRow({ strings, onCite, titleOf }, citation, supporting) {
  const { id, document, documentId, sectionPath, quote, status, library } = citation;
  // That all others match their sources is said once, above.
  const all = statusesOf(citation)
    .filter((each) => each !== 'verified')
    .map((each) => ({ each, ...statusOf(strings, each) }));
  return el(
    'li',
    {},
    el(
      'button',
      {
        type: 'button',
        class: 'citation',
        part: 'citation',
        'data-citation': id,
        onclick: () => onCite(citation),
      },
      el(
        'span',
        { class: 'citation-head' },
        el('span', { class: `mark ${status}` }, String(id)),
        el(
          'span',
          { class: 'citation-source' },
          el('span', { class: 'citation-document', title: document }, titleOf(documentId) ?? document),
          el('span', {}, strings.format.page(citation)),
          library && el('span', { class: 'citation-library' }, icon('moved'), library),
        ),
        // Whether a server still has it, its list says, which may not be there.
        !library &&
          el(
            'span',
            { class: 'citation-removed', 'data-removed': documentId, hidden: titleOf(documentId) !== null },
            icon('remove'),
            strings.citation.removed,
          ),
        ...all.map(({ each, icon: name, word, more }) =>
          el('span', { class: `status ${each}`, title: more }, icon(name), word),
        ),
      ),
      sectionPath.length > 0 && el('span', { class: 'citation-path' }, sectionPath.join(' › ')),
      ...supporting.map(({ why, name, citation }) =>
        el(
          'span',
          { class: 'citation-supporting' },
          why === 'definition'
            ? strings.citation.definedTerm(name, citation)
            : strings.citation.refersTo(name, citation),
        ),
      ),
      el('q', { class: 'citation-quote' }, quote),
      // The words of the tooltip, for those who do not point.
      ...all
        .filter(({ each }) => each !== 'cited')
        .map(({ more }) => el('span', { class: 'citation-why' }, more)),
    ),
  );
}

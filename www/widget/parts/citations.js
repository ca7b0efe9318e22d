/**
 * Citations: the mark in a sentence, and the row below with where it stands, how well it was found, and its words.
 */

import { el } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { pageText, placeText, statusOf } from '../strings.js';

/** @typedef {import('../../engine/protocol.js').Citation} Citation */
/** @typedef {(citation: Citation) => void} OnCite */

/** @typedef {import('../../engine/protocol.js').Answer['supporting'][number]} SupportingProvision */

/** @param {Citation} citation @param {OnCite} onCite */
export function mark(citation, onCite) {
  const { word, more } = statusOf(citation.status);
  return el(
    'button',
    {
      type: 'button',
      class: `mark ${citation.status}`,
      'data-citation': citation.id,
      'aria-label': `Citation ${citation.id}: ${placeText(citation)}${citation.status === 'verified' ? '' : `. ${word}`}`,
      title: `${placeText(citation)}\n${word}: ${more}`,
      onclick: () => onCite(citation),
    },
    String(citation.id),
  );
}

/** @param {Citation} citation @param {OnCite} onCite @param {SupportingProvision[]} supporting the citations that refer to it or use its term */
export function citationRow(citation, onCite, supporting) {
  const { id, document, sectionPath, quote, status } = citation;
  const { icon: name, word, more } = statusOf(status);
  return el(
    'li',
    {},
    el(
      'button',
      { type: 'button', class: 'citation', 'data-citation': id, onclick: () => onCite(citation) },
      el(
        'span',
        { class: 'citation-head' },
        el('span', { class: `mark ${status}` }, String(id)),
        el(
          'span',
          { class: 'citation-source' },
          el('span', { class: 'citation-document' }, document),
          el('span', {}, pageText(citation)),
        ),
        el('span', { class: `status ${status}`, title: more }, icon(name), word),
      ),
      sectionPath.length > 0 && el('span', { class: 'citation-path' }, sectionPath.join(' › ')),
      ...supporting.map(({ why, name, citation }) =>
        el(
          'span',
          { class: 'citation-supporting' },
          why === 'definition'
            ? `Defined term: ${name}, used in ${citation}`
            : `${name}, which ${citation} refers to`,
        ),
      ),
      el('q', { class: 'citation-quote' }, quote),
      // What the tooltip says, for those who do not point.
      !['verified', 'cited'].includes(status) && el('span', { class: 'citation-why' }, more),
    ),
  );
}

/**
 * An answer to hand to somebody else: question, sentences with the numbers of their citations, what was found to be
 * unsupported, and below each citation's document, section, page and quotation. As text and as HTML of the same words;
 * what differs from its source says so in both.
 */

import { el } from '../dom/elements.js';
import { statusesOf, statusOf } from './parts/citations.js';
import { isAnswered, paragraphsOf, remarksOf } from './parts/statements.js';

/** @typedef {import('../engine/protocol.js').Answer} Answer */
/** @typedef {import('../engine/protocol.js').Citation} Citation */
/** @typedef {Pick<Answer, 'statements' | 'citations' | 'message' | 'answerability'>} Copied */
/** @typedef {Pick<import('./parts/citations.js').CardContext, 'strings' | 'titleOf'>} Naming */

/**
 * @param {Naming} naming
 * @param {string} question
 * @param {Copied} answer
 * @param {string} searched what was searched; empty where it was everything
 * @returns {{ text: string, html: string }}
 */
export function copiedAnswer(naming, question, answer, searched) {
  const parts = partsOf(naming, answer, searched);
  return { text: asText(question, parts), html: asHtml(naming.strings.lang, question, parts).outerHTML };
}

/** @param {string} question @param {ReturnType<typeof partsOf>} parts */
function asText(question, { paragraphs, heading, sources }) {
  return [
    question,
    ...paragraphs,
    ...(sources.length > 0 ? [heading] : []),
    ...sources.map(({ id, place, quote, status }) =>
      [`${id}. ${place}`, `   ${quote}`, status && `   ${status}`].filter(Boolean).join('\n'),
    ),
  ].join('\n\n');
}

/** @param {string} lang @param {string} question @param {ReturnType<typeof partsOf>} parts */
function asHtml(lang, question, { paragraphs, heading, sources }) {
  return el(
    'article',
    { lang },
    el('h2', {}, question),
    ...paragraphs.map((text) => el('p', {}, text)),
    sources.length > 0 && el('h3', {}, heading),
    sources.length > 0 &&
      el(
        'ol',
        {},
        ...sources.map(({ id, place, quote, status }) =>
          el('li', { value: id }, place, el('br'), quote, status && el('br'), status && el('em', {}, status)),
        ),
      ),
  );
}

/** @param {Naming} naming @param {Copied} answer @param {string} searched */
function partsOf({ strings, titleOf }, { statements, citations, message, answerability }, searched) {
  const known = new Set(citations.map(({ id }) => id));
  const paragraphs = paragraphsOf(statements).flatMap((paragraph) => [
    paragraph
      .map(({ text, citations }) =>
        [
          text,
          citations
            .filter((id) => known.has(id))
            .map((id) => `[${id}]`)
            .join(''),
        ]
          .filter(Boolean)
          .join(' '),
      )
      .join(' '),
    ...remarksOf(strings, paragraph),
  ]);
  const { sources, nearest } = strings.answer;
  return {
    paragraphs: [searched, message, ...paragraphs].filter(Boolean),
    heading: isAnswered({ statements, answerability }) ? sources : nearest,
    sources: citations.map((citation) => sourceOf(strings, titleOf, citation)),
  };
}

/**
 * @param {import('../strings/index.js').Strings} strings
 * @param {Naming['titleOf']} titleOf
 * @param {Citation} citation
 */
function sourceOf(strings, titleOf, citation) {
  const { id, document, documentId, sectionPath, quote, library } = citation;
  const { format, answer } = strings;
  return {
    id,
    place: format.list([
      titleOf(documentId) ?? document,
      sectionPath.join(' › '),
      format.page(citation),
      library,
    ]),
    quote: answer.quotation(quote),
    status: format.list(
      statusesOf(citation)
        .filter((status) => status !== 'verified')
        .map((status) => statusOf(strings, status).word),
    ),
  };
}

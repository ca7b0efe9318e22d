/**
 * The sentences of an answer, each with its citation marks. Words that the cited source does not support are marked in
 * the sentence and named below it. Text nodes only: a model's markup stays text.
 */

import { el } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { mark } from './citations.js';

/** @typedef {import('../../engine/protocol.js').Answer} Answer */
/** @typedef {Answer['statements'][number]} Statement */
/** @typedef {import('./citations.js').CardContext} CardContext */

/** True if an answer is one: of another the passages are those nearest to the question. @param {Pick<Answer, 'statements' | 'answerability'>} answer */
export const isAnswered = ({ statements, answerability }) =>
  statements.length > 0 && answerability !== 'may-answer';

/** Most characters of an extracted answer before the fold. */
const shortAnswer = 350;

/**
 * The sentences; of an extracted answer, which has the best first, those behind the first few are folded.
 * @param {CardContext} card
 * @param {Pick<Answer, 'statements' | 'citations' | 'by' | 'trace'>} answer
 */
export function statementsView(card, { statements, citations, by, trace }) {
  const nFirst =
    by === 'extraction' ? nBeforeFold(statements, trace.queries[0]?.length ?? 1) : statements.length;
  const view = paragraphsView(card, statements.slice(0, nFirst), citations);
  const rest = statements.slice(nFirst);
  if (rest.length > 0)
    view.append(
      el(
        'details',
        { class: 'also-relevant' },
        el('summary', {}, card.strings.answer.alsoRelevant(rest.length)),
        paragraphsView(card, rest, citations),
      ),
    );
  return view;
}

/**
 * Number of statements before the fold: one for each part of the question, and more while they are short. A fold that
 * would hide one statement only is none.
 * @param {readonly Pick<Statement, 'text' | 'operative'>[]} statements
 * @param {number} nParts
 */
export function nBeforeFold(statements, nParts) {
  let nFirst = 0;
  let length = 0;
  for (const statement of statements) {
    length += (operativePart(statement) ?? statement.text).length;
    if (nFirst >= Math.max(1, nParts) && length > shortAnswer) break;
    nFirst += 1;
  }
  return nFirst + 1 >= statements.length ? statements.length : nFirst;
}

/**
 * The part of a long extracted statement that is shown before it is unfolded; undefined for others.
 * @param {Pick<Statement, 'text' | 'operative'>} statement
 */
const operativePart = ({ text, operative }) =>
  operative && text.length > shortAnswer && text.includes(operative) ? operative : undefined;

/** @param {CardContext} card @param {Statement[]} statements @param {Answer['citations']} citations */
function paragraphsView(card, statements, citations) {
  const known = new Map(citations.map((citation) => [citation.id, citation]));
  const view = el('div', { class: 'statements' });
  for (const paragraph of paragraphsOf(statements)) {
    // A line of the model's that begins with a dash is an item of a list.
    const [first] = paragraph;
    const isItem = first !== undefined && item.test(first.text);
    const words = paragraph.flatMap((statement, statementIdx) => [
      sentence(
        card,
        isItem && statementIdx === 0 ? { ...statement, text: statement.text.replace(item, '') } : statement,
        known,
      ),
      ' ',
    ]);
    const list = view.lastElementChild;
    if (!isItem)
      view.append(
        el('div', { class: 'paragraph' }, el('p', {}, ...words), ...remarks(card.strings, paragraph)),
      );
    else {
      const entry = el(
        'li',
        { class: 'paragraph' },
        el('p', {}, ...words),
        ...remarks(card.strings, paragraph),
      );
      if (list instanceof HTMLUListElement) list.append(entry);
      else view.append(el('ul', {}, entry));
    }
  }
  return view;
}

/** Statements by the paragraph that they stand in. @param {readonly Statement[]} statements */
export function paragraphsOf(statements) {
  /** @type {Statement[][]} */
  const paragraphs = [];
  for (const statement of statements) {
    const last = paragraphs.at(-1);
    if (last && statement.continues) last.push(statement);
    else paragraphs.push([statement]);
  }
  return paragraphs;
}

const item = /^\s*[-*•] +/;

/** @param {CardContext} card @param {Statement} statement @param {Map<number, import('../../engine/protocol.js').Citation>} known */
function sentence(card, statement, known) {
  const { text, citations, unsupported } = statement;
  const marks = citations.flatMap((id) => {
    const citation = known.get(id);
    return citation ? [mark(card, citation)] : [];
  });
  return el(
    'span',
    { class: 'statement' },
    ...(foldedView(card, statement) ??
      splitUnsupported(
        text,
        unsupported.map(({ text }) => text),
      ).map(({ words, isUnsupported }) =>
        isUnsupported ? el('span', { class: 'unsupported' }, words) : words,
      )),
    // No line begins with a mark: around what stands in a line as an element, a plain no-break space does not hold.
    marks.length > 0 && '\u202f',
    ...marks,
  );
}

/**
 * The operative part of a long statement behind a button that shows the rest.
 * @param {CardContext} card
 * @param {Statement} statement
 */
function foldedView({ strings }, statement) {
  const operative = operativePart(statement);
  if (operative === undefined) return undefined;
  const at = statement.text.indexOf(operative);
  const rest = [statement.text.slice(0, at), statement.text.slice(at + operative.length)].map((words) =>
    el('span', { hidden: true }, words),
  );
  const unfold = el(
    'button',
    {
      class: 'unfold',
      'aria-label': strings.answer.wholePassage,
      title: strings.answer.wholePassage,
      onclick: () => {
        for (const part of rest) part.hidden = false;
        // The focus stays where it was read.
        shown.tabIndex = -1;
        shown.focus();
        unfold.remove();
      },
    },
    '[…]',
  );
  const shown = el('span', { class: 'operative' }, operative);
  return [rest[0], unfold, ' ', shown, rest[1]];
}

/**
 * A text cut where unsupported words stand in it; each is looked for once, behind the one before, then anywhere.
 * @param {string} text
 * @param {string[]} unsupported
 */
export function splitUnsupported(text, unsupported) {
  /** @type {[number, number][]} */
  const found = [];
  let from = 0;
  for (const words of unsupported.filter((each) => each !== '')) {
    const at = text.indexOf(words, from) >= 0 ? text.indexOf(words, from) : text.indexOf(words);
    if (at < 0 || found.some(([start, end]) => at < end && start < at + words.length)) continue;
    found.push([at, at + words.length]);
    from = at + words.length;
  }
  found.sort(([a], [b]) => a - b);
  /** @type {{ words: string, isUnsupported: boolean }[]} */
  const cut = [];
  let end = 0;
  for (const [start, stop] of found) {
    cut.push(
      { words: text.slice(end, start), isUnsupported: false },
      { words: text.slice(start, stop), isUnsupported: true },
    );
    end = stop;
  }
  cut.push({ words: text.slice(end), isUnsupported: false });
  return cut.filter(({ words }) => words !== '');
}

/** @param {import('../../strings/index.js').Strings} strings @param {Statement[]} paragraph */
function remarks(strings, paragraph) {
  return remarksOf(strings, paragraph).map((text) => el('p', { class: 'remark' }, icon('warning'), text));
}

/** Remarks on the sentences of a paragraph. @param {import('../../strings/index.js').Strings} strings @param {Statement[]} paragraph */
export function remarksOf({ answer, unsupported: kinds }, paragraph) {
  const unsupported = paragraph
    .flatMap(({ unsupported }) => unsupported)
    .map(({ kind, text }) => answer.unsupported(kinds[kind], text));
  const unknown = paragraph.flatMap(({ unknown }) => unknown).map(() => answer.unknownPassage);
  return [...new Set([...unsupported, ...unknown])];
}

/**
 * Notices of an answer besides its sentences: steps that failed, what the check found, provisions that differ, and how
 * the answer came about. Nothing is left out silently.
 */

import { el } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { LlmError } from '../../llm/errors.js';
import { describeFault } from '../../strings/errors.js';
import { passageAt, placed } from '../places.js';
import { marksWithPlaces } from './citations.js';

/** @typedef {import('../../engine/protocol.js').Answer} Answer */
/** @typedef {import('../../strings/index.js').Strings} Strings */
/** @typedef {import('./citations.js').CardContext} CardContext */
/** @typedef {Answer['trace']['degraded'][number]} Degraded */
/** Errors of calls to models in one answer, by the number of the call. @typedef {ReadonlyMap<number, unknown>} Faults */

/** Codes of steps that gave less, not nothing. */
const partial = new Set(['sent-less', 'cut-at-length', 'parts-unread', 'quotes-dropped']);

/** The evidence does not suffice. The engine says what is missing, in the language of the question; its first
 * sentence stands out. @param {Strings} strings @param {string} message */
export function insufficient(strings, message) {
  const [first = '', ...rest] = message.split(/(?<=[.。])\s*/);
  return el(
    'div',
    { class: 'note insufficient' },
    icon('info'),
    el(
      'div',
      {},
      el('p', { class: 'strong' }, first || strings.answer.insufficient),
      rest.length > 0 && el('p', {}, rest.join(' ')),
    ),
  );
}

/**
 * Steps that were left out or gave less, and why.
 * @param {Strings} strings
 * @param {Answer} answer
 * @param {Faults} faults
 * @param {() => void} onSettings
 */
export function degradations(strings, { trace, by }, faults, onSettings) {
  const seen = new Set();
  const listed = trace.degraded.filter(
    ({ step, why }) => !seen.has(`${step} ${why}`) && seen.add(`${step} ${why}`),
  );
  if (listed.length === 0) return null;
  const told = listed.map((degraded) => ({ ...degraded, ...reasonOf(strings, degraded, faults) }));
  const hints = [...new Set(told.map(({ hint }) => hint).filter(Boolean))];
  return el(
    'div',
    { class: 'note warning degraded' },
    ...told.map(({ step, code, reason }) =>
      el(
        'p',
        {},
        el(
          'span',
          { class: 'strong' },
          `${partial.has(code) ? strings.steps[step] : strings.skipped[step]}: `,
        ),
        reason,
      ),
    ),
    by === 'extraction' && el('p', {}, strings.answer.extracted),
    ...hints.map((hint) => el('p', {}, hint)),
    hints.length > 0 &&
      el('button', { type: 'button', class: 'quiet', onclick: onSettings }, strings.answer.openSettings),
  );
}

/** @param {Strings} strings @param {Degraded} degraded @param {Faults} faults */
function reasonOf(strings, { code, call, why }, faults) {
  const fault = partial.has(code) || call === null ? null : faults.get(call);
  if (fault instanceof LlmError) {
    const { message, hint } = describeFault(strings, fault);
    return { reason: message, hint };
  }
  const own = Object.hasOwn(strings.degraded, code)
    ? strings.degraded[/** @type {keyof Strings['degraded']} */ (code)]
    : null;
  return { reason: strings.format.sentence(own ?? why), hint: '' };
}

/** Objections of the check; null where it found nothing or was not made. @param {Strings} strings @param {Answer['verdict']} verdict */
export function objections({ answer, format }, verdict) {
  if (!verdict || (verdict.grounded && verdict.consistent && verdict.complete)) return null;
  const found = [];
  if (!verdict.grounded) found.push(answer.notGrounded);
  if (!verdict.consistent) found.push(answer.notConsistent);
  if (!verdict.complete) found.push(answer.notComplete);
  return el(
    'div',
    { class: 'note warning verdict' },
    el('p', { class: 'strong' }, answer.checkFailed(found)),
    verdict.problem && el('p', {}, format.sentence(verdict.problem)),
    verdict.missing.length > 0 && el('p', {}, answer.missing(verdict.missing)),
  );
}

/** Provisions that differ, side by side. @param {CardContext} card @param {Answer['conflicts']} conflicts @param {Answer['citations']} citations */
export function differences(card, conflicts, citations) {
  const { answer, conflicts: how } = card.strings;
  return conflicts.map(({ kind, citations: ids, preferred }) =>
    el(
      'div',
      { class: 'note differs' },
      el(
        'p',
        {},
        el('span', { class: 'strong' }, answer.differ(how[kind])),
        ...marksWithPlaces(card, citations, ids),
      ),
      el('p', {}, preferred === null ? answer.noneInForce : answer.preferred(preferred)),
    ),
  );
}

/** Notes on the citations: withdrawn law, later editions, several cases. @param {CardContext} card @param {Answer['notes']} notes @param {Answer['citations']} citations */
export function remarks(card, notes, citations) {
  const { answer, legalStatus } = card.strings;
  /** @param {...import('../../dom/elements.js').Child} content */
  const remark = (...content) => el('p', { class: 'remark' }, icon('warning'), ...content);
  return notes.map((note) => {
    switch (note.kind) {
      case 'several-cases':
        return remark(
          el('span', {}, answer.severalCases, ...marksWithPlaces(card, citations, note.citations)),
        );
      case 'withdrawn':
        return remark(answer.withdrawn(note.citation, legalStatus[note.legalStatus]));
      default:
        return remark(answer.laterEdition(note.citation, note.date, note.laterDate, note.later));
    }
  });
}

/** Author of the answer and how it came about, folded. @param {Strings} strings @param {Answer} answer @param {{ name: string, where: string } | null} model */
export function provenance(strings, { by, trace, verdict }, model) {
  const { answer, steps, outcomes } = strings;
  const passed = Boolean(verdict?.grounded && verdict.consistent && verdict.complete);
  const author =
    by === 'model'
      ? answer.writtenBy(placed(strings, model ?? { name: '', where: '' }), passed)
      : answer.quoted;
  const { rewrites, queries, kept, calls, glossary, also } = trace;
  return el(
    'details',
    { class: 'provenance' },
    el('summary', {}, icon('info'), author),
    el(
      'dl',
      {},
      ...entry(
        answer.glossary,
        glossary.map(({ term, words }) => answer.glossaryEntry(term, words)),
      ),
      ...entry(
        answer.also,
        also.map(({ term, words }) => answer.glossaryEntry(term, words)),
      ),
      ...entry(answer.rewrittenAs, rewrites),
      ...entry(answer.searchedFor, [...new Set(queries.flat())]),
      ...entry(
        answer.passagesKept,
        kept.map((passage) => passageAt(strings, passage)),
      ),
      ...entry(
        answer.requests(calls.length),
        calls.map(({ step, endpoint, model, outcome, why }) =>
          answer.call(
            steps[step],
            { name: model ?? '', where: endpoint ?? '' },
            outcomes[outcome],
            why ?? '',
          ),
        ),
      ),
    ),
  );
}

/** @param {string} name @param {string[]} values */
function entry(name, values) {
  return values.length === 0 ? [] : [el('dt', {}, name), ...values.map((value) => el('dd', {}, value))];
}

/**
 * What must be said of an answer besides its sentences: what could not be done, what the check found, what differs,
 * how it came about. Nothing is left out silently.
 */

import { el } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { conflictText, count, degradedText, placeText, sentence, stepText } from '../strings.js';
import { mark } from './citations.js';

/** @typedef {import('../../engine/protocol.js').Answer} Answer */

/** That the evidence does not suffice. The engine says what is missing, in the language of the question; its first
 * sentence is the news. @param {string} message */
export function insufficient(message) {
  const [news = '', ...rest] = message.split(/(?<=[.。])\s*/);
  return el(
    'div',
    { class: 'note insufficient' },
    icon('info'),
    el(
      'div',
      {},
      el('p', { class: 'strong' }, news || 'The documents do not say.'),
      rest.length > 0 && el('p', {}, rest.join(' ')),
    ),
  );
}

/**
 * Steps that were left out, and why.
 * @param {Answer} answer
 * @param {(message: string) => string} hintOf
 * @param {() => void} onSettings
 */
export function degradations({ trace, by }, hintOf, onSettings) {
  const seen = new Set();
  const told = trace.degraded.filter(
    ({ step, why }) => !seen.has(`${step} ${why}`) && seen.add(`${step} ${why}`),
  );
  if (told.length === 0) return null;
  const hints = [...new Set(told.map(({ why }) => hintOf(why)).filter(Boolean))];
  return el(
    'div',
    { class: 'note warning degraded' },
    ...told.map(({ step, why }) =>
      el(
        'p',
        {},
        el(
          'span',
          { class: 'strong' },
          wasSkipped(trace, step, why) ? `${degradedText[step]}: ` : `${stepText[step]}: `,
        ),
        sentence(why),
      ),
    ),
    by === 'extraction' &&
      el('p', {}, 'The sentences below are quoted from your documents, without the model.'),
    ...hints.map((hint) => el('p', {}, hint)),
    hints.length > 0 &&
      el('button', { type: 'button', class: 'quiet', onclick: onSettings }, 'Open the settings'),
  );
}

/** Whether nothing came of the step, and not only less. @param {Answer['trace']} trace @param {string} step @param {string} why */
function wasSkipped({ calls }, step, why) {
  const own = calls.filter((call) => call.step === step);
  return (
    own.length === 0 ||
    own.some(
      (call) =>
        (call.outcome === 'failed' || call.outcome === 'unusable') &&
        call.why !== null &&
        why.includes(call.why),
    )
  );
}

/** What the check found wrong; null where it found nothing or was not made. @param {Answer['verdict']} verdict */
export function objections(verdict) {
  if (!verdict || (verdict.grounded && verdict.consistent && verdict.complete)) return null;
  const found = [
    !verdict.grounded && 'something in it is not in the passages',
    !verdict.consistent && 'parts of it contradict each other',
    !verdict.complete && 'it does not answer the whole question',
  ]
    .filter(Boolean)
    .join(', ');
  return el(
    'div',
    { class: 'note warning verdict' },
    el('p', { class: 'strong' }, `The check of this answer failed: ${found}.`),
    verdict.problem && el('p', {}, sentence(verdict.problem)),
    verdict.missing.length > 0 && el('p', {}, `Missing: ${verdict.missing.join('; ')}.`),
  );
}

/** Provisions that differ, shown beside each other. @param {Answer['conflicts']} conflicts @param {Answer['citations']} citations @param {import('./citations.js').OnCite} onCite */
export function differences(conflicts, citations, onCite) {
  const known = new Map(citations.map((citation) => [citation.id, citation]));
  return conflicts.map(({ kind, citations: ids, preferred }) =>
    el(
      'div',
      { class: 'note differs' },
      el(
        'p',
        {},
        el('span', { class: 'strong' }, `These provisions differ, ${conflictText[kind]}: `),
        ...ids.flatMap((id) => {
          const citation = known.get(id);
          return citation ? [mark(citation, onCite), ` ${placeText(citation)} `] : [];
        }),
      ),
      el(
        'p',
        {},
        preferred === null
          ? 'The documents do not say which of them is in force.'
          : `As far as dates tell, ${preferred} is in force.`,
      ),
    ),
  );
}

/** What a reader of the citations must know. @param {Answer['notes']} notes @param {Answer['citations']} citations @param {import('./citations.js').OnCite} onCite */
export function remarks(notes, citations, onCite) {
  const known = new Map(citations.map((citation) => [citation.id, citation]));
  return notes.map((note) => {
    switch (note.kind) {
      case 'several-cases':
        return el(
          'p',
          { class: 'remark' },
          icon('warning'),
          el(
            'span',
            {},
            'The passages answer this for several cases, and the question names none of them: ',
            ...note.citations.flatMap((id) => {
              const citation = known.get(id);
              return citation ? [mark(citation, onCite), ` ${placeText(citation)} `] : [];
            }),
          ),
        );
      case 'withdrawn':
        return el(
          'p',
          { class: 'remark' },
          icon('warning'),
          `Citation ${note.citation} holds no law: its section says that it is ${note.legalStatus}.`,
        );
      default:
        return el(
          'p',
          { class: 'remark' },
          icon('warning'),
          `Citation ${note.citation} is of ${note.date}. There is a later edition, of ${note.laterDate}: ${note.later}.`,
        );
    }
  });
}

/** By whom, and how it came about, to be unfolded. @param {Answer} answer @param {{ name: string, where: string } | null} model */
export function provenance({ by, trace, verdict }, model) {
  const passed = verdict?.grounded && verdict.consistent && verdict.complete;
  const author =
    by === 'model'
      ? `Written by ${[model?.name, model?.where].filter(Boolean).join(' at ') || 'a model'}; every citation was compared with the documents on this device${passed ? ', and the model’s check of its answer found nothing wrong' : ''}.`
      : 'Quoted from your documents, without a model.';
  const { rewrites, queries, kept, calls } = trace;
  const asked = [...new Set(queries.flat())];
  return el(
    'details',
    { class: 'provenance' },
    el('summary', {}, icon('info'), author),
    el(
      'dl',
      {},
      ...entry('Rewritten as', rewrites),
      ...entry('Searched for', asked),
      ...entry(
        'Passages kept',
        kept.map(({ document, page, sectionPath }) =>
          [document, page === null ? '' : `page ${page}`, sectionPath.at(-1) ?? '']
            .filter(Boolean)
            .join(', '),
        ),
      ),
      ...entry(
        count(calls.length, 'request'),
        calls.map(
          ({ step, endpoint, model: asked, outcome, why }) =>
            `${stepText[step]}${endpoint || asked ? ` (${[asked, endpoint].filter(Boolean).join(' at ')})` : ''}: ${outcome}${why ? `, ${why}` : ''}`,
        ),
      ),
    ),
  );
}

/** @param {string} name @param {string[]} values */
function entry(name, values) {
  return values.length === 0 ? [] : [el('dt', {}, name), ...values.map((value) => el('dd', {}, value))];
}

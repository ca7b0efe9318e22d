/**
 * The five tasks of a new user, and the steps that a peer's documentation gives for them. `tasks.mjs` counts them in the
 * page, `beside.mjs` in the peers that run here.
 */

import { gestures } from './keystrokes.mjs';

/**
 * `holds`: words that the quotation must have; `page` of `file`: where they stand.
 * @typedef {{ name: string, question: string, holds: string, file: string, page: number }} Task
 */
/** @typedef {import('./keystrokes.mjs').Gestures} Gestures */

/** Questions in the words of someone who has not read the samples. @type {Task[]} */
export const tasks = [
  {
    name: 'Find an exception',
    question: 'When can they swap the project manager without asking us?',
    holds: 'illness, resignation or dismissal',
    file: 'contract.pdf',
    page: 2,
  },
  {
    name: 'Find a deadline',
    question: 'How long may a firm take to answer someone who complains?',
    holds: '30 Business Days',
    file: 'rulebook.pdf',
    page: 5,
  },
  {
    name: 'Find a definition in a footnote',
    question: 'What likelihood in per cent do some lawyers mean by “will”?',
    holds: 'about 95 percent',
    file: 'opinion.pdf',
    page: 2,
  },
  {
    name: 'Find a figure in a table',
    question: 'What does one day of an engineer cost?',
    holds: '£860',
    file: 'contract.pdf',
    page: 6,
  },
];
export const files = ['contract.pdf', 'opinion.pdf', 'rulebook.pdf'];
export const adding = 'Add three files';
export const handing = 'Hand the answer to a colleague';
export const addressee = 'k.mensah@ravelin.example';

/** NotebookLM, by its help pages; its own time is not known. */
export const notebook = {
  name: 'NotebookLM',
  // New notebook; upload; the picker, with a click for each file and one for "Open".
  adding: gestures({ clicks: 2 + files.length + 1, thoughts: 2 }),
  // The box, the question, Enter; a citation's number, which opens the source beside the answer.
  finding: (/** @type {string} */ question) =>
    gestures({ clicks: 2, keys: question.length + 1, homings: 2, thoughts: 2 }),
  // Share; the address and Enter; Send. The colleague needs an account of the same provider, and reads online.
  handing: gestures({ clicks: 2, keys: addressee.length + 1, homings: 2, thoughts: 2 }),
};

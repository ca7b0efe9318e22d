/**
 * What the page says in more than one place, or with numbers in it.
 */

/** @param {number} n @param {string} one @param {string} [many] */
export function count(n, one, many = `${one}s`) {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

/** @param {number} bytes */
export function bytes(bytes) {
  if (bytes < 1024 * 1024) return `${Math.max(1, Math.round(bytes / 1024)).toLocaleString('en')} kB`;
  const mib = bytes / (1024 * 1024);
  return `${mib < 10 ? mib.toFixed(1) : Math.round(mib).toLocaleString('en')} MB`;
}

/** The engine's messages are lower case and without a full stop; as a sentence of its own one has both.
 * @param {string} text */
export function sentence(text) {
  return text === '' ? '' : text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?。]$/.test(text) ? '' : '.');
}

/**
 * What is being done with a file, in words.
 * @param {import('../engine/ingest.js').Job} job
 */
export function jobText({ stage, done, total }) {
  switch (stage) {
    case 'waiting':
      return 'Waiting';
    case 'load':
      return 'Opening';
    case 'pages':
      return total > 0 ? `Reading page ${Math.max(1, done)} of ${total}` : 'Reading pages';
    case 'layout':
      return 'Finding paragraphs, notes and columns';
    case 'chunks':
      return 'Finding sections';
    case 'index':
      return 'Indexing words';
    case 'saving':
      return 'Storing';
    case 'cancelled':
      return 'Cancelled. Nothing of this file was kept.';
    case 'failed':
    case 'locked':
      return '';
  }
}

/**
 * How far a file is, 0 to 1; null when that cannot be said.
 * @param {import('../engine/ingest.js').Job} job
 */
export function jobShare({ stage, done, total }) {
  // Reading pages is most of the work; the rest is quick.
  if (stage === 'pages') return total > 0 ? (0.9 * done) / total : 0;
  /** @type {Partial<Record<typeof stage, number>>} */
  const reached = { layout: 0.92, chunks: 0.95, index: 0.97, saving: 0.99 };
  return reached[stage] ?? null;
}

/** @param {{ page: number | null, pageLabel: string | null }} place */
export function pageText({ page, pageLabel }) {
  if (page === null) return '';
  return pageLabel !== null && pageLabel !== String(page) ? `page ${pageLabel} (${page})` : `page ${page}`;
}

/** @param {{ document: string, page: number | null, pageLabel: string | null }} place */
export function placeText(place) {
  return [place.document, pageText(place)].filter(Boolean).join(', ');
}

/**
 * How well a citation was found, in a word, and what that means.
 * @type {Record<import('../engine/protocol.js').Citation['status'], { icon: import('../dom/icons.js').IconName, word: string, more: string }>}
 */
export const statusText = {
  verified: {
    icon: 'check',
    word: 'Word for word',
    more: 'The words quoted stand in the document as they are.',
  },
  repaired: {
    icon: 'repair',
    word: 'Repaired',
    more: 'The model quoted this with a small error. What is shown is the text of the document.',
  },
  misattributed: {
    icon: 'moved',
    word: 'Found elsewhere',
    more: 'The model named another passage for these words. This is where they stand.',
  },
  stitched: {
    icon: 'pieces',
    word: 'Put together',
    more: 'The model joined words of several places into one quotation. This is one of them.',
  },
  'not-found': { icon: 'warning', word: 'Not found', more: 'These words do not stand in the documents.' },
  cited: {
    icon: 'quote',
    word: 'Cited, not quoted',
    more: 'The model named this passage and quoted none of it. Read whether it says that.',
  },
};

/** A status that this version does not know is no good one. @param {string} status */
export function statusOf(status) {
  return statusText[/** @type {keyof typeof statusText} */ (status)] ?? statusText['not-found'];
}

/** @typedef {import('pincite-wasm').AnswerStep} AnswerStep */

/** What is being done for an answer. @type {Record<AnswerStep | 'search', string>} */
export const stepText = {
  search: 'Searching the documents',
  passage: 'Imagining the passage that would answer',
  rewrite: 'Rewriting the question',
  filter: 'Choosing among the passages',
  extract: 'Quoting from the passages',
  read: 'Writing the answer',
  reflect: 'Checking the answer',
};

/** The steps as a profile has them, in the middle of a sentence. @type {Record<string, string>} */
const stepNames = {
  rewrite: 'rewriting',
  filter: 'filtering',
  extract: 'quoting',
  read: 'writing',
  reflect: 'checking',
};

/** @param {string} step */
export function stepName(step) {
  return stepNames[step] ?? step;
}

/** That a step was left out, or done without the model. @type {Record<AnswerStep, string>} */
export const degradedText = {
  passage: 'The question was not rewritten by way of a passage',
  rewrite: 'Rewriting the question was skipped',
  filter: 'Filtering was skipped',
  extract: 'Quoting from the passages was skipped',
  read: 'The model wrote no complete answer',
  reflect: 'The check of the answer was skipped',
};

/** What a statement says that its source does not. @type {Record<import('pincite-wasm').UnsupportedClaim['kind'], string>} */
export const unsupportedText = {
  number: 'number',
  date: 'date',
  amount: 'amount',
  modal: 'wording of duty',
  negation: 'negation',
};

/** In what provisions differ. @type {Record<import('../engine/protocol.js').Answer['conflicts'][number]['kind'], string>} */
export const conflictText = {
  negation: 'one says not',
  modality: 'one permits what the other demands',
  number: 'in figures or dates',
  wording: 'as editions of the same',
};

/** How a request to an endpoint ended. @param {{ outcome: string, status: number | null }} entry */
export function outcomeText({ outcome, status }) {
  const words =
    outcome === 'ok' ? 'answered' : outcome === 'open' ? 'under way' : outcome.replaceAll('-', ' ');
  return status !== null && status !== 200 ? `${words} (${status})` : words;
}

/**
 * English, and the shape that every language has: a group for each part of the page, and in it a text or a function
 * that makes one of its values. A group whose keys are codes (`steps`, `statuses`, `errors` …) is a table.
 *
 * Errors and diagnostics come with an English message of their own: null here shows it. Every other language has a text
 * in its place.
 *
 * More than 600 lines: a table.
 */

const numbers = new Intl.NumberFormat('en');
/** @param {number} n */
const number = (n) => numbers.format(n);

/** @param {number} n @param {string} one @param {string} [many] */
const count = (n, one, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`;

/** @param {(string | null | undefined | false)[]} parts */
const list = (parts) => parts.filter(Boolean).join(', ');

/** @param {number} seconds */
const timeLeft = (seconds) => {
  if (seconds < 60) return 'less than a minute left';
  const minutes = Math.round(seconds / 60);
  return `about ${minutes < 90 ? count(minutes, 'minute') : count(Math.round(minutes / 60), 'hour')} left`;
};

/** @param {{ name?: string, where?: string }} model @param {string} otherwise */
const at = ({ name, where }, otherwise) =>
  [name, where].filter(Boolean).join(where === 'this device' ? ' on ' : ' at ') || otherwise;

/** Names of steps inside a sentence. @type {Record<string, string>} */
const stepNames = {
  rewrite: 'rewriting',
  filter: 'filtering',
  extract: 'quoting',
  read: 'writing',
  reflect: 'checking',
};

/** @param {string[]} steps */
const stepList = (steps) => steps.map((step) => stepNames[step] ?? step).join(', ');

/** @typedef {readonly [title: string, more: string]} Text */
/** @typedef {readonly [message: string | null, hint: string]} OwnText null: the English that it comes with */

/** @typedef {typeof en} Strings */

export const en = {
  /** Tag of the language, as `lang` has it. */
  lang: 'en',

  format: {
    number,
    /** @param {number} n size in bytes */
    bytes: (n) => {
      if (n < 1024 * 1024) return `${number(Math.max(1, Math.round(n / 1024)))} kB`;
      const mib = n / (1024 * 1024);
      return `${mib < 10 ? mib.toFixed(1) : number(Math.round(mib))} MB`;
    },
    /** @param {number} ms since the epoch */
    time: (ms) => new Date(ms).toLocaleTimeString('en-GB'),
    /** @param {number} ms since the epoch */
    date: (ms) => new Date(ms).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' }),
    list,
    /** Sentences one after the other. @param {(string | null | undefined | false)[]} sentences */
    sentences: (sentences) => sentences.filter(Boolean).join(' '),
    /** A message of the engine as a sentence: it begins in lower case and has no full stop. @param {string} text */
    sentence: (text) =>
      text === '' ? '' : text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?。]$/.test(text) ? '' : '.'),
    /** @param {{ page: number | null, pageLabel?: string | null }} place */
    page: ({ page, pageLabel = null }) => {
      if (page === null) return '';
      return pageLabel !== null && pageLabel !== String(page)
        ? `p. ${pageLabel} (PDF ${page})`
        : `p. ${page}`;
    },
    /** @param {number} n */
    pages: (n) => count(n, 'page'),
  },

  widget: {
    lab: 'How good is this on my documents?',
    labFailed: 'The lab could not be loaded.',
    libraryWidth: 'Width of the documents',
    viewerWidth: 'Width of the viewer',
    ask: 'Ask your documents',
    close: 'Close',
    dropToAdd: 'Drop to add',
    documents: 'Documents',
    cancelled: 'Cancelled.',
    libraryEmpty: 'The library is empty.',
    /** @param {string} name @param {number} pages 0 where there are none */
    searchable: (name, pages) => `${name} can be searched${pages > 0 ? `: ${count(pages, 'page')}` : ''}.`,
    /** @param {string} name @param {number} page @param {number} total */
    progress: (name, page, total) => `${name}: page ${page} of ${total}.`,
    dismiss: 'Dismiss this message',
    samplesFailed: 'The samples could not be loaded.',
    reload: 'Reload the page and try again.',
    engineFailed: 'Pincite could not start',
    reloadOrClear: 'Reload the page. If that does not help, clear the library.',
  },

  welcome: {
    /** Headline in three parts; the middle one is highlighted. */
    headline: /** @type {readonly [string, string, string]} */ ([
      'Answers pinned to the ',
      'exact words',
      '.',
    ]),
    lead: 'Drop legal or regulatory documents, PDF or Word, anywhere on this page, then ask. Every sentence of an answer is quoted from your documents and opens at its place. Your files stay in this browser.',
    noDocument: 'No document at hand? Try a sample',
    add: 'Add',
    addAll: 'Add all',
    /** @param {string} title */
    addSample: (title) => `Add the sample ${title}`,
    suggestions: 'Suggested questions',
    try: 'Try',
  },

  library: {
    /** @param {string} name */
    lookIn: (name) => `Look in ${name}`,
    label: 'Library',
    documents: 'Documents',
    addDocuments: 'Add documents',
    dropHint: 'PDF or Word, or drop them here',
    find: 'Find a document',
    /** @param {number} n @param {number} all */
    some: (n, all) => `${number(n)} of ${number(all)}`,
    clearAll: 'Clear all',
    clearQuestion: 'Clear the library?',
    removeAll: 'Remove all',
    keep: 'Keep',
    /** @param {string} size */
    used: (size) => `${size} in this browser`,
    untilClosed: 'This browser stores nothing here: kept until the page is closed',
    saveAsFile: 'Save as a file',
    notStored: 'It could not be stored in this browser.',
    notStoredHint: 'It can be used until the page is closed. To keep it, save the library as a file.',
    wordDocument: 'Word document',
    improving: 'Ready to ask · improving search',
    /** @param {import('../engine/embedding.js').EmbeddingProgress} progress */
    embedding: ({ secondsLeft, onGpu }) =>
      `Improving search on the ${onGpu ? 'graphics processor' : 'processor'}: ${timeLeft(secondsLeft)}`,
    /** @param {string} name */
    preparing: (name) => `Improving search in ${name}`,
    /** @param {string} name */
    adding: (name) => `Adding ${name}`,
    /** @param {string} name */
    cancel: (name) => `Cancel ${name}`,
    /** @param {string} name */
    remove: (name) => `Remove ${name}`,
    /** @param {string} name */
    dismiss: (name) => `Dismiss the message about ${name}`,
    /** @param {string} name */
    removed: (name) => `Removed “${name}”.`,
    undo: 'Undo',
    /** @param {string} name that tells it from the other */
    sameName: (name) => `Another file has the same name. Both are kept; this one is “${name}”.`,
    replaceEarlier: 'Replace the earlier one',
    keepBoth: 'Keep both',
    indexAgain: 'Read again',
    /** @param {string} name */
    passwordOf: (name) => `Password of ${name}`,
    password: 'Password',
    open: 'Open',
    locked: 'This PDF is locked with a password.',
    wrongPassword: 'That password does not open this PDF.',
    passwordStays: 'It is used on this device only and is not stored.',
    /** @param {number} n */
    warnings: (n) => count(n, 'warning'),
    /** @param {number} n diagnostics of which none warns */
    notes: (n) => count(n, 'note'),
    /** @param {number[]} pages @param {number} more */
    onPages: (pages, more) => ` (page ${pages.join(', ')}${more > 0 ? ` and ${more} more` : ''})`,
  },

  /** Progress of a file, by the stage of its job. */
  jobs: {
    waiting: 'Waiting',
    /** @param {string} done @param {string | null} total null while it is unknown */
    download: (done, total) => (total === null ? `Downloading, ${done}` : `Downloading, ${done} of ${total}`),
    load: 'Opening',
    /** @param {number} done @param {number} total 0 while it is unknown */
    pages: (done, total) => (total > 0 ? `Reading page ${Math.max(1, done)} of ${total}` : 'Reading pages'),
    layout: 'Finding paragraphs, notes and columns',
    chunks: 'Finding sections',
    index: 'Preparing search',
    saving: 'Storing',
    cancelled: 'Cancelled. Nothing of this file was kept.',
    /** Of a packed library. @param {number} done @param {number} total */
    documents: (done, total) => `${number(done)} of ${count(total, 'document')}`,
    libraryCancelled: 'Cancelled. Documents that were added before stay.',
  },

  question: {
    label: 'Your question',
    ask: 'Ask',
    ready: 'Ask about your documents',
    reading: 'Ask as soon as the first document has been read',
    empty: 'Add a document, then ask',
  },

  filter: {
    label: 'Where to look',
    document: 'Document',
    allDocuments: 'All documents',
    /** @param {number} n @param {number} all */
    several: (n, all) => `${n} of ${count(all, 'document')}`,
    section: 'Section',
    sectionExample: 'Part 3, Rule 4.2.1, 第二章',
    from: 'Dated from',
    to: 'to',
    leaveOutRepealed: 'Exclude repealed provisions',
    clear: 'Clear filters',
    /** @param {string[]} chosen */
    lookingIn: (chosen) => `Looking in: ${list(chosen)}`,
    /** @param {string} date */
    fromDate: (date) => `from ${date}`,
    /** @param {string} date */
    toDate: (date) => `to ${date}`,
    nothingRepealed: 'without repealed provisions',
  },

  bar: {
    withoutModel: 'Quotes only (no AI)',
    /** @param {{ name: string, where: string }} model */
    answersBy: (model) => `Answers by ${at(model, 'a model')}`,
    /** @param {{ name: string, where: string }} model */
    enterKey: ({ name, where }) => `Enter the key of ${where || name}`,
    newConversation: 'New conversation',
    backToConversation: 'Back to the conversation',
    /** @param {string} servers */
    open: (servers) =>
      `The way to ${servers} is not encrypted: whoever is on it can read your questions and the passages sent. An https address prevents that.`,
  },

  /** Names of places that are no server. */
  places: {
    'this device': 'this device',
    'this site': 'this site',
    'this browser': 'this browser',
    'an agent of this browser': 'an agent of this browser',
  },

  conversation: {
    label: 'Answers',
    earlier: 'Earlier conversation',
    save: 'Save the conversation with documents',
    begun: 'A new conversation. Earlier answers stay below.',
    goneBack: 'Back in the conversation.',
    earlierOnes: 'Earlier conversations',
    /** @param {number} n */
    nAnswers: (n) => count(n, 'answer'),
    /** @param {string} question */
    delete: (question) => `Delete the conversation “${question}”`,
    /** @param {string} question */
    deleted: (question) => `Deleted “${question}”.`,
  },

  /** Steps of an answer while they run. */
  steps: {
    search: 'Searching the documents',
    compare: 'Reading the best passages',
    passage: 'Putting a likely answer into words',
    rewrite: 'Rewriting the question',
    filter: 'Choosing among the passages',
    extract: 'Quoting from the passages',
    read: 'Writing the answer',
    reflect: 'Checking the answer',
    check: 'Connection check',
    'agent-search': 'Search by an agent',
    'agent-ask': 'Question of an agent',
    'agent-open_citation': 'Citation opened by an agent',
  },

  /** A step that was left out, or done without the model. */
  skipped: {
    passage: 'Searching in the words of a likely answer was skipped',
    rewrite: 'Rewriting the question was skipped',
    filter: 'Filtering was skipped',
    extract: 'Quoting from the passages was skipped',
    read: 'The model wrote no complete answer',
    reflect: 'The check of the answer was skipped',
  },

  answer: {
    reading: 'Reading the documents…',
    working: 'Working…',
    /** @param {string} step */
    step: (step) => `${step}…`,
    draft: 'As the model writes it, not checked yet',
    stop: 'Stop',
    stopped: 'Stopped.',
    stoppedDraft: 'Stopped. What the model had written is not checked:',
    failed: 'The question could not be answered.',
    tryAgain: 'Try it again.',
    /** @param {string} earlier the question before */
    understood: (earlier) => `Read as a follow-up to: “${earlier}”`,
    /** @param {number} n */
    turnsBefore: (n) =>
      `${count(n, 'earlier answer')} of this conversation ${n === 1 ? 'was' : 'were'} not sent: ${n === 1 ? 'it was' : 'they were'} not written by this model at its server.`,
    /** @param {number} n */
    turnsRemoved: (n) =>
      `${count(n, 'earlier answer')} of this conversation ${n === 1 ? 'was' : 'were'} not sent: a document that is cited there is no longer in the library.`,
    copy: 'Copy answer',
    saveWithDocuments: 'Save with documents',
    /** @param {number} n citations */
    copied: (n) => `Copied with ${count(n, 'citation')}.`,
    notCopied: 'The browser did not allow copying. Select the answer and copy it with the keyboard.',
    /** @param {string} quote */
    quotation: (quote) => `“${quote}”`,
    sources: 'Sources',
    /** @param {number} n citations @param {number} nOther those that do not stand word for word in their source */
    matches: (n, nOther) =>
      `${nOther === 0 ? (n === 1 ? 'The quote matches its source.' : 'Every quote matches its source.') : nOther === n ? 'The quotes below are marked where they differ from their sources.' : `${n - nOther} of ${n} quotes match their sources; the others are marked.`} Whether it answers your question is for you to judge.`,
    /** @param {number} n */
    documents: (n) => count(n, 'document'),
    /** @param {number} nOther passages that do not stand word for word in their source */
    mayNotAnswer: (nOther) =>
      `${nOther === 0 ? 'Quoted as they stand in the documents' : 'Marked where they differ from the documents'}; they may not answer your question.`,
    /** @param {string[]} where @param {number | null} nReading null where it is not known */
    searched: (where, nReading) =>
      `Searched: ${list(where)}${nReading === 0 ? '' : `; ${nReading === null ? 'others are' : nReading === 1 ? '1 is' : `${nReading} are`} being read`}.`,
    nearest: 'Nearest passages',
    /** @param {number} n */
    alsoRelevant: (n) => `Also relevant (${n})`,
    wholePassage: 'Show the whole passage',
    wordsOnlyNoModel: 'Found by words only: search by meaning could not be loaded.',
    wordsOnly: 'Found by words only: search is still being improved.',
    wordsFirst:
      'Searched by meaning among the passages that your words find: search is still being improved.',
    wordsOnlySome: 'Some documents were searched by words only: search in them is still being improved.',
    insufficient: 'The documents do not say.',
    extracted: 'The sentences below are quoted from your documents, without the model.',
    openSettings: 'Open the settings',
    /** @param {string} kind @param {string} text */
    unsupported: (kind, text) => `The ${kind} “${text}” is not in what is cited here.`,
    unknownPassage: 'The model cites a passage that it was not given.',
    /** @param {string[]} found */
    checkFailed: (found) => `The check of this answer failed: ${list(found)}.`,
    notGrounded: 'something in it is not in the passages',
    notConsistent: 'parts of it contradict each other',
    notComplete: 'it does not answer the whole question',
    /** @param {string[]} missing */
    missing: (missing) => `Missing: ${missing.join('; ')}.`,
    /** @param {string} how */
    differ: (how) => `These provisions differ, ${how}: `,
    /** @param {number} id */
    preferred: (id) => `As far as dates tell, ${id} is in force.`,
    noneInForce: 'The documents do not say which of them is in force.',
    severalCases: 'The passages answer this for several cases, and the question names none of them: ',
    /** @param {number} id @param {string} status */
    withdrawn: (id, status) => `Citation ${id} holds no law: its section says that it is ${status}.`,
    /** @param {number} id @param {string} date @param {string} laterDate @param {string} later */
    laterEdition: (id, date, laterDate, later) =>
      `Citation ${id} is of ${date}. There is a later edition, of ${laterDate}: ${later}.`,
    /** @param {{ name: string, where: string }} model @param {boolean} passed the model's own check found nothing */
    writtenBy: (model, passed) =>
      `Written by ${at(model, 'a model')}; every citation was compared with the documents on this device${passed ? ', and the model’s check of its answer found nothing wrong' : ''}.`,
    quoted: 'Quoted from your documents, without a model.',
    rewrittenAs: 'Rewritten as',
    searchedFor: 'Searched for',
    passagesKept: 'Passages used',
    glossary: 'From the glossary',
    also: 'Also looked for',
    /** @param {string} term @param {string[]} words */
    glossaryEntry: (term, words) => `${term}: ${list(words)}`,
    /** @param {number} n */
    requests: (n) => count(n, 'request'),
    /** @param {string} step @param {{ name: string, where: string }} model @param {string} outcome @param {string} why */
    call: (step, model, outcome, why) =>
      `${step}${at(model, '') && ` (${at(model, '')})`}: ${outcome}${why && `, ${why}`}`,
  },

  /** Summary of an answer for a screen reader. */
  spoken: {
    /** @param {number} n @param {string} lesser */
    answered: (n, lesser) => `Answered with ${count(n, 'citation')}${lesser}.`,
    /** @param {number} n @param {string} status */
    lesser: (n, status) => `, ${n} ${status.charAt(0).toLowerCase()}${status.slice(1)}`,
    /** @param {number} n */
    degraded: (n) => `${count(n, 'step')} did not go as planned.`,
    checkFailed: 'The check of this answer failed.',
    /** @param {number} n */
    unsupported: (n) => `${count(n, 'detail')} not in what is cited.`,
    differ: 'Provisions among them differ.',
    severalCases: 'The passages answer this for several cases.',
    /** @param {number} n */
    inForce: (n) => `${count(n, 'warning')} on what is in force.`,
    /** @param {string} step */
    step: (step) => `${step}.`,
  },

  /** Kinds of details that a source does not bear out. */
  unsupported: {
    number: 'number',
    date: 'date',
    amount: 'amount',
    modal: 'wording',
    negation: 'wording',
  },

  /** In what provisions differ. */
  conflicts: {
    negation: 'one says not',
    modality: 'one permits what the other demands',
    number: 'in figures or dates',
    wording: 'as editions of the same',
  },

  /** Legal status of a section. */
  legalStatus: { repealed: 'repealed', superseded: 'superseded', reserved: 'reserved' },

  citation: {
    removed: 'Removed from the library',
    /** @param {number} id @param {string} place @param {string | null} status null where it is word for word */
    label: (id, place, status) => `Citation ${id}: ${place}${status === null ? '' : `. ${status}`}`,
    /** @param {string | null} place null in further lines @param {string} status @param {string} more */
    title: (place, status, more) => `${place === null ? '' : `${place}\n`}${status}: ${more}`,
    /** @param {string} name @param {number} id */
    definedTerm: (name, id) => `Defined term: ${name}, used in ${id}`,
    /** @param {string} name @param {number} id */
    refersTo: (name, id) => `${name}, which ${id} refers to`,
  },

  /** Status of a citation, or a caveat beside it: a word and its meaning. */
  statuses: /** @type {Record<import('../engine/protocol.js').Citation['status'], Text>} */ ({
    verified: ['Quote matches source', 'The words quoted stand in the document as they are.'],
    ocr: [
      'Text by OCR',
      'The words stand so in the text that was recognised in a scanned page. Compare them with the image.',
    ],
    tracked: [
      'Tracked change',
      'The words touch an insertion or deletion that nobody has accepted or rejected yet.',
    ],
    differs: [
      'Differs from the page',
      'The file claims other letters or digits here than those drawn. Read the page itself.',
    ],
    repaired: [
      'Repaired',
      'The model quoted this with a small error. What is shown is the text of the document.',
    ],
    misattributed: [
      'Found elsewhere',
      'The model named another passage for these words. This is where they stand.',
    ],
    stitched: [
      'Put together',
      'The model joined words of several places into one quotation. This is one of them.',
    ],
    'not-found': ['Not found', 'These words do not stand in the documents.'],
    cited: [
      'Cited, not quoted',
      'The model named this passage and quoted none of it. Read whether it says that.',
    ],
  }),

  /** Why a step did not go as planned, where no endpoint failed; null shows the engine's own English. */
  degraded:
    /** @type {Record<'sent-less' | 'failed-before' | 'cut-at-length' | 'unusable' | 'parts-unread' | 'quotes-dropped', string | null>} */ ({
      'sent-less': null,
      'failed-before': 'this model had failed before',
      'cut-at-length': null,
      unusable: null,
      'parts-unread': null,
      'quotes-dropped': null,
    }),

  /** Outcomes of calls to a model, in the trace. */
  outcomes: {
    open: 'not answered',
    used: 'answered',
    unusable: 'the reply could not be used',
    failed: 'failed',
  },

  evidence: {
    heading: 'Save with documents',
    lead: 'One file with the answer, its citations and the documents that it cites. Whoever gets it opens it in a browser, without a network, and sees every quotation compared again with the documents inside.',
    close: 'Close',
    scope: 'What to save',
    thisAnswer: 'This answer',
    /** @param {number} n */
    allAnswers: (n) => `The whole conversation: ${count(n, 'answer')}`,
    title: 'Title',
    by: 'Saved by',
    date: 'Date',
    whoExplained: 'Name and date go in as you type them, or not at all. Nothing else tells who you are.',
    inside: 'What goes in',
    /** @param {number} nAnswers @param {number} nDocuments @param {number} nPages @param {string} size */
    total: (nAnswers, nDocuments, nPages, size) =>
      `${list([count(nAnswers, 'answer'), `${count(nDocuments, 'whole document')}`, nPages > 0 && count(nPages, 'page'), size])}.`,
    /** @param {string} size */
    fileSize: (size) => `The file will have about ${size}, with the viewer and the program that checks.`,
    nothingElse:
      'Nothing else goes in: no other document, no other question, no setting, key or address of a model.',
    /** @param {string[]} names */
    lockedInside: (names) =>
      `${list(names)}: locked with a password of its own, which does not go in. The recipient has to know it.`,
    /** @param {string[]} names */
    gone: (names) => `No longer in the library: ${list(names)}. Add the file again, then save.`,
    /** @param {string} size @param {string} most */
    tooLarge: (size, most) => `The documents have ${size}; at most ${most} fit into one file.`,
    lock: 'Lock the file with a passphrase',
    passphrase: 'Passphrase',
    passphraseAgain: 'The same again',
    passphraseHint: 'Five words that have nothing to do with each other are good.',
    strengths: {
      /** @param {number} n */
      short: (n) => `At least ${n} characters.`,
      weak: () => 'Weak: somebody with the file could find it. Longer is better.',
      fair: () => 'Fair, by its length. A word more is better.',
      strong: () => 'Strong, by its length, if it is not a known phrase.',
    },
    passphrasesDiffer: 'The two are not the same.',
    noRecovery:
      'Without the passphrase nobody can open the file again: not you, not we. Tell it to the recipient by another way than the file.',
    save: 'Save file',
    cancel: 'Cancel',
    cancelled: 'Cancelled. Nothing was saved.',
    progress: 'Saving',
    /** @param {string} name @param {string} size */
    saved: (name, size) => `Saved as ${name}, ${size}.`,
    tell: 'Tell the recipient the fingerprint by another way than the file, such as the telephone: the file shows it when it is opened.',
    tellPassphrase: 'Tell the passphrase by another way than the file, too.',
    fingerprint: 'Fingerprint of the contents',
    wholeFile: 'SHA-256 of the whole file',
    saveFaults: /** @type {Partial<Record<import('../evidence/errors.js').EvidenceFault, string>>} */ ({
      changed: 'A document is stored otherwise than it was read. Add its file again, then save.',
      damaged: 'An answer is larger than a file can hold.',
      'too-large': 'The answers are larger than a file can hold.',
      insecure:
        'This page was opened without encryption (http), so the browser cannot hash. Open it over https.',
    }),
    /** @param {string} why */
    saveFailed: (why) => `The file could not be made${why && `: ${why}`}. Try it again.`,

    /** The opened file. */
    name: 'Answers with their documents',
    loading: 'Reading this file…',
    locked: 'This file is locked',
    lockedLead: 'Nothing in it can be read without the passphrase: no title, no question, no document.',
    unlock: 'Open',
    unlocking: 'Opening…',
    cannotOpen: 'This file cannot be opened',
    faults: /** @type {Record<import('../evidence/errors.js').EvidenceFault, Text>} */ ({
      absent: ['No answer has been saved in it.', 'Save one with “Save with documents”.'],
      format: [
        'It was saved by another version of Pincite, in a form that this page does not know.',
        'Ask for a file that was saved anew.',
      ],
      damaged: ['It is not whole, or was not made by Pincite.', 'Ask for it again.'],
      changed: ['This file was changed after it was saved.', 'Do not rely on it. Ask for it again.'],
      passphrase: ['The passphrase is wrong.', 'Type it again; capital letters count.'],
      'too-large': ['It claims to be larger than a page can hold.', 'Do not rely on it.'],
      insecure: [
        'The browser cannot hash on this page, since it was opened without encryption (http).',
        'Save the file and open it from the disk.',
      ],
    }),
    savedBy: 'Saved by',
    savedOn: 'Date',
    asTyped: 'Name and date are as whoever saved it typed them.',
    proof: 'What the fingerprint and the hashes prove',
    proofText: [
      'The fingerprint stands for the contents: answers, citations and the SHA-256 of every document. This page computes it from what is in the file. Compare it with the one that the sender tells you by another way: if they are the same, contents and documents are those that were saved.',
      'By themselves, hashes inside a file prove only that nothing was damaged or changed carelessly. Whoever changes the contents on purpose can change their hashes too.',
      'The page that shows you this is in the file as well. To be sure of it too, compare the SHA-256 of the whole file with the sender’s, by a program of your own: certutil -hashfile FILE SHA256 on Windows, shasum -a 256 FILE on macOS, sha256sum FILE on Linux.',
    ],
    contentsChanged:
      'This file was changed after it was saved: its contents are not those that its hash was made of. Do not rely on what it says.',
    /** @param {string[]} names */
    documentsChanged: (names) =>
      `This file was changed after it was saved: ${list(names)} ${names.length === 1 ? 'is not the document that was' : 'are not the documents that were'} cited. Citations of it are not checked.`,
    byModel: 'Written by a language model.',
    byExtraction: 'Quoted from the documents, without a model.',
    laterElsewhere: 'a document that is not in this file',
    documents: 'Documents in this file',
    open: 'Open',
    saveDocument: 'Save',
    /** @param {string} name */
    openDocument: (name) => `Open ${name}`,
    /** @param {string} name */
    saveNamed: (name) => `Save ${name}`,
    hash: 'SHA-256',
    hashMatches: 'These are the bytes that were cited.',
    /** @param {string} expected */
    hashDiffers: (expected) => `Changed: the document that was cited has ${expected}.`,
    waiting: 'Waiting to be read',
    reading: 'Being read…',
    read: 'Read on this device.',
    documentLocked: 'Locked with a password of its own. Citations of it are checked once it is open.',
    documentWrongPassword: 'That password does not open it.',
    /** @param {string} why */
    unread: (why) => `It could not be read here, so its citations are not checked: ${why}`,
    unchecked: /** @type {Text} */ ([
      'Not compared',
      'These words have not been compared with the document.',
    ]),
    notYet: 'Not compared yet with the documents in this file.',
    /** @param {number} n @param {number} total */
    checking: (n, total) => `Comparing the quotations with the documents in this file: ${n} of ${total}…`,
    /** @param {number} n @param {number} total @param {number} nUnchecked */
    checked: (n, total, nUnchecked) =>
      `Compared on this device with the documents in this file: ${n === total ? (total === 1 ? 'the quote matches its source' : 'every quote matches its source') : `${n} of ${total} quotes match their sources, the others are marked`}${nUnchecked > 0 ? `; ${nUnchecked} could not be compared` : ''}. Whether it answers the question is for you to judge.`,
    /** @param {number} id @param {string} saved @param {string} here */
    foundWorse: (id, saved, here) => `Citation ${id} was saved as “${saved}”; here it is “${here}”.`,
    /** @param {number} id @param {string} saved @param {string} here */
    foundMoved: (id, saved, here) =>
      `Citation ${id} stands on ${here}, not on ${saved} as was saved. ${here} is shown.`,
    /** @param {number} id */
    foundUnplaced: (id) =>
      `The words of citation ${id} stand in the document; what is lit is as it was saved, not computed here.`,
    /** @param {string} statement */
    foundQuotation: (statement) =>
      `“${statement}” quotes its sources otherwise than they stand in the documents.`,
    /** @param {string} statement @param {string[]} words */
    foundUnsupported: (statement, words) =>
      `“${statement}”: ${list(words)} ${words.length === 1 ? 'does' : 'do'} not stand around what is cited for it.`,
    /** @param {number} n */
    nothingFound: (n) =>
      n === 0 ? 'Everything agrees with what was saved.' : `${count(n, 'difference')} from what was saved.`,
  },

  viewer: {
    label: 'Document viewer',
    tools: 'Viewer',
    pages: 'Pages of the document',
    text: 'Text of the document',
    page: 'Page',
    /** @param {number} n */
    of: (n) => `of ${n}`,
    /** After a number that is printed on the page. @param {number} page @param {number} n */
    labelled: (page, n) => `(${page} of ${n})`,
    previous: 'Previous page',
    next: 'Next page',
    zoomOut: 'Zoom out',
    zoomIn: 'Zoom in',
    citations: 'Citations of the answer',
    previousCitation: 'Previous citation',
    nextCitation: 'Next citation',
    /** @param {number} at @param {number} n */
    citedAt: (at, n) => `Citation ${at} of ${n}`,
    fitText: 'Fit text',
    fitPage: 'Fit page',
    /** @param {number} percent */
    zoomed: (percent) => `Zoom ${Math.round(percent)}%.`,
    find: 'Find in document',
    thumbnails: 'Thumbnails',
    /** @param {number} page */
    thumbnail: (page) => `Page ${page}`,
    print: 'Print',
    save: 'Save the document',
    notSaved: 'This document could not be fetched to be saved.',
    sections: 'Sections',
    readingSections: 'Reading the sections…',
    noSections: 'This document has neither headings nor bookmarks.',
    /** @param {string} title @param {number} page 0 in a document without pages */
    sectionShown: (title, page) => (page > 0 ? `${title}, page ${page}.` : `${title}.`),
    leadsNowhere: 'This bookmark leads to no page of the document.',
    closePane: 'Close the pane',
    close: 'Close the viewer',
    opening: 'Opening the document…',
    staysLocked: 'The document stays locked.',
    /** @param {number} shown @param {number} read */
    otherPages: (shown, read) =>
      `The viewer finds ${count(shown, 'page')} in this file, ${read} were read. The cited words may stand on another page, so nothing is lit.`,
    removed:
      'This document was removed from the library. Add its file again to see the cited words in their place.',
    cannotBeShown: 'This document cannot be shown here. Its text can still be searched.',
    password: 'Password of the document',
    open: 'Open',
    locked: 'This document is locked.',
    wrongPassword: 'That password does not fit.',
    textShown: 'The text of the document.',
    /** @param {string} quote */
    wordsLit: (quote) => `The cited words are lit: ${quote}`,
    /** @param {number} page @param {number} total */
    pageShown: (page, total) => `Page ${page} of ${total}.`,
    /** @param {number} page @param {number} total @param {string} quote */
    pageLit: (page, total, quote) => `Page ${page} of ${total}; the cited words are lit: ${quote}`,
    /** @param {string} marker */
    note: (marker) => `Note ${marker}`,
  },

  find: {
    label: 'Find in document',
    next: 'Next match',
    previous: 'Previous match',
    matchCase: 'Match case',
    wholeWords: 'Whole words',
    close: 'Close the search',
    /** @param {number} at 0 of none @param {number} n @param {boolean} isDone all of the document was searched */
    place: (at, n, isDone) => {
      if (!isDone) return n === 0 ? 'Searching…' : `${number(at)} of ${number(n)} so far…`;
      return n === 0 ? 'No match' : `${number(at)} of ${number(n)}`;
    },
    /** @param {string} words */
    noMatch: (words) => `No match for “${words}”.`,
  },

  print: {
    title: 'Print',
    close: 'Close the print dialog',
    pages: 'Pages',
    /** @param {number} n */
    all: (n) => (n === 1 ? 'The page' : `All ${number(n)} pages`),
    /** @param {number} page */
    one: (page) => `This page (${page})`,
    some: 'Some:',
    range: 'Pages to print',
    example: '3, 7-9',
    /** @param {number} n */
    noPages: (n) => `Enter pages from 1 to ${number(n)}, such as 3, 7-9.`,
    mark: 'Mark the cited words',
    print: 'Print',
    cancel: 'Cancel',
    /** @param {number} done @param {number} total */
    progress: (done, total) => `Page ${number(done)} of ${number(total)}`,
    cancelled: 'Printing was cancelled.',
    failed: 'The document could not be made ready for printing. Print fewer pages at a time.',
    notLoaded: 'The print dialog could not be loaded. Reload the page.',
  },

  tour: {
    start: 'Start the tour',
    begun: 'A short tour of the page has begun; Escape ends it.',
    back: 'Back',
    next: 'Next',
    done: 'Done',
    skip: 'Skip',
    /** @param {number} at @param {number} n */
    place: (at, n) => `${at} of ${n}`,
    failed: 'The tour could not be loaded.',
  },

  keyMap: {
    title: 'Keyboard',
    close: 'Close the keyboard map',
    failed: 'The keyboard map could not be loaded.',
    space: 'Space',
    character: 'Letter',
  },

  /** Where keys work, by the names of `dom/keys.js`. */
  keyPlaces: {
    page: 'Everywhere',
    question: 'Question',
    answer: 'Citations of an answer',
    viewer: 'Document viewer',
    find: 'Find in document',
    sections: 'Sections',
    thumbnails: 'Thumbnails',
    columns: 'Edge of a column',
  },

  /** Actions of keys, by the names of `dom/keys.js`. */
  keyActions: {
    showKeys: 'Show this list',
    leave: 'Close what was opened last, or stop answering',
    ask: 'Ask',
    breakLine: 'New line',
    nextCitation: 'Next citation',
    previousCitation: 'Previous citation',
    firstCitation: 'First citation',
    lastCitation: 'Last citation',
    nextPage: 'Next page',
    previousPage: 'Previous page',
    openNext: 'Open the next citation',
    openPrevious: 'Open the previous citation',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fitText: 'Fit text',
    fitPage: 'Fit page',
    find: 'Find in document',
    print: 'Print the document',
    nextMatch: 'Next match',
    previousMatch: 'Previous match',
    endSearch: 'Close the search',
    nextRow: 'Next section',
    previousRow: 'Previous section',
    unfold: 'Unfold, or go inside',
    fold: 'Fold, or go outside',
    firstRow: 'First section',
    lastRow: 'Last section',
    openRow: 'Go to the section',
    typeAhead: 'Section that begins so',
    nextThumbnail: 'Next page',
    previousThumbnail: 'Previous page',
    firstThumbnail: 'First page',
    lastThumbnail: 'Last page',
    openThumbnail: 'Go to the page',
    moveLeft: 'Move left',
    moveRight: 'Move right',
    narrowest: 'As narrow as it goes',
    widest: 'As wide as it goes',
    usualWidth: 'Usual width',
  },

  settings: {
    title: 'Settings',
    close: 'Close the settings',
    use: 'Use',
    remember: 'Remember in this browser, without the key',
    forget: 'Forget',
    forgotten: 'Forgotten: addresses, models, profile, glossary, keys and the use of the graphics processor.',
    sent: 'With a model, your question and passages of your documents are sent to it. “What has left this device” lists each request. Without one, nothing is sent.',
    /** @param {{ name: string, where: string }} model */
    givenBySite: (model) => `This site has set the model: ${at(model, '')}.`,
    /** @param {string} name */
    writtenBy: (name) => `Answers are written by ${name || 'the model'}.`,
    fromDocuments: 'Answers are quotes only (no AI).',
    profile: 'Profile',
    profileHelp: 'What answers of this kind look like: words, steps and limits.',
    /** @param {string} title */
    ownProfile: (title) => `Your own: ${title}`,
    loadProfile: 'Load a profile of your own',
    downloadProfile: 'Download this one',
    /** @param {string} file */
    cannotBeUsed: (file) => `${file} cannot be used.`,
    /** @param {string} file */
    used: (file) => `${file} is used.`,
    /** @param {number} kB */
    tooLarge: (kB) => `the file has more than ${kB} kB`,
  },

  glossary: {
    title: 'Glossary',
    help: 'Words of your questions and what the documents call them: one term a line, “term = other words; more words”. They widen the search, and a model is told those that a question uses.',
    label: 'Terms, one a line',
    example:
      'MTF = multilateral trading facility\nlevel of comfort = level of assurance; degree of certainty',
    use: 'Use the glossary',
    load: 'Load a file',
    undo: 'Undo',
    clear: 'Clear',
    /** @param {number} n */
    used: (n) => (n === 0 ? 'No glossary is used.' : `The glossary is used: ${count(n, 'term')}.`),
    undone: 'The glossary is as it was before.',
    /** @param {number} line */
    badLine: (line) => `Line ${line} is not written as “term = other words”.`,
    /** @param {number} n */
    tooMany: (n) => `A glossary has at most ${number(n)} terms.`,
  },

  gpu: {
    label: 'Graphics processor',
    help: 'It can prepare passages for search by meaning. What it makes is compared with what the processor makes, and nothing leaves this device.',
    choices: { auto: 'Use it when it is faster', always: 'Use it always', never: 'Do not use it' },
    works: 'It is preparing passages now.',
    /** @param {import('../engine/gpu/trial.js').Refusal} refusal */
    refused: (refusal) => {
      switch (refusal.kind) {
        case 'none':
          return 'It is not used: this browser gives no access to one.';
        case 'software':
          return 'It is not used: this browser only imitates one.';
        case 'model':
          return 'It is not used: it cannot run this model.';
        case 'wrong':
          return 'It is not used: its results differ from those of the processor.';
        case 'slower':
          return 'It is not used: the processor is faster.';
        case 'failed':
          return `It is not used: it failed (${refusal.message}).`;
        case 'lost':
          return `It is no longer used: it failed in its work (${refusal.message}).`;
      }
    },
  },

  keeping: {
    title: 'Conversations',
    help: 'Questions and answers, with the words that they quote, stay in this browser to be read again. Names and addresses of models stay with them only where they are remembered; keys never.',
    keep: 'Keep conversations in this browser',
    deleteAll: 'Delete all conversations',
    deleted: 'All conversations are deleted. Answers on the page stay until it is closed.',
    failed:
      'The conversation could not be kept in this browser. Its last answers are gone when the page is closed.',
  },

  site: {
    title: 'Without a network',
    keeping: 'The page is being stored in this browser, to open without a network.',
    kept: 'The page is stored in this browser and opens without a network.',
    /** @param {string} why a sentence */
    olderKept: (why) => `The page is stored and opens without a network. A newer version is not: ${why}`,
    /** @param {import('../offline/messages.js').KeepingFailure} failure @param {string} file */
    failed: (failure, file) => {
      switch (failure) {
        case 'no-space':
          return 'This browser has no space left to store it. The page works with a network as before.';
        case 'unreachable':
          return `${file} could not be loaded. The page works with a network as before; it is tried again at the next visit.`;
        case 'other-file':
          return `The host sends another ${file} than the one that was built. The page works with a network as before.`;
        case 'refused':
          return 'This browser stores nothing for this page. It works with a network as before.';
      }
    },
    updateReady: 'A new version is ready.',
    /** @param {string[]} names */
    unreadable: (names) =>
      `${list(names)} could not be read. Add the file here, or check that it is still there.`,
    reload: 'Reload',
  },

  endpoint: {
    kind: 'Language model',
    none: 'None: quotes only (no AI)',
    openai: 'OpenAI-compatible server: Ollama, vLLM, Azure and most others',
    anthropic: 'Anthropic',
    browser: 'The model of this browser',
    device: 'A model file on this device (GGUF)',
    address: 'Address',
    model: 'Model',
    key: 'Key',
    keyHelp: 'Held in memory until this page is closed. It is never stored, and goes to this server only.',
    keyHeld: 'held in memory',
    more: 'More',
    header: 'Header of the key',
    headers: 'Further headers, one a line',
    headersHelp: 'Held in memory too.',
    headersExample: 'name: value',
    seconds: 'Longest wait for a reply, in seconds',
    check: 'Check connection',
    asking: 'Asking the server…',
    tryDevice: 'Try the model',
    trying: 'Trying the model…',
    notLoaded: 'A part of the page that this needs could not be loaded.',
    /** @param {string} detail */
    serverSays: (detail) => `The server says: ${detail}`,
  },

  /** A model out of a file, run in the page. */
  device: {
    open: 'Open a model file',
    none: 'No model file is open.',
    /** @param {string} name @param {string} size */
    kept: (name, size) => `${name}, ${size}, kept in this browser`,
    /** @param {string} name @param {string} size */
    held: (name, size) => `${name}, ${size}, until this page is closed`,
    remove: 'Remove the file',
    removed: 'The model file is removed from this browser.',
    progress: 'Copied of the model file',
    help: 'A GGUF file, or all its parts. The model runs in this page, and nothing is sent. Without a graphics processor an answer takes minutes.',
    program:
      'This page in one file has no room for the program that runs models: choose llama.wasm, which came with it, together with the model. Both are kept.',
    /** @param {string} done @param {string} total */
    storing: (done, total) => `Copying the model: ${done} of ${total}`,
    /** @param {string} done @param {string} total */
    loading: (done, total) => `Loading the model: ${done} of ${total}`,
    /** @param {number} done @param {number} total 0 where that is not known yet */
    reading: (done, total) =>
      total === 0 ? 'The model begins to read.' : `The model reads: ${Math.round((100 * done) / total)}%`,
    /** @param {string} n */
    writing: (n) => `The model writes ${n} pieces of words a second`,
    /** @param {string} n @param {boolean} onGpu */
    last: (n, onGpu) => `It wrote ${n} tokens a second${onGpu ? ' on the graphics processor' : ''}.`,
  },

  named: {
    title: 'Models for individual steps',
    help: 'A profile can name another model for a step, such as a small one that filters; it calls the place of a model an endpoint. Here is where those names lead.',
    add: 'Add a model',
    edit: 'Edit',
    check: 'Check',
    remove: 'Remove',
    /** @param {string} action @param {string} name */
    actionOn: (action, name) => `${action} ${name}`,
    /** @param {{ name: string, where: string }} model */
    what: (model) => ` ${at(model, '')}`,
    keyAgain: ' Its key must be entered again.',
    unused: ' Not named by the profile.',
    /** @param {string[]} steps */
    usedFor: (steps) => ` For ${stepList(steps)}.`,
    /** @param {string} name @param {string[]} steps */
    missing: (name, steps) =>
      `The profile names the model “${name}”${steps.length > 0 ? ` for ${stepList(steps)}` : ''}, which is not set up.`,
    newTitle: 'A new model for individual steps',
    /** @param {string} name */
    editTitle: (name) => `The model ${name}`,
    name: 'Name',
    nameHelp: 'As the profile has it: endpoint = "…" of a step.',
    keep: 'Keep',
    back: 'Back',
    /** @param {string} name */
    kept: (name) => `The model ${name} is set up.`,
    /** @param {string} name */
    keptLocked: (name) => `The model ${name} is kept; its key is still missing.`,
    /** @param {string} name */
    removed: (name) => `The model ${name} is removed.`,
  },

  ledger: {
    title: 'What has left this device',
    close: 'Close the list',
    table: 'Requests',
    columns: /** @type {readonly string[]} */ ([
      'Time',
      'Where',
      'For',
      'Sent',
      'Received',
      'Passages',
      'Outcome',
    ]),
    save: 'Save as JSON',
    clear: 'Empty the list',
    explained:
      'Requests to language models and to libraries on servers, retries and connection checks too. The files of this site itself, which are the same for everybody, are not listed.',
    nothing: 'Nothing has left this device since this page was opened',
    nothingShort: 'Nothing has left this device',
    /** @param {string} size */
    sent: (size) => `${size} sent`,
    /** @param {number} n @param {string} sent @param {string} received */
    totals: (n, sent, received) =>
      `${count(n, 'request')}, ${sent} sent, ${received} received since this page was opened`,
    /** @param {string} name @param {number} attempt */
    attempt: (name, attempt) => `${name} (attempt ${attempt})`,
    none: 'none',
    /** @param {number} n */
    passages: (n) => count(n, 'passage'),
    /** @param {number} n */
    turns: (n) => count(n, 'earlier answer'),
    answered: 'answered',
    open: 'under way',
    /** @param {string} outcome @param {number} status */
    withStatus: (outcome, status) => `${outcome} (${status})`,
  },

  /** Errors of engine and page, by code: what happened and what to do. */
  errors: /** @type {Record<import('../engine/errors.js').ErrorCode, Text>} */ ({
    'format-unknown': ['This is not a PDF or a Word document', 'Choose a PDF or a Word document (.docx).'],
    'doc-legacy': ['This is a Word 97–2003 file (.doc)', 'Save it as .docx or PDF and add that.'],
    'pdf-invalid': [
      'This is not a PDF that can be read',
      'It may be damaged. Try to open it in a PDF viewer and save it again.',
    ],
    'pdf-encrypted': [
      'This PDF is locked with a password',
      'Enter the password to open it. It is used on this device only and is not stored.',
    ],
    'pdf-empty': ['This PDF has no pages', 'Check that the file was downloaded or exported completely.'],
    'docx-invalid': ['This Word document is damaged', 'Open it in a word processor and save it again.'],
    'docx-encrypted': [
      'This Word document is protected by a password',
      'Remove the password in the word processor and save it again.',
    ],
    'limit-exceeded': [
      'This file has more bytes or pages than can be read',
      'Split the document into smaller files and add those.',
    ],
    'model-missing': ['Search by meaning could not be loaded', 'Answers are found by words only.'],
    'model-mismatch': ['This document was prepared by another version', 'Read it again.'],
    'index-version': ['This document was stored by another version', 'Read it again from the stored file.'],
    'index-damaged': ['What was stored of this document is damaged', 'Read it again from the stored file.'],
    'profile-invalid': ['The profile cannot be used', 'Choose another profile in the settings.'],
    cancelled: ['Cancelled', 'Nothing of this file was kept.'],
    'bad-argument': ['The request was not understood', 'Reload the page and try again.'],
    internal: [
      'Something went wrong with this document',
      'The other documents are not affected. Please report the file if you can.',
    ],
    'assets-missing': [
      'Files of Pincite are missing on this site',
      'Whoever runs this page: the folder that `src` names must hold engine/, model/ and viewer/.',
    ],
    'document-exists': ['This document is already in the library', ''],
    'document-lost': [
      'Pincite had to start again, and this document is gone',
      'It was in memory only, since this browser did not store it. Add the file again.',
    ],
    'download-failed': ['The document could not be fetched', 'Try again, or tell whoever runs this page.'],
    'library-failed': ['The library cannot be used', 'Try again.'],
    'library-lost': ['This browser no longer has the documents that were kept here', 'Add the files again.'],
    'packed-document': [
      'This document is damaged in the library file',
      'Get the library file again, or add the document by itself.',
    ],
    'packed-invalid': [
      'This library file is damaged, or is none',
      'Documents before the damage were added. Get the file again.',
    ],
    'packed-version': [
      'This library file has format #, which this page does not know',
      'Nothing was added. Open it with a newer version of Pincite.',
    ],
    'page-damaged': [
      'This page is not whole',
      'Get the file again, and compare its SHA-256 with the one that came with it.',
    ],
    'policy-refused': [
      'The policy of this page does not let Pincite start its workers',
      "Whoever runs this page: allow `trusted-types pincite` and `worker-src 'self'`, or set the property `workers`.",
    ],
    'storage-failed': [
      'The stored library could not be opened again',
      'Its documents are still in this browser. Reload the page.',
    ],
    'unsupported-browser': [
      'This browser lacks something that is needed',
      'Use a current version of Chrome, Edge, Firefox or Safari.',
    ],
  }),

  /** Titles of the profiles that ship, by name; one that is not here goes by its own title. */
  profiles: /** @type {Record<string, string>} */ ({
    general: 'General legal',
    obligations: 'Regulatory obligations',
    small: 'Small model',
    'tax-opinion': 'Tax opinion',
  }),

  /** True if errors and diagnostics are shown in the English words that they come with. */
  own: { english: /** @type {boolean} */ (true) },

  /** Diagnostics of a document, by code: message, by the number of places, and hint. Null shows the engine's own English. */
  diags:
    /** @type {Record<import('pincite-wasm').DiagCode, readonly [string | ((count: number) => string), string] | null>} */ ({
      'no-text-layer': null,
      'unmapped-glyph': null,
      'damaged-page': null,
      repaired: ['Rebuilt from a damaged file', 'Check whether pages are missing.'],
      'limit-reached': null,
      'numbering-gap': null,
      'orphan-note': null,
      'hidden-text': null,
      'tracked-changes': null,
      inconsistent: null,
      'covered-text': null,
      'differing-text': null,
      'illegible-text': null,
    }),

  /** Faults of endpoints, by code or by the finer reason: message (null: the error's own English) and hint. */
  llm: /** @type {Record<import('../llm/errors.js').LlmReason, OwnText>} */ ({
    'bad-config': [null, ''],
    'address-missing': [null, ''],
    'address-scheme': [null, 'For a server on this machine it is like http://localhost:11434/v1.'],
    'address-invalid': [null, ''],
    'address-credentials': [null, 'Put the key into the field for it.'],
    'address-redirected': [null, ''],
    'key-over-http': [null, 'Use an address that begins with https://, or take the key out.'],
    'key-missing': [null, 'Enter the key of the model in the settings.'],
    'header-reserved': [null, ''],
    'header-form': [null, ''],
    'header-characters': [null, 'Copy it again, without line breaks.'],
    'model-name-missing': [null, 'The connection check lists the models that the server has.'],
    'no-endpoint': [null, ''],
    'endpoint-unknown': [null, 'Set up the model that the profile names, or choose another profile.'],
    'name-missing': [null, 'It is the one by which a profile names it.'],
    'name-long': [null, ''],
    'name-taken': [null, 'Choose another name.'],
    'name-exists': [null, 'Edit that one, or choose another name.'],
    'too-many-endpoints': [null, ''],
    'model-file-missing': [null, 'Open one in the settings.'],
    'file-not-gguf': [null, 'Choose a file that ends with .gguf.'],
    'file-damaged': [null, 'Get the file again.'],
    'file-split': [null, 'Choose one model, or all its parts.'],
    'architecture-unknown': [null, 'Choose a model of another family, such as Qwen, Llama or Gemma.'],
    'memory-short': [null, ''],
    'memory-out': [null, 'Close other programs, or choose a smaller model.'],
    'browser-lacks': [null, 'Use a newer Chrome, Edge or Firefox, or a server such as Ollama.'],
    'runtime-missing': [null, 'Choose the llama.wasm that came with this page, together with the model.'],
    'runtime-unreachable': [null, 'Open the page once with the network.'],
    'model-failed': [null, 'Ask again; if it stays so, choose another model.'],
    unavailable: [null, 'Choose another model, or quotes only (no AI).'],
    network: [null, 'Is the server running, and does it allow this page? The connection check tells which.'],
    timeout: [
      null,
      'The model may be too slow for this; a smaller one, or a longer time limit in the settings, helps.',
    ],
    stalled: [null, 'The server stopped sending. Try again; if it stays so, look at its log.'],
    unauthorized: [null, 'Check the key of this server.'],
    'wrong-path': [null, 'Check the address. For most servers it ends with /v1.'],
    'model-unknown': [
      null,
      'Check the name of the model; the connection check lists those that the server has.',
    ],
    'rate-limited': [null, 'Wait a little and ask again.'],
    quota: [null, 'Add credit to the account, or use another key.'],
    'server-error': [null, 'Try again; if it stays so, look at the log of the server.'],
    'too-long': [null, 'Use a model with a longer context, or a profile that reads fewer passages.'],
    'bad-reply': [null, 'Is this the address of a language model? The connection check tells.'],
    'bad-request': [null, 'The server does not take what is sent to it. Is it of the kind that is set?'],
    'too-large': [null, 'The model does not stop. Another model, or a newer version of the server, may.'],
    'cut-off': [null, 'The connection broke in the middle of the reply. Try again.'],
    cancelled: [null, ''],
  }),

  /** Hints with the values of one fault. */
  llmHints: {
    /** @param {number} seconds */
    wait: (seconds) => `The server asks to wait ${seconds} seconds. Ask again then.`,
    /** @param {string} endpoint */
    keyOf: (endpoint) => `Enter the key of “${endpoint}” in the settings.`,
    /** @param {string} needed @param {string} allowed */
    memory: (needed, allowed) =>
      `It needs about ${needed}, and this page may use ${allowed}. Choose a smaller model.`,
    /** @param {number} parts */
    parts: (parts) => `Choose all ${parts} parts together.`,
  },
};

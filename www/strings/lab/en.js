/**
 * The lab in English, and the shape that every language has. They are apart from the other strings, since they are loaded with
 * the lab.
 */

/** @typedef {(typeof enLab)['lab']} LabStrings */

/** @param {number} n @param {string} one @param {string} [many] */
const count = (n, one, many = `${one}s`) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

/** @param {number} value */
const signed = (value) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;

/** @param {number} share 0 to 1 */
const percent = (share) => `${Math.round(100 * share)} %`;

export const enLab = {
  lab: {
    title: 'How good is this on my documents?',
    lead: 'Collect questions with the pages that answer them, search them all, see what was missed and why, try other settings, and train the ranking on your own questions. All of it happens on this device.',
    back: 'Back to questions and answers',
    parts: 'Parts of the lab',

    questions: 'Questions',
    questionsHelp:
      'CSV with the columns question, document (the name of its file) and page (answer and quotation if you like), or JSON lines as “pincite eval generate” writes them. Files can be dropped here too.',
    load: 'Load questions',
    write: 'Write a question',
    saveQuestions: 'Save as JSON lines',
    removeAll: 'Remove all',
    more: 'Show more',
    /** @param {number} n */
    nQuestions: (n) => (n === 0 ? 'No questions yet.' : `${count(n, 'question')}.`),
    /** @param {string} query */
    edit: (query) => `Edit: ${query}`,
    /** @param {string} query */
    remove: (query) => `Remove: ${query}`,
    /** @param {number} n */
    removed: (n) => `${count(n, 'question')} removed.`,
    putBackQuestions: 'Put back',
    putBackDone: 'The questions are back.',
    kept: 'The question is kept in this browser.',
    /** @param {string} file @param {number} n */
    loaded: (file, n) => `${file}: ${count(n, 'question')} added.`,
    /** @param {number} line @param {string} fault */
    fault: (line, fault) => `Line ${line} was left out: ${fault}`,
    /** @param {number} n */
    moreFaults: (n) => `${count(n, 'more line')} could not be read.`,
    /** @param {number} n */
    givenUp: (n) => `Too many lines could not be read: the other ${count(n, 'line')} were not looked at.`,
    /** @param {string} file @param {number} most MB */
    fileTooLarge: (file, most) => `${file} has more than ${most} MB. Split it.`,
    /** @param {string} place */
    notThere: (place) => `${place} (not in the library)`,
    /** @param {string} document @param {readonly number[]} pages */
    onPages: (document, pages) => `${document}, p. ${pages.join(', ')}`,

    query: 'Question',
    answer: 'Answer (optional)',
    places: 'Places that answer it',
    noPlace: 'Mark at least one place that answers it.',
    /** @param {number} n */
    tooManyPlaces: (n) => `No more places can be marked: ${n} at most.`,
    document: 'Document',
    markIn: 'Mark in the document',
    markHelp:
      'The document opens beside. Select the words there, or type them, then press “These words answer it”.',
    keep: 'Keep question',
    cancel: 'Cancel',
    /** @param {string} place */
    marked: (place) => `Marked: ${place}.`,
    /** @param {string} place */
    removePlace: (place) => `Remove the place ${place}`,
    marking: 'Mark the words that answer the question',
    words: 'Words (selected above, or typed)',
    page: 'Page (empty: the one shown)',
    mark: 'These words answer it',
    markDone: 'Done',
    wordsNotFound: 'These words were not found in the document. Copy them as they stand there.',
    /** @param {number} most */
    whichPage: (most) => `Enter a page from 1 to ${most}.`,

    settings: 'Search and measure',
    run: 'Search all questions',
    runAgain: 'Search all again',
    goOn: 'Go on',
    anew: 'Begin another run',
    runProgress: 'Progress of the search',
    vectors: 'With vectors',
    answersNone: 'None',
    answersExtracted: 'From the documents’ own words',
    /** @param {string} name @param {string} where */
    answersModel: (name, where) => `By the model ${name} (${where})`,
    answersHelp:
      'Slower. Answers choose passages with k1, b and the weight of vectors above if the ranking is “As answers do”, else as in the page. Shown are how many cite a right place, and how many are refused.',
    /** @param {number} n @param {string} where */
    answersModelHelp: (n, where) =>
      `${count(n, 'question')} with passages of your documents go to ${where}, in several requests each. That takes as long as asking them one by one, and may cost money. Cancelled, the run can go on later.`,
    noModel:
      'This run asks a language model, and none is set up. Set it up in the settings, or begin another run.',
    nothingToRun: 'Add documents and questions about them first.',
    /** @param {number} n @param {readonly string[]} documents */
    leftOut: (n, documents) =>
      `${count(n, 'question')} left out: the library has no ${documents.slice(0, 5).join(', ')}${documents.length > 5 ? ' …' : ''}. Add the documents, under these names.`,
    /** @param {number} n */
    ended: (n) => `The last run ended early: ${count(n, 'question')} left.`,
    elsewhere:
      'Another tab is at this run. Its results are here when it is done and the lab is opened again.',
    /** @param {number} n */
    waiting: (n) => `${count(n, 'document')} not embedded yet: waiting, so that the figures hold.`,
    /** @param {number} n */
    begun: (n) => `Searching ${count(n, 'question')}.`,
    /** @param {number} done @param {number} total */
    progress: (done, total) => `${done} of ${total} questions searched.`,
    cancelled: 'Cancelled.',
    runDone: 'All questions are searched. The results are below.',
    /** @param {string} why */
    failed: (why) => `It failed: ${why}`,
    use: 'Use these in this library',
    putBack: 'Put back the usual settings',
    inUse: 'This library uses settings of your own.',
    putBackSettings: 'Searches and answers use the usual settings again.',
    usesHelp:
      'Searches by programs and agents then use k1, b, weight of vectors, units, ranking and vector search, also after a reload; answers use the first three if the ranking is “As answers do”. A ranker of your own orders learned searches, and answers where there are no vectors.',

    results: 'Results',
    measuresTable: 'Measures',
    measure: 'Measure',
    now: 'This run',
    before: 'Before',
    after: 'After',
    difference: 'Difference (95 % interval)',
    /** @param {string} low @param {string} high */
    interval: (low, high) => `${low} to ${high}`,
    /** @param {{ better: number, worse: number }} found measures whose interval leaves 0 out @param {number} n */
    verdict: ({ better, worse }, n) =>
      better + worse === 0
        ? 'No measure is surely better or worse: every interval has 0 in it.'
        : `Surely better: ${better} of ${count(n, 'measure')}. Surely worse: ${worse}.`,
    /** @param {number} n */
    comparedOn: (n) =>
      `Before and after: the same ${count(n, 'question')} of the run before and of this one.`,
    /** @param {number} right @param {number} refused @param {number} n @param {number} byModel */
    answered: (right, refused, n, byModel) =>
      `Of ${count(n, 'answer')}, ${byModel} by a language model, ${right} cite a right place and ${refused} are refused.`,
    /** @param {{ mean: number, low: number, high: number, n: number }} difference of the shares that cite a right place */
    answersCompared: ({ mean, low, high, n }) =>
      `Answers that cite a right place, against the run before: ${signed(mean)} (${signed(low)} to ${signed(high)}, ${count(n, 'question')}).`,
    learnedFrom:
      'The ranker of this run was trained here and may have learned from these questions: the figures flatter it. Those of its training are of questions held out.',
    /** @param {number} ece @param {number} brier */
    calibration: (ece, brier) => `Calibration error ${ece.toFixed(3)}, Brier score ${brier.toFixed(3)}.`,
    saveRun: 'Save run (TREC)',
    saveQrels: 'Save judgments (TREC)',
    trecHelp: '“pincite eval run” and trec_eval read these two files and come to the same figures.',
    oneByOne: 'Question by question',
    show: 'Show',
    of: 'About',
    all: 'All',
    misses: 'Misses',
    hits: 'Hits',
    gained: 'Better than before',
    lost: 'Worse than before',
    allDocuments: 'All documents',
    /** @param {number} n @param {number} all */
    nShown: (n, all) => (n === all ? count(all, 'question') : `${n} of ${count(all, 'question')}`),
    missed: 'Missed',
    /** @param {number} rank */
    rank: (rank) => `Rank ${rank}`,
    /** @param {number | null} rank */
    rankBefore: (rank) => (rank === null ? 'before: missed' : `before: rank ${rank}`),
    /** @param {{ right: boolean, refused: boolean }} answer @returns {string} */
    answerOutcome: ({ right, refused }) =>
      refused ? 'answer refused' : right ? 'answer cites it' : 'answer cites other places',
    searching: 'Searching …',
    rightPlaces: 'Right places',
    found: 'What was found',
    right: 'Right',
    /** @param {number} rank */
    rightAt: (rank) => `The right place comes at rank ${rank}`,
    /** @param {number} n */
    rightNowhere: (n) => `The right place is not among the first ${n}`,
    changedSince: 'The library has changed since the run: this is what is found now.',
    /** @param {string} description @param {number} value */
    why: (description, value) => `Score ${Number(value.toPrecision(4))}: ${description}`,

    numbers: 'The numbers',
    byRank: 'Recall by rank',
    /** @param {number} k @param {number} first @param {number} last */
    byRankSaid: (k, first, last) =>
      `Of the places that answer, ${percent(first)} are found by the first hit and ${percent(last)} by the first ${k}, as a mean over the questions.`,
    rankAxis: 'Rank',
    gains: 'Gain of each question',
    /** @param {number} better @param {number} worse @param {number} same */
    gainsSaid: (better, worse, same) =>
      `${better} better, ${worse} worse, ${same} as before, by one over the rank.`,
    gainAxis: 'Questions that changed, best first',
    reliability: 'Reliability of the answers',
    /** @param {number} n @param {number} ece */
    reliabilitySaid: (n, ece) =>
      `Probability that an answer was given, against the share that cites a right place: ${count(n, 'answer')}, off by ${ece.toFixed(3)} on average.`,
    probabilityAxis: 'Probability',
    nAnswers: 'Answers',
    predicted: 'Predicted',
    observed: 'Observed',

    training: 'Train the ranking on these questions',
    /** @param {number} fewest */
    trainingHelp: (fewest) =>
      `A ranker of decision trees (LambdaMART) learns from your questions which passages are right. It needs ${fewest} questions besides those held out, and is measured only on the latter. Searches by programs and agents can use it, answers where there are no vectors.`,
    heldOut: 'Held out',
    /** @param {number} n */
    percent: (n) => `${n} %`,
    train: 'Train',
    trainingProgress: 'Progress of the training',
    /** @param {number} n @param {number} fewest */
    tooFew: (n, fewest) =>
      `${count(n, 'question')} can be learned from, ${fewest} are needed. Add ${count(fewest - n, 'question')} whose place is found among others, or hold out less.`,
    byDocument: 'other documents than it learned from',
    byQuestion: 'other questions over the same documents',
    /** @param {number} n @param {number} held @param {string} by */
    trained: (n, held, by) => `Trained on ${count(n, 'question')}. Measured on ${held} held out: ${by}.`,
    trainedBefore: 'Before: learned searches (ltr) with the ranker that ships. After: with the new one.',
    /** @param {string} ranking @param {{ mean: number, low: number, high: number }} difference of nDCG@10 */
    trainedAgainst: (ranking, { mean, low, high }) =>
      `“${ranking}”: the ranking set above, over the same questions. With the new ranker nDCG@10 is ${signed(mean)} against it (${signed(low)} to ${signed(high)}).`,
    useRanker: 'Use it',
    saveRanker: 'Save ranker.txt',
    shippedRanker: 'Put back the one that ships',
    rankerInUse: 'Searches use the ranker of your own.',
    rankerWaits:
      'Your ranker is kept, but the settings in use rank otherwise. Choose the ranking “Learned (ltr)” above and use these settings.',
    rankerPutBack: 'Searches use the ranker that ships again.',
    /** @param {number} n @param {number} held @param {number} at */
    rankerThere: (n, held, at) =>
      `Trained ${new Date(at).toLocaleDateString('en-GB')} on ${count(n, 'question')}, ${held} held out. Runs can use it: see Ranker above.`,
  },
  labFaults: {
    'no-json': 'it is not a JSON object.',
    'no-question': 'it has no question.',
    'no-document': 'it names no document.',
    'no-pages': 'its pages are not numbers from 1, such as 7 or 7-9.',
    'too-long': 'a text of it is too long.',
    'too-many': 'there are too many questions: 2,000 at most.',
    'no-columns': 'the first line must name the columns, “question” and “document” among them.',
    'no-quote-end': 'a quotation mark is not closed.',
  },
  labSettings: {
    k: 'Hits (k)',
    k1: 'BM25 k1',
    b: 'BM25 b',
    denseWeight: 'Weight of vectors',
    units: 'Units',
    fusion: 'Ranking',
    ann: 'Vector search',
    ranker: 'Ranker',
    answers: 'Answers',
  },
  labChoices: {
    both: 'Passages and articles',
    child: 'Passages',
    article: 'Articles',
    answers: 'As answers do',
    ltr: 'Learned (ltr)',
    blend: 'Blended scores',
    rrf: 'Reciprocal rank fusion',
    auto: 'Automatic',
    exact: 'Exact',
    hnsw: 'Graph (HNSW)',
    shipped: 'The one that ships',
    trial: 'Trained here',
  },
  labMeasures: { recall: 'Recall', mrr: 'MRR', ndcg: 'nDCG' },
  labSteps: {
    /** @param {number} done @param {number} total */
    candidates: (done, total) => `Candidates of ${done} of ${total} questions.`,
    /** @param {number} done @param {number} total */
    rounds: (done, total) => `Round ${done} of at most ${total}.`,
    /** @param {number} done @param {number} total */
    measuring: (done, total) => `Measuring: ${done} of ${total} searches.`,
  },
};

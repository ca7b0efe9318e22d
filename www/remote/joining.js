/**
 * The answer of this browser's documents and that of a library on a server, as one.
 *
 * If only one of the two answers the question, it alone is the answer: nearest passages of the other would not answer. If
 * both do, or neither, their citations are merged by rank, the first of each before the second of each, and numbered anew; a passage
 * that both cite stands once, as that of this browser. Sentences are merged so too where both are quotations; what a model
 * wrote stays together, and the answer that is more certain goes first. Each was made of its own documents: what one says
 * of conflicts, editions and what is missing holds for those.
 */

/** @typedef {import('../engine/protocol.js').Answer} Answer */
/** @typedef {import('../engine/protocol.js').Citation} Citation */
/** @typedef {Answer['statements'][number]} Statement */

/** @type {Readonly<Record<Answer['answerability'], number>>} */
const rank = { silent: 0, 'may-answer': 1, answers: 2 };

/**
 * An answer with the library that its documents lie in.
 * @param {Answer} answer @param {string} library @param {(id: string) => boolean} isHere true of a document of this browser
 * @returns {Answer}
 */
export function located(answer, library, isHere) {
  const citations = answer.citations.map((citation) =>
    isHere(citation.documentId) ? citation : { ...citation, library },
  );
  return { ...answer, citations };
}

/**
 * An extracted answer without the sentences whose words stand in no document: they are no quotations, and it has no others. Of
 * what a sentence cites, only a quotation of its own words bears it out. What a model wrote stays, each citation with its
 * status.
 * @param {Answer} answer with citations that were looked up
 * @returns {Answer}
 */
export function withoutFalse(answer) {
  if (answer.by !== 'extraction') return answer;
  const quotes = new Map(
    answer.citations.flatMap(({ id, status, quote }) => (status === 'not-found' ? [] : [[id, quote]])),
  );
  const statements = answer.statements.filter(({ text, citations }) =>
    citations.some((id) => quotes.get(id) === text),
  );
  const kept = { ...answer, statements, answer: written(statements) };
  return statements.length > 0 || answer.statements.length === 0
    ? kept
    : { ...kept, sufficient: false, answerability: 'may-answer' };
}

/** Sentences with the marks of their citations, as an answer has them as a text. @param {readonly Statement[]} statements */
function written(statements) {
  return statements
    .map(({ text, citations }) => [text, ...citations.map((id) => `[P${id}]`)].join(' '))
    .join('\n');
}

/**
 * @param {Answer} here
 * @param {Answer} there
 * @returns {{ answer: Answer, isOf: 'here' | 'there' | 'both' }}
 */
export function joinAnswers(here, there) {
  const [ofHere, ofThere] = [rank[here.answerability], rank[there.answerability]];
  if (ofHere !== ofThere)
    return ofHere > ofThere ? { answer: here, isOf: 'here' } : { answer: there, isOf: 'there' };
  if (there.citations.length + there.statements.length === 0) return { answer: here, isOf: 'here' };
  if (here.citations.length + here.statements.length === 0) return { answer: there, isOf: 'there' };
  const isHereFirst =
    here.sufficient === there.sufficient ? here.probability >= there.probability : here.sufficient;
  return { answer: merged(here, there, isHereFirst ? [here, there] : [there, here]), isOf: 'both' };
}

/**
 * @param {Answer} here
 * @param {Answer} there
 * @param {readonly [Answer, Answer]} order
 * @returns {Answer}
 */
function merged(here, there, order) {
  const { citations, idOf } = numbered(here, order);
  const renumbered = order.map((answer) =>
    answer.statements.map((statement) => ({
      ...statement,
      citations: [...new Set(statement.citations.flatMap((id) => idOf(answer, id) ?? []))],
    })),
  );
  const isQuoted = here.by === 'extraction' && there.by === 'extraction';
  const statements = isQuoted ? unrepeated(byRank(renumbered)) : renumbered.flatMap(begun);
  return {
    ...here,
    answer: written(statements),
    sufficient: here.sufficient || there.sufficient,
    probability: Math.max(here.probability, there.probability),
    by: isQuoted ? 'extraction' : 'model',
    verdict: joinedVerdict(here.verdict, there.verdict),
    statements,
    citations,
    supporting: order.flatMap((answer) =>
      answer.supporting.flatMap((each) => {
        const [citation, by] = [idOf(answer, each.citation), idOf(answer, each.by)];
        return citation === null || by === null ? [] : [{ ...each, citation, by }];
      }),
    ),
    conflicts: order.flatMap((answer) =>
      answer.conflicts.map((conflict) => ({
        ...conflict,
        citations: conflict.citations.flatMap((id) => idOf(answer, id) ?? []),
        preferred: conflict.preferred === null ? null : idOf(answer, conflict.preferred),
      })),
    ),
    notes: order.flatMap((answer) =>
      answer.notes.flatMap((note) => renumberedNote(note, (id) => idOf(answer, id))),
    ),
    missing: here.missing.filter((word) => there.missing.includes(word)),
    // Each says what its own documents lack.
    message: here.message !== '' && there.message !== '' ? here.message : '',
    trace: {
      ...here.trace,
      glossary: [],
      also: [],
      degraded: [...here.trace.degraded, ...there.trace.degraded.map((each) => ({ ...each, call: null }))],
    },
  };
}

/**
 * Citations by rank, numbered from 1.
 * @param {Answer} here @param {readonly [Answer, Answer]} order
 */
function numbered(here, order) {
  /** @type {Map<Answer, Map<number, number>>} */
  const ids = new Map(order.map((answer) => [answer, new Map()]));
  /** @type {Map<string, number>} */
  const known = new Map();
  /** @type {Citation[]} */
  const citations = [];
  const ranked = byRank(order.map((answer) => answer.citations.map((citation) => ({ answer, citation }))));
  for (const { answer, citation } of ranked) {
    const key = JSON.stringify([citation.documentId, citation.page, citation.quote]);
    // Of two of one number in one answer each has its own reason to be there: a provision and what it depends on.
    const same = known.get(key);
    const isOfBoth = same !== undefined && !Array.from(ids.get(answer)?.values() ?? []).includes(same);
    const id = isOfBoth ? same : citations.length + 1;
    if (isOfBoth && answer === here) citations[id - 1] = { ...citation, id };
    else if (!isOfBoth) {
      citations.push({ ...citation, id });
      if (same === undefined) known.set(key, id);
    }
    ids.get(answer)?.set(citation.id, id);
  }
  const idOf = (/** @type {Answer} */ answer, /** @type {number} */ id) => ids.get(answer)?.get(id) ?? null;
  return { citations, idOf };
}

/** The first of each list, then the second of each. @template T @param {readonly (readonly T[])[]} lists @returns {T[]} */
export function byRank(lists) {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/** Sentences of which each begins a line: those of another answer stand between. @param {readonly Statement[]} statements */
function unrepeated(statements) {
  const texts = new Set();
  return statements
    .filter(({ text, citations }) => {
      const key = JSON.stringify([text, citations]);
      return !texts.has(key) && texts.add(key);
    })
    .map((statement) => ({ ...statement, continues: false }));
}

/** Sentences of one answer; the first begins a line. @param {readonly Statement[]} statements */
function begun(statements) {
  return statements.map((statement, at) => (at === 0 ? { ...statement, continues: false } : statement));
}

/** @param {Answer['notes'][number]} note @param {(id: number) => number | null} idOf @returns {Answer['notes']} */
function renumberedNote(note, idOf) {
  if (note.kind === 'several-cases')
    return [{ ...note, citations: note.citations.flatMap((id) => idOf(id) ?? []) }];
  const citation = idOf(note.citation);
  return citation === null ? [] : [{ ...note, citation }];
}

/** @param {Answer['verdict']} a @param {Answer['verdict']} b @returns {Answer['verdict']} */
function joinedVerdict(a, b) {
  if (a === null || b === null) return a ?? b;
  return {
    grounded: a.grounded && b.grounded,
    consistent: a.consistent && b.consistent,
    complete: a.complete || b.complete,
    problem: [a.problem, b.problem].filter(Boolean).join(' '),
    missing: a.missing.filter((each) => b.missing.includes(each)),
  };
}

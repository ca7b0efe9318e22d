/**
 * Results of a run, judged: ranks of the right places, rankings for the measures, and the TREC files. The ids are the same in
 * all three, so that the figures of the page are those of `pincite eval run` and trec_eval over its files.
 */

import { placeId, wordless } from './questions.js';

/** @typedef {import('./questions.js').Question} Question */
/** @typedef {import('../engine/protocol.js').SearchReply} SearchReply */
/** @typedef {import('../engine/protocol.js').LibraryDocument} LibraryDocument */

/** @typedef {{ id: string, page: number | null, document: string, score: number, gold: number[] }} ResultHit `gold` are indexes of the places of the question that it is the first to reach */
/** @typedef {{ probability: number, right: boolean, refused: boolean, byModel: boolean }} AnswerResult whether an answer cites a right place, and whether a language model wrote it */
/** @typedef {{ question: string, asked: string, hits: ResultHit[], answer: AnswerResult | null }} Result of one question, by its id; `asked` is what it asked and which places answered it then */

/** Cutoffs of the measures that are compared. */
export const cutoffs = [1, 5, 10];

/** Measures in their order, each with its cutoff. */
export const measures = /** @type {const} */ ([
  ['recall', 1],
  ['recall', 5],
  ['recall', 10],
  ['mrr', 10],
  ['ndcg', 10],
]);

/**
 * Places of a question as the engine takes them; null where one names a document that is not in the library, so that the
 * question cannot be judged.
 * @param {Question} question
 * @param {readonly LibraryDocument[]} documents
 * @returns {import('pincite-wasm').GoldPlace[] | null}
 */
export function goldOf({ places }, documents) {
  const gold = places.flatMap(({ document, pages, range }) => {
    const found = documents.find(({ name }) => name === document);
    if (!found) return [];
    return [{ document: found.id, ...(range ? { range } : pages.length > 0 ? { pages } : {}) }];
  });
  return gold.length === places.length ? gold : null;
}

/** Text and places of a question in one: a result of another text, or judged by other places, is none of it. @param {Question} question */
export const askedOf = ({ query, places }) =>
  JSON.stringify([query, ...places.map(({ document, pages, range }) => [document, pages, range])]);

/** @param {Question} question @param {SearchReply} reply @returns {Result} */
export function resultOf(question, { hits, gold = [] }) {
  return {
    question: question.id,
    asked: askedOf(question),
    hits: hits.map(({ kind, document, page, score, spans }, at) => ({
      id: `${document}:${kind}-${spans[0]?.range[0] ?? at}-${spans.at(-1)?.range[1] ?? ''}`,
      page,
      document,
      score,
      gold: gold[at] ?? [],
    })),
    answer: null,
  };
}

/** Rank of the first right hit, from 1; null where there is none. @param {Result} result */
export function rankOf({ hits }) {
  const at = hits.findIndex(({ gold }) => gold.length > 0);
  return at < 0 ? null : at + 1;
}

/**
 * Ranking of a question with its judgments. No id has spaces or comes twice: a place that is there twice counts once.
 * @param {Question} question
 * @param {Result} result
 * @returns {import('./protocol.js').RankedQuestion}
 */
export function ranked({ id, places }, { hits }) {
  /** @type {Set<string>} */
  const taken = new Set();
  const fresh = (/** @type {string} */ wanted) => {
    let name = wordless(wanted);
    for (let n = 2; taken.has(name); n += 1) name = `${wordless(wanted)}-${n}`;
    taken.add(name);
    return name;
  };
  /** Names by place: those of different places can be the same but for spaces. @type {Map<string, string>} */
  const names = new Map();
  const ids = places.map((place) => {
    const key = placeId(place);
    const name = names.get(key) ?? fresh(key);
    names.set(key, name);
    return name;
  });
  /** @type {Set<string>} */
  const left = new Set(ids);
  const results = hits.flatMap(({ id, score, gold }) => {
    const reached = gold.flatMap((at) => ids[at] ?? []).filter((name) => left.delete(name));
    return (reached.length > 0 ? reached : [fresh(id)]).map(
      (name) => /** @type {[string, number]} */ ([name, score]),
    );
  });
  return { id, results, judgments: Object.fromEntries(ids.map((name) => [name, 1])) };
}

/** Run and judgments as TREC files. @param {readonly import('./protocol.js').RankedQuestion[]} questions @param {string} tag */
export function trecFiles(questions, tag) {
  const run = questions.flatMap(({ id, results }) =>
    [...results]
      .sort(([a, x], [b, y]) => y - x || (a < b ? 1 : -1))
      .map(([name, score], at) => `${id} Q0 ${name} ${at + 1} ${score} ${tag}\n`),
  );
  const qrels = questions.flatMap(({ id, judgments }) =>
    Object.entries(judgments).map(([name, relevance]) => `${id} 0 ${name} ${relevance}\n`),
  );
  return { run: run.join(''), qrels: qrels.join('') };
}

/** Number of the places that answered a question when it was asked. @param {Result} result */
const nPlacesOf = ({ asked }) => JSON.parse(asked).length - 1;

/** Recall by k: the share of a question's places that are among its first k hits, as a mean over the questions, for each k. @param {readonly Result[]} results @param {number} most */
export function recallByRank(results, most) {
  const nPlaces = results.map(nPlacesOf);
  return Array.from({ length: most }, (_, at) => {
    const shares = results.map(({ hits }, n) => {
      const found = new Set(hits.slice(0, at + 1).flatMap(({ gold }) => gold));
      return found.size / Math.max(1, nPlaces[n] ?? 0);
    });
    return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
  });
}

/** True if an answer cites a right place. @param {import('../engine/protocol.js').Answer} answer @param {readonly import('pincite-wasm').GoldPlace[]} gold @returns {AnswerResult} */
export function answerResult({ statements, citations, probability, sufficient, by }, gold) {
  const cited = new Set(statements.flatMap((statement) => statement.citations));
  const right = citations.some(
    ({ id, documentId, spans, page }) =>
      cited.has(id) &&
      gold.some(({ document, pages, range }) => {
        if (document !== documentId) return false;
        if (range) return spans.some(({ range: [from, to] }) => from < range[1] && range[0] < to);
        return (
          !pages ||
          [page, ...spans.map((span) => span.page)].some((each) => each !== null && pages.includes(each))
        );
      }),
  );
  return { probability, right: sufficient && right, refused: !sufficient, byModel: by === 'model' };
}

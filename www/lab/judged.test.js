import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerResult, askedOf, goldOf, ranked, rankOf, recallByRank, trecFiles } from './judged.js';

const question = {
  id: 'q1',
  query: 'Who pays?',
  answer: '',
  places: [
    { document: 'a b.pdf', pages: [7, 8], range: null, quote: '' },
    { document: 'c.docx', pages: [], range: /** @type {[number, number]} */ ([3, 9]), quote: '' },
  ],
};

/** @param {...number[]} gold by hit */
const result = (...gold) => ({
  question: 'q1',
  asked: askedOf(question),
  hits: gold.map((places, at) => ({
    id: `a b.pdf:child-${at}`,
    page: 1,
    document: 'a b.pdf',
    score: 1 / (at + 2),
    gold: places,
  })),
  answer: null,
});

test('a question over a document that is not there cannot be judged', () => {
  const document = (/** @type {string} */ name) =>
    /** @type {import('../engine/protocol.js').LibraryDocument} */ (
      /** @type {unknown} */ ({ id: `sha ${name}`, name })
    );
  assert.equal(goldOf(question, [document('a b.pdf')]), null);
  assert.deepEqual(goldOf(question, [document('c.docx'), document('a b.pdf')]), [
    { document: 'sha a b.pdf', pages: [7, 8] },
    { document: 'sha c.docx', range: [3, 9] },
  ]);
});

test('the rank is that of the first right hit', () => {
  assert.equal(rankOf(result([], [1], [0])), 2);
  assert.equal(rankOf(result([], [])), null);
});

test('recall by rank is the share of the places found so far, as a mean over the questions', () => {
  const both = result([0], [], [1]);
  assert.deepEqual(recallByRank([both, result([], [1]), result([])], 3), [1 / 6, 1 / 3, 1 / 2]);
  assert.deepEqual(recallByRank([], 2), [0, 0]);
});

test('a run in TREC form has six columns, best first, and a hit that reaches two places counts for both', () => {
  const { run, qrels } = trecFiles([ranked(question, result([], [0, 1], []))], 'tag');
  assert.equal(
    run,
    'q1 Q0 a_b.pdf:child-0 1 0.5 tag\n' +
      `q1 Q0 c.docx@3-9 2 ${1 / 3} tag\n` +
      `q1 Q0 a_b.pdf#7,8 3 ${1 / 3} tag\n` +
      'q1 Q0 a_b.pdf:child-2 4 0.25 tag\n',
  );
  assert.equal(qrels, 'q1 0 a_b.pdf#7,8 1\nq1 0 c.docx@3-9 1\n');
});

test('no line of a TREC file comes twice', () => {
  const [place] = question.places;
  assert.ok(place);
  const places = [place, { ...place, quote: 'again' }, { ...place, document: 'a_b.pdf' }];
  const found = result([0, 1], [], [], [2]);
  for (const hit of found.hits) hit.id = 'a b.pdf:child-0';
  const { run, qrels } = trecFiles([ranked({ ...question, places }, found)], 'tag');
  assert.deepEqual(
    run.split('\n').map((line) => line.split(' ')[2]),
    ['a_b.pdf#7,8', 'a_b.pdf:child-0', 'a_b.pdf:child-0-2', 'a_b.pdf#7,8-2', undefined],
  );
  assert.equal(qrels, 'q1 0 a_b.pdf#7,8 1\nq1 0 a_b.pdf#7,8-2 1\n');
});

test('an answer is right if a statement of it cites a right place', () => {
  const answer = (/** @type {number[]} */ cited, sufficient = true) =>
    /** @type {import('../engine/protocol.js').Answer} */ (
      /** @type {unknown} */ ({
        sufficient,
        probability: 0.5,
        statements: [{ citations: cited }],
        citations: [
          { id: 1, documentId: 'a', page: 2, spans: [{ page: 2, range: [0, 5] }] },
          {
            id: 2,
            documentId: 'a',
            page: 6,
            spans: [
              { page: 6, range: [5, 9] },
              { page: 7, range: [9, 12] },
            ],
          },
        ],
      })
    );
  const gold = [{ document: 'a', pages: [7] }];
  assert.deepEqual(answerResult(answer([2]), gold), {
    probability: 0.5,
    right: true,
    refused: false,
    byModel: false,
  });
  assert.deepEqual(answerResult(answer([1]), gold), {
    probability: 0.5,
    right: false,
    refused: false,
    byModel: false,
  });
  assert.deepEqual(answerResult(answer([2], false), gold), {
    probability: 0.5,
    right: false,
    refused: true,
    byModel: false,
  });
  assert.equal(answerResult(answer([1]), [{ document: 'a', range: [4, 6] }]).right, true);
  assert.equal(answerResult(answer([1]), [{ document: 'a' }]).right, true);
});

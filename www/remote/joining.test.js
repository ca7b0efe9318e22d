import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf, citation, idOf } from './answer.fixture.js';
import { byRank, joinAnswers, located, withoutFalse } from './joining.js';

const here = () => answerOf([citation(1, 'here one'), citation(2, 'here two')], { probability: 0.9 });
const there = () =>
  located(
    answerOf(
      [1, 2, 3].map((id) => citation(id, `there ${id}`, { documentId: idOf('b'), document: 'b.pdf' })),
    ),
    'library.example',
    () => false,
  );

/** @param {import('../engine/protocol.js').Answer} answer */
const cited = ({ citations }) => citations.map(({ id, quote, library }) => [id, quote, library ?? 'here']);

test('if both answer, citations are merged by rank and numbered anew, and each says where its document lies', () => {
  const { answer, isOf } = joinAnswers(here(), there());
  assert.equal(isOf, 'both');
  assert.deepEqual(cited(answer), [
    [1, 'here one', 'here'],
    [2, 'there 1', 'library.example'],
    [3, 'here two', 'here'],
    [4, 'there 2', 'library.example'],
    [5, 'there 3', 'library.example'],
  ]);
  assert.deepEqual(
    answer.statements.map(({ text, citations }) => [text, citations]),
    [
      ['here one', [1]],
      ['there 1', [2]],
      ['here two', [3]],
      ['there 2', [4]],
      ['there 3', [5]],
    ],
  );
  assert.match(answer.answer, /^here one \[P1\]\nthere 1 \[P2\]/);
});

test('the more certain one goes first', () => {
  const { answer } = joinAnswers({ ...here(), probability: 0.1 }, there());
  assert.equal(answer.citations[0]?.quote, 'there 1');
  const unsure = joinAnswers({ ...here(), sufficient: false }, there());
  assert.deepEqual([unsure.answer.citations[0]?.quote, unsure.answer.sufficient], ['there 1', true]);
});

test('if one alone answers, it is the answer', () => {
  const silent = answerOf([], {
    answerability: 'silent',
    sufficient: false,
    message: 'nothing is said of it',
  });
  const nearest = answerOf([citation(1, 'near')], { answerability: 'may-answer', sufficient: false });
  assert.deepEqual(
    [silent, nearest].map((other) => joinAnswers(other, there()).isOf),
    ['there', 'there'],
  );
  assert.equal(joinAnswers(here(), silent).isOf, 'here');
  assert.equal(joinAnswers(silent, nearest).isOf, 'there');
  assert.deepEqual(
    joinAnswers(silent, { ...silent, message: 'nor here' }).answer.message,
    'nothing is said of it',
  );
});

test('what a model wrote stays together', () => {
  const written = { ...there(), by: /** @type {const} */ ('model') };
  const { answer } = joinAnswers(here(), written);
  assert.equal(answer.by, 'model');
  assert.deepEqual(
    answer.statements.map(({ text, citations }) => [text, citations]),
    [
      ['here one', [1]],
      ['here two', [3]],
      ['there 1', [2]],
      ['there 2', [4]],
      ['there 3', [5]],
    ],
  );
});

test('a passage that both cite stands once, as that of this browser', () => {
  const same = located(
    answerOf([citation(1, 'here two'), citation(2, 'there')]),
    'library.example',
    () => false,
  );
  const { answer } = joinAnswers(here(), same);
  assert.deepEqual(cited(answer), [
    [1, 'here one', 'here'],
    [2, 'here two', 'here'],
    [3, 'there', 'library.example'],
  ]);
  assert.equal(answer.statements.filter(({ text }) => text === 'here two').length, 1);
});

test('what refers to citations refers to them by their new numbers', () => {
  const remote = {
    ...there(),
    supporting: [{ citation: 1, why: /** @type {const} */ ('reference'), name: 'Rule 2', by: 2 }],
    conflicts: [{ kind: /** @type {const} */ ('number'), citations: [1, 3], preferred: 3 }],
    notes: [
      {
        kind: /** @type {const} */ ('withdrawn'),
        citation: 2,
        legalStatus: /** @type {const} */ ('repealed'),
      },
      { kind: /** @type {const} */ ('several-cases'), citations: [1, 2] },
      {
        kind: /** @type {const} */ ('withdrawn'),
        citation: 99,
        legalStatus: /** @type {const} */ ('repealed'),
      },
    ],
  };
  const { answer } = joinAnswers(here(), remote);
  assert.deepEqual(answer.supporting, [{ citation: 2, why: 'reference', name: 'Rule 2', by: 4 }]);
  assert.deepEqual(answer.conflicts, [{ kind: 'number', citations: [2, 5], preferred: 5 }]);
  assert.deepEqual(answer.notes, [
    { kind: 'withdrawn', citation: 4, legalStatus: 'repealed' },
    { kind: 'several-cases', citations: [2, 4] },
  ]);
});

test('two citations of the same words in one answer stay two', () => {
  const twice = answerOf([citation(1, 'same'), citation(2, 'same')]);
  assert.equal(
    joinAnswers(twice, there()).answer.citations.filter(({ quote }) => quote === 'same').length,
    2,
  );
});

test('an extracted answer has no sentence that stands nowhere', () => {
  const [good, bad] = [citation(1, 'so it stands'), citation(2, 'so it does not', { status: 'not-found' })];
  const { statements, answerability } = withoutFalse(answerOf([good, bad]));
  assert.deepEqual([statements.map(({ text }) => text), answerability], [['so it stands'], 'answers']);
  const none = withoutFalse(answerOf([bad]));
  assert.deepEqual([none.statements, none.answerability, none.sufficient], [[], 'may-answer', false]);
  assert.equal(none.citations.length, 1, 'which is shown as not found');
  const [forged] = answerOf([bad]).statements;
  assert.ok(forged);
  const lent = withoutFalse({
    ...answerOf([good, bad], { answer: 'so it does not, says the server' }),
    statements: [{ ...forged, citations: [1, 2] }],
  });
  assert.deepEqual(
    [lent.statements, lent.answer, lent.sufficient],
    [[], '', false],
    'a true quotation of other words does not bear it out',
  );
  assert.equal(
    withoutFalse(answerOf([good, bad])).answer,
    'so it stands [P1]',
    'nor is it said in the answer as a text',
  );
  assert.equal(withoutFalse(answerOf([bad], { by: 'model' })).statements.length, 1);
});

test('a document of this browser lies here, whoever cites it', () => {
  const answer = located(answerOf([citation(1, 'a')]), 'library.example', (id) => id === idOf('a'));
  assert.equal(answer.citations[0]?.library, undefined);
});

test('lists are merged by rank', () => {
  assert.deepEqual(byRank([['a', 'b', 'c'], ['x'], []]), ['a', 'x', 'b', 'c']);
  assert.deepEqual(byRank([]), []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carriedOf } from './conversation.js';

const cites = [{ document: 'a.pdf', documentId: 'a', page: 1, sectionPath: [] }];
const near = 'openai http://localhost:11434';
const far = 'openai https://models.example';

/** @param {string} question @param {string | null} servers */
const turn = (question, servers) => ({ question, answer: 'Six years [P1].', cites, servers });

test('turns from before this model was set stay here, and so do those of another server', () => {
  const turns = [turn('extracted', null), turn('near', near), turn('far', far)];
  const { history, nBefore, nRemoved } = carriedOf(turns, far, () => true);
  assert.deepEqual(
    history.map(({ question }) => question),
    ['far'],
  );
  assert.deepEqual([nBefore, nRemoved], [2, 0]);
  assert.deepEqual(history[0]?.cites, cites, 'what it cites goes into the list of what was sent');
});

test('turns that cite a document which was removed since stay here', () => {
  const turns = [turn('first', far), { ...turn('without citations', far), cites: [] }];
  const { history, nBefore, nRemoved } = carriedOf(turns, far, (id) => id !== 'a');
  assert.deepEqual(
    history.map(({ question }) => question),
    ['without citations'],
  );
  assert.deepEqual([nBefore, nRemoved], [0, 1]);
});

test('without a model nothing is sent, and all turns help to understand the question', () => {
  const { history, nBefore, nRemoved } = carriedOf([turn('a', null), turn('b', far)], null, () => false);
  assert.deepEqual([history.length, nBefore, nRemoved], [2, 0, 0]);
});

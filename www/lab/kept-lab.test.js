import assert from 'node:assert/strict';
import { test } from 'node:test';
import { questionsOf, runsOf } from './kept-lab.js';
import { usual } from './settings.js';

test('an entry that cannot be read leaves the others of its list', () => {
  const place = { document: 'a.docx', pages: [], range: [3, 9], quote: 'he' };
  const question = { id: 'q1', query: 'Who?', answer: '', places: [place] };
  const broken = [null, 7, { ...question, query: 5 }, { ...question, places: [{ ...place, range: 'x' }] }];
  assert.deepEqual(questionsOf([...broken, question]), [question]);
  const run = { id: 'r1', at: 5, settings: { ...usual }, answers: 'none', isDone: true };
  assert.deepEqual(runsOf([{ ...run, at: null }, run]), [run]);
  for (const value of [undefined, null, 'x', {}])
    assert.deepEqual([questionsOf(value), runsOf(value)], [[], []]);
});

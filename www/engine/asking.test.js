import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask } from './asking.js';

test('what earlier turns cite is among the passages of the requests that carry them', async () => {
  const own = { document: 'b.pdf', documentId: 'b', page: 2, sectionPath: [] };
  const history = ['a', 'c'].map((id) => ({
    question: `about ${id}`,
    answer: 'Six years [P1].',
    cites: [{ document: `${id}.pdf`, documentId: id, page: 1, sectionPath: [] }],
  }));
  const requests = [
    { step: 'rewrite', turns: 1, passages: [] },
    { step: 'filter', turns: 0, passages: [own] },
    { step: 'read', turns: 2, passages: [own] },
  ];
  /** @type {any[]} */
  const posted = [];
  const next = () => {
    const request = requests.shift();
    return request ? { kind: 'ask', request } : { kind: 'nothing' };
  };
  const owner = {
    request: async (/** @type {any} */ message) => {
      posted.push(message);
      if (message.type === 'ask-begin') return { ask: 1, need: next() };
      return message.type === 'ask-end' ? 'answer' : next();
    },
  };
  /** @type {[string, number | undefined, (string | undefined)[]][]} */
  const carried = [];
  const model = {
    complete: async (/** @type {import('./asking.js').CarriedRequest} */ { step, turns, passages }) => {
      carried.push([step, turns, passages.map(({ documentId }) => documentId)]);
      return { text: '', finish: 'stop' };
    },
  };
  const settings = { history, model };
  assert.equal(
    await ask(/** @type {any} */ (owner), { embed: async () => null }, 'and then?', settings),
    'answer',
  );
  assert.deepEqual(carried, [
    ['rewrite', 1, ['c']],
    ['filter', 0, ['b']],
    ['read', 2, ['b', 'a', 'c']],
  ]);
  assert.deepEqual(
    posted[0].history,
    history.map(({ question, answer }) => ({ question, answer })),
  );
});

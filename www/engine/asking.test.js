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

/** Passages of a question, each in pieces. */
const passages = [['Scope', 'It applies to all.'], ['Records'], ['Fees', 'None.']];
const match = {
  best: new Float32Array([1, 0.25]),
  ranges: new Uint32Array([0, 3, 4, 9]),
};

/** An owner that needs a search, the comparison of what it found, and nothing more; it keeps what it is asked. */
function comparing() {
  /** @type {any[]} */
  const posted = [];
  const owner = {
    request: async (/** @type {any} */ message) => {
      posted.push(message);
      const { type } = message;
      if (type === 'ask-begin') return { ask: 7, need: { kind: 'search', query: 'q' } };
      if (type === 'ask-search') return { kind: 'compare', query: 'q', passages };
      if (type === 'ask-end') return 'answer';
      return type === 'ask-compared' ? { kind: 'nothing' } : null;
    },
  };
  return { owner: /** @type {any} */ (owner), posted };
}
const embed = async () => null;
const types = (/** @type {any[]} */ posted) => posted.map(({ type }) => type);

test('passages that a search found are compared with its query, and their matches go back as they are', async () => {
  const { owner, posted } = comparing();
  /** @type {unknown[]} */
  const asked = [];
  /** @type {string[]} */
  const steps = [];
  const compare = async (/** @type {any[]} */ ...of) => {
    asked.push(of);
    return [match, null];
  };
  const onStep = (/** @type {string} */ step) => steps.push(step);
  assert.equal(await ask(owner, { embed, compare }, 'question?', { onStep }), 'answer');
  assert.deepEqual(asked, [['q', passages]]);
  assert.deepEqual(posted[2], { type: 'ask-compared', ask: 7, matches: [match, null] });
  assert.equal(posted[2].matches[0], match);
  assert.deepEqual(steps, ['search', 'compare']);
});

test('a comparison that fails, or that nobody makes, leaves the order of the search', async () => {
  const fails = async () => Promise.reject(new Error('lost'));
  for (const compare of [fails, undefined]) {
    const { owner, posted } = comparing();
    assert.equal(await ask(owner, { embed, compare }, 'question?', {}), 'answer');
    assert.deepEqual(posted[2], { type: 'ask-compared', ask: 7, matches: [] });
  }
});

test('a question that is taken back is dropped before passages are compared, and before their matches are read', async () => {
  for (const when of ['before', 'during']) {
    const { owner, posted } = comparing();
    const controller = new AbortController();
    let compared = 0;
    const embedding = {
      embed: async () => {
        if (when === 'before') controller.abort();
        return null;
      },
      compare: async () => {
        compared += 1;
        controller.abort();
        return [match];
      },
    };
    await assert.rejects(ask(owner, embedding, 'question?', { signal: controller.signal }), {
      code: 'cancelled',
    });
    assert.equal(compared, when === 'before' ? 0 : 1, when);
    assert.deepEqual(types(posted), ['ask-begin', 'ask-search', 'ask-drop'], when);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ranking } from './ranking.js';

/** A library that notes what it was asked with. */
function library() {
  /** @type {unknown[]} */
  const asked = [];
  let ranker = 'shipped';
  const told = { hits: [] };
  return {
    asked,
    search: (/** @type {string} */ query, /** @type {object} */ options) => {
      if (Reflect.get(options, 'k1') === -1) throw new Error('k1 is -1, expected 0 to 1000');
      asked.push({ query, ranker, ...options });
      return /** @type {any} */ (told);
    },
    candidates: () => /** @type {any} */ (null),
    shippedRanker: () => 'tree',
    setRanker: (/** @type {string | null | undefined} */ text) => {
      if (text === 'bad') throw new Error('the ranking model cannot be read');
      asked.push(`set ${text}`);
      ranker = text ?? 'shipped';
      return undefined;
    },
  };
}

const search = /** @type {const} */ ({
  type: 'search',
  query: 'q',
  vector: null,
  k: 5,
  filter: null,
  glossary: {},
  ann: 'auto',
});
const trySearch = /** @type {const} */ ({ type: 'try-search', query: 't', vector: null, options: { k: 3 } });

test('searches use what is kept, trials what they ask for, and the ranker is set only when it changes', async () => {
  const { asked, ...wasm } = library();
  const ranking = new Ranking(wasm);
  const options = { query: 'q', k: 5, filter: null, glossary: {} };
  ranking.handle(search);
  assert.deepEqual(asked.splice(0), [{ ...options, ranker: 'shipped', ann: 'auto' }]);
  ranking.handle({ type: 'try-ranker', ranker: 'mine' });
  ranking.handle({ ...trySearch, ranker: 'trial' });
  ranking.handle({ ...trySearch, ranker: 'trial' });
  ranking.handle(search);
  assert.deepEqual(asked.splice(0), [
    'set mine',
    { query: 't', ranker: 'mine', k: 3 },
    { query: 't', ranker: 'mine', k: 3 },
    'set undefined',
    { ...options, ranker: 'shipped', ann: 'auto' },
  ]);
  await ranking.handle({
    type: 'keep-ranking',
    ranking: { settings: { k1: 2, ann: 'exact' }, ranker: 'mine' },
  });
  asked.splice(0);
  ranking.handle(search);
  ranking.handle({ ...trySearch, ranker: 'shipped' });
  assert.deepEqual(asked, [
    { ...options, ranker: 'mine', ann: 'exact', k1: 2 },
    'set undefined',
    { query: 't', ranker: 'shipped', k: 3 },
  ]);
});

test('what the engine refuses is not kept', async () => {
  const { asked, ...wasm } = library();
  const ranking = new Ranking(wasm);
  for (const bad of [
    { settings: { k1: -1 }, ranker: null },
    { settings: {}, ranker: 'bad' },
    .../** @type {any[]} */ ([{}, true, null, { settings: null, ranker: null }, { settings: {}, ranker: 5 }]),
  ])
    await assert.rejects(async () => ranking.handle({ type: 'keep-ranking', ranking: bad }));
  asked.splice(0);
  ranking.handle(search);
  assert.deepEqual(asked, [{ query: 'q', k: 5, filter: null, glossary: {}, ranker: 'shipped', ann: 'auto' }]);
});

test('answers use the parameters kept for their ranking, or those of their question, and no others', async () => {
  const { asked, ...wasm } = library();
  const ranking = new Ranking(wasm);
  const question = /** @type {{ type: 'ask-begin', ranking?: object }} */ ({ type: 'ask-begin' });
  assert.deepEqual(ranking.asked(question), { ...question, ranking: {} });
  const settings = { k1: 2, denseWeight: 0.1, units: /** @type {const} */ ('child') };
  await ranking.handle({
    type: 'keep-ranking',
    ranking: { settings: { ...settings, fusion: 'ltr' }, ranker: 'mine' },
  });
  asked.splice(0);
  ranking.handle({ ...trySearch, ranker: 'shipped' });
  assert.deepEqual(ranking.asked(question), { ...question, ranking: {} }, 'those of searches');
  assert.equal(asked.at(-1), 'set mine', 'the ranker kept, whatever was tried');
  await ranking.handle({
    type: 'keep-ranking',
    ranking: { settings: { ...settings, fusion: 'answers' }, ranker: null },
  });
  const kept = { k1: 2, b: undefined, headerWeight: undefined, denseWeight: 0.1 };
  assert.deepEqual(ranking.asked(question), { ...question, ranking: kept });
  const own = { ...question, ranking: { k1: 1 } };
  assert.deepEqual(ranking.asked(own), own);
});

test('of stored settings only those of a ranking reach a search', async () => {
  const { asked, ...wasm } = library();
  const ranking = new Ranking(wasm);
  const settings = /** @type {object} */ ({ k1: 2, vector: [1], fingerprint: 'x', gold: [], k: 900 });
  await ranking.handle({ type: 'keep-ranking', ranking: { settings, ranker: null } });
  asked.splice(0);
  ranking.handle(search);
  assert.deepEqual(asked, [
    { query: 'q', k: 5, filter: null, glossary: {}, ranker: 'shipped', ann: 'auto', k1: 2 },
  ]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opened, parsed, recordOf, SharedStore, vectors, version } from './owner.fixture.js';
import { MemoryStore } from './store.js';

test('two files of one name are both kept, told apart by folder, date or number', async () => {
  const { ask, store } = await opened();
  /** @param {string} id @param {object} [rest] @param {string} [folder] */
  const add = (id, rest = {}, folder = '') => ask({ ...parsed(id, { name: 'deed.pdf', ...rest }), folder });
  await add('a', { date: '2023' }, 'acme');
  const second = await add('b', { date: '2023' }, 'acme');
  const third = await add('c', { date: '2024' }, 'acme');
  const fourth = await add('d', { date: '2024' }, 'other');
  assert.deepEqual([second.namesake, third.namesake, fourth.namesake], ['a', 'b', 'c']);
  const names = ['deed.pdf', '2 deed.pdf', '2024 deed.pdf', 'other deed.pdf'];
  assert.deepEqual(
    (await store.list()).map(({ name }) => name),
    names,
  );
  // They keep their names at the next opening, and when one is indexed again under its file's name or its own.
  for (const name of ['deed.pdf', '2 deed.pdf']) await add('b', { name });
  const { listed } = await opened(store);
  assert.deepEqual(listed.map(({ name }) => name).sort(), [...names].sort());
});

test('a document that cannot be read is not replaced by another file of its name', async () => {
  const { ask, store } = await opened();
  const { segment, file } = parsed('old', { format: 2 });
  const document = { ...(await recordOf('old')), name: 'deed.pdf', fileName: 'deed.pdf', formatVersion: 2 };
  await store.put({ document, file, segment, vectors: [] });
  await opened(store);
  await ask(parsed('new', { name: 'deed.pdf' }));
  assert.deepEqual((await store.list()).map(({ id }) => id).sort(), ['new', 'old']);
});

test('a document that was added again meanwhile is not put back over it', async () => {
  const { ask, store } = await opened();
  await ask(parsed('a'));
  const kept = await ask({ type: 'remove', document: 'a' });
  await ask(parsed('b', { name: 'a.pdf' }));
  assert.equal((await ask({ type: 'restore', kept })).name, '2 a.pdf');
  assert.equal(await ask({ type: 'restore', kept }), null);
  assert.equal((await store.list()).length, 2);
});

test('several files become documents in one transaction, and one that cannot be read is told in its place', async () => {
  const store = new MemoryStore();
  const { ask } = await opened(store);
  let nPuts = 0;
  const put = store.putAll.bind(store);
  store.putAll = (all, signal) => {
    nPuts += 1;
    return put(all, signal);
  };
  const commits = [parsed('a'), parsed('old', { format: 2 }), parsed('b', { name: 'a.pdf' })];
  const replies = await ask({ type: 'commit-all', commits });
  assert.equal(nPuts, 1);
  assert.deepEqual(
    replies.map((/** @type {any} */ { document, problem }) => document?.name ?? problem.code),
    ['a.pdf', 'index-version', '2 a.pdf'],
  );
  assert.deepEqual(
    (await store.list()).map(({ id }) => id),
    ['a', 'b'],
  );
});

test('an engine that is lost in the middle of several files leaves those before stored', async () => {
  const store = new MemoryStore();
  const { ask, owner } = await opened(store);
  const commits = [parsed('a'), parsed('b', { name: 'trap' }), parsed('c')];
  await assert.rejects(ask({ type: 'commit-all', commits }), WebAssembly.RuntimeError);
  assert.equal(owner.working, 'b');
  assert.deepEqual(
    (await store.list()).map(({ id }) => id),
    ['a'],
  );
});

test('where there is no room for all of several documents, those that fit are stored', async () => {
  const store = new MemoryStore();
  const { ask } = await opened(store);
  const put = store.putAll.bind(store);
  store.putAll = (all, signal) =>
    all.some(({ document }) => document.id === 'large')
      ? Promise.reject(new DOMException('full', 'QuotaExceededError'))
      : put(all, signal);
  const replies = await ask({ type: 'commit-all', commits: [parsed('small'), parsed('large')] });
  assert.deepEqual(
    replies.map((/** @type {any} */ { document }) => document.kept),
    [true, false],
  );
  assert.deepEqual(
    (await store.list()).map(({ id }) => id),
    ['small'],
  );
});

test('a commit that is cancelled leaves what was stored as it was', async () => {
  const { ask, store } = await opened();
  await ask(parsed('a'));
  await ask(vectors(0));
  const before = await store.list();
  for (const id of ['a', 'new']) {
    const commit = ask(parsed(id));
    await ask({ type: 'cancel-commit', document: id });
    await assert.rejects(commit, { code: 'cancelled' });
  }
  assert.deepEqual(await store.list(), before);
  assert.equal((await store.vectors('a', version)).length, 1);
  const { document } = await ask(parsed('b'));
  assert.equal(document.id, 'b');
});

test('two tabs that add files of one name at once give them two names', async () => {
  const store = new SharedStore();
  const [one, two] = [await opened(store), await opened(store)];
  await Promise.all([one.ask(parsed('a', { name: 'deed.pdf' })), two.ask(parsed('b', { name: 'deed.pdf' }))]);
  assert.deepEqual(
    (await store.list()).map(({ name }) => name),
    ['deed.pdf', '2 deed.pdf'],
  );
});

test('a document that cannot be stored can be used, embedded and put back all the same', async () => {
  const store = new MemoryStore();
  store.putAll = async () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  const { ask } = await opened(store);
  const { document } = await ask(parsed('a'));
  assert.equal(document.kept, false);
  assert.equal((await ask(vectors(0))).nEmbedded, 32);
  assert.ok(await ask({ type: 'file', document: 'a' }), 'the viewer shows it');
  const kept = await ask({ type: 'remove', document: 'a' });
  const back = await ask({ type: 'restore', kept });
  assert.deepEqual([back.kept, back.nEmbedded], [false, 32]);
});

test('a document that ended the engine is not read once more where indexing it again is cancelled', async () => {
  const { ask: first, store } = await opened();
  await first(parsed('t'));
  const { file, segment } = parsed('t');
  const [record] = await store.list();
  await store.put({ document: { .../** @type {any} */ (record), name: 'trap' }, file, segment, vectors: [] });
  const { ask } = await opened(store, ['t']);
  const putAll = store.putAll.bind(store);
  store.putAll = async (all, signal) => {
    await ask({ type: 'cancel-commit', document: 't' });
    return putAll(all, signal);
  };
  await assert.rejects(ask(parsed('t', { name: 'again.pdf' })), { code: 'cancelled' });
  assert.deepEqual(
    (await store.list()).map(({ name }) => name),
    ['trap'],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openedEngine, reopenedEngine } from './client.fixture.js';

test('documents outlast the owner', async (t) => {
  const { engine, add, lose, ids } = await openedEngine(t);
  await add('a');
  lose();
  await engine.opened;
  assert.deepEqual([ids(), engine.snapshot.state, engine.snapshot.jobs], [['a'], 'open', []]);
});

test('where the library cannot be opened again, one message says so and nothing is lost', async (t) => {
  const { engine, store, add, lose, ids } = await openedEngine(t);
  await add('a');
  const { list } = store;
  store.list = async () => {
    throw new DOMException('Internal error opening backing store', 'UnknownError');
  };
  lose();
  const failure = { code: 'storage-failed', message: /Internal error/ };
  const pending = [engine.search('records'), engine.text('a', 0, 1)];
  await Promise.all(pending.map((request) => assert.rejects(request, failure)));
  const later = [engine.search('records'), engine.text('a', 0, 1), engine.remove('a'), add('b')];
  await Promise.all(later.map((request) => assert.rejects(request, failure)));
  const { state, failure: told } = engine.snapshot;
  assert.deepEqual([state, told?.code, ids()], ['failed', 'storage-failed', ['a']]);
  store.list = list;
  assert.deepEqual(
    (await store.list()).map(({ id }) => id),
    ['a'],
    'it is stored as before',
  );
});

test('what nothing stored is named as lost where the library cannot be opened again, and what is stored is not', async (t) => {
  const { engine, store, add, lose, ids } = await openedEngine(t);
  await add('stored');
  const { putAll } = store;
  store.putAll = async () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  await add('unstored');
  store.putAll = putAll;
  store.list = () => Promise.reject(new DOMException('gone', 'UnknownError'));
  lose();
  await assert.rejects(engine.opened, { code: 'storage-failed' });
  assert.deepEqual(ids(), ['stored']);
  assert.deepEqual(
    engine.snapshot.jobs.map(({ name, error }) => [name, error?.code]),
    [['unstored.pdf', 'document-lost']],
  );
});

test('a document that another tab took out while there was no owner is not named as lost', async (t) => {
  const { engine, store, add, lose, ids } = await openedEngine(t);
  await add('a');
  await add('b');
  await store.take('a');
  lose();
  await engine.opened;
  assert.deepEqual([ids(), engine.snapshot.jobs], [['b'], []]);
});

test('a document that is taken out while the library is opened again is not named as lost', async (t) => {
  const { engine, add, lose, ids } = await openedEngine(t);
  await add('a');
  await add('b');
  lose();
  assert.equal(await engine.remove('a'), true, 'it waits for the owner');
  assert.deepEqual([ids(), engine.snapshot.jobs], [['b'], []]);
});

test('two files of one name are a question until one is gone for good, however they are added again', async (t) => {
  const { engine, store, add, lose, ids } = await openedEngine(t);
  const addDeeds = async (/** @type {string[]} */ ids) => {
    for (const id of ids) await add(id, 'deed.pdf');
  };
  const asked = () => [...engine.snapshot.namesakes];
  await addDeeds(['a', 'b']);
  assert.deepEqual(asked(), [['b', 'a']]);
  await engine.remove('a');
  assert.deepEqual(asked(), []);
  await engine.restore('a');
  assert.deepEqual(asked(), [['b', 'a']], 'it is asked again when the removal is undone');

  /** @type {[string, () => Promise<unknown>][]} */
  const goings = [
    ['taken out for good', () => Promise.all(['a', 'b'].map((id) => engine.remove(id, { undoMs: 0 })))],
    [
      'taken out, and added again while that can be undone',
      () => Promise.all(['a', 'b'].map((id) => engine.remove(id))),
    ],
    ['cleared', () => engine.clear()],
    [
      'taken out by another tab',
      async () => {
        await store.clear();
        for (const tab of store.tabs) for (const document of ['a', 'b']) tab({ type: 'take', document });
        while (ids().length > 0) await new Promise((resolve) => setImmediate(resolve));
      },
    ],
    [
      'gone while there was no owner',
      async () => {
        await store.clear();
        lose();
        await engine.opened;
      },
    ],
  ];
  for (const [name, go] of goings) {
    await go();
    await addDeeds(['b', 'a']);
    assert.deepEqual(asked(), [['a', 'b']], name);
    await engine.clear();
    await addDeeds(['a', 'b']);
  }
});

test('a document that another tab changes while it is taken out is not listed again', async (t) => {
  const { engine, add, hear, ids } = await openedEngine(t);
  const document = await add('a');
  const removed = engine.remove('a');
  hear({ type: 'changed', document: { ...document, nEmbedded: 32 } });
  assert.equal(await removed, true);
  assert.deepEqual([ids(), engine.snapshot.removed.map(({ id }) => id)], [[], ['a']]);
  await engine.restore('a');
  assert.deepEqual(ids(), ['a']);
});

test('a document that is taken out while it is indexed again does not come back', async (t) => {
  const { engine, add, hear, ids } = await openedEngine(t);
  const document = await add('a');
  const problem = { code: 'index-damaged', message: 'a checksum differs', hint: '' };
  hear({ type: 'changed', document: { ...document, problem } });
  const again = assert.rejects(engine.reindex('a'), { code: 'cancelled' });
  while (engine.snapshot.jobs.length === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(await engine.remove('a'), true);
  await again;
  assert.deepEqual([ids(), engine.snapshot.jobs], [[], []]);
});

test('a library that cannot be cleared is there as before', async (t) => {
  const { engine, store, add, ids } = await openedEngine(t);
  await add('a');
  store.clear = async () => {
    throw new DOMException('Internal error', 'UnknownError');
  };
  await assert.rejects(engine.clear(), /Internal error/);
  assert.deepEqual(ids(), ['a']);
  assert.equal((await engine.passages('a', 0, 1)).length, 1, 'the engine has it too');
});

test('documents are listed all the while that another owner opens the library', async (t) => {
  const { engine, add, lose, ids } = await openedEngine(t);
  for (const id of ['a', 'b']) await add(id);
  /** @type {Set<string>} */
  const listed = new Set();
  engine.addEventListener('change', () => listed.add(ids().join()));
  lose();
  listed.add(ids().join());
  const kept = engine.stored('b');
  await engine.opened;
  assert.equal((await kept)?.document.id, 'b', 'it can be asked for');
  assert.deepEqual([...listed], ['a,b']);
});

/** Messages of the list. @param {import('./client.js').Engine} engine */
const told = (engine) => engine.snapshot.jobs.map(({ name, error }) => [name, error?.code]);

test('a library whose documents the browser has lost says so once, and takes new ones', async (t) => {
  const { engine, store, add } = await openedEngine(t);
  await add('a');
  engine.close();
  await store.clear();
  const next = await reopenedEngine(t, store);
  assert.deepEqual([told(next.engine), next.ids()], [[['', 'library-lost']], []]);
  next.engine.close();
  const third = await reopenedEngine(t, store);
  assert.deepEqual(told(third.engine), []);
  await third.add('b');
  third.engine.close();
  await store.clear();
  const fourth = await reopenedEngine(t, store);
  assert.deepEqual(told(fourth.engine), [['', 'library-lost']], 'what is lost later is said, too');
});

test('a library whose last document was taken out has lost nothing', async (t) => {
  const { engine, store, add } = await openedEngine(t);
  for (const id of ['a', 'b']) await add(id);
  await engine.remove('a', { undoMs: 0 });
  await engine.remove('b', { undoMs: 0 });
  engine.close();
  assert.deepEqual(told((await reopenedEngine(t, store)).engine), []);
});

test('a library that is cleared by another tab while this one opens it has lost nothing', async (t) => {
  const { engine, store, add } = await openedEngine(t);
  await add('a');
  const { list } = store;
  store.list = async () => {
    store.list = list;
    await engine.clear();
    return list.call(store);
  };
  assert.deepEqual(told((await reopenedEngine(t, store)).engine), []);
});

test('documents that nothing stored are not missed at the next opening', async (t) => {
  const { engine, store, add } = await openedEngine(t);
  store.putAll = async () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  await add('unstored');
  engine.close();
  assert.deepEqual(told((await reopenedEngine(t, store)).engine), []);
});

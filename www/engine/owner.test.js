import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Owner } from './owner.js';
import {
  openTab,
  opened,
  parsed,
  recordOf,
  SharedStore,
  single,
  turns,
  vectors,
  version,
  wasm,
} from './owner.fixture.js';

test('a library without a name is in memory, and no store is opened for it', async () => {
  const shared = new SharedStore();
  const owner = new Owner(
    wasm,
    () => {},
    null,
    async () => assert.fail('a store was opened'),
    (_, onChange) => openTab(shared, onChange),
  );
  const opened = await owner.handle({ type: 'open', library: null, skip: [] }, () => {});
  assert.equal(/** @type {{ persistent: boolean }} */ (opened).persistent, false);
  assert.deepEqual(shared.tabs, []);
});

test('a document is there after opening again, with the batches that were stored', async () => {
  const { ask, store } = await opened();
  const { document } = await ask(parsed('a'));
  assert.deepEqual(document.missing, [0, 32, 64]);
  await ask(vectors(32));
  const { listed } = await opened(store);
  assert.deepEqual([listed[0].missing, listed[0].nEmbedded], [[0, 64], 32]);
});

test('passages that were embedded for a question are stored, and the background embeds the others', async () => {
  const { ask, store } = await opened();
  await ask(parsed('a'));
  const document = await ask(single([33, 5, 34, 69]));
  assert.deepEqual([document.missing, document.nEmbedded], [[0, 32, 64], 4]);
  const { rows, texts } = await ask({ type: 'unembedded', document: 'a', start: 32, limit: 32 });
  assert.deepEqual([rows.length, rows[0], rows[1], texts[1]], [30, 32, 35, 'passage 35']);
  assert.equal((await ask(vectors(32))).nEmbedded, 34, 'those that are there are not counted twice');
  const { listed } = await opened(store);
  assert.deepEqual([listed[0].missing, listed[0].nEmbedded], [[0, 64], 34]);
});

test('a document is complete when the passages have vectors that the model can read', async () => {
  const { ask, store } = await opened();
  const { document } = await ask(parsed('a', { nToEmbed: 6 }));
  assert.deepEqual([document.missing, document.nEmbedded, document.nToEmbed], [[64], 0, 6]);
  const { rows } = await ask({ type: 'unembedded', document: 'a', start: 64, limit: 32 });
  assert.deepEqual(rows, [64, 65, 66, 67, 68, 69]);
  await ask(single(rows));
  await ask(parsed('none', { nToEmbed: 0 }));
  const { listed } = await opened(store);
  const counts = listed.map(({ missing, nEmbedded, nToEmbed }) => [missing, nEmbedded, nToEmbed]);
  assert.deepEqual(counts, [
    [[], 6, 6],
    [[], 0, 0],
  ]);
});

test('vectors that an earlier version made of passages that the model cannot read are not counted', async () => {
  const { ask, store } = await opened();
  await ask(parsed('a', { nToEmbed: 6 }));
  await ask(vectors(0));
  assert.deepEqual(
    (await opened(store)).listed.map(({ missing, nEmbedded, nToEmbed }) => [missing, nEmbedded, nToEmbed]),
    [[[64], 0, 6]],
  );
  const whole = [...Array(70).keys()];
  assert.deepEqual((await ask(single(whole))).nEmbedded, 6);
  const { listed } = await opened(store);
  assert.deepEqual([listed[0].missing, listed[0].nEmbedded, listed[0].nToEmbed], [[], 6, 6]);
});

test('while a long document is read others are answered, and a search waits until all are prepared', async () => {
  const { ask } = await opened();
  await ask(parsed('short'));
  /** @type {string[]} */
  const order = [];
  const long = ask(parsed('long')).then(() => order.push('long'));
  const passages = ask({ type: 'passages', document: 'short', start: 0, limit: 1 });
  await passages.then(() => order.push('passages of short'));
  await long;
  assert.deepEqual(order, ['passages of short', 'long']);
  assert.deepEqual(await ask({ type: 'search', query: 'records' }), { hits: [] });
});

test('a removed document is gone from the store and can be put back with its vectors', async () => {
  const { ask, store } = await opened();
  await ask(parsed('a'));
  await ask(vectors(0));
  const kept = await ask({ type: 'remove', document: 'a' });
  assert.deepEqual([await store.list(), await store.file('a')], [[], null]);
  assert.equal((await ask({ type: 'restore', kept })).nEmbedded, 32);
  assert.equal((await store.list()).length, 1);
  assert.equal(await ask({ type: 'remove', document: 'b' }), null);
});

test('a removed document can be put back while another tab opens, and by another owner', async () => {
  const { ask, store } = await opened(new SharedStore());
  await ask(parsed('a'));
  await ask(vectors(0));
  const kept = await ask({ type: 'remove', document: 'a' });
  const second = await opened(store);
  assert.deepEqual(second.listed, []);
  // The owner of the first tab was lost meanwhile.
  const third = await opened(store);
  assert.equal((await third.ask({ type: 'restore', kept })).nEmbedded, 32);
  await turns();
  assert.deepEqual(
    second.told.map(({ type, document }) => [type, document.id]),
    [['changed', 'a']],
  );
});

test('two tabs see what the other adds, embeds, removes and clears', async () => {
  const store = new SharedStore();
  const [one, two] = [await opened(store), await opened(store)];
  await one.ask(parsed('a'));
  await turns();
  await one.ask(vectors(0));
  await turns();
  await two.ask({ type: 'remove', document: 'a' });
  await turns();
  await two.ask(parsed('b'));
  await turns();
  await one.ask({ type: 'clear' });
  await turns();
  /** @param {any[]} told */
  const brief = (told) =>
    told.map(({ type, document }) => [type, document.id ?? document, document.nEmbedded]);
  assert.deepEqual(brief(two.told), [
    ['changed', 'a', 0],
    ['changed', 'a', 32],
    ['gone', 'b', undefined],
  ]);
  assert.deepEqual(brief(one.told), [
    ['gone', 'a', undefined],
    ['changed', 'b', 0],
  ]);
});

test('a document of another tab that ends the engine is told like any other', async () => {
  const store = new SharedStore();
  const [one, two] = [await opened(store), await opened(store)];
  await one.ask(parsed('a'));
  const record = /** @type {import('./store.js').StoredDocument} */ ((await store.list())[0]);
  const { segment, file } = parsed('a');
  await store.put({ document: { ...record, name: 'trap' }, file, segment, vectors: [] });
  await turns();
  two.told.length = 0;
  for (const tab of store.tabs) tab({ type: 'put', document: 'a' });
  await turns();
  assert.deepEqual(two.told, [{ type: 'fatal', message: 'unreachable', document: 'a' }]);
});

test('a removal that cannot be stored leaves the document where it is', async () => {
  const { ask, store } = await opened();
  await ask(parsed('a'));
  store.take = async () => {
    throw new DOMException('gone', 'UnknownError');
  };
  await assert.rejects(ask({ type: 'remove', document: 'a' }));
  assert.equal((await ask(vectors(0))).nEmbedded, 32);
});

test('a segment of another version is refused with its number and kept', async () => {
  const { ask, store } = await opened();
  await ask(parsed('a'));
  const { file, segment } = parsed('b', { format: 2 });
  const document = { ...(await recordOf('b')), addedAt: Date.now() + 1, formatVersion: 2 };
  await store.put({ document, file, segment, vectors: [] });
  const { listed } = await opened(store);
  const [a, b] = listed;
  assert.equal(a.problem, null);
  assert.deepEqual([b.problem.code, b.problem.message], ['index-version', 'format 2, expected 3']);
  assert.ok(await store.segment('b', 2));
});

test('vectors of another model are taken out and asked for again', async () => {
  const { ask } = await opened();
  await ask(parsed('a'));
  await ask(vectors(0));
  assert.deepEqual(await ask({ type: 'use-model', fingerprint: 'm1' }), []);
  const [document] = await ask({ type: 'use-model', fingerprint: 'm2' });
  assert.deepEqual(document.missing, [0, 32, 64]);
});

test('a damaged batch of vectors is embedded again; the document stays', async () => {
  const { ask, store } = await opened();
  await ask(parsed('a'));
  const bytes = new TextEncoder().encode('!');
  await store.putVectors('a', version, [{ start: 0, count: 32, fingerprint: 'm1', bytes }]);
  const { listed } = await opened(store);
  assert.deepEqual([listed[0].problem, listed[0].missing], [null, [0, 32, 64]]);
});

test('a trap names the document, and opening without it lists it as damaged', async () => {
  const { ask, store } = await opened();
  await ask(parsed('a'));
  const { file, segment } = parsed('t');
  const document = { ...(await recordOf('t')), name: 'trap', addedAt: Date.now() + 1 };
  await store.put({ document, file, segment, vectors: [] });
  const owner = new Owner(
    wasm,
    () => {},
    null,
    async () => store,
  );
  await assert.rejects(
    owner.handle({ type: 'open', library: 'test', skip: [] }, () => {}),
    WebAssembly.RuntimeError,
  );
  assert.equal(owner.working, 't');
  const { listed } = await opened(store, ['t']);
  assert.deepEqual(
    listed.map(({ problem }) => problem?.code),
    [undefined, 'index-damaged'],
  );
});

test('an error of the engine leaves nothing behind that a later trap is blamed on', async () => {
  const { ask, owner } = await opened();
  await assert.rejects(ask(parsed('a', { format: 2 })), { code: 'index-version' });
  assert.equal(owner.working, null);
});

test('vectors that come after a removal are dropped', async () => {
  const { ask } = await opened();
  await ask(parsed('a'));
  await ask({ type: 'remove', document: 'a' });
  assert.equal(await ask(vectors(0)), null);
});

test('a document that found no room here and is stored by another tab can be taken out and put back', async () => {
  const store = new SharedStore();
  const [one, two] = [await opened(store), await opened(store)];
  const { putAll } = store;
  store.putAll = async () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  assert.equal((await one.ask(parsed('a'))).document.kept, false);
  store.putAll = putAll;
  await two.ask(parsed('a'));
  await turns();
  const kept = await one.ask({ type: 'remove', document: 'a' });
  assert.deepEqual(await store.list(), []);
  assert.equal((await one.ask({ type: 'restore', kept })).kept, true);
  assert.equal((await store.list()).length, 1);
});

test('a library that cannot be cleared stays in the engine', async () => {
  const { ask, store } = await opened();
  await ask(parsed('a'));
  store.clear = async () => {
    throw new DOMException('gone', 'UnknownError');
  };
  await assert.rejects(ask({ type: 'clear' }), /gone/);
  assert.equal((await ask(vectors(0))).nEmbedded, 32);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from './errors.js';
import { Owner } from './owner.js';
import { MemoryStore } from './store.js';

const version = 3;

/** The engine's library, as far as the owner sees it: a segment is the JSON of its info. */
class FakeLibrary {
  /** @type {Map<string, any>} */
  #documents = new Map();
  /** Steps that are left before a question. */
  nUnprepared = 0;
  /** Passages with a vector. @type {Map<string, Set<number>>} */
  #embedded = new Map();

  /** @param {FakeReader} reader @param {string} name */
  addRead({ segment }, name) {
    const info = { ...JSON.parse(new TextDecoder().decode(segment)), name };
    if (info.format !== version)
      throw new EngineError('index-version', `format ${info.format}, expected ${version}`);
    if (info.name === 'trap') throw new WebAssembly.RuntimeError('unreachable');
    this.#documents.set(info.id, info);
    this.nUnprepared = 4;
    this.#embedded.set(info.id, new Set());
    return info;
  }

  /** @param {string} id */
  remove(id) {
    return this.#documents.delete(id);
  }

  prepare() {
    this.nUnprepared = Math.max(0, this.nUnprepared - 1);
    return this.nUnprepared > 0;
  }

  documents() {
    return [...this.#documents.values()];
  }

  /** @param {string} _id @param {number} start @param {number} limit */
  passages(_id, start, limit) {
    return Array.from({ length: limit }, (_, at) => `passage ${start + at}`);
  }

  /** @param {string} _id @param {Uint32Array} rows */
  passagesAt(_id, rows) {
    return Array.from(rows, (row) => `passage ${row}`);
  }

  /** @param {string} id */
  passagesWithoutVectors(id) {
    const { nPassages, nToEmbed } = this.#documents.get(id);
    /** @type {[number, number][]} */
    const gaps = [];
    // Those that the model cannot read stand first.
    for (let row = nPassages - nToEmbed; row < nPassages; row += 1) {
      if (this.#embedded.get(id)?.has(row)) continue;
      const last = gaps.at(-1);
      if (last?.[1] === row) last[1] += 1;
      else gaps.push([row, row + 1]);
    }
    return gaps;
  }

  /** @param {string} id @param {Uint32Array} rows */
  putSingleVectors(id, rows) {
    /** @type {{ start: number, count: number, bytes: Uint8Array }[]} */
    const runs = [];
    for (const row of [...rows].sort((a, b) => a - b)) {
      if (this.#embedded.get(id)?.has(row)) continue;
      this.#embedded.get(id)?.add(row);
      const last = runs.at(-1);
      if (last && last.start + last.count === row) last.count += 1;
      else runs.push({ start: row, count: 1, bytes: new Uint8Array() });
    }
    for (const run of runs) run.bytes = new TextEncoder().encode(`${id}/${run.start}/${run.count}`);
    return runs;
  }

  /** @param {Uint8Array} bytes */
  addVectors(bytes) {
    if (bytes[0] === 33) throw new EngineError('index-damaged', 'bad batch');
    const [id = '', start, count] = new TextDecoder().decode(bytes).split('/');
    for (let row = Number(start); row < Number(start) + Number(count); row += 1)
      this.#embedded.get(id)?.add(row);
  }

  ask() {
    return { answer: '' };
  }

  search() {
    assert.equal(this.nUnprepared, 0, 'a search waits until the documents are prepared');
    return { hits: [] };
  }
}

/** Reads a segment in three steps. */
class FakeReader {
  #nSteps = 3;

  /** @param {Uint8Array} segment */
  constructor(segment) {
    this.segment = segment;
  }

  read() {
    this.#nSteps -= 1;
    return this.#nSteps > 0;
  }
}

const wasm = /** @type {any} */ ({
  Library: FakeLibrary,
  SegmentReader: FakeReader,
  distinctName: (/** @type {string} */ name, /** @type {string[]} */ marks, /** @type {string[]} */ taken) =>
    [name, ...[...marks, '2', '3'].map((mark) => `${mark} ${name}`)].find((each) => !taken.includes(each)),
  version: () => 'test',
  formatVersion: () => version,
});

/** @param {string} id @param {object} [rest] */
function parsed(id, rest = {}) {
  const info = {
    id,
    name: `${id}.pdf`,
    title: null,
    date: null,
    nPages: 1,
    nPassages: 70,
    nToEmbed: 70,
    nEmbedded: 0,
    diags: [],
    format: version,
    ...rest,
  };
  return {
    type: 'commit',
    file: new Blob(['%PDF']),
    bytes: 4,
    folder: '',
    segment: new TextEncoder().encode(JSON.stringify(info)),
    info,
  };
}

/** @param {MemoryStore} [store] */
async function opened(store = new MemoryStore(), /** @type {string[]} */ skip = []) {
  /** @type {any[]} */
  const listed = [];
  /** @type {any[]} */
  const told = [];
  const owner = new Owner(
    wasm,
    (event) => told.push(event),
    null,
    async () => store,
    (_, onChange) => openTab(store, onChange),
  );
  /** @param {any} request @returns {Promise<any>} */
  const ask = (request) => owner.handle(request, (document) => listed.push(document));
  await ask({ type: 'open', library: 'test', skip });
  return { owner, ask, store, listed, told };
}

/** A store that outlasts the page, as far as tabs see it. */
class SharedStore extends MemoryStore {
  persistent = true;
  /** @type {((change: any) => void)[]} */
  tabs = [];
  /** @type {Promise<unknown>} */
  turn = Promise.resolve();
}

/** @param {any} store @param {(change: any) => void} onChange */
function openTab(store, onChange) {
  store.tabs.push(onChange);
  return {
    alone: (/** @type {() => Promise<any>} */ work) => (store.turn = store.turn.then(work, work)),
    tell: (/** @type {any} */ change) => {
      for (const tab of store.tabs) if (tab !== onChange) tab(structuredClone(change));
    },
  };
}

/** Time for what was begun to be done, on a busy machine too. */
const turns = () => new Promise((resolve) => setTimeout(resolve, 50));

/** @param {number} start */
const vectors = (start) => single(Array.from({ length: 32 }, (_, at) => start + at));

/** @param {number[]} rows */
const single = (rows) => ({
  type: 'put-vectors',
  document: 'a',
  rows,
  vectors: new Float32Array(rows.length),
  fingerprint: 'm1',
});

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

/** Parts that are stored of a document. @param {string} id */
async function recordOf(id) {
  const { ask, store } = await opened();
  await ask(parsed(id));
  return /** @type {import('./store.js').StoredDocument} */ ((await store.list())[0]);
}

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

test('two tabs that add files of one name at once give them two names', async () => {
  const store = new SharedStore();
  const [one, two] = [await opened(store), await opened(store)];
  await Promise.all([one.ask(parsed('a', { name: 'deed.pdf' })), two.ask(parsed('b', { name: 'deed.pdf' }))]);
  assert.deepEqual(
    (await store.list()).map(({ name }) => name),
    ['deed.pdf', '2 deed.pdf'],
  );
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

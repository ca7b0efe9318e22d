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

  /** @param {Uint8Array} segment */
  add(segment) {
    const info = JSON.parse(new TextDecoder().decode(segment));
    if (info.format !== version)
      throw new EngineError('index-version', `format ${info.format}, expected ${version}`);
    if (info.name === 'trap') throw new WebAssembly.RuntimeError('unreachable');
    for (const [id, other] of this.#documents) if (other.name === info.name) this.#documents.delete(id);
    this.#documents.set(info.id, info);
    return info;
  }

  /** @param {string} id */
  remove(id) {
    return this.#documents.delete(id);
  }

  documents() {
    return [...this.#documents.values()];
  }

  /** @param {string} _id @param {number} start @param {number} limit */
  passages(_id, start, limit) {
    return Array.from({ length: limit }, (_, at) => `passage ${start + at}`);
  }

  /** @param {string} id @param {number} start */
  putVectors(id, start) {
    return new TextEncoder().encode(`${id}/${start}`);
  }

  /** @param {Uint8Array} bytes */
  addVectors(bytes) {
    if (bytes[0] === 33) throw new EngineError('index-damaged', 'bad batch');
  }

  ask() {
    return { answer: '' };
  }

  search() {
    return { hits: [] };
  }
}

const wasm = /** @type {any} */ ({
  Library: FakeLibrary,
  version: () => 'test',
  formatVersion: () => version,
});

/** @param {string} id @param {object} [rest] */
function parsed(id, rest = {}) {
  const info = {
    id,
    name: `${id}.pdf`,
    title: null,
    nPages: 1,
    nPassages: 70,
    nEmbedded: 0,
    diags: [],
    format: version,
    ...rest,
  };
  return {
    type: 'commit',
    file: new Blob(['%PDF']),
    bytes: 4,
    segment: new TextEncoder().encode(JSON.stringify(info)),
    info,
  };
}

/** @param {MemoryStore} [store] */
async function opened(store = new MemoryStore(), /** @type {string[]} */ skip = []) {
  /** @type {any[]} */
  const listed = [];
  const owner = new Owner(wasm, async () => store);
  /** @param {any} request @returns {Promise<any>} */
  const ask = (request) => owner.handle(request, (document) => listed.push(document));
  await ask({ type: 'open', library: 'test', skip });
  return { owner, ask, store, listed };
}

/** @param {number} start */
const vectors = (start) => ({
  type: 'put-vectors',
  document: 'a',
  start,
  count: 32,
  vectors: new Float32Array(32),
  fingerprint: 'm1',
});

test('a document is there after opening again, with the batches that were stored', async () => {
  const { ask, store } = await opened();
  const { document } = await ask(parsed('a'));
  assert.deepEqual(document.missing, [0, 32, 64]);
  await ask(vectors(32));
  const { listed } = await opened(store);
  assert.deepEqual([listed[0].missing, listed[0].nEmbedded], [[0, 64], 32]);
});

test('a document of the same name replaces the other, in the store too', async () => {
  const { ask, store } = await opened();
  await ask(parsed('a'));
  const { replaced } = await ask(parsed('b', { name: 'a.pdf' }));
  assert.deepEqual(replaced, ['a']);
  assert.deepEqual(
    (await store.list()).map(({ id }) => id),
    ['b'],
  );
});

test('a removed document can be put back with its vectors until it is forgotten', async () => {
  const { ask, store } = await opened();
  await ask(parsed('a'));
  await ask(vectors(0));
  assert.equal(await ask({ type: 'remove', document: 'a' }), true);
  assert.equal((await ask({ type: 'restore', document: 'a' })).nEmbedded, 32);
  await ask({ type: 'remove', document: 'a' });
  await ask({ type: 'forget', document: 'a' });
  assert.equal(await ask({ type: 'restore', document: 'a' }), null);
  assert.equal(await store.file('a'), null);
});

test('a document that was removed when the page closed is gone at the next opening', async () => {
  const { ask, store } = await opened();
  await ask(parsed('a'));
  await ask({ type: 'remove', document: 'a' });
  const { listed } = await opened(store);
  assert.deepEqual([listed, await store.list()], [[], []]);
});

test('forgetting does nothing to a document that was added again meanwhile', async () => {
  const { ask, store } = await opened();
  await ask(parsed('a'));
  await ask({ type: 'remove', document: 'a' });
  await ask(parsed('a'));
  await ask({ type: 'forget', document: 'a' });
  assert.equal((await store.list()).length, 1);
});

test('a segment of another version is refused with its number and kept', async () => {
  const { ask, store } = await opened();
  await ask(parsed('a'));
  const old = parsed('b', { format: 2 });
  await store.put(
    {
      .../** @type {import('./store.js').StoredDocument} */ ((await store.list())[0]),
      id: 'b',
      name: 'b.pdf',
      formatVersion: 2,
    },
    old.file,
    old.segment,
    [],
  );
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
  await store.putVectors('a', version, {
    start: 0,
    count: 32,
    fingerprint: 'm1',
    bytes: new TextEncoder().encode('!'),
  });
  const { listed } = await opened(store);
  assert.deepEqual([listed[0].problem, listed[0].missing], [null, [0, 32, 64]]);
});

test('a trap names the document, and opening without it lists it as damaged', async () => {
  const { ask, store } = await opened();
  await ask(parsed('a'));
  const trap = parsed('t', { name: 'trap' });
  await store.put(
    {
      .../** @type {import('./store.js').StoredDocument} */ ((await store.list())[0]),
      id: 't',
      name: 'trap',
    },
    trap.file,
    trap.segment,
    [],
  );
  const owner = new Owner(wasm, async () => store);
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

test('a document that cannot be stored can be searched all the same', async () => {
  const store = new MemoryStore();
  store.put = async () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  const { ask } = await opened(store);
  const { document } = await ask(parsed('a'));
  assert.equal(document.kept, false);
});

test('vectors that come after a removal are dropped', async () => {
  const { ask } = await opened();
  await ask(parsed('a'));
  await ask({ type: 'remove', document: 'a' });
  assert.equal(await ask(vectors(0)), null);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Embedding } from './embedding.js';
import { EngineError } from './errors.js';

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A worker that embeds all. @param {any} request */
const embedAll = async ({ texts }) => ({
  done: [...texts.keys()],
  vectors: new Float32Array(texts.length),
  fingerprint: 'm',
  seconds: 1,
});

/** @param {{ run?: (request: any) => Promise<any>, size?: number }} [options] */
function setUp({ run = embedAll, size = 2 } = {}) {
  /** @type {Map<string, any>} */
  const documents = new Map([['a', listed('a', new Set())]]);
  /** @type {any[]} */
  const requests = [];
  const owner = {
    ended: false,
    /** @type {Map<string, Set<number>>} */
    embedded: new Map(),
    request: async (/** @type {any} */ request) => {
      requests.push(request);
      if (owner.ended) throw new EngineError('internal', 'lost');
      if (request.type === 'use-model') return [];
      const has = owner.embedded.get(request.document) ?? new Set();
      owner.embedded.set(request.document, has);
      if (request.type === 'unembedded') {
        const rows = [...Array(32).keys()].map((at) => request.start + at).filter((row) => !has.has(row));
        return { rows, texts: rows.map((row) => `passage ${row}`) };
      }
      for (const row of request.rows) has.add(row);
      return listed(request.document, has);
    },
  };
  const pool = {
    size,
    modelReady: true,
    run,
    /** @type {(type: string) => void} */
    hurry: () => {},
    embedQuery: async () => ({ vector: new Float32Array(2), fingerprint: 'm' }),
  };
  const embedding = new Embedding({
    pool: /** @type {any} */ (pool),
    owner: () => /** @type {any} */ (owner),
    documents: () => documents.values(),
    onDocument: (document) => documents.set(document.id, document),
    onModel: () => {},
  });
  return { embedding, documents, requests, owner, pool };
}

/** A document of 96 passages. @param {string} id @param {Set<number>} embedded */
function listed(id, embedded) {
  const isMissing = (/** @type {number} */ start) =>
    [...Array(32).keys()].some((at) => !embedded.has(start + at));
  return {
    id,
    missing: [0, 32, 64].filter(isMissing),
    nEmbedded: embedded.size,
    nPassages: 96,
    problem: null,
  };
}

test('every batch is embedded and handed back once, as many at a time as there are workers', async () => {
  let [running, most] = [0, 0];
  const { embedding, documents, requests } = setUp({
    run: async (request) => {
      most = Math.max(most, (running += 1));
      await turn();
      running -= 1;
      return { ...(await embedAll(request)), seconds: 0.5 };
    },
  });
  embedding.pump();
  while (documents.get('a').missing.length > 0) await turn();
  assert.deepEqual(
    requests
      .filter(({ type }) => type === 'put-vectors')
      .map(({ rows }) => rows[0])
      .sort((a, b) => a - b),
    [0, 32, 64],
  );
  assert.deepEqual([most, embedding.seconds, embedding.model], [2, 1.5, 'ready']);
});

test('a batch that ends its worker is not tried again, and the other documents go on', async () => {
  let n = 0;
  const { embedding, documents, owner } = setUp({
    size: 1,
    run: async (request) => {
      if ((n += 1) === 1) throw new EngineError('internal', 'unreachable');
      return embedAll(request);
    },
  });
  const early = new Set(Array(64).keys());
  owner.embedded.set('b', early);
  documents.set('b', listed('b', early));
  embedding.pump();
  while (documents.get('b').missing.length > 0) await turn();
  assert.deepEqual([n, documents.get('a').missing], [2, [0, 32, 64]]);
});

test('when the owner is lost nothing is given up and nothing spins; pumping goes on where it was', async () => {
  const { embedding, documents, requests, owner } = setUp();
  owner.ended = true;
  embedding.pump();
  await turn();
  const asked = requests.length;
  assert.ok(asked <= 2);
  await turn();
  assert.equal(requests.length, asked);
  owner.ended = false;
  embedding.pump();
  while (documents.get('a').missing.length > 0) await turn();
});

test('a stopped document keeps no late vectors', async () => {
  const { embedding, requests } = setUp({ size: 1 });
  embedding.pump();
  embedding.close();
  embedding.stop('a');
  await turn();
  assert.deepEqual(
    requests.filter(({ type }) => type === 'put-vectors'),
    [],
  );
});

test('a missing model is told once and embedding stops', async () => {
  const { embedding, requests } = setUp({
    run: async () => {
      throw new EngineError('model-missing', 'status 404');
    },
  });
  embedding.pump();
  await turn();
  assert.equal(embedding.model, 'missing');
  assert.ok(requests.length <= 2);
  assert.equal(await embedding.question('q', true), null);
});

test('a question has a vector only of the model of the documents, and when there are any', async () => {
  const { embedding, documents, pool } = setUp();
  const [document] = documents.values();
  documents.clear();
  assert.equal(await embedding.question('q', false), null);
  documents.set('a', document);
  pool.modelReady = false;
  assert.equal(await embedding.question('q', false), null, 'asking does not wait for the model');
  pool.modelReady = true;
  assert.equal((await embedding.question('q', false))?.fingerprint, 'm', 'also before any passage has one');
  embedding.pump();
  while (documents.get('a').missing.length > 0) await turn();
  pool.embedQuery = async () => ({ vector: new Float32Array(2), fingerprint: 'other' });
  assert.equal(await embedding.question('q', false), null);
});

test('the passages of a question go before the background, and no passage is embedded twice', async () => {
  /** @type {string[]} */
  const order = [];
  /** @type {(() => void)[]} */
  const hurried = [];
  const { embedding, documents, pool } = setUp({
    run: async (request) => {
      if (request.type === 'embed' && hurried.length === 0) {
        // A batch that is ended at its second passage.
        await new Promise((resolve) => hurried.push(() => resolve(null)));
        order.push(...request.texts.slice(0, 2));
        const { fingerprint, seconds } = await embedAll(request);
        return { done: [0, 1], vectors: new Float32Array(2), fingerprint, seconds };
      }
      order.push(...request.texts);
      return embedAll(request);
    },
    size: 1,
  });
  pool.hurry = () => hurried.splice(0, 1, () => {})[0]?.();
  embedding.pump();
  await turn();
  const wanted = [40, 3, 90].map((row) => ({ document: 'a', row, text: `passage ${row}` }));
  await embedding.prepare(async () => {
    assert.equal(documents.get('a').nEmbedded, 2, 'what was under way is in the library first');
    return wanted;
  });
  assert.equal(documents.get('a').nEmbedded >= 5, true);
  assert.deepEqual(order.slice(0, 5), ['passage 0', 'passage 1', 'passage 40', 'passage 3', 'passage 90']);
  while (documents.get('a').missing.length > 0) await turn();
  assert.deepEqual([order.length, new Set(order).size], [96, 96]);
  await embedding.prepare(async () => assert.fail('all passages have vectors'));
});

test('passages that cannot be embedded leave the question to its words, and the background goes on', async () => {
  const { embedding, documents } = setUp({
    run: async (request) => {
      if (request.type === 'embed-first') throw new EngineError('internal', 'unreachable');
      return embedAll(request);
    },
  });
  await embedding.prepare(async () => [{ document: 'a', row: 7, text: 'passage 7' }]);
  while (documents.get('a').missing.length > 0) await turn();
});

test('passages of a question are embedded for two seconds, then they are hurried', async () => {
  /** @type {(() => void)[]} */
  const hurried = [];
  const { embedding, documents, pool } = setUp({
    run: async (request) => {
      if (request.type !== 'embed-first') return embedAll(request);
      await new Promise((resolve) => hurried.push(() => resolve(null)));
      return { done: [0], vectors: new Float32Array(1), fingerprint: 'm', seconds: 2 };
    },
    size: 1,
  });
  pool.hurry = (type) => {
    if (type === 'embed-first') for (const end of hurried.splice(0)) end();
  };
  const begin = performance.now();
  await embedding.prepare(async () =>
    [7, 8, 9].map((row) => ({ document: 'a', row, text: `passage ${row}` })),
  );
  const took = performance.now() - begin;
  assert.ok(took > 1_500 && took < 4_000, `${took} ms`);
  assert.ok(documents.get('a').nEmbedded >= 1);
});

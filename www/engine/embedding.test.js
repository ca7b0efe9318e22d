import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Embedding } from './embedding.js';
import { EngineError } from './errors.js';

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

/** @param {{ run?: (request: any) => Promise<any>, size?: number }} [options] */
function setUp({
  run = async () => ({ vectors: new Float32Array(1), fingerprint: 'm', seconds: 1 }),
  size = 2,
} = {}) {
  /** @type {Map<string, any>} */
  const documents = new Map([['a', { id: 'a', missing: [0, 32, 64], nEmbedded: 0, problem: null }]]);
  /** @type {any[]} */
  const requests = [];
  const owner = {
    ended: false,
    request: async (/** @type {any} */ request) => {
      requests.push(request);
      if (owner.ended) throw new EngineError('internal', 'lost');
      if (request.type === 'passages') return ['text'];
      if (request.type === 'use-model') return [];
      const before = documents.get(request.document);
      return {
        ...before,
        missing: before.missing.filter((/** @type {number} */ start) => start !== request.start),
        nEmbedded: before.nEmbedded + 32,
      };
    },
  };
  const pool = {
    size,
    modelReady: true,
    run,
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

test('every batch is embedded and handed back once, as many at a time as there are workers', async () => {
  let [running, most] = [0, 0];
  const { embedding, documents, requests } = setUp({
    run: async () => {
      most = Math.max(most, (running += 1));
      await turn();
      running -= 1;
      return { vectors: new Float32Array(1), fingerprint: 'm', seconds: 0.5 };
    },
  });
  embedding.pump();
  while (documents.get('a').missing.length > 0) await turn();
  assert.deepEqual(
    requests
      .filter(({ type }) => type === 'put-vectors')
      .map(({ start }) => start)
      .sort((a, b) => a - b),
    [0, 32, 64],
  );
  assert.deepEqual([most, embedding.seconds, embedding.model], [2, 1.5, 'ready']);
});

test('a batch that ends its worker is not tried again, and the other documents go on', async () => {
  let n = 0;
  const { embedding, documents } = setUp({
    size: 1,
    run: async () => {
      if ((n += 1) === 1) throw new EngineError('internal', 'unreachable');
      return { vectors: new Float32Array(1), fingerprint: 'm', seconds: 0 };
    },
  });
  documents.set('b', { id: 'b', missing: [0], nEmbedded: 0, problem: null });
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

test('a question has a vector only when documents have some of the same model', async () => {
  const { embedding, documents, pool } = setUp();
  assert.equal(await embedding.question('q', false), null);
  documents.set('a', { ...documents.get('a'), nEmbedded: 32 });
  assert.equal((await embedding.question('q', false))?.fingerprint, 'm');
  embedding.pump();
  while (documents.get('a').missing.length > 0) await turn();
  pool.embedQuery = async () => ({ vector: new Float32Array(2), fingerprint: 'other' });
  assert.equal(await embedding.question('q', false), null);
});

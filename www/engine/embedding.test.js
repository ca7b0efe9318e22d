import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Embedding } from './embedding.js';
import { EngineError } from './errors.js';

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A worker that embeds all. @param {any} request */
const embedAll = async ({ texts }) => ({
  done: [...texts.keys()],
  vectors: new Float32Array(texts.length),
  fingerprint: 'm',
  seconds: 1,
  tokens: texts.length * 100,
  onGpu: false,
  lost: null,
});

/** @param {{ run?: (request: any) => Promise<any>, size?: number, gpu?: import('./gpu/choice.js').GpuSetting }} [options] */
function setUp({ run = embedAll, size = 2, gpu = 'never' } = {}) {
  /** @type {Map<string, any>} */
  const documents = new Map([['a', listed('a', new Set())]]);
  /** @type {any[]} */
  const requests = [];
  /** @type {Map<string, Set<number>>} */
  const embedded = new Map();
  const newOwner = () => {
    const owner = {
      ended: false,
      embedded,
      request: async (/** @type {any} */ request) => {
        requests.push(request);
        if (owner.ended) throw new EngineError('internal', 'lost');
        if (request.type === 'use-model') return [];
        const has = embedded.get(request.document) ?? new Set();
        embedded.set(request.document, has);
        if (request.type === 'unembedded') {
          const rows = [...Array(32).keys()].map((at) => request.start + at).filter((row) => !has.has(row));
          return { rows, texts: rows.map((row) => `passage ${row}`) };
        }
        for (const row of request.rows) has.add(row);
        return listed(request.document, has);
      },
    };
    return owner;
  };
  const owner = newOwner();
  const owners = [owner];
  const pool = {
    size,
    batches: size,
    hasGpu: false,
    releaseGpu: () => {},
    modelReady: true,
    run,
    /** @type {(type: string) => void} */
    hurry: () => {},
    embedQuery: async () => ({ vector: new Float32Array(2), fingerprint: 'm' }),
  };
  const embedding = new Embedding({
    pool: /** @type {any} */ (pool),
    owner: () => /** @type {any} */ (owners.at(-1)),
    documents: () => documents.values(),
    onDocument: (document) => documents.set(document.id, document),
    onModel: () => {},
    gpu: () => gpu,
  });
  /** Another owner takes over. */
  const replaceOwner = () => {
    owner.ended = true;
    owners.push(newOwner());
  };
  return { embedding, documents, requests, owner, replaceOwner, pool };
}

/** A document of 96 passages. @param {string} id @param {Set<number>} embedded */
function listed(id, embedded) {
  const isMissing = (/** @type {number} */ start) =>
    [...Array(32).keys()].some((at) => !embedded.has(start + at));
  return {
    id,
    missing: [0, 32, 64].filter(isMissing),
    nEmbedded: embedded.size,
    nToEmbed: 96,
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

test('a batch that outlives its owner lets the next one begin, though that one has said before to go on', async () => {
  /** @type {() => void} */
  let finish = () => {};
  const finished = new Promise((resolve) => (finish = () => resolve(undefined)));
  const { embedding, documents, replaceOwner } = setUp({
    size: 1,
    run: async (request) => {
      await finished;
      return embedAll(request);
    },
  });
  embedding.pump();
  await turn();
  replaceOwner();
  embedding.pump();
  finish();
  for (let wait = 0; wait < 100 && documents.get('a').missing.length > 0; wait += 1) await turn();
  assert.equal(documents.get('a').nEmbedded, 96);
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

test('a question waits longer for its vector where all passages have theirs', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { embedding, documents, pool } = setUp();
  const vector = { vector: new Float32Array(2), fingerprint: 'm' };
  pool.embedQuery = () => new Promise((resolve) => setTimeout(() => resolve(vector), 4_000));
  for (const [nEmbedded, expected] of /** @type {const} */ ([
    [96, vector],
    [32, null],
  ])) {
    documents.set('a', listed('a', new Set(Array(nEmbedded).keys())));
    const reply = embedding.question('q', false);
    for (let ticks = 0; ticks < 20; ticks += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      t.mock.timers.tick(500);
    }
    assert.equal(await reply, expected);
  }
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

/** Passages of a search, the best first. @param {number} n */
const found = (n) => Array.from({ length: n }, (_, at) => [`heading ${at}`, `sentence of ${at}`]);
/** A match that names its passage. @param {string[]} passage @returns {any} */
const matchOf = ([heading = '']) => ({ best: heading });
/** A worker that compares all. @param {any} request */
const compareAll = async ({ passages }) => ({
  done: passages.length,
  matches: passages.map(matchOf),
  seconds: 0.5,
});
/** Numbers of the passages that matches are of. @param {any[]} matches */
const numbers = (matches) => matches.map((match) => match && Number(match.best.split(' ')[1]));

/** A library of which all is embedded: comparing is all that is done. @param {Parameters<typeof setUp>[0]} options */
function comparing(options) {
  const all = setUp(options);
  all.documents.set('a', listed('a', new Set(Array(96).keys())));
  return all;
}

test('passages are dealt out to the workers in turn, best first, and their matches come back in order', async () => {
  /** @type {any[]} */
  const requests = [];
  const { embedding } = comparing({
    size: 3,
    run: async (request) => {
      requests.push(request);
      // The last share is the first that is done.
      for (let n = requests.length; n < 3; n += 1) await turn();
      return compareAll(request);
    },
  });
  const passages = found(8);
  assert.deepEqual(numbers(await embedding.compare('q', passages)), [0, 1, 2, 3, 4, 5, 6, 7]);
  const [a, b, c, d, e, f, g, h] = passages;
  assert.deepEqual(
    requests,
    [
      [a, d, g],
      [b, e, h],
      [c, f],
    ].map((share) => ({ type: 'compare', query: 'q', passages: share })),
  );
  assert.deepEqual([embedding.compareSeconds, embedding.seconds], [1.5, 0]);
  requests.length = 0;
  await embedding.compare('q', found(2));
  assert.equal(requests.length, 2, 'a worker without a passage is not asked');
});

test('a lost worker leaves its passages without matches, the others have theirs', async () => {
  const { embedding } = comparing({
    run: async (request) => {
      if (request.passages[0][0] === 'heading 1') throw new EngineError('internal', 'unreachable');
      return compareAll(request);
    },
  });
  assert.deepEqual(numbers(await embedding.compare('q', found(5))), [0, null, 2, null, 4]);
});

test('passages are compared for three seconds, then they are hurried: what is done counts', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    /** @type {string[]} */
    const hurried = [];
    let end = () => {};
    const { embedding, pool } = comparing({
      run: async (request) => {
        // One worker has compared two of its passages when it is hurried, the other has just got the model.
        if (request.passages[0][0] === 'heading 1') return { done: 0, matches: [], seconds: 0 };
        await new Promise((resolve) => (end = () => resolve(null)));
        return { done: 2, matches: request.passages.slice(0, 2).map(matchOf), seconds: 3 };
      },
    });
    pool.hurry = (type) => {
      hurried.push(type);
      if (type === 'compare') end();
    };
    const running = embedding.compare('q', found(6));
    mock.timers.tick(2_999);
    assert.deepEqual(hurried, ['embed'], 'the background alone');
    mock.timers.tick(1);
    assert.deepEqual(hurried, ['embed', 'compare']);
    assert.deepEqual(numbers(await running), [0, null, 2, null, null, null]);
    await embedding.compare('q', [['heading 1']]);
    mock.timers.tick(10_000);
    assert.deepEqual(hurried.slice(2), ['embed'], 'nothing is hurried once all is done');
  } finally {
    mock.timers.reset();
  }
});

test('a question does not wait for a worker that loads the model beyond its time', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const { embedding } = comparing({
      run: (request) =>
        request.passages[0][0] === 'heading 1' ? new Promise(() => {}) : compareAll(request),
    });
    const running = embedding.compare('q', found(4));
    mock.timers.tick(4_000);
    assert.deepEqual(numbers(await running), [0, null, 2, null]);
  } finally {
    mock.timers.reset();
  }
});

test('without a model nothing is compared, and no worker is asked', async () => {
  let asked = 0;
  const { embedding, pool } = setUp({
    run: async () => {
      asked += 1;
      throw new EngineError('model-missing', 'status 404');
    },
  });
  pool.modelReady = false;
  assert.deepEqual(await embedding.compare('q', found(3)), []);
  assert.equal(asked, 0);
  await embedding.warm();
  assert.equal(embedding.model, 'missing');
  pool.modelReady = true;
  assert.deepEqual(await embedding.compare('q', found(3)), []);
  assert.equal(asked, 1);
});

test('the background stands still while passages are compared, and goes on when they are', async () => {
  /** @type {string[]} */
  const order = [];
  /** @type {(() => void)[]} */
  const hurried = [];
  let [end, wasHeld] = [() => {}, false];
  const { embedding, documents, owner, pool } = setUp({
    size: 1,
    run: async (request) => {
      order.push(request.type);
      if (request.type === 'compare') {
        await new Promise((resolve) => (end = () => resolve(null)));
        return compareAll(request);
      }
      if (!wasHeld) {
        wasHeld = true;
        await new Promise((resolve) => hurried.push(() => resolve(null)));
        const { fingerprint, seconds } = await embedAll(request);
        return { done: [0, 1], vectors: new Float32Array(2), fingerprint, seconds };
      }
      return embedAll(request);
    },
  });
  pool.hurry = (type) => {
    if (type === 'embed') for (const resolve of hurried.splice(0)) resolve();
  };
  embedding.pump();
  await turn();
  const running = embedding.compare('q', found(2));
  for (let n = 0; n < 4; n += 1) await turn();
  embedding.pump();
  await turn();
  assert.deepEqual(order, ['embed', 'compare'], 'no batch begins meanwhile');
  assert.equal(owner.embedded.get('a')?.size, 2, 'what the batch under way had is kept');
  end();
  await running;
  while (documents.get('a').missing.length > 0) await turn();
  assert.equal(owner.embedded.get('a')?.size, 96);
});

test('a batch whose passages were being fetched when a question came waits for it too', async () => {
  /** @type {string[]} */
  const order = [];
  const { embedding, documents, owner } = setUp({
    size: 1,
    run: async (request) => {
      order.push(request.type);
      if (request.type !== 'compare') return embedAll(request);
      for (let n = 0; n < 4; n += 1) await turn();
      order.push('compared');
      return compareAll(request);
    },
  });
  const { request } = owner;
  owner.request = async (message) => {
    if (message.type === 'unembedded') await turn();
    return request(message);
  };
  embedding.pump();
  await embedding.compare('q', found(2));
  while (documents.get('a').missing.length > 0) await turn();
  assert.deepEqual(order, ['compare', 'compared', 'embed', 'embed', 'embed']);
});

test('a GPU embeds once it has won, and what is lost with it is said', async () => {
  /** @type {string[]} */
  const types = [];
  const { embedding, documents, pool } = setUp({
    size: 1,
    gpu: 'always',
    run: async (request) => {
      types.push(request.type);
      if (request.type === 'try-gpu') {
        pool.hasGpu = true;
        return null;
      }
      const onGpu = types.length < 4;
      pool.hasGpu = onGpu;
      return { ...(await embedAll(request)), onGpu, lost: onGpu ? null : 'the device was lost' };
    },
  });
  embedding.pump();
  while (documents.get('a').missing.length > 0) await turn();
  // It goes before the first batch where it is always used, and is not tried again.
  assert.deepEqual(types, ['try-gpu', 'embed', 'embed', 'embed']);
  assert.deepEqual([embedding.nOnGpu, embedding.progress], [64, null]);
  assert.deepEqual(embedding.gpuRefusal, { kind: 'lost', message: 'the device was lost' });
});

test('a trial that finds no model says so once, and nothing is tried again', async () => {
  let trials = 0;
  const { embedding } = setUp({
    gpu: 'always',
    run: async () => {
      trials += 1;
      throw new EngineError('model-missing', 'could not load model/model.onnx');
    },
  });
  embedding.pump();
  for (let at = 0; at < 5; at += 1) await turn();
  assert.deepEqual([trials, embedding.model], [1, 'missing']);
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PoolTasks } from './pool-tasks.js';

/** Texts in the order in which they were embedded. @type {string[]} */
const embedded = [];

/** Calls of comparisons: the query and the passages of one step each. @type {[string, string[][]][]} */
const compared = [];

/** An encoder that gives each text its length, and each passage the number of its pieces. */
class FakeEncoder {
  dimensions = 1;
  fingerprint = 'm';

  /** @param {string[]} texts */
  embed(texts) {
    embedded.push(...texts);
    return Float32Array.from(texts, (text) => text.length);
  }

  /** @param {string[]} texts */
  tokens(texts) {
    return { ids: new Uint32Array(texts.length), lengths: new Uint32Array(texts.length) };
  }

  /** @param {string} query @param {string[][]} passages */
  compare(query, passages) {
    compared.push([query, passages]);
    return passages.map(({ length }) => ({
      best: new Float32Array([length]),
      ranges: new Uint32Array(2),
    }));
  }
}

const ignore = () => {};
/** The page's gift of an encoder. @type {any} */
const gift = { type: 'take-encoder', given: { assets: {}, problem: null } };
const encoder = /** @type {any} */ (async () => ({ module: { Encoder: FakeEncoder }, relaxed: false }));

/** Tasks of a worker that was given its encoder. @param {{ gpu?: any, encoder?: any }} [options] */
function tasks(options = {}) {
  const made = new PoolTasks('http://localhost/model/', { encoder, ...options });
  void made.handle(gift, ignore);
  return made;
}
const { fetch } = globalThis;
before(() => {
  globalThis.fetch = async () => new Response('{}');
});
after(() => {
  globalThis.fetch = fetch;
});

test('the background embeds by length and says which text each vector is of', async () => {
  embedded.length = 0;
  const { done, vectors } = /** @type {any} */ (
    await tasks().handle({ type: 'embed', texts: ['ccc', 'a', 'bb'] }, ignore)
  );
  assert.deepEqual(
    [embedded, done, [...vectors]],
    [
      ['a', 'bb', 'ccc'],
      [1, 2, 0],
      [1, 2, 3],
    ],
  );
});

test('passages of a question are embedded in their order, until they are hurried', async () => {
  embedded.length = 0;
  const worker = tasks();
  const texts = Array.from({ length: 40 }, (_, at) => 'x'.repeat(40 - at));
  const running = worker.handle({ type: 'embed-first', texts }, ignore);
  while (embedded.length < 4) await new Promise((resolve) => setImmediate(resolve));
  await worker.handle({ type: 'hurry' }, ignore);
  const { done, vectors } = /** @type {any} */ (await running);
  assert.ok(done.length >= 4 && done.length < 40, `${done.length} were done`);
  assert.deepEqual(embedded, texts.slice(0, done.length));
  assert.deepEqual([done, [...vectors]], [[...done.keys()], embedded.map(({ length }) => length)]);
  // What was hurried once is not hurried again.
  const next = /** @type {any} */ (await worker.handle({ type: 'embed', texts }, ignore));
  assert.equal(next.done.length, 40);
});

/** Passages with as many pieces as their number, from 1. @param {number} n */
const inPieces = (n) => Array.from({ length: n }, (_, at) => Array(at + 1).fill(`passage ${at}`));

test('passages are compared in their order, two at a time, and a question is embedded between two steps', async () => {
  [embedded.length, compared.length] = [0, 0];
  const worker = tasks();
  const passages = inPieces(5);
  const running = worker.handle({ type: 'compare', query: 'q', passages }, ignore);
  while (compared.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await worker.handle({ type: 'embed-query', text: 'question' }, ignore);
  assert.ok(compared.length < 3, 'it did not wait for all passages');
  const { done, matches, seconds } = /** @type {any} */ (await running);
  assert.deepEqual(compared, [
    ['q', passages.slice(0, 2)],
    ['q', passages.slice(2, 4)],
    ['q', passages.slice(4)],
  ]);
  assert.equal(done, 5);
  assert.deepEqual(
    matches.map((/** @type {any} */ { best }) => best[0]),
    [1, 2, 3, 4, 5],
  );
  assert.ok(seconds >= 0);
  assert.deepEqual(embedded, ['question']);
});

test('a comparison that is hurried gives what it has, the best passages, and the next is whole again', async () => {
  compared.length = 0;
  const worker = tasks();
  const running = worker.handle({ type: 'compare', query: 'q', passages: inPieces(40) }, ignore);
  while (compared.length < 2) await new Promise((resolve) => setImmediate(resolve));
  await worker.handle({ type: 'hurry' }, ignore);
  const { done, matches } = /** @type {any} */ (await running);
  assert.ok(done >= 4 && done < 40, `${done} were done`);
  assert.deepEqual(
    matches.map((/** @type {any} */ { best }) => best[0]),
    Array.from({ length: done }, (_, at) => at + 1),
  );
  const next = await worker.handle({ type: 'compare', query: 'q', passages: inPieces(3) }, ignore);
  assert.equal(/** @type {any} */ (next).done, 3);
});

test('a comparison that is hurried while the model loads compares nothing', async () => {
  compared.length = 0;
  const worker = tasks();
  const running = worker.handle({ type: 'compare', query: 'q', passages: inPieces(4) }, ignore);
  await worker.handle({ type: 'hurry' }, ignore);
  assert.deepEqual(await running, { done: 0, matches: [], seconds: 0 });
  assert.deepEqual(compared, []);
});

test('a GPU that won embeds the background; what it loses is embedded here, and nothing twice', async () => {
  embedded.length = 0;
  /** @type {string[][]} */
  const batches = [];
  let released = 0;
  const gpu = {
    embed: async (/** @type {string[]} */ texts) => {
      if (batches.length === 2) throw new Error('the device was lost');
      batches.push(texts);
      return Float32Array.from(texts, ({ length }) => length);
    },
    release: () => (released += 1),
  };
  const worker = tasks({ gpu: async () => ({ gpu, refusal: null }) });
  assert.equal(await worker.handle({ type: 'try-gpu', always: false, rate: 1 }, ignore), null);
  const texts = Array.from({ length: 70 }, (_, at) => 'x'.repeat(at + 1));
  const reply = /** @type {any} */ (await worker.handle({ type: 'embed', texts }, ignore));
  assert.deepEqual(batches, [texts.slice(0, 32), texts.slice(32, 64)]);
  assert.deepEqual([embedded, released], [texts.slice(64), 1]);
  assert.deepEqual(reply.done, [...texts.keys()]);
  assert.deepEqual(
    [...reply.vectors],
    texts.map(({ length }) => length),
  );
  assert.deepEqual([reply.onGpu, reply.lost, reply.tokens], [false, 'the device was lost', 70]);
});

test('a GPU that is given back in the middle of a step leaves it to the processor', async () => {
  embedded.length = 0;
  /** @type {(error: Error) => void} */
  let lose = () => {};
  const gpu = {
    embed: () => new Promise((_, reject) => (lose = reject)),
    release: () => lose(new Error('destroyed')),
  };
  const worker = tasks({ gpu: async () => ({ gpu, refusal: null }) });
  await worker.handle({ type: 'try-gpu', always: false, rate: 1 }, ignore);
  const running = worker.handle({ type: 'embed', texts: ['a', 'bb'] }, ignore);
  await new Promise((resolve) => setImmediate(resolve));
  await worker.handle({ type: 'release-gpu' }, ignore);
  const { done, onGpu, lost } = /** @type {any} */ (await running);
  assert.deepEqual([done, embedded, onGpu, lost], [[0, 1], ['a', 'bb'], false, null]);
});

test('a task with the model waits for the encoder; one that is not to be had fails it, and a later one serves', async () => {
  let starts = 0;
  const worker = new PoolTasks('http://localhost/model/', {
    encoder: (...given) => {
      starts += 1;
      return encoder(...given);
    },
  });
  const first = worker.handle({ type: 'warm' }, ignore);
  await worker.handle({ ...gift, given: { assets: null, problem: { message: 'status 404' } } }, ignore);
  await assert.rejects(first, { code: 'model-missing', message: 'could not load the encoder: status 404' });
  const second = worker.handle({ type: 'warm' }, ignore);
  await worker.handle(gift, ignore);
  assert.deepEqual(await second, { fingerprint: 'm', dimensions: 1 });
  // Its module cannot be started twice in one worker.
  await worker.handle(gift, ignore);
  assert.equal(starts, 1);
});

test('a file waits for what reads it; where that is not to be had it fails, and the next file is read', async () => {
  class Parser {
    /** @param {Uint8Array} bytes */
    parse(bytes) {
      return { info: { id: new TextDecoder().decode(bytes) } };
    }
  }
  const worker = new PoolTasks('http://localhost/model/', {
    ingest: /** @type {any} */ (async () => ({ Parser })),
  });
  const parse = () =>
    worker.handle(
      /** @type {any} */ ({ type: 'parse', file: new Blob(['a file']), name: 'a.pdf', password: null }),
      ignore,
    );
  const problem = /** @type {const} */ ({
    code: 'assets-missing',
    message: 'status 404',
    hint: 'Reload the page.',
  });
  const first = parse();
  await worker.handle({ type: 'take-ingest', given: { assets: null, problem } }, ignore);
  await assert.rejects(first, problem);
  const second = parse();
  await worker.handle(/** @type {any} */ ({ type: 'take-ingest', given: { assets: {} } }), ignore);
  assert.deepEqual(await second, { info: { id: 'a file' } });
});

test('a file for comparing that is missing or does not fit is said to developers, and passages are compared', async (t) => {
  const manifest = '{"files":{"comparison":{"name":"lay.adapter"}}}';
  /** @type {string[]} */
  const said = [];
  t.mock.method(console, 'warn', (/** @type {string} */ problem) => said.push(problem));
  /** @type {unknown[]} */
  const given = [];
  class Picky extends FakeEncoder {
    /** @param {unknown[]} files */
    constructor(...files) {
      super();
      const comparison = files[4];
      given.push(comparison && new TextDecoder().decode(/** @type {Uint8Array} */ (comparison)));
      this.comparingProblem = given.at(-1) === 'damaged' ? 'it does not fit' : undefined;
    }
  }
  const starts = /** @type {any} */ (async () => ({ module: { Encoder: Picky }, relaxed: false }));
  const replies = [new Response('whole'), new Response('damaged'), new Response('', { status: 404 })];
  t.mock.method(globalThis, 'fetch', async (/** @type {string | URL} */ address) =>
    new URL(address).pathname.endsWith('lay.adapter') ? replies.shift() : new Response(manifest),
  );
  while (replies.length > 0) {
    const worker = tasks({ encoder: starts });
    const { done } = /** @type {any} */ (
      await worker.handle({ type: 'compare', query: 'q', passages: inPieces(1) }, ignore)
    );
    assert.equal(done, 1);
  }
  assert.deepEqual(given, ['whole', 'damaged', undefined]);
  assert.equal(said.length, 2);
  assert.match(said[0] ?? '', /it does not fit/);
  assert.match(said[1] ?? '', /lay\.adapter: status 404/);
});

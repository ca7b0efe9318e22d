import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf, citation, idOf } from './answer.fixture.js';
import { checked, checkedStatements } from './checking.js';
import { LibraryError } from './errors.js';

/** @typedef {import('./checking.js').CheckHost} CheckHost */

const blocks = [{ kind: 'paragraph', text: 'A firm must report a breach within 10 days.' }];

/** An engine that has read one text, and finds in it what stands there. */
const engine = /** @type {any} */ ({
  text: async () => blocks,
  ask: async () => answerOf([]),
});

/** @param {Partial<CheckHost> & { size?: number, fail?: LibraryError }} [parts] */
function hostOf({ size = 1_000, fail, ...parts } = {}) {
  const seen = { whole: 0 };
  /** @type {CheckHost} */
  const host = {
    file: () =>
      /** @type {any} */ ({
        size: async () => {
          if (fail) throw fail;
          return size;
        },
        whole: async ({ maxBytes = Infinity }) => {
          seen.whole += 1;
          if (size > maxBytes) throw new LibraryError('too-large', 'too large');
          return new Blob();
        },
        isWhole: false,
      }),
    read: async () => engine,
    here: null,
    isHere: () => false,
    openPdf: () => Promise.reject(new Error('no PDF in this test')),
    onPages: () => {},
    ...parts,
  };
  return { host, seen };
}

/** @param {ReturnType<typeof citation>[]} citations @param {CheckHost} host @param {AbortSignal} [signal] */
const statuses = async (citations, host, signal = new AbortController().signal) =>
  (await checked(citations, host, { signal })).map(({ status }) => status);

test('words that stand in the document are as the server says at best, and others are not found', async () => {
  const { host } = hostOf();
  const words = 'must report a breach';
  assert.deepEqual(
    await statuses(
      [
        citation(1, words),
        citation(2, 'need not report a breach'),
        citation(3, words, { status: 'repaired' }),
        citation(4, words, { status: 'not-found' }),
        citation(5, words, { status: 'cited' }),
      ],
      host,
    ),
    ['verified', 'not-found', 'repaired', 'not-found', 'cited'],
  );
});

test('where the engine does not place the words, the server’s places are not lit', async () => {
  const { host } = hostOf();
  const [found, none] = await checked(
    [citation(1, 'must report a breach'), citation(2, 'nothing of it')],
    host,
    { signal: new AbortController().signal },
  );
  assert.deepEqual([found?.quads, found?.spans, found?.places], [[], [], []]);
  assert.deepEqual([none?.quads, none?.spans], [[], []]);
});

test('a document that does not come leaves its quotations unchecked, never verified', async () => {
  for (const reason of /** @type {const} */ ([
    'document-unknown',
    'unreachable',
    'unauthorized',
    'changed',
  ])) {
    const { host } = hostOf({ fail: new LibraryError(reason, reason) });
    const [result] = await checked([citation(1, 'must report a breach', { caveats: ['ocr'] })], host, {
      signal: new AbortController().signal,
    });
    assert.equal(String(result?.status), 'unchecked', reason);
    assert.deepEqual([result?.caveats, result?.quads], [[], []]);
  }
});

test('a large document without pages is not read, and not believed', async () => {
  const { host } = hostOf({ size: 100 * 1024 * 1024 });
  const large = citation(1, 'must report a breach', { page: null, spans: [], quads: [] });
  assert.deepEqual((await statuses([large], host)).map(String), ['unchecked']);
});

test('a document of this browser is looked up in it, and nothing is fetched', async () => {
  const { host, seen } = hostOf({ here: engine, isHere: (id) => id === idOf('a') });
  assert.deepEqual(await statuses([citation(1, 'must report a breach'), citation(2, 'other words')], host), [
    'verified',
    'not-found',
  ]);
  assert.equal(seen.whole, 0);
});

test('comparing ends when it must, and the rest stays unchecked', async () => {
  const controller = new AbortController();
  const { host } = hostOf({
    read: () => {
      setTimeout(() => controller.abort(), 10);
      return new Promise(() => {});
    },
  });
  assert.deepEqual(
    (await statuses([citation(1, 'must report a breach')], host, controller.signal)).map(String),
    ['unchecked'],
  );
});

test('each document comes once, and progress is told', async () => {
  const { host, seen } = hostOf();
  /** @type {number[]} */
  const told = [];
  const citations = [1, 2, 3].map((id) => citation(id, 'must report a breach'));
  await checked(citations, host, {
    signal: new AbortController().signal,
    onProgress: (done, total) => told.push(done, total),
  });
  assert.deepEqual([seen.whole, told], [1, [1, 3, 2, 3, 3, 3]]);
});

test('sentences of a model are compared with the documents that they cite, where those came whole', async () => {
  const words = 'must report a breach';
  const claim = { kind: /** @type {const} */ ('number'), text: '12' };
  const asked = /** @type {any} */ ({
    ...engine,
    ask: async () =>
      answerOf([], {
        statements: answerOf([citation(1, 'x')]).statements.map((each) => ({
          ...each,
          unsupported: [claim],
        })),
      }),
  });
  const written = answerOf([citation(1, words), citation(2, words, { documentId: idOf('b') })], {
    by: 'model',
  });
  const reader = (/** @type {string[]} */ ids) => (ids.includes(idOf('b')) ? null : asked);
  const { signal } = new AbortController();
  const { statements, nUnchecked } = await checkedStatements(written, reader, signal);
  assert.deepEqual(
    statements.map(({ unsupported }) => unsupported),
    [[claim], []],
  );
  assert.equal(nUnchecked, 1);
  const extracted = answerOf([citation(1, words)]);
  assert.deepEqual(await checkedStatements(extracted, reader, signal), {
    statements: extracted.statements,
    nUnchecked: 0,
  });
});

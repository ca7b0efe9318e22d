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

/** @param {number} y @param {string} str */
const run = (y, str) => ({
  str,
  transform: [12, 0, 0, 12, 72, y],
  width: str.length * 6,
  height: 12,
  hasEOL: true,
});

/** A large PDF of these runs, page by page. @param {ReturnType<typeof run>[][]} pages */
function printed(pages) {
  const pdf = /** @type {any} */ ({
    numPages: pages.length,
    loadingTask: { destroy: () => {} },
    getPage: async (/** @type {number} */ page) => ({
      getTextContent: async () => ({ items: pages[page - 1] }),
    }),
  });
  const file = /** @type {any} */ ({
    size: async () => 2 ** 31,
    range: async () => new Uint8Array(8),
    whole: () => Promise.reject(new LibraryError('too-large', 'too large')),
    isWhole: false,
  });
  return hostOf({ file: () => file, openPdf: async () => pdf }).host;
}

/** @param {number[]} pages */
const on = (...pages) => ({
  page: pages[0] ?? 1,
  quads: [],
  spans: pages.map((page) => ({ page, range: /** @type {[number, number]} */ ([0, 0]), quads: [] })),
});

test('parts of a quotation are one only in their order and near each other', async () => {
  const filler = Array.from({ length: 60 }, (_, at) =>
    run(600 - 8 * at, 'Other words of the page, of which there are very many more than these.'),
  );
  const host = printed([
    [run(740, 'You must file a report. A firm need not pay the fee.')],
    [run(740, 'A firm must:'), run(720, '(a) be honest;'), run(700, '(b) pay the fee.')],
    [run(740, 'The tenant must:'), ...filler, run(100, '(z) leave.')],
    [run(740, '(b) come back.')],
  ]);
  /** @type {[string, string, number[]][]} */
  const cases = [
    ['A firm […] must […] pay the fee.', 'stitched', [1]],
    ['A firm must: […] (b) pay the fee.', 'verified', [2]],
    ['(b) pay the fee. […] A firm must:', 'stitched', [2]],
    ['A firm must: […] file a report.', 'stitched', [2, 1]],
    ['A firm need not pay the fee. […] (b) pay the fee.', 'verified', [1, 2]],
    ['A firm must: […] (b) pay the fee. […] The tenant must:', 'verified', [2, 3]],
    ['The tenant must: […] (z) leave.', 'stitched', [3]],
    ['A firm must: […] (b) come back.', 'stitched', [2, 4]],
    ['A firm need not […] A firm must: […] The tenant must:', 'stitched', [1, 2, 3]],
    ['A firm must: […] (b) keep the fee.', 'not-found', [2]],
  ];
  for (const [quote, status, pages] of cases)
    assert.deepEqual(await statuses([citation(1, quote, on(...pages))], host), [status], quote);
});

test('parts that the engine does not place, or far from each other, are not one', async () => {
  const parts = ['The tenant must:', '(z) leave.'];
  const quote = parts.join(' […] ');
  /** @param {string} between @param {boolean} isPlaced */
  const reading = (between, isPlaced) => {
    const texts = [parts[0], between, parts[1]].map((text) => ({ kind: 'paragraph', text: text ?? '' }));
    const starts = [0, 17 + between.length + 1];
    const found = parts.map((text, at) => {
      const start = starts[at] ?? 0;
      const span = {
        page: 1,
        range: /** @type {[number, number]} */ ([start, start + text.length]),
        quads: [],
      };
      return citation(at + 1, text, { spans: [span], quads: [] });
    });
    const read = /** @type {any} */ ({
      text: async () => texts,
      ask: async () => answerOf(isPlaced ? found : []),
    });
    return hostOf({ read: async () => read }).host;
  };
  assert.deepEqual(await statuses([citation(1, quote)], reading('(a) be quiet;', true)), ['verified']);
  assert.deepEqual(await statuses([citation(1, quote)], reading('(a) be quiet;', false)), ['stitched']);
  assert.deepEqual(await statuses([citation(1, quote)], reading('x'.repeat(4_000), true)), ['stitched']);
});

test('quotations that are dear to look up keep the page from nothing else, and come to an end', async () => {
  const page = Array.from({ length: 900 }, (_, at) => run(9_000 - 10 * at, 'a '.repeat(100)));
  const host = printed([[...page, run(0, 'b c')]]);
  const dear = Array(1_000).fill('a a b').join(' […] ');
  const citations = Array.from({ length: 5 }, (_, at) => citation(at + 1, dear, on(1)));
  let nTicks = 0;
  const clock = setInterval(() => (nTicks += 1), 1);
  const start = performance.now();
  const found = await statuses(citations, host);
  clearInterval(clock);
  assert.ok(performance.now() - start < 10_000, 'it ends');
  assert.ok(nTicks > 5, `${nTicks} other things were done`);
  assert.deepEqual(found.map(String), Array(5).fill('unchecked'));
  const ended = await statuses(citations, host, AbortSignal.timeout(50));
  assert.deepEqual(ended.map(String), Array(5).fill('unchecked'));
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

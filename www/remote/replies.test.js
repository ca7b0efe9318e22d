import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer as readAnswer } from '../widget/stored-turn.js';
import { answerOf, citation, idOf } from './answer.fixture.js';
import { askEvent, contentRange, libraryList, maxListed } from './replies.js';

/** @param {unknown} value */
const event = (value) => askEvent(JSON.parse(JSON.stringify(value)), readAnswer);

/** @param {Record<string, unknown>} [parts] */
const listed = (parts = {}) => ({
  id: idOf('a'),
  name: 'a.pdf',
  title: null,
  date: null,
  edition: null,
  nPages: 3,
  diags: [],
  ...parts,
});
const library = {
  nDocuments: 3,
  next: null,
  version: '0.1.0',
  model: null,
  profiles: [{ name: 'general', title: 'General' }],
  hasModel: false,
};

test('a library is read, each document once, no more than are listed', () => {
  const read = libraryList({
    ...library,
    documents: [listed(), listed({ name: 'same.pdf' }), listed({ id: idOf('b') })],
  });
  assert.deepEqual(
    read.documents.map(({ id, name, nPages }) => [id, name, nPages]),
    [
      [idOf('a'), 'same.pdf', 3],
      [idOf('b'), 'a.pdf', 3],
    ],
  );
  assert.deepEqual([read.nDocuments, read.profiles, read.hasModel], [3, ['general'], false]);
  const many = Array.from({ length: maxListed + 5 }, (_, at) =>
    listed({ id: at.toString(16).padStart(64, '0') }),
  );
  const all = libraryList({ ...library, documents: many, nDocuments: 2_000_000 });
  assert.deepEqual([all.documents.length, all.nDocuments], [maxListed, 2_000_000]);
  assert.equal(libraryList({ ...library, documents: [], nDocuments: 0 }).nDocuments, 0);
  const [long] = libraryList({
    ...library,
    documents: [listed({ name: 'x'.repeat(5_000), markup: '<b>' })],
  }).documents;
  assert.deepEqual([long?.name.length, Object.keys(long ?? {}).length], [1_000, 5]);
});

test('a list of another shape is refused', () => {
  const refused = [
    ...[
      null,
      7,
      'x',
      [],
      {},
      { ...library },
      { ...library, documents: {} },
      { ...library, documents: [null] },
    ],
    ...[
      { id: 'short' },
      { id: idOf('z').toUpperCase() },
      { name: 7 },
      { nPages: -1 },
      { nPages: 1.5 },
      { nPages: '3' },
    ].map((parts) => ({ ...library, documents: [listed(parts)] })),
    { ...library, documents: [], profiles: null },
    ...[undefined, null, '3', 2.5, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1].map(
      (nDocuments) => ({
        ...library,
        documents: [listed(), listed({ id: idOf('b') })],
        nDocuments,
      }),
    ),
  ];
  for (const each of refused) assert.throws(() => libraryList(each), TypeError, JSON.stringify(each));
});

test('an answer is read as the engine has it, and nothing besides', () => {
  const answer = answerOf([citation(1, 'A firm must report.')]);
  const read = event({ event: 'answer', answer: { ...answer, markup: '<img>' }, texts: { x: 'y' } });
  assert.deepEqual(read, { answer: JSON.parse(JSON.stringify(answer)) });
  assert.deepEqual(event({ event: 'progress', step: 'search', done: 1, total: 2 }), {
    progress: { step: 'search', done: 1, total: 2 },
  });
  assert.deepEqual(event({ event: 'progress', step: 'read' }), {
    progress: { step: 'read', done: 0, total: 0 },
  });
});

test('an error inside of the stream is thrown, by its code', () => {
  /** @param {string} code */
  const thrown = (code) => {
    try {
      event({ event: 'error', error: { code, message: 'said\u202e <b>so</b>', hint: '', requestId: 'r-1' } });
    } catch (error) {
      return /** @type {import('./errors.js').LibraryError} */ (error);
    }
    return null;
  };
  assert.deepEqual(
    ['token-expired', 'unauthorized', 'rate-limited', 'store-unavailable', 'no-such-code', '__proto__'].map(
      (code) => thrown(code)?.reason,
    ),
    ['unauthorized', 'unauthorized', 'rate-limited', 'unavailable', 'server-error', 'server-error'],
  );
  assert.deepEqual([thrown('forbidden')?.detail, thrown('forbidden')?.requestId], ['said  <b>so</b>', 'r-1']);
});

test('a hostile answer is refused whole', () => {
  const quote = 'A firm must report.';
  const one = citation(1, quote);
  /** @param {Partial<import('../engine/protocol.js').Citation> | Record<string, unknown>} parts */
  const withCitation = (parts) => answerOf([/** @type {any} */ ({ ...one, ...parts })]);
  const statement = answerOf([one]).statements[0];
  const refused = {
    'no answer': null,
    'a text': 'answer',
    'no citations': { ...answerOf([one]), citations: undefined },
    'an unknown status': withCitation({ status: 'proven' }),
    'an id that is no hash': withCitation({ documentId: '../../etc/passwd' }),
    'a page that is none': withCitation({ page: 0 }),
    'a page between two': withCitation({ page: 1.5 }),
    'a page far away': withCitation({ page: 1e9 }),
    'a quad of seven': withCitation({ quads: [[1, 2, 3, 4, 5, 6, 7]] }),
    'a quad beyond the page': withCitation({ quads: [[1e9, 2, 3, 4, 5, 6, 7, 8]] }),
    'a quad of texts': withCitation({ quads: [['1', 2, 3, 4, 5, 6, 7, 8]] }),
    'a huge quotation': answerOf([citation(1, 'x'.repeat(30_000))]),
    'two citations of one number': answerOf([one, one]),
    'a great many citations': answerOf(
      Array.from({ length: 300 }, (_, at) => citation(at + 1, `${quote} ${at}`)),
    ),
    'a quotation of very many parts': answerOf([citation(1, Array(41).fill('a').join(' […] '))]),
    'a great many spans': withCitation({ spans: Array(1_001).fill(one.spans[0]) }),
    'a great many quads': withCitation({ quads: Array(4_001).fill(one.quads[0]) }),
    'a great many places': withCitation({ places: Array(1_001).fill({ block: 1, start: 0, end: 1 }) }),
    'a great many sentences': { ...answerOf([one]), statements: Array(1_001).fill(statement) },
    'an extracted sentence that quotes nothing': {
      ...answerOf([one]),
      statements: [{ ...statement, text: 'A firm need not report.' }],
    },
    'an extracted sentence without a citation': {
      ...answerOf([one]),
      statements: [{ ...statement, citations: [] }],
    },
    'a note of another kind': { ...answerOf([one]), notes: [{ kind: 'buy-this', citation: 1 }] },
    'a trace that is none': { ...answerOf([one]), trace: [] },
  };
  for (const [name, answer] of Object.entries(refused))
    assert.throws(() => event({ event: 'answer', answer }), TypeError, name);
  for (const each of [
    null,
    7,
    [],
    { event: 'other' },
    { event: 'progress', step: 7 },
    { event: 'progress', step: 'x', done: -1 },
  ])
    assert.throws(() => event(each), TypeError);
});

test('a range is read from its header', () => {
  assert.deepEqual(contentRange('bytes 0-99/1234'), { start: 0, end: 100, total: 1234 });
  for (const header of [
    '',
    'bytes */10',
    'bytes 5-4/10',
    'bytes 0-10/10',
    'items 0-1/2',
    `bytes 0-1/${'9'.repeat(20)}`,
  ])
    assert.throws(() => contentRange(header), { reason: 'bad-reply' }, header);
});

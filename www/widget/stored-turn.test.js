import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storedTurn, withoutServers } from './stored-turn.js';

const place = {
  document: 'contract.pdf',
  documentId: 'a1',
  page: 2,
  pageLabel: null,
  sectionPath: ['8 Liability'],
  legalStatus: null,
  quads: [[0, 0, 1, 0, 0, 1, 1, 1]],
  spans: [{ page: 2, range: [10, 20], quads: [[0, 0, 1, 0, 0, 1, 1, 1]] }],
  places: [],
  caveats: ['ocr'],
};

const turn = () => ({
  question: 'What is the cap?',
  at: 1,
  answer: {
    answer: 'It is 100 [1].',
    sufficient: true,
    answerability: 'answers',
    probability: 0.9,
    by: 'model',
    verdict: { grounded: true, consistent: true, complete: true, problem: '', missing: [] },
    statements: [
      {
        text: 'It is 100.',
        citations: [1],
        unsupported: [{ kind: 'number', text: '100' }],
        unknown: [],
        continues: false,
        operative: 'It is 100.',
      },
    ],
    citations: [{ ...place, id: 1, quote: 'the cap is 100', status: 'verified' }],
    supporting: [{ citation: 1, why: 'definition', name: 'Cap', by: 1 }],
    conflicts: [{ kind: 'number', citations: [1], preferred: null }],
    notes: [{ kind: 'several-cases', citations: [1] }],
    missing: [],
    message: '',
    vectors: 'all',
    trace: {
      question: 'What is the cap?',
      rewrites: [],
      passage: null,
      queries: [['cap']],
      glossary: [],
      also: [{ term: 'cap', words: ['limit'] }],
      kept: [place],
      extracts: [],
      selected: [],
      reflection: [],
      calls: [
        {
          call: 1,
          step: 'read',
          endpoint: 'small',
          model: 'm',
          prompt: 1,
          sent: 1,
          received: 1,
          outcome: 'used',
          why: null,
        },
      ],
      degraded: [{ step: 'filter', code: 'timeout', call: null, why: 'too slow' }],
      onDemand: { embedded: 0, left: 0 },
      compared: 0,
      diags: [],
    },
  },
  embedding: 'ready',
  model: { name: 'm', where: 'models.example' },
  servers: 'openai https://models.example',
  left: { nBefore: 0, nRemoved: 0 },
  searched: {
    n: 1,
    nReading: 0,
    scope: {
      nChosen: 1,
      nAll: 2,
      document: 'contract.pdf',
      section: '8',
      from: '2020-01-01',
      to: '',
      inForce: true,
    },
  },
});

test('a turn comes out of storage as it went in', () => {
  assert.deepEqual(storedTurn(turn()), turn());
});

test('what an older version of the page left out is absent', () => {
  const older = turn();
  Reflect.deleteProperty(older.answer.statements[0] ?? {}, 'operative');
  Reflect.deleteProperty(older.searched, 'scope');
  const read = storedTurn(older);
  assert.equal(read.answer.statements[0]?.operative, null);
  assert.equal(read.searched.scope, null);
});

test('what a turn does not have is left behind, and no prototype is taken over', () => {
  const read = storedTurn({ ...turn(), key: 'sk-secret', answer: { ...turn().answer, html: '<b>' } });
  assert.ok(!('key' in read) && !('html' in read.answer));
});

/** @type {[string, (kept: any) => void][]} */
const damages = [
  ['a question that is no text', (kept) => (kept.question = { toString: () => 'x' })],
  ['a text beyond all measure', (kept) => (kept.answer.statements[0].text = 'x'.repeat(200_000))],
  ['a status of another version', (kept) => (kept.answer.citations[0].status = 'certified')],
  ['a status that is a property of every object', (kept) => (kept.answer.citations[0].status = 'toString')],
  ['a quad of three numbers', (kept) => (kept.answer.citations[0].quads = [[1, 2, 3]])],
  ['a page that is infinite', (kept) => (kept.answer.citations[0].page = Number.POSITIVE_INFINITY)],
  ['a note of an unknown kind', (kept) => (kept.answer.notes[0].kind = '__proto__')],
  ['no trace', (kept) => delete kept.answer.trace],
  ['a list that is none', (kept) => (kept.answer.citations = { length: 1, 0: {} })],
  ['a model that is a text', (kept) => (kept.model = 'm')],
];

test('a turn that is not whole is refused', () => {
  for (const value of [null, 1, 'turn', [], {}]) assert.throws(() => storedTurn(value), TypeError);
  for (const [name, damage] of damages) {
    const kept = turn();
    damage(kept);
    assert.throws(() => storedTurn(kept), TypeError, name);
  }
});

test('a turn without servers names neither model nor address, and one without a model stays as it is', () => {
  const bare = withoutServers(storedTurn(turn()));
  assert.doesNotMatch(JSON.stringify(bare), /models\.example|"small"|"m"/);
  assert.notEqual(bare.servers, null, 'it is still one by a model');
  const quoted = storedTurn({ ...turn(), model: null, servers: null });
  assert.equal(withoutServers(quoted), quoted);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits, readQuestions, writeQuestions } from './questions.js';

/** @param {string} text */
const csv = (text) => readQuestions(text, false);
/** @param {...unknown} lines */
const jsonl = (...lines) =>
  readQuestions(
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    true,
  );

const place = { document: 'a.pdf', pages: [7], range: null, quote: '' };

test('CSV is read by the names of its columns, whatever their order, case and separator', () => {
  const expected = [
    { id: 'q1', query: 'Who pays?', answer: 'He does', places: [{ ...place, quote: 'shall pay' }] },
  ];
  const cases = [
    'question,answer,document,page,quotation\nWho pays?,He does,a.pdf,7,shall pay\n',
    '\ufeffPage;Document;Question;Answer;Quotation\r\n7;a.pdf;Who pays?;He does;shall pay\r\n',
    'question\tdocument\tpage\tquotation\tanswer\nWho pays?\ta.pdf\t7\tshall pay\tHe does',
  ];
  for (const text of cases)
    assert.deepEqual(csv(text), { questions: expected, faults: [], nFaults: 0, nUnread: 0 }, text);
});

test('pages are written as one, several, or a range', () => {
  const cases = /** @type {[string, number[] | null][]} */ ([
    ['7', [7]],
    ['"9,7"', [7, 9]],
    ['7; 9', [7, 9]],
    ['7-9', [7, 8, 9]],
    ['', []],
    ['0', null],
    ['9-7', null],
    ['iv', null],
    ['1-999999', null],
  ]);
  for (const [written, pages] of cases) {
    const { questions, faults } = csv(`question,document,page\nWho?,a.pdf,${written}\n`);
    assert.deepEqual(questions[0]?.places[0]?.pages ?? null, pages, written);
    assert.deepEqual(faults, pages === null ? [{ line: 2, code: 'no-pages' }] : [], written);
  }
});

test('a line that cannot be read is named, and the others are kept', () => {
  const text =
    'question,document,page\n"Who\npays?",a.pdf,1\n,a.pdf,1\nWhen?,,1\nWhere?,a.pdf,2\nWhy?,a.pdf,"3\n';
  const { questions, faults } = csv(text);
  assert.deepEqual(
    questions.map(({ query }) => query),
    ['Who\npays?', 'Where?'],
  );
  assert.deepEqual(faults, [
    { line: 4, code: 'no-question' },
    { line: 5, code: 'no-document' },
    { line: 7, code: 'no-quote-end' },
  ]);
});

test('a file without the columns says so once', () => {
  assert.deepEqual(csv('what,where\na,b\nc,d\n'), {
    questions: [],
    faults: [{ line: 1, code: 'no-columns' }],
    nFaults: 1,
    nUnread: 0,
  });
});

test('lines of one question are its places', () => {
  const { questions } = csv('question,document,page\nWho?,a.pdf,7\nWho?,b.pdf,1\nWho?,a.pdf,7\n');
  assert.deepEqual(
    questions.map(({ places }) => places),
    [[place, { ...place, document: 'b.pdf', pages: [1] }]],
  );
});

test('questions of `pincite eval generate` and of our own sets are read, and those that are written come back', () => {
  const generated = {
    qid: 'g 1',
    query: 'Who pays?',
    answer: 'He',
    document: 'a.pdf',
    passages: ['a.pdf#7', 'b#1.pdf#2,3'],
    sources: [
      { document: 'a.pdf', page: 7, quotes: [{ text: 'shall pay', ranges: [[1, 9]], status: 'verified' }] },
    ],
  };
  const own = { id: 'tax-01', document: 'a.pdf', question: 'Why?', answer: 'So', pages: [6, 17] };
  const { questions, faults } = jsonl(generated, '', own);
  assert.deepEqual(faults, []);
  assert.deepEqual(questions, [
    {
      id: 'g_1',
      query: 'Who pays?',
      answer: 'He',
      places: [
        { ...place, quote: 'shall pay' },
        { ...place, document: 'b#1.pdf', pages: [2, 3] },
      ],
    },
    { id: 'tax-01', query: 'Why?', answer: 'So', places: [{ ...place, pages: [6, 17] }] },
  ]);
  const inWord = { document: 'a.docx', pages: [], quote: 'he' };
  const written = /** @type {import('./questions.js').Question[]} */ ([
    { id: 'w', query: 'Who?', answer: '', places: [{ ...inWord, range: [3, 9] }] },
    {
      id: 'two',
      query: 'Both?',
      answer: '',
      places: [
        { ...inWord, range: [3, 9], quote: '' },
        { ...inWord, range: [20, 31], quote: 'she' },
        { ...inWord, document: 'a.pdf', pages: [7], range: null, quote: '' },
        { ...inWord, document: 'a.pdf', pages: [7, 8], range: null },
      ],
    },
  ]);
  const all = [...questions, ...written];
  assert.deepEqual(readQuestions(writeQuestions(all), true), {
    questions: all,
    faults: [],
    nFaults: 0,
    nUnread: 0,
  });
});

test('hostile lines are refused by number, not followed', () => {
  const long = 'x'.repeat(limits.text + 1);
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const { questions, faults } = jsonl(
    '{',
    'null',
    '[]',
    { query: long, document: 'a.pdf' },
    { query: 'Who?', document: { toString: 1 } },
    { query: 'Who?', document: 'a.pdf', pages: 'x' },
    { query: 'Who?', passages: Array.from({ length: 50 }, (_, at) => `a${at}.pdf#1`) },
    { query: 'Who?', document: 'a.pdf', sources: [null, 7, { quotes: [{}] }], __proto__: { id: 'x' } },
    `{"query":"Who?","document":"a.pdf","pages":${nested}}`,
    { query: 'Who?', document: 'a.pdf', pages: Array(2_000_000).fill('1-200') },
    `{"query":"Who?","passages":["a.pdf#1"],"sources":[{"document":${nested},"quotes":[{"text":"he"}]}]}`,
    { query: 'null', document: 'a.pdf', sources: [{ quotes: null }] },
    { query: '5', document: 'a.pdf', sources: [{ quotes: 5 }] },
    { query: 'ranges', document: 'a.pdf', sources: [{ quotes: [{ text: 'he', ranges: null }] }] },
    { query: 'range', document: 'a.pdf', sources: [{ quotes: [{ text: 'he', ranges: [5, null] }] }] },
  );
  assert.deepEqual(
    faults.map(({ line, code }) => `${line} ${code}`),
    [
      '1 no-json',
      '2 no-json',
      '3 no-question',
      '4 too-long',
      '5 no-document',
      '6 no-pages',
      '7 too-long',
      '9 no-pages',
      '10 too-long',
      '11 no-json',
    ],
  );
  assert.deepEqual(
    questions.map(({ query }) => query),
    ['Who?', 'null', '5', 'ranges', 'range'],
  );
  const many = `question,document\n${Array.from({ length: limits.questions + 2 }, (_, at) => `q${at},a.pdf\n`).join('')}`;
  const read = csv(many);
  assert.equal(read.questions.length, limits.questions);
  assert.deepEqual(
    read.faults.map(({ code }) => code),
    ['too-many', 'too-many'],
  );
});

test('files of many lines are read in time, with all faults counted and the first listed', () => {
  const n = 100_000;
  const rows = (/** @type {(at: number) => string} */ row) => Array.from({ length: n }, (_, at) => row(at));
  const header = 'question,document';
  const cases = /** @type {[string, boolean, string, number, number][]} */ ([
    [[header, ...rows((at) => `q${at},a.pdf`)].join('\n'), false, 'too-many', limits.questions, 98_000],
    [[header, ...rows((at) => `q${at},`)].join('\n'), false, 'no-document', 0, n],
    [[header, ...rows(() => 'q,a.pdf')].join('\n'), false, '', 1, 0],
    [rows(() => 'what,where').join('\n'), false, 'no-columns', 0, 1],
    [rows(() => '{').join('\n'), true, 'no-json', 0, n],
  ]);
  for (const [text, isJson, code, nQuestions, nFaults] of cases) {
    const start = performance.now();
    const read = readQuestions(text, isJson);
    const ms = performance.now() - start;
    assert.ok(ms < 10_000, `${code}: ${Math.round(ms)} ms`);
    assert.equal(read.questions.length, nQuestions, code);
    assert.equal(read.nFaults + read.nUnread, nFaults, code);
    assert.equal(read.faults.length, Math.min(nFaults, limits.faults), code);
    assert.ok(read.faults.every((fault) => fault.code === code));
  }
});

test('a file with more faults than it may have is given up, the rest of its lines counted and not read', () => {
  const line = JSON.stringify({ query: 'Who pays?', document: 'a.pdf', pages: [1] });
  const faulty = Array.from({ length: limits.allFaults }, () => '{');
  assert.equal(readQuestions([...faulty.slice(1), line].join('\n'), true).questions.length, 1);
  const given = readQuestions([...faulty, line].join('\n'), true);
  assert.deepEqual([given.questions.length, given.nFaults, given.nUnread], [0, limits.allFaults, 1]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { en } from '../strings/en.js';
import { zh } from '../strings/zh.js';
import { earlierQuestion } from './parts/answer.js';
import { statusesOf, statusOf } from './parts/citations.js';
import { LiveRegion } from './parts/live-region.js';
import { nBeforeFold, splitUnsupported } from './parts/statements.js';
import { passageAt, searchedIn, titleOf, titlesOf } from './places.js';

test('a sentence is cut where unsupported words stand, and nothing of it is lost', () => {
  /** @type {[string, string[], string][]} */
  const cases = [
    ['It is due in 30 days or 60 days.', ['30 days', '60 days'], 'It is due in |<30 days>| or |<60 days>|.'],
    ['must, must', ['must', 'must'], '<must>|, |<must>'],
    ['second then first', ['first', 'second'], '<second>| then |<first>'],
    ['nothing of it', ['elsewhere', ''], 'nothing of it'],
    ['30 days', ['30 days', 'days'], '<30 days>'],
    ['', [], ''],
  ];
  for (const [text, unsupported, expected] of cases) {
    const cut = splitUnsupported(text, unsupported);
    assert.equal(
      cut.map(({ words, isUnsupported }) => (isUnsupported ? `<${words}>` : words)).join('|'),
      expected,
    );
    assert.equal(cut.map(({ words }) => words).join(''), text);
  }
});

test('an answer folds behind its best sentence, and behind one for each part of the question', () => {
  const long = { text: 'a clause '.repeat(40), operative: null };
  const short = { text: 'Within 30 days.', operative: null };
  // Of a long one the part that answers is shown.
  const cut = { ...long, operative: 'a clause' };
  /** @type {[(typeof long | typeof cut)[], number, number][]} */
  const cases = [
    [[], 1, 0],
    [[long], 1, 1],
    [[long, short, short], 1, 1],
    [[short, short, long, long, short], 1, 2],
    [[long, long, long, long], 2, 2],
    [[long, short], 1, 2],
    [[cut, short, cut, long, short], 1, 3],
    [[short, short, short, short], 1, 4],
  ];
  for (const [statements, nParts, expected] of cases) assert.equal(nBeforeFold(statements, nParts), expected);
});

test('a caveat takes the place of “quote matches source”, and stands beside any other status', () => {
  /** @type {[Parameters<typeof statusesOf>[0], string][]} */
  const cases = [
    [{ status: 'verified', caveats: [] }, 'Quote matches source'],
    [{ status: 'ocr', caveats: ['ocr'] }, 'Text by OCR'],
    [{ status: 'differs', caveats: ['ocr', 'differs'] }, 'Differs from the page, Text by OCR'],
    [{ status: 'repaired', caveats: ['tracked'] }, 'Repaired, Tracked change'],
  ];
  for (const [citation, expected] of cases) {
    assert.equal(
      statusesOf(citation)
        .map((each) => statusOf(en, each).word)
        .join(', '),
      expected,
    );
  }
});

test('the same words are announced again as news, and not as progress', (t) => {
  /** Texts that a screen reader reads: each that differs from the one before. @type {string[]} */
  const told = [];
  const element = {
    setAttribute: () => {},
    append: () => {},
    get textContent() {
      return told.at(-1) ?? '';
    },
    set textContent(text) {
      if (text !== this.textContent) told.push(text);
    },
  };
  const { document: before } = globalThis;
  Reflect.set(globalThis, 'document', { createElement: () => element });
  t.after(() => Reflect.set(globalThis, 'document', before));
  const live = new LiveRegion();
  live.say('x', true);
  live.say('x', true);
  assert.deepEqual(
    told.map((text) => text.trim()),
    ['x', 'x'],
  );
  live.say('x', true);
  assert.deepEqual(
    told.map((text) => text.trim()),
    ['x', 'x', 'x'],
  );
  t.mock.method(performance, 'now', () => 1e9);
  live.say('x', false);
  assert.equal(told.length, 3);
  live.say('y', false);
  assert.deepEqual(told.slice(3), ['y']);
});

test('a document is called by its title, unless that is no title or that of another document too', () => {
  const documents = [
    { id: 'a', name: 'rulebook.pdf', title: 'Client Protection Rulebook' },
    { id: 'b', name: 'manual.pdf', title: 'MANUAL' },
    { id: 'c', name: 'act-2023.pdf', title: 'Trade Act' },
    { id: 'd', name: 'act-2024.pdf', title: 'Trade Act' },
    { id: 'e', name: 'scan.pdf', title: null },
    { id: 'f', name: 'law.pdf', title: '中华人民共和国公司法' },
    { id: 'g', name: 'lease.pdf', title: 'Microsoft Word - lease final.doc' },
    { id: 'h', name: 'deed.pdf', title: 'draft of the deed.docx' },
    { id: 'i', name: 'note.pdf', title: 'Untitled document' },
    { id: 'j', name: 'order.pdf', title: ' ' },
    { id: 'k', name: 'plan.pdf', title: 'Document 1' },
    { id: 'l', name: 'rules.pdf', title: '无标题文档' },
    { id: 'm', name: 'guide.pdf', title: 'Document retention policy' },
    { id: 'n', name: 'msa.pdf', title: 'Microsoft Services Agreement' },
  ];
  const titles = [
    'Client Protection Rulebook',
    'manual.pdf',
    'act-2023.pdf',
    'act-2024.pdf',
    'scan.pdf',
    '中华人民共和国公司法',
    ...['lease.pdf', 'deed.pdf', 'note.pdf', 'order.pdf', 'plan.pdf', 'rules.pdf'],
    'Document retention policy',
    'Microsoft Services Agreement',
  ];
  assert.deepEqual([...titlesOf(documents).values()], titles);
  assert.deepEqual(
    documents.map(({ id }) => titleOf(documents, id)),
    titles,
  );
  assert.equal(titleOf(documents, 'gone'), null);
});

test('titles that differ by spaces at their ends alone are the same, and name neither document', () => {
  const documents = [
    { id: '1', name: 'a.pdf', title: 'Services Agreement ' },
    { id: '2', name: 'b.pdf', title: 'Services Agreement' },
    { id: '3', name: 'c.pdf', title: ' Retention policy' },
  ];
  assert.deepEqual([...titlesOf(documents).values()], ['a.pdf', 'b.pdf', 'Retention policy']);
});

test('a question that was searched together with the one before says so, also where a glossary put in other words', () => {
  /** @type {[string, string, string, string][]} */
  const cases = [
    ['Who pays the levy? When is it due?', 'When is it due?', 'Who pays the levy?', 'Who pays the levy?'],
    ['Who pays? When is it by DPA data law due?', 'When is it by DPA due?', 'Who pays?', 'Who pays?'],
    ['When is the levy due?', 'When is the levy due?', 'Who pays?', ''],
    ['When is DPA data law due?', 'When is DPA due?', 'Who pays?', ''],
    ['Who pays? And by DPA data law when?', 'Who pays? And by DPA when?', 'Who pays?', ''],
    ['When is DPA data law due?', 'When is DPA due?', '', ''],
  ];
  for (const [searched, question, previous, expected] of cases)
    assert.equal(earlierQuestion({ trace: { queries: [[searched]] } }, question, previous), expected);
});

test('a passage stands on the page that its citation names', () => {
  const passage = { document: 'act.pdf', page: 5, pageLabel: 'CPR-5', sectionPath: ['Part 2', 'Rule 4'] };
  assert.equal(passageAt(en, passage), 'act.pdf, p. CPR-5 (PDF 5), Rule 4');
  assert.equal(passageAt(en, { ...passage, pageLabel: null }), 'act.pdf, p. 5, Rule 4');
});

test('an answer says what was searched where that was not everything', () => {
  const none = { nChosen: 4, nAll: 4, document: '', section: '', from: '', to: '', inForce: false };
  /** @type {[Parameters<typeof searchedIn>[1], string, string][]} */
  const cases = [
    [{ n: 13, nReading: 0, scope: null }, '', ''],
    [
      { n: 8, nReading: 5, scope: null },
      'Searched: 8 of 13 documents; 5 are being read.',
      '检索范围：13 份文件中的 8 份；另有 5 份仍在读取。',
    ],
    [
      { n: 8, nReading: null, scope: null },
      'Searched: 8 documents; others are being read.',
      '检索范围：8 份文件；其他文件仍在读取。',
    ],
    [
      { n: 2, nReading: 1, scope: { ...none, nChosen: 2 } },
      'Searched: 2 of 4 documents; 1 is being read.',
      '检索范围：4 份文件中的 2 份；另有 1 份仍在读取。',
    ],
    [
      { n: 4, nReading: 3, scope: { ...none, section: 'Part 3' } },
      'Searched: 4 of 7 documents, Part 3; 3 are being read.',
      '检索范围：7 份文件中的 4 份、Part 3；另有 3 份仍在读取。',
    ],
    [
      {
        n: 1,
        nReading: 0,
        scope: {
          ...none,
          nChosen: 1,
          document: 'act.pdf',
          from: '2020-01-01',
          to: '2021-01-01',
          inForce: true,
        },
      },
      'Searched: act.pdf, from 2020-01-01, to 2021-01-01, without repealed provisions.',
      '检索范围：act.pdf、自 2020-01-01、至 2021-01-01、不含已废止的内容。',
    ],
  ];
  for (const [searched, english, chinese] of cases) {
    assert.equal(searchedIn(en, searched), english);
    assert.equal(searchedIn(zh, searched), chinese);
  }
});

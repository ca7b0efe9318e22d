import assert from 'node:assert/strict';
import { test } from 'node:test';
import { candidatesOf, exampleQuestions, languageOf, maxExamples } from './examples.js';

/** @typedef {import('../engine/protocol.js').TextBlock} TextBlock */

/** @param {TextBlock['kind']} kind @param {string} text @param {Partial<TextBlock>} [more] @returns {TextBlock} */
const block = (kind, text, more = {}) => ({
  ...{ kind, text, role: null, level: kind === 'heading' ? 1 : null, marker: null, marks: [] },
  ...more,
});
/** A section with enough text of its own. @param {string} title @param {string} [text] */
const section = (title, text = '') => [
  block('heading', title),
  block(
    'paragraph',
    `${text} The Supplier must do this in the way and by the time that the Customer asks of it.`,
  ),
];
/** @param {TextBlock[]} blocks */
const questions = (blocks) => candidatesOf(blocks, false).map(({ question }) => question);

test('a defined term is asked for, those of several words and used most first; a definition that stands elsewhere is none', () => {
  const blocks = [
    block('heading', 'Definitions'),
    block('paragraph', '“Charges” means the sums that are payable under Article 4 of this Agreement.'),
    block('paragraph', '“Acceptance” has the meaning given in Section 3.2 of this Agreement.'),
    block('paragraph', '“Late Fee” means the sum that is to be paid of any of the overdue sums.'),
    block('paragraph', '“Working Day” shall mean a day other than a Saturday. A Working Day ends at 5 p.m.'),
  ];
  assert.deepEqual(questions(blocks), [
    'What does “Working Day” mean?',
    'What does “Late Fee” mean?',
    'What does “Charges” mean?',
  ]);
});

test('a heading is asked about in the case of a sentence, without its number; a question is asked as it is', () => {
  const written =
    'If the Customer has duties or asks about VAT returns, the Supplier gives notice of the termination.';
  const cases = {
    'Article 7. Duties of the Customer': 'duties of the Customer',
    'SECTION 4.3 — LATE RETURNS': 'late returns',
    '(b) Treatment of VAT': 'treatment of VAT',
    'IV. Law of England': 'law of England',
    'IV. Rights Of Thornbury': 'Rights Of Thornbury',
    'V. Notice Of The Termination.': 'notice of the termination',
    'A guide to returns': 'a guide to returns',
    'Articles of Association': 'Articles of Association',
    'Rules on complaints': 'rules on complaints',
    'Party obligations': 'party obligations',
    'Part C Obligations': 'obligations',
    '§5 Late returns': 'late returns',
  };
  for (const [heading, topic] of Object.entries(cases))
    assert.deepEqual(questions(section(heading, written)), [`What does the document say about ${topic}?`]);
  assert.deepEqual(questions(section('3. When may a firm hold client money?')), [
    'When may a firm hold client money?',
  ]);
  assert.deepEqual(
    candidatesOf(section('Late returns'), true).map(({ question }) => question),
    ['What do the documents say about late returns?'],
  );
});

test('headings that name no matter, or have no text of their own, are not asked about', () => {
  for (const heading of [
    ...['MANUAL', 'Contents', 'Table of Contents', 'Annex', 'Schedule 2', 'Article 12', '4.2', 'Definitions'],
    ...['Miscellaneous', 'Term', 'Form 27B/6', 'Signed for the Supplier by: ____', 'x'.repeat(61)],
    '12 Months Renewal',
    'This is a sentence that was set in bold and read as a heading',
  ])
    assert.deepEqual(questions(section(heading)), [], heading);
  const parent = block('heading', 'Article 4. Charges and payment');
  assert.deepEqual(questions([parent, ...section('4.1 Late returns')]), [
    'What does the document say about late returns?',
  ]);
  assert.deepEqual(questions(section('Services Agreement').map((each) => ({ ...each, role: 'title' }))), []);
});

test('what people ask about most comes first', () => {
  const blocks = [...section('Duration'), ...section('Personnel'), ...section('Limitation of liability')];
  assert.deepEqual(questions(blocks), [
    'What does the document say about limitation of liability?',
    'What does the document say about duration?',
    'What does the document say about personnel?',
  ]);
});

test('a Chinese document is asked in Chinese, by terms and by headings', () => {
  const blocks = [
    block('heading', '第一章 总则'),
    block('paragraph', '本办法所称不可抗力，是指不能预见、不能避免且不能克服的客观情况。'),
    block('heading', '第二章 — 投诉处理'),
    block('paragraph', '公司应当自收到投诉之日起三十日内作出答复，并将投诉记录保存六年。'),
    block('heading', '三、附则'),
    block('paragraph', '本办法自公布之日起施行，原办法同时废止，由监管机构负责解释。'),
  ];
  assert.deepEqual(questions(blocks), ['“不可抗力”是什么意思？', '“投诉处理”有哪些规定？']);
});

test('words that begin with 指 make no Chinese definition', () => {
  const cases = {
    '本办法所称行政指导措施由行政机关依照法定职权和程序作出。': [],
    '本办法所称流动性风险监管指标包括流动性覆盖率和净稳定资金比例。': [],
    '本办法所称上述指定机构应当于每年年末报送有关材料。': [],
    '款项应当付至“供应商”指定的银行账户，并注明合同编号。': [],
    '本办法所称“重大事项”指可能影响公司股价的事项。': ['“重大事项”是什么意思？'],
    '本办法所称流动性风险监管指标是指商业银行应当达到的比例。': ['“流动性风险监管指标”是什么意思？'],
    '本办法所称关联方，指受同一主体控制的各方及其近亲属。': ['“关联方”是什么意思？'],
  };
  for (const [text, expected] of Object.entries(cases))
    assert.deepEqual(questions([block('paragraph', text)]), expected, text);
});

test('of a document in another language nothing is asked', () => {
  const texts = {
    en: 'The Supplier must give notice to the Customer of any breach of this Agreement that it is aware of.',
    zh: '公司应当自收到投诉之日起三十日内作出答复，并将投诉记录保存六年。',
    German:
      'Der Lieferant muss dem Kunden jede Verletzung dieses Vertrags anzeigen, von der er in Kenntnis ist.',
    French: 'Le fournisseur doit aviser le client de toute violation du contrat, y compris par un tiers.',
    Dutch: 'De leverancier of de klant is in dat geval verplicht de ander daarvan in kennis te stellen.',
    Russian: 'Поставщик обязан уведомить покупателя о любом нарушении настоящего договора.',
    Japanese: '会社は苦情を受けた日から三十日以内に回答し、その記録を六年間保存しなければならない。',
    traditional: '公司應當自收到投訴之日起三十日內作出答覆，對違反規定的責任人，應當為其備案。',
    nothing: '',
  };
  for (const [name, text] of Object.entries(texts))
    assert.equal(languageOf([block('paragraph', text)]), name.length === 2 ? name : null, name);
  assert.deepEqual(
    candidatesOf([block('heading', 'Kündigung'), block('paragraph', texts.German.repeat(3))], false),
    [],
  );
});

/** An engine whose answers cite what a table has of each question. @param {Record<string, TextBlock[]>} documents @param {Record<string, Partial<import('../engine/protocol.js').Citation>>} cited */
function engineOf(documents, cited) {
  /** @type {string[]} */
  const asked = [];
  return {
    asked,
    text: async (/** @type {string} */ id) => documents[id] ?? [],
    ask: async (/** @type {string} */ question) => {
      asked.push(question);
      const citation = cited[question];
      const answer = {
        answerability: citation ? 'answers' : 'silent',
        citations: citation ? [citation] : [],
      };
      return /** @type {import('../engine/protocol.js').Answer} */ (/** @type {unknown} */ (answer));
    },
  };
}
const about = (/** @type {string} */ topic) => `What do the documents say about ${topic}?`;

test('a question is offered only where the first citation is the section or the definition that it names', async () => {
  const definition = '“Working Day” means a day other than a Saturday or a Sunday.';
  const engine = engineOf(
    {
      a: [
        ...section('Late returns'),
        ...section('Lost parcels'),
        ...section('Personnel'),
        ...section('2. Opening hours'),
        ...section('Definitions', definition),
      ],
    },
    {
      [about('late returns')]: { documentId: 'a', sectionPath: ['Late returns', '4.1'], quote: '' },
      [about('lost parcels')]: { documentId: 'a', sectionPath: ['Lost parcels', 'Insurance of parcels'] },
      [about('personnel')]: { documentId: 'b', sectionPath: ['Personnel'], quote: '' },
      'What does “Working Day” mean?': {
        documentId: 'a',
        sectionPath: [],
        quote: `“RFR ${definition.slice(1)}`,
      },
    },
  );
  assert.deepEqual(await exampleQuestions(engine, [{ id: 'a' }], true, new AbortController().signal), [
    { question: about('late returns'), document: 'a' },
  ]);
  assert.ok(engine.asked.includes(about('opening hours')), 'it was tried, and nothing answers it');
});

test('questions are few, and of each of the newest documents in turn', async () => {
  const topics = ['Late returns', 'Lost parcels', 'Opening hours', 'Gift cards', 'Store credit'];
  const documents = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((id) => [id, topics.flatMap((topic) => section(`${topic} ${id.repeat(3)}`))]),
  );
  const cited = Object.fromEntries(
    Object.keys(documents).flatMap((id) =>
      topics.map((topic) => [
        about(`${topic} ${id.repeat(3)}`.toLowerCase()),
        { documentId: id, sectionPath: [`${topic} ${id.repeat(3)}`], quote: '' },
      ]),
    ),
  );
  const engine = engineOf(documents, cited);
  const ids = Object.keys(documents).map((id) => ({ id }));
  const found = await exampleQuestions(engine, ids, true, new AbortController().signal);
  assert.equal(found.length, maxExamples);
  assert.deepEqual(
    found.map(({ document }) => document),
    ['a', 'b', 'c', 'a'],
  );
  assert.equal(engine.asked.length, maxExamples);
});

test('no more is read or tried once a question was asked', async () => {
  const engine = engineOf({ a: section('Late returns') }, {});
  assert.deepEqual(await exampleQuestions(engine, [{ id: 'a' }], true, AbortSignal.abort()), []);
  assert.deepEqual(engine.asked, []);
});

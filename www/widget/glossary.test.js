import assert from 'node:assert/strict';
import { test } from 'node:test';
import { glossaryLines, maxTerms, readGlossary } from './glossary.js';

test('a glossary is read a term a line, in either script', () => {
  assert.deepEqual(
    readGlossary(
      '# ours\n\nMTF = multilateral trading facility\n募投项目＝募集资金投资项目；募集资金项目\nMTF = venue;',
    ),
    { MTF: ['multilateral trading facility', 'venue'], 募投项目: ['募集资金投资项目', '募集资金项目'] },
  );
  assert.deepEqual(readGlossary(''), {});
});

test('a line that cannot be read is named by its number', () => {
  for (const line of ['no sign', '= words', 'term =', 'term = ;']) {
    assert.throws(() => readGlossary(`a = b\n${line}`), { name: 'GlossaryError', line: 2 }, line);
  }
  const many = Array.from({ length: maxTerms + 1 }, (_, n) => `t${n} = w`).join('\n');
  assert.throws(() => readGlossary(many), { line: 0 });
});

test('names of an object’s own methods are terms like any other', () => {
  assert.deepEqual(Object.entries(readGlossary('constructor = builder')), [['constructor', ['builder']]]);
});

test('a file may be the JSON that the command line takes', () => {
  assert.deepEqual(readGlossary(glossaryLines('{"MTF": ["multilateral trading facility", "venue"]}')), {
    MTF: ['multilateral trading facility', 'venue'],
  });
  assert.throws(() => glossaryLines('{"MTF": '), { line: 1 });
});

test('JSON that lines cannot carry, or that holds no words, is refused by its entry', () => {
  for (const entry of [
    '"R = D": ["x"]',
    '"a": ["x; y"]',
    '"a": "x"',
    '"a": {"b": 1}',
    '"a": [1]',
    '"a": []',
    '" ": ["x"]',
  ])
    assert.throws(
      () => glossaryLines(`{"first": ["w"], ${entry}}`),
      { name: 'GlossaryError', line: 2 },
      entry,
    );
});

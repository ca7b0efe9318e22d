import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pieces } from './parts/statements.js';

test('a sentence is cut where doubted words stand, and nothing of it is lost', () => {
  /** @type {[string, string[], string][]} */
  const cases = [
    ['It is due in 30 days or 60 days.', ['30 days', '60 days'], 'It is due in |<30 days>| or |<60 days>|.'],
    ['must, must', ['must', 'must'], '<must>|, |<must>'],
    ['second then first', ['first', 'second'], '<second>| then |<first>'],
    ['nothing of it', ['elsewhere', ''], 'nothing of it'],
    ['30 days', ['30 days', 'days'], '<30 days>'],
    ['', [], ''],
  ];
  for (const [text, doubted, expected] of cases) {
    const cut = pieces(text, doubted);
    assert.equal(cut.map(({ words, isDoubted }) => (isDoubted ? `<${words}>` : words)).join('|'), expected);
    assert.equal(cut.map(({ words }) => words).join(''), text);
  }
});

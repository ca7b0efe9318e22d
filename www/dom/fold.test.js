import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparable, fold, occurrences, unfold } from './fold.js';

/** Words found in a text, as they stand there. @param {string} text @param {string} words @param {Partial<import('./fold.js').FindOptions>} [options] */
function found(text, words, { matchCase = false, wholeWords = false } = {}) {
  const folded = fold(text);
  const sought = comparable(fold(words).text, matchCase);
  return occurrences(comparable(folded.text, matchCase), sought, wholeWords).map((start) => {
    const { from, to } = unfold(text, folded, start, start + sought.length);
    return text.slice(from, to);
  });
}

test('words are found whatever their diacritics, ligatures, quotation marks and spaces', () => {
  /** @type {[string, string, string[]][]} */
  const cases = [
    ['The ﬁrm shall ofﬁcially file', 'fi', ['ﬁ', 'ﬁ', 'fi']],
    ['résumé, re\u0301sume\u0301, Resume', 'resume', ['résumé', 're\u0301sume\u0301', 'Resume']],
    ['Straße and STRASSE', 'strasse', ['Straße', 'STRASSE']],
    ['the “Cap” and the "cap"', '"cap"', ['“Cap”', '"cap"']],
    ['Client\u00a0 \n Money', 'client money', ['Client\u00a0 \n Money']],
    ['2019–2024', '2019-2024', ['2019–2024']],
    ['ΟΔΟΣ and οδος', 'οδοσ', ['ΟΔΟΣ', 'οδος']],
    ['ＦＵＬＬ width', 'full', ['ＦＵＬＬ']],
    ['赔偿\n责任 的 上限', '责任的上限', ['责任 的 上限']],
    ['lia\u00adbility', 'liability', ['lia\u00adbility']],
    ['nothing of it', '', []],
  ];
  for (const [text, words, expected] of cases) assert.deepEqual(found(text, words), expected, text);
});

test('a word divided at the end of a line is found, with or without its hyphen', () => {
  const text = 'the indem-\nnity and a non-compete, 5-7 days, well- and';
  assert.deepEqual(found(text, 'indemnity'), ['indem-\nnity']);
  assert.deepEqual(found(text, 'noncompete'), ['non-compete']);
  assert.deepEqual(found(text, 'non-compete'), ['non-compete']);
  assert.deepEqual(found(text, '5-7'), ['5-7']);
  assert.deepEqual(found(text, '57'), []);
  assert.deepEqual(found(text, 'well- and'), ['well- and']);
});

test('case counts when it is asked for, and whole words end where a word does', () => {
  const text = 'Cap, cap, capital; recap. cap_x 上限责任';
  assert.deepEqual(found(text, 'cap', { matchCase: true }), ['cap', 'cap', 'cap', 'cap']);
  assert.deepEqual(found(text, 'cap', { wholeWords: true }), ['Cap', 'cap']);
  assert.deepEqual(found(text, 'Cap', { matchCase: true, wholeWords: true }), ['Cap']);
  assert.deepEqual(found(text, '责任', { wholeWords: true }), ['责任'], 'Chinese puts nothing between words');
});

test('what is found does not overlap', () => {
  assert.deepEqual(found('aaaa', 'aa'), ['aa', 'aa']);
  assert.deepEqual(found('xaab aab', 'aab', { wholeWords: true }), ['aab']);
});

test('lower case is as long as what it was made of, for every character that folding or case changes', () => {
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (!/[\p{Changes_When_NFKC_Casefolded}\p{Changes_When_Lowercased}\p{M}]/u.test(character)) continue;
    const { text, at } = fold(`a${character}b`);
    assert.equal(comparable(text, false).length, text.length, `U+${code.toString(16)}`);
    assert.equal(at.length, text.length);
  }
});

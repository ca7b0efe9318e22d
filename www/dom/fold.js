/**
 * Text as it is compared when a person looks for words: without diacritics, with ligatures, wide letters and marks of
 * quotation as their plain forms, one space for any white space. A hyphen between letters goes, with the end of a line after
 * it or not, so that a word that is divided is found, and so does white space between Chinese characters. Each place in
 * the folded text knows its place in the original.
 */

/** @typedef {{ text: string, at: number[] }} Folded `at`: place in the original of each code unit, in code units */
/** @typedef {{ matchCase: boolean, wholeWords: boolean }} FindOptions */

/** Letters that have a plain form of their own but no decomposition. @type {Readonly<Record<string, string>>} */
const plain = {
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D' },
  ...{ ð: 'd', Ð: 'D', þ: 'th', Þ: 'Th', ı: 'i', ς: 'σ' },
  ...{ '‘': "'", '’': "'", '‚': "'", '‛': "'", '“': '"', '”': '"', '„': '"', '‟': '"', '«': '"', '»': '"' },
  ...{ '‐': '-', '‑': '-', '‒': '-', '–': '-', '—': '-', '―': '-', '−': '-' },
};
const unseen = /^[\u00ad\u200b-\u200f\u2060\ufeff]$/;
const space = /^\s$/;
const letter = /^\p{L}$/u;
const wordPart = /^[\p{L}\p{N}_]$/u;
/** Scripts that put nothing between their words. */
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u;

/** @param {string} original @returns {Folded} */
export function fold(original) {
  let text = '';
  /** @type {number[]} */
  const at = [];
  /** The white space since the last letter: where it begins, -1 for none. */
  let gap = -1;
  let hasBreak = false;
  let from = 0;
  for (const character of original) {
    const start = from;
    from += character.length;
    const isSpace = character < '\u0080' ? character <= ' ' : space.test(character);
    if (isSpace) {
      hasBreak = gap < 0 ? character === '\n' : hasBreak || character === '\n';
      if (gap < 0) gap = start;
      continue;
    }
    const folded = foldCharacter(character);
    if (folded === '') continue;
    const last = text[text.length - 1];
    if (gap < 0 && last !== '-') {
      // As most are: nothing before it matters.
    } else if (
      last === '-' &&
      (gap < 0 || hasBreak) &&
      letter.test(text[text.length - 2] ?? '') &&
      letter.test(character)
    ) {
      text = text.slice(0, -1);
      at.pop();
    } else if (gap >= 0 && last && !(unspaced.test(last) && unspaced.test(folded[0] ?? ''))) {
      text += ' ';
      at.push(gap);
    }
    gap = -1;
    text += folded;
    for (let unit = 0; unit < folded.length; unit += 1) at.push(start);
  }
  return { text, at };
}

/** @param {string} character a code point */
function foldCharacter(character) {
  if (character < '\u0080') return character;
  const known = plain[character];
  if (known !== undefined) return known;
  if (unseen.test(character)) return '';
  const parts = character.normalize('NFKD').replace(/\p{M}/gu, '');
  return [...parts].map((part) => plain[part] ?? part).join('');
}

/** Folded text in the case that is compared: as long as it was. @param {string} folded @param {boolean} matchCase */
export function comparable(folded, matchCase) {
  return matchCase ? folded : folded.toLowerCase().replaceAll('ς', 'σ');
}

/**
 * Places of words in a text; none overlaps another.
 * @param {string} text comparable
 * @param {string} words comparable
 * @param {boolean} wholeWords
 * @returns {number[]} where each begins, in code units
 */
export function occurrences(text, words, wholeWords) {
  /** @type {number[]} */
  const found = [];
  if (words === '') return found;
  for (let at = text.indexOf(words); at >= 0; ) {
    const end = at + words.length;
    const isFound = !wholeWords || (isEdge(text, at) && isEdge(text, end));
    if (isFound) found.push(at);
    at = text.indexOf(words, isFound ? end : at + 1);
  }
  return found;
}

/** True if no word runs on across a place. @param {string} text @param {number} at */
function isEdge(text, at) {
  const [before = '', after = ''] = [text.at(at - 1), text.at(at)];
  if (at === 0 || at === text.length || unspaced.test(before) || unspaced.test(after)) return true;
  return !(wordPart.test(before) && wordPart.test(after));
}

/**
 * Range in the original of what was found in the folded text; marks that belong to its last letter are in it.
 * @param {string} original
 * @param {Folded} folded
 * @param {number} start
 * @param {number} end
 * @returns {{ from: number, to: number }} code units of the original
 */
export function unfold(original, { at }, start, end) {
  const from = at[start] ?? 0;
  let to = at[end - 1] ?? from;
  to += (original.codePointAt(to) ?? 0) > 0xffff ? 2 : 1;
  while (/^\p{M}$/u.test(original.charAt(to))) to += 1;
  return { from, to };
}

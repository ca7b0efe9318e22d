/**
 * Bytes as text in a page: four bytes are five characters of 85 that mean nothing in HTML, most significant first. A
 * quarter more than the bytes, where base 64 takes a third. A last group of n bytes is n + 1 characters.
 */

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?()[]{}@%$#,;_';

/** Character codes of the alphabet, by digit. */
const codes = Uint8Array.from(alphabet, (character) => character.charCodeAt(0));

/** @param {Uint8Array} bytes */
export function encode(bytes) {
  const nGroups = Math.ceil(bytes.length / 4);
  const padded = new Uint8Array(nGroups * 4);
  padded.set(bytes);
  const view = new DataView(padded.buffer);
  const text = new Uint8Array(nGroups * 5);
  for (let group = 0; group < nGroups; group += 1) {
    let value = view.getUint32(group * 4);
    for (let at = group * 5 + 4; at >= group * 5; at -= 1) {
      const rest = (value / 85) >>> 0;
      text[at] = /** @type {number} */ (codes[value - rest * 85]);
      value = rest;
    }
  }
  return new TextDecoder().decode(text.subarray(0, text.length - (padded.length - bytes.length)));
}

/** @type {Uint8Array | null} */
let digits = null;

/**
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 * @throws {RangeError} for a text that no bytes are written as
 */
export function decode(text) {
  digits ??= digitTable();
  const nGroups = Math.ceil(text.length / 5);
  const nPadding = nGroups * 5 - text.length;
  if (nPadding === 4) throw new RangeError('the text ends in the middle of a byte');
  const view = new DataView(new ArrayBuffer(nGroups * 4));
  for (let group = 0; group < nGroups; group += 1) {
    let value = 0;
    for (let at = group * 5; at < group * 5 + 5; at += 1) {
      // Past the end the highest digit stands, so that the bytes that are there come out whole.
      const digit = at < text.length ? (digits[text.charCodeAt(at)] ?? none) : 84;
      if (digit === none) throw new RangeError(`character ${at} stands for no digit`);
      value = value * 85 + digit;
    }
    if (value > 0xffffffff) throw new RangeError(`group ${group} is more than four bytes`);
    view.setUint32(group * 4, value);
  }
  return new Uint8Array(view.buffer, 0, nGroups * 4 - nPadding);
}

/** Mark of a character that is no digit. */
const none = 255;

/** Digit of each character code below 128. */
function digitTable() {
  const table = new Uint8Array(128).fill(none);
  for (const [digit, character] of [...alphabet].entries()) table[character.charCodeAt(0)] = digit;
  return table;
}

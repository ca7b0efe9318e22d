/**
 * JSON, one value a line, out of bytes as they come. A line is bounded, so that a server that never ends one costs no more
 * memory than that; empty lines keep a connection open.
 */

import { LibraryError } from './errors.js';

/**
 * @param {AsyncIterable<Uint8Array>} bytes UTF-8
 * @param {{ maxLine: number, maxLines: number }} limits longest line, in characters, and most lines
 * @returns {AsyncGenerator<unknown, void, void>}
 * @throws {LibraryError} `bad-reply` or `too-large`
 */
export async function* jsonLines(bytes, { maxLine, maxLines }) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  /** @type {string[]} */
  let begun = [];
  let length = 0;
  let n = 0;
  const take = () => {
    const line = begun.join('').trim();
    begun = [];
    length = 0;
    if (line === '') return null;
    n += 1;
    if (n > maxLines) throw new LibraryError('too-large', `the reply has more than ${maxLines} lines`);
    return { value: parsed(line) };
  };
  for await (const part of bytes) {
    const pieces = decoded(decoder, part).split('\n');
    for (const [at, piece] of pieces.entries()) {
      if (at > 0) {
        const line = take();
        if (line) yield line.value;
      }
      begun.push(piece);
      length += piece.length;
      if (length > maxLine)
        throw new LibraryError('too-large', `a line of the reply has more than ${maxLine} characters`);
    }
  }
  begun.push(decoded(decoder, null));
  const last = take();
  if (last) yield last.value;
}

/** @param {TextDecoder} decoder @param {Uint8Array | null} part null at the end */
function decoded(decoder, part) {
  try {
    return part === null ? decoder.decode() : decoder.decode(part, { stream: true });
  } catch {
    throw new LibraryError('bad-reply', 'the reply is not in UTF-8');
  }
}

/** @param {string} line @returns {unknown} */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    throw new LibraryError('bad-reply', 'a line of the reply is not JSON');
  }
}

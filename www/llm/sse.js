/**
 * Server-sent events, as far as replies of models use them: the `event` and `data` of each message. It is fed
 * bytes in pieces of any size, so a character or a line end may be split between two; lines end with LF, CR or
 * CRLF; a message ends with an empty line. Of a message that the stream breaks off, nothing is given, as the
 * standard wants it, except by `end()`: some servers forget the last empty line.
 *
 * Linear in the input. A message that grows over the cap is refused: a hostile server could fill the memory
 * with one line that never ends.
 */

import { LlmError } from './errors.js';

/** @typedef {{ event: string, data: string }} SseMessage */

/** Characters that one message may have. */
export const maxEvent = 4 * 1024 * 1024;

export class SseParser {
  #decoder = new TextDecoder('utf-8'); // drops a byte order mark; what is no UTF-8 becomes U+FFFD
  #max;
  /** Parts of the line that has not ended. @type {string[]} */
  #line = [];
  #size = 0;
  #event = '';
  /** @type {string[]} */
  #data = [];
  /** True if the last character was CR: a LF right after it belongs to it. */
  #afterCr = false;

  /** @param {number} [max] */
  constructor(max = maxEvent) {
    this.#max = max;
  }

  /** @param {Uint8Array} bytes @returns {SseMessage[]} those that are complete now */
  push(bytes) {
    return this.#text(this.#decoder.decode(bytes, { stream: true }));
  }

  /** @returns {SseMessage[]} the last one, where the stream ended without the empty line after it */
  end() {
    const messages = this.#text(this.#decoder.decode());
    if (this.#line.length > 0) this.#take(this.#line.join(''));
    this.#line = [];
    const last = this.#dispatch();
    return last ? [...messages, last] : messages;
  }

  /** @param {string} text */
  #text(text) {
    /** @type {SseMessage[]} */
    const messages = [];
    let start = 0;
    if (this.#afterCr && text !== '') {
      if (text.startsWith('\n')) start = 1;
      this.#afterCr = false;
    }
    const ends = /\r\n?|\n/g;
    ends.lastIndex = start;
    for (let match = ends.exec(text); match; match = ends.exec(text)) {
      this.#line.push(text.slice(start, match.index));
      this.#grow(match.index - start);
      const line = this.#line.join('');
      this.#line = [];
      start = ends.lastIndex;
      if (match[0] === '\r' && start === text.length) this.#afterCr = true;
      if (line === '') {
        const message = this.#dispatch();
        if (message) messages.push(message);
      } else {
        this.#take(line);
      }
    }
    if (start < text.length) {
      this.#line.push(text.slice(start));
      this.#grow(text.length - start);
    }
    return messages;
  }

  /** @param {number} n */
  #grow(n) {
    this.#size += n;
    if (this.#size > this.#max)
      throw new LlmError('too-large', `one event of the reply has more than ${this.#max} characters`);
  }

  /** @param {string} line */
  #take(line) {
    const colon = line.indexOf(':');
    if (colon === 0) {
      this.#size -= Math.min(this.#size, line.length); // a comment: servers send them to keep the line open
      return;
    }
    const field = colon < 0 ? line : line.slice(0, colon);
    const rest = colon < 0 ? '' : line.slice(colon + 1);
    const value = rest.startsWith(' ') ? rest.slice(1) : rest;
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#event = value;
  }

  /** @returns {SseMessage | null} */
  #dispatch() {
    const message = this.#data.length > 0 ? { event: this.#event, data: this.#data.join('\n') } : null;
    this.#event = '';
    this.#data = [];
    this.#size = 0;
    return message;
  }
}

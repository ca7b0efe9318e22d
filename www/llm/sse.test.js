import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createParser } from 'eventsource-parser';
import { SseParser } from './sse.js';

/** @param {Uint8Array[]} pieces @param {SseParser} [parser] */
function read(pieces, parser = new SseParser()) {
  return pieces.flatMap((piece) => parser.push(piece));
}

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

/** Events as a well-known parser reads them. @param {string} text */
function oracle(text) {
  /** @type {{ event: string, data: string }[]} */
  const events = [];
  const parser = createParser({ onEvent: ({ event = '', data }) => events.push({ event, data }) });
  parser.feed(text.replace(/^\ufeff/, '')); // it leaves that mark to whoever decodes
  return events;
}

/** A generator of numbers from 0 to n - 1, the same every time. @param {number} seed */
function numbers(seed) {
  let state = seed;
  return (/** @type {number} */ n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** A stream, and the places where it is split. @param {number} seed */
function stream(seed) {
  const next = numbers(seed);
  const lines = [
    'data: {"a":1}',
    'data:x',
    'data',
    'data:',
    'data:  two spaces',
    ': comment',
    ':',
    'event: message_start',
    'event:',
    'id: 3',
    'retry: 10',
    'unknown: field',
    'nocolon',
    'data: 法律 § 5 🙂',
    'data: a:b:c',
    ' data: indented',
    '',
    '',
    '',
    '',
  ];
  const ends = ['\n', '\r\n', '\r'];
  const own = ends[next(4)];
  let text = next(3) === 0 ? '\ufeff' : '';
  for (let line = 0; line < 30; line += 1)
    text += (lines[next(lines.length)] ?? '') + (own ?? ends[next(3)] ?? '\n');
  return { text, next };
}

test('a stream reads the same as by another parser, however it is split', () => {
  for (let seed = 1; seed <= 2000; seed += 1) {
    const { text, next } = stream(seed);
    // The other parser waits at a CR at the very end for the LF that may follow.
    const expected = oracle(text.endsWith('\r') ? `${text}\n` : text);
    const whole = bytes(text);
    assert.deepEqual(read([whole]), expected, `seed ${seed}`);
    /** @type {Uint8Array[]} */
    const pieces = [];
    for (let start = 0; start < whole.length; ) {
      const length = next(4) === 0 ? 0 : 1 + next(9);
      pieces.push(whole.subarray(start, start + length));
      start += length;
    }
    assert.deepEqual(read(pieces), expected, `seed ${seed}, split`);
    assert.deepEqual(
      read([...whole].map((byte) => Uint8Array.of(byte))),
      expected,
      `seed ${seed}, byte by byte`,
    );
  }
});

test('lines of data are joined, comments and other fields are not', () => {
  const text = ': hello\nevent: delta\ndata: one\ndata: two\nid: 7\n\ndata\n\nevent: lost\n\ndata: x\n\n';
  assert.deepEqual(read([bytes(text)]), [
    { event: 'delta', data: 'one\ntwo' },
    { event: '', data: '' },
    { event: '', data: 'x' },
  ]);
});

test('a message without its empty line comes only at the end', () => {
  const parser = new SseParser();
  assert.deepEqual(read([bytes('data: {"a"'), bytes(':1}\ndata: b')], parser), []);
  assert.deepEqual(parser.end(), [{ event: '', data: '{"a":1}\nb' }]);
  assert.deepEqual(new SseParser().end(), []);
});

test('invalid UTF-8, or half a character at the end, becomes a replacement character', () => {
  const parser = new SseParser();
  read([bytes('data: x'), Uint8Array.of(0xff, 0xe6, 0xb3)], parser);
  assert.deepEqual(parser.end(), [{ event: '', data: 'x\ufffd\ufffd' }]);
});

test('a message that never ends is refused, comments that keep the line open are not', () => {
  const parser = new SseParser(1000);
  assert.throws(
    () =>
      read(
        Array.from({ length: 200 }, () => bytes('data: more\n')),
        parser,
      ),
    { code: 'too-large' },
  );
  assert.throws(
    () =>
      read(
        Array.from({ length: 200 }, () => bytes('xxxxxxxxxx')),
        new SseParser(1000),
      ),
    { code: 'too-large' },
  );
  const patient = new SseParser(1000);
  assert.deepEqual(
    read([bytes('data: a\n'), ...Array.from({ length: 500 }, () => bytes(': ping\n')), bytes('\n')], patient),
    [{ event: '', data: 'a' }],
  );
  assert.equal(
    read(
      Array.from({ length: 500 }, () => bytes('data: many\n\n')),
      new SseParser(20),
    ).length,
    500,
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { libraryAddress } from './address.js';

const page = 'https://portal.example/desk/index.html';

/** @param {unknown} text @param {string} [of] */
const found = (text, of = page) => {
  try {
    const { root, where } = libraryAddress(text, of);
    return [root.href, where];
  } catch (error) {
    return /** @type {{ reason: string }} */ (error).reason;
  }
};

test('an address of https, or of http on this machine, leads to its /v1/', () => {
  assert.deepEqual(found('https://library.example'), ['https://library.example/v1/', 'library.example']);
  assert.deepEqual(found(' https://library.example/law/ '), [
    'https://library.example/law/v1/',
    'library.example',
  ]);
  assert.deepEqual(found('https://library.example/v1'), ['https://library.example/v1/', 'library.example']);
  for (const host of ['localhost:8000', '127.0.0.1:8000', '[::1]:8000', 'library.localhost'])
    assert.deepEqual(found(`http://${host}`), [`http://${host}/v1/`, host]);
  assert.deepEqual(found(new URL('https://library.example/')), [
    'https://library.example/v1/',
    'library.example',
  ]);
});

test('relative to the page, a gateway that serves it is found', () => {
  assert.deepEqual(found('/'), ['https://portal.example/v1/', 'portal.example']);
  assert.deepEqual(found('../library'), ['https://portal.example/library/v1/', 'portal.example']);
  assert.equal(found('/', 'http://portal.example/'), 'address');
});

test('any other address is refused', () => {
  const refused = [
    ...['http://library.example', 'http://127.0.0.1.evil.example', 'http://localhost.evil.example'],
    ...[
      'ftp://library.example',
      'javascript:alert(1)',
      'data:text/html,x',
      'blob:https://a/b',
      'file:///etc',
    ],
    ...['https://user:pass@library.example', 'https://library.example/?key=1', 'https://library.example/#a'],
    ...['', '   ', 'https://', null, undefined, 7, {}],
  ];
  for (const each of refused) assert.equal(found(each), 'address', String(each));
});

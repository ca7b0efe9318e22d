import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf } from './answer.fixture.js';
import { RemoteDocuments } from './documents.js';

test('of all documents together no more bytes are held than there is room for', async () => {
  const bytes = new Uint8Array(40 * 1024 * 1024);
  const access = {
    /** @param {unknown} _ @param {(reply: any) => Promise<any>} use */
    request: (_, use) =>
      use({
        status: 200,
        headers: new Headers(),
        read: async function* () {
          yield bytes;
        },
      }),
  };
  const documents = new RemoteDocuments(
    /** @type {any} */ ({ access: () => access, engine: {}, isHere: () => false, onKnown: () => {} }),
  );
  const { file } = documents.checkHost;
  /** @type {ReturnType<typeof file>[]} */
  const files = [];
  for (const letter of ['a', 'b', 'c', 'd']) {
    const one = file(idOf(letter));
    await one.size();
    files.push(one);
  }
  const last = file(idOf('d'));
  assert.equal(last, files[3], 'the last stays');
  const isHeld = (/** @type {number} */ at) => file(idOf('abcd'[at] ?? '')) === files[at];
  assert.deepEqual([isHeld(2), isHeld(1), isHeld(0)], [true, true, false], 'the one used first is given up');
});

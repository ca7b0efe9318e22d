import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { idOf } from './answer.fixture.js';
import { LibraryError } from './errors.js';

// What modules of the page expect around them.
Reflect.set(
  globalThis,
  'CSSStyleSheet',
  class {
    replaceSync() {}
  },
);
Reflect.set(globalThis, 'document', {
  baseURI: 'https://page.example/',
  addEventListener: () => {},
  removeEventListener: () => {},
});
Reflect.set(globalThis, 'addEventListener', () => {});
Reflect.set(globalThis, 'removeEventListener', () => {});
const { RemoteLibrary } = await import('./remote-library.js');

/** @param {string} letter */
const list = (letter) => ({
  documents: [{ id: idOf(letter), name: `${letter}.pdf`, title: null, date: null, nPages: 1 }],
  nDocuments: 1,
  profiles: [],
});

/** @type {InstanceType<typeof RemoteLibrary> | null} */
let library = null;
afterEach(() => library?.close());

/** A library whose lists come, or fail, when the test says so. */
function opened() {
  /** @type {{ come: (value: unknown) => void, fail: (error: unknown) => void, signal: AbortSignal }[]} */
  const requests = [];
  const send = (/** @type {any} */ { onReply, signal }, /** @type {unknown} */ _, /** @type {any} */ use) =>
    new Promise((resolve, reject) => {
      const come = (/** @type {unknown} */ value) => {
        onReply({ status: 200, headers: new Headers() });
        const read = async function* () {
          yield new TextEncoder().encode(JSON.stringify(value));
        };
        use({ type: 'application/json', read }).then(resolve, reject);
      };
      requests.push({ come, fail: reject, signal });
    });
  library = new RemoteLibrary(
    { url: 'https://library.example/' },
    /** @type {any} */ ({
      engine: { snapshot: { documents: [] } },
      send,
      ledger: {},
      onState: () => {},
      onError: () => {},
    }),
  );
  library.open();
  return { library, requests };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

test('of two requests for the list only the newest counts, however the older one ends', async () => {
  for (const isFailing of [true, false]) {
    const { library, requests } = opened();
    await settled();
    library.connect();
    await settled();
    const [older, newest] = requests;
    assert.ok(older && newest);
    assert.deepEqual([older.signal.aborted, newest.signal.aborted], [true, false], 'the older one is ended');
    newest.come(list('b'));
    await settled();
    if (isFailing) older.fail(new LibraryError('unreachable', 'gone'));
    else older.come(list('a'));
    await settled();
    assert.deepEqual([library.status.state, library.documents.map(({ name }) => name)], ['open', ['b.pdf']]);
    library.close();
  }
});

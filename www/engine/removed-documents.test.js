import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RemovedDocuments } from './removed-documents.js';

/** @param {string} id */
const listed = (id) => /** @type {import('./protocol.js').LibraryDocument} */ ({ id, name: `${id}.pdf` });

/** Documents that an owner takes out, and puts back unless they are there again. */
function removing() {
  /** @type {string[]} */
  const forgotten = [];
  /** @type {any[]} */
  const requests = [];
  const owner = {
    there: new Set(['a', 'b']),
    /** @type {Error | null} */
    fault: null,
    request: async (/** @type {any} */ request) => {
      requests.push(request);
      if (owner.fault) throw owner.fault;
      if (request.type === 'remove')
        return owner.there.delete(request.document) ? listed(request.document) : null;
      if (owner.there.has(request.kept.id)) return null;
      owner.there.add(request.kept.id);
      return request.kept;
    },
  };
  const removed = new RemovedDocuments(
    () => /** @type {any} */ (owner),
    (id) => forgotten.push(id),
  );
  const names = () => removed.documents.map(({ id }) => id);
  return { removed, owner, names, forgotten, requests };
}

test('a document that was taken out can be put back, once', async () => {
  const { removed, owner, names, forgotten } = removing();
  await removed.take(listed('a'), 1000);
  assert.deepEqual([names(), [...owner.there]], [['a'], ['b']]);
  assert.equal((await removed.putBack('a'))?.id, 'a');
  assert.deepEqual([names(), [...owner.there]], [[], ['b', 'a']]);
  assert.equal(await removed.putBack('a'), undefined, 'nothing is held of it');
  assert.deepEqual(forgotten, []);
});

test('after its time it is forgotten, and asked for without a way back it never was held', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { removed, names, forgotten } = removing();
  await removed.take(listed('a'), 1000);
  await removed.take(listed('b'), 0);
  assert.deepEqual(names(), ['a']);
  t.mock.timers.tick(999);
  assert.deepEqual(forgotten, []);
  t.mock.timers.tick(1);
  assert.deepEqual([names(), forgotten], [[], ['a']]);
});

test('while it is being put back its time does not end', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { removed, forgotten } = removing();
  await removed.take(listed('a'), 1000);
  const back = removed.putBack('a');
  t.mock.timers.tick(2000);
  assert.equal((await back)?.id, 'a');
  assert.deepEqual(forgotten, []);
});

test('where it cannot be taken out there is nothing to put back', async () => {
  const { removed, owner, names, forgotten } = removing();
  owner.fault = new Error('lost');
  const taken = removed.take(listed('a'), 1000);
  assert.deepEqual(names(), ['a'], 'it is held from the first moment');
  await assert.rejects(taken, /lost/);
  assert.deepEqual([names(), forgotten], [[], ['a']]);
});

test('where it cannot be put back it is held, to be tried again', async () => {
  const { removed, owner, names } = removing();
  await removed.take(listed('a'), 1000);
  owner.fault = new Error('lost');
  await assert.rejects(removed.putBack('a'), /lost/);
  assert.deepEqual(names(), ['a']);
  owner.fault = null;
  assert.equal((await removed.putBack('a'))?.id, 'a');
});

test('one that was added again meanwhile is let go of, and is not put over it', async () => {
  const { removed, owner, names, forgotten, requests } = removing();
  await removed.take(listed('a'), 1000);
  await removed.take(listed('b'), 1000);
  owner.there.add('a');
  assert.equal(await removed.putBack('a'), null, 'the owner has it');
  removed.release('b');
  assert.equal(await removed.putBack('b'), undefined);
  assert.deepEqual([names(), forgotten], [[], []]);
  assert.equal(requests.filter(({ type }) => type === 'restore').length, 1);
});

test('one that another tab added again and that is taken out once more has all its time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { removed, owner, names, forgotten } = removing();
  await removed.take(listed('a'), 1000);
  t.mock.timers.tick(900);
  owner.there.add('a');
  await removed.take(listed('a'), 1000);
  t.mock.timers.tick(900);
  assert.deepEqual([names(), forgotten], [['a'], []]);
  t.mock.timers.tick(100);
  assert.deepEqual([names(), forgotten], [[], ['a']]);
});

test('a removal that fails lets go of itself and of no other', async () => {
  const { removed, owner, names } = removing();
  let fail = () => {};
  const { request } = owner;
  owner.request = () => new Promise((_, reject) => (fail = () => reject(new Error('lost'))));
  const failing = removed.take(listed('a'), 1000);
  owner.request = request;
  await removed.take(listed('a'), 1000);
  fail();
  await assert.rejects(failing, /lost/);
  assert.deepEqual(names(), ['a']);
});

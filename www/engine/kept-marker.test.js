import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallStorage } from './client.fixture.js';
import { KeptMarker } from './kept-marker.js';

test('each library has a marker of its own, which outlasts the page', () => {
  const storage = smallStorage();
  new KeptMarker('a', storage).update(true);
  assert.deepEqual(
    ['a', 'b'].map((library) => new KeptMarker(library, storage).isSet),
    [true, false],
  );
  const next = new KeptMarker('a', storage);
  next.update(true);
  next.update(false);
  assert.equal(new KeptMarker('a', storage).isSet, false);
});

test('a marker that another tab has set stays where this one has no documents', () => {
  const storage = smallStorage();
  const other = new KeptMarker('a', storage);
  new KeptMarker('a', storage).update(true);
  other.update(false);
  assert.equal(other.isSet, true);
});

test('a library in memory has none, nor has one where the browser denies it', () => {
  const storage = smallStorage();
  for (const marker of [new KeptMarker(null, storage), new KeptMarker('a', null)]) {
    marker.update(true);
    assert.deepEqual([marker.isSet, marker.take()], [false, false]);
  }
  assert.equal(new KeptMarker('null', storage).isSet, false);
});

test('storage that is full is no failure', () => {
  const storage = smallStorage();
  storage.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  new KeptMarker('a', storage).update(true);
  assert.equal(new KeptMarker('a', storage).isSet, false);
});

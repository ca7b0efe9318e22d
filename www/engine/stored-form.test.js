import assert from 'node:assert/strict';
import { test } from 'node:test';
import { segmentOf, vectorsOf } from './packed.fixture.js';
import { documentOfSegment, sourcesOfVectors } from './stored-form.js';

test('stored bytes say which document they are of', () => {
  assert.equal(documentOfSegment(segmentOf('one')), 'one');
  const two = new Uint8Array([...vectorsOf('one', 'm'), ...vectorsOf('two', 'm')]);
  assert.deepEqual(sourcesOfVectors(two), {
    documents: new Set(['one', 'two']),
    fingerprints: new Set(['m']),
  });
});

test('an id is read to the letter: a byte order mark makes it another, and what is no text is none', () => {
  assert.equal(documentOfSegment(segmentOf('\uFEFFone')), '\uFEFFone');
  const broken = segmentOf('one');
  broken[broken.length - 2] = 0xff;
  assert.equal(documentOfSegment(broken), null);
});

test('bytes of anything else are of no document', () => {
  for (const bytes of [
    new Uint8Array(),
    new Uint8Array(100),
    vectorsOf('one'),
    segmentOf('one').slice(0, 40),
  ])
    assert.equal(documentOfSegment(bytes), null);
  assert.equal(sourcesOfVectors(segmentOf('one')), null);
});

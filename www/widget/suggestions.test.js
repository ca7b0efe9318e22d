import assert from 'node:assert/strict';
import { test } from 'node:test';
import { en } from '../strings/en.js';
import { Suggestions } from './parts/suggestions.js';

/** As much of an element as suggestions use. */
class FakeElement {
  /** @type {FakeElement[]} */
  children = [];
  /** @type {FakeElement | null} */
  parentNode = null;
  text = '';
  /** @param {string} tag */
  constructor(tag) {
    this.tag = tag;
  }
  setAttribute() {}
  addEventListener() {}
  /** @param {(FakeElement | string)[]} children */
  append(...children) {
    for (const child of children) {
      if (typeof child === 'string') this.text += child;
      else {
        child.parentNode = this;
        this.children.push(child);
      }
    }
  }
  remove() {
    const all = this.parentNode?.children ?? [];
    all.splice(all.indexOf(this), 1);
    this.parentNode = null;
  }
}
Reflect.set(globalThis, 'document', { createElement: (/** @type {string} */ tag) => new FakeElement(tag) });

/** @typedef {Parameters<Suggestions['update']>[0]} Snapshot */

const samples = [
  { file: 'sample.pdf', title: '', about: '', questions: ['Of the sample?', 'And what else?'] },
];
const aboutReturns = 'What do the documents say about late returns?';

/** @param {string} id @param {string} [name] */
const documentOf = (id, name = `${id}.docx`) => ({ id, name, problem: null, addedAt: Number(id.slice(1)) });
/** @param {ReturnType<typeof documentOf>[]} documents @param {Partial<Snapshot>} [more] */
const snapshotOf = (documents, more = {}) =>
  /** @type {Snapshot} */ (/** @type {unknown} */ ({ state: 'open', jobs: [], documents, ...more }));

/** Suggestions of an engine whose every document has a section on late returns. */
function setUp() {
  const world = {
    /** @type {string[]} */ read: [],
    /** @type {(AbortSignal | undefined)[]} */ signals: [],
    /** Settles when a question is answered. */ answering: Promise.resolve(),
    isWanted: true,
    fails: 0,
    /** @type {import('../engine/protocol.js').Filter | null} */ filter: null,
    snapshot: snapshotOf([]),
    /** @param {Snapshot} snapshot */
    update: (snapshot) => {
      world.snapshot = snapshot;
      suggestions.update(snapshot);
    },
    shown: () => buttons().map(({ text }) => text),
    buttons: () => buttons(),
    close: () => suggestions.close(),
  };
  const words = 'The Supplier must do this in the way and by the time that the Customer asks of it. ';
  const engine = {
    get snapshot() {
      return world.snapshot;
    },
    text: async (/** @type {string} */ id) => {
      world.read.push(id);
      if (world.fails-- > 0) throw new Error('lost');
      return [
        { kind: 'heading', text: 'Late returns' },
        { kind: 'paragraph', text: words.repeat(2) },
      ];
    },
    ask: async (/** @type {string} */ _, /** @type {{ signal?: AbortSignal }} */ { signal }) => {
      world.signals.push(signal);
      await world.answering;
      const documentId = world.read.at(-1);
      return { answerability: 'answers', citations: [{ documentId, sectionPath: ['Late returns'] }] };
    },
  };
  const suggestions = new Suggestions({
    strings: en,
    engine: () => /** @type {import('../engine/client.js').Engine} */ (/** @type {unknown} */ (engine)),
    isWanted: () => world.isWanted,
    filter: () => world.filter,
    onAsk: () => {},
  });
  const buttons = () =>
    /** @type {FakeElement} */ (/** @type {unknown} */ (suggestions.element)).children.flatMap((group) =>
      group.children.filter(({ tag }) => tag === 'button'),
    );
  suggestions.offer(/** @type {import('./parts/welcome.js').Sample[]} */ (/** @type {unknown} */ (samples)));
  return world;
}
const settled = () => new Promise((done) => setTimeout(done, 500));

test('while a library opens or files are read nothing is read for examples, and then once', async () => {
  const world = setUp();
  const documents = ['d1', 'd2', 'd3', 'd4', 'd5'].map((id) => documentOf(id));
  const jobs = /** @type {Snapshot['jobs']} */ (/** @type {unknown} */ ([{ stage: 'pages' }]));
  for (const n of documents.keys()) world.update(snapshotOf(documents.slice(0, n + 1), { state: 'opening' }));
  for (const n of documents.keys()) world.update(snapshotOf(documents.slice(0, n + 1), { jobs }));
  await settled();
  assert.deepEqual(world.read, []);
  for (const n of documents.keys()) world.update(snapshotOf(documents.slice(0, n + 1)));
  await settled();
  assert.deepEqual(world.read, ['d5', 'd4', 'd3'], 'of the newest, and of no set of documents before');
});

test('examples that are no longer wanted are not made; they are when they are wanted again', async () => {
  const world = setUp();
  world.update(snapshotOf([documentOf('d1')]));
  world.isWanted = false;
  world.update(snapshotOf([documentOf('d1')]));
  await settled();
  assert.deepEqual(world.read, []);
  world.isWanted = true;
  world.update(snapshotOf([documentOf('d1')]));
  await settled();
  assert.deepEqual(world.shown(), ['What does the document say about late returns?']);
  assert.ok(world.signals.every((signal) => signal instanceof AbortSignal));
});

test('a view that is closed makes no examples, and those that are wanted when it is shown again', async () => {
  const world = setUp();
  let answer = () => {};
  world.answering = new Promise((done) => (answer = done));
  for (const ms of [0, 500]) {
    world.update(snapshotOf([documentOf('d1')]));
    await new Promise((done) => setTimeout(done, ms));
    world.close();
  }
  assert.deepEqual([world.read.length, world.signals[0]?.aborted], [1, true], 'one was begun, and ended');
  answer();
  await settled();
  assert.deepEqual(world.shown(), []);
  world.update(snapshotOf([documentOf('d1')]));
  await settled();
  assert.deepEqual(world.shown(), ['What does the document say about late returns?']);
});

test('one failure is not the end, and a lasting one is not tried without end', async () => {
  const world = setUp();
  world.fails = 99;
  for (let at = 0; at < 5; at += 1) {
    world.update(snapshotOf([documentOf('d1')]));
    await settled();
  }
  assert.equal(world.read.length, 3);
});

test('what is on show stays in its place, and the filter leaves out what it would not find', async () => {
  const world = setUp();
  const documents = [documentOf('d1', 'sample.pdf'), documentOf('d2')];
  world.update(snapshotOf(documents));
  const before = world.buttons();
  assert.deepEqual(world.shown(), ['Of the sample?', 'And what else?']);
  await settled();
  assert.deepEqual(world.shown(), ['Of the sample?', 'And what else?', aboutReturns]);
  assert.ok(before.every((button, at) => world.buttons()[at] === button));
  world.filter = { documents: ['d2'] };
  world.update(snapshotOf(documents));
  assert.deepEqual(world.shown(), [aboutReturns]);
  for (const filter of [{ documents: ['d1'] }, { sections: ['4'] }, { from: '2020-01-01' }]) {
    world.filter = filter;
    world.update(snapshotOf(documents));
    assert.deepEqual(world.shown(), ['Of the sample?', 'And what else?'], JSON.stringify(filter));
  }
});

test('what is being made of documents that are no longer the newest is ended', async () => {
  const world = setUp();
  let answer = () => {};
  world.answering = new Promise((done) => {
    answer = done;
  });
  world.update(snapshotOf([documentOf('d1')]));
  await settled();
  world.update(snapshotOf([documentOf('d1'), documentOf('d2')]));
  assert.deepEqual(
    world.signals.map((signal) => signal?.aborted),
    [true],
  );
  answer();
  await settled();
  assert.deepEqual(world.read, ['d1', 'd2', 'd1']);
});

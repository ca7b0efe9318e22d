import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf, citation, idOf } from './answer.fixture.js';
import { LibraryError } from './errors.js';
import { joinedEngine } from './joined-engine.js';

/** @typedef {import('../engine/protocol.js').Answer} Answer */

const ofHere = () => answerOf([citation(1, 'said here')]);
const ofThere = () =>
  answerOf([
    citation(1, 'said there', { documentId: idOf('b'), document: 'b.pdf', library: 'library.example' }),
  ]);

/** An engine with one document, and what it was asked. */
class FakeEngine {
  #secret = 'private fields work';
  /** @type {any[]} */
  asked = [];
  ids = [idOf('a')];
  gpu = 'auto';
  answer = () => Promise.resolve(ofHere());
  get snapshot() {
    return { documents: this.ids.map((id) => ({ id, name: 'a.pdf', problem: null })), jobs: [] };
  }
  /** @param {string} question @param {any} settings */
  ask(question, settings) {
    this.asked.push({ question, ...settings });
    return this.answer();
  }
  /** @param {string} id */
  async file(id) {
    return `file ${id} ${this.#secret}`;
  }
}

/** A library of the documents b and c. */
class FakeLibrary {
  where = 'library.example';
  isAsked = true;
  panel = null;
  /** @type {any[]} */
  asked = [];
  /** @type {any[]} */
  told = [];
  documents = [
    { id: idOf('b'), name: 'b.pdf' },
    { id: idOf('c'), name: 'c.pdf' },
  ];
  answer = () => Promise.resolve(ofThere());
  has = (/** @type {string} */ id) => this.documents.some((document) => document.id === id);
  isHere = (/** @type {string} */ id) => id === idOf('a');
  explained = (/** @type {unknown} */ error) => error;
  tell = (/** @type {unknown} */ error) => this.told.push(error);
  file = async (/** @type {string} */ id) => `remote ${id}`;
  source = async (/** @type {string} */ id) => `ranges ${id}`;
  /** @param {string} question @param {any} settings */
  ask(question, settings) {
    this.asked.push({ question, ...settings });
    return this.answer();
  }
}

function made() {
  const [engine, library] = [new FakeEngine(), new FakeLibrary()];
  const joined = joinedEngine(/** @type {any} */ (engine), /** @type {any} */ (library));
  return { engine, library, joined };
}

/** Ids of the documents that each was asked for; undefined where it was not asked, `all` without a choice. @param {any[]} asked */
const scopeOf = (asked) => asked.map(({ documents, filter }) => documents ?? filter?.documents ?? 'all')[0];

test('it lists the documents of both, and finds what is opened where it lies', async () => {
  const { engine, library, joined } = made();
  assert.deepEqual(
    joined.snapshot.documents.map(({ id, problem }) => [id, problem]),
    [idOf('a'), idOf('b'), idOf('c')].map((id) => [id, null]),
  );
  assert.equal(await joined.file(idOf('a')), `file ${idOf('a')} private fields work`);
  assert.equal(await joined.file(idOf('b')), `remote ${idOf('b')}`);
  assert.equal(await joined.source?.(idOf('b')), `ranges ${idOf('b')}`);
  joined.gpu = 'never';
  assert.equal(engine.gpu, 'never');
  library.isAsked = false;
  assert.deepEqual(
    joined.snapshot.documents.map(({ problem }) => problem?.code ?? null),
    [null, 'library-failed', 'library-failed'],
  );
  engine.ids = [idOf('a'), idOf('b')];
  assert.equal(joined.snapshot.documents.filter(({ id }) => id === idOf('b')).length, 1);
});

test('a question goes where the chosen documents lie, and nowhere else', async () => {
  const chosen = [
    { filter: null, here: 'all', there: 'all' },
    { filter: { documents: [idOf('a'), idOf('c')] }, here: [idOf('a')], there: [idOf('c')] },
    { filter: { documents: [idOf('a'), idOf('b'), idOf('c')] }, here: [idOf('a')], there: 'all' },
    { filter: { documents: [idOf('a')] }, here: [idOf('a')], there: undefined },
    { filter: { documents: [idOf('b')] }, here: undefined, there: [idOf('b')] },
    { filter: { from: '2023' }, here: 'all', there: 'all' },
    { filter: { documents: [idOf('a')], inForce: true }, here: [idOf('a')], there: undefined },
  ];
  for (const { filter, here, there } of chosen) {
    const { engine, library, joined } = made();
    await joined.ask('q', { filter });
    assert.deepEqual([scopeOf(engine.asked), scopeOf(library.asked)], [here, there], JSON.stringify(filter));
  }
  const { engine, library, joined } = made();
  library.isAsked = false;
  await joined.ask('q', {});
  assert.deepEqual([engine.asked.length, library.asked.length], [1, 0]);
});

test('what narrows passages is asked of both; a list of documents that has not all narrows nothing', async () => {
  const passages = { sections: ['Part 3'], from: '2024', to: '2024-06', inForce: true };
  const sent = [
    { filter: null, here: null, there: [null, null] },
    { filter: passages, here: passages, there: [passages, null] },
    {
      filter: { ...passages, documents: [idOf('a'), idOf('b')] },
      here: { ...passages, documents: [idOf('a')] },
      there: [passages, [idOf('b')]],
    },
  ];
  for (const { filter, here, there } of sent) {
    const { engine, library, joined } = made();
    await joined.ask('q', { filter });
    const [{ filter: filtered, documents }] = library.asked;
    assert.deepEqual([engine.asked[0].filter, [filtered, documents]], [here, there]);
  }
  const { library, joined } = made();
  library.documents = [];
  await joined.ask('q', { filter: passages });
  assert.equal(scopeOf(library.asked), 'all');
});

test('of an answer that the library had no part in, nothing is said', async () => {
  const { joined } = made();
  const answer = await joined.ask('q', { filter: { documents: [idOf('a')] } });
  assert.equal(joined.about?.(answer, null), undefined);
});

test('of earlier turns the library is sent its own, and a model here those of this browser', async () => {
  const { engine, library, joined } = made();
  const first = await joined.ask('first', {});
  const turn = {
    question: 'first',
    answer: first.answer,
    cites: first.citations.map(({ document, documentId, page }) => ({
      document,
      documentId,
      page,
      sectionPath: [],
    })),
  };
  const before = { question: 'before', answer: 'of a document of this browser', cites: [] };
  await joined.ask('second', { history: [before, turn] });
  assert.deepEqual(library.asked[1].history, [{ question: 'first', answer: 'said there [P1]' }]);
  const [old, mine] = engine.asked[1].history;
  assert.deepEqual(old, before);
  assert.equal(mine.answer, 'said here [P1]');
  assert.deepEqual(
    mine.cites.map((/** @type {any} */ { documentId }) => documentId),
    [idOf('a')],
  );
  assert.ok(!JSON.stringify(library.asked).includes('this browser'));
  assert.ok(!JSON.stringify(engine.asked).includes('said there'));
});

test('a turn of a library that was set before is not told a model here either', async () => {
  const { engine, joined } = made();
  const cites = [idOf('a'), idOf('b')].map((documentId) => ({
    document: 'x',
    documentId,
    page: 1,
    sectionPath: [],
  }));
  await joined.ask('q', { history: [{ question: 'before', answer: 'said there, elsewhere', cites }] });
  assert.deepEqual(engine.asked[0].history, [{ question: 'before', answer: '', cites: cites.slice(0, 1) }]);
});

test('if the library fails, this browser’s answer stands, and the page around is told', async () => {
  const { library, joined } = made();
  library.answer = () => Promise.reject(new LibraryError('cut-off', 'it broke'));
  const answer = await joined.ask('q', {});
  assert.deepEqual(
    answer.citations.map(({ quote }) => quote),
    ['said here'],
  );
  assert.deepEqual(
    library.told.map(({ code }) => code),
    ['library-failed'],
  );
  assert.equal(joined.about?.(answer, null)?.isRemote, false);
});

test('if this browser has no documents, the library’s answer or failure is all there is', async () => {
  const { engine, library, joined } = made();
  engine.ids = [];
  const answer = await joined.ask('q', {});
  assert.deepEqual([engine.asked.length, answer.citations[0]?.quote], [0, 'said there']);
  assert.equal(joined.about?.(answer, null)?.isRemote, true);
  library.answer = () => Promise.reject(new LibraryError('offline', 'no network'));
  await assert.rejects(joined.ask('q', {}), { code: 'library-failed', reason: 'offline' });
});

test('if this browser fails, the library’s answer stands', async () => {
  const { engine, library, joined } = made();
  engine.answer = () => Promise.reject(new Error('the engine stopped'));
  assert.equal((await joined.ask('q', {})).citations[0]?.quote, 'said there');
  library.answer = () => Promise.reject(new LibraryError('offline', 'no network'));
  await assert.rejects(joined.ask('q', {}), /the engine stopped/);
});

test('a question that is taken back is an error, whatever came', async () => {
  const { engine, library, joined } = made();
  const controller = new AbortController();
  engine.answer = async () => {
    controller.abort();
    return ofHere();
  };
  library.answer = () => Promise.reject(new LibraryError('cancelled', 'cancelled'));
  await assert.rejects(joined.ask('q', { signal: controller.signal }), { code: 'cancelled' });
  const [{ signal }] = library.asked;
  assert.ok(signal.aborted);
});

/**
 * Two states over one storage are two tabs with one library. Storage and locks are stand-ins that keep what tabs rely on: a
 * transaction that writes waits for those before it and sees what they wrote, and a lock has one holder.
 */

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { usual } from './settings.js';
import { LabState } from './state.js';

/** @typedef {import('./kept-lab.js').Run} Run */

const run = (/** @type {string} */ id, at = 0) =>
  /** @type {Run} */ ({ id, at, settings: { ...usual }, answers: 'none', isDone: false });
const result = (/** @type {string} */ question) => ({ question, asked: '[]', hits: [], answer: null });
const ids = (/** @type {LabState} */ { runs }) => runs.map(({ id, isDone }) => (isDone ? id : `${id} ended`));
const found = (/** @type {LabState} */ { results }, /** @type {string} */ id) =>
  (results.get(id) ?? []).map(({ question }) => question);

/** A tab that has opened the lab. */
async function tab() {
  const none = /** @type {any} */ (null);
  const state = new LabState('library', none, none);
  await state.load();
  return state;
}

/** Runs to the end. @param {LabState} state @param {Run} one @param {readonly string[]} questions */
async function whole(state, one, questions = ['q1', 'q2']) {
  assert.equal(await state.beginRun(one), 'begun');
  await state.addResults(one.id, questions.map(result));
  await state.finishRun();
  await state.endRun();
}

/** Runs until it is cancelled. @param {LabState} state @param {Run} one @param {string} question */
async function cutOff(state, one, question) {
  assert.equal(await state.beginRun(one), 'begun');
  await state.addResults(one.id, [result(question)]);
  await state.endRun();
}

/** @type {ReturnType<typeof storage>} */
let stored;

beforeEach(() => {
  stored = storage();
  Object.assign(globalThis, { indexedDB: stored, IDBKeyRange: { bound: (/** @type {any} */ from) => from } });
  Object.defineProperty(globalThis, 'navigator', { value: { locks: locks() }, configurable: true });
});

test('runs that two tabs make one after the other are both kept', async () => {
  const [here, there] = [await tab(), await tab()];
  await whole(here, run('a'));
  await whole(there, run('b'));
  assert.deepEqual(ids(there), ['b', 'a']);
  assert.deepEqual(found(there, 'a'), ['q1', 'q2'], 'with their results');
  assert.deepEqual(ids(here), ['a']);
  await here.refresh();
  assert.deepEqual(ids(here), ['b', 'a'], 'at the latest when the lab is opened again');
  assert.deepEqual(found(here, 'b'), ['q1', 'q2']);
});

test('runs that two tabs make at the same time are both kept, and compared with the run before', async () => {
  await whole(await tab(), run('before'));
  const [here, there] = [await tab(), await tab()];
  await Promise.all([here.beginRun(run('a')), there.beginRun(run('b'))]);
  assert.deepEqual(
    [ids(here), ids(there)],
    [
      ['a ended', 'before'],
      ['b ended', 'before'],
    ],
  );
  await Promise.all([here.addResults('a', [result('q1')]), there.addResults('b', [result('q1')])]);
  await here.finishRun();
  assert.deepEqual(ids(here), ['a', 'before']);
  await there.addResults('b', [result('q2')]);
  await there.finishRun();
  assert.deepEqual(ids(there), ['b', 'a']);
  const later = await tab();
  assert.deepEqual(ids(later), ['b', 'a'], 'this one and the one before');
  assert.deepEqual([found(later, 'b'), found(later, 'a')], [['q1', 'q2'], ['q1']]);
});

test('a run that is under way in another tab is no run that ended early, and another one leaves it alone', async () => {
  const here = await tab();
  await here.beginRun(run('a'));
  await here.addResults('a', [result('q1')]);
  const there = await tab();
  assert.deepEqual(ids(there), []);
  assert.equal(await there.beginRun(run('a')), 'elsewhere');
  await whole(there, run('b'));
  assert.deepEqual(ids(there), ['b']);
  await here.addResults('a', [result('q2')]);
  await here.finishRun();
  await there.refresh();
  assert.deepEqual(
    [ids(there), found(there, 'a')],
    [
      ['a', 'b'],
      ['q1', 'q2'],
    ],
  );
});

test('a run that ended early goes on in whichever tab, once, and is replaced by one that begins', async () => {
  const here = await tab();
  await cutOff(here, run('a'), 'q1');
  const there = await tab();
  assert.deepEqual([ids(there), found(there, 'a')], [['a ended'], ['q1']]);
  await whole(there, run('a'), ['q2']);
  assert.equal(await here.beginRun(run('a')), 'done');
  await here.endRun();
  assert.deepEqual([ids(here), found(here, 'a')], [['a'], ['q1', 'q2']]);

  await cutOff(here, run('b'), 'q1');
  assert.deepEqual(ids(here), ['b ended', 'a']);
  await whole(here, run('c'));
  const later = await tab();
  assert.deepEqual(ids(later), ['c', 'a'], 'b is gone');
  await whole(later, run('b'), []);
  assert.deepEqual(found(later, 'b'), [], 'with its results');
});

test('a run that was seen to have ended, and goes on in its tab, is not replaced', async () => {
  const here = await tab();
  await cutOff(here, run('a'), 'q1');
  const there = await tab();
  assert.deepEqual(ids(there), ['a ended']);
  await here.beginRun(run('a'));
  await whole(there, run('b'));
  await here.finishRun();
  await there.refresh();
  assert.deepEqual([ids(there), found(there, 'a')], [['a', 'b'], ['q1']]);
});

test('a run that another tab replaced goes on with the results that are here', async () => {
  const here = await tab();
  await cutOff(here, run('a'), 'q1');
  await whole(await tab(), run('b'));
  await whole(here, run('a'), ['q2']);
  const later = await tab();
  assert.deepEqual(
    [ids(later), found(later, 'a')],
    [
      ['a', 'b'],
      ['q1', 'q2'],
    ],
  );
});

test('a library that another tab clears in the midst of a run keeps nothing of it', async () => {
  const [here, there] = [await tab(), await tab()];
  await here.beginRun(run('a'));
  stored.clear();
  await here.addResults('a', [result('q1')]);
  await here.finishRun();
  await here.endRun();
  await there.refresh();
  assert.deepEqual([ids(here), ids(there)], [[], []]);
  await whole(there, run('a'), []);
  assert.deepEqual(found(await tab(), 'a'), [], 'no result was stored');
});

test('questions of another tab come with its runs, and settings that are being tried stay', async () => {
  const [here, there] = [await tab(), await tab()];
  const question = { id: 'q1', query: 'Who pays?', answer: '', places: [] };
  await there.changeQuestions(() => [question]);
  await whole(there, { ...run('a'), settings: { ...usual, k: 50 } });
  here.setSettings({ ...usual, k: 30 });
  await here.refresh();
  assert.deepEqual([here.questions, here.settings.k], [[question], 30]);
});

test('without Web Locks the runs of both tabs are kept all the same', async () => {
  Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
  const [here, there] = [await tab(), await tab()];
  await Promise.all([here.beginRun(run('a')), there.beginRun(run('b'))]);
  await Promise.all([here.addResults('a', [result('q1')]), there.addResults('b', [result('q2')])]);
  await Promise.all([here.finishRun(), there.finishRun()]);
  const later = await tab();
  assert.deepEqual(ids(later).sort(), ['a', 'b']);
  assert.deepEqual([found(later, 'a'), found(later, 'b')], [['q1'], ['q2']]);
});

test('where nothing can be stored, runs last as long as the page', async () => {
  Object.assign(globalThis, { indexedDB: { open: () => assert.fail('no storage') } });
  const here = await tab();
  await cutOff(here, run('a'), 'q1');
  await here.refresh();
  assert.deepEqual([ids(here), found(here, 'a')], [['a ended'], ['q1']]);
  await whole(here, run('a'), ['q2']);
  await whole(here, run('b'));
  assert.deepEqual(
    [ids(here), found(here, 'a')],
    [
      ['b', 'a'],
      ['q1', 'q2'],
    ],
  );
});

/** One database as IndexedDB has it, as far as the lab uses it: keys are names, or a run and a question. */
function storage() {
  /** @type {Map<string, Map<string, unknown>>} */
  const tables = new Map();
  const keyOf = (/** @type {any} */ key) => JSON.stringify(key);
  // A range is its lower bound, `[run]`, and has every key of that run.
  const isIn = (/** @type {string} */ key, /** @type {any} */ range) => JSON.parse(key)[0] === range[0];
  const table = (/** @type {string} */ name) => tables.get(name) ?? assert.fail(`no table ${name}`);
  /** Transactions run one after the other. */
  let last = Promise.resolve();

  const transaction = () => {
    /** @type {(() => void)[]} */
    const waiting = [];
    /** @type {any} */
    const made = { objectStore };
    /** @param {() => unknown} work */
    function request(work) {
      /** @type {any} */
      const pending = {};
      waiting.push(() => {
        pending.result = work();
        pending.onsuccess?.();
      });
      return pending;
    }
    function objectStore(/** @type {string} */ name) {
      return {
        get: (/** @type {any} */ key) => request(() => structuredClone(table(name).get(keyOf(key)))),
        put: (/** @type {any} */ value, /** @type {any} */ key) =>
          request(() => table(name).set(keyOf(key), structuredClone(value))),
        getAll: (/** @type {any} */ range) =>
          request(() => [...table(name)].flatMap(([key, value]) => (isIn(key, range) ? [value] : []))),
        delete: (/** @type {any} */ range) =>
          request(() => {
            for (const key of [...table(name).keys()]) if (isIn(key, range)) table(name).delete(key);
          }),
      };
    }
    last = last.then(async () => {
      // It is complete when a turn has passed in which nothing was asked of it.
      for (await turn(); waiting.length > 0; await turn()) waiting.shift()?.();
      made.oncomplete?.();
    });
    return made;
  };
  return {
    clear: () => tables.clear(),
    open: () => {
      /** @type {any} */
      const pending = {
        result: {
          createObjectStore: (/** @type {string} */ name) => tables.set(name, new Map()),
          transaction,
          close: () => {},
        },
      };
      void turn().then(() => {
        if (tables.size === 0) pending.onupgradeneeded();
        pending.onsuccess();
      });
      return pending;
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Web Locks, as far as the lab uses them. */
function locks() {
  /** @type {Set<string>} */
  const held = new Set();
  return {
    query: async () => ({ held: [...held].map((name) => ({ name })) }),
    request: async (/** @type {string} */ name, /** @type {any} */ _, /** @type {any} */ work) => {
      await turn();
      if (held.has(name)) return work(null);
      held.add(name);
      try {
        return await work({ name });
      } finally {
        held.delete(name);
      }
    },
  };
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OpenQuestions } from './open-questions.js';

/** A library whose questions note what they are given, by the text of the question. */
function setUp() {
  /** @type {[string, string, unknown?][]} */
  const calls = [];
  const library = {
    giveVectors: () => {},
    asking: (/** @type {string} */ question) => ({
      need: () => ({ kind: 'search', query: `${question} ${calls.length}` }),
      compared: (/** @type {unknown} */ matches) => calls.push([question, 'compared', matches]),
      free: () => calls.push([question, 'freed']),
    }),
  };
  const questions = new OpenQuestions(/** @type {any} */ (library));
  const begin = (/** @type {string} */ question) =>
    /** @type {{ ask: number }} */ (
      questions.handle({
        type: 'ask-begin',
        question,
        history: [],
        profile: null,
        glossary: {},
        model: false,
        filter: null,
        ann: 'auto',
      })
    ).ask;
  return { calls, questions, begin };
}

test('the matches of a comparison go to their question, which then says what it needs', () => {
  const { calls, questions, begin } = setUp();
  const [first] = [begin('first'), begin('second')];
  const matches = [{ best: new Float32Array(4), ranges: new Uint32Array(4) }, null];
  const need = questions.handle({ type: 'ask-compared', ask: first, matches });
  assert.deepEqual(need, { kind: 'search', query: 'first 1' }, 'asked after the matches were taken');
  assert.equal(calls.length, 1);
  assert.deepEqual(calls[0], ['first', 'compared', matches]);
  assert.equal(calls[0]?.[2], matches);
});

test('a comparison that comes after its question was dropped is refused', () => {
  const { calls, questions, begin } = setUp();
  const ask = begin('first');
  questions.handle({ type: 'ask-drop', ask });
  assert.throws(() => questions.handle({ type: 'ask-compared', ask, matches: [] }), { code: 'internal' });
  assert.deepEqual(calls, [['first', 'freed']]);
});

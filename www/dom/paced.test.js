import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Paced } from './paced.js';

/** Work of 10 ms, by a clock that stands still otherwise, and how often it ran. @param {import('node:test').TestContext} t */
function paced(t) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const seen = { time: 0, runs: 0 };
  const work = new Paced(
    () => {
      seen.runs += 1;
      seen.time += 10;
    },
    () => seen.time,
  );
  const pass = (/** @type {number} */ ms) => {
    seen.time += ms;
    t.mock.timers.tick(ms);
  };
  return { work, seen, pass };
}

test('a change is followed at once', (t) => {
  const { work, seen, pass } = paced(t);
  work.change();
  assert.equal(seen.runs, 1);
  pass(30);
  work.change();
  assert.equal(seen.runs, 2);
});

test('many changes take a quarter of the time, and the last of them is followed', (t) => {
  const { work, seen, pass } = paced(t);
  for (let change = 0; change < 400; change += 1) {
    work.change();
    pass(1);
  }
  assert.ok(seen.runs >= 8 && seen.runs <= 14, `${seen.runs} runs in ${seen.time} ms`);
  const { runs } = seen;
  work.change();
  pass(30);
  assert.equal(seen.runs, runs + 1);
  pass(1000);
  assert.equal(seen.runs, runs + 1, 'nothing runs without a change');
});

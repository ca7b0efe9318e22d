import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskTimes } from './task-times.js';

test('the summary of tasks names the longest, and is of the latest ones', () => {
  const times = new TaskTimes();
  assert.deepEqual(times.summary(), { tasks: 0, p95: 0, longest: 0, longestTask: '' });
  times.add('add', 1000);
  for (let n = 1; n <= 100; n += 1) times.add('search', n);
  const { tasks, p95, longest, longestTask } = times.summary();
  assert.deepEqual([tasks, p95, longest, longestTask], [101, 96, 1000, 'add']);
  for (let n = 0; n < 10_000; n += 1) times.add('search', 1);
  assert.equal(times.summary().longestTask, 'search');
  assert.ok(times.summary().tasks <= 10_000);
});

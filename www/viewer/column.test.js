import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf } from './column.js';

const page = {
  width: 600,
  height: 800,
  convertToViewportPoint: (/** @type {number} */ x, /** @type {number} */ y) => [x, 800 - y],
};
/** @param {number} x @param {number} y @param {number} width */
const run = (x, y, width) => ({ str: 'words', transform: [10, 0, 0, 10, x, y], width, height: 10 });
/** A box lit on the page, from points. @param {number} left @param {number} top @param {number} width */
const lit = (left, top, width) => ({ left: left / 6, top: top / 8, width: width / 6, height: 1.25 });

test('the column of part of a line is as wide as the lines around it', () => {
  const lines = [run(72, 500, 456), run(72, 486, 220), run(300, 486, 228), run(90, 472, 400)];
  const { left, width } = columnOf(lines, page, [lit(310, 304, 60)]) ?? {};
  assert.equal(left, 72);
  assert.equal(width, 456);
});

test('the other column of a page of two is left out, and so is a heading far above', () => {
  const lines = [
    run(50, 760, 500),
    ...[0, 1, 2].flatMap((n) => [run(50, 400 - 12 * n, 235), run(315, 400 - 12 * n, 235)]),
  ];
  assert.deepEqual(columnOf(lines, page, [lit(330, 395, 60)]), { left: 315, width: 235 });
});

test('numbers that hang in the margin belong to the column, a narrow first column of many words does not', () => {
  const lines = [0, 1, 2].map((n) => run(140, 400 - 12 * n, 380));
  const numbers = [run(90, 400, 24), run(90, 376, 24)];
  assert.deepEqual(columnOf([...numbers, ...lines], page, [lit(150, 392, 60)]), { left: 90, width: 430 });
  const beside = [run(40, 400, 84), ...numbers];
  assert.deepEqual(columnOf([...beside, ...lines], page, [lit(150, 392, 60)]), { left: 140, width: 380 });
});

test('a cell is shown with what stands around it, inside the page', () => {
  const column = columnOf([run(560, 400, 30)], page, [lit(560, 392, 30)]);
  assert.deepEqual(column, { left: 420, width: 180 });
});

test('without lit words all text of the page is meant, without text nothing', () => {
  assert.deepEqual(columnOf([run(60, 700, 300), run(200, 90, 340)], page, []), { left: 60, width: 480 });
  assert.equal(columnOf([], page, []), null);
  assert.equal(columnOf([{ ...run(60, 700, 300), str: '  ' }, run(Number.NaN, 0, 5)], page, []), null);
});

test('text beyond the edge of the page widens nothing', () => {
  const column = columnOf([run(50, 400, 5_000), run(-900, 388, 100)], page, [lit(60, 392, 60)]);
  assert.deepEqual(column, { left: 50, width: 550 });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxOf } from './highlight.js';

const upright = {
  width: 200,
  height: 400,
  convertToViewportPoint: (/** @type {number} */ x, /** @type {number} */ y) => [x, 400 - y],
};
/** A quarter turn clockwise of a 400 × 200 page. */
const turned = {
  width: 200,
  height: 400,
  convertToViewportPoint: (/** @type {number} */ x, /** @type {number} */ y) => [y, x],
};

test('a quad becomes a box in per cent of the page as shown', () => {
  assert.deepEqual(boxOf([20, 380, 120, 380, 20, 360, 120, 360], upright), {
    left: 10,
    top: 5,
    width: 50,
    height: 5,
  });
});

test('a turned page turns the box', () => {
  assert.deepEqual(boxOf([40, 20, 140, 20, 40, 10, 140, 10], turned), {
    left: 5,
    top: 10,
    width: 5,
    height: 25,
  });
});

test('anything but a quad is not drawn', () => {
  for (const quad of [[], [1, 2, 3], [NaN, 0, 0, 0, 0, 0, 0, 0]]) assert.equal(boxOf(quad, upright), null);
});

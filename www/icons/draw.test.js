import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { iconPng, iconSvg } from './draw.mjs';

/** Colour of a pixel, 0 to 1 across. @param {Buffer} png @param {number} size @param {number} x @param {number} y */
function pixel(png, size, x, y) {
  const start = png.indexOf('IDAT') + 4;
  const rows = inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)));
  const at = Math.floor(y * size) * (size * 4 + 1) + 1 + Math.floor(x * size) * 4;
  return [...rows.subarray(at, at + 4)];
}

test('the icon has round corners, paper, and one lit line; the maskable one goes to its edges', () => {
  const size = 96;
  const icon = iconPng(size);
  assert.equal(icon.readUInt32BE(16), size);
  assert.equal(pixel(icon, size, 0, 0)[3], 0);
  assert.deepEqual(pixel(icon, size, 0.1, 0.5), [0x24, 0x51, 0x8a, 255]);
  assert.deepEqual(pixel(icon, size, 0.5, 0.22), [0xff, 0xfe, 0xfb, 255]);
  assert.deepEqual(pixel(icon, size, 0.31, 0.5), [0xff, 0xe0, 0x66, 255]);
  assert.deepEqual(pixel(iconPng(size, { isMaskable: true }), size, 0, 0), [0x24, 0x51, 0x8a, 255]);
});

test('drawn twice it is the same, and the SVG has nothing that runs', () => {
  assert.ok(iconPng(48).equals(iconPng(48)));
  assert.match(iconSvg(), /^<svg [^<]*(<rect [^<>]*\/>)+<\/svg>\n$/);
});

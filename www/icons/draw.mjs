/**
 * The app's icon, drawn by us: a page with one line lit. It is a list of rounded rectangles, which makes an SVG as well as
 * PNGs of any size; systems that install an app want both. An edge is smooth by the share of a pixel that a shape covers.
 */

import { deflateSync } from 'node:zlib';

/** Side of the drawing; all lengths below are in its units. */
const side = 512;

/** @typedef {{ x: number, y: number, width: number, height: number, radius: number, fill: string }} Shape */

/** @param {number} radius of the corners; 0 where the system cuts the icon out itself @returns {Shape[]} */
const shapes = (radius) => [
  { x: 0, y: 0, width: side, height: side, radius, fill: '#24518a' },
  { x: 132, y: 92, width: 248, height: 328, radius: 24, fill: '#fffefb' },
  ...[148, 320, 364].map((y) => ({ x: 172, y, width: 168, height: 20, radius: 10, fill: '#c9c2b3' })),
  { x: 152, y: 200, width: 208, height: 88, radius: 14, fill: '#ffe066' },
  ...[216, 252].map((y) => ({ x: 172, y, width: 168, height: 20, radius: 10, fill: '#3b3000' })),
];
const rounded = 112;

export function iconSvg() {
  const rects = shapes(rounded).map(
    ({ x, y, width, height, radius, fill }) =>
      `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">${rects.join('')}</svg>\n`;
}

/** Address of the icon as a document holds it itself. */
export const iconAddress = () => `data:image/svg+xml;base64,${Buffer.from(iconSvg()).toString('base64')}`;

/**
 * @param {number} size in pixels
 * @param {{ isMaskable?: boolean }} [options] maskable: up to its edges, with all that matters within the middle
 * @returns {Buffer}
 */
export function iconPng(size, { isMaskable = false } = {}) {
  const scale = size / side;
  const pixels = Buffer.alloc(size * size * 4);
  for (const shape of shapes(isMaskable ? 0 : rounded)) {
    const colour = [1, 3, 5].map((at) => Number.parseInt(shape.fill.slice(at, at + 2), 16));
    for (let row = 0; row < size; row += 1)
      for (let column = 0; column < size; column += 1) {
        const share = coverage(shape, (column + 0.5) / scale, (row + 0.5) / scale, scale);
        if (share > 0) blend(pixels, (row * size + column) * 4, colour, share);
      }
  }
  return png(size, pixels);
}

/** Share of a pixel that a shape covers, by the distance of its middle from the shape's edge. @param {Shape} shape @param {number} x @param {number} y @param {number} scale */
function coverage({ x: left, y: top, width, height, radius }, x, y, scale) {
  const dx = Math.abs(x - left - width / 2) - width / 2 + radius;
  const dy = Math.abs(y - top - height / 2) - height / 2 + radius;
  const distance = Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
  return Math.min(1, Math.max(0, 0.5 - distance * scale));
}

/** Lays a colour over a pixel. @param {Buffer} pixels @param {number} at @param {number[]} colour @param {number} share */
function blend(pixels, at, colour, share) {
  const below = (pixels[at + 3] ?? 0) / 255;
  const alpha = share + below * (1 - share);
  for (const [channel, value] of colour.entries()) {
    const under = pixels[at + channel] ?? 0;
    pixels[at + channel] = Math.round((value * share + under * below * (1 - share)) / alpha);
  }
  pixels[at + 3] = Math.round(alpha * 255);
}

/** @param {number} size @param {Buffer} pixels RGBA */
function png(size, pixels) {
  const rows = [];
  for (let row = 0; row < size; row += 1)
    rows.push(Buffer.of(0), pixels.subarray(row * size * 4, (row + 1) * size * 4));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8); // 8 bits, RGBA, no interlacing
  return Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Checksum of PNG. @param {Buffer} bytes */
function crc32(bytes) {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

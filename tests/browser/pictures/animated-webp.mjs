/**
 * An animated WebP of pictures that the browser has encoded: the container of RFC 9649 alone, in which each frame is
 * what has changed since the one before.
 */

/** @typedef {{ x: number, y: number, width: number, height: number, ms: number, webp: Uint8Array }} Frame a rectangle from even `x` and `y` in pixels, how long it is shown, and its picture */

/** Canvas beyond this is refused by the format, in pixels. */
const maxSide = 1 << 24;
/** A frame is drawn over what is there, and stays. */
const overwrites = 0b10;
const hasAnimation = 0b10;

/**
 * @param {{ width: number, height: number }} size pixels
 * @param {readonly Frame[]} frames
 * @returns {Buffer}
 */
export function animatedWebp({ width, height }, frames) {
  if (width > maxSide || height > maxSide) throw new Error(`${width} × ${height} pixels are too many`);
  const header = Buffer.concat([Buffer.from([hasAnimation, 0, 0, 0]), int24(width - 1), int24(height - 1)]);
  // Background white, repeated without end.
  const animation = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0]);
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', header),
    chunk('ANIM', animation),
    ...frames.map((frame) => chunk('ANMF', frameOf(frame))),
  ]);
  return chunk('RIFF', body);
}

/** @param {Frame} frame */
function frameOf({ x, y, width, height, ms, webp }) {
  if (x % 2 !== 0 || y % 2 !== 0) throw new Error(`a frame begins at even pixels, found ${x}, ${y}`);
  const place = [x / 2, y / 2, width - 1, height - 1, Math.round(ms)].map(int24);
  return Buffer.concat([...place, Buffer.from([overwrites]), ...bitstreamOf(Buffer.from(webp))]);
}

/** The chunks of a still WebP that hold its picture. @param {Buffer} still */
function bitstreamOf(still) {
  if (still.toString('latin1', 0, 4) !== 'RIFF' || still.toString('latin1', 8, 12) !== 'WEBP')
    throw new Error('expected a WebP picture');
  const chunks = [];
  for (let at = 12; at + 8 <= still.length; ) {
    const name = still.toString('latin1', at, at + 4);
    const length = still.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (['ALPH', 'VP8 ', 'VP8L'].includes(name)) chunks.push(still.subarray(at, end));
    at = end;
  }
  return chunks;
}

/** @param {string} name four letters @param {Buffer} content */
function chunk(name, content) {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** @param {number} value */
function int24(value) {
  return Buffer.from([value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff]);
}

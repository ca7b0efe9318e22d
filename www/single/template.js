/**
 * The page in one file as a text: its frame with script and style put in, then its files as blocks of data, then the
 * ending. Shared by the build and by a page in one file that writes the page of an evidence file again from what is
 * inside it: the same bytes come out.
 */

import { ending } from '../engine/page-ending.js';
import { encode } from './base85.js';

export { ending };

/** Bytes of a block: a block is decoded at a time, and the page answers between two. */
export const blockBytes = 1 << 20;

/** Name of the frame of an evidence file inside the page in one file. */
export const frameName = 'evidence-frame.html';

/**
 * True if an evidence file needs a file of the page: nothing is asked in it, so the model, its encoder and the lab stay out, and
 * with them five sixths of the bytes.
 * @param {string} name
 */
export const isForEvidence = (name) =>
  name !== frameName &&
  !/^(?:model|samples|device|lab)\/|^engine\/pincite_(?:encoder_bg|relaxed)\.wasm$/.test(name);

/**
 * The page up to its blocks. The frame has an empty style and an empty script.
 * @param {string} frame
 * @param {{ style: string, script: string }} own
 */
export function headOf(frame, { style, script }) {
  const parts = [`<style>${style}</style>`, `<script>${script}</script>\n`];
  const [head, middle, end, ...more] = frame.split(/<style><\/style>|<script><\/script>\n/);
  if (end !== ending || more.length > 0) throw new Error('the frame is not one of a page in one file');
  return `${head}${parts[0]}${middle}${parts[1]}`;
}

/**
 * The blocks of a file.
 * @param {string} name
 * @param {Uint8Array} packed compressed by gzip
 */
export function* blocksOf(name, packed) {
  for (let at = 0; at < packed.length; at += blockBytes)
    yield `<script type="text/plain" data-file="${name}">${encode(packed.subarray(at, at + blockBytes))}</script>\n`;
}

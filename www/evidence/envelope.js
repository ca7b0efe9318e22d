/**
 * The data of an evidence file as it stands in the page: a header and blocks, each the text of an element that no browser
 * runs. The first block is the head, which says where the contents end and hashes them; the blocks after it are the
 * contents and then the documents, cut into pieces of one size. With a lock every block is sealed.
 */

import { blockBytes } from '../single/template.js';
import { maxContentsBytes, maxDocumentBytes } from './contents.js';
import { EvidenceError } from './errors.js';
import { isLock, tagBytes } from './seal.js';

/** @typedef {import('./seal.js').Lock} Lock */
/** @typedef {{ bytes: number, lock: Lock | null }} Header `bytes` of contents and documents */

const format = 1;
/** Bytes of the head: SHA-256 of the contents, and their length. */
export const headBytes = 36;
const kinds = /** @type {const} */ ({ header: 'header', block: 'block' });

/** @param {Header} header */
export function headerText({ bytes, lock }) {
  return JSON.stringify({ format, bytes, lock });
}

/**
 * @param {string} text
 * @returns {Header}
 * @throws {EvidenceError}
 */
export function readHeader(text) {
  /** @type {unknown} */
  let header = null;
  try {
    if (text.length <= 1_000) header = JSON.parse(text);
  } catch {
    // Said below.
  }
  const { format: version, bytes, lock } = /** @type {Record<string, unknown>} */ (header ?? {});
  if (typeof version === 'number' && version !== format)
    throw new EvidenceError('format', `format ${version}, expected ${format}`);
  const isSize = Number.isInteger(bytes) && Number(bytes) > 0;
  if (version !== format || !isSize || !(lock === null || isLock(lock)))
    throw new EvidenceError('damaged', 'the header is not one of an evidence file');
  if (Number(bytes) > maxContentsBytes + maxDocumentBytes)
    throw new EvidenceError('too-large', `${bytes} bytes are more than a page can hold`);
  return { bytes: Number(bytes), lock };
}

/** Sizes of the blocks, in bytes, in their order. @param {Header} header */
export function* blockSizes({ bytes, lock }) {
  const more = lock === null ? 0 : tagBytes;
  yield headBytes + more;
  for (let at = 0; at < bytes; at += blockBytes) yield Math.min(blockBytes, bytes - at) + more;
}

/** An element of the data. @param {keyof typeof kinds} kind @param {string} text without a character that means something in HTML */
export function elementText(kind, text) {
  return `<script type="text/plain" data-evidence="${kinds[kind]}">${text}</script>\n`;
}

/** @typedef {{ header: string, blocks: HTMLScriptElement[] }} Envelope */

/**
 * The data in a page that was read to its end.
 * @param {ParentNode} page
 * @returns {Envelope}
 * @throws {EvidenceError} `absent` where there is none
 */
export function envelopeIn(page) {
  const of = (/** @type {string} */ kind) => [
    .../** @type {NodeListOf<HTMLScriptElement>} */ (
      page.querySelectorAll(`script[data-evidence="${kind}"]`)
    ),
  ];
  const [header, ...others] = of(kinds.header);
  if (!header) throw new EvidenceError('absent', 'the page has no data of an evidence file');
  if (others.length > 0) throw new EvidenceError('damaged', 'the page has two headers');
  return { header: (header.textContent ?? '').trim(), blocks: of(kinds.block) };
}

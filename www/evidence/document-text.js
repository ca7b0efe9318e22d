/**
 * The text of a document as the engine reads it, and where words stand in it. Positions are UTF-16 code units here and
 * bytes of UTF-8 at the engine's border. Blocks and rows end in one line end, cells in one tab: all three count as a space,
 * so that a position stays what it is.
 */

/** @typedef {{ start: number, end: number }} Range */
/** @typedef {Range & { kind: import('../engine/protocol.js').TextBlock['kind'] }} BlockAt */

/** Blocks that are asked for at once. */
const pieceLength = 1_000;
/** Kinds of block that a quotation may leave out without a mark: notes, headings, rows. */
const leftOut = new Set(['footnote', 'heading', 'table']);
/** Most places of the same words that are looked at. */
const maxPlaces = 1_000;

/** @param {string} text */
export const flat = (text) => text.replace(/[\n\t\r]/g, ' ').trim();

export class DocumentText {
  #text;
  #blocks;
  #encoder = new TextEncoder();

  /** @param {readonly { kind: BlockAt['kind'], text: string }[]} blocks all of a document */
  constructor(blocks) {
    this.#text = blocks.map(({ text }) => text.replace(/[\n\t\r]/g, ' ')).join(' ');
    let at = 0;
    /** @type {BlockAt[]} */
    this.#blocks = blocks.map(({ kind, text }) => {
      const start = at;
      at += text.length + 1;
      return { kind, start, end: start + text.length };
    });
  }

  /**
   * Reads it from the engine.
   * @param {Pick<import('../engine/client.js').Engine, 'text'>} engine
   * @param {string} id
   */
  static async of(engine, id) {
    /** @type {import('../engine/protocol.js').TextBlock[]} */
    const blocks = [];
    for (;;) {
      const piece = await engine.text(id, blocks.length, pieceLength);
      blocks.push(...piece);
      if (piece.length < pieceLength) return new DocumentText(blocks);
    }
  }

  /**
   * Where a quotation stands word for word: in one range, or part after part where a mark says that words are left out
   * between, or nothing is but notes, headings and rows. Of several places the nearest to where it should be.
   * @param {string} quote
   * @param {number} near code unit
   * @returns {Range[] | null}
   */
  find(quote, near) {
    const whole = this.#nearest(flat(quote), near);
    if (whole) return [whole];
    /** @type {Range[]} */
    const found = [];
    const pieces = quote.split(/( \[…\] |\n)/);
    for (let at = 0; at < pieces.length; at += 2) {
      const words = flat(pieces[at] ?? '');
      const before = found.at(-1);
      const part = before ? this.#next(words, before.end) : this.#nearest(words, near);
      if (!part) return null;
      const isMarked = pieces[at - 1] !== '\n';
      if (before && !isMarked && this.#leavesWordsOut({ start: before.end, end: part.start })) return null;
      found.push(part);
    }
    return found.length > 1 ? found : null;
  }

  /** Words of a range, block by block: a passage may begin or end with any of them. @param {Range} range */
  wordsByBlock({ start, end }) {
    return this.#blocks
      .filter((block) => block.start < end && block.end > start)
      .map((block) => this.#text.slice(Math.max(start, block.start), Math.min(end, block.end)).trim());
  }

  /** @param {Range} range in code units @returns {Range} in bytes */
  inBytes({ start, end }) {
    const first = this.#encoder.encode(this.#text.slice(0, start)).length;
    return { start: first, end: first + this.#encoder.encode(this.#text.slice(start, end)).length };
  }

  /** Code unit at a byte; the end of the text for one past it. @param {number} byte */
  unitAt(byte) {
    return new TextDecoder().decode(this.#encoder.encode(this.#text).subarray(0, byte)).length;
  }

  /** @param {string} words @param {number} from @returns {Range | null} */
  #next(words, from) {
    const start = words === '' ? -1 : this.#text.indexOf(words, from);
    return start < 0 ? null : { start, end: start + words.length };
  }

  /** @param {string} words @param {number} near @returns {Range | null} */
  #nearest(words, near) {
    let best = this.#next(words, 0);
    let each = best;
    for (let n = 0; each && n < maxPlaces; n += 1) {
      if (best && Math.abs(each.start - near) < Math.abs(best.start - near)) best = each;
      each = this.#next(words, each.start + 1);
    }
    return best;
  }

  /** @param {Range} gap */
  #leavesWordsOut({ start, end }) {
    return this.#blocks
      .filter((block) => !leftOut.has(block.kind) && block.start < end && block.end > start)
      .some(
        (block) => this.#text.slice(Math.max(start, block.start), Math.min(end, block.end)).trim() !== '',
      );
  }
}

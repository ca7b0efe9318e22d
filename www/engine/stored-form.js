/**
 * Of which document stored bytes are, from their head (`crate/index/src/codec/`): the engine files what it reads under the
 * document that the bytes name, and a file that a person opens may name another one. The engine checks all else.
 */

const magic = 'pincite\0';
/** Bytes before the table of sections, of a row of it, and of the checksum behind it. */
const [beforeTable, rowBytes, sumBytes] = [24, 24, 8];
/** Longest name or fingerprint that is read, in bytes. */
const maxStringBytes = 64 * 1024;

/** Id of the document that a segment is of; null where it is no segment. @param {Uint8Array} bytes */
export function documentOfSegment(bytes) {
  const meta = fileAt(bytes, 0, 'segment')?.meta;
  if (!meta) return null;
  const reader = new Reader(bytes, meta);
  reader.at += 1; // the analyzer
  reader.string(); // its name
  return reader.string();
}

/**
 * Documents and models that stored vectors are of, and their number; null where they are no vectors. They lie in one batch or
 * several, one after the other.
 * @param {Uint8Array} bytes
 * @returns {{ documents: Set<string | null>, fingerprints: Set<string | null> } | null}
 */
export function sourcesOfVectors(bytes) {
  const [documents, fingerprints] = [new Set(), new Set()];
  for (let at = 0; at < bytes.byteLength || at === 0; ) {
    const file = fileAt(bytes, at, 'vectors');
    if (!file) return null;
    const reader = new Reader(bytes, file.meta);
    documents.add(reader.string());
    fingerprints.add(reader.string());
    at = file.end;
  }
  return { documents, fingerprints };
}

/**
 * A file of sections, the first of which holds what it is about.
 * @param {Uint8Array} bytes @param {number} start of the file @param {'segment' | 'vectors'} kind
 * @returns {{ meta: number, end: number } | null}
 */
function fileAt(bytes, start, kind) {
  if (start + beforeTable > bytes.byteLength) return null;
  const text = new TextDecoder().decode(bytes.subarray(start, start + 2 * magic.length));
  if (text !== magic + kind.padEnd(magic.length, '\0')) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const nSections = view.getUint32(start + beforeTable - 4, true);
  const meta = start + beforeTable + rowBytes * nSections + sumBytes;
  if (meta > bytes.byteLength) return null;
  let end = meta;
  for (let row = 0; row < nSections; row += 1)
    end += Number(view.getBigUint64(start + beforeTable + rowBytes * row + magic.length, true));
  return end <= bytes.byteLength ? { meta, end } : null;
}

/** A text as the engine reads it, with a byte order mark that it may begin with; null where it is none. @param {Uint8Array} bytes */
function exactly(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Reader of what postcard wrote. Past the end there is nothing. */
class Reader {
  #bytes;

  /** @param {Uint8Array} bytes @param {number} at */
  constructor(bytes, at) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** A text behind its length; null where there is none. */
  string() {
    let length = 0;
    for (let factor = 1, byte = 0x80; byte >= 0x80; factor *= 0x80) {
      byte = this.#bytes[this.at++] ?? 0;
      length += (byte % 0x80) * factor;
      if (length > maxStringBytes) return null;
    }
    const text = this.#bytes.subarray(this.at, this.at + length);
    this.at += length;
    return text.byteLength === length ? exactly(text) : null;
  }
}

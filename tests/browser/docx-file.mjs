/** Small Word files of our own, for documents whose words a test needs to choose, in any script. */

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const office = 'http://schemas.openxmlformats.org';

/**
 * A document of plain paragraphs.
 * @param {string} name
 * @param {readonly string[]} paragraphs
 * @param {string} [hidden] text that a word processor does not show
 * @returns {{ name: string, bytes: Uint8Array }}
 */
export function docx(name, paragraphs, hidden = '') {
  const escaped = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const paragraph = (/** @type {string} */ text, format = '') =>
    `<w:p><w:r>${format}<w:t>${escaped(text)}</w:t></w:r></w:p>`;
  const unseen = hidden === '' ? '' : paragraph(hidden, '<w:rPr><w:vanish/></w:rPr>');
  const body = paragraphs.map((text) => paragraph(text)).join('') + unseen;
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const bytes = zip({
    '[Content_Types].xml': `<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${type}"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${office}/package/2006/relationships"><Relationship Id="rId1" Type="${office}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="${office}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  });
  return { name, bytes };
}

/** A ZIP file whose parts are stored as they are. @param {Record<string, string>} parts XML by name */
function zip(parts) {
  /** @type {Buffer[]} */
  const files = [];
  /** @type {Buffer[]} */
  const directory = [];
  let at = 0;
  for (const [name, xml] of Object.entries(parts)) {
    const content = Buffer.from(declaration + xml);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), content]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common, place, Buffer.from(name)]));
    files.push(file);
    at += file.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...files, ...directory, Buffer.from('PK\x05\x06'), end]);
}

/** @param {Uint8Array} bytes */
function crc32(bytes) {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xed_b8_83_20 : 0);
  }
  return ~sum >>> 0;
}

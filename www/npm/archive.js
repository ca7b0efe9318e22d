/**
 * Several small files in one: the 169 character maps of pdf.js would be 169 files in every portal's build. The length of
 * the table as four bytes, little end first; the table, name → length, as JSON; the files in its order.
 */

/** @param {ReadonlyMap<string, Uint8Array>} files @returns {Uint8Array<ArrayBuffer>} */
export function writeArchive(files) {
  const table = new TextEncoder().encode(
    JSON.stringify(Object.fromEntries([...files].map(([name, bytes]) => [name, bytes.length]))),
  );
  const total = [...files.values()].reduce((sum, { length }) => sum + length, 4 + table.length);
  const archive = new Uint8Array(total);
  new DataView(archive.buffer).setUint32(0, table.length, true);
  archive.set(table, 4);
  let at = 4 + table.length;
  for (const bytes of files.values()) {
    archive.set(bytes, at);
    at += bytes.length;
  }
  return archive;
}

/** Files by name; views of the archive. @param {Uint8Array} archive @returns {Map<string, Uint8Array>} */
export function readArchive(archive) {
  const tableLength = new DataView(archive.buffer, archive.byteOffset).getUint32(0, true);
  let at = 4 + tableLength;
  /** @type {Record<string, number>} */
  const table = JSON.parse(new TextDecoder().decode(archive.subarray(4, at)));
  return new Map(
    Object.entries(table).map(([name, length]) => {
      const bytes = archive.subarray(at, at + length);
      at += length;
      return [name, bytes];
    }),
  );
}

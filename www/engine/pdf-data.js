/**
 * Data of pdf.js read from elsewhere than a folder: the page in one file and the npm package have none. Colour profiles
 * are not among it: pdf.js reads them by address only.
 */

/**
 * @typedef {object} PdfDataOptions options of pdf.js for its own data
 * @property {string} cMapUrl
 * @property {string} standardFontDataUrl
 * @property {string} wasmUrl
 * @property {string} [iccUrl]
 * @property {boolean} [useWorkerFetch]
 * @property {object} [BinaryDataFactory]
 */

/**
 * Options of pdf.js for data that is read by its path: `cmaps/NAME`, `standard_fonts/NAME`, `wasm/NAME`.
 * @param {(path: string) => Promise<Uint8Array>} read
 * @returns {PdfDataOptions}
 */
export function readPdfData(read) {
  return {
    cMapUrl: 'cmaps/',
    standardFontDataUrl: 'standard_fonts/',
    wasmUrl: 'wasm/',
    useWorkerFetch: false,
    BinaryDataFactory: class {
      /** @type {Record<string, string>} */
      #folders;

      /** @param {Record<string, string>} folders by kind */
      constructor(folders) {
        this.#folders = folders;
      }

      /** @param {{ kind: string, filename: string }} wanted */
      fetch({ kind, filename }) {
        return read(`${this.#folders[kind] ?? ''}${filename}`);
      }
    },
  };
}

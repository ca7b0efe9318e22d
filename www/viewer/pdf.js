/**
 * Access to pdf.js. Its library is loaded with the first document that is opened, its worker once per page. Neither
 * needs eval; fonts go in through the FontFace interface, styles through the CSSOM.
 */

import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.min.mjs';
import { build } from '../engine/protocol.js';

export const { TextLayer } = pdfjs;

/** @typedef {import('pdfjs-dist').PDFDocumentProxy} PdfDocument */
/** @typedef {import('pdfjs-dist').PDFPageProxy} PdfPage */
/** @typedef {import('pdfjs-dist').PageViewport} PageViewport */

/** @type {import('pdfjs-dist').PDFWorker | null} */
let worker = null;

/**
 * pdf.js measures text on canvases that it hangs into the body and expects its own style sheet to hide.
 */
function hideMeasuringCanvases() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    'canvas.hiddenCanvasElement { position: absolute; inset: 0 auto auto 0; width: 0; height: 0; display: none; }',
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/**
 * @param {object} options
 * @param {ArrayBuffer} options.data
 * @param {URL} options.base the folder that holds `viewer/`
 * @param {string | null} options.password
 * @param {(wrong: boolean) => Promise<string>} options.askPassword
 * @returns {Promise<PdfDocument>}
 */
export async function openPdf({ data, base, password, askPassword }) {
  if (worker === null || worker.destroyed) {
    hideMeasuringCanvases();
    pdfjs.GlobalWorkerOptions.workerSrc = new URL(`viewer/pdf.worker.min.mjs?v=${build}`, base).href;
    worker = new pdfjs.PDFWorker();
  }
  const task = pdfjs.getDocument({
    data: new Uint8Array(data),
    worker,
    ...(password === null ? {} : { password }),
    isEvalSupported: false,
    enableXfa: false,
    // Substituted fonts would be named by address in a FontFace, which the policy refuses; as bytes they pass.
    useSystemFonts: false,
    stopAtErrors: false,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
    cMapUrl: new URL('viewer/cmaps/', base).href,
    cMapPacked: true,
    standardFontDataUrl: new URL('viewer/standard_fonts/', base).href,
    iccUrl: new URL('viewer/iccs/', base).href,
    wasmUrl: new URL('viewer/wasm/', base).href,
  });
  task.onPassword = (
    /** @type {(password: string | Error) => void} */ give,
    /** @type {number} */ reason,
  ) => {
    askPassword(reason === pdfjs.PasswordResponses.INCORRECT_PASSWORD).then(give, (error) => give(error));
  };
  return task.promise;
}

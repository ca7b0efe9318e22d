/**
 * Access to pdf.js. Its library is loaded with the first document that is opened, its worker once per page: of the same
 * build, with data of the same version. Neither needs eval; fonts go in through the FontFace interface, styles through
 * the CSSOM.
 */

// Before pdf.js, which puts names on the global object.
import { restoreGlobals } from './globals.js';
import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.min.mjs';
import { pdfData, workerReady } from '../engine/files.js';
import { startWorker } from '../engine/start-worker.js';

restoreGlobals();

export const { TextLayer, PDFDataRangeTransport } = pdfjs;

/** @typedef {import('pdfjs-dist').PDFDocumentProxy} PdfDocument */
/** @typedef {import('pdfjs-dist').PDFPageProxy} PdfPage */
/** @typedef {import('pdfjs-dist').PageViewport} PageViewport */
/** Bytes of a PDF, or ranges of it as they are asked for. @typedef {Pick<import('pdfjs-dist/types/src/display/api.js').DocumentInitParameters, 'data' | 'range' | 'rangeChunkSize' | 'disableAutoFetch' | 'disableStream'>} PdfSource */

/** The worker, and what rejects where it cannot be started. @type {{ pdf: import('pdfjs-dist').PDFWorker, failed: Promise<never> } | null} */
let worker = null;

/**
 * Starts the worker. pdf.js is given a port: by itself it would start one from a text as address, which a page may
 * forbid, and where that fails read documents on the main thread.
 * @param {import('../engine/files.js').AssetBase} base
 */
function start(base) {
  const port = startWorker('viewer/pdf.worker.min.mjs', base);
  const pdf = new pdfjs.PDFWorker({ port: /** @type {any} */ (port) }); // its types know no port
  /** @type {Promise<never>} */
  const failed = new Promise((_, reject) => {
    port.addEventListener('error', (event) => {
      event.preventDefault();
      pdf.destroy();
      port.terminate();
      reject(new Error(event.message || 'the worker of pdf.js could not be started'));
    });
  });
  failed.catch(() => {});
  return { pdf, failed };
}

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
 * @param {PdfSource} options.source
 * @param {import('../engine/files.js').AssetBase} options.base
 * @param {string | null} options.password
 * @param {(wrong: boolean) => Promise<string>} options.askPassword
 * @returns {Promise<PdfDocument>}
 */
export async function openPdf({ source, base, password, askPassword }) {
  await workerReady('viewer/pdf.worker.min.mjs');
  if (worker === null) hideMeasuringCanvases();
  if (worker === null || worker.pdf.destroyed) worker = start(base);
  const task = pdfjs.getDocument({
    ...source,
    worker: worker.pdf,
    ...(password === null ? {} : { password }),
    isEvalSupported: false,
    enableXfa: false,
    // Substituted fonts would be named by address in a FontFace, which the policy refuses; as bytes they pass.
    useSystemFonts: false,
    stopAtErrors: false,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
    cMapPacked: true,
    ...pdfData(pdfjs.version, base),
  });
  task.onPassword = (
    /** @type {(password: string | Error) => void} */ give,
    /** @type {number} */ reason,
  ) => {
    askPassword(reason === pdfjs.PasswordResponses.INCORRECT_PASSWORD).then(give, (error) => give(error));
  };
  return Promise.race([task.promise, worker.failed]);
}

/**
 * The frame that is printed: an empty document of this page's own, out of sight, that holds what goes on paper and
 * nothing else. So neither the page around nor its style sheets are printed, nor need they be hidden. It loads nothing:
 * its document is the browser's `about:blank`, under the policy of this page, with a constructed style sheet.
 */

import { el } from '../dom/elements.js';

export class PrintFrame {
  #frame;

  /** @param {HTMLIFrameElement} frame in the page, loaded */
  constructor(frame) {
    this.#frame = frame;
  }

  /**
   * @param {Element} parent
   * @param {string} title the name that the browser offers for a file
   * @param {string} css
   */
  static async in(parent, title, css) {
    const frame = el('iframe', { class: 'print-frame', 'aria-hidden': 'true', tabIndex: -1 });
    // Firefox makes the document of the frame anew until then.
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    parent.append(frame);
    await loaded;
    const { document, view } = partsOf(frame);
    document.title = title;
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
    return new PrintFrame(frame);
  }

  /** The body of what is printed. */
  get body() {
    return partsOf(this.#frame).document.body;
  }

  /** Opens the browser's print dialog. Resolves when it is closed, as far as the browser says. */
  async print() {
    const { view } = partsOf(this.#frame);
    const closed = new Promise((resolve) => view.addEventListener('afterprint', resolve, { once: true }));
    view.print();
    await closed;
  }

  remove() {
    this.#frame.remove();
  }
}

/** @param {HTMLIFrameElement} frame @returns {{ document: Document, view: Window & typeof globalThis }} */
function partsOf({ contentDocument, contentWindow }) {
  if (!contentDocument || !contentWindow) throw new Error('the frame to print is not in the page');
  return { document: contentDocument, view: /** @type {Window & typeof globalThis} */ (contentWindow) };
}

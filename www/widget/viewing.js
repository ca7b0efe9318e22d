/**
 * Documents on show in the widget: opens the viewer at a document's first page or at the words of a citation, and gives the focus
 * back when it closes. The widget gives it an engine and a place; it knows neither the library nor the answers.
 */

import { placeOf, turnOf } from '../viewer/citation-place.js';
import { coveredWidth, Viewer } from '../viewer/viewer.js';
import { PinciteCiteEvent } from './events.js';
import { titleOf } from './places.js';

/** @typedef {import('../engine/protocol.js').Citation} Citation */
/** @typedef {Pick<import('../viewer/viewer.js').ViewRequest, 'page' | 'spans' | 'places' | 'quote' | 'cited' | 'isRemoved'>} ShownPlace where the viewer opens, and the words to be lit */

/**
 * @typedef {object} ViewingHost what showing documents gets from the widget
 * @property {import('../strings/index.js').Strings} strings
 * @property {() => import('../remote/joined-engine.js').AskedEngine} engine with a library on a server, where there is one
 * @property {() => import('../engine/files.js').AssetBase} base
 * @property {(event: Event) => boolean} dispatch sends an event of the widget; false if it was cancelled
 * @property {HTMLElement} shell the interface, which makes room for the viewer
 * @property {() => HTMLElement | null} focused the element of the interface that has the focus
 * @property {(text: string) => void} announce
 * @property {(from: HTMLElement | null, id: number | null) => void} mark marks the citation that is on show, in the answer that holds
 *   the element; null for none
 * @property {() => void} onOpen a document is about to be shown
 */

export class Viewing {
  viewer;
  #host;
  /** The element that had the focus when the viewer opened. @type {HTMLElement | null} */
  #opener = null;

  /** @param {ViewingHost} host */
  constructor(host) {
    this.#host = host;
    const { strings, base, announce } = host;
    this.viewer = new Viewer({ strings, base, onClose: () => this.#closed(), announce });
  }

  /**
   * Shows the words of a citation, unless the page around does.
   * @param {Citation} citation
   * @param {readonly Citation[]} all those of its answer
   * @param {HTMLElement | null} [from] the element in the answer that it was opened from; the one that has the focus when absent
   */
  cite(citation, all, from = this.#host.focused()) {
    if (this.#host.dispatch(new PinciteCiteEvent(citation))) this.showCitation(citation, all, from);
  }

  /** @param {Citation} citation @param {readonly Citation[]} all @param {HTMLElement | null} [from] as of `cite` */
  showCitation(citation, all, from = this.#host.focused()) {
    const { documentId, document, id, library } = citation;
    const { documents } = this.#host.engine().snapshot;
    this.#host.mark(from, id);
    this.open(documentId, document, {
      ...placeOf(citation),
      // What a server has is known to its library, which may not be there.
      isRemoved: !library && documents.every((each) => each.id !== documentId),
      cited: turnOf(citation, all, (other) => this.cite(other, all, from)),
    });
  }

  /** @param {string} id */
  openDocument(id) {
    const document = this.#host.engine().snapshot.documents.find((entry) => entry.id === id);
    if (document)
      this.open(id, document.name, {
        page: 1,
        spans: [],
        places: document.nPages > 0 ? null : [],
        quote: '',
        cited: null,
      });
  }

  /** @param {string} key @param {string} name @param {ShownPlace} at */
  open(key, name, at) {
    const { shell, focused } = this.#host;
    const engine = this.#host.engine();
    const { documents } = engine.snapshot;
    if (!this.viewer.isOpen) this.#opener = focused();
    shell.classList.add('viewing');
    this.#host.onOpen();
    const opened = this.viewer.open({
      ...at,
      key,
      name,
      title: titleOf(documents, key) ?? name,
      nPages: documents.find(({ id }) => id === key)?.nPages ?? 0,
      blocks: (start, limit) => engine.text(key, start, limit),
      password: engine.password(key),
      file: () => engine.source?.(key) ?? engine.file(key),
    });
    // Where the viewer covers everything, it takes the focus too.
    if (shell.clientWidth < coveredWidth)
      void opened.then(() => {
        if (!this.viewer.element.contains(focused())) this.viewer.focus();
      });
  }

  #closed() {
    this.#host.shell.classList.remove('viewing');
    this.#host.mark(null, null);
    if (this.#opener?.isConnected) this.#opener.focus();
    this.#opener = null;
  }
}

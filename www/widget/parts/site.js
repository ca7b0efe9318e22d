/**
 * The static page as an app, as a person sees it: a line that offers a new version or names files that cannot be read, and in the settings whether the page
 * opens without a network, and why not.
 */

import { el, fill } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';

/** @typedef {import('../../offline/site.js').KeptSite} KeptSite */

export class SiteView {
  /** Offer of a new version, and files that cannot be read; there from the start, so that it is read out when it comes. */
  notice = el('div', { class: 'site-notice', role: 'status' });
  #status = el('p', { class: 'fine', role: 'status' });
  /** Group of the settings. */
  field;
  #strings;
  /** @type {KeptSite | null} */
  #site = null;
  #onChange = () => this.#draw();

  /** @param {import('../../strings/index.js').Strings} strings */
  constructor(strings) {
    this.#strings = strings;
    this.field = el(
      'div',
      { class: 'settings-profile', hidden: true },
      el('h3', {}, strings.site.title),
      this.#status,
    );
  }

  /** @param {KeptSite | null} site null where nothing keeps the page */
  follow(site) {
    this.#site?.removeEventListener('change', this.#onChange);
    this.#site = site;
    site?.addEventListener('change', this.#onChange);
    this.#draw();
  }

  #draw() {
    const { site: texts } = this.#strings;
    const site = this.#site;
    this.field.hidden = site === null;
    if (site === null) return;
    const { isKept, failure, file, isUpdateReady, unreadable } = site.state;
    const why = failure === null ? '' : texts.failed(failure, file);
    const told = isKept ? (why === '' ? texts.kept : texts.olderKept(why)) : why || texts.keeping;
    if (this.#status.textContent !== told) this.#status.textContent = told;
    const face = JSON.stringify([isUpdateReady, unreadable]);
    if (this.notice.dataset['face'] === face) return;
    this.notice.dataset['face'] = face;
    fill(
      this.notice,
      unreadable.length > 0 && el('p', { class: 'fine' }, icon('warning'), texts.unreadable([...unreadable])),
      isUpdateReady && el('p', { class: 'fine' }, icon('info'), texts.updateReady),
      isUpdateReady &&
        el('button', { type: 'button', class: 'quiet', onclick: () => site.update() }, texts.reload),
    );
  }
}

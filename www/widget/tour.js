/**
 * The tour: a few steps, each beside the control that it is about, which can be used meanwhile. It is no modal dialog, takes
 * the focus only from whoever asked for it, and is first in the order of the Tab key. It is loaded when it is shown.
 */

import { adopt } from '../dom/adopt.js';
import { el } from '../dom/elements.js';
import { tourStringsOf } from '../strings/tour/index.js';
import { styles } from './tour.styles.js';

/** @typedef {keyof import('../strings/tour/index.js').TourStrings} TourStep */

/** Steps in their order, each with the controls that it is about: the first that is in sight. @type {readonly [TourStep, readonly string[]][]} */
export const tourSteps = [
  ['documents', ['.drop-button', '.library-toggle']],
  ['samples', ['.samples']],
  ['question', ['.question']],
  ['citations', ['.answer-card .citation', '.answer-card .mark']],
  ['model', ['[part=settings-button]']],
  ['ledger', ['[part=ledger-button]']],
  ['help', ['.help-button']],
];

/** CSS pixels between a step and its control, and the edge of the widget. */
const gap = 12;

export class Tour {
  #strings;
  #texts;
  #shell;
  #announce;
  #onEnd;
  #title = el('h2', { id: 'pincite-tour-title' });
  #text = el('p', { id: 'pincite-tour-text' });
  #place = el('span', { class: 'fine' });
  #back;
  #next;
  #card;
  #ring = el('div', { class: 'tour-ring', 'aria-hidden': 'true' });
  /** The steps whose controls were in sight when it began. @type {TourStep[]} */
  #steps = [];
  #at = 0;
  /** True while there is nothing in the library yet. */
  #isEmpty = false;
  /** Number of answers on show when it began. */
  #nAnswers = 0;
  /** @type {Element | null} */
  #target = null;
  #resize = new ResizeObserver(() => this.#lay());
  #onScroll = () => this.#lay();

  /**
   * @param {object} options
   * @param {import('../strings/index.js').Strings} options.strings
   * @param {HTMLElement} options.shell that it is laid over
   * @param {(text: string) => void} options.announce
   * @param {(hadFocus: boolean) => void} options.onEnd
   */
  constructor({ strings, shell, announce, onEnd }) {
    const { tour } = strings;
    this.#strings = strings;
    this.#texts = tourStringsOf(strings.lang);
    this.#shell = shell;
    this.#announce = announce;
    this.#onEnd = onEnd;
    const button = (
      /** @type {string} */ name,
      /** @type {string} */ text,
      /** @type {() => void} */ onclick,
    ) => el('button', { type: 'button', class: name, onclick }, text);
    this.#back = button('quiet', tour.back, () => this.#step(-1));
    this.#next = button('primary', tour.next, () => this.#step(1));
    this.#card = el(
      'div',
      {
        class: 'tour',
        role: 'dialog',
        tabIndex: -1,
        'aria-labelledby': 'pincite-tour-title',
        'aria-describedby': 'pincite-tour-text',
      },
      this.#title,
      this.#text,
      el(
        'div',
        { class: 'tour-actions' },
        this.#place,
        button('link', tour.skip, () => this.end()),
        this.#back,
        this.#next,
      ),
    );
  }

  get isOpen() {
    return this.#card.isConnected;
  }

  /** Begins. @param {boolean} takesFocus */
  start(takesFocus) {
    this.#steps = tourSteps.flatMap(([step]) => (this.#controlOf(step) ? step : []));
    if (this.#steps.length === 0) return;
    this.#at = 0;
    this.#isEmpty = this.#hasNothing;
    this.#nAnswers = this.#answers;
    this.#shell.prepend(this.#card);
    this.#shell.append(this.#ring);
    adopt(this.#card, styles);
    this.#shell.addEventListener('scroll', this.#onScroll, { capture: true, passive: true });
    this.#show();
    if (takesFocus) this.#card.focus();
    else this.#announce(this.#strings.format.sentences([this.#strings.tour.begun, this.#told]));
  }

  end() {
    if (!this.isOpen) return;
    const { activeElement } = /** @type {ShadowRoot} */ (this.#card.getRootNode());
    const hadFocus = this.#card.contains(activeElement);
    this.#resize.disconnect();
    this.#shell.removeEventListener('scroll', this.#onScroll, { capture: true });
    this.#card.remove();
    this.#ring.remove();
    this.#onEnd(hadFocus);
  }

  /**
   * Follows what has changed around it: with the first file the steps that ask for one are done, whoever asks a question is
   * at work and has the answer to read, and a control that has gone gives its step up.
   */
  refresh() {
    if (!this.isOpen) return;
    if (this.#answers > this.#nAnswers) return this.end();
    const question = this.#steps.indexOf('question');
    const isAdded = this.#isEmpty && !this.#hasNothing;
    this.#isEmpty &&= !isAdded;
    if (isAdded && this.#at < question) return this.#goTo(question);
    const step = this.#steps[this.#at];
    if (step && this.#controlOf(step)) this.#show();
    else this.#step(1);
  }

  get #answers() {
    return this.#shell.querySelectorAll('.answer-card').length;
  }

  get #hasNothing() {
    return this.#shell.classList.contains('empty');
  }

  /** @param {TourStep} step @returns {Element | null} */
  #controlOf(step) {
    const selectors = tourSteps.find(([name]) => name === step)?.[1] ?? [];
    const all = selectors.flatMap((selector) => [...this.#shell.querySelectorAll(selector)]);
    return all.find((element) => element.getClientRects().length > 0) ?? null;
  }

  /** Goes on, or back, to the next step whose control is in sight. @param {1 | -1} direction */
  #step(direction) {
    let at = this.#at + direction;
    while (this.#steps[at] && !this.#controlOf(/** @type {TourStep} */ (this.#steps[at]))) at += direction;
    if (at < 0) return;
    if (at >= this.#steps.length) return this.end();
    this.#goTo(at);
  }

  /** @param {number} at */
  #goTo(at) {
    this.#at = at;
    this.#show();
    this.#announce(this.#told);
  }

  #show() {
    const step = this.#steps[this.#at];
    if (!step) return;
    const { tour } = this.#strings;
    const [title, text] = this.#texts[step];
    const isLast = this.#at === this.#steps.length - 1;
    this.#title.textContent = title;
    this.#text.textContent = text;
    this.#place.textContent = tour.place(this.#at + 1, this.#steps.length);
    this.#next.textContent = isLast ? tour.done : tour.next;
    // Not disabled: a button that is pressed at the first step keeps the focus.
    this.#back.setAttribute('aria-disabled', String(this.#at === 0));
    const target = this.#controlOf(step);
    if (target !== this.#target) {
      this.#resize.disconnect();
      this.#resize.observe(this.#shell);
      if (target) this.#resize.observe(target);
      this.#target = target;
      target?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      this.#lay();
      this.#card.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
    this.#lay();
  }

  /** The step as it is said. */
  get #told() {
    const { sentences } = this.#strings.format;
    const [title = '', text = ''] = this.#texts[this.#steps[this.#at] ?? 'help'];
    return sentences([`${this.#place.textContent}: ${title}.`, text]);
  }

  /**
   * Lays the step below its control or above it, or where there is room for neither at the bottom; beside the column of the
   * library, whose list lies below the control, where there is one; below the buttons that lie under a question.
   */
  #lay() {
    if (!this.#target) return;
    const shell = this.#shell.getBoundingClientRect();
    const box = this.#target.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.#card;
    const under = this.#target.matches('.question') ? this.#target.nextElementSibling : null;
    const lower = Math.max(box.bottom, under?.getBoundingClientRect().bottom ?? 0);
    const [top, bottom] = [box.top - shell.top, lower - shell.top];
    const lowest = shell.height - height - gap;
    const y = bottom + gap <= lowest ? bottom + gap : top - gap - height >= gap ? top - gap - height : lowest;
    const column = this.#target.closest('.library')?.getBoundingClientRect();
    const isBeside = column !== undefined && column.right + gap + width + gap <= shell.right;
    const left = (isBeside ? column.right + gap : box.left) - shell.left;
    const x = Math.max(gap, Math.min(left, shell.width - width - gap));
    this.#card.style.setProperty('translate', `${Math.round(x)}px ${Math.round(Math.max(gap, y))}px`);
    /** @type {[string, number][]} */
    const edges = [
      ['left', box.left - shell.left - 4],
      ['top', top - 4],
      ['width', box.width + 8],
      ['height', box.height + 8],
    ];
    for (const [name, pixels] of edges) this.#ring.style.setProperty(name, `${pixels}px`);
  }
}

/**
 * The line under the question: the model in use, the bytes that have left this device, a new conversation, and the way back. In
 * a narrow column texts fold into their icons; a tooltip says them, as it says those that are cut off.
 */

import { el, fill } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { ledger } from '../settings.js';
import { placed } from '../places.js';
import { summary } from './ledger.js';

export class StatusBar {
  element;
  #model = el('button', {
    type: 'button',
    class: 'bar-button',
    part: 'settings-button',
    'aria-haspopup': 'dialog',
  });
  #left = el('button', {
    type: 'button',
    class: 'bar-button',
    part: 'ledger-button',
    'aria-haspopup': 'dialog',
  });
  /** Stands below the line. */
  warning = el('p', { class: 'bar-warning', role: 'status', hidden: true });
  #strings;
  #fresh;
  #back;

  /** @param {import('../../strings/index.js').Strings} strings @param {{ settings: () => void, ledger: () => void, fresh: () => void, back: () => void }} actions */
  constructor(strings, actions) {
    this.#strings = strings;
    this.#model.addEventListener('click', actions.settings);
    this.#left.addEventListener('click', actions.ledger);
    const { newConversation, backToConversation } = strings.bar;
    this.#fresh = folding('talk', newConversation, actions.fresh);
    this.#back = folding('undo', backToConversation, actions.back);
    this.element = el('div', { class: 'status-bar' }, this.#model, this.#left, this.#fresh, this.#back);
  }

  /**
   * @param {import('../settings.js').ModelStatus} status
   * @param {Pick<import('../conversation.js').Conversation, 'isUnderWay' | 'canGoBack'>} conversation
   * @param {readonly string[]} open servers that are reached without encryption
   */
  update({ state, name, where }, { isUnderWay, canGoBack }, open) {
    const { bar } = this.#strings;
    const told =
      state === 'ready'
        ? bar.answersBy(placed(this.#strings, { name, where }))
        : state === 'locked'
          ? bar.enterKey({ name, where })
          : bar.withoutModel;
    this.#model.title = told;
    fill(this.#model, icon(state === 'locked' ? 'lock' : 'tools'), el('span', {}, told));
    const { ledger: texts, format } = this.#strings;
    const { hasLeft, totals } = ledger;
    // The tooltip is its name, of which the page shows the beginning or the bytes.
    this.#left.title = summary(this.#strings);
    fill(
      this.#left,
      icon(hasLeft ? 'upload' : 'shield'),
      el(
        'span',
        { class: hasLeft ? '' : 'folds', 'aria-hidden': 'true' },
        hasLeft ? texts.sent(format.bytes(totals.bytesOut)) : texts.nothingShort,
      ),
    );
    this.#fresh.hidden = !isUnderWay;
    this.#back.hidden = !canGoBack;
    this.warning.hidden = open.length === 0;
    this.warning.textContent = open.length === 0 ? '' : bar.open(this.#strings.format.list([...open]));
  }
}

/** A hidden button whose text folds. @param {import('../../dom/icons.js').IconName} name @param {string} text @param {() => void} onclick */
function folding(name, text, onclick) {
  return el(
    'button',
    { type: 'button', class: 'bar-button', title: text, hidden: true, onclick },
    icon(name),
    el('span', { class: 'folds' }, text),
  );
}

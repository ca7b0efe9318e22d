/**
 * The line under the question: the model in use, the bytes that have left this device, a new conversation, and the way back.
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
  #open = el('p', { class: 'bar-warning', role: 'status', hidden: true });
  #strings;
  #fresh;
  #back;

  /** @param {import('../../strings/index.js').Strings} strings @param {{ settings: () => void, ledger: () => void, fresh: () => void, back: () => void }} actions */
  constructor(strings, actions) {
    this.#strings = strings;
    this.#model.addEventListener('click', actions.settings);
    this.#left.addEventListener('click', actions.ledger);
    this.#fresh = el(
      'button',
      { type: 'button', class: 'bar-button', hidden: true, onclick: actions.fresh },
      icon('add'),
      strings.bar.newConversation,
    );
    this.#back = el(
      'button',
      { type: 'button', class: 'bar-button', hidden: true, onclick: actions.back },
      icon('undo'),
      strings.bar.backToConversation,
    );
    this.element = el(
      'div',
      { class: 'status-bar' },
      this.#model,
      this.#left,
      this.#fresh,
      this.#back,
      this.#open,
    );
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
    fill(this.#model, icon(state === 'locked' ? 'lock' : 'tools'), el('span', {}, told));
    const left = summary(this.#strings);
    this.#left.setAttribute('aria-label', left);
    fill(
      this.#left,
      icon(ledger.hasLeft ? 'list' : 'check'),
      el('span', {}, ledger.hasLeft ? left : this.#strings.ledger.nothingShort),
    );
    this.#fresh.hidden = !isUnderWay;
    this.#back.hidden = !canGoBack;
    this.#open.hidden = open.length === 0;
    this.#open.textContent = open.length === 0 ? '' : bar.open(this.#strings.format.list([...open]));
  }
}

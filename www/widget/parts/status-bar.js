/**
 * The line under the question: with what answers are made, what has left this device, and a new conversation.
 */

import { el, fill } from '../../dom/elements.js';
import { icon } from '../../dom/icons.js';
import { ledger } from '../model.js';
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
  #fresh;

  /** @param {{ settings: () => void, ledger: () => void, fresh: () => void }} actions */
  constructor(actions) {
    this.#model.addEventListener('click', actions.settings);
    this.#left.addEventListener('click', actions.ledger);
    this.#fresh = el(
      'button',
      { type: 'button', class: 'bar-button', hidden: true, onclick: actions.fresh },
      icon('add'),
      'New conversation',
    );
    this.element = el('div', { class: 'status-bar' }, this.#model, this.#left, this.#fresh);
  }

  /** @param {import('../model.js').Standing} standing @param {boolean} talking whether a question has been answered */
  update({ state, name, where }, talking) {
    const told =
      state === 'ready'
        ? `Answers by ${[name, where].filter(Boolean).join(' at ') || 'a model'}`
        : state === 'locked'
          ? `Enter the key of ${where || name}`
          : 'Answers without a model';
    fill(this.#model, icon(state === 'locked' ? 'lock' : 'tools'), el('span', {}, told));
    fill(this.#left, icon(ledger.hasLeft ? 'list' : 'check'), el('span', {}, summary()));
    this.#fresh.hidden = !talking;
  }
}

/**
 * Earlier conversations, folded below the answers: each opens again without being asked again, or is deleted. What was
 * deleted can be put back until the list is closed.
 */

import { el, fill } from '../../dom/elements.js';
import { icon, iconButton } from '../../dom/icons.js';

/** @typedef {import('../kept-conversations.js').KeptConversations} KeptConversations */
/** @typedef {import('../kept-conversations.js').Head} Head */
/** @typedef {import('../kept-conversations.js').TakenConversation} TakenConversation */

export class EarlierConversations {
  element;
  #strings;
  #kept;
  #current;
  #onOpen;
  #onDelete;
  #count = el('span', { class: 'count' });
  #list = el('ul', { class: 'earlier-list' });
  /** Deleted while the list is open, by id. @type {Map<string, TakenConversation>} */
  #taken = new Map();

  /**
   * @param {object} options
   * @param {import('../../strings/index.js').Strings} options.strings
   * @param {KeptConversations} options.kept
   * @param {() => string | null} options.current the conversation that is on show, which is not listed
   * @param {(id: string) => void} options.onOpen
   * @param {(id: string) => void} options.onDelete
   */
  constructor({ strings, kept, current, onOpen, onDelete }) {
    this.#strings = strings;
    this.#kept = kept;
    this.#current = current;
    this.#onOpen = onOpen;
    this.#onDelete = onDelete;
    this.element = el(
      'details',
      { class: 'earlier-conversations', hidden: true, ontoggle: () => this.#toggled() },
      el('summary', {}, strings.conversation.earlierOnes, ' ', this.#count),
      this.#list,
    );
  }

  /** Lists what is kept now. */
  async update() {
    const current = this.#current();
    const heads = (await this.#kept.list().catch(() => [])).filter(({ id }) => id !== current);
    const all = [...heads, ...Array.from(this.#taken.values(), ({ head }) => head)];
    all.sort((a, b) => b.changedAt - a.changedAt);
    this.element.hidden = all.length === 0;
    this.#count.textContent = String(heads.length);
    fill(
      this.#list,
      ...all.map((head) => (this.#taken.has(head.id) ? this.#deleted(head) : this.#row(head))),
    );
  }

  close() {
    this.element.open = false;
  }

  #toggled() {
    if (this.element.open) return;
    this.#taken.clear();
    void this.update();
  }

  /** @param {Head} head */
  #row({ id, question, changedAt, nTurns }) {
    const { conversation, format } = this.#strings;
    return el(
      'li',
      { class: 'row', 'data-conversation': id },
      el(
        'div',
        { class: 'row-body' },
        el('button', { type: 'button', class: 'row-name', onclick: () => this.#onOpen(id) }, question),
        el('p', { class: 'row-note' }, format.date(changedAt), ' · ', conversation.nAnswers(nTurns)),
      ),
      iconButton('remove', conversation.delete(question), () => void this.#delete(id)),
    );
  }

  /** @param {Head} head */
  #deleted({ id, question }) {
    const { conversation, library } = this.#strings;
    return el(
      'li',
      { class: 'row faint', 'data-conversation': id },
      el('p', { class: 'row-body row-note', role: 'status' }, conversation.deleted(question)),
      el(
        'button',
        { type: 'button', class: 'quiet', onclick: () => void this.#putBack(id) },
        icon('undo'),
        library.undo,
      ),
    );
  }

  /** @param {string} id */
  async #delete(id) {
    const taken = await this.#kept.take(id).catch(() => null);
    if (taken) this.#taken.set(id, taken);
    this.#onDelete(id);
    await this.update();
    this.#focus(id);
  }

  /** @param {string} id */
  async #putBack(id) {
    const taken = this.#taken.get(id);
    if (taken) await this.#kept.putBack(taken).catch(() => {});
    this.#taken.delete(id);
    await this.update();
    this.#focus(id);
  }

  /** Keeps the focus in the row that has changed. @param {string} id */
  #focus(id) {
    const row = this.#list.querySelector(`[data-conversation="${CSS.escape(id)}"]`);
    row?.querySelector('button')?.focus();
  }
}

/**
 * History of the widget: what is kept of the conversation on show, the one that is shown when a page is opened again, and
 * the list of earlier ones. Names and addresses of models are kept where the settings are remembered, and only there.
 */

import { KeptConversations } from './kept-conversations.js';
import { EarlierConversations } from './parts/earlier.js';
import { KeepingField } from './parts/keeping-field.js';
import { withoutServers } from './stored-turn.js';

/** @typedef {import('./stored-turn.js').StoredTurn} StoredTurn */

export class ConversationHistory {
  #kept;
  #earlier;
  #keeping;
  #settings;
  #show;
  /** The conversation on show; null until it is asked something. @type {string | null} */
  #id = null;
  /** The one before it. @type {string | null} */
  #before = null;
  #isOpen = false;
  #hasFailed = false;
  #wasRemembered = false;
  #onSettings = () => {
    const { remembered } = this.#settings;
    if (this.#wasRemembered && !remembered) void this.#kept.forgetServers().catch(() => {});
    this.#wasRemembered = remembered;
  };

  /**
   * @param {object} options
   * @param {import('../strings/index.js').Strings} options.strings
   * @param {string} options.library
   * @param {import('./settings.js').AnsweringSettings} options.settings
   * @param {(turns: readonly StoredTurn[]) => void} options.show shows a conversation, in the place of what is there
   * @param {() => void} options.onDelete something was deleted that may still be on show
   */
  constructor({ strings, library, settings, show, onDelete }) {
    this.#settings = settings;
    this.#show = show;
    this.#kept = new KeptConversations(library);
    this.#earlier = new EarlierConversations({
      strings,
      kept: this.#kept,
      current: () => this.#id,
      onOpen: (id) => void this.#reopen(id),
      onDelete,
    });
    this.#keeping = new KeepingField(strings, this.#kept, () => {
      this.#leave();
      onDelete();
    });
  }

  /** List of earlier conversations. */
  get element() {
    return this.#earlier.element;
  }

  /** Group of the settings. */
  get field() {
    return this.#keeping.element;
  }

  /** Name of the conversation on show, for `keep`. */
  get id() {
    this.#id ??= newId();
    return this.#id;
  }

  /** Begins to follow the settings. */
  open() {
    this.#isOpen = true;
    const root = this.element.getRootNode();
    this.#kept.open(root instanceof ShadowRoot ? root.host.id : '');
    this.#wasRemembered = this.#settings.remembered;
    this.#settings.addEventListener('change', this.#onSettings);
  }

  /** Shows what this widget had before the tab was reloaded, or the newest that no other has; nothing once a question was asked. */
  async recall() {
    const found = await this.#kept.resume().catch(() => null);
    if (found && this.#isOpen && this.#id === null) {
      this.#take(found.id);
      this.#show(found.turns);
    }
    await this.#earlier.update();
  }

  /** Lets other tabs have the conversation. */
  close() {
    this.#isOpen = false;
    this.#settings.removeEventListener('change', this.#onSettings);
    this.#kept.release();
  }

  /** Keeps an answer. @param {string} id of its conversation @param {StoredTurn} turn @returns {Promise<boolean>} true where it is the first that could not be kept */
  async keep(id, turn) {
    const hadFailed = this.#hasFailed;
    this.#hasFailed = await this.#kept
      .append(id, this.#settings.remembered ? turn : withoutServers(turn))
      .then(
        () => false,
        () => true,
      );
    if (this.#isOpen && id === this.#id) this.#kept.hold(id);
    await this.#earlier.update();
    return this.#hasFailed && !hadFailed;
  }

  /** A new conversation begins. */
  begin() {
    this.#before = this.#id;
    this.#leave();
  }

  /** The one before goes on. */
  goBack() {
    if (this.#before !== null) this.#take(this.#before);
    void this.#earlier.update();
  }

  /** Deletes everything that is kept. */
  async clear() {
    this.#leave();
    await this.#kept.clear().catch(() => {});
    await this.#earlier.update();
  }

  /** Shows in the settings what is set, and whether keeping failed. */
  openSettings() {
    this.#keeping.open();
    if (this.#hasFailed) this.#keeping.fail();
  }

  /** @param {string} id */
  async #reopen(id) {
    const turns = await this.#kept.turns(id).catch(() => []);
    if (turns.length > 0) {
      this.#take(id);
      this.#show(turns);
      this.#earlier.close();
    }
    await this.#earlier.update();
  }

  /** @param {string} id */
  #take(id) {
    this.#id = id;
    this.#kept.hold(id);
  }

  #leave() {
    this.#id = null;
    this.#kept.hold(null);
    void this.#earlier.update();
  }
}

/** A name that no other tab gives. */
function newId() {
  const random = crypto.getRandomValues(new Uint32Array(2));
  return [Date.now(), ...random].map((part) => part.toString(36)).join('-');
}

/**
 * Help of the widget: the keyboard map, loaded when it is first asked for, and the button that opens it.
 */

import { iconButton } from '../dom/icons.js';
import { keys, shortcutsOf } from '../dom/keys.js';

export class Guide {
  button;
  #strings;
  #shell;
  #onFailure;
  /** Made when it is first asked for. @type {import('../viewer/key-map.js').KeyMap | null} */
  #map = null;

  /**
   * @param {object} options
   * @param {import('../strings/index.js').Strings} options.strings
   * @param {HTMLElement} options.shell of the widget, which the dialog is put into
   * @param {(error: unknown) => void} options.onFailure it could not be loaded
   */
  constructor({ strings, shell, onFailure }) {
    this.#strings = strings;
    this.#shell = shell;
    this.#onFailure = onFailure;
    this.button = iconButton('help', strings.keyMap.title, () => void this.showKeys(), {
      class: 'icon-button help-button',
      part: 'help-button',
      'aria-haspopup': 'dialog',
      'aria-keyshortcuts': shortcutsOf('page', 'showKeys'),
    });
  }

  async showKeys() {
    try {
      const { KeyMap } = await import('../viewer/key-map.js');
      const places = /** @type {import('../dom/keys.js').KeyPlace[]} */ (Object.keys(keys));
      this.#map ??= new KeyMap(this.#strings, places);
    } catch (error) {
      return this.#onFailure(error);
    }
    if (!this.#map.element.isConnected) this.#shell.append(this.#map.element);
    this.#map.open();
  }

  close() {
    this.#map?.close();
  }
}

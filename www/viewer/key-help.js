/**
 * The way to the keyboard map: the button that opens it, and the map, which is loaded when it is first asked for. For every
 * page that has a viewer.
 */

import { iconButton } from '../dom/icons.js';
import { shortcutsOf } from '../dom/keys.js';

export class KeyHelp {
  button;
  #host;
  /** @type {import('./key-map.js').KeyMap | null} */
  #map = null;

  /**
   * @param {object} host
   * @param {import('../strings/index.js').Strings} host.strings
   * @param {HTMLElement} host.shell that the map is put into
   * @param {readonly import('../dom/keys.js').KeyPlace[]} host.places those that there are on the page
   * @param {() => HTMLElement[]} [host.further] makes buttons below the map
   * @param {(title: string) => void} [host.onTry] it is about to be loaded, and may have failed before
   * @param {(error: unknown, title: string) => void} host.onFailure it could not be loaded
   */
  constructor(host) {
    this.#host = host;
    this.button = iconButton('help', host.strings.keyMap.title, () => void this.show(), {
      class: 'icon-button help-button',
      part: 'help-button',
      'aria-haspopup': 'dialog',
      'aria-keyshortcuts': shortcutsOf('page', 'showKeys'),
    });
  }

  /** Opens the map. */
  async show() {
    const { strings, shell, places, further = () => [], onTry, onFailure } = this.#host;
    onTry?.(strings.keyMap.failed);
    try {
      const { KeyMap } = await import('./key-map.js');
      this.#map ??= new KeyMap(strings, places, ...further());
    } catch (error) {
      return onFailure(error, strings.keyMap.failed);
    }
    // The page around may have taken the widget out meanwhile.
    if (!shell.isConnected) return;
    if (!this.#map.element.isConnected) shell.append(this.#map.element);
    this.#map.open();
  }

  close() {
    this.#map?.close();
  }
}

/**
 * The keyboard map: a dialog that shows the table of keys, place by place. It is loaded when it is first asked for.
 */

import { adopt } from '../dom/adopt.js';
import { el } from '../dom/elements.js';
import { iconButton } from '../dom/icons.js';
import { keys, partsOf } from '../dom/keys.js';
import { styles } from './key-map.styles.js';

/** @typedef {import('../dom/keys.js').KeyPlace} KeyPlace */

/** Inscription of a key, where that is not its name. @type {Readonly<Record<string, string>>} */
const caps = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' };

export class KeyMap {
  element;
  #strings;

  /**
   * @param {import('../strings/index.js').Strings} strings
   * @param {readonly KeyPlace[]} places those that there are on the page
   * @param {...HTMLElement} further buttons below
   */
  constructor(strings, places, ...further) {
    this.#strings = strings;
    const { title, close } = strings.keyMap;
    this.element = el(
      'dialog',
      { class: 'dialog key-map', 'aria-labelledby': 'pincite-keys-title' },
      el(
        'div',
        { class: 'dialog-head' },
        el('h2', { id: 'pincite-keys-title' }, title),
        iconButton('close', close, () => this.element.close()),
      ),
      el('div', { class: 'key-places' }, ...places.map((place) => this.#placeOf(place))),
      further.length > 0 && el('div', { class: 'dialog-actions' }, ...further),
    );
  }

  open() {
    adopt(this.element, styles);
    if (!this.element.open) this.element.showModal();
  }

  close() {
    this.element.close();
  }

  /** @param {KeyPlace} place */
  #placeOf(place) {
    const { keyPlaces, keyActions } = this.#strings;
    const actions = /** @type {[import('../dom/keys.js').AnyKeyAction, readonly string[]][]} */ (
      Object.entries(keys[place])
    );
    return el(
      'section',
      {},
      el('h3', {}, keyPlaces[place]),
      el(
        'dl',
        {},
        ...actions.map(([action, pressed]) =>
          el('div', {}, el('dt', {}, ...this.#caps(pressed)), el('dd', {}, keyActions[action])),
        ),
      ),
    );
  }

  /** Keys that do the same, each as what is pressed together. @param {readonly string[]} pressed */
  #caps(pressed) {
    const { space, character } = this.#strings.keyMap;
    const named = /** @type {Readonly<Record<string, string>>} */ ({
      ...caps,
      ' ': space,
      Character: character,
    });
    return pressed.flatMap((key, at) => {
      const { mod, shift, name } = partsOf(key);
      const held = [mod && (isMac() ? '⌘' : 'Ctrl'), shift && 'Shift'].filter((each) => each !== false);
      const cap = named[name] ?? (mod ? name.toUpperCase() : name);
      const together = [...held, cap].flatMap((each, nth) =>
        nth > 0 ? ['+', el('kbd', {}, each)] : el('kbd', {}, each),
      );
      return at > 0 ? [' ', ...together] : together;
    });
  }
}

const isMac = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

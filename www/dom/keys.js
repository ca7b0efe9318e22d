/**
 * All keys of the page and the viewer, by the place that has the focus. Handlers ask this table for the action of a key,
 * `aria-keyshortcuts` are made from it, and the keyboard map shows it: what it does not name does nothing.
 *
 * A key is named as `KeyboardEvent.key` names it, with `Mod+` (Control, or Command) and `Shift+` before it; `Character` is
 * any key that types one. The first action that fits wins.
 */

export const keys = /** @type {const} */ ({
  page: { showKeys: ['?'], leave: ['Escape'] },
  question: { ask: ['Enter'], breakLine: ['Shift+Enter'] },
  answer: {
    nextCitation: ['ArrowDown', 'ArrowRight'],
    previousCitation: ['ArrowUp', 'ArrowLeft'],
    firstCitation: ['Home'],
    lastCitation: ['End'],
  },
  viewer: {
    previousPage: ['ArrowLeft'],
    nextPage: ['ArrowRight'],
    openPrevious: ['p'],
    openNext: ['n'],
    zoomIn: ['+'],
    zoomOut: ['-'],
    fitText: ['0'],
    fitPage: ['9'],
    find: ['Mod+f'],
    print: ['Mod+p'],
  },
  find: { nextMatch: ['Enter'], previousMatch: ['Shift+Enter'], endSearch: ['Escape'] },
  sections: {
    nextRow: ['ArrowDown'],
    previousRow: ['ArrowUp'],
    unfold: ['ArrowRight'],
    fold: ['ArrowLeft'],
    firstRow: ['Home'],
    lastRow: ['End'],
    openRow: ['Enter', ' '],
    typeAhead: ['Character'],
  },
  thumbnails: {
    nextThumbnail: ['ArrowDown', 'ArrowRight'],
    previousThumbnail: ['ArrowUp', 'ArrowLeft'],
    firstThumbnail: ['Home'],
    lastThumbnail: ['End'],
    openThumbnail: ['Enter', ' '],
  },
  columns: {
    moveLeft: ['ArrowLeft'],
    moveRight: ['ArrowRight'],
    narrowest: ['Home'],
    widest: ['End'],
    usualWidth: ['Enter'],
  },
});

/** @typedef {keyof typeof keys} KeyPlace */
/**
 * Actions of a place.
 * @template {KeyPlace} P
 * @typedef {keyof (typeof keys)[P] & string} KeyAction
 */
/** @typedef {{ [P in KeyPlace]: KeyAction<P> }[KeyPlace]} AnyKeyAction */

/**
 * The action of a key in a place. Keys that compose a character are nobody's.
 * @template {KeyPlace} P
 * @param {P} place
 * @param {KeyboardEvent} event
 * @returns {KeyAction<P> | null}
 */
export function actionOf(place, event) {
  if (event.isComposing) return null;
  const actions = /** @type {[KeyAction<P>, readonly string[]][]} */ (Object.entries(keys[place]));
  return actions.find(([, pressed]) => pressed.some((key) => isKey(key, event)))?.[0] ?? null;
}

/** Value of `aria-keyshortcuts`. @template {KeyPlace} P @param {P} place @param {KeyAction<P>} action */
export function shortcutsOf(place, action) {
  const written = (/** @type {string} */ key) => {
    const { mod, name } = partsOf(key);
    return mod ? ['Control+', 'Meta+'].map((held) => held + name.toUpperCase()) : [key];
  };
  return /** @type {readonly string[]} */ (keys[place][action]).flatMap(written).join(' ');
}

/** True if what is pressed goes into a text that is being written. @param {KeyboardEvent} event */
export function isTyping({ target, ctrlKey, metaKey }) {
  const isField =
    target instanceof Element && target.matches('textarea, select, input:not([type=checkbox], [type=radio])');
  return isField && !ctrlKey && !metaKey;
}

/** A key and what is held with it. @param {string} key of the table */
export function partsOf(key) {
  const [, mod, shift, name = ''] = /^(Mod\+)?(Shift\+)?(.+)$/.exec(key) ?? [];
  return { mod: mod !== undefined, shift: shift !== undefined, name };
}

/** @param {string} key of the table @param {KeyboardEvent} event */
function isKey(key, event) {
  const { mod, shift, name } = partsOf(key);
  if (event.altKey || mod !== (event.ctrlKey || event.metaKey)) return false;
  if (name === 'Character') return event.key.length === 1 && event.key !== '?';
  // Where a sign stands on the keyboard, and whether Shift types it, differs from country to country.
  const isSign = name.length === 1 && !mod && name !== ' ';
  return event.key.toLowerCase() === name.toLowerCase() && (isSign || event.shiftKey === shift);
}

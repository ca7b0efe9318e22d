/**
 * Accessibility of a state of the page: what axe finds, and the size of everything that can be pressed, in a wide light window
 * and in a dark one of 320 pixels; then the colours of the other themes in the wide one.
 */

import { readFile } from 'node:fs/promises';

/** @typedef {import('./harness.mjs').Page} Page */
/**
 * A control on show, in CSS pixels; `isNear` where the circle of 24 pixels around its middle meets another control.
 * @typedef {{ name: string, width: number, height: number, isInText: boolean, isNear: boolean }} Target
 */

const axe = await readFile(new URL('../../www/node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** Least width and height of a target, in CSS pixels (WCAG 2.2, 2.5.8). */
const least = 24;

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules that look at colours. All others find the same in every theme: a theme is colours alone. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/** @typedef {Parameters<Page['emulateMedia']>[0]} Media */
/** @type {{ [name: string]: Media }} */
const themes = {
  light: { colorScheme: 'light', contrast: 'no-preference', forcedColors: 'none' },
  dark: { colorScheme: 'dark', contrast: 'no-preference', forcedColors: 'none' },
  'more contrast': { colorScheme: 'light', contrast: 'more', forcedColors: 'none' },
  'more contrast, dark': { colorScheme: 'dark', contrast: 'more', forcedColors: 'none' },
  'forced colours': { colorScheme: 'light', contrast: 'no-preference', forcedColors: 'active' },
};

const wide = { width: 1280, height: 800 };
/** 1280 pixels at 400 %. */
const narrow = { width: 320, height: 640 };

/** Looks at one page after another state, and keeps what it finds: a test that fails names all of it at once. */
export class Inspection {
  /** @type {string[]} */
  found = [];
  /** Targets that were measured, by state. @type {Map<string, Target[]>} */
  targets = new Map();
  #page;
  #everyTheme;

  /** @param {Page} page @param {{ everyTheme: boolean }} options false where light and dark are enough: the other
   *   themes have the same colours in every language */
  constructor(page, { everyTheme }) {
    this.#page = page;
    this.#everyTheme = everyTheme;
  }

  /** @param {string} state */
  async see(state) {
    await this.#look(state, narrow, 'dark');
    await this.#look(state, wide, 'light');
    if (!this.#everyTheme) return;
    for (const theme of Object.keys(themes).filter((name) => name !== 'light')) {
      await this.#page.emulateMedia({ ...themes[theme], reducedMotion: 'reduce' });
      this.#keep(`${state}, ${theme}`, await this.#violations({ type: 'rule', values: ofColours }));
    }
    await this.#page.emulateMedia({ ...themes['light'], reducedMotion: 'reduce' });
  }

  /** Looks at all but other themes. @param {string} state @param {typeof wide} window @param {string} theme */
  async #look(state, window, theme) {
    const where = `${state}, ${theme}, ${window.width} px`;
    await this.#page.emulateMedia({ ...themes[theme], reducedMotion: 'reduce' });
    await this.#page.setViewportSize(window);
    this.#keep(where, await this.#violations({ type: 'tag', values: tags }));
    const targets = await this.#page.evaluate(measure, least);
    this.targets.set(where, targets);
    const small = targets.filter(isTooSmall);
    this.#keep(
      where,
      small.map(({ name, width, height }) => `${name} is ${width} × ${height}`),
    );
  }

  /** @param {string} where @param {string[]} found */
  #keep(where, found) {
    this.found.push(...found.map((each) => `${where}: ${each}`));
  }

  /** @param {{ type: 'tag' | 'rule', values: readonly string[] }} runOnly @returns {Promise<string[]>} */
  async #violations(runOnly) {
    const isThere = await this.#page.evaluate(() => Reflect.has(globalThis, 'axe'));
    if (!isThere) await this.#page.evaluate(axe);
    return this.#page.evaluate(async (runOnly) => {
      const { violations } = await Reflect.get(globalThis, 'axe').run(document, {
        runOnly,
        resultTypes: ['violations'],
        preload: false,
      });
      return violations.map(
        (/** @type {any} */ { id, nodes }) =>
          `${id}: ${nodes.map((/** @type {any} */ node) => `${node.target} ${node.failureSummary}`).join('; ')}`,
      );
    }, runOnly);
  }
}

/** Marks in running text may be smaller where nothing else is near; nothing else may. @param {Target} target */
function isTooSmall({ width, height, isInText, isNear }) {
  return Math.min(width, height) < least && !(isInText && !isNear);
}

/** Everything on show that can be pressed. Runs in the page. @param {number} least @returns {Target[]} */
function measure(least) {
  const pressed =
    'button, a[href], input:not([type=hidden]), select, textarea, summary, :is([role=button], [role=checkbox], [role=link], [role=menuitem], [role=option], [role=radio], [role=separator][tabindex], [role=slider], [role=switch], [role=tab], [role=treeitem])';
  const host = document.querySelector('pincite-widget, pincite-evidence');
  const root = /** @type {ShadowRoot} */ (host?.shadowRoot);
  // Behind a dialog nothing can be pressed.
  const dialogs = [...root.querySelectorAll('dialog')].filter((dialog) => dialog.matches(':modal'));
  const within = dialogs.at(-1) ?? root;
  const all = [...within.querySelectorAll(pressed)].filter(
    (element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.matches(':disabled, [aria-hidden=true]') &&
      !element.closest('.visually-hidden'),
  );
  // A box with its label around it is as large as both.
  const boxes = all.map((element) => {
    const label = element.matches('[type=checkbox], [type=radio]') ? element.closest('label') : null;
    return (label ?? element).getBoundingClientRect();
  });
  const isSmall = (/** @type {DOMRect} */ { width, height }) => Math.min(width, height) < least - 0.01;
  return all.map((element, at) => {
    const box = /** @type {DOMRect} */ (boxes[at]);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const meets = (/** @type {DOMRect} */ other) => {
      if (isSmall(other))
        return Math.hypot(other.x + other.width / 2 - x, other.y + other.height / 2 - y) < least;
      const across = Math.max(other.left - x, 0, x - other.right);
      const down = Math.max(other.top - y, 0, y - other.bottom);
      return Math.hypot(across, down) < least / 2;
    };
    const { width, height } = box;
    const classes = [...element.classList].map((name) => `.${name}`).join('');
    return {
      name: `${element.localName}${classes} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`,
      width: Math.round(width * 100) / 100,
      height: Math.round(height * 100) / 100,
      isInText: element.matches('.statement .mark, .note-mark'),
      isNear:
        isSmall(box) &&
        boxes.some(
          (other, otherAt) =>
            otherAt !== at &&
            !element.contains(all[otherAt] ?? null) &&
            !all[otherAt]?.contains(element) &&
            meets(other),
        ),
    };
  });
}

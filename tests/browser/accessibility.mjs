/**
 * Accessibility of a state of the page, in every theme, width and direction of the page around: what axe finds, the size of everything
 * that can be pressed, and whether anything is wider than the window at 400 %.
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
  // What is black on black here may be black on white in a light theme.
  'forced colours': { colorScheme: 'dark', contrast: 'no-preference', forcedColors: 'active' },
};
const directions = ['ltr', 'rtl'];

/** 1280 × 1024 at 400 %. */
const zoomed = { width: 320, height: 256 };
const usual = { width: 1280, height: 800 };
const wide = { width: 1920, height: 1080 };

/**
 * Looks at a state: theme, window, direction and rules of each. All rules are tried in the narrow window and in one of the others,
 * rules of colours in each theme: a theme is colours alone. Which themes, windows and directions meet changes from state to state,
 * so that all have met after ten.
 * @param {number} at number of the state
 */
export function looksAt(at) {
  const isOdd = at % 2 === 1;
  const windows = [
    { window: zoomed, isWhole: true },
    { window: zoomed, isWhole: false },
    { window: wide, isWhole: isOdd },
    { window: usual, isWhole: !isOdd },
    { window: usual, isWhole: false },
  ];
  const names = Object.keys(themes);
  return windows.map(({ window, isWhole }, look) => ({
    theme: names[(at + look) % names.length] ?? '',
    direction: directions[(at + look) % directions.length] ?? '',
    window,
    isWhole,
  }));
}

/** Looks at one page after another state, and keeps what it finds: a test that fails names all of it at once. */
export class Inspection {
  /** @type {string[]} */
  found = [];
  /** Targets that were measured, by state. @type {Map<string, Target[]>} */
  targets = new Map();
  #page;
  #nSeen;
  #isTranslated;

  /**
   * @param {Page} page
   * @param {object} options
   * @param {number} options.first number of the first state, which differs between tests so that their looks do
   * @param {boolean} [options.isTranslated] true where another language has the same states: rules that are not about colours are
   *   tried in the narrow window alone
   */
  constructor(page, { first, isTranslated = false }) {
    this.#page = page;
    this.#nSeen = first;
    this.#isTranslated = isTranslated;
  }

  /** @param {string} state */
  async see(state) {
    const direction = await this.#page.evaluate(() => document.documentElement.dir);
    for (const look of looksAt(this.#nSeen)) await this.#look(state, look);
    this.#nSeen += 1;
    await this.#show('light', direction);
  }

  /** @param {string} theme @param {string} direction */
  async #show(theme, direction) {
    await this.#page.emulateMedia({ ...themes[theme], reducedMotion: 'reduce' });
    await this.#page.evaluate((direction) => (document.documentElement.dir = direction), direction);
  }

  /** @param {string} state @param {ReturnType<typeof looksAt>[number]} look */
  async #look(state, { theme, direction, window, isWhole }) {
    const where = `${state}, ${theme}, ${window.width} px, ${direction}`;
    await this.#show(theme, direction);
    const size = this.#page.viewportSize();
    if (size?.width !== window.width || size.height !== window.height)
      await this.#page.setViewportSize(window);
    if (theme !== 'forced colours') this.#keep(where, await this.#page.evaluate(faintPlaceholders));
    this.#keep(where, await this.#violations(theme, isWhole && !(this.#isTranslated && window !== zoomed)));
    if (!isWhole) return;
    const targets = await this.#page.evaluate(measure, least);
    this.targets.set(where, targets);
    const small = targets.filter(isTooSmall);
    this.#keep(
      where,
      small.map(({ name, width, height }) => `${name} is ${width} × ${height}`),
    );
    if (window !== zoomed) return;
    const overflowing = await this.#page.evaluate(tooWide);
    this.#keep(
      where,
      overflowing.map((name) => `${name} is wider than the window`),
    );
  }

  /** @param {string} where @param {string[]} found */
  #keep(where, found) {
    this.found.push(...found.map((each) => `${where}: ${each}`));
  }

  /**
   * Violations of all rules on all elements, or of those of colours on faces that were not looked at in the theme before.
   * @param {string} theme @param {boolean} isWhole true for all @returns {Promise<string[]>}
   */
  async #violations(theme, isWhole) {
    const faces = await this.#page.evaluateHandle(oneOfEachFace);
    const inTheme = (await faces.evaluate((faces) => [...faces.keys()])).map((face) => `${theme}|${face}`);
    const fresh = inTheme.flatMap((face, at) => (faced.has(face) ? [] : [at]));
    for (const face of inTheme) faced.add(face);
    if (fresh.length === 0 && !isWhole) {
      await faces.dispose();
      return [];
    }
    const isThere = await this.#page.evaluate(() => Reflect.has(globalThis, 'axe'));
    if (!isThere) await this.#page.evaluate(axe);
    const runOnly = isWhole ? { type: 'tag', values: tags } : { type: 'rule', values: ofColours };
    const violations = await faces.evaluate(
      async (faces, { fresh, isWhole, runOnly }) => {
        const elements = [...faces.values()].filter((_, at) => fresh.includes(at));
        const { violations } = await Reflect.get(globalThis, 'axe').run(
          isWhole ? document : { include: elements },
          { runOnly, resultTypes: ['violations'], preload: false, iframes: false },
        );
        return violations.map(
          (/** @type {any} */ { id, nodes }) =>
            `${id}: ${nodes.map((/** @type {any} */ node) => `${node.target} ${node.failureSummary}`).join('; ')}`,
        );
      },
      { fresh, isWhole, runOnly },
    );
    await faces.dispose();
    return violations;
  }
}

/** Faces that were looked at, each behind the theme that it was seen in: in the next state they have the contrast that they had. @type {Set<string>} */
const faced = new Set();

/**
 * One element on show with words of its own for each kind of face: a class in its colours, in one size and weight, before one
 * ground. All others of a face have the contrast of the first; the looks that try all rules look at every one of them.
 * Runs in the page. @returns {Map<string, Element>} by what makes the face
 */
function oneOfEachFace() {
  /** @type {Map<Element, string>} */
  const grounds = new Map();
  /** @param {Element | null} element @returns {string} what its words stand on, and what is laid over both */
  const ground = (element) => {
    if (element === null) return '';
    const known = grounds.get(element);
    if (known !== undefined) return known;
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position } =
      getComputedStyle(element);
    const root = element.getRootNode();
    const around =
      element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
    const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position].join(' ');
    const isPlain = own === 'rgba(0, 0, 0, 0) none 1 none normal static';
    const disabled = element.matches(':disabled, [aria-disabled=true]') ? 'disabled' : '';
    const whole = `${ground(around)}${isPlain ? '' : `|${own}`}${disabled}`;
    grounds.set(element, whole);
    return whole;
  };
  /** @type {Map<string, Element>} */
  const faces = new Map();
  const look = (/** @type {Document | ShadowRoot} */ root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) look(element.shadowRoot);
      const words = [...element.childNodes].map((node) => (node instanceof Text ? node.data : '')).join('');
      const isField = element.matches('input, select, textarea');
      if ((words.trim() === '' && !isField) || !element.checkVisibility({ visibilityProperty: true }))
        continue;
      const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
      // Of a single letter axe finds nothing.
      const kind = `${element.localName}.${element.className} ${words.trim().length === 1}`;
      // A link is told from the words around it.
      const around = element.localName === 'a' && element.parentElement;
      const beside = around ? getComputedStyle(around).color : '';
      const face = [kind, color, fontSize, fontWeight, textShadow, beside, ground(element)].join('|');
      if (!faces.has(face)) faces.set(face, element);
    }
  };
  look(document);
  return faces;
}

/** Placeholders on show that are too faint (WCAG 1.4.3), which axe does not look at. Runs in the page. @returns {string[]} */
function faintPlaceholders() {
  const colour = (/** @type {string} */ text) => (text.match(/[\d.]+/g) ?? []).map(Number);
  /** @param {Element | null} element @returns {number[]} of the nearest background that nothing shows through */
  const behind = (element) => {
    if (element === null) return [255, 255, 255];
    const background = colour(getComputedStyle(element).backgroundColor);
    const root = element.getRootNode();
    const around = element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
    return (background[3] ?? 1) === 1 ? background : behind(around);
  };
  const luminance = (/** @type {number[]} */ channels) => {
    const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
      const share = channel / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const host = document.querySelector('pincite-widget, pincite-evidence');
  /** @type {NodeListOf<HTMLInputElement> | undefined} */
  const fields = host?.shadowRoot?.querySelectorAll(':is(input, textarea)[placeholder]:placeholder-shown');
  return [...(fields ?? [])].flatMap((field) => {
    if (field.placeholder === '' || !field.checkVisibility({ visibilityProperty: true })) return [];
    const lights = [colour(getComputedStyle(field, '::placeholder').color), behind(field)].map(luminance);
    const contrast = (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
    return contrast < 4.5
      ? [`placeholder “${field.placeholder}” has a contrast of ${contrast.toFixed(2)}`]
      : [];
  });
}

/** Names of elements that have to be scrolled sideways to be read; tables and pages of a PDF, which have two dimensions, may. Runs in the page. */
export function tooWide() {
  const host = document.querySelector('pincite-widget, pincite-evidence');
  const panes = host?.shadowRoot?.querySelectorAll(
    '.desk, .lab, .documents, .viewer-bar, .viewer-text, .pane-body, dialog[open]',
  );
  return [document.documentElement, ...(panes ?? [])]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ localName, classList }) => [localName, ...classList].join('.'));
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

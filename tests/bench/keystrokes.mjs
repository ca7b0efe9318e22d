/**
 * The keystroke-level model (Card, Moran and Newell 1980): seconds of a person's hands and head, by the gestures that a
 * task takes. The time of the program is no part of it.
 */

/** @typedef {import('../../www/node_modules/playwright-core/index.js').Page} Page */
/** @typedef {import('../../www/node_modules/playwright-core/index.js').Locator} Locator */
/**
 * Counts of the model's operators. A click points and presses; `points` are movements without one of their own, as the
 * second of a drag.
 * @typedef {{ clicks: number, points: number, keys: number, thoughts: number, homings: number }} Gestures
 */

/** Operators of the model, in seconds: a key at 55 words a minute, pointing, a press and release, hand to the other device, a thought. */
const operators = { key: 0.2, point: 1.1, press: 0.2, home: 0.4, think: 1.35 };

/** @param {Partial<Gestures>} gestures @returns {Gestures} */
export const gestures = (gestures) => ({
  clicks: 0,
  points: 0,
  keys: 0,
  thoughts: 0,
  homings: 0,
  ...gestures,
});

/** Seconds of a person's hands and head. @param {Gestures} counted */
export function seconds({ clicks, points, keys, thoughts, homings }) {
  const { key, point, press, home, think } = operators;
  return clicks * (point + press) + points * point + keys * key + homings * home + thoughts * think;
}

/** A person at a page, whose gestures are counted. */
export class Person {
  counted = gestures({});
  #isAtKeys = false;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** Reads and decides. */
  think() {
    this.counted.thoughts += 1;
  }

  /** Decides, points and clicks. @param {Locator} target */
  async click(target) {
    await target.click();
    this.countClick();
  }

  /** A click whose effect the caller brings about. */
  countClick() {
    this.counted.clicks += 1;
    this.counted.thoughts += 1;
    this.#atMouse();
  }

  /** Clicks in a picker of the system: the files, one by one, and "Open". @param {number} nFiles */
  countPicker(nFiles) {
    this.counted.clicks += nFiles + 1;
    this.#atMouse();
  }

  /**
   * Decides, and draws the mouse with its button pressed from one point to the other.
   * @param {{ x: number, y: number }} from @param {{ x: number, y: number }} to
   */
  async drag(from, to) {
    const { mouse } = this.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(to.x, to.y, { steps: 12 });
    await mouse.up();
    this.countClick();
    this.counted.points += 1;
  }

  /** Types where the caret is. @param {string} text */
  async write(text) {
    await this.page.keyboard.type(text);
    this.#countKeys(text.length);
  }

  /** Types a line where the caret is, and Enter. @param {string} text */
  async type(text) {
    await this.write(text);
    await this.press('Enter');
  }

  /** Presses a key, alone or with others held: "Control+f" is two. @param {string} chord */
  async press(chord) {
    await this.page.keyboard.press(chord);
    this.#countKeys(chord.split('+').length);
  }

  /** Gestures since the last call. */
  take() {
    const { counted } = this;
    this.counted = gestures({});
    return counted;
  }

  /** @param {number} nKeys */
  #countKeys(nKeys) {
    this.counted.keys += nKeys;
    this.counted.homings += this.#isAtKeys ? 0 : 1;
    this.#isAtKeys = true;
  }

  #atMouse() {
    this.counted.homings += this.#isAtKeys ? 1 : 0;
    this.#isAtKeys = false;
  }
}

/**
 * A tab, and what a person does in it, the same in every engine. An engine's driver knows how to run a function in the
 * page, and how to click at a point and type; finding the point is a function of ours in the page, since each protocol has
 * another way through shadow roots, or none.
 */

/** @typedef {import('../browser/harness.mjs').Page} Page */

/**
 * @typedef {object} Driver
 * @property {(address: string) => Promise<unknown>} goto resolves when the page has been loaded
 * @property {() => Promise<unknown>} reload
 * @property {(script: any, argument: any) => Promise<any>} evaluate runs a function in the page, gives what it resolves with
 * @property {(x: number, y: number) => Promise<unknown>} clickAt a point of the window, in CSS pixels
 * @property {(text: string) => Promise<unknown>} type
 * @property {(key: Key) => Promise<unknown>} press
 * @property {() => Promise<Driver>} [kill] kills the process of the page, and gives another tab of the same profile
 */

/** @typedef {'Enter' | 'Escape'} Key */

/** Time between two looks, in milliseconds. */
const pollMs = 50;

export class Tab {
  #driver;

  /** @param {Driver} driver */
  constructor(driver) {
    this.#driver = driver;
  }

  /** @param {string} address */
  async goto(address) {
    await this.#driver.goto(address);
  }

  async reload() {
    await this.#driver.reload();
  }

  /** Runs a function in the page. @type {Page['evaluate']} */
  evaluate = (/** @type {any} */ script, /** @type {any} */ argument) =>
    this.#driver.evaluate(script, argument);

  /** Waits until a function in the page gives something true. @type {Page['waitForFunction']} */
  waitForFunction = (/** @type {any} */ script, /** @type {any} */ argument, { timeout = 180_000 } = {}) =>
    until(
      () => this.#driver.evaluate(script, argument),
      timeout,
      () => `waited for ${script}`,
    );

  /** Clicks the first of these that can be seen. @param {string} selector @param {string} [text] part of its text or name */
  async click(selector, text = '') {
    const { x, y } = await this.#found(selector, text, true);
    await this.#driver.clickAt(x, y);
  }

  /** Waits until one of these can be seen, and gives its text. @param {string} selector @param {string} [text] */
  async shows(selector, text = '') {
    return (await this.#found(selector, text, false)).content;
  }

  /** @param {string} selector @param {string} text @param {boolean} toClick */
  #found(selector, text, toClick) {
    return until(
      () => this.#driver.evaluate(found, { selector, text, toClick }),
      180_000,
      () => `waited for ${selector} “${text}”`,
    );
  }

  /** Asks by typing, as a person does, and waits for the answer. @param {string} question */
  async ask(question) {
    await this.click('textarea');
    await this.#driver.type(question);
    await this.#driver.press('Enter');
    await this.shows('.answer-card[data-state=answered] .asked', question);
  }

  /** @param {string} text */
  async type(text) {
    await this.#driver.type(text);
  }

  /** Kills the process of the page; another tab of the profile takes its place. */
  async kill() {
    const { kill } = this.#driver;
    if (!kill) throw new Error('no way to kill a page of this engine');
    this.#driver = await kill();
  }

  /** @param {Key} key */
  async press(key) {
    await this.#driver.press(key);
  }
}

/**
 * @template T
 * @param {() => T | Promise<T>} look
 * @param {number} timeout in milliseconds
 * @param {() => string} message
 * @returns {Promise<NonNullable<T>>}
 */
export async function until(look, timeout, message) {
  for (const end = performance.now() + timeout; performance.now() < end; ) {
    const seen = await look();
    if (seen) return seen;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new Error(`${message()}, ${timeout / 1000} s`);
}

/**
 * First element of a page that can be seen, shadow roots included, scrolled to where it can be clicked; null where there is
 * none, or where it moves or is covered. Runs in the page.
 * @param {{ selector: string, text: string, toClick: boolean }} wanted
 */
async function found({ selector, text, toClick }) {
  /** @param {Document | ShadowRoot} root @returns {HTMLElement[]} */
  const below = (root) => [
    .../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(selector)),
    ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? below(shadowRoot) : [])),
  ];
  const element = below(document).find(
    (element) =>
      element.getClientRects().length > 0 &&
      `${element.ariaLabel ?? element.title} ${element.innerText ?? element.textContent}`.includes(text),
  );
  if (!element) return null;
  const content = element.innerText ?? '';
  if (!toClick) return { content, x: 0, y: 0 };
  const middle = () => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
  };
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { x, y } = middle();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const root = /** @type {Document | ShadowRoot} */ (element.getRootNode());
  const isStill = middle().x === x && middle().y === y;
  return isStill && element.contains(root.elementFromPoint(x, y)) ? { content, x, y } : null;
}

/**
 * A log of what somebody hears who goes through the page with the keyboard and a screen reader: of each place that takes the focus
 * its role, name, description and state as the browser's accessibility tree has them, and what live regions announce, in
 * their order.
 */

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {{ name: string, value: { value?: unknown } }} AxProperty */

/** States that are said when they are set, or with their value. */
const states = ['expanded', 'pressed', 'checked', 'disabled', 'hasPopup', 'modal', 'invalid', 'required'];

export class Hearing {
  #page;
  #session;
  /** @type {string[]} */
  lines = [];
  /** Number of announcements that are in the lines already. */
  #nHeard = 0;

  /** @param {Page} page @param {import('../../www/node_modules/playwright-core/index.js').CDPSession} session */
  constructor(page, session) {
    this.#page = page;
    this.#session = session;
  }

  /** Begins to listen. @param {Page} page */
  static async of(page) {
    const session = await page.context().newCDPSession(page);
    await session.send('Accessibility.enable');
    await page.evaluate(listenToLiveRegions);
    return new Hearing(page, session);
  }

  /** Writes what is done next. @param {string} what */
  does(what) {
    this.lines.push('', `# ${what}`);
  }

  /** Presses Tab until a place of this name has the focus, and hears every place on the way. @param {RegExp} name @returns {Promise<void>} */
  async tabTo(name) {
    for (let stop = 0; stop < 60; stop += 1) {
      await this.#page.keyboard.press('Tab');
      const { line, name: heard } = await this.focused();
      this.lines.push(line);
      if (name.test(heard)) return;
    }
    throw new Error(`${name} was not reached in 60 stops:\n${this.lines.join('\n')}`);
  }

  /** Writes which place has the focus. */
  async whereFocusIs() {
    this.lines.push(`focus: ${(await this.focused()).line}`);
  }

  /** Waits until this has been announced, and writes what was announced up to it. @param {RegExp} last */
  async hears(last) {
    await this.#page.waitForFunction(
      ({ source, from }) =>
        /** @type {string[]} */ (Reflect.get(globalThis, 'announced'))
          .slice(from)
          .some((text) => new RegExp(source).test(text)),
      { source: last.source, from: this.#nHeard },
    );
    const all = await this.#page.evaluate(
      () => /** @type {string[]} */ (Reflect.get(globalThis, 'announced')),
    );
    const upTo = all.findIndex((text, at) => at >= this.#nHeard && last.test(text)) + 1;
    this.lines.push(...all.slice(this.#nHeard, upTo).map((text) => `says: ${text}`));
    this.#nHeard = upTo;
  }

  /** The place that has the focus, as it is heard. @returns {Promise<{ line: string, name: string }>} */
  async focused() {
    const { result } = await this.#session.send('Runtime.evaluate', { expression: `(${deepFocus})()` });
    if (!result.objectId) return { line: 'nothing', name: '' };
    const { nodes } = await this.#session.send('Accessibility.getPartialAXTree', {
      objectId: result.objectId,
      fetchRelatives: false,
    });
    await this.#session.send('Runtime.releaseObject', { objectId: result.objectId });
    const [node] = nodes;
    if (!node || node.ignored) return { line: 'ignored', name: '' };
    const { role, name, description, properties = [] } = node;
    const said = properties.flatMap(({ name, value }) => {
      if (!states.includes(name) || value.value === undefined) return [];
      const isOff = value.value === false || value.value === 'false';
      if (name === 'expanded') return [isOff ? 'collapsed' : 'expanded'];
      if (name === 'checked') return [isOff ? 'not checked' : 'checked'];
      return isOff ? [] : [value.value === true || value.value === 'true' ? name : `${name} ${value.value}`];
    });
    const heard = String(name?.value ?? '');
    const parts = [
      `${role?.value} “${heard}”`,
      ...said,
      description?.value ? `described “${description.value}”` : '',
    ];
    return { line: parts.filter(Boolean).join(', '), name: heard };
  }
}

/** The element that has the focus, in whatever shadow root. Runs in the page. */
function deepFocus() {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}

/** Keeps what live regions say. Runs in the page. */
function listenToLiveRegions() {
  /** @type {string[]} */
  const announced = [];
  Reflect.set(globalThis, 'announced', announced);
  const root = /** @type {ShadowRoot} */ (document.querySelector('pincite-widget')?.shadowRoot);
  const live = '[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]';
  new MutationObserver((changes) => {
    const regions = new Set(
      changes.flatMap(({ target }) => {
        const element = target instanceof Element ? target : target.parentElement;
        return [
          element?.closest(live) ?? null,
          ...(element?.querySelectorAll(':scope > [role=alert]') ?? []),
        ];
      }),
    );
    for (const region of regions) {
      const text = region?.checkVisibility() ? (region.textContent ?? '').trim() : '';
      if (text !== '' && announced.at(-1) !== text) announced.push(text);
    }
  }).observe(root, { childList: true, characterData: true, subtree: true });
}

/**
 * A film of a page, frame by frame: each is a picture taken when the page is ready, and shown for as long as the script
 * says. So a slow machine makes the same film. The mouse is drawn, since pictures do not have it.
 */

import { animatedWebp } from './animated-webp.mjs';

/** @typedef {import('../harness.mjs').Page} Page */
/** @typedef {import('../harness.mjs').BrowserContext} BrowserContext */

const quality = 0.8;
const steps = 7;
const stepMs = 50;

export class Film {
  #page;
  #lab;
  /** @type {import('./animated-webp.mjs').Frame[]} */
  #frames = [];
  #mouse = { x: 640, y: 560 };

  /** @param {Page} page @param {Page} lab a page that compares and encodes */
  constructor(page, lab) {
    this.#page = page;
    this.#lab = lab;
  }

  /** @param {BrowserContext} context @param {Page} page @param {string} address of a page without a policy */
  static async of(context, page, address) {
    const lab = await context.newPage();
    await lab.goto(address);
    await page.bringToFront();
    await page.evaluate(showMouse);
    return new Film(page, lab);
  }

  /** Shows the page as it is. @param {number} ms */
  async frame(ms) {
    await this.#page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    const picture = (await this.#page.screenshot({ type: 'png' })).toString('base64');
    const changed = await this.#lab.evaluate(encodeChange, { picture, quality });
    const last = this.#frames.at(-1);
    if (changed === null && last) last.ms += ms;
    else if (changed) this.#frames.push({ ...changed, webp: Buffer.from(changed.webp, 'base64'), ms });
  }

  /** Moves the mouse to a control and presses it. @param {import('../../../www/node_modules/playwright-core/index.js').Locator} control */
  async press(control) {
    const box = await control.boundingBox();
    if (!box) throw new Error(`${control} is not in sight`);
    const from = this.#mouse;
    const to = { x: box.x + Math.min(box.width / 2, 60), y: box.y + box.height / 2 };
    for (let step = 1; step <= steps; step += 1) {
      const share = (1 - Math.cos((Math.PI * step) / steps)) / 2;
      await this.#page.mouse.move(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
      await this.frame(stepMs);
    }
    this.#mouse = to;
    await this.frame(250);
    await this.#page.mouse.click(to.x, to.y);
  }

  /** Types a text, some letters to a frame. @param {string} text */
  async type(text) {
    for (let at = 0; at < text.length; at += 2) {
      await this.#page.keyboard.type(text.slice(at, at + 2));
      await this.frame(2 * stepMs);
    }
  }

  /** Milliseconds that it lasts. */
  get length() {
    return this.#frames.reduce((sum, { ms }) => sum + ms, 0);
  }

  /** The film as bytes; the browser must read them as it is meant. */
  async develop() {
    const size = this.#page.viewportSize();
    if (!size) throw new Error('the page has no size');
    const film = animatedWebp(size, this.#frames);
    const read = await this.#lab.evaluate(async (base64) => {
      const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const decoder = new ImageDecoder({ type: 'image/webp', data });
      await decoder.tracks.ready;
      await decoder.completed;
      return decoder.tracks.selectedTrack?.frameCount;
    }, film.toString('base64'));
    if (read !== this.#frames.length) throw new Error(`${read} of ${this.#frames.length} frames can be read`);
    return film;
  }
}

/** Draws the mouse on the page, over everything. */
function showMouse() {
  const mouse = document.createElement('div');
  mouse.popover = 'manual';
  const style = {
    position: 'fixed',
    inset: '0 auto auto 0',
    width: '18px',
    height: '18px',
    margin: '-9px 0 0 -9px',
    padding: '0',
    border: '2px solid #fff',
    borderRadius: '50%',
    background: '#c0392bcc',
    boxShadow: '0 0 4px #0008',
    pointerEvents: 'none',
  };
  Object.assign(mouse.style, style);
  document.body.append(mouse);
  addEventListener('mousemove', ({ clientX, clientY }) => {
    mouse.style.translate = `${clientX}px ${clientY}px`;
    // Shown anew it lies over a dialog that was opened since.
    if (mouse.matches(':popover-open')) mouse.hidePopover();
    mouse.showPopover();
  });
}

/**
 * The rectangle of a picture that differs from the picture before, encoded. The first differs as a whole.
 * @param {{ picture: string, quality: number }} given PNG in base 64
 * @returns {Promise<{ x: number, y: number, width: number, height: number, webp: string } | null>} null where nothing differs
 */
async function encodeChange({ picture, quality }) {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const { width, height } = image;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  if (!context) throw new Error('no canvas');
  context.drawImage(image, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  /** @type {Uint32Array | undefined} */
  const before = Reflect.get(globalThis, 'before');
  Reflect.set(globalThis, 'before', pixels);
  let [left, top, right, bottom] = before ? [width, height, 0, 0] : [0, 0, width, height];
  for (let at = 0; before && at < pixels.length; at += 1) {
    if (pixels[at] === before[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + 1);
  }
  if (right <= left) return null;
  const [x, y] = [left - (left % 2), top - (top % 2)];
  const part = new OffscreenCanvas(right - x, bottom - y);
  part.getContext('2d', { alpha: false })?.drawImage(canvas, -x, -y);
  const blob = await part.convertToBlob({ type: 'image/webp', quality });
  const encoded = new Uint8Array(await blob.arrayBuffer());
  let binary = '';
  for (const byte of encoded) binary += String.fromCharCode(byte);
  return { x, y, width: part.width, height: part.height, webp: btoa(binary) };
}

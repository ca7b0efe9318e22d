/**
 * The film of the README's recording: what changes from frame to frame is in it, at its place and for its time, as the
 * browser reads it.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { site, start, stop, withPage } from './harness.mjs';
import { Film } from './pictures/film.mjs';

before(start);
after(stop);

test('a film has a frame for each change, as long as it was to be seen', () =>
  withPage(
    async (page, context) => {
      const film = await Film.of(context, page, new URL('licences.txt', site()).href);
      const paint = (/** @type {string} */ colour) =>
        page.evaluate((colour) => {
          const box = document.createElement('div');
          Object.assign(box.style, { position: 'fixed', inset: '51px auto auto 101px', width: '40px' });
          Object.assign(box.style, { height: '30px', background: colour, zIndex: '9' });
          document.body.append(box);
        }, colour);
      await film.frame(500);
      await film.frame(300);
      await paint('rgb(200 0 0)');
      await film.frame(400);
      await paint('rgb(0 0 200)');
      await film.frame(900);
      assert.equal(film.length, 2_100);
      const base64 = (await film.develop()).toString('base64');
      const shown = await page.evaluate(async (base64) => {
        const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const decoder = new ImageDecoder({ type: 'image/webp', data });
        await decoder.tracks.ready;
        const frames = [];
        for (let frameIndex = 0; frameIndex < 3; frameIndex += 1) {
          const { image } = await decoder.decode({ frameIndex });
          const context = new OffscreenCanvas(400, 300).getContext('2d', { willReadFrequently: true });
          context?.drawImage(image, 0, 0);
          const pixel = (/** @type {number} */ x, /** @type {number} */ y) =>
            [...(context?.getImageData(x, y, 1, 1).data ?? [])]
              .slice(0, 3)
              .map((part) => Math.round(part / 100));
          frames.push([image.duration, pixel(120, 65), pixel(98, 65)]);
        }
        return frames;
      }, base64);
      const [, , around] = shown[0] ?? [];
      assert.deepEqual(
        shown.map(([duration]) => duration),
        [800_000, 400_000, 900_000],
      );
      assert.deepEqual(shown.map(([, inside]) => inside).slice(1), [
        [2, 0, 0],
        [0, 0, 2],
      ]);
      assert.deepEqual(
        shown.map(([, , outside]) => outside),
        [around, around, around],
        'only what changed is drawn',
      );
    },
    { viewport: { width: 400, height: 300 } },
  ));

/**
 * The page for eyes and settings of all kinds: used in a window of 320 × 256 pixels, in the colours of the system alone, and with words
 * that are written from right to left. What axe finds of every state, `accessibility.test.mjs` asks.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { tooWide } from './accessibility.mjs';
import { docx } from './docx-file.mjs';
import { ask, drop, pdf, sample, searchable, start, stop, violations, withPage } from './harness.mjs';

before(start);
after(stop);

test('at 400 % of 1280 × 1024 everything can be used, axe finds nothing, and nothing is wider than the window', () =>
  withPage(
    async (page) => {
      const sound = async (/** @type {string} */ state) => {
        assert.deepEqual(await violations(page), [], state);
        assert.deepEqual(await page.evaluate(tooWide), [], state);
      };
      await sound('empty');
      await drop(page, [await sample('contract.pdf'), { name: 'broken.pdf', bytes: new Uint8Array(9) }]);
      await searchable(page, 1);
      await ask(page, 'What is the cap on liability?');
      await sound('answered');
      await page.locator('button.citation').first().click();
      await page.locator('.text-layer span').first().waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'Find in document' }).click();
      await page.getByRole('button', { name: 'Thumbnails' }).click();
      await page.locator('.thumbnail canvas').first().waitFor();
      await sound('viewing, with search and thumbnails');
      await page.getByRole('button', { name: 'Close the pane' }).click();
      await page.getByRole('button', { name: 'Print' }).click();
      await page.getByRole('dialog', { name: 'Print' }).waitFor();
      await sound('print dialog');
      await page.keyboard.press('Escape');
      await page.locator('.viewer-pages').press('?');
      await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
      await sound('keyboard map');
    },
    { viewport: { width: 320, height: 256 } },
  ));

test('with forced colours what is pressed, chosen and focused can be told from the rest', () =>
  withPage(
    async (page) => {
      await drop(page, [await sample('contract.pdf')]);
      await searchable(page, 1);
      await ask(page, 'What is the cap on liability?');
      await page.locator('button.citation').first().click();
      await page.locator('.text-layer span').first().waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'Thumbnails' }).click();
      await page.locator('.thumbnail canvas').first().waitFor();
      /** @type {[string, string][]} */
      const pairs = [
        ['button[title="Fit text"]', 'button[title="Fit page"]'],
        ['.citation[aria-current]', '.citation:not([aria-current])'],
        ['.thumbnail[aria-selected=true] .thumbnail-page', '.thumbnail[aria-selected=false] .thumbnail-page'],
      ];
      for (const [chosen, other] of pairs) {
        const looks = await Promise.all(
          [chosen, other].map((selector) =>
            page
              .locator(selector)
              .first()
              .evaluate((element) => {
                const { backgroundColor, borderColor, outlineStyle, outlineColor } =
                  getComputedStyle(element);
                return [backgroundColor, borderColor, outlineStyle, outlineColor].join(' ');
              }),
          ),
        );
        assert.notEqual(looks[0], looks[1], chosen);
      }
      /** @param {string} selector */
      const colours = (selector) =>
        page
          .locator(selector)
          .first()
          .evaluate((element) => {
            const { color, backgroundColor } = getComputedStyle(element);
            return [color, backgroundColor];
          });
      const [, canvas] = await colours('.desk-inner .answer-card');
      const [, light] = await colours('.light');
      assert.notEqual(light, canvas, 'cited words are lit, not blacked out');
      const [words, behind] = await colours('.brand mark');
      assert.notEqual(behind, 'rgba(0, 0, 0, 0)', 'highlighted words have a ground of their own');
      assert.notEqual(words, behind);
    },
    { forcedColors: 'active', colorScheme: 'dark', viewport: { width: 1700, height: 900 } },
  ));

test('a question in Hebrew is set from right to left, and in an Arabic page the interface stays as it is', () =>
  withPage(async (page) => {
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl';
    });
    await drop(page, [
      pdf('deed.pdf', ['1. The cap on liability is 100 pounds.']),
      docx('הסכם.docx', ['תקרת האחריות היא 100 לירות.']),
    ]);
    await searchable(page, 2);
    const side = (/** @type {string} */ selector) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const range = new Range();
          range.selectNodeContents(element);
          const [words, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
          return words.left - box.left > box.right - words.right ? 'right' : 'left';
        });
    await ask(page, 'What is the cap on liability?');
    assert.equal(await side('.asked'), 'left');
    assert.equal(await side('.statements p'), 'left');
    for (const name of ['deed.pdf', 'הסכם.docx'])
      assert.equal(await side(`.row-name[title="${name}"]`), 'left', `${name} stands below the other`);
    await ask(page, 'מהי תקרת האחריות?');
    assert.equal(await side('.asked'), 'right', 'the newest question stands first');
    assert.equal(await side('.statements p'), 'right', 'and its answer is of the Hebrew document');
    const [library, desk] = await Promise.all([
      page.locator('.library').boundingBox(),
      page.locator('.desk').boundingBox(),
    ]);
    assert.ok(library && desk && library.x < desk.x);
    assert.deepEqual(await page.evaluate(tooWide), []);
    assert.deepEqual(await violations(page), []);
  }));

/**
 * Word files: dropped like PDFs, cited with the words lit in their text, which is shown where pages would be; and
 * what is said of files of the older format.
 */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { ask, drop, snapshot, ready, sample, searchable, start, stop, type, withPage } from './harness.mjs';

before(start);
after(stop);

const axe = await readFile(new URL('../../www/node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** @param {string} text */
const bare = (text) => text.replaceAll('[…]', '').replace(/\s+/g, '');

/** The lit words. @param {import('./harness.mjs').Page} page */
async function lit(page) {
  const parts = await page.locator('.text-light').allTextContents();
  return bare(parts.join(''));
}

test('a citation of a Word file lights its words in the text', () =>
  withPage(async (page) => {
    await drop(page, [await sample('word/opinion.docx'), await sample('word/contract.docx')]);
    await searchable(page, 2);
    await page.getByText('Word document').first().waitFor();
    for (const question of ['What is the cap on liability?', 'Who may rely on this opinion?']) {
      await type(page, question);
      const card = page.locator('.answer-card').first();
      const quotes = await card.locator('.citation-quote').allTextContents();
      const buttons = card.locator('button.citation');
      for (const [at, quote] of quotes.entries()) {
        await buttons.nth(at).click();
        await page.waitForFunction((quote) => {
          const root = document.querySelector('pincite-widget')?.shadowRoot;
          const words = [...(root?.querySelectorAll('.text-light') ?? [])]
            .map((mark) => mark.textContent)
            .join('');
          return words.replace(/\s+/g, '') === quote;
        }, bare(quote));
        assert.equal(await lit(page), bare(quote));
        assert.ok(await page.locator('.text-light').first().isVisible());
        await page.waitForFunction(() => {
          const mark = document.querySelector('pincite-widget')?.shadowRoot?.querySelector('.text-light');
          const pane = mark?.closest('.viewer-text')?.getBoundingClientRect();
          const own = mark?.getBoundingClientRect();
          return own && pane && own.top >= pane.top && own.bottom <= pane.bottom;
        });
      }
    }
    const [text, viewer] = await Promise.all(
      ['.viewer-text', '.viewer-body'].map((part) => page.locator(part).boundingBox()),
    );
    assert.equal(text?.width, viewer?.width, 'the text has all of the viewer');
    const answer = await ask(page, 'What is the cap on liability?');
    assert.equal(answer.citations[0]?.page, null);
    assert.deepEqual(answer.citations[0]?.quads, []);
  }));

test('the text has headings, items, tables and notes, and keys and marks work in it', () =>
  withPage(async (page) => {
    await drop(page, [await sample('word/opinion.docx')]);
    await searchable(page, 1);
    await page.locator('.row-name').first().click();
    await page.getByRole('region', { name: 'Text of the document' }).waitFor();
    await page.getByRole('heading', { name: 'III. Facts' }).waitFor();
    assert.ok((await page.locator('.text-item[role=listitem]').count()) > 3);
    const mark = page.getByRole('button', { name: 'Note 3', exact: true });
    await mark.click();
    const note = page.locator('.text-note').filter({ hasText: /^3 / });
    assert.ok(
      await note.evaluate(
        (element) => element === /** @type {ShadowRoot} */ (element.getRootNode()).activeElement,
      ),
    );
    const size = () =>
      page.locator('.text-body').evaluate((body) => parseFloat(getComputedStyle(body).fontSize));
    const before = await size();
    await page.keyboard.press('+');
    assert.ok((await size()) > before);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.viewer').isVisible(), false);
  }));

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`axe finds nothing in the text (${colorScheme})`, () =>
    withPage(
      async (page) => {
        await drop(page, [await sample('word/opinion.docx')]);
        await searchable(page, 1);
        await type(page, 'Who may rely on this opinion?');
        await page.locator('button.citation').first().click();
        await page.locator('.text-light').first().waitFor();
        await page.evaluate(axe);
        const found = await page.evaluate(async () => {
          const { violations } = await Reflect.get(globalThis, 'axe').run(document, {
            resultTypes: ['violations'],
          });
          return violations.map(
            (/** @type {any} */ { id, nodes }) =>
              `${id}: ${nodes.map((/** @type {any} */ node) => node.failureSummary).join('; ')}`,
          );
        });
        assert.deepEqual(found, []);
      },
      { colorScheme },
    ));
}

test('a Word file is shown after a reload from what was stored', () =>
  withPage(async (page) => {
    await drop(page, [await sample('word/contract.docx')]);
    await searchable(page, 1);
    await page.reload();
    await page.waitForFunction(() => customElements.get('pincite-widget') !== undefined);
    await ready(page);
    await type(page, 'What is the cap on liability?');
    await page.locator('button.citation').first().click();
    await page.locator('.text-light').first().waitFor();
    assert.match(await lit(page), /125percent/);
    assert.equal(await page.locator('.text-table td').first().count(), 1);
  }));

test('a file of the older format is named, with how to save it', () =>
  withPage(async (page) => {
    await drop(page, [await sample('word/legacy.doc')]);
    await page.getByText('This is a Word 97–2003 file (.doc)').waitFor();
    assert.match(await page.locator('.row .note').innerText(), /save it as \.docx or PDF/i);
    assert.equal((await snapshot(page)).jobs[0]?.error?.code, 'doc-legacy');
  }));

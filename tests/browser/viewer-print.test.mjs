/**
 * Printing an open document: what is handed to the browser, and on how much paper it comes out. The print dialog itself,
 * which no browser without a screen has, is the only thing that is not opened here.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, drop, isFocused, sample, searchable, start, stop, violations, withPage } from './harness.mjs';
import { helvetica, pageObject, pagesPdf, pdfFile, textStream } from './pdf-file.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {{ title: string, html: string, css: string, marked: number[] }} Printed `marked`: pixels in the colour of the highlighter, by picture */

before(start);
after(stop);

const wide = { viewport: { width: 1280, height: 760 } };

/** Notes what would be printed. @param {Page} page */
async function listening(page) {
  await page.addInitScript(() => {
    globalThis.print = () => {
      const canvas = document.createElement('canvas');
      const marked = [...document.images].map((image) => {
        Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight });
        const context = /** @type {CanvasRenderingContext2D} */ (
          canvas.getContext('2d', { willReadFrequently: true })
        );
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
        let n = 0;
        for (let at = 0; at < data.length; at += 4)
          if (data[at] === 0xff && data[at + 1] === 0xe0 && data[at + 2] === 0x66) n += 1;
        return n;
      });
      const css = document.adoptedStyleSheets
        .flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText))
        .join('\n');
      const html = document.body.innerHTML.replaceAll(/ src="[^"]*"/g, '');
      Reflect.set(/** @type {Window} */ (globalThis.top), 'printed', {
        title: document.title,
        html,
        css,
        marked,
      });
      globalThis.dispatchEvent(new Event('afterprint'));
    };
  });
}

/** Waits for what is printed. @param {Page} page @returns {Promise<Printed>} */
async function printed(page) {
  await page.waitForFunction(() => Reflect.get(globalThis, 'printed'), null, { timeout: 60_000 });
  return page.evaluate(() => {
    const { printed } = /** @type {any} */ (globalThis);
    Reflect.deleteProperty(globalThis, 'printed');
    return printed;
  });
}

/** Width and height of each sheet of paper, in points. @param {import('./harness.mjs').BrowserContext} context @param {Printed} printed */
async function paper(context, { html, css }) {
  const page = await context.newPage();
  await page.setContent(`<style>${css}</style>${html}`);
  const file = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString('latin1');
  await page.close();
  return [...file.matchAll(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) =>
    [width, height].map((side) => Math.round(Number(side))).join(' × '),
  );
}

/** Opens a file in the viewer. @param {Page} page @param {{ name: string, bytes: Uint8Array }} file */
async function opened(page, file) {
  await listening(page);
  await drop(page, [file]);
  await searchable(page, 1);
  await page.locator('button.row-name').click();
  await page.locator('.page-view canvas, .text-body *').first().waitFor();
}

/** @param {Page} page */
const dialog = (page) => page.getByRole('dialog', { name: 'Print' });

test('a cited document is printed page for page, in its size, with the cited words marked', () =>
  withPage(async (page, context) => {
    await listening(page);
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await ask(page, 'What is the cap on liability?');
    await page.locator('button.citation').first().click();
    await page.locator('.page-view .light').first().waitFor();
    await page.locator('.viewer-pages').press('Control+p');
    await dialog(page).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Enter');
    const all = await printed(page);
    assert.equal(all.title, 'contract.pdf');
    assert.deepEqual(await paper(context, all), Array(6).fill('595 × 842'), 'six sheets, none of them empty');
    const marked = all.marked.flatMap((pixels, at) => (pixels > 500 ? [at + 1] : []));
    assert.deepEqual(marked, [3, 4], 'the words stand on two pages');
    await dialog(page).waitFor({ state: 'hidden' });
    assert.ok(await page.locator('.viewer-pages').evaluate(isFocused));
    assert.equal(await page.locator('.print-frame').count(), 0, 'nothing is left behind');

    await page.getByRole('button', { name: 'Print' }).click();
    await page.getByRole('radio', { name: 'This page (3)' }).check();
    await page.getByRole('checkbox', { name: 'Mark the cited words' }).uncheck();
    await page.keyboard.press('Enter');
    assert.deepEqual((await printed(page)).marked, [0]);
  }, wide));

test('pages are chosen by number, and sheets are as large as their pages', () =>
  withPage(async (page, context) => {
    const box = (/** @type {string} */ size, /** @type {number} */ contents) =>
      pageObject(contents, 3).replace('612 842', size);
    const bytes = pdfFile([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [4 0 R 5 0 R 6 0 R] /Count 3 >>',
      helvetica,
      box('612 792', 7),
      box('842 595', 7),
      box('300 400', 7),
      textStream(['1. Payment is due within 30 days.']),
    ]);
    await opened(page, { name: 'sizes.pdf', bytes });
    await page.getByRole('button', { name: 'Print' }).click();
    assert.equal(await page.getByRole('checkbox', { name: 'Mark the cited words' }).isVisible(), false);
    const field = page.getByRole('textbox', { name: 'Pages to print' });
    await field.fill('2-4');
    await page.keyboard.press('Enter');
    await page.getByText('Enter pages from 1 to 3, such as 3, 7-9.').waitFor();
    assert.ok(await field.evaluate(isFocused));
    await field.fill('1-3');
    await page.keyboard.press('Enter');
    assert.deepEqual(await paper(context, await printed(page)), ['612 × 792', '842 × 595', '300 × 400']);
  }, wide));

test('printing a long document shows how far it is, and ends when it is cancelled', () =>
  withPage(async (page) => {
    const lines = Array.from({ length: 400 }, (_, at) => [
      `${at + 1}. Clause number ${at + 1} of this deed.`,
    ]);
    await opened(page, { name: 'deed.pdf', bytes: pagesPdf(lines) });
    await page.getByRole('button', { name: 'Print' }).click();
    await dialog(page).getByRole('button', { name: 'Print', exact: true }).click();
    await dialog(page)
      .getByText(/^Page \d+ of 400$/)
      .waitFor();
    const cancel = page.getByRole('button', { name: 'Cancel' });
    assert.ok(await cancel.evaluate(isFocused), 'the button that was pressed is disabled now');
    await page.keyboard.press('Enter');
    await page
      .locator('.shell > [role=status]', { hasText: 'Printing was cancelled.' })
      .waitFor({ state: 'attached' });
    assert.equal(await page.evaluate(() => Reflect.get(globalThis, 'printed')), undefined);
    assert.equal(await page.locator('.print-frame').count(), 0);
    assert.ok(await page.locator('.viewer').isVisible());
  }, wide));

test('a Word file is printed as its text, with the cited words marked', () =>
  withPage(async (page, context) => {
    await listening(page);
    await drop(page, [await sample('word/rulebook.docx')]);
    await searchable(page, 1);
    await ask(page, 'When must a breach be reported?');
    await page.locator('button.citation').first().click();
    const lit = page.locator('.text-body .text-light').first();
    await lit.waitFor();
    await page.getByRole('button', { name: 'Print' }).click();
    await dialog(page).waitFor();
    await page.keyboard.press('Enter');
    const text = await printed(page);
    assert.ok(text.html.includes(`<mark class="text-light">${await lit.innerText()}</mark>`));
    assert.ok(text.html.includes('6.2 Records'));
    assert.match(text.css, /print-color-adjust: exact/);
    const sheets = await paper(context, text);
    assert.ok(sheets.length > 1 && sheets.length < 20, `${sheets.length} sheets`);
  }, wide));

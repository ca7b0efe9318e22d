/**
 * Word files: dropped like PDFs, cited with the words lit in their text, which is shown where pages would be; and
 * what is said of files of the older format.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pageObject, pdfFile } from './pdf-file.mjs';
import { ask, drop, snapshot, ready, sample, searchable, start, stop, type, withPage } from './harness.mjs';

before(start);
after(stop);

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

/** A page of Chinese, in a font that the file names and does not hold. @param {string[]} lines */
function chinesePdf(lines) {
  const hex = (/** @type {string} */ line) => Buffer.from(line, 'utf16le').swap16().toString('hex');
  const content = `BT /F1 12 Tf 20 TL 72 760 Td\n${lines.map((line) => `<${hex(line)}> Tj T*`).join('\n')}\nET`;
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    pageObject(4, 5),
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UTF16-H /DescendantFonts [6 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /DW 1000 /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 5 >> /FontDescriptor 7 0 R >>',
    '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [0 -250 1000 900] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 80 >>',
  ]);
}

/** The first picture of a page in the viewer: letters in its text layer, and dots of another colour than its paper. @param {import('./harness.mjs').Page} page */
async function firstView(page) {
  await page.locator('.page-view canvas').first().waitFor();
  await page.locator('.text-layer span').first().waitFor();
  return page
    .locator('.page-view')
    .first()
    .evaluate((view) => {
      const canvas = /** @type {HTMLCanvasElement} */ (view.querySelector('canvas'));
      const { data } = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).getImageData(
        0,
        0,
        canvas.width,
        canvas.height,
      );
      let nDark = 0;
      for (let at = 0; at < data.length; at += 4)
        if ((data[at] ?? 255) < 128 && data[at + 3] === 255) nDark += 1;
      const box = canvas.getBoundingClientRect();
      const root = /** @type {ShadowRoot} */ (view.getRootNode());
      const pane = /** @type {HTMLElement} */ (view.closest('.viewer-pages')).getBoundingClientRect();
      const there = root.elementFromPoint(pane.left + pane.width / 2, Math.max(box.top, pane.top) + 20);
      return {
        nDark,
        letters: (view.querySelector('.text-layer')?.textContent ?? '').length,
        isOnTop: there !== null && view.contains(there),
      };
    });
}

for (const [name, file, question, how] of /** @type {const} */ ([
  ['a Chinese PDF by its citation', 'rules-zh.pdf', '银行应当在多长时间内答复客户的投诉？', 'citation'],
  ['an English PDF from the list', 'contract.pdf', '金融机构应当在多长时间内答复投诉？', 'row'],
])) {
  test(`after a Word file and a Chinese question, the first view of ${name} is not blank`, () =>
    withPage(
      async (page) => {
        const rules = chinesePdf([
          '第一章 总则',
          '第一条 银行应当在三十日内答复客户的投诉。',
          '第二条 本办法自公布之日起施行。',
        ]);
        await drop(page, [await sample('word/complaints-zh.docx')]);
        await searchable(page, 1);
        await drop(page, [file === 'rules-zh.pdf' ? { name: file, bytes: rules } : await sample(file)]);
        await searchable(page, 2);
        await page.locator('.row-name').first().click();
        await page.locator('.viewer-text').waitFor();
        await page.getByRole('textbox', { name: '您的问题' }).fill(question);
        await page.keyboard.press('Enter');
        const card = page.locator('.answer-card[data-state=answered]').first();
        await card.waitFor();
        const cited = card.locator('button.citation', {
          hasText: file === 'rules-zh.pdf' ? '银行应当在三十日内' : '',
        });
        await cited.first().waitFor();
        await (how === 'citation' ? cited.first() : page.locator('.row-name').nth(1)).click();
        const { nDark, letters, isOnTop } = await firstView(page);
        assert.ok(nDark > 100 && letters > 10 && isOnTop, JSON.stringify({ nDark, letters, isOnTop }));
      },
      { locale: 'zh-CN' },
    ));
}

test('a file of the older format is named, with how to save it', () =>
  withPage(async (page) => {
    await drop(page, [await sample('word/legacy.doc')]);
    await page.getByText('This is a Word 97–2003 file (.doc)').waitFor();
    assert.match(await page.locator('.row .note').innerText(), /save it as \.docx or PDF/i);
    assert.equal((await snapshot(page)).jobs[0]?.error?.code, 'doc-legacy');
  }));

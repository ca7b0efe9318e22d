/**
 * Names of documents: the page calls one the same wherever it stands.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { drop, sample, searchable, start, stop, type, withPage } from './harness.mjs';

before(start);
after(stop);

test('a document has one name in the library, on marks and cards and in the viewer: its title, or its file where two share it', () =>
  withPage(async (page) => {
    await drop(page, [await sample('contract.pdf')]);
    await searchable(page, 1);
    await type(page, 'What is the cap on liability?');
    const shown = async () => {
      const mark = page.locator('.statement button.mark').first();
      await mark.click();
      return [
        await page.locator('.row-name').first().innerText(),
        await page.locator('.citation-document').first().innerText(),
        /: (.+?), p\. /.exec((await mark.getAttribute('aria-label')) ?? '')?.[1],
        await page.locator('.viewer-title').innerText(),
      ];
    };
    assert.deepEqual(await shown(), Array(4).fill('Services Agreement'));
    assert.equal(await page.locator('.viewer-title').getAttribute('title'), 'contract.pdf');
    await drop(page, [await sample('word/contract.docx')]);
    await searchable(page, 2);
    assert.deepEqual(await page.locator('.row-name').allInnerTexts(), ['contract.pdf', 'contract.docx']);
    await page.locator('.row-name').first().click();
    assert.equal(await page.locator('.viewer-title').innerText(), 'contract.pdf');
  }));

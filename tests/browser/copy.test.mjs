/**
 * An answer handed to somebody else: what lands on the clipboard can be checked without the page, as text and as HTML.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, drop, sample, searchable, site, start, stop, withPage } from './harness.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

before(start);
after(stop);

const question = 'What is the cap on liability <b>?';

/** @param {Page} page */
async function answered(page) {
  await drop(page, [await sample('contract.pdf')]);
  await searchable(page, 1);
  return ask(page, question);
}

/** Content of the clipboard by type. @param {Page} page */
const clipboard = (page) =>
  page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    /** @type {Record<string, string>} */
    const held = {};
    for (const type of item?.types ?? [])
      held[type] = await /** @type {ClipboardItem} */ (item).getType(type).then((blob) => blob.text());
    return held;
  });

test('a copied answer carries title, section, page and quotation of each numbered citation', () =>
  withPage(async (page, context) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(site()).origin });
    const { citations, statements } = await answered(page);
    const title = (await page.locator('.citation-document').first().textContent()) ?? '';
    await page.getByRole('button', { name: 'Copy answer' }).press('Enter');
    const told = `Copied with ${citations.length} citations.`;
    await page.locator('.answer-card').getByText(told).waitFor();
    await page.locator('.shell > [role=status]').getByText(told).waitFor();

    const { 'text/plain': text = '', 'text/html': html = '' } = await clipboard(page);
    assert.ok(text.startsWith(`${question}\n\n`));
    for (const statement of statements)
      assert.ok(text.includes(`${statement.text} [${statement.citations[0]}]`));
    for (const { id, sectionPath, page: number, quote } of citations) {
      const place = text.split('\n').find((line) => line.startsWith(`${id}. `)) ?? '';
      assert.ok(place.includes(title), place);
      assert.ok(place.includes(sectionPath.join(' › ')), place);
      assert.ok(place.endsWith(`p. ${number}`), place);
      assert.ok(text.includes(`“${quote}”`));
    }
    // A page of its own: the policy of this one takes no HTML.
    const reader = await context.newPage();
    const read = await reader.evaluate((html) => {
      const parsed = new DOMParser().parseFromString(html, 'text/html');
      return {
        question: parsed.querySelector('h2')?.textContent,
        markup: parsed.querySelectorAll('h2 *').length,
        items: [...parsed.querySelectorAll('ol > li')].map((each) => each.textContent ?? ''),
      };
    }, html);
    assert.deepEqual([read.question, read.markup], [question, 0], 'a question is text, not markup');
    assert.equal(read.items.length, citations.length);
    for (const [at, { quote }] of citations.entries()) {
      assert.ok(read.items[at]?.startsWith(title));
      assert.ok(read.items[at]?.includes(`“${quote}”`));
    }
  }));

test('an answer that was looked for in a part of the library says so when it is copied', () =>
  withPage(async (page, context) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(site()).origin });
    await drop(page, [await sample('contract.pdf'), await sample('rulebook.pdf')]);
    await searchable(page, 2);
    await page.locator('.filter > summary').click();
    await page.getByRole('combobox', { name: 'Document' }).selectOption({ label: 'contract.pdf' });
    await ask(page, question);
    await page.getByRole('button', { name: 'Copy answer' }).press('Enter');
    await page.locator('.answer-card').getByText('Copied with').waitFor();
    const { 'text/plain': text = '', 'text/html': html = '' } = await clipboard(page);
    assert.ok(text.startsWith(`${question}\n\nSearched: contract.pdf.\n\n`), text);
    assert.ok(html.includes('<p>Searched: contract.pdf.</p>'), html);
  }));

test('where the browser takes no HTML the text is copied, and where it takes nothing the page says so', () =>
  withPage(async (page) => {
    await answered(page);
    await page.evaluate(() => {
      const held = { text: '' };
      Reflect.set(globalThis, 'held', held);
      Reflect.deleteProperty(globalThis, 'ClipboardItem');
      navigator.clipboard.writeText = async (text) => void (held.text = text);
    });
    const button = page.getByRole('button', { name: 'Copy answer' });
    await button.click();
    await page
      .locator('.answer-card')
      .getByText(/^Copied with/)
      .waitFor();
    assert.ok((await page.evaluate(() => Reflect.get(globalThis, 'held').text)).startsWith(question));
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    });
    await button.click();
    await page.locator('.answer-card').getByText('The browser did not allow copying.').waitFor();
  }));

test('in Chinese the button, what it says and the places are Chinese', () =>
  withPage(async (page, context) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(site()).origin });
    await page.evaluate(() => document.querySelector('pincite-widget')?.setAttribute('lang', 'zh'));
    const { citations } = await answered(page);
    await page.getByRole('button', { name: '复制答案' }).click();
    await page.locator('.answer-card').getByText(`已复制，含 ${citations.length} 条引文。`).waitFor();
    const { 'text/plain': text = '' } = await clipboard(page);
    assert.ok(text.includes(`第 ${citations[0]?.page} 页`));
  }));

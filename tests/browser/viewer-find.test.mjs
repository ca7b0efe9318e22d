/**
 * Words found in an open document: counted, marked beside the cited ones, gone through by key and button; in pages and
 * in the text of a Word file, and in a long document without the page standing still.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, drop, isFocused, sample, searchable, start, stop, violations, withPage } from './harness.mjs';
import { pagesPdf } from './pdf-file.mjs';

/** @typedef {import('./harness.mjs').Page} Page */

before(start);
after(stop);

const threeColumns = { viewport: { width: 1280, height: 760 } };

/** Asks of a sample and opens the first citation. @param {Page} page @param {string} name */
async function cited(page, name) {
  await drop(page, [await sample(name)]);
  await searchable(page, 1);
  await ask(page, 'What is the cap on liability?');
  await page.locator('button.citation').first().click();
  await page.locator('.page-view .light, .text-light').first().waitFor();
}

/** Opens a document that was dropped. @param {Page} page @param {{ name: string, bytes: Uint8Array }} file */
async function opened(page, file) {
  await drop(page, [file]);
  await searchable(page, 1);
  await page.locator('button.row-name').click();
  await page.locator('.text-layer span').first().waitFor({ state: 'attached' });
}

/** @param {Page} page */
const field = (page) => page.getByRole('searchbox', { name: 'Find in document' });

/** Looks for words and waits for the count. @param {Page} page @param {string} words @param {string} count */
async function find(page, words, count) {
  await field(page).fill(words);
  await counted(page, count);
}

/** Waits for the count, exactly so. @param {Page} page @param {string} count */
async function counted(page, count) {
  await page.locator('.find-count').getByText(count, { exact: true }).waitFor({ timeout: 60_000 });
}

/** Texts that are marked as found, and the current one with its page. @param {Page} page */
function marked(page) {
  return page.evaluate(() => {
    const ranges = (/** @type {string} */ name) =>
      /** @type {Range[]} */ ([...(CSS.highlights.get(name) ?? [])]);
    const [current] = ranges('pincite-found-current');
    const start = current?.startContainer.parentElement;
    const pane = start?.closest('.viewer-pages, .viewer-text')?.getBoundingClientRect();
    const box = current?.getBoundingClientRect();
    return {
      all: ranges('pincite-found').map(String),
      current: current ? String(current) : null,
      page: start?.closest('.page-view')?.getAttribute('data-page') ?? null,
      isSeen: Boolean(pane && box && box.top >= pane.top && box.bottom <= pane.bottom),
    };
  });
}

/** Waits until the current match is such a text, and in sight. @param {Page} page @param {string} text */
async function current(page, text) {
  await page.waitForFunction((text) => {
    const [range] = /** @type {Range[]} */ ([...(CSS.highlights.get('pincite-found-current') ?? [])]);
    return range?.toString() === text;
  }, text);
  await page.waitForTimeout(100);
  const found = await marked(page);
  assert.ok(found.isSeen, `“${text}” is in sight`);
  return found;
}

test('matches are counted and marked beside the cited words, and gone through round and round', () =>
  withPage(async (page) => {
    await cited(page, 'contract.pdf');
    await page.getByRole('region', { name: 'Pages of the document' }).press('Control+f');
    assert.ok(await field(page).evaluate(isFocused));
    await find(page, 'liability', '1 of 5');
    const first = await current(page, 'Liability');
    assert.equal(first.page, '3', 'the search begins at the page that is read');
    assert.ok(first.all.length >= 4 && first.all.every((text) => text.toLowerCase() === 'liability'));
    assert.ok((await page.locator('.light').count()) > 0, 'the cited words stay lit');

    await page.keyboard.press('Enter');
    await counted(page, '2 of 5');
    await page.getByRole('button', { name: 'Previous match' }).click();
    await counted(page, '1 of 5');
    await page.getByRole('button', { name: 'Previous match' }).click();
    await counted(page, '5 of 5');
    await field(page).press('Enter');
    await counted(page, '1 of 5');
    await field(page).press('Shift+Enter');
    await counted(page, '5 of 5');
    await page.locator('.shell > [role=status]', { hasText: '5 of 5.' }).waitFor({ state: 'attached' });
  }, threeColumns));

test('case and whole words count when they are asked for', () =>
  withPage(async (page) => {
    const lines = ['Cap on the cap: capital, recap.', 'A non-', 'compete clause, and the indem-', 'nity.'];
    await opened(page, { name: 'a.pdf', bytes: pagesPdf([lines]) });
    await page.getByRole('button', { name: 'Find in document' }).click();
    await find(page, 'Cap', '1 of 4');
    await page.getByRole('button', { name: 'Match case' }).click();
    await counted(page, '1 of 1');
    await page.getByRole('button', { name: 'Match case' }).click();
    await page.getByRole('button', { name: 'Whole words' }).click();
    await counted(page, '1 of 2');
    assert.equal(
      await page.getByRole('button', { name: 'Whole words' }).getAttribute('aria-pressed'),
      'true',
    );
    await find(page, 'INDEMNITY', '1 of 1');
    await find(page, 'non-compete', '1 of 1');
    await find(page, 'nowhere', 'No match');
    await page
      .locator('.shell > [role=status]', { hasText: 'No match for “nowhere”.' })
      .waitFor({ state: 'attached' });
    assert.deepEqual((await marked(page)).all, []);
  }, threeColumns));

test('Escape closes the search and gives the focus back, then closes the viewer', () =>
  withPage(async (page) => {
    await cited(page, 'contract.pdf');
    const pages = page.getByRole('region', { name: 'Pages of the document' });
    await pages.press('Control+f');
    await find(page, 'liability', '1 of 5');
    await page.keyboard.press('Escape');
    await field(page).waitFor({ state: 'hidden' });
    assert.ok(await pages.evaluate(isFocused));
    assert.deepEqual((await marked(page)).all, []);
    await page.getByRole('button', { name: 'Find in document' }).click();
    await counted(page, '1 of 5');
    await page.getByRole('button', { name: 'Close the search' }).click();
    assert.ok(await page.getByRole('button', { name: 'Find in document' }).evaluate(isFocused));
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.viewer').isVisible(), false);
  }, threeColumns));

test('in the text of a Word file matches are found in paragraphs, notes and tables, past the marks of notes', () =>
  withPage(async (page) => {
    await drop(page, [await sample('word/opinion.docx'), await sample('word/contract.docx')]);
    await searchable(page, 2);
    const row = (/** @type {string} */ name) => page.locator('.row', { hasText: name }).locator('.row-name');
    await row('opinion.docx').click();
    const text = page.getByRole('region', { name: 'Text of the document' });
    await page.locator('.text-note').first().waitFor();
    const shown = (await page.locator('.text-note').last().textContent()) ?? '';
    const note = shown.replace(/^\S+ /, '').slice(0, 24).trim();
    await text.press('Control+f');
    await find(page, note, '1 of 1');
    assert.equal((await current(page, note)).current, note);

    await row('contract.docx').click();
    await page.locator('.text-table td').first().waitFor();
    await find(page, '£184,000', '1 of 1');
    await current(page, '£184,000');
    await find(page, 'leak detection service', '1 of 4');
  }, threeColumns));

test('a document of 900 pages is searched while the page answers, and the search can be left', () =>
  withPage(async (page) => {
    const bytes = pagesPdf(
      Array.from({ length: 900 }, (_, at) => [
        `Rule ${at + 1}`,
        ...Array.from({ length: 24 }, (_, line) => `The firm shall keep record ${line} of page ${at + 1}.`),
        ...(at === 870 ? ['Only here stands the parsonage.'] : []),
      ]),
    );
    await opened(page, { name: 'long.pdf', bytes });
    await page.evaluate(() => {
      const times = /** @type {number[]} */ ([]);
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) times.push(duration);
      }).observe({ type: 'longtask' });
      Reflect.set(globalThis, 'longTasks', times);
    });
    await page.getByRole('button', { name: 'Find in document' }).click();
    await field(page).fill('firm');
    await page.locator('.find-count', { hasText: 'so far' }).waitFor();
    // Left while it runs.
    await page.keyboard.press('Escape');
    await field(page).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Find in document' }).click();
    const begun = Date.now();
    await find(page, 'parsonage', '1 of 1');
    console.log(`900 pages searched in ${Date.now() - begun} ms`);
    assert.equal((await current(page, 'parsonage')).page, '871');
    const again = Date.now();
    await find(page, 'firm', '20,881 of 21,600');
    const seconds = (Date.now() - again) / 1000;
    assert.ok(seconds < 3, `${seconds} s for pages that were read before`);
    await field(page).press('Shift+Enter');
    await counted(page, '20,880 of 21,600');
    assert.ok((await page.locator('.page-view canvas').count()) < 12, 'pages far away are not drawn');
    const longest = await page.evaluate(() => Math.max(0, ...Reflect.get(globalThis, 'longTasks')));
    console.log(`longest task ${Math.round(longest)} ms`);
  }, threeColumns));

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  for (const width of [1280, 320]) {
    test(`axe finds nothing with the search open, whose rows are in the order of the Tab key (${colorScheme}, ${width} wide)`, () =>
      withPage(
        async (page) => {
          await cited(page, 'contract.pdf');
          await page.getByRole('button', { name: 'Find in document' }).click();
          await find(page, 'liability', '1 of 5');
          assert.deepEqual(await violations(page), []);
          /** @type {number[]} */
          const middles = [];
          for (const control of await page.locator('.find-bar').locator('input, button').all()) {
            const box = await control.boundingBox();
            assert.ok(box && box.width >= 24 && box.height >= 24);
            middles.push(Math.round(box.y + box.height / 2));
          }
          assert.deepEqual(
            middles,
            [...middles].sort((a, b) => a - b),
          );
          assert.ok(new Set(middles).size <= 2, `rows at ${middles}`);
        },
        { colorScheme, viewport: { width, height: 800 } },
      ));
  }
}

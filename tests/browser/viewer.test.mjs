/**
 * The viewer for somebody who checks an answer: the cited words are large enough to read as they open, zooming is kept
 * from citation to citation, and by keys as well as by buttons.
 */

import assert from 'node:assert/strict';
import { buffer as buffered } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { tooWide } from './accessibility.mjs';
import {
  ask,
  drop,
  isFocused,
  ready,
  sample,
  searchable,
  setModel,
  start,
  stop,
  type,
  violations,
  withPage,
} from './harness.mjs';

/** @typedef {import('./harness.mjs').Page} Page */

before(start);
after(stop);

const question = 'What is the cap on liability?';
const threeColumns = { viewport: { width: 1280, height: 760 } };
const phone = { viewport: { width: 390, height: 800 } };

/** Asks of a contract and opens the first citation. @param {Page} page */
async function opened(page) {
  await drop(page, [await sample('contract.pdf')]);
  await searchable(page, 1);
  await ask(page, question);
  await page.locator('button.citation').first().click();
  await page.locator('.page-view .light').first().waitFor();
  await page.locator('.text-layer span').first().waitFor();
}

/** Size of the lit words' type, and where they stand in the viewer: CSS pixels. @param {Page} page */
async function lit(page) {
  return page
    .locator('.light')
    .first()
    .evaluate((light) => {
      const view = /** @type {HTMLElement} */ (light.closest('.page-view'));
      const pane = /** @type {HTMLElement} */ (view.parentElement).getBoundingClientRect();
      const box = light.getBoundingClientRect();
      const scale = Number(view.style.getPropertyValue('--total-scale-factor'));
      const spans = /** @type {HTMLElement[]} */ ([...view.querySelectorAll('.text-layer span')]);
      const isLit = (/** @type {HTMLElement} */ span) => {
        const { top, bottom, left, right } = span.getBoundingClientRect();
        const middle = (top + bottom) / 2;
        return middle > box.top && middle < box.bottom && right > box.left && left < box.right;
      };
      const heights = spans
        .filter(isLit)
        .map((span) => Number.parseFloat(span.style.getPropertyValue('--font-height')));
      return {
        type: Math.min(...heights) * scale,
        top: (box.top - pane.top) / pane.height,
        left: box.left - pane.left,
        right: pane.right - box.right,
        scale,
      };
    });
}

/** True of the first line of a statement, and of its first mark, where nothing hides them: not the window, a pane, or what lies over them. @param {Element} statement */
function inView(statement) {
  const range = new Range();
  range.selectNodeContents(statement);
  const root = /** @type {ShadowRoot} */ (statement.getRootNode());
  const isSeen = (/** @type {DOMRect | undefined} */ box) => {
    if (!box || box.top < 0 || box.bottom > innerHeight || box.left < 0 || box.right > innerWidth)
      return false;
    const there = root.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    return there !== null && statement.contains(there);
  };
  const mark = statement.querySelector('button.mark');
  return { line: isSeen(range.getClientRects()[0]), mark: isSeen(mark?.getBoundingClientRect()) };
}

test('a citation opens with type of 11 pixels or more beside library and answer, in the upper third', () =>
  withPage(async (page) => {
    await opened(page);
    const { type, top, left, right } = await lit(page);
    assert.ok(type >= 11 && type < 30, `${type} px`);
    assert.ok(top > 0 && top < 1 / 3, `${top} of the viewer's height`);
    assert.ok(left >= 0 && right >= 0, `${left} px left, ${right} px right`);
  }, threeColumns));

test('at 1280 × 760 an answer begins above the fold, with its first mark, before and after a citation is opened', () =>
  withPage(async (page) => {
    await drop(page, await Promise.all(['contract.pdf', 'opinion.pdf', 'rulebook.pdf'].map(sample)));
    await searchable(page, 3);
    for (const asked of ['What is the cap on liability?', 'Who may rely on this opinion?']) {
      await type(page, asked);
      const card = page.locator('.answer-card').first();
      const beginning = async () => {
        assert.equal(await card.locator('.asked').innerText(), asked);
        const scrolled = await page.evaluate(() => {
          const desk = document.querySelector('pincite-widget')?.shadowRoot?.querySelector('.desk');
          return (desk?.scrollTop ?? 0) + document.documentElement.scrollTop;
        });
        assert.equal(scrolled, 0, 'nothing was scrolled');
        return card.locator('.statement').first().evaluate(inView);
      };
      const before = await beginning();
      assert.ok(before.line && before.mark, `${asked} ${JSON.stringify(before)}`);
      await card.locator('button.mark').first().click();
      await page.locator('.page-view .light').first().waitFor();
      const after = await beginning();
      assert.ok(after.line && after.mark, `${asked}, with the viewer open: ${JSON.stringify(after)}`);
    }
  }, threeColumns));

test('the controls under the question stand on one line, each with its name, also beside the viewer and at 320 pixels', () =>
  withPage(async (page) => {
    await drop(page, [await sample('contract.pdf'), await sample('rulebook.pdf')]);
    await searchable(page, 2);
    await ask(page, question);
    const line = page.locator('.under-question');
    const names = ['Quotes only (no AI)', 'Nothing has left this device', 'New conversation'];
    /** @param {string} where @param {(string | RegExp)[]} named */
    const isOneLine = async (where, named) => {
      const controls = line.locator('summary, button').filter({ visible: true });
      const boxes = await Promise.all((await controls.all()).map((each) => each.boundingBox()));
      assert.equal(boxes.length, 4, where);
      for (const box of boxes) assert.ok(box && box.width >= 24 && box.height >= 24, where);
      assert.equal(
        new Set(boxes.map((box) => box && Math.round(box.y))).size,
        1,
        `${where}: ${JSON.stringify(boxes)}`,
      );
      const right = Math.max(...boxes.map((box) => (box ? box.x + box.width : Infinity)));
      const desk = await line.boundingBox();
      assert.ok(desk && right <= desk.x + desk.width + 0.5, `${where}: nothing hangs over`);
      for (const name of named) await line.getByRole('button', { name }).waitFor();
      assert.deepEqual(await page.evaluate(tooWide), [], where);
    };
    await isOneLine('wide', names);
    await page.locator('button.citation').first().click();
    await page.locator('.page-view .light').first().waitFor();
    await isOneLine('beside the viewer', names);

    // Long names are cut off, not wrapped.
    await setModel(page, {
      kind: 'openai',
      url: 'https://models.compliance.example/v1',
      model: 'a-model-with-a-long-name-70b-instruct-q4',
    });
    await page
      .getByRole('checkbox', { name: /^Look in/ })
      .first()
      .uncheck();
    await page.locator('.filter > summary').click();
    await page.getByRole('textbox', { name: 'Section' }).fill('Part 3, Rule 4.2.1');
    await page.getByRole('textbox', { name: 'Section' }).blur();
    await page.locator('.filter > summary').click();
    const long = [/^Answers by a-model-with-a-long-name-70b-instruct-q4 at/, ...names.slice(1)];
    await isOneLine('with a model and a filter', long);
    await page.getByRole('button', { name: 'Close the viewer' }).click();
    await isOneLine('the same without the viewer', long);
    await page.setViewportSize({ width: 320, height: 640 });
    await isOneLine('at 320 pixels', long);
  }, threeColumns));

test('on a phone the lit line fills the width and nothing of it is cut off', () =>
  withPage(async (page) => {
    await opened(page);
    const { type, left, right } = await lit(page);
    assert.ok(type >= 8, `${type} px`);
    assert.ok(left >= 0 && right >= 0, `${left} px left, ${right} px right`);
  }, phone));

test('the fit is a pressed button, has a key, and is kept from citation to citation until the viewer is closed', () =>
  withPage(async (page) => {
    await opened(page);
    const button = (/** @type {string} */ name) => page.getByRole('button', { name, exact: true });
    const pressed = async () =>
      [
        await button('Fit text').getAttribute('aria-pressed'),
        await button('Fit page').getAttribute('aria-pressed'),
      ].join();
    for (const name of ['Fit text', 'Fit page', 'Zoom in', 'Zoom out']) {
      const box = await button(name).boundingBox();
      assert.ok(box && box.width >= 24 && box.height >= 24, name);
    }
    assert.equal(await pressed(), 'true,false');
    const fitted = (await lit(page)).scale;

    await page.getByRole('region', { name: 'Pages of the document' }).press('9');
    assert.equal(await pressed(), 'false,true');
    const whole = (await lit(page)).scale;
    assert.ok(whole < fitted);
    const [view, pane] = await Promise.all([
      page.locator('.page-view').first().boundingBox(),
      page.locator('.viewer-pages').boundingBox(),
    ]);
    assert.ok(view && pane && view.height <= pane.height && view.width <= pane.width, 'the page is whole');

    await page.locator('button.citation').last().click();
    await page.locator('.light').first().waitFor();
    assert.equal(await pressed(), 'false,true');
    assert.equal((await lit(page)).scale, whole);

    await button('Zoom in').click();
    assert.equal(await pressed(), 'false,false');
    await page.getByRole('region', { name: 'Pages of the document' }).press('0');
    assert.equal(await pressed(), 'true,false');

    await button('Fit page').click();
    await button('Close the viewer').click();
    await page.locator('button.citation').first().click();
    await page.locator('.light').first().waitFor();
    assert.equal(await pressed(), 'true,false');
  }, threeColumns));

test('one citation follows the other by button and key, and each is announced with its place', () =>
  withPage(async (page) => {
    await opened(page);
    const n = await page.locator('button.citation').count();
    assert.ok(n >= 3, `${n} citations`);
    const place = page.getByRole('group', { name: 'Citations of the answer' });
    const [previous, next] = ['Previous citation', 'Next citation'].map((name) =>
      page.getByRole('button', { name }),
    );
    const current = () => page.locator('button.citation[aria-current]').getAttribute('data-citation');
    const live = page.locator('.shell > [role=status]');
    assert.ok((await place.textContent())?.includes(`Citation 1 of ${n}`));
    assert.equal(await previous?.getAttribute('aria-disabled'), 'true');
    for (const button of [previous, next]) {
      const box = await button?.boundingBox();
      assert.ok(box && box.width >= 24 && box.height >= 24);
    }

    await next?.focus();
    await page.keyboard.press('Enter');
    await page.getByText(`Citation 2 of ${n}`, { exact: true }).waitFor();
    assert.equal(await current(), '2', 'the row in the answer is marked');
    await page.waitForFunction(
      (start) =>
        document
          .querySelector('pincite-widget')
          ?.shadowRoot?.querySelector('.shell > [role=status]')
          ?.textContent?.startsWith(start),
      `Citation 2 of ${n}. Page`,
    );
    assert.ok((await live.textContent())?.includes('the cited words are lit'));
    assert.ok(await next?.evaluate(isFocused), 'the focus stays on the button');

    await page.getByRole('region', { name: 'Pages of the document' }).press('n');
    await page.getByText(`Citation 3 of ${n}`, { exact: true }).waitFor();
    await page.keyboard.press('p');
    await page.keyboard.press('p');
    await page.getByText(`Citation 1 of ${n}`, { exact: true }).waitFor();
    await page.keyboard.press('p');
    assert.equal(await current(), '1', 'there is none before the first');
    await page.getByRole('textbox', { name: 'Page', exact: true }).press('n');
    assert.equal(await current(), '1', 'a letter typed into a field turns nothing');

    await page.locator('button.row-name').first().click();
    await place.waitFor({ state: 'hidden' });
  }, threeColumns));

test('at 900 pixels the documents unfold beside the viewer, whose close button stays in its corner', () =>
  withPage(
    async (page) => {
      await opened(page);
      const [viewer, close] = await Promise.all([
        page.locator('.viewer').boundingBox(),
        page.getByRole('button', { name: 'Close the viewer' }).boundingBox(),
      ]);
      assert.ok(viewer && close);
      assert.ok(close.y - viewer.y < 12 && viewer.x + viewer.width - close.x - close.width < 24);
      const library = page.locator('.library');
      assert.equal(await library.isVisible(), false);
      await page.getByRole('button', { name: /^Documents/ }).click();
      assert.ok(await library.isVisible());
      assert.ok(await page.locator('.viewer').isVisible(), 'the viewer stays');
      assert.deepEqual(await violations(page), []);
      await page.locator('button.row-name').click();
      await library.waitFor({ state: 'hidden' });
    },
    { viewport: { width: 900, height: 760 } },
  ));

test('columns are resized by key and by drag, remembered, and put back by a double click', () =>
  withPage(async (page) => {
    await opened(page);
    const separator = page.getByRole('separator', { name: 'Width of the viewer' });
    const width = async () => Math.round((await page.locator('.viewer').boundingBox())?.width ?? 0);
    const [usual, before] = [await width(), Number(await separator.getAttribute('aria-valuenow'))];
    await separator.press('ArrowRight');
    await separator.press('ArrowRight');
    assert.equal(await width(), usual - 48);
    assert.ok(Number(await separator.getAttribute('aria-valuenow')) < before);
    const box = await separator.boundingBox();
    assert.ok(box && box.width >= 24);
    await page.mouse.move(box.x + 12, 400);
    await page.mouse.down();
    await page.mouse.move(box.x + 12 - 30, 400, { steps: 3 });
    await page.mouse.up();
    assert.ok(Math.abs((await width()) - (usual - 18)) <= 1);
    assert.deepEqual(await violations(page), []);
    await page.getByRole('separator', { name: 'Width of the documents' }).press('ArrowLeft');
    const library = Math.round((await page.locator('.library').boundingBox())?.width ?? 0);
    assert.equal(library, 17 * 16 - 24);

    await page.reload();
    await ready(page);
    await page.locator('button.row-name').click();
    await page.locator('.page-view canvas').first().waitFor();
    assert.ok(Math.abs((await width()) - (usual - 18)) <= 1, 'it is remembered');
    await page.getByRole('separator', { name: 'Width of the documents' }).press('Enter');
    await separator.dblclick();
    assert.ok(Math.abs((await width()) - usual) <= 1);
  }, threeColumns));

test('a page is shown and found by the number that is printed on it', () =>
  withPage(async (page) => {
    await drop(page, [await sample('rulebook.pdf'), await sample('contract.pdf')]);
    await searchable(page, 2);
    const field = page.getByRole('textbox', { name: 'Page', exact: true });
    const count = page.locator('.page-count');
    const shows = async (/** @type {string} */ label, /** @type {string} */ place) => {
      await count.getByText(place, { exact: true }).waitFor();
      assert.equal(await field.inputValue(), label);
    };
    await page.locator('button.row-name', { hasText: 'Client Protection Rulebook' }).click();
    await page.locator('.page-view canvas').first().waitFor();
    await shows('CPR-1', '(1 of 7)');
    for (const [typed, label, place] of /** @type {const} */ ([
      ['cpr-5', 'CPR-5', '(5 of 7)'],
      ['3', 'CPR-3', '(3 of 7)'],
    ])) {
      await field.fill(typed);
      await field.press('Enter');
      await page.getByRole('region', { name: 'Pages of the document' }).focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowLeft');
      await shows(label, place);
    }
    await page.locator('button.row-name', { hasText: 'Services Agreement' }).click();
    await shows('1', 'of 6');
  }, threeColumns));

test('the file that is shown can be saved, bit for bit', () =>
  withPage(async (page) => {
    await opened(page);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the document' }).click();
    const download = await saved;
    assert.equal(download.suggestedFilename(), 'contract.pdf');
    assert.deepEqual(
      await buffered(await download.createReadStream()),
      Buffer.from((await sample('contract.pdf')).bytes),
    );
  }, threeColumns));

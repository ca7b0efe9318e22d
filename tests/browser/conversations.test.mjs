/**
 * Conversations are kept in the browser: they are there after a reload without being asked again, in each tab its own; they
 * begin anew, come back, and are deleted; secrets and, unless they are remembered, addresses are not among what is kept.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ask,
  drop,
  eventually,
  isFocused,
  ready,
  sample,
  searchable,
  setModel,
  site,
  type,
  violations,
  withPage,
} from './harness.mjs';
import { button, card, endpoint, key, prepared, question, server, useScriptedEndpoint } from './scripted.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {import('./harness.mjs').BrowserContext} BrowserContext */
/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

useScriptedEndpoint();

const other = 'Who may end the agreement?';

/** @param {Page} page */
async function reload(page) {
  await page.reload();
  await ready(page);
}

/** Questions of the answers on the page, the newest first. @param {Page} page */
const shown = (page) => page.locator('.thread .asked').allInnerTexts();

/** Waits until these questions are on the page. @param {Page} page @param {string[]} expected */
async function shows(page, expected) {
  // A conversation takes the place of another, perhaps of as many questions: what they ask is waited for.
  const asWanted = page.waitForFunction((wanted) => {
    const asked = document.querySelector('pincite-widget')?.shadowRoot?.querySelectorAll('.thread .asked');
    return JSON.stringify([...(asked ?? [])].map(({ textContent }) => textContent)) === wanted;
  }, JSON.stringify(expected));
  await asWanted.catch(async () => assert.deepEqual(await shown(page), expected));
}

/** Opens the list of earlier conversations, and waits until it shows these questions. @param {Page} page @param {string[]} expected */
async function showsEarlier(page, expected) {
  const list = page.locator('.earlier-conversations');
  if (!(await list.evaluate((details) => /** @type {HTMLDetailsElement} */ (details).open)))
    await list.locator('summary').click();
  // A row has words when it has been drawn, and is made anew whenever a conversation is kept.
  const listed = () => list.locator('button.row-name').allInnerTexts();
  await eventually(
    async () => JSON.stringify(await listed()) === JSON.stringify(expected),
    JSON.stringify(expected),
  ).catch(async () => assert.deepEqual(await listed(), expected));
}

/** Everything that is kept of conversations, as JSON. @param {Page} page @returns {Promise<string>} */
const kept = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open('pincite:conversations');
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
          const read = request.result.transaction(['heads', 'turns']);
          const heads = read.objectStore('heads').getAll();
          const turns = read.objectStore('turns').getAll();
          read.oncomplete = () => {
            request.result.close();
            resolve(JSON.stringify([heads.result, turns.result]));
          };
        };
      }),
  );

/** Waits until what is kept is so. @param {Page} page @param {(kept: string) => boolean} is */
async function keptAs(page, is) {
  for (let wait = 0; wait < 50 && !is(await kept(page)); wait += 1) await page.waitForTimeout(100);
  assert.ok(is(await kept(page)));
}

/** @param {BrowserContext} context */
async function anotherTab(context) {
  const page = await context.newPage();
  await page.goto(site());
  await ready(page);
  return page;
}

/** @param {Page} page */
async function withContract(page) {
  await drop(page, [await sample('contract.pdf')]);
  await searchable(page, 1);
}

test('after a reload questions, answers and citations are there without being asked again, and the next question follows on', () =>
  withPage(async (page) => {
    await withContract(page);
    await type(page, question);
    await type(page, 'What about fraud?');
    const before = await page.locator('.thread').innerText();
    await page.addInitScript(() =>
      document.addEventListener('pincite-answer', () =>
        document.documentElement.setAttribute('data-asked', ''),
      ),
    );
    await reload(page);
    await shows(page, ['What about fraud?', question]);
    assert.equal(await page.locator('.thread').innerText(), before);
    assert.equal(await page.locator('[data-asked]').count(), 0);
    await card(page).locator('button.citation').first().click();
    await page.locator('.viewer .light').first().waitFor();
    assert.deepEqual(await violations(page), []);
    await type(page, 'And in cases of bribery?');
    assert.match(
      await card(page).locator('.understood').innerText(),
      /^Read as a follow-up to: .*What about fraud\?/,
    );
  }));

test('a new conversation begins empty, also after a reload; it can be taken back until it is asked something', () =>
  withPage(async (page) => {
    await withContract(page);
    await type(page, question);
    await button(page, 'New conversation').click();
    await button(page, 'Back to the conversation').click();
    assert.ok(await page.getByRole('textbox', { name: 'Your question' }).evaluate(isFocused));
    await type(page, 'What about fraud?');
    assert.equal(await card(page).locator('.understood').count(), 1, 'it follows on');
    await button(page, 'New conversation').click();
    await reload(page);
    await showsEarlier(page, [question]);
    assert.deepEqual(await shown(page), []);
    await type(page, other);
    assert.equal(await button(page, 'Back to the conversation').isVisible(), false);
    await reload(page);
    await shows(page, [other]);
  }));

test('an earlier conversation opens again, and goes on; it is deleted with a way back', () =>
  withPage(async (page) => {
    await withContract(page);
    await type(page, question);
    await button(page, 'New conversation').click();
    await type(page, other);
    await showsEarlier(page, [question]);
    assert.deepEqual(await violations(page), []);
    await page.locator('.earlier-conversations button.row-name').click();
    await shows(page, [question]);
    assert.ok(await card(page).locator('.asked').evaluate(isFocused));
    await showsEarlier(page, [other]);
    await button(page, `Delete the conversation “${other}”`).click();
    await page.getByText(`Deleted “${other}”.`).waitFor();
    assert.ok(await button(page, 'Undo').evaluate(isFocused));
    await keptAs(page, (text) => !text.includes(other));
    await button(page, 'Undo').click();
    await button(page, `Delete the conversation “${other}”`).click();
    await page.getByText(`Deleted “${other}”.`).waitFor();
    await reload(page);
    await shows(page, [question]);
    assert.equal(await page.locator('.earlier-conversations').isVisible(), false);
  }));

test('two tabs have a conversation each, and neither overwrites what the other adds to one', () =>
  withPage(async (one, context) => {
    await withContract(one);
    await type(one, question);
    const two = await anotherTab(context);
    assert.deepEqual(await shown(two), [], 'the conversation of the first tab is not taken over');
    await type(two, other);
    await Promise.all([reload(one), reload(two)]);
    await shows(one, [question]);
    await shows(two, [other]);

    // The same one in both: what each adds is there.
    await showsEarlier(two, [question]);
    await two.locator('.earlier-conversations button.row-name').click();
    await shows(two, [question]);
    await Promise.all([ask(one, 'What about fraud?'), ask(two, 'And in cases of bribery?')]);
    await keptAs(one, (text) => text.includes('bribery') && text.includes('fraud?'));
    await reload(one);
    await one.locator('.thread .asked').nth(2).waitFor();
    assert.deepEqual(
      (await shown(one)).sort(),
      [question, 'What about fraud?', 'And in cases of bribery?'].sort(),
    );

    // When all are closed, the newest is there again.
    const last = await shown(one);
    await two.close();
    await one.close();
    await shows(await anotherTab(context), last);
  }));

/** Puts a second widget of the library into the page, each time that it is loaded. @param {Page} page @param {{ id: string }} second */
const withSecond = (page, second) =>
  page.addInitScript((second) => {
    document.addEventListener('DOMContentLoaded', () =>
      document.body.append(Object.assign(document.createElement('pincite-widget'), second)),
    );
  }, second);

for (const id of ['', 'second'])
  test(`two widgets of one library on a page have a conversation each, also after a reload (id “${id}”)`, () =>
    withPage(async (page) => {
      await withContract(page);
      await type(page, 'Where is the agreement from?');
      // A conversation from before is that of one of them alone.
      await withSecond(page, { id });
      await reload(page);
      const ofEach = () =>
        page.evaluate(() =>
          [...document.querySelectorAll('pincite-widget')].map((widget) =>
            [...(widget.shadowRoot?.querySelectorAll('.thread .asked') ?? [])].map(
              (asked) => asked.textContent,
            ),
          ),
        );
      const showEach = async (/** @type {string[][]} */ expected) => {
        await eventually(
          async () => JSON.stringify(await ofEach()) === JSON.stringify(expected),
          JSON.stringify(expected),
        ).catch(async () => assert.deepEqual(await ofEach(), expected));
      };
      await showEach([['Where is the agreement from?'], []]);
      await page.evaluate(
        async (questions) => {
          for (const [at, widget] of document.querySelectorAll('pincite-widget').entries())
            await /** @type {PinciteWidget} */ (widget).ask(questions[at] ?? '');
        },
        [question, other],
      );
      await keptAs(page, (text) => text.includes(question) && text.includes(other));
      await reload(page);
      await showEach([[question, 'Where is the agreement from?'], [other]]);
    }));

test('a citation of a document that was removed says so, until the document is back', () =>
  withPage(async (page) => {
    await withContract(page);
    await type(page, question);
    const mark = card(page).locator('.citation').first().getByText('Removed from the library');
    assert.equal(await mark.isVisible(), false);
    await page.getByRole('button', { name: 'Remove contract.pdf' }).click();
    await mark.waitFor();
    await button(page, 'Undo').click();
    await mark.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Remove contract.pdf' }).click();
    await reload(page);
    await mark.waitFor();
    assert.match(await card(page).locator('.citation').first().innerText(), /contract\.pdf/);
    await withContract(page);
    await mark.waitFor({ state: 'hidden' });
  }));

test('what is stored is not trusted: a turn that is none is left out, and markup stays text', () =>
  withPage(async (page) => {
    await withContract(page);
    await type(page, question);
    await type(page, other);
    await keptAs(page, (text) => text.includes(other));
    await page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const request = indexedDB.open('pincite:conversations');
          request.onsuccess = () => {
            const change = request.result.transaction(['heads', 'turns'], 'readwrite');
            const cursor = change.objectStore('turns').openCursor();
            cursor.onsuccess = () => {
              if (!cursor.result) return;
              const [first, second] = cursor.result.value;
              first.answer.statements[0].text = '<img src=x onerror="document.title=\'run\'">';
              first.answer.citations[0].quote = '<script>document.title = "run"</script>';
              second.answer.citations[0].status = 'certified';
              cursor.result.update([first, second, null, { question: 'half' }]);
            };
            change.objectStore('heads').put({ id: 7, question: {} });
            change.oncomplete = () => {
              request.result.close();
              resolve(undefined);
            };
            change.onabort = () => reject(change.error);
          };
        }),
    );
    await reload(page);
    await shows(page, [question]);
    assert.match(await card(page).innerText(), /<img src=x onerror=/);
    assert.match(await card(page).innerText(), /<script>document/);
    assert.equal(await card(page).locator('img, script').count(), 0);
    assert.notEqual(await page.title(), 'run');
  }));

test('of an answer by a model neither key nor address nor name is kept; the conversation is', () =>
  withPage(async (page) => {
    server.reset({ key });
    await prepared(page);
    await type(page, question);
    const text = await card(page).innerText();
    await keptAs(page, (kept) => kept.includes(question));
    const all = (await kept(page)) + (await page.evaluate(() => JSON.stringify(localStorage)));
    for (const secret of [key, new URL(server.url).host, 'scripted'])
      assert.ok(!all.includes(secret), secret);
    await reload(page);
    await shows(page, [question]);
    assert.equal(
      await card(page).innerText(),
      text.replace(/Written by scripted at [^;]+;/, 'Written by a model;'),
      'all else is as it was',
    );
    server.reset({ key });
    await setModel(page, endpoint());
    await type(page, 'Does it cover fraud?');
    assert.match(await card(page).locator('.left-out').innerText(), /^1 earlier answer .* was not sent/);
  }));

test('where the settings are remembered, the model stays with its answers and they go along; “Forget” takes it out', () =>
  withPage(async (page) => {
    server.reset({ key: null });
    await withContract(page);
    await button(page, 'Quotes only (no AI)').click();
    await page.getByLabel('Language model', { exact: true }).selectOption('openai');
    await page.getByLabel('Address', { exact: true }).fill(server.url);
    await page.getByLabel('Model', { exact: true }).fill('scripted');
    await page.getByLabel('Remember in this browser, without the key').check();
    await button(page, 'Use').click();
    await type(page, question);
    await reload(page);
    await shows(page, [question]);
    await card(page)
      .getByText(/Written by scripted at/)
      .waitFor();
    await type(page, 'Does it cover fraud?');
    assert.equal(await card(page).locator('.left-out').count(), 0);
    await keptAs(page, (text) => text.includes(new URL(server.url).host));
    await page.locator('[part=settings-button]').click();
    await button(page, 'Forget').click();
    await keptAs(page, (text) => !/scripted/.test(text) && !text.includes(new URL(server.url).host));
  }));

test('the settings delete all conversations and forbid keeping them, which lasts', () =>
  withPage(async (page) => {
    await withContract(page);
    await type(page, question);
    await keptAs(page, (text) => text.includes(question));
    const box = page.getByLabel('Keep conversations in this browser');
    await page.locator('[part=settings-button]').click();
    await box.uncheck();
    await page.getByText('All conversations are deleted.').waitFor();
    await keptAs(page, (text) => text === '[[],[]]');
    await page.keyboard.press('Escape');
    await type(page, other);
    await reload(page);
    assert.deepEqual(await shown(page), []);
    assert.equal(await kept(page), '[[],[]]');
    await page.locator('[part=settings-button]').click();
    assert.equal(await box.isChecked(), false);
    await box.check();
    await page.keyboard.press('Escape');
    await type(page, other);
    await reload(page);
    await shows(page, [other]);
  }));

test('with the library all conversations go', () =>
  withPage(async (page) => {
    await withContract(page);
    await type(page, question);
    await keptAs(page, (text) => text.includes(question));
    await button(page, 'Clear all').click();
    await button(page, 'Remove all').click();
    await keptAs(page, (text) => text === '[[],[]]');
    assert.deepEqual(await shown(page), []);
  }));

test('of too many conversations the oldest go', () =>
  withPage(async (page) => {
    await withContract(page);
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          const request = indexedDB.open('pincite:conversations');
          request.onsuccess = () => {
            const change = request.result.transaction(['heads', 'turns'], 'readwrite');
            for (let at = 1; at <= 60; at += 1) {
              const id = `old-${at}`;
              const head = { id, question: `Question ${at}`, startedAt: at, changedAt: at, nTurns: 1 };
              change.objectStore('heads').put({ ...head, bytes: at === 55 ? 20_000_000 : 10 });
              change.objectStore('turns').put([], id);
            }
            change.oncomplete = () => {
              request.result.close();
              resolve(undefined);
            };
          };
        }),
    );
    await type(page, question);
    await keptAs(page, (text) => !text.includes('"old-55"'));
    const [heads, turns] = JSON.parse(await kept(page));
    assert.deepEqual(
      heads
        .map((/** @type {{ id: string }} */ { id }) => id)
        .filter((/** @type {string} */ id) => id.startsWith('old')),
      ['old-56', 'old-57', 'old-58', 'old-59', 'old-60'],
    );
    assert.equal(turns.length, 6);
  }));

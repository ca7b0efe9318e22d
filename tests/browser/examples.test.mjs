/**
 * Example questions from a person's own documents, in a profile without the samples.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  ask,
  drop,
  embedded,
  eventually,
  isFocused,
  sample,
  searchable,
  start,
  stop,
  violations,
  withPage,
} from './harness.mjs';

/** @typedef {import('./harness.mjs').Page} Page */

before(start);
after(stop);

/** @param {Page} page */
const group = (page) => page.getByRole('group', { name: 'Suggested questions' });
/** @param {Page} page */
const offered = (page) => group(page).getByRole('button').allInnerTexts();

/** Adds two documents of which neither is a sample. @param {Page} page */
async function addOwn(page) {
  await drop(page, [await sample('word/contract.docx'), await sample('word/complaints-zh.docx')]);
  await searchable(page, 2);
  await eventually(async () => (await offered(page)).length === 4, 'four questions of both documents');
}

const aboutLatePayment = 'What do the documents say about late payment?';

test('documents of one’s own suggest questions; the first citation is in the section that the question names', () =>
  withPage(async (page) => {
    assert.equal(await group(page).count(), 0);
    assert.ok(!(await loaded(page)), 'what makes them is not loaded before there is a document');
    await addOwn(page);
    assert.ok(await loaded(page));
    assert.deepEqual(await violations(page), []);
    await group(page).getByRole('button', { name: aboutLatePayment }).click();
    await page.locator('.answer-card[data-state=answered]').waitFor();
    assert.equal(await page.locator('.asked').innerText(), aboutLatePayment);
    assert.match(await page.locator('.citation-path').first().innerText(), /› Section 4\.3 Late payment$/);
    assert.ok(await page.getByRole('textbox', { name: 'Your question' }).evaluate(isFocused));
    assert.equal(await group(page).count(), 0, 'only until a question has been asked');
  }));

test('every suggestion is answered, by the definition or the section that it names, also with the model', () =>
  withPage(
    async (page) => {
      await addOwn(page);
      const questions = await offered(page);
      assert.ok(questions.includes('“监督”有哪些规定？'), 'a document in Chinese is asked in Chinese');
      assert.ok(questions.includes('What does “Working Day” mean?'));
      await embedded(page);
      for (const question of questions) {
        const { answerability, citations } = await ask(page, question);
        assert.equal(answerability, 'answers', question);
        const [, named = ''] = /“(.+?)”|about (.+)\?/.exec(question)?.filter(Boolean) ?? [];
        const first = citations[0];
        const place = `${first?.sectionPath.at(-1)} ${first?.quote}`.toLowerCase();
        assert.ok(place.includes(named.toLowerCase()), `${question} ${place}`);
      }
    },
    { vectors: true },
  ));

test('questions go with their documents, and come back with them', () =>
  withPage(async (page) => {
    await addOwn(page);
    await page.getByRole('button', { name: 'Remove complaints-zh.docx' }).click();
    await eventually(
      async () => !(await offered(page)).some((question) => /\p{Script=Han}/u.test(question)),
      'nothing is asked of a document that is gone',
    );
    await eventually(async () => (await offered(page)).length > 0, 'those of the other are there');
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(
      async () => (await offered(page)).some((question) => /\p{Script=Han}/u.test(question)),
      'it is asked about again',
    );
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByRole('button', { name: 'Remove all' }).click();
    await eventually(async () => (await group(page).count()) === 0, 'no document, no question');
  }));

/** True if the module that makes them has been fetched. @param {Page} page */
const loaded = (page) =>
  page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => /\/examples-/.test(name)));

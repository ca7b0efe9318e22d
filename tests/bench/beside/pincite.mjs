/** The five tasks in Pincite's page. */

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { embedded, ready, samplesFolder, searchable } from '../../browser/harness.mjs';
import { Person } from '../keystrokes.mjs';
import { adding, files, handing, tasks } from '../user-tasks.mjs';

/** @typedef {import('../../../www/node_modules/playwright-core/index.js').Browser} Browser */
/** @typedef {import('../../../www/node_modules/playwright-core/index.js').Page} Page */
/** @typedef {import('../../../www/node_modules/playwright-core/index.js').Locator} Locator */
/** @typedef {import('../user-tasks.mjs').Task} Task */
/** @typedef {import('../keystrokes.mjs').Gestures} Gestures */
/**
 * A task as it went. `waited`: milliseconds of the program, null where they are not counted; `way`: how the person went.
 * @typedef {{ task: string, counted: Gestures, waited: number | null, isDone: boolean, way?: string }} Run
 */
/** Takes a picture of the state that a task ended in. @typedef {(page: Page, task: string) => Promise<void>} Camera */

/** Milliseconds that a promise takes. @param {() => Promise<unknown>} body */
export async function timed(body) {
  const begin = performance.now();
  await body();
  return performance.now() - begin;
}

/** True once it is there, false if it does not come. @param {Locator} locator @param {number} [timeout] */
export const comes = (locator, timeout = 30_000) =>
  locator
    .first()
    .waitFor({ timeout })
    .then(
      () => true,
      () => false,
    );

/** @param {Browser} browser @param {{ url: string, folder: string, camera: Camera }} place `folder` for what is saved @returns {Promise<Run[]>} */
export async function pincite(browser, { url, folder, camera }) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 760 },
    serviceWorkers: 'block',
  });
  try {
    const page = await context.newPage();
    await page.goto(url);
    await ready(page);
    const person = new Person(page);
    const runs = [await add(person)];
    await camera(page, adding);
    for (const task of tasks) {
      runs.push(await find(person, task));
      await camera(page, task.name);
    }
    runs.push(await hand(person, path.join(folder, 'answer.html'), camera));
    return runs;
  } finally {
    await context.close();
  }
}

/** @param {Person} person @returns {Promise<Run>} */
async function add(person) {
  const { page } = person;
  const chooser = page.waitForEvent('filechooser');
  await person.click(page.getByRole('button', { name: /^Add documents/ }));
  await (await chooser).setFiles(files.map((file) => path.join(samplesFolder, file)));
  person.countPicker(files.length);
  const waited = await timed(() => searchable(page, files.length));
  // The tasks are about the page at its best; a question can be asked before.
  await embedded(page);
  return { task: adding, counted: person.take(), waited, isDone: true };
}

/** @param {Person} person @param {Task} task @returns {Promise<Run>} */
async function find(person, { name, question, holds }) {
  const { page } = person;
  await person.click(page.getByRole('textbox', { name: 'Your question' }));
  const card = page.locator('.answer-card').first();
  const waited = await timed(async () => {
    await person.type(question);
    await page.locator('.asked').first().getByText(question).waitFor();
    await card.and(page.locator('[data-state=answered], [data-state=refused]')).waitFor({ timeout: 60_000 });
  });
  const citation = card.locator('button.citation').first();
  const quote = (await citation.count()) > 0 ? await citation.locator('.citation-quote').innerText() : '';
  const isFirst = quote.replaceAll(/\s+/g, ' ').includes(holds);
  if (quote !== '') await person.click(citation);
  const isLit = quote !== '' && (await comes(page.locator('.light')));
  if (!isFirst) console.error(`${name}: first quotation ${JSON.stringify(quote)}`);
  return { task: name, counted: person.take(), waited, isDone: isFirst && isLit };
}

/**
 * Saves the last answer with its documents, and opens the file as the colleague does.
 * @param {Person} person @param {string} file @param {Camera} camera @returns {Promise<Run>}
 */
async function hand(person, file, camera) {
  const { page } = person;
  await person.click(page.getByRole('button', { name: 'Save with documents' }).first());
  const saved = page.waitForEvent('download');
  const save = page.getByRole('button', { name: 'Save file' });
  await save.waitFor();
  const waited = await timed(async () => {
    await person.click(save);
    await (await saved).saveAs(file);
  });
  const colleague = await page.context().newPage();
  await colleague.goto(pathToFileURL(file).href);
  await colleague.locator('button.citation').first().click();
  const isDone = await comes(colleague.locator('.light'), 60_000);
  await camera(colleague, handing);
  return {
    task: handing,
    counted: person.take(),
    waited,
    isDone,
    way: 'a file with the answer and its documents',
  };
}

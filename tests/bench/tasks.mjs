/**
 * Five tasks as a new user does them, in the page with nothing in it yet: find an exception, a deadline, a definition in
 * a footnote, a figure in a table, and hand the answer to a colleague. Counts clicks and keys, and estimates seconds by
 * the keystroke-level model (Card, Moran and Newell 1980), in which only the page's own time is measured; beside it
 * stands a peer, by the steps that its documentation gives. Prints a table in Markdown, which `tasks.md` keeps.
 *
 *   node tests/bench/tasks.mjs --site dist/site [--pictures FOLDER] > tests/bench/tasks.md
 *
 * A task whose answer is not the first quotation, or is not lit on the page, is said to have failed.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import playwright from '../../www/node_modules/playwright-core/index.js';
import { serve } from '../../www/serve.mjs';
import {
  chromiumArgs,
  chromiumPath,
  embedded,
  ready,
  samplesFolder,
  searchable,
  siteFolder,
} from '../browser/harness.mjs';

/** @typedef {import('../../www/node_modules/playwright-core/index.js').Page} Page */
/** @typedef {import('../../www/node_modules/playwright-core/index.js').Locator} Locator */
/** @typedef {{ name: string, question: string, holds: string }} Task `holds` words that the quotation must have */
/** @typedef {{ clicks: number, keys: number, thoughts: number, homings: number }} Gestures */

/** Operators of the model, in seconds: a key at 55 words a minute, pointing, a press and release, hand to the other device, a thought. */
const operators = { key: 0.2, point: 1.1, press: 0.2, home: 0.4, think: 1.35 };

/** Questions in the words of someone who has not read the samples. @type {Task[]} */
const tasks = [
  {
    name: 'Find an exception',
    question: 'When can they swap the project manager without asking us?',
    holds: 'illness, resignation or dismissal',
  },
  {
    name: 'Find a deadline',
    question: 'How long may a firm take to answer someone who complains?',
    holds: '30 Business Days',
  },
  {
    name: 'Find a definition in a footnote',
    question: 'What likelihood in per cent do some lawyers mean by “will”?',
    holds: 'about 95 percent',
  },
  {
    name: 'Find a figure in a table',
    question: 'What does one day of an engineer cost?',
    holds: '£860',
  },
];
const files = ['contract.pdf', 'opinion.pdf', 'rulebook.pdf'];
/** Clicks in the picker of the system for three files: each of them, and "Open". */
const pickerClicks = files.length + 1;
const addressee = 'k.mensah@ravelin.example';

/** Written below the table. A change that a later count brings is added here. */
const changed = `## What was changed because of it

Every passage was found with two clicks and its question from the first count on, so no step of a way was taken out. What stood in
the way was the tour, in the pictures that \`--pictures\` takes:

- Its step about asking lay over the answer. It ends now when a question is asked (“End the tour when a question is asked”).
- Its step about documents lay over their list, and stayed when a file had been added. The first file now ends the steps that
  ask for one, and the step stands beside the list (“Move the tour on with the first file, and off the list of documents”; of
  the same day, found at three widths of the window).`;

/** @param {Partial<Gestures>} gestures @returns {Gestures} */
const gestures = (gestures) => ({ clicks: 0, keys: 0, thoughts: 0, homings: 0, ...gestures });

/** Seconds of a person's hands and head. @param {Gestures} counted */
function seconds({ clicks, keys, thoughts, homings }) {
  const { key, point, press, home, think } = operators;
  return clicks * (point + press) + keys * key + homings * home + thoughts * think;
}

/**
 * The peer: NotebookLM, by its help pages (support.google.com/notebooklm: "Add or discover new sources", "Use chat",
 * "Share notebooks"). Its own time is not known and not in the sum.
 */
const peer = {
  name: 'NotebookLM',
  // New notebook; upload; the picker.
  adding: gestures({ clicks: 2 + pickerClicks, thoughts: 2 }),
  // The box, the question, Enter; a citation's number, which opens the source beside the answer.
  finding: (/** @type {string} */ question) =>
    gestures({ clicks: 2, keys: question.length + 1, homings: 2, thoughts: 2 }),
  // Share; the address and Enter; Send. The colleague needs an account of the same provider, and reads online.
  handing: gestures({ clicks: 2, keys: addressee.length + 1, homings: 2, thoughts: 2 }),
};

const { values } = parseArgs({
  options: { site: { type: 'string', default: siteFolder }, pictures: { type: 'string' } },
});

/** A person at a page, whose gestures are counted. */
class Person {
  counted = gestures({});
  #isTyping = false;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** Decides, points and clicks. @param {Locator} target */
  async click(target) {
    await target.click();
    this.counted.clicks += 1;
    this.counted.thoughts += 1;
    if (this.#isTyping) this.counted.homings += 1;
    this.#isTyping = false;
  }

  /** Types a line where the caret is, and Enter. @param {string} text */
  async type(text) {
    await this.page.keyboard.type(text);
    await this.page.keyboard.press('Enter');
    this.counted.keys += text.length + 1;
    this.counted.homings += this.#isTyping ? 0 : 1;
    this.#isTyping = true;
  }

  /** Gestures since the last call. */
  take() {
    const { counted } = this;
    this.counted = gestures({});
    return counted;
  }
}

/** @param {string} site @param {string} folder for what is saved */
async function measure(site, folder) {
  const server = await serve(site, 0);
  const browser = await playwright.chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
  try {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 760 },
      serviceWorkers: 'block',
    });
    const page = await context.newPage();
    await page.goto(server.url);
    await ready(page);
    const person = new Person(page);
    const rows = [await adding(person)];
    for (const task of tasks) rows.push(await finding(person, task));
    rows.push(await handing(person, path.join(folder, 'answer.html')));
    return rows;
  } finally {
    await browser.close();
    await server.close();
  }
}

/** @param {Person} person */
async function adding(person) {
  const { page } = person;
  const chooser = page.waitForEvent('filechooser');
  await person.click(page.getByRole('button', { name: /^Add documents/ }));
  await (await chooser).setFiles(files.map((file) => path.join(samplesFolder, file)));
  person.counted.clicks += pickerClicks;
  const begin = performance.now();
  await searchable(page, files.length);
  const waited = performance.now() - begin;
  // The tasks are about the page at its best; a question can be asked before.
  await embedded(page);
  return row('Add three files', person.take(), waited, true, peer.adding);
}

/** @param {Person} person @param {Task} task */
async function finding(person, { name, question, holds }) {
  const { page } = person;
  await person.click(page.getByRole('textbox', { name: 'Your question' }));
  const begin = performance.now();
  await person.type(question);
  const card = page.locator('.answer-card').first();
  await page.locator('.asked').first().getByText(question).waitFor();
  await card.and(page.locator('[data-state=answered], [data-state=refused]')).waitFor({ timeout: 60_000 });
  const waited = performance.now() - begin;
  const citation = card.locator('button.citation').first();
  const quote = (await citation.count()) > 0 ? await citation.locator('.citation-quote').innerText() : '';
  const isFirst = quote.replaceAll(/\s+/g, ' ').includes(holds);
  if (quote !== '') await person.click(citation);
  const isLit =
    quote !== '' &&
    (await page
      .locator('.light')
      .first()
      .waitFor({ timeout: 30_000 })
      .then(
        () => true,
        () => false,
      ));
  if (values.pictures) await page.screenshot({ path: path.join(values.pictures, `${name}.png`) });
  if (!isFirst) console.error(`${name}: first quotation ${JSON.stringify(quote)}`);
  return row(name, person.take(), waited, isFirst && isLit, peer.finding(question));
}

/** Saves the last answer with its documents, and opens the file as the colleague does. @param {Person} person @param {string} file */
async function handing(person, file) {
  const { page } = person;
  await person.click(page.getByRole('button', { name: 'Save with documents' }).first());
  const begin = performance.now();
  const saved = page.waitForEvent('download');
  await person.click(page.getByRole('button', { name: 'Save file' }));
  await (await saved).saveAs(file);
  const waited = performance.now() - begin;
  const colleague = await page.context().browser()?.newPage();
  await colleague?.goto(pathToFileURL(file).href);
  await colleague?.locator('button.citation').first().click();
  const light = colleague?.locator('.light').first();
  const isLit =
    (await light?.waitFor({ timeout: 60_000 }).then(
      () => true,
      () => false,
    )) ?? false;
  if (values.pictures) await colleague?.screenshot({ path: path.join(values.pictures, 'colleague.png') });
  return row('Hand the answer to a colleague', person.take(), waited, isLit, peer.handing);
}

/** @param {string} name @param {Gestures} ours @param {number} waited milliseconds @param {boolean} isDone @param {Gestures} theirs */
function row(name, ours, waited, isDone, theirs) {
  const cells = [
    name,
    `${ours.clicks} / ${ours.keys}`,
    seconds(ours).toFixed(1),
    (waited / 1000).toFixed(1),
    isDone ? 'yes' : '**no**',
    `${theirs.clicks} / ${theirs.keys}`,
    seconds(theirs).toFixed(1),
  ];
  return `| ${cells.join(' | ')} |`;
}

const folder = await mkdtemp(path.join(tmpdir(), 'pincite-tasks-'));
try {
  const rows = await measure(path.resolve(values.site), folder);
  console.log(
    [
      '# Five tasks of a new user',
      '',
      'Written by `node tests/bench/tasks.mjs`, which says how they are counted. Without a model endpoint.',
      '',
      `| Task | Clicks / keys | Person, s | Page, s | Done | ${peer.name}: clicks / keys | Person, s |`,
      '|---|---|---|---|---|---|---|',
      ...rows,
      '',
      changed,
    ].join('\n'),
  );
} finally {
  await rm(folder, { recursive: true });
}

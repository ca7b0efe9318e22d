/**
 * The states of the page, each played through as a person comes to it. A scene is a visit of its own; it takes its
 * pictures as it goes.
 */

import { fileURLToPath } from 'node:url';
import { ask, drop, embedded, pdf, sample, searchable, setModel, snapshot } from '../harness.mjs';
import { pagesPdf } from '../pdf-file.mjs';
import { drag, tell } from '../states.mjs';
import { failingScenes } from './failing-scenes.mjs';
import { addSamples, openCitation, press, question, unfoldLibrary } from './gestures.mjs';
import { hostScenes } from './host-scenes.mjs';
import { keepingScenes } from './keeping-scenes.mjs';

/** @typedef {import('../harness.mjs').Page} Page */
/** @typedef {import('../harness.mjs').PinciteWidget} PinciteWidget */
/** @typedef {import('./gestures.mjs').Scene} Scene */

const questionsFile = fileURLToPath(new URL('../fixtures/sample-questions.csv', import.meta.url));

const parties = [
  'Thornbury Analytics',
  'Ravelin Water',
  'Halden Instruments',
  'Corvid Systems',
  'Acquiror plc',
];

/** One of many documents, made of those that there are. @param {readonly import('../harness.mjs').LibraryDocument[]} documents @param {number} at */
const agreement = (documents, at) => ({
  ...documents[at % documents.length],
  id: `agreement-${at}`,
  name: `SA-${String(at + 1).padStart(4, '0')}.pdf`,
  title: `Supply Agreement with ${parties[at % parties.length]}, lot ${at + 1}`,
  nPages: 4 + ((at * 7) % 60),
});

/** Opens the lab with the questions over the samples. @param {Page} page */
async function openLab(page) {
  await addSamples(page, 'contract.pdf', 'rulebook.pdf', 'opinion.pdf');
  await press(page, 'Quotes only (no AI)');
  await press(page, 'How good is this on my documents?');
  await page.locator('.lab-inner').waitFor();
}

/** @param {Page} page */
async function loadQuestions(page) {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, 'Load questions')]);
  await chooser.setFiles(questionsFile);
  await page.getByText('128 questions added').waitFor();
}

/** Holds the searches of the lab after so many; none are held after 0, and those that are go on. @param {Page} page @param {number} n */
const holdSearches = (page, n) =>
  page.evaluate((n) => {
    const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
    Reflect.get(engine, 'release')?.();
    Reflect.deleteProperty(engine, 'ranking');
    if (n === 0) return;
    const ranking = engine.ranking.bind(engine);
    const held = new Promise((resolve) => Reflect.set(engine, 'release', resolve));
    let done = 0;
    engine.ranking = async (request) => {
      done += 1;
      if (done > n) await held;
      return ranking(request);
    };
  }, n);

/** Searches all questions and shows the figures. @param {Page} page @param {string} name of the button */
async function searchAll(page, name) {
  await press(page, name);
  await page.getByRole('button', { name: 'Search all again' }).waitFor({ timeout: 60_000 });
  await page.locator('.lab-summary .lab-table').waitFor();
  await page.locator('#pincite-lab-results').evaluate((heading) => heading.scrollIntoView());
}

/** @type {readonly Scene[]} */
export const scenes = [
  {
    title: 'First steps',
    options: { tour: true },
    play: async (page, picture) => {
      await page.locator('.tour').waitFor();
      await picture('The first visit begins with a tour, which waits for nobody.');
      await page.keyboard.press('Escape');
      await picture('An empty library offers samples.');
      await press(page, 'Add all');
      await searchable(page, 3);
      await picture('With samples come questions that they answer.');
    },
  },
  {
    title: 'Documents on their way, and those that cannot be read',
    play: async (page, picture) => {
      const lines = Array.from({ length: 900 }, (_, at) => [
        `${at + 1}. Clause ${at + 1} of this deed binds both.`,
      ]);
      await drop(page, [{ name: 'deed-of-900-pages.pdf', bytes: pagesPdf(lines) }]);
      await page.locator('.bar').first().waitFor({ state: 'attached' });
      await unfoldLibrary(page);
      await picture('A long file is read, and says how far it is.');
      await searchable(page, 1);
      await drop(page, [
        { name: 'not-a-document.pdf', bytes: new Uint8Array(9) },
        await sample('hostile/locked.pdf'),
        await sample('word/legacy.doc'),
      ]);
      await page.getByText('locked.pdf').first().waitFor();
      await searchable(page, 1);
      await unfoldLibrary(page);
      await picture('What cannot be read says why, above what can; a locked file asks for its password.');
      await drag(page, 'dragenter');
      await picture('A file is held over the page.');
    },
  },
  {
    title: 'A library of many documents',
    play: async (page, picture) => {
      const names = Array.from(
        { length: 24 },
        (_, at) => `supply-agreement-${String(at + 1).padStart(2, '0')}.pdf`,
      );
      await drop(
        page,
        names.map((name, at) => pdf(name, [`${at + 1}. The cap on liability is ${at + 1},000 pounds.`])),
      );
      await searchable(page, names.length);
      await ask(page, question);
      await unfoldLibrary(page);
      await picture('Check boxes choose which documents are asked.');
      const { documents } = await snapshot(page);
      await tell(page, { documents: Array.from({ length: 400 }, (_, at) => agreement(documents, at)) });
      await picture('Four hundred documents.');
    },
  },
  {
    title: 'A question, its answer, and the page',
    options: { vectors: true },
    play: async (page, picture) => {
      await addSamples(page, 'contract.pdf', 'rulebook.pdf', 'opinion.pdf');
      await embedded(page);
      await ask(page, question);
      await picture('Sentences of the documents, each with its source.');
      await openCitation(page);
      await picture('A citation opens its page with the cited words lit.');
      await press(page, 'Find in document');
      await page.keyboard.type('liability');
      await page.locator('.find-count', { hasText: /^1 of \d+$/ }).waitFor();
      await picture('Words are found in the document, in a colour of their own.');
      await page.keyboard.press('Escape');
      await press(page, 'Sections');
      await page.getByRole('treeitem').first().waitFor();
      await picture('Sections of the document.');
      await press(page, 'Thumbnails');
      await page.locator('.thumbnail canvas').nth(3).waitFor();
      await picture('Thumbnails of its pages.');
      await press(page, 'Close the pane');
      await press(page, 'Print');
      await page.getByRole('dialog', { name: 'Print' }).waitFor();
      await picture('What is printed is chosen.');
      await page.evaluate(() => {
        HTMLCanvasElement.prototype.toBlob = () => {};
      });
      await page.keyboard.press('Enter');
      await page.locator('.print-working').waitFor();
      await picture('Pages are drawn for the printer, and a way to stop.');
      await page.keyboard.press('Escape');
      await page.locator('.viewer-pages').press('?');
      await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
      await picture('All keys.');
      await page.keyboard.press('Escape');
      await press(page, 'Close the viewer');
      await ask(page, 'Who won the cup final of 1974?');
      await picture('A question that the documents do not answer.');
      await press(page, 'Quotes only (no AI)');
      await picture('The settings.');
      await page.keyboard.press('Escape');
      await press(page, 'New conversation');
      await page.locator('.earlier-conversations summary').click();
      await picture('Earlier conversations are kept in this browser.');
    },
  },
  {
    title: 'With a language model',
    play: async (page, picture, { server }) => {
      const read =
        'Each party is liable for no more than 125 per cent of the Charges payable for the year [P1]. Nothing limits liability for fraud [P2].';
      server.reset({ replies: { read }, faults: [{ kind: 'drip', step: 'read', bytes: 24, delayMs: 60 }] });
      await addSamples(page, 'contract.pdf');
      await setModel(page, { kind: 'openai', url: server.url, model: 'scripted' });
      const answered = ask(page, question);
      await page.locator('.draft-text', { hasText: /.{60}/ }).waitFor();
      await picture('What the model writes is shown, and said to be unchecked.');
      const stopped = answered.catch(() => {});
      await press(page, 'Stop');
      await stopped;
      await picture('It was stopped: what had been written stays, and is said to be unchecked.');
      server.reset({ replies: { read: 'It is capped [P1]. And "this was never written anywhere" [P1].' } });
      await ask(page, question);
      await picture('Sentences that the documents do not support are marked.');
      await press(page, /requests?, .* sent/);
      await page.getByRole('dialog', { name: 'What has left this device' }).waitFor();
      await picture('What has left the device, request by request.');
    },
  },
  {
    title: 'A model that fails',
    options: { provoked: /status of 500/ },
    play: async (page, picture, { server }) => {
      server.reset({ faults: [{ kind: 'status', status: 500, times: 0 }] });
      await addSamples(page, 'contract.pdf');
      await setModel(page, { kind: 'openai', url: server.url, model: 'scripted', attempts: 1 });
      await ask(page, question);
      await picture('The answer says what was left out, and quotes the documents.');
    },
  },
  {
    title: 'A Word file',
    play: async (page, picture) => {
      await addSamples(page, 'word/rulebook.docx');
      await ask(page, 'When must a breach be reported?');
      await openCitation(page);
      await picture('A document without pages opens as text.');
    },
  },
  {
    title: 'The lab: how good it is on documents of one’s own',
    play: async (page, picture) => {
      await openLab(page);
      await picture('The lab takes the place of questions and answers.');
      await loadQuestions(page);
      await picture('Questions with the pages that answer them, from a file.');
      await press(page, 'Write a question');
      await page.getByLabel('Question', { exact: true }).fill(question);
      await press(page, 'Mark in the document');
      await page.locator('.page-view canvas').first().waitFor();
      await picture('Or written here, and the answer marked in the document.');
      await press(page, 'Done');
      await press(page, 'Cancel');
      await holdSearches(page, 40);
      await press(page, 'Search all questions');
      await page.getByText('40 of 128').waitFor();
      await page.locator('#pincite-lab-run').evaluate((heading) => heading.scrollIntoView());
      await picture('A run under way says how far it is, and can be ended.');
      await press(page, 'Cancel');
      await holdSearches(page, 0);
      await searchAll(page, 'Go on');
      await picture('The measures of a run, which is saved as TREC files.');
      await page.getByLabel('Show', { exact: true }).selectOption('Misses');
      const miss = page.locator('.lab-results > li').first();
      await miss.locator('summary').first().click();
      await miss.getByText('What was found').waitFor();
      await miss.locator('.lab-why > summary').first().click();
      await miss.scrollIntoViewIfNeeded();
      await picture('A miss: the right page, what was found instead, and why.');
      await page.getByLabel('Ranking', { exact: true }).selectOption('Reciprocal rank fusion');
      await picture('Settings of the search.');
      await searchAll(page, 'Search all again');
      await picture('Before and after, with intervals.');
      await page.locator('.lab-plots').scrollIntoViewIfNeeded();
      await picture('Plots, each with its numbers behind it.');
      await press(page, 'Train');
      await page.locator('.lab-note', { hasText: /^Trained on/ }).waitFor({ timeout: 60_000 });
      await page.locator('#pincite-lab-train').evaluate((heading) => heading.scrollIntoView());
      await picture('A ranker trained on these questions, measured on those held out.');
    },
  },
  ...failingScenes,
  ...keepingScenes,
  ...hostScenes,
  {
    title: 'In Chinese',
    font: 'zh',
    options: { locale: 'zh-CN' },
    play: async (page, picture) => {
      await picture('The empty page.');
      await addSamples(page, 'word/complaints-zh.docx');
      await ask(page, '投诉应当在多少日内答复？');
      await openCitation(page);
      await picture('An answer and its place in the document.');
    },
  },
  {
    title: 'Where the site is incomplete',
    options: { provoked: /status of 404|pincite_wasm/, opened: async () => {} },
    play: async (page, picture, { context }) => {
      await context.route('**/pincite_wasm_bg.wasm*', (route) => route.fulfill({ status: 404 }));
      await page.reload();
      await page.locator('.failure').waitFor();
      await picture('The page says what is missing, and to whom.');
    },
  },
];

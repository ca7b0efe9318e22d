/**
 * The lab as a new user goes through it: questions from a file and marked by hand, misses one by one, other settings compared,
 * a ranker trained and measured on held-out questions, the run as TREC files; after a reload, by keyboard, on a narrow page.
 */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { drop, isFocused, ready, sample, searchable, start, stop, violations, withPage } from './harness.mjs';

/** @typedef {import('./harness.mjs').Page} Page */

before(start);
after(stop);

const fixture = fileURLToPath(new URL('fixtures/sample-questions.csv', import.meta.url));
const lab = (/** @type {Page} */ page) => page.locator('.lab');
const button = (/** @type {Page} */ page, /** @type {string | RegExp} */ name) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });

/** @param {Page} page */
async function openLab(page) {
  await button(page, 'Quotes only (no AI)').click();
  await button(page, 'How good is this on my documents?').click();
  await page.getByRole('heading', { level: 1, name: 'How good is this on my documents?' }).waitFor();
}

/** Gives a file of questions to the chooser. @param {Page} page @param {string | { name: string, mimeType: string, buffer: Buffer }} file @param {RegExp} told */
async function load(page, file, told) {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    button(page, 'Load questions').click(),
  ]);
  await chooser.setFiles(file);
  await lab(page).getByText(told).waitFor();
}

/** Runs all questions and waits until the measures are there. @param {Page} page @param {string} name of the button */
async function run(page, name) {
  await button(page, name).click();
  await button(page, 'Search all again').waitFor({ timeout: 60_000 });
  await lab(page).locator('.lab-summary .lab-table').waitFor();
}

/** Cells of the table of measures. @param {Page} page @param {string} part class that it is in */
const cells = (page, part) =>
  page
    .locator(`${part} .lab-table`)
    .first()
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').replace('−', '-').trim())),
    );

/** @param {Page} page @param {string} name of the button that saves a file */
async function saved(page, name) {
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, name).click()]);
  const parts = await (await file.createReadStream()).toArray();
  return Buffer.concat(parts).toString('utf8');
}

/** @param {Page} page @param {number} n */
async function addSamples(page, n = 3) {
  const names = ['contract.pdf', 'rulebook.pdf', 'opinion.pdf'].slice(0, n);
  await drop(page, await Promise.all(names.map(sample)));
  await searchable(page, n);
}

test('a new user loads questions, sees what is missed and why, changes a setting, trains, and saves the run', async () => {
  await withPage(async (page) => {
    await addSamples(page);
    await openLab(page);
    await load(page, fixture, /sample-questions\.csv: 128 questions added/);
    await Promise.all([
      lab(page)
        .getByText(/^\d+ of 128 questions searched\.$/)
        .waitFor(),
      run(page, 'Search all questions'),
    ]);
    assert.deepEqual(await violations(page), []);

    // Misses, one by one.
    await page.getByLabel('Show', { exact: true }).selectOption('Misses');
    const misses = lab(page).locator('.lab-results > li');
    assert.ok((await misses.count()) > 0);
    await misses.first().locator('summary').first().click();
    const detail = misses.first().locator('.lab-detail');
    await detail.getByText('What was found').waitFor();
    assert.equal(await detail.locator('.lab-hits').first().locator('> li').count(), 5);
    await detail.getByText(/^The right place (comes at rank \d+|is not among the first 100)$/).waitFor();
    await detail.locator('.lab-why > summary').first().click();
    await detail
      .getByText(/lambdamart/)
      .first()
      .waitFor();
    await detail.locator('.lab-hits .link').first().click();
    await page.locator('.page-view .light').first().waitFor();
    await button(page, 'Close the viewer').click();

    // The same figures from the files.
    const shown = await cells(page, '.lab-summary');
    await sameFigures(
      await saved(page, 'Save run (TREC)'),
      await saved(page, 'Save judgments (TREC)'),
      shown,
    );

    // Another setting, compared with the run before.
    await page.getByLabel('Ranking', { exact: true }).selectOption('Reciprocal rank fusion');
    await run(page, 'Search all again');
    await lab(page).getByText('the same 128 questions').waitFor();
    const [first] = await cells(page, '.lab-summary');
    assert.equal(first?.[1], shown[0]?.[1], 'before is the run before');
    assert.match(first?.[3] ?? '', /^[+-]\d\.\d{3} [+-]\d\.\d{3} to [+-]\d\.\d{3}$/);
    await page.locator('.lab-plot svg').nth(1).waitFor();
    assert.deepEqual(await violations(page), []);
  });
});

test('a ranker is trained on the questions, measured on held-out ones, used, kept and put back', async (t) => {
  await withPage(async (page) => {
    await addSamples(page);
    await openLab(page);
    const few = (await readFile(fixture, 'utf8')).split('\n').slice(0, 21).join('\n');
    await load(
      page,
      { name: 'few.csv', mimeType: 'text/csv', buffer: Buffer.from(few) },
      /few\.csv: 20 questions added/,
    );
    await button(page, 'Train').click();
    await lab(page)
      .getByText(/\d+ questions can be learned from, 50 are needed/)
      .first()
      .waitFor();
    await button(page, 'Remove all').click();
    await load(page, fixture, /128 questions added/);
    await button(page, 'Train').click();
    await lab(page)
      .getByText(/^Trained on \d+ questions/)
      .waitFor({ timeout: 60_000 });
    const rows = await cells(page, '.lab-note');
    t.diagnostic(rows.map((row) => row.join(' ')).join(' | '));
    assert.equal(rows.length, 5);
    // The ranker that ships knows the samples well: one that goes on with it must not be surely worse on other questions.
    for (const [name, asAnswers = '', was, is, difference = ''] of rows) {
      assert.match(asAnswers, /^[01]\.\d{3}$/, 'the ranking that is set, over the same questions');
      assert.ok(!/to -/.test(difference), `${name}, held out: ${was}, then ${is} (${difference})`);
    }
    await lab(page)
      .getByText(/^“As answers do”: .* nDCG@10 is [+−]\d\.\d{3} against it/)
      .waitFor();
    await button(page, 'Use it').click();
    await lab(page).getByText('Searches use the ranker of your own.').waitFor();
    assert.match(await saved(page, 'Save ranker.txt'), /^tree\n/);
    assert.match(await explained(page), /own ranker [0-9a-f]{8}/);
    // A run of all questions with it has learned from some of them.
    await page.getByLabel('Ranking', { exact: true }).selectOption('Learned (ltr)');
    await page.getByLabel('Ranker', { exact: true }).selectOption('Trained here');
    await run(page, 'Search all questions');
    await lab(page)
      .getByText(/may have learned from these questions/)
      .waitFor();
    await page.reload();
    await ready(page);
    assert.match(await explained(page), /own ranker [0-9a-f]{8}/, 'it is kept with the library');
    await openLab(page);
    await button(page, 'Put back the one that ships').click();
    await button(page, 'Use it').waitFor();
    assert.doesNotMatch(await explained(page), /own ranker/);
  });
});

test('a run that is cut off goes on, and settings that are used are kept and put back', async () => {
  await withPage(async (page) => {
    await addSamples(page, 2);
    await openLab(page);
    await load(page, fixture, /128 questions added/);
    await lab(page)
      .getByText(/left out: the library has no opinion\.pdf/)
      .waitFor();
    await page.getByLabel('BM25 k1').fill('0');
    await page.getByLabel('BM25 b').fill('0');
    // The page reloads itself in the midst of the run, and asks no more until it is gone, which may take longer than the run.
    await page.evaluate(() => {
      const look = () => {
        const bar = document.querySelector('pincite-widget')?.shadowRoot?.querySelector('.lab progress');
        if (!(bar instanceof HTMLProgressElement && bar.value > 0.25)) return void setTimeout(look, 1);
        Worker.prototype.postMessage = () => {};
        location.reload();
      };
      look();
    });
    await Promise.all([page.waitForEvent('load'), button(page, 'Search all questions').click()]);
    await ready(page);
    await openLab(page);
    const left = await lab(page)
      .getByText(/The last run ended early: \d+ questions left/)
      .innerText();
    assert.ok(Number(/\d+/.exec(left)?.[0]) < 101, left);
    assert.equal(await page.getByLabel('BM25 k1').inputValue(), '0');
    await run(page, 'Go on');
    await button(page, 'Use these in this library').click();
    await button(page, 'Put back the usual settings').waitFor();
    const used = await score(page);
    await button(page, 'Put back the usual settings').click();
    await lab(page).getByText('This library uses settings').waitFor({ state: 'detached' });
    assert.notEqual(await score(page), used);
    assert.match(await refusal(page), /k1 is -1/, 'parameters reach answers');
    await button(page, 'Clear all').click();
    await page
      .getByRole('group', { name: 'Clear the library?' })
      .getByRole('button', { name: 'Remove all' })
      .click();
    await lab(page).getByText('No questions yet.').waitFor();
    await page.reload();
    await ready(page);
    await openLab(page);
    await lab(page).getByText('No questions yet.').waitFor();
  });
});

test('by keyboard alone a question is written, its answer marked in the document, and it is searched', async () => {
  await withPage(
    async (page) => {
      await addSamples(page, 1);
      await openLab(page);
      const to = async (
        /** @type {import('../../www/node_modules/playwright-core/index.js').Locator} */ target,
      ) => {
        for (let presses = 0; presses < 60; presses += 1) {
          if (await target.evaluate(isFocused).catch(() => false)) return;
          await page.keyboard.press('Tab');
        }
        assert.fail(`${target} is not reached by Tab`);
      };
      await to(button(page, 'Write a question'));
      await page.keyboard.press('Enter');
      await page.keyboard.type('What is the cap on liability?');
      await to(button(page, 'Mark in the document'));
      await page.keyboard.press('Enter');
      await page.locator('.page-view canvas').first().waitFor();
      await page.keyboard.type('must not exceed 125 per cent');
      await page.keyboard.press('Tab');
      await page.keyboard.type('3');
      await page.keyboard.press('Enter');
      await page.locator('.lab-marker').getByText('Marked: contract.pdf, p. 3.').waitFor();
      await to(button(page, 'Done'));
      await page.keyboard.press('Enter');
      await to(button(page, 'Keep question'));
      await page.keyboard.press('Enter');
      await lab(page).getByText('The question is kept in this browser.').waitFor();
      assert.equal(await page.evaluate(overflow), 0, 'nothing stands beside a page of 320 pixels');
      // Lists lie between the parts: each is reached from the first of them.
      await to(button(page, 'Search and measure'));
      await page.keyboard.press('Enter');
      assert.ok(await page.getByRole('heading', { name: 'Search and measure' }).evaluate(isFocused));
      assert.ok(await button(page, 'Results').isHidden(), 'there are none yet');
      await to(button(page, 'Search all questions'));
      await page.keyboard.press('Enter');
      await lab(page)
        .locator('.lab-rank', { hasText: /^Rank [1-5]$/ })
        .first()
        .waitFor();
      assert.deepEqual(await violations(page), []);
      assert.match(
        await saved(page, 'Save as JSON lines'),
        /"passages":\["contract.pdf#3"\].*"must not exceed 125 per cent"/,
      );
      await button(page, /^Remove: /).click();
      assert.ok(await button(page, 'Put back').evaluate(isFocused));
      await page.keyboard.press('Enter');
      await lab(page).getByText('1 question.', { exact: true }).waitFor();
    },
    { viewport: { width: 320, height: 700 } },
  );
});

test('words selected in the document are marked with their page', async () => {
  await withPage(async (page) => {
    await addSamples(page, 1);
    await openLab(page);
    await button(page, 'Write a question').click();
    await page.getByLabel('Question', { exact: true }).fill('Who signed?');
    await button(page, 'Mark in the document').click();
    const words = page
      .locator('.page-view[data-page="1"] .text-layer span', { hasText: 'Ravelin Water plc' })
      .first();
    await words.waitFor();
    await words.dblclick();
    await page.waitForFunction(() => {
      const field = document.querySelector('pincite-widget')?.shadowRoot?.querySelector('#pincite-lab-pages');
      return field instanceof HTMLInputElement && field.value === '1';
    });
    await button(page, 'These words answer it').click();
    await page.locator('.lab-marker').getByText('Marked: contract.pdf, p. 1.').waitFor();
    await button(page, 'Done').click();
    assert.match(await lab(page).locator('.lab-places').innerText(), /contract\.pdf, p\. 1/);
  });
});

/** Width beside the window. */
const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;

/** Explanation of the first hit of a search, as programs get it. @param {Page} page */
const explained = (page) =>
  page.evaluate(async () => {
    const { engine } = /** @type {import('./harness.mjs').PinciteWidget} */ (
      document.querySelector('pincite-widget')
    );
    const vector = null;
    const reply = await engine.ranking({
      type: 'try-search',
      query: 'Who may complain?',
      vector,
      options: { explain: true, k: 1 },
      ranker: 'kept',
    });
    return JSON.stringify(reply.hits[0]?.explanation);
  });

/** Score of the first hit of a search. @param {Page} page */
const score = (page) =>
  page.evaluate(async () => {
    const { engine } = /** @type {import('./harness.mjs').PinciteWidget} */ (
      document.querySelector('pincite-widget')
    );
    const { hits } = await engine.search('cap on liability', { vectors: 'none' });
    return hits.map(({ text, score }) => `${score} ${text}`).join('\n');
  });

/** Message by which an answer with a parameter out of range is refused. @param {Page} page */
const refusal = (page) =>
  page.evaluate(async () => {
    const { engine } = /** @type {import('./harness.mjs').PinciteWidget} */ (
      document.querySelector('pincite-widget')
    );
    const asked = engine.ask('What is the cap on liability?', { vectors: 'none', ranking: { k1: -1 } });
    return asked.then(() => 'answered', String);
  });

/**
 * The command measures the saved run as the page does.
 * @param {string} runText @param {string} qrelsText @param {string[][]} shown
 */
async function sameFigures(runText, qrelsText, shown) {
  const command = process.env['PINCITE'];
  assert.equal(qrelsText.trim().split('\n').length, 128);
  if (!command) return;
  const folder = await mkdtemp(path.join(tmpdir(), 'pincite-lab-'));
  await writeFile(path.join(folder, 'run'), runText);
  await writeFile(path.join(folder, 'qrels'), qrelsText);
  const { stdout } = await promisify(execFile)(command, [
    ...['eval', 'run', '--run', path.join(folder, 'run'), '--qrels', path.join(folder, 'qrels')],
    ...['--ks', '1,5,10', '--bootstrap', '0', '--json'],
  ]);
  await rm(folder, { recursive: true });
  const { metrics } = JSON.parse(stdout);
  for (const [name = '', value] of shown)
    assert.equal(Number(metrics[name.toLowerCase()]).toFixed(3), value, name);
}

test('questions written in two tabs are all kept, and those taken out in one come back beside those of the other', async () => {
  await withPage(async (page, context) => {
    await addSamples(page, 1);
    await openLab(page);
    const other = await context.newPage();
    await other.goto(page.url());
    await ready(other);
    await openLab(other);
    const one = (/** @type {string} */ words) => ({
      name: `${words}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from(`question,document,page\nWho ${words}?,contract.pdf,1\n`),
    });
    const asked = (/** @type {Page} */ of) => lab(of).locator('.lab-questions .strong').allTextContents();
    await load(page, one('pays'), /pays\.csv: 1 question added/);
    await load(other, one('signs'), /signs\.csv: 1 question added/);
    assert.deepEqual(await asked(other), ['Who pays?', 'Who signs?']);
    await button(page, 'Remove all').click();
    await lab(page).getByText('2 questions removed.').waitFor();
    await load(other, one('counts'), /counts\.csv: 1 question added/);
    assert.deepEqual(await asked(other), ['Who counts?']);
    await button(page, 'Put back').click();
    await lab(page).getByText('Who counts?').waitFor();
    assert.deepEqual(await asked(page), ['Who pays?', 'Who signs?', 'Who counts?']);
    await other.close();
  });
});

test('runs that two tabs make at the same time are both kept, and each tab compares with that of the other', async () => {
  await withPage(async (page, context) => {
    await addSamples(page, 1);
    await openLab(page);
    await load(page, fixture, /128 questions added/);
    const other = await context.newPage();
    await other.goto(page.url());
    await ready(other);
    await openLab(other);
    await other.getByLabel('BM25 k1').fill('0');
    await Promise.all([run(page, 'Search all questions'), run(other, 'Search all questions')]);
    for (const tab of [page, other]) {
      await button(tab, 'Back to questions and answers').click();
      await openLab(tab);
      await lab(tab)
        .getByText(/the same \d+ questions/)
        .waitFor();
    }
    assert.deepEqual(await cells(page, '.lab-summary'), await cells(other, '.lab-summary'));
    await other.close();
  });
});

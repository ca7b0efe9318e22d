/**
 * The lab as a new user goes through it, on real documents: PDFs are added to an empty page in Chromium and prepared, questions
 * with answers come from a table, all are searched, a hit and a miss are looked into, a ranker is trained and measured on
 * questions that were held out, and the run is saved and measured by others. All of it by the names and roles that are seen and
 * heard, nothing by the program's own. Writes `figures.md` beside this file, and pictures of each step with the saved run.
 *
 *   node tests/lab/run.mjs --site dist/site --pdf ../shared/pdf/corpus/legal-dev --questions tests/answers/lay_questions.jsonl
 *     [--documents a.pdf,b.pdf] [--held-out '30 %,50 %'] [--pictures dist/lab] [--python PYTHON] [--no-figures]
 *
 * CHROMIUM names another Chromium, PINCITE the native command. PYTHON is one with `ir_measures`. Documents that
 * `tests/answers/scoring.py` sets aside are refused. By hand, some minutes on two cores.
 */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import playwright from '../../www/node_modules/playwright-core/index.js';
import { serve } from '../../www/serve.mjs';
import { chromiumArgs, chromiumPath, inProfile, sharedFolder, siteFolder } from '../browser/harness.mjs';
import { checked } from './check.mjs';
import { figures } from './figures.mjs';
import { asCsv, layQuestions } from './questions.mjs';

/** @typedef {import('../../www/node_modules/playwright-core/index.js').Page} Page */
/** @typedef {import('../../www/node_modules/playwright-core/index.js').Locator} Locator */

const { values } = parseArgs({
  options: {
    site: { type: 'string', default: siteFolder },
    pdf: { type: 'string', default: path.join(sharedFolder, 'legal-dev') },
    questions: {
      type: 'string',
      default: fileURLToPath(new URL('../answers/lay_questions.jsonl', import.meta.url)),
    },
    // Judgments, contracts, statutes and notices of 2 to 32 pages with the most questions.
    documents: {
      type: 'string',
      default: [
        'acl_2col_dpr.pdf',
        'ca5_st_pierre.pdf',
        'ca9_zepeda_rivas.pdf',
        'cfr_21_1308.pdf',
        'dmca_summary.pdf',
        'eton_dev_agreement.pdf',
        'eu_report_013.pdf',
        'fedreg_2020_17221.pdf',
        'irs_notice_1036.pdf',
        'kid_prospectus_en.pdf',
        'tc_memo_2020_26.pdf',
        'uk_si_2024_853.pdf',
      ].join(','),
    },
    'held-out': { type: 'string', default: '30 %,50 %' },
    pictures: { type: 'string', default: 'dist/lab' },
    python: { type: 'string' },
    'no-figures': { type: 'boolean', default: false },
  },
});

const lab = 'How good is this on my documents?';
const training = 'Train the ranking on these questions';
/** Milliseconds that preparing the documents, a run or a training may take. */
const patience = 1_800_000;

/** A person at a page, who takes a picture of each step and looks at the clock. */
class Person {
  /** Seconds of each step. @type {Map<string, number>} */
  seconds = new Map();
  #pictures = 0;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** @param {string} name @param {boolean} [exact] */
  button(name, exact = true) {
    return this.page.getByRole('button', { name, exact });
  }

  /** Part of the lab, by its heading. @param {string} name */
  part(name) {
    return this.page.getByRole('region', { name, exact: true });
  }

  /** @param {string} step @param {() => Promise<unknown>} work */
  async time(step, work) {
    const begin = performance.now();
    await work();
    const seconds = (performance.now() - begin) / 1000;
    this.seconds.set(step, seconds);
    console.log(`${step}: ${seconds.toFixed(1)} s`);
  }

  /** @param {string} name @param {Locator} [shown] at the top */
  async picture(name, shown) {
    this.#pictures += 1;
    await shown?.evaluate((element) => element.scrollIntoView());
    await this.page.mouse.move(0, 0);
    await this.page.screenshot({
      path: path.join(values.pictures, `${String(this.#pictures).padStart(2, '0')}-${name}.png`),
    });
  }

  /** Chooses files after pressing a button. @param {Locator} target @param {string | string[]} files */
  async choose(target, files) {
    const [chooser] = await Promise.all([this.page.waitForEvent('filechooser'), target.click()]);
    await chooser.setFiles(files);
  }

  /** Presses a button that saves a file. @param {string} name */
  async save(name) {
    const [file] = await Promise.all([this.page.waitForEvent('download'), this.button(name).click()]);
    const parts = await (await file.createReadStream()).toArray();
    return Buffer.concat(parts).toString('utf8');
  }
}

/** Cells of the first table of a part, its head first. @param {Locator} part */
async function table(part) {
  const rows = await part.getByRole('table').first().getByRole('row').all();
  return Promise.all(
    rows.map(async (row) => {
      const cells = await row.locator('th, td').allInnerTexts();
      return cells.map((cell) => cell.replaceAll(/\s+/g, ' ').trim());
    }),
  );
}

/** @param {Person} person @param {readonly string[]} documents */
async function addDocuments(person, documents) {
  const { page } = person;
  await person.choose(
    page.getByRole('button', { name: /^Add documents/ }),
    documents.map((name) => path.resolve(values.pdf, name)),
  );
  await person.time('documents read', async () => {
    for (const name of documents) {
      const itsButton = page.getByRole('button', { name: new RegExp(`^(Cancel|Remove) ${name}$`) });
      // While it is read, its row tells pages as "page 3 of 12".
      const row = page.getByRole('listitem').filter({ has: itsButton, hasText: /\d+ pages?\b/ });
      await row.waitFor({ timeout: patience });
    }
  });
  await person.picture('documents-read');
  // What is being prepared offers to be cancelled, what is prepared to be removed.
  await person.time('documents prepared for search by meaning', async () => {
    for (const name of documents) await person.button(`Remove ${name}`).waitFor({ timeout: patience });
  });
}

/** @param {Person} person @param {string} file */
async function loadQuestions(person, file) {
  // There is no tour where files came before it was loaded.
  if (await person.button('Skip').isVisible()) await person.button('Skip').click();
  await person.button('Quotes only (no AI)').click();
  await person.picture('where-the-lab-is');
  await person.button(lab).click();
  await person.page.getByRole('heading', { level: 1, name: lab }).waitFor();
  await person.picture('empty-lab');
  await person.choose(person.button('Load questions'), file);
  const told = person.part('Questions').getByText(/questions? added\./);
  await told.waitFor();
  await person.picture('questions', person.part('Questions'));
  return told.innerText();
}

/** @param {Person} person */
async function searchAll(person) {
  await person.button('Search all questions').click();
  const results = person.part('Results');
  await person.time('questions searched', () =>
    results.getByRole('table').first().waitFor({ timeout: patience }),
  );
  await person.picture('measures', results);
  return table(results);
}

/** Opens the first hit or miss and says how its best passage was scored. @param {Person} person @param {'Hits' | 'Misses'} outcome */
async function look(person, outcome) {
  const results = person.part('Results');
  await results.getByLabel('Show', { exact: true }).selectOption(outcome);
  const [told = ''] = await results.getByText(/^\d+( of \d+)? questions?$/).allInnerTexts();
  const first = results.getByRole('listitem').filter({ hasText: outcome === 'Hits' ? /^Rank/ : /^Missed/ });
  await first
    .first()
    .getByText(outcome === 'Hits' ? /^Rank/ : 'Missed')
    .first()
    .click();
  await results.getByRole('heading', { name: 'What was found' }).waitFor();
  const why = results.getByText(/^Score [\d.]+: /).first();
  await why.click();
  await person.picture(outcome.toLowerCase(), first.first());
  return { n: Number(/(\d+) questions?$/.exec(told)?.[1]), why: await why.innerText() };
}

/** @param {Person} person @param {string} heldOut as it stands in the list */
async function train(person, heldOut) {
  const part = person.part(training);
  await part.getByLabel('Held out').selectOption(heldOut);
  await part.getByRole('button', { name: 'Train', exact: true }).click();
  // What was told of the training before is gone when this one is under way.
  await person.button('Cancel').waitFor();
  await person.time(`trained and measured, held out: ${heldOut}`, () =>
    part.getByRole('button', { name: 'Train', exact: true }).waitFor({ timeout: patience }),
  );
  await person.picture('trained', part);
  const told = part.getByRole('status').getByRole('paragraph');
  const [trained = '', ...others] = await told.allInnerTexts();
  if (!trained.startsWith('Trained')) throw new Error(trained);
  return { heldOut, told: trained, rows: await table(part), verdict: others.join(' ') };
}

/** @param {Page} page @param {readonly string[]} documents @param {string} file questions */
async function asNewUser(page, documents, file) {
  const person = new Person(page);
  await addDocuments(person, documents);
  const loaded = await loadQuestions(person, file);
  const measures = await searchAll(person);
  const looked = [];
  for (const outcome of /** @type {const} */ (['Hits', 'Misses']))
    looked.push({ outcome, ...(await look(person, outcome)) });
  const same = checked({
    folder: values.pictures,
    run: await person.save('Save run (TREC)'),
    qrels: await person.save('Save judgments (TREC)'),
    shown: new Map(measures.slice(1).map(([name = '', value = '']) => [name, value])),
    command: process.env['PINCITE'],
    python: values.python,
  });
  const trained = [];
  for (const heldOut of values['held-out'].split(',')) trained.push(await train(person, heldOut));
  await person.button('Use it').click();
  await person.part(training).getByText('Searches use the ranker of your own.').waitFor();
  await person.picture('used', person.part(training));
  return { documents, loaded, measures, looked, same, trained, seconds: person.seconds };
}

const documents = values.documents.split(',');
const questions = layQuestions(values.questions, documents);
await mkdir(values.pictures, { recursive: true });
const folder = await mkdtemp(path.join(tmpdir(), 'pincite-lab-'));
const file = path.join(folder, 'questions.csv');
await writeFile(file, asCsv(questions));
const server = await serve(path.resolve(values.site), 0);
const browser = await playwright.chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
try {
  await inProfile(
    browser,
    async (page) => {
      await page.goto(server.url);
      const seen = await asNewUser(page, documents, file);
      const text = figures({ chromium: browser.version(), ...seen });
      if (values['no-figures']) console.log(text);
      else await writeFile(new URL('figures.md', import.meta.url), text);
    },
    {
      viewport: { width: 1280, height: 800 },
      serviceWorkers: 'block',
      isLeftOut: (text) => text.startsWith('Service Worker registration blocked'),
    },
  );
} finally {
  await browser.close();
  await server.close();
  await rm(folder, { recursive: true });
}

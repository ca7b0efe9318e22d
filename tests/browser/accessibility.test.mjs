/**
 * Accessibility of every state that a person meets, in each language: axe finds nothing, in any theme, width and direction of the page
 * around, whatever can be pressed is at least 24 pixels wide and high, and at 400 % nothing is wider than the window. States that last
 * a moment, or need a server or a failure, are made: the page is given what the engine would tell it.
 */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { stringsOf } from '../../www/strings/index.js';
import { labStringsOf } from '../../www/strings/lab/index.js';
import { Inspection, looksAt } from './accessibility.mjs';
import { folder } from './evidence-file.mjs';
import { ask, drop, pdf, sample, searchable, setModel, withPage } from './harness.mjs';
import { LibraryServer } from './library-server.mjs';
import { connect } from './remote.mjs';
import { endpoint, key, question, server, useScriptedEndpoint } from './scripted.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

useScriptedEndpoint();

const passphrase = 'garden wall correct horse';
const questions = fileURLToPath(new URL('fixtures/sample-questions.csv', import.meta.url));

/**
 * Goes through states of the page in a language, and fails with all that was found.
 * @param {string} locale of the browser
 * @param {(at: { page: Page, see: Inspection['see'], texts: import('../../www/strings/index.js').Strings }) => Promise<void>} body
 * @param {Parameters<typeof withPage>[1]} [options]
 */
const inspect = (locale, body, options = {}) =>
  withPage(
    async (page) => {
      // Five states on, the same themes and windows meet the other direction.
      const inspection = new Inspection(
        page,
        locale === 'en' ? { first: 0 } : { first: 5, isTranslated: true },
      );
      await body({ page, see: (...state) => inspection.see(...state), texts: stringsOf(locale) });
      for (const [state, targets] of inspection.targets)
        assert.ok(targets.length > 0, `${state} has nothing to press`);
      assert.ok(inspection.found.length === 0, inspection.found.join('\n'));
    },
    { locale, viewport: { width: 1280, height: 800 }, ...options },
  );

/** Has the page show what the engine would tell it. @param {Page} page @param {object} changes of its snapshot; none takes them back */
const tell = (page, changes = {}) =>
  page.evaluate((changes) => {
    const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
    Reflect.deleteProperty(engine, 'snapshot');
    const { snapshot } = engine;
    const told = { ...snapshot, ...changes };
    if (Object.keys(changes).length > 0)
      Object.defineProperty(engine, 'snapshot', { configurable: true, get: () => told });
    engine.dispatchEvent(new Event('change'));
  }, changes);

/** Has the engine answer so from now on. @param {Page} page @param {'asking' | 'failed' | 'may-answer' | 'everything'} how */
const answerWith = (page, how) =>
  page.evaluate(
    async ({ how, question }) => {
      const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      Reflect.deleteProperty(engine, 'ask');
      const real = await engine.ask(question);
      const [citation] = real.citations;
      const statuses = ['verified', 'repaired', 'misattributed', 'stitched', 'not-found', 'cited'];
      const everything = {
        ...real,
        by: 'model',
        verdict: {
          grounded: false,
          consistent: true,
          complete: false,
          problem: 'one amount is wrong',
          missing: ['the rest'],
        },
        statements: [
          {
            text: 'The cap is EUR 9 million.',
            citations: [1, 2],
            unsupported: [{ kind: 'amount', text: 'EUR 9' }],
            unknown: [99],
            continues: false,
          },
          { text: 'It binds.', citations: [3, 4, 5, 6], unsupported: [], unknown: [], continues: true },
          { text: '- One item.', citations: [6], unsupported: [], unknown: [], continues: false },
        ],
        citations: statuses.map((status, at) => ({ ...citation, status, id: at + 1 })),
        supporting: [{ citation: 1, why: 'reference', name: 'Section 6.1', by: 4 }],
        conflicts: [{ kind: 'number', citations: [1, 2], preferred: 2 }],
        notes: [
          { kind: 'withdrawn', citation: 3, legalStatus: 'repealed' },
          { kind: 'several-cases', citations: [1, 3] },
        ],
        trace: {
          ...real.trace,
          degraded: [{ step: 'filter', code: 'failed', call: null, why: 'the endpoint failed' }],
        },
      };
      const made = {
        asking: async (/** @type {string} */ _, /** @type {any} */ { onStep, onText }) => {
          onStep('read');
          onText('The cap is 125 per cent of the charges');
          return new Promise(() => {});
        },
        failed: async () => {
          throw new Error('the index cannot be read');
        },
        'may-answer': async () => ({
          ...real,
          sufficient: false,
          answerability: 'may-answer',
          message: 'The documents may answer this. Look.',
        }),
        everything: async () => everything,
      };
      Reflect.set(engine, 'ask', made[how]);
    },
    { how, question },
  );

/** Asks and waits until the page shows the question so. @param {Page} page @param {string} text @param {string} state */
async function asked(page, text, state = 'answered') {
  await page.evaluate((text) => {
    const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
    widget.ask(text).catch(() => {});
  }, text);
  await page.locator(`.answer-card[data-state=${state}]`).first().waitFor();
}

/** A file on its way. @param {string} stage @param {object} [more] */
const job = (stage, more = {}) => ({
  key: stage,
  name: `${stage}.pdf`,
  bytes: 9000,
  stage,
  done: 3,
  total: 10,
  error: null,
  wrongPassword: false,
  ...more,
});

/** Presses what only a narrow page shows. @param {Element} control */
const click = (control) => /** @type {HTMLElement} */ (control).click();

/** @param {Page} page @param {import('../../www/widget/layouts.styles.js').Layout} layout @param {boolean} expanded */
const arrange = (page, layout, expanded) =>
  page.evaluate(
    ({ layout, expanded }) => {
      const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      widget.layout = layout;
      widget.toggleAttribute('expanded', expanded);
    },
    { layout, expanded },
  );

/** @param {Page} page @param {string} text a control's name */
const press = (page, text) => page.getByRole('button', { name: text, exact: true }).first().click();

test('a control that is too small and words that are too faint in one theme are found', () =>
  withPage(async (page) => {
    await page.evaluate(() => {
      const made = (
        /** @type {string} */ name,
        /** @type {string} */ text,
        /** @type {Record<string, string>} */ style,
      ) => {
        const element = Object.assign(document.createElement(name), { textContent: text });
        Object.assign(element.style, style);
        return element;
      };
      document
        .querySelector('pincite-widget')
        ?.shadowRoot?.querySelector('.desk-inner')
        ?.prepend(
          made('button', 'small', { width: '40px', height: '20px', padding: '0', fontSize: '10px' }),
          made('p', 'faint', { color: 'light-dark(#111, #333)' }),
          made('p', 'wide', { width: '400px' }),
          Object.assign(made('input', '', { background: '#fff' }), { placeholder: 'pale' }),
        );
    });
    const inspection = new Inspection(page, { first: 0 });
    await inspection.see('made');
    const found = inspection.found.map((each) => each.split('\n')[0] ?? '');
    const has = (/** @type {RegExp} */ pattern) => found.some((each) => pattern.test(each));
    assert.ok(has(/^made, light, 320 px, ltr: button “small” is 40 × 20$/), found.join());
    assert.ok(has(/^made, light, 320 px, ltr: div.desk is wider than the window$/), found.join());
    assert.ok(has(/^made, dark, 320 px, rtl: color-contrast/), found.join());
    assert.ok(has(/^made, dark, 320 px, rtl: placeholder “pale” has a contrast of/), found.join());
    assert.ok(!has(/^made, light, 320 px, ltr: color-contrast/), found.join());
  }));

test('in ten states every theme is looked at in every window and direction, and all rules in each', () => {
  const seen = new Set(
    Array.from({ length: 10 }, (_, at) => looksAt(at))
      .flat()
      .map(({ theme, direction, window }) => `${theme}, ${window.width} px, ${direction}`),
  );
  assert.equal(seen.size, 5 * 3 * 2, [...seen].join('\n'));
  for (let at = 0; at < 10; at += 1) {
    const whole = looksAt(at).filter(({ isWhole }) => isWhole);
    assert.deepEqual(
      whole.map(({ window }) => window.width),
      [320, at % 2 === 1 ? 1920 : 1280],
    );
  }
});

for (const locale of ['en', 'zh-CN']) {
  test(`first visit, tour, files on their way and the list of documents (${locale})`, () =>
    inspect(
      locale,
      async ({ page, see, texts }) => {
        await page.locator('.tour').waitFor();
        await see('tour');
        await press(page, texts.tour.next);
        await see('tour, second step');
        await page.keyboard.press('Escape');
        await see('empty library');
        await tell(page, { jobs: [job('pages'), job('download', { total: 0 }), job('waiting')] });
        await see('reading');
        await tell(page);
        await drop(page, [
          await sample('contract.pdf'),
          await sample('hostile/locked.pdf'),
          await sample('hostile/scan.pdf'),
          { name: 'broken.pdf', bytes: new Uint8Array(9) },
          await sample('word/opinion.docx'),
        ]);
        await page.locator('[data-stage=failed]').waitFor();
        await searchable(page, 3);
        await see('ready, with files that failed and one that is locked');
        await page.locator('.library-toggle').evaluate(click);
        await page.locator('.filter summary').click();
        await Promise.all([page.waitForEvent('download'), press(page, texts.library.saveAsFile)]);
        await page.locator('.library-file .note').waitFor();
        await see('list of documents unfolded, saved as a file, filter open');
        await drop(page, [pdf('contract.pdf', ['1. Another contract of the same name.'])]);
        await searchable(page, 4);
        await page.locator('[data-document] > .icon-button').nth(1).click();
        await press(page, texts.library.clearAll);
        await see('a namesake, a document taken out, and the question whether to clear all');
        const documents = await page.evaluate(() =>
          /** @type {PinciteWidget} */ (
            document.querySelector('pincite-widget')
          ).engine.snapshot.documents.map((each, at) => ({
            ...each,
            kept: at > 0,
            missing: [1, 2],
            nEmbedded: 5,
            nToEmbed: 7,
          })),
        );
        await tell(page, {
          documents,
          jobs: ['storage-failed', 'packed-invalid', 'packed-document', 'document-lost'].map((code) =>
            job('failed', { key: code, name: code, error: { code, message: code, hint: '' } }),
          ),
          persistent: false,
          model: 'ready',
          embedding: { tokensPerSecond: 1234, secondsLeft: 90, onGpu: false },
        });
        await see('embedding, where nothing is stored, and files of libraries that are damaged');
        await tell(page, {
          documents,
          state: 'failed',
          failure: { code: 'internal', message: 'unreachable', hint: '' },
        });
        await page.evaluate(() => {
          const state = {
            isKept: true,
            failure: null,
            file: '',
            isUpdateReady: true,
            unreadable: ['gone.pdf'],
          };
          const site = Object.assign(new EventTarget(), { state, update: () => {} });
          Reflect.set(/** @type {PinciteWidget} */ (document.querySelector('pincite-widget')), 'site', site);
        });
        await see('an error, a new version, and a file that cannot be read, on top');
      },
      { tour: true },
    ));

  test(`answers, of the documents and of a model (${locale})`, () =>
    inspect(locale, async ({ page, see, texts }) => {
      server.reset({ key });
      await drop(page, [await sample('contract.pdf')]);
      await searchable(page, 1);
      await ask(page, question);
      await see('an answer from the document');
      for (const fold of await page.locator('.answer-card details:not([open]) > summary').all())
        await fold.click();
      await see('an answer unfolded');
      await ask(page, 'Which animals live in the Serengeti?');
      await see('a refusal');
      await answerWith(page, 'may-answer');
      await asked(page, question);
      await see('passages that may answer');
      await press(page, texts.bar.newConversation);
      await page.locator('.earlier-conversations > summary').click();
      await see('earlier conversations');
      await page.evaluate(() =>
        Reflect.deleteProperty(
          /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).engine,
          'ask',
        ),
      );
      await setModel(page, endpoint());
      await ask(page, question);
      await page.locator('.answer-card .provenance summary').first().click();
      await see('an answer by a model');
      await page.locator('[part=ledger-button]').click();
      await page.locator('dialog.ledger summary').first().click();
      await see('the list of what was sent');
      await page.keyboard.press('Escape');
      await answerWith(page, 'everything');
      await asked(page, question);
      await see('an answer with everything wrong');
      await answerWith(page, 'failed');
      await asked(page, question, 'failed');
      await see('a question that could not be answered');
      await answerWith(page, 'asking');
      await asked(page, 'מהי תקרת האחריות?', 'asking');
      await page.evaluate(() => (document.documentElement.dir = 'rtl'));
      await see('a question in Hebrew while the model writes, in a page from right to left');
    }));

  test(`settings and dialogs (${locale})`, () =>
    inspect(locale, async ({ page, see, texts }) => {
      await drop(page, [await sample('contract.pdf')]);
      await searchable(page, 1);
      await ask(page, question);
      await page.locator('[part=settings-button]').click();
      await see('settings');
      for (const kind of ['openai', 'anthropic', 'device']) {
        await page.locator('#pincite-kind').selectOption(kind);
        if (kind === 'device') {
          const buffer = Buffer.from((await sample('contract.pdf')).bytes);
          await page
            .locator('input[accept*=gguf]')
            .setInputFiles({ name: 'contract.gguf', mimeType: '', buffer });
          await page.locator('dialog.settings div.note.warning').waitFor();
        }
        for (const fold of await page.locator('dialog.settings details:not([open]) > summary').all())
          if (await fold.isVisible()) await fold.click();
        await see(`settings of a model: ${kind}${kind === 'device' ? ', and a file that is none' : ''}`);
      }
      await press(page, texts.named.add);
      await see('settings of an endpoint for single steps');
      await page.keyboard.press('Escape');
      await page.locator('[part=help-button]').click();
      await page.locator('dialog.key-map').waitFor();
      await see('keyboard map');
      await page.keyboard.press('Escape');
      // Both layouts stand in a page of someone else's, which has a main part and a heading.
      await page.evaluate(() => {
        const main = document.createElement('main');
        main.append(Object.assign(document.createElement('h1'), { textContent: 'Portal' }));
        document.body.prepend(main);
      });
      await arrange(page, 'floating', false);
      await see('floating, closed');
      await page.locator('.launcher').click();
      await see('floating, open');
      await arrange(page, 'answer', false);
      await see('answers only');
    }));

  test(`documents in the viewer (${locale})`, () =>
    inspect(locale, async ({ page, see, texts }) => {
      await drop(page, [await sample('contract.pdf'), await sample('word/opinion.docx')]);
      await searchable(page, 2);
      await ask(page, question);
      await page.locator('button.citation').first().click();
      await page.locator('.text-layer span').first().waitFor({ state: 'attached' });
      await see('a citation in a PDF');
      await press(page, texts.viewer.find);
      await page.locator('.find-input').fill('liability');
      await press(page, texts.viewer.sections);
      await page.getByRole('treeitem').first().waitFor();
      await see('search and sections');
      await press(page, texts.viewer.thumbnails);
      await page.locator('.thumbnail canvas').first().waitFor();
      await see('search and thumbnails');
      await page.locator('.pane-head .icon-button').first().click();
      await press(page, texts.viewer.print);
      await page.locator('dialog.print').waitFor();
      await see('print dialog');
      await page.keyboard.press('Escape');
      await press(page, texts.viewer.close);
      await page.locator('.row', { hasText: 'opinion.docx' }).locator('button.row-name').click();
      await page.locator('.text-body .note-mark').first().waitFor();
      await see('a Word document');
    }));

  test(`the lab (${locale})`, () =>
    inspect(locale, async ({ page, see, texts }) => {
      const { lab } = labStringsOf(texts.lang);
      await drop(page, [await sample('contract.pdf')]);
      await searchable(page, 1);
      await page.locator('[part=settings-button]').click();
      await press(page, texts.widget.lab);
      await page.locator('.lab h1').waitFor();
      await see('the empty lab');
      const few = (await readFile(questions, 'utf8'))
        .split('\n')
        .filter((line, at) => at === 0 || line.includes('contract.pdf'));
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, lab.load)]);
      await chooser.setFiles({
        name: 'few.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(few.slice(0, 13).join('\n')),
      });
      await page.locator('.lab-questions > li').first().waitFor();
      await press(page, lab.write);
      await see('questions, and the form of one');
      await press(page, lab.markIn);
      await page.locator('.viewer .page-view canvas').first().waitFor();
      await see('marking a place in a document');
      await press(page, texts.viewer.close);
      await press(page, lab.cancel);
      await press(page, lab.run);
      await page.locator('.lab-summary .lab-table').waitFor({ timeout: 60_000 });
      for (const selector of [
        '.lab-results > li > details > summary',
        '.lab-why > summary',
        '.lab-plot summary',
      ])
        if ((await page.locator(selector).count()) > 0) await page.locator(selector).first().click();
      await see('results of a run');
    }));

  test(`an evidence file: saved, locked, opened (${locale})`, () =>
    inspect(locale, async ({ page, see, texts }) => {
      await drop(page, [await sample('rulebook.pdf')]);
      await searchable(page, 1);
      await ask(page, 'Who may complain to the ombudsman?');
      await press(page, texts.answer.saveWithDocuments);
      const dialog = page.locator('dialog.evidence');
      await dialog.locator('[type=checkbox]').last().check();
      for (const id of ['pincite-passphrase', 'pincite-passphrase-again'])
        await page.locator(`#${id}`).fill(passphrase);
      await see('saving with documents');
      const [file] = await Promise.all([page.waitForEvent('download'), press(page, texts.evidence.save)]);
      await dialog.locator('.evidence-hashes').waitFor();
      await see('saved with documents');
      const at = path.join(folder, `${locale}.html`);
      await file.saveAs(at);
      await page.route('**/sent.html', (route) =>
        route.fulfill({ path: at, contentType: 'text/html; charset=utf-8' }),
      );
      await page.goto(new URL('/sent.html', page.url()).href);
      const field = page.locator('pincite-evidence input[type=password]');
      await field.fill('not this one');
      await field.press('Enter');
      await page.locator('[role=alert]:not(:empty)').first().waitFor();
      await see('a locked evidence file');
      await field.fill(passphrase);
      await field.press('Enter');
      await page.locator('.evidence-check').first().waitFor();
      await page.locator('.evidence-proof summary').click();
      await see('an evidence file');
      await page.locator('button.citation').first().click();
      await page.locator('.viewer .light').first().waitFor({ state: 'attached' });
      await see('a citation in an evidence file');
    }));

  test(`a library on a server (${locale})`, async () => {
    // It is listed, and asked nothing: the native command is not needed.
    const library = await new LibraryServer('').start();
    library.reset();
    await library.add('a', await sample('rulebook.pdf'), { title: 'Client protection rulebook', nPages: 7 });
    await library.add('a', await sample('word/opinion.docx'), { nPages: 0 });
    try {
      await inspect(
        locale,
        async ({ page, see }) => {
          await drop(page, [await sample('contract.pdf')]);
          await searchable(page, 1);
          await connect(page, { url: library.url });
          await page.locator('.library-toggle').evaluate(click);
          await see('a library on a server');
          await connect(page, { url: library.url, tokens: ['none'], state: 'failed' });
          await see('a library on a server that refuses');
        },
        { provoked: /status of 401/ },
      );
    } finally {
      await library.close();
    }
  });
}

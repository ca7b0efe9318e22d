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
import { labStringsOf } from '../../www/strings/lab/index.js';
import { Inspection, looksAt } from './accessibility.mjs';
import { nonsense } from '../llm/nonsense.mjs';
import { folder } from './evidence-file.mjs';
import { ask, drop, pdf, sample, searchable, setModel, withPage } from './harness.mjs';
import { LibraryServer } from './library-server.mjs';
import { answersAsRead, complaint, connect } from './remote.mjs';
import { endpoint, key, question, server, useScriptedEndpoint } from './scripted.mjs';
import { answerWith, arrange, asked, click, drag, inspect, job, press, tell } from './states.mjs';

/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

useScriptedEndpoint();

const passphrase = 'garden wall correct horse';
/** Opens a document from the list. @param {import('./harness.mjs').Page} page @param {string} name */
const show = (page, name) =>
  page.locator('.row', { hasText: name }).locator('button.row-name').evaluate(click);

const questions = fileURLToPath(new URL('fixtures/sample-questions.csv', import.meta.url));

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
          jobs: ['storage-failed', 'packed-invalid', 'packed-document', 'document-lost', 'library-lost'].map(
            (code) =>
              job('failed', {
                key: code,
                name: code === 'library-lost' ? '' : code,
                error: { code, message: code, hint: '' },
              }),
          ),
          persistent: false,
          model: 'ready',
          embedding: { tokensPerSecond: 1234, secondsLeft: 90, onGpu: false },
        });
        await see('embedding, where nothing is stored, and files of libraries that are damaged');
        await tell(page, { jobs: [job('locked', { wrongPassword: true })] });
        await drag(page, 'dragenter');
        await see('a password that is wrong, and a file held over the page');
        await drag(page, 'dragleave');
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
        await tell(page, {
          documents: [],
          state: 'failed',
          failure: { code: 'assets-missing', message: 'pincite_wasm_bg.wasm: status 404', hint: '' },
        });
        await see('an engine that is missing, before there are documents');
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
      await press(page, texts.answer.stop);
      await page.locator('.answer-card[data-state=cancelled]').waitFor();
      await see('an answer that was stopped, with what the model had written');
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
      // The program that runs it does not come: it stays as it is while it is loaded.
      await page.route('**/device/llama.wasm*', () => {});
      await page
        .locator('input[accept*=gguf]')
        .setInputFiles({ name: 'counsel.gguf', mimeType: '', buffer: Buffer.from(nonsense({ seed: 7 })) });
      await page.locator('dialog.settings progress').waitFor();
      await see('a model of this device being loaded');
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
      await page.evaluate(() => {
        HTMLCanvasElement.prototype.toBlob = () => {};
      });
      await page.keyboard.press('Enter');
      await page.locator('.print-working').waitFor();
      await see('pages on their way to the printer');
      await page.keyboard.press('Escape');
      await press(page, texts.viewer.close);
      await page.locator('.row', { hasText: 'opinion.docx' }).locator('button.row-name').click();
      await page.locator('.text-body .note-mark').first().waitFor();
      await see('a Word document');
      await press(page, texts.viewer.close);
      // Its tree says that it has one page; the engine reads two.
      const blank = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 842] >>';
      const tree = `<< /Type /Pages /Kids [3 0 R ${blank}] /Count 1 >>`;
      await drop(page, [pdf('fee.pdf', ['The fee is due on the third day.'], tree)]);
      await searchable(page, 3);
      await show(page, 'fee.pdf');
      await page.locator('.page-view canvas').first().waitFor();
      await see('a document in which the viewer finds other pages');
      await drop(page, [await sample('hostile/locked.pdf')]);
      const passwordField = page.locator('.library input[type=password]');
      await passwordField.fill('sesame 2026');
      await passwordField.press('Enter');
      await searchable(page, 4);
      await page.evaluate(() => {
        const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
        engine.password = () => null;
        const file = engine.file.bind(engine);
        engine.file = async (id) =>
          engine.snapshot.documents.find((each) => each.id === id)?.name === 'fee.pdf' ? null : file(id);
      });
      await show(page, 'locked.pdf');
      const { password, open, wrongPassword } = texts.viewer;
      await page.locator('.viewer').getByLabel(password).waitFor();
      await see('a locked document');
      await page.locator('.viewer').getByLabel(password).fill('not this one');
      await press(page, open);
      await page.getByText(wrongPassword).waitFor();
      await see('a locked document and a password that is wrong');
      await show(page, 'fee.pdf');
      await page.getByText(texts.viewer.cannotBeShown).waitFor();
      await see('a document that cannot be shown');
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
      await page.evaluate(() => {
        const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
        engine.ranking = () => new Promise(() => {});
      });
      await press(page, lab.runAgain);
      await page.locator('.lab progress').first().waitFor();
      // Scrolled, some control lies half behind the row of parts, which stays on top.
      await page.locator('.lab').evaluate((lab) => lab.scrollTo(0, 0));
      await see('a run under way');
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
    const library = new LibraryServer('');
    try {
      await inspect(
        locale,
        async ({ page, see }) => {
          await answersAsRead(page, library);
          await drop(page, [await sample('contract.pdf')]);
          await searchable(page, 1);
          await connect(page, { url: library.url });
          await page.locator('.library-toggle').evaluate(click);
          await see('a library on a server');
          await asked(page, complaint);
          await see('an answer of a library on a server');
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

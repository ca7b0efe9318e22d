/**
 * The main job as a person does it: drop, watch, ask, read, click, see the cited words highlighted, and find all of it
 * again after a reload.
 */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { similarity, textUnderLights } from './geometry.mjs';
import {
  drop,
  embedded,
  pdf,
  snapshot,
  ready,
  sample,
  samplesFolder,
  searchable,
  start,
  stop,
  type,
  withPage,
} from './harness.mjs';
import { longPdf } from './pdf-file.mjs';

before(start);
after(stop);

/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

/** @type {{ file: string, title: string, questions: string[] }[]} */
const samples = JSON.parse(await readFile(path.join(samplesFolder, 'samples.json'), 'utf8'));
const files = () => Promise.all(samples.map(({ file }) => sample(file)));
const question = samples[0]?.questions[0] ?? '';

test('drop, progress, ask, cited answer, click, highlight; reload, still there', () =>
  withPage(
    async (page) => {
      await page.getByRole('heading', { name: 'Answers pinned to the exact words.' }).waitFor();
      await page.evaluate(() => {
        const { engine } = /** @type {import('./harness.mjs').PinciteWidget} */ (
          document.querySelector('pincite-widget')
        );
        const stages = new Set();
        Reflect.set(globalThis, 'stages', stages);
        engine.addEventListener('change', () => {
          for (const { stage } of engine.snapshot.jobs) stages.add(stage);
        });
      });
      await drop(page, await files());
      await page.getByRole('progressbar').first().waitFor({ timeout: 20_000 });
      await searchable(page, samples.length);
      const stages = await page.evaluate(() => [...Reflect.get(globalThis, 'stages')]);
      assert.ok(stages.includes('pages'), `stages seen: ${stages}`);
      await embedded(page);

      await type(page, question);
      const card = page.locator('.answer-card').first();
      await assert.doesNotReject(card.locator('button.mark').first().waitFor());
      assert.equal(await card.locator('.vectors').count(), 0, 'vectors are used');
      const citation = card.locator('button.citation').first();
      const quote = await citation.locator('.citation-quote').innerText();
      await citation.click();
      await page.locator('.light').first().waitFor({ state: 'attached', timeout: 30_000 });
      await page.locator('.text-layer span').first().waitFor({ state: 'attached', timeout: 30_000 });
      const light = page.locator('.light').first();
      assert.ok(await light.isVisible());
      const [box, pages] = [await light.boundingBox(), await page.locator('.viewer-pages').boundingBox()];
      assert.ok(
        box && pages && box.y >= pages.y && box.y + box.height <= pages.y + pages.height,
        'the lit words are scrolled into view',
      );
      await page.waitForTimeout(500);
      const lit = await textUnderLights(page);
      assert.ok(similarity(lit, quote) > 0.9, `lit: ${lit}\nquoted: ${quote}`);

      await page.keyboard.press('Escape');
      assert.equal(await page.locator('.viewer').isVisible(), false);
      assert.ok(
        await citation.evaluate(
          (element) => /** @type {ShadowRoot} */ (element.getRootNode()).activeElement === element,
        ),
        'focus goes back',
      );

      const asBefore = (await snapshot(page)).documents.map(({ id, nEmbedded }) => ({ id, nEmbedded }));
      await page.reload();
      await ready(page);
      const { documents } = await snapshot(page);
      assert.deepEqual(
        documents.map(({ id, nEmbedded }) => ({ id, nEmbedded })),
        asBefore,
      );
      await type(page, question);
      await page.locator('button.citation').first().waitFor();
    },
    { vectors: true },
  ));

test('the samples are one click away, with questions that go with them', () =>
  withPage(async (page) => {
    await page.getByRole('button', { name: 'Add all' }).click();
    await searchable(page, samples.length);
    const suggestion = page.getByRole('group', { name: 'Suggested questions' }).getByRole('button').first();
    const asked = await suggestion.innerText();
    await suggestion.click();
    await page.locator('.answer-card[data-state=answered]').waitFor({ timeout: 60_000 });
    assert.equal(await page.locator('.asked').innerText(), asked);
  }));

test('a question that the documents do not answer is told so', () =>
  withPage(
    async (page) => {
      await drop(page, [await sample('contract.pdf')]);
      await searchable(page, 1);
      await embedded(page);
      await type(page, 'Which telescopes photograph the moons of Jupiter?');
      await page.locator('.answer-card').first().locator('.insufficient').waitFor();
      assert.equal(await page.locator('.statement').count(), 0);
    },
    { vectors: true },
  ));

test('questions can be asked before the vectors have come, and the answer says so', () =>
  withPage(
    async (page, context) => {
      let release = () => {};
      const held = new Promise((resolve) => (release = () => resolve(undefined)));
      await context.route('**/model/model.onnx*', async (route) => {
        await held;
        await route.continue();
      });
      await drop(page, await files());
      await searchable(page, samples.length);
      const begin = Date.now();
      await type(page, question);
      assert.ok(Date.now() - begin < 5_000, 'no waiting for the model');
      await page.locator('button.citation').first().waitFor();
      await page.getByText('Found by words only').waitFor();
      release();
      await embedded(page);
      await type(page, question);
      assert.equal(await page.locator('.answer-card').first().locator('.vectors').count(), 0);
    },
    { vectors: true },
  ));

test('while documents are being read, a line above the answer says how many were searched and how many are to come', () =>
  withPage(async (page, context) => {
    let release = () => {};
    const held = new Promise((resolve) => (release = () => resolve(undefined)));
    let nRead = 0;
    // Each file that is read asks for the words of the model: the first eight get them.
    await context.route('**/model/vocab.txt*', async (route) => {
      nRead += 1;
      if (nRead > 8) await held;
      await route.continue();
    });
    const terms = Array.from({ length: 13 }, (_, at) =>
      pdf(`lease-${at}.pdf`, [
        `The tenant of house number ${at} may end the lease on ${at + 7} days notice.`,
      ]),
    );
    await drop(page, terms);
    await page.waitForFunction(
      () =>
        /** @type {import('./harness.mjs').PinciteWidget} */ (document.querySelector('pincite-widget')).engine
          .snapshot.documents.length === 8,
    );
    await type(page, 'On how many days notice may the tenant end the lease?');
    const card = page.locator('.answer-card').first();
    const line = card.locator('.searched');
    assert.equal(await line.innerText(), 'Searched: 8 of 13 documents; 5 are being read.');
    const [said, answered] = await Promise.all([
      line.boundingBox(),
      card.locator('.statement').first().boundingBox(),
    ]);
    assert.ok(said && answered && said.y + said.height <= answered.y, 'it stands above the answer');
    release();
    await searchable(page, 13);
    await type(page, 'When may the tenant end the lease?');
    assert.equal(await page.locator('.answer-card').first().locator('.searched').count(), 0);
  }));

test('without a model the page answers by words', () =>
  withPage(
    async (page, context) => {
      await context.route('**/model/model.onnx*', (route) =>
        route.fulfill({ status: 200, body: 'no model' }),
      );
      await drop(page, await files());
      await searchable(page, samples.length);
      await page.waitForFunction(
        () =>
          /** @type {import('./harness.mjs').PinciteWidget} */ (document.querySelector('pincite-widget'))
            .engine.snapshot.model === 'missing',
        null,
        { timeout: 60_000 },
      );
      await type(page, question);
      await page.locator('button.citation').first().waitFor();
      await page.getByText('search by meaning could not be loaded').waitFor();
    },
    { vectors: true },
  ));

test('of files that are dropped at once a small one is asked about while a large one, dropped before it, is read', () =>
  withPage(async (page) => {
    // One file is read at a time.
    await page.addInitScript(() => Object.defineProperty(navigator, 'hardwareConcurrency', { value: 1 }));
    await page.reload();
    await ready(page);
    const large = { name: 'large.pdf', bytes: longPdf() };
    const small = pdf('small.pdf', ['The lender may call the loan at any time.']);
    assert.ok(large.bytes.length > 100 * small.bytes.length);
    await drop(page, [large, small]);
    await page.waitForFunction(
      () =>
        /** @type {PinciteWidget} */ (document.querySelector('pincite-widget')).engine.snapshot.documents
          .length > 0,
    );
    const { cited, reading } = await page.evaluate(async () => {
      const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      const { citations } = await widget.ask('When may the lender call the loan?');
      return {
        cited: citations.map(({ document }) => document),
        reading: widget.engine.snapshot.jobs.map(({ name }) => name),
      };
    });
    assert.deepEqual([cited, reading], [['small.pdf'], ['large.pdf']]);
  }));

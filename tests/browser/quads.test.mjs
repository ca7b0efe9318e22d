/**
 * The quads of citations, against the words of the samples as their generator placed them: intersection over
 * union of at least 0.9, quotations that begin in the middle of a line included; and against the glyphs as
 * pdf.js places them. Passages are found by words alone, which is many times faster and finds enough of them.
 */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import {
  bare,
  boxOfQuad,
  iou,
  openGlyphs,
  places,
  similarity,
  textUnder,
  textUnderLights,
} from './geometry.mjs';
import { ask, drop, embedded, sample, samplesFolder, searchable, start, stop, withPage } from './harness.mjs';

before(start);
after(stop);

/** @typedef {import('./geometry.mjs').TruthWord} TruthWord */
/** @typedef {{ words: TruthWord[], quotations: { text: string }[] }} Truth */

/** @type {{ file: string, questions: string[] }[]} */
const samples = JSON.parse(await readFile(path.join(samplesFolder, 'samples.json'), 'utf8'));

for (const { file, questions } of samples) {
  test(`citations of ${file} lie on their words`, () =>
    withPage(async (page) => {
      /** @type {Truth} */
      const truth = JSON.parse(
        await readFile(path.join(samplesFolder, 'truth', file.replace(/\.pdf$/, '.json')), 'utf8'),
      );
      const { bytes } = await sample(file);
      const glyphs = await openGlyphs(bytes);
      await drop(page, [await sample(file)]);
      await searchable(page, 1);
      /** @type {Map<string, import('./harness.mjs').Answer['citations'][number]>} */
      const citations = new Map();
      for (const question of [...questions, ...truth.quotations.map(({ text }) => text)]) {
        for (const citation of (await ask(page, question)).citations) citations.set(citation.quote, citation);
      }
      const wrong = [];
      let midLine = 0;
      for (const { quote, spans, status } of citations.values()) {
        const found = places(truth.words, quote);
        if (found.length === 0) {
          wrong.push(`not among the words of the sample: ${quote}`);
          continue;
        }
        const best = found
          .map((place) => ({ ...place, iou: worst(place.boxes, spans) }))
          .sort((a, b) => b.iou - a.iou)[0];
        if (!best || best.iou < 0.9)
          wrong.push(
            `IoU ${best?.iou.toFixed(3)}: ${quote}\n  expected ${JSON.stringify([...(found[0]?.boxes ?? [])])}\n  got ${JSON.stringify(spans.map((span) => [span.page, span.quads.map(boxOfQuad)]))}`,
          );
        else if (best.midLine) midLine += 1;
        let under = '';
        for (const span of spans) under += textUnder(await glyphs.page(span.page ?? 1), span.quads);
        if (bare(under) !== bare(quote)) wrong.push(`pdf.js reads ${under}\n  for ${quote}`);
        if (status !== 'verified') wrong.push(`${status}: ${quote}`);
      }
      await glyphs.close();
      console.log(`${file}: ${citations.size} citations, ${midLine} begin in the middle of a line`);
      assert.deepEqual(wrong, []);
      assert.ok(citations.size >= questions.length);
      assert.ok(midLine > 0, 'some quotation begins in the middle of a line');
    }));
}

/**
 * The least IoU of any page that either side touches.
 * @param {Map<number, import('./geometry.mjs').Box[]>} expected
 * @param {{ page: number | null, quads: number[][] }[]} spans
 */
function worst(expected, spans) {
  const pages = new Set([...expected.keys(), ...spans.map(({ page }) => page)]);
  return Math.min(
    ...[...pages].map((page) =>
      iou(
        expected.get(page ?? 0) ?? [],
        spans.filter((span) => span.page === page).flatMap((span) => span.quads.map(boxOfQuad)),
      ),
    ),
  );
}

test('on screen the lit boxes lie over the words of the text layer', () =>
  withPage(
    async (page) => {
      await drop(page, await Promise.all(samples.map(({ file }) => sample(file))));
      await searchable(page, samples.length);
      await embedded(page);
      for (const { questions } of samples) {
        await ask(page, questions[0] ?? '');
        const citation = page.locator('.answer-card').first().locator('button.citation').first();
        const quote = (await citation.locator('.citation-quote').textContent()) ?? '';
        await citation.click();
        await page.locator('.light').first().waitFor({ state: 'attached' });
        for (const zoom of ['Zoom in', 'Zoom out']) {
          await page.getByRole('button', { name: zoom }).click();
          await page.waitForTimeout(700);
          const lit = await textUnderLights(page);
          assert.ok(similarity(lit, quote) > 0.9, `lit: ${lit}\nquoted: ${quote}`);
        }
      }
    },
    { vectors: true },
  ));

/**
 * A question asked while a document is still being embedded: the passages that its words find are embedded first, their
 * vectors take part in the answer and are kept, and the background goes on with the others. What the search finds is
 * compared with the question token by token. And a document of which nothing is embedded.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  ask,
  drop,
  embedded,
  ready,
  sample,
  searchable,
  snapshot,
  start,
  stop,
  withPage,
} from './harness.mjs';

before(start);
after(stop);

/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

test('a question asked while documents are embedded compares the passages that its words find', () =>
  withPage(
    async (page) => {
      await drop(page, [await sample('rulebook.pdf'), await sample('opinion.pdf')]);
      await searchable(page, 2);
      const answer = await page.evaluate(async () => {
        const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
        const missing = engine.snapshot.documents.flatMap((document) => document.missing);
        const { vectors, trace } = await engine.ask('How long must a firm keep records of complaints?', {
          vectors: 'wait',
        });
        return { vectors, onDemand: trace.onDemand, diags: trace.diags, missing };
      });
      assert.ok(answer.missing.length > 0, 'the documents were still being embedded when it was asked');
      assert.ok(answer.onDemand.embedded > 0, 'passages were embedded for the question');
      assert.equal(answer.vectors, answer.onDemand.left > 0 ? 'some' : 'candidates');
      assert.deepEqual(answer.diags, []);
      await embedded(page);
      for (const { nEmbedded, nToEmbed } of (await snapshot(page)).documents)
        assert.equal(nEmbedded, nToEmbed);
      const later = await page.evaluate(async () => {
        const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
        /** @type {string[]} */
        const steps = [];
        const before = await engine.stats();
        const { vectors, trace } = await engine.ask('How long must a firm keep records of complaints?', {
          vectors: 'wait',
          onStep: (step) => steps.push(step),
        });
        const after = await engine.stats();
        return {
          vectors,
          onDemand: trace.onDemand,
          steps,
          isCompared: after.compareSeconds > before.compareSeconds,
        };
      });
      assert.deepEqual([later.vectors, later.onDemand.embedded, later.onDemand.left], ['all', 0, 0]);
      assert.deepEqual(later.steps.slice(0, 2), ['search', 'compare']);
      assert.ok(later.isCompared, 'workers compared passages with the question');
    },
    { vectors: true },
  ));

test('a document that the model cannot read is complete, and the model is not loaded for it', () =>
  withPage(
    async (page) => {
      const isComplete = async () => {
        const { documents, model } = await snapshot(page);
        assert.deepEqual(
          documents.map(({ missing, nToEmbed }) => [missing, nToEmbed]),
          [[[], 0]],
        );
        assert.equal(model, 'cold');
      };
      await drop(page, [await sample('word/complaints-zh.docx')]);
      await searchable(page, 1);
      await isComplete();
      const answer = await ask(page, '投诉记录应当保存多少年？');
      assert.match(answer.citations[0]?.quote ?? '', /六年/);
      await ask(page, 'How long are records of a complaint kept?');
      await isComplete();
      await page.reload();
      await ready(page);
      await searchable(page, 1);
      await isComplete();
    },
    { vectors: true },
  ));

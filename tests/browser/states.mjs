/**
 * States of the page for a look at their accessibility: what passes in a moment, or needs a server or a failure, is made, by giving
 * the page what the engine would tell it.
 */

import assert from 'node:assert/strict';
import { stringsOf } from '../../www/strings/index.js';
import { Inspection } from './accessibility.mjs';
import { withPage } from './harness.mjs';
import { question } from './scripted.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

/**
 * Goes through states of the page in a language, and fails with all that was found.
 * @param {string} locale of the browser
 * @param {(at: { page: Page, see: Inspection['see'], texts: import('../../www/strings/index.js').Strings }) => Promise<void>} body
 * @param {Parameters<typeof withPage>[1]} [options]
 */
export const inspect = (locale, body, options = {}) =>
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
export const tell = (page, changes = {}) =>
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
export const answerWith = (page, how) =>
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
export async function asked(page, text, state = 'answered') {
  await page.evaluate((text) => {
    const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
    widget.ask(text).catch(() => {});
  }, text);
  await page.locator(`.answer-card[data-state=${state}]`).first().waitFor();
}

/** A file on its way. @param {string} stage @param {object} [more] */
export const job = (stage, more = {}) => ({
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

/** Holds a file over the page, or takes it away. @param {Page} page @param {'dragenter' | 'dragleave'} type */
export const drag = (page, type) =>
  page.evaluate((type) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['a'], 'a.pdf'));
    document
      .querySelector('pincite-widget')
      ?.shadowRoot?.querySelector('.shell')
      ?.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }, type);

/** Presses what only a narrow page shows. @param {Element} control */
export const click = (control) => /** @type {HTMLElement} */ (control).click();

/** @param {Page} page @param {import('../../www/widget/layouts.styles.js').Layout} layout @param {boolean} expanded */
export const arrange = (page, layout, expanded) =>
  page.evaluate(
    ({ layout, expanded }) => {
      const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      widget.layout = layout;
      widget.toggleAttribute('expanded', expanded);
    },
    { layout, expanded },
  );

/** @param {Page} page @param {string} text a control's name */
export const press = (page, text) => page.getByRole('button', { name: text, exact: true }).first().click();

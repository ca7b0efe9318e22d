/** Scenes of what fails: documents that the viewer cannot show as they are, an engine that has ended. */

import { ask, drop, pdf, ready, sample, searchable } from '../harness.mjs';
import { tell } from '../states.mjs';
import { addSamples, press, question, unfoldLibrary } from './gestures.mjs';

/** @typedef {import('../harness.mjs').Page} Page */
/** @typedef {import('../harness.mjs').PinciteWidget} PinciteWidget */
/** @typedef {import('./gestures.mjs').Scene} Scene */

/** Opens a document from the list. @param {Page} page @param {string} name */
async function show(page, name) {
  if (await page.locator('.viewer').isVisible()) await press(page, 'Close the viewer');
  await unfoldLibrary(page);
  await page.locator('.row', { hasText: name }).locator('button.row-name').click();
}

/** @type {readonly Scene[]} */
export const failingScenes = [
  {
    title: 'Documents that the viewer cannot show',
    play: async (page, picture) => {
      // Its tree says that it has one page; the engine reads two.
      const blank = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 842] >>';
      const tree = `<< /Type /Pages /Kids [3 0 R ${blank}] /Count 1 >>`;
      const lines = ['The fee is due on the third day of each month.', 'It is paid in euro.'];
      await drop(page, [await sample('hostile/locked.pdf'), pdf('fee.pdf', lines, tree)]);
      await unfoldLibrary(page);
      const field = page.getByLabel('Password of locked.pdf');
      await field.fill('sesame 2026');
      await field.press('Enter');
      await searchable(page, 2);
      await page.reload();
      await ready(page);
      await searchable(page, 2);
      await show(page, 'locked.pdf');
      const viewer = page.locator('.viewer');
      await viewer.getByRole('textbox').first().waitFor();
      await picture('A password is not stored: after a reload the viewer asks for it again.');
      await viewer.locator('input[type=password]').fill('sesame');
      await viewer.locator('input[type=password]').press('Enter');
      await viewer.getByText('That password does not fit.').waitFor();
      await picture('It is the wrong one.');
      await show(page, 'fee.pdf');
      await page.getByText('The viewer finds 1 page in this file').waitFor();
      await page.locator('.page-view canvas').first().waitFor();
      await picture('A damaged file, in which the viewer finds other pages than were read.');
      await press(page, 'Close the viewer');
      await page.evaluate(() => {
        const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
        engine.file = async () => null;
      });
      await show(page, 'fee.pdf');
      await page.getByText('This document cannot be shown here.').waitFor();
      await picture('A document whose file is gone.');
    },
  },
  {
    title: 'An engine that has failed',
    play: async (page, picture) => {
      await addSamples(page, 'contract.pdf', 'rulebook.pdf');
      await ask(page, question);
      const failure = { code: 'internal', message: 'unreachable', hint: '' };
      await tell(page, { state: 'failed', failure });
      await page.locator('.failure').waitFor();
      await picture('What had been answered stays on show.');
    },
  },
];

/**
 * The README's picture and its recording of twenty seconds, taken from the built page: `www/screenshot.png` and
 * `www/recording.webp`.
 *
 *   node tests/browser/pictures/readme.mjs --site dist/site --samples target/samples
 */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    site: { type: 'string', default: 'dist/site' },
    samples: { type: 'string', default: 'target/samples' },
  },
});
process.env['PINCITE_SITE'] = path.resolve(values.site);
process.env['PINCITE_SAMPLES'] = path.resolve(values.samples);
const { drop, embedded, sample, searchable, site, start, stop, type, withPage } = await import(
  '../harness.mjs'
);
const { Film } = await import('./film.mjs');

/** Bytes that the repository takes in a file; a recording of 2 MB would load slowly, too. */
const maxBytes = 1 << 20;
const www = new URL('../../../www/', import.meta.url);
const question = 'What is the cap on liability?';

/** @typedef {import('../harness.mjs').Page} Page */

/** @param {Page} page @param {string} name */
const button = (page, name) => page.getByRole('button', { name, exact: true }).first();

/** @param {Page} page */
const opened = async (page) => {
  await page.locator('.page-view .light').first().waitFor();
  await page.locator('.text-layer span').first().waitFor({ state: 'attached' });
};

/** @param {Page} page */
async function takePicture(page) {
  await drop(page, [await sample('contract.pdf'), await sample('rulebook.pdf'), await sample('opinion.pdf')]);
  await searchable(page, 3);
  await embedded(page);
  await type(page, question);
  await page.locator('button.citation').first().click();
  await opened(page);
  await page.locator('.desk').evaluate((desk) => desk.scrollTo(0, 0));
  await page.mouse.move(0, 0);
  await writeFile(new URL('screenshot.png', www), await page.screenshot());
}

/** @param {Page} page @param {InstanceType<typeof Film>} film */
async function play(page, film) {
  await film.frame(1_000);
  await film.press(button(page, 'Add all'));
  await searchable(page, 3);
  await embedded(page);
  await film.frame(1_200);
  await film.type(question);
  await film.frame(300);
  await page.keyboard.press('Enter');
  await page.locator('button.citation').first().waitFor();
  await film.frame(2_800);
  await film.press(page.locator('.answer-card button.mark').first());
  await opened(page);
  await film.frame(2_600);
  await film.press(button(page, 'Next citation'));
  await page
    .locator('.shell > [role=status]', { hasText: /^Citation 2 of .* lit/ })
    .waitFor({ state: 'attached' });
  await film.frame(1_800);
  await film.press(button(page, 'Close the viewer'));
  await film.press(button(page, 'Save with documents'));
  await page.getByText(/The file will have about/).waitFor();
  await film.frame(2_200);
  await page.keyboard.press('Escape');
  await page.locator('.question-input').focus();
  await film.type('Who won the cup final?');
  await page.keyboard.press('Enter');
  await page.locator('.insufficient').waitFor();
  await film.frame(2_600);
}

await start();
try {
  await withPage(takePicture, { vectors: true, viewport: { width: 1280, height: 760 } });
  await withPage(
    async (page, context) => {
      const film = await Film.of(context, page, new URL('licences.txt', site()).href);
      await play(page, film);
      const bytes = await film.develop();
      if (bytes.length > maxBytes)
        throw new Error(`the recording has ${bytes.length} bytes, ${maxBytes} at most`);
      await writeFile(new URL('recording.webp', www), bytes);
      console.log(`www/recording.webp: ${film.length / 1_000} s, ${Math.round(bytes.length / 1_000)} kB`);
    },
    { vectors: true, viewport: { width: 1120, height: 660 } },
  );
} finally {
  await stop();
}

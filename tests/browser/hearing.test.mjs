/**
 * The main job with the keyboard and a screen reader: from the sample to the cited words, every stop and every announcement
 * held against what was heard when somebody last listened. `UPDATE_GOLDENS=1` writes it anew, to be reviewed as a diff.
 */

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { embedded, searchable, start, stop, withPage } from './harness.mjs';
import { Hearing } from './hearing.mjs';

before(start);
after(stop);

const golden = new URL('heard/main-job.txt', import.meta.url);

/** Progress, which is said only where something takes long. */
const isProgress = (/** @type {string} */ line) =>
  /^says: (?:.*: page \d+ of \d+|Reading the best passages\.|.*…$)/.test(line);

test('by keyboard and ear from a sample to the cited words and back: names, roles, order, announcements', () =>
  withPage(
    async (page) => {
      const heard = await Hearing.of(page);
      heard.does('Tab from the top of the page to a sample, Enter');
      await heard.tabTo(/Add the sample.*Services Agreement/);
      await page.keyboard.press('Enter');
      await searchable(page, 1);
      await heard.hears(/can be searched|ready/i);
      await heard.whereFocusIs();
      await embedded(page);

      heard.does('type “What is the cap on liability?”, Enter');
      await page.keyboard.type('What is the cap on liability?');
      await page.keyboard.press('Enter');
      await page.locator('.answer-card[data-state=answered]').waitFor();
      await heard.hears(/^Answered/);
      await heard.whereFocusIs();

      heard.does('Tab to the first source, Enter');
      await heard.tabTo(/^1 .*p\. \d/);
      await page.keyboard.press('Enter');
      await page.locator('.light').first().waitFor({ state: 'attached' });
      await heard.hears(/cited words/);
      await heard.whereFocusIs();

      heard.does('Tab to the page in the viewer');
      await heard.tabTo(/^Pages? of|^contract\.pdf|Document pages/i);

      heard.does('Escape');
      await page.keyboard.press('Escape');
      await page.locator('.viewer').waitFor({ state: 'hidden' });
      await heard.whereFocusIs();

      const text = `${heard.lines
        .filter((line) => !isProgress(line))
        .join('\n')
        .trim()}\n`;
      if (process.env['UPDATE_GOLDENS']) await writeFile(golden, text);
      assert.equal(text, await readFile(golden, 'utf8'));
    },
    { vectors: true, viewport: { width: 1280, height: 760 } },
  ));

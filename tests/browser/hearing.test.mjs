/**
 * The main job with the keyboard and a screen reader: from the sample to the cited words, every stop and every announcement
 * held against what was heard when somebody last listened. `UPDATE_GOLDENS=1` writes it anew, to be reviewed as a diff.
 */

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { stringsOf } from '../../www/strings/index.js';
import { embedded, isFocused, searchable, start, stop, withPage } from './harness.mjs';
import { Hearing } from './hearing.mjs';

before(start);
after(stop);

/**
 * Languages in which it is heard. `isProgress` tells lines that are said only where something takes long.
 * @type {readonly { locale: string, log: string, source: RegExp, answered: RegExp, lit: RegExp, isProgress: RegExp }[]}
 */
const languages = [
  {
    locale: 'en',
    log: 'heard/main-job.txt',
    source: /^1 .*p\. \d/,
    answered: /^Answered/,
    lit: /cited words/,
    isProgress: /^says: (?:.*: page \d+ of \d+|Reading the best passages\.|.*…$)/,
  },
  {
    locale: 'zh-CN',
    log: 'heard/main-job.zh.txt',
    source: /^1 .*第 \d+ 页/,
    answered: /^已作答/,
    lit: /所引文字/,
    isProgress: /^says: (?:.*：第 \d+ 页，共 \d+ 页|正在细读最相关的段落。|.*…$)/,
  },
];

for (const { locale, log, source, answered, lit, isProgress } of languages)
  test(`by keyboard and ear from a sample to the cited words and back: names, roles, order, announcements (${locale})`, () =>
    withPage(
      async (page) => {
        const texts = stringsOf(locale);
        const heard = await Hearing.of(page);
        heard.does('Tab from the top of the page to a sample, Enter');
        await heard.tabTo(/Services Agreement/);
        await page.keyboard.press('Enter');
        await searchable(page, 1);
        await heard.hears(/^contract\.pdf (?:can be searched|已可检索)/);
        await heard.whereFocusIs();
        await embedded(page);

        heard.does('type “What is the cap on liability?”, Enter');
        await page.keyboard.type('What is the cap on liability?');
        await page.keyboard.press('Enter');
        await page.locator('.answer-card[data-state=answered]').waitFor();
        await heard.hears(answered);
        await heard.whereFocusIs();

        heard.does('Tab to the first source, Enter');
        await heard.tabTo(source);
        await page.keyboard.press('Enter');
        await page.locator('.light').first().waitFor({ state: 'attached' });
        await heard.hears(lit);
        await heard.whereFocusIs();

        heard.does('Tab to the page in the viewer, where the cited words are lit');
        await heard.tabTo(new RegExp(`^${texts.viewer.pages}$`));
        await heard.whereFocusIs();
        assert.ok(await page.locator('.viewer-pages').evaluate(isFocused));
        assert.ok(await page.locator('.viewer-pages .light').first().evaluate(isInSight));

        heard.does('Escape');
        await page.keyboard.press('Escape');
        await page.locator('.viewer').waitFor({ state: 'hidden' });
        await heard.whereFocusIs();

        const text = `${heard.lines
          .filter((line) => !isProgress.test(line))
          .join('\n')
          .trim()}\n`;
        const golden = new URL(log, import.meta.url);
        if (process.env['UPDATE_GOLDENS']) await writeFile(golden, text);
        assert.equal(text, await readFile(golden, 'utf8'));
      },
      { vectors: true, locale, viewport: { width: 1280, height: 760 } },
    ));

/** True if all of an element is in the window. @param {Element} element */
function isInSight(element) {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
}

/**
 * The interface in Chinese: every text and every name for a screen reader, in the states that a person meets. What the
 * documents, the server or the files of profiles say stays as they say it.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drop, sample, searchable, setModel, violations, withPage } from './harness.mjs';
import { endpoint, key, question, server, useScriptedEndpoint } from './scripted.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

useScriptedEndpoint();

/** Names, units and code that no language translates. */
const untranslated =
  /Pincite|Pin|cite|PDF|Word|Rule 4\.2\.1|OpenAI|Ollama|vLLM|Azure|Anthropic|Authorization: Bearer|x?-?api-key|JSON|endpoint = "…"|https?:\/\/\S+|\b[kM]?B\b|MTF = multilateral trading facility|CORS|Content-Security-Policy|connect-src|\.docx?\b|\bAa\b/g;

/** Content of documents, samples and servers; what is spoken of an answer holds its sentences. */
const content =
  '.shell > .visually-hidden, .citation-quote, .citation-supporting, .citation-path, .citation-document, .statement, .asked, .sample h4, .sample p, .suggestion, .text-layer, .viewer-title, .row-name, .understood, .draft-text, .insufficient p + p, .verdict p + p, #pincite-profile option, datalist, .where, .ledger li, .provenance dd, .page-input, .filter select';

/** Texts and names in the interface that hold Latin words. Quoted words are those of a document, a file or a server. @param {Page} page @returns {Promise<string[]>} */
async function latin(page) {
  const texts = await page.evaluate((content) => {
    const root = /** @type {ShadowRoot} */ (document.querySelector('pincite-widget')?.shadowRoot);
    /** @type {string[]} */
    const found = [];
    for (const element of root.querySelectorAll('*')) {
      if (element.closest(content)) continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
        found.push(element.getAttribute(name) ?? '');
      for (const node of element.childNodes)
        if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent ?? '');
    }
    // The titles of samples stand in the names of their buttons.
    const titles = [...root.querySelectorAll('.sample h4')].map(({ textContent }) => textContent ?? '');
    return found.map((text) => titles.reduce((rest, title) => rest.replace(title, ''), text));
  }, content);
  return texts
    .map((text) =>
      text
        .replace(untranslated, '')
        .replace(/“[^”]*”/g, '')
        .replace(/[\w.-]+\.(?:pdf|docx|toml)|scripted|GGUF|127\.0\.0\.1:\d+/g, ''),
    )
    .filter((text) => /[A-Za-z]{2,}/.test(text));
}

/** @param {Page} page */
async function inChinese(page) {
  await page.evaluate(() => document.querySelector('pincite-widget')?.setAttribute('lang', 'zh-CN'));
  await page.getByRole('textbox', { name: '您的问题' }).waitFor();
}

test('a widget with lang="zh" speaks Chinese in every state', () =>
  withPage(async (page) => {
    server.reset({
      key,
      replies: {
        read: 'It is EUR 999,999,999 [P1]. And "this was never written anywhere" [P1].',
        reflect: JSON.stringify({
          grounded: false,
          consistent: true,
          complete: true,
          problem: '',
          missing: [],
        }),
      },
    });
    await inChinese(page);
    await page.getByText('原文字句').waitFor();
    assert.deepEqual(await latin(page), [], 'the empty library');
    await drop(page, [await sample('contract.pdf'), { name: 'broken.pdf', bytes: new Uint8Array(9) }]);
    await searchable(page, 1);
    await page.getByText('这不是 PDF 或 Word 文档。').waitFor();
    assert.deepEqual(await latin(page), [], 'a document and a failure');

    await page.getByRole('textbox', { name: '您的问题' }).fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.answer-card[data-state=answered]').first().waitFor();
    await page.getByRole('heading', { name: '出处' }).waitFor();
    assert.match(
      (await page.locator('.shell > [role=status]').textContent()) ?? '',
      /^已作答，附 \d+ 条引文/,
    );
    assert.deepEqual(await latin(page), [], 'an answer without a model');
    await page.locator('button.citation').first().click();
    await page.locator('.text-layer span').first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: '下一页' }).waitFor();
    assert.deepEqual(await latin(page), [], 'the viewer');
    await page.keyboard.press('Escape');

    await setModel(page, endpoint());
    await page.getByRole('button', { name: /^由 127\.0\.0\.1:\d+ 的 scripted 作答$/ }).waitFor();
    await page.getByRole('textbox', { name: '您的问题' }).fill(question);
    await page.keyboard.press('Enter');
    await page.locator('.answer-card[data-state=answered]').nth(1).waitFor();
    await page.locator('.verdict').getByText('该答案未通过核查').waitFor();
    assert.deepEqual(await latin(page), [], 'an answer that fails its check');
    await page.getByRole('button', { name: /次请求，发送/ }).click();
    await page.getByRole('dialog', { name: '已离开本设备的内容' }).waitFor();
    assert.deepEqual(await latin(page), [], 'the list of requests');
    await page.keyboard.press('Escape');
    await setModel(page, null);
    await page.getByRole('button', { name: '仅引用原文（不用人工智能）' }).click();
    await page.getByLabel('语言模型').selectOption('openai');
    await page.getByRole('button', { name: '检查连接' }).first().click();
    await page.getByText('缺少服务器地址。').waitFor();
    assert.deepEqual(await latin(page), [], 'the settings');
    assert.deepEqual(await violations(page), [], 'axe');
  }));

test('without a language of its own a widget takes that of the page around it', () =>
  withPage(async (page) => {
    const labels = await page.evaluate(async () => {
      const around = document.createElement('div');
      around.lang = 'zh-Hans';
      const second = document.createElement('pincite-widget');
      second.setAttribute('src', './');
      around.append(second);
      document.body.append(around);
      return [...document.querySelectorAll('pincite-widget')].map((widget) =>
        widget.shadowRoot?.querySelector('textarea')?.getAttribute('aria-label'),
      );
    });
    assert.deepEqual(labels, ['Your question', '您的问题'], 'each in its own');
  }));

test('a page in a Chinese browser is in Chinese', () =>
  withPage(
    async (page) => {
      await page.getByRole('textbox', { name: '您的问题' }).waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh');
    },
    { locale: 'zh-CN' },
  ));

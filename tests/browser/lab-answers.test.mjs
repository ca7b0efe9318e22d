/**
 * Answers of the lab's runs: by the model of the page's settings, told beforehand where they go, cut off and gone on with, and
 * compared with those of the documents' own words. The model is the scripted endpoint of `tests/llm`.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, setModel, violations, withPage } from './harness.mjs';
import { button, endpoint, key, prepared, server, useScriptedEndpoint } from './scripted.mjs';

useScriptedEndpoint();

const questions = `question,document,page
What is the cap on liability?,contract.pdf,3
Who may end the agreement?,contract.pdf,4
Which law governs the agreement?,contract.pdf,4
`;

test('questions are answered by the model, cut off, gone on with, and compared with extracted answers', () =>
  withPage(async (page) => {
    server.reset({ key });
    await prepared(page);
    await page.getByRole('button', { name: /^Answers by scripted/ }).click();
    await button(page, 'How good is this on my documents?').click();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      button(page, 'Load questions').click(),
    ]);
    await chooser.setFiles({ name: 'q.csv', mimeType: 'text/csv', buffer: Buffer.from(questions) });
    const lab = page.locator('.lab');
    await lab.getByText('q.csv: 3 questions added').waitFor();

    const answers = page.getByRole('combobox', { name: 'Answers', exact: true });
    await answers.selectOption({ label: `By the model scripted (${new URL(server.url).host})` });
    await lab.getByText(/^3 questions with passages of your documents go to /).waitFor();
    assert.deepEqual(await violations(page), []);
    assert.equal(server.requests.length, 0, 'nothing is sent before the run');
    await button(page, 'Search all questions').click();
    await eventually(async () => server.requests.length > 1, 'requests to the model');
    await lab.getByRole('button', { name: 'Cancel', exact: true }).click();
    await lab.getByText(/The last run ended early: \d questions? left/).waitFor();
    await button(page, 'Begin another run').waitFor();

    await setModel(page, null);
    await button(page, 'Go on').click();
    await lab.getByText(/^This run asks a language model, and none is set up/).waitFor();
    await setModel(page, endpoint());
    await button(page, 'Go on').click();
    await lab.getByText(/^Of 3 answers, 3 by a language model, \d cite a right place/).waitFor();

    await answers.selectOption('From the documents’ own words');
    const before = server.requests.length;
    await button(page, 'Search all again').click();
    await lab.getByText(/^Of 3 answers, 0 by a language model/).waitFor();
    await lab
      .getByText(/^Answers that cite a right place, against the run before: [+−]\d\.\d{3} .*3 questions/)
      .waitFor();
    assert.equal(server.requests.length, before, 'extracted answers ask nobody');
  }));

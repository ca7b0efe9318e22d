/**
 * Five tasks as a new user does them, in the page with nothing in it yet: find an exception, a deadline, a definition in
 * a footnote, a figure in a table, and hand the answer to a colleague. Counts clicks and keys, and estimates seconds by
 * the keystroke-level model, in which only the page's own time is measured; beside it stands a peer, by the steps that
 * its documentation gives. Prints a table in Markdown, which `tasks.md` keeps. Peers that run here: `beside.mjs`.
 *
 *   node tests/bench/tasks.mjs --site dist/site [--pictures FOLDER] > tests/bench/tasks.md
 *
 * A task whose answer is not the first quotation, or is not lit on the page, is said to have failed.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import playwright from '../../www/node_modules/playwright-core/index.js';
import { serve } from '../../www/serve.mjs';
import { chromiumArgs, chromiumPath, siteFolder } from '../browser/harness.mjs';
import { pincite } from './beside/pincite.mjs';
import { seconds } from './keystrokes.mjs';
import { adding, handing, notebook, tasks } from './user-tasks.mjs';

/** @typedef {import('./beside/pincite.mjs').Run} Run */

/** Written below the table. A change that a later count brings is added here. */
const below = `Of ${notebook.name} only clicks, keys and the person's seconds are known, from its help pages, since it runs on its provider's
servers alone: the same questions are typed, the first citation is taken to be the right one, and nothing is counted for
what it takes to upload, to read and to answer. Its column is a floor. Peers that run here, in pictures: \`beside.md\`.

## What was changed because of it

Every passage was found with two clicks and its question from the first count on, so no step of a way was taken out. What stood in
the way was the tour, in the pictures that \`--pictures\` takes:

- Its step about asking lay over the answer. It ends now when a question is asked (“End the tour when a question is asked”).
- Its step about documents lay over their list, and stayed when a file had been added. The first file now ends the steps that
  ask for one, and the step stands beside the list (“Move the tour on with the first file, and off the list of documents”; of
  the same day, found at three widths of the window).`;

const { values } = parseArgs({
  options: { site: { type: 'string', default: siteFolder }, pictures: { type: 'string' } },
});

/** @param {string} task */
function theirs(task) {
  if (task === adding) return notebook.adding;
  if (task === handing) return notebook.handing;
  return notebook.finding(tasks.find(({ name }) => name === task)?.question ?? '');
}

/** @param {Run} run */
function row({ task, counted, waited, isDone }) {
  const peer = theirs(task);
  const cells = [
    task,
    `${counted.clicks} / ${counted.keys}`,
    seconds(counted).toFixed(1),
    ((waited ?? 0) / 1000).toFixed(1),
    isDone ? 'yes' : '**no**',
    `${peer.clicks} / ${peer.keys}`,
    `≥ ${seconds(peer).toFixed(1)}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

const folder = await mkdtemp(path.join(tmpdir(), 'pincite-tasks-'));
const server = await serve(path.resolve(values.site), 0);
const browser = await playwright.chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
try {
  const runs = await pincite(browser, {
    url: server.url,
    folder,
    camera: async (page, task) => {
      if (values.pictures) await page.screenshot({ path: path.join(values.pictures, `${task}.png`) });
    },
  });
  console.log(
    [
      '# Five tasks of a new user',
      '',
      'Written by `node tests/bench/tasks.mjs`, which says how they are counted. Without a model endpoint.',
      '',
      `| Task | Clicks / keys | Person, s | Page, s | Done | ${notebook.name}, by its help: clicks / keys | Person without waiting, s |`,
      '|---|---|---|---|---|---|---|',
      ...runs.map(row),
      '',
      below,
    ].join('\n'),
  );
} finally {
  await browser.close();
  await server.close();
  await rm(folder, { recursive: true });
}

/**
 * The five tasks in Pagefind's interface, over a static site that somebody has made of the samples: a page of HTML for
 * each page of PDF. A person types the question; where nothing is found, its content words, then each of them alone.
 */

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { serve } from '../../../www/serve.mjs';
import { Person } from '../keystrokes.mjs';
import { files, handing, tasks } from '../user-tasks.mjs';
import { comes, timed } from './pincite.mjs';
import { contentWords, linesOf, maxHits } from './samples.mjs';

/** @typedef {import('../../../www/node_modules/playwright-core/index.js').Browser} Browser */
/** @typedef {import('../../../www/node_modules/playwright-core/index.js').Page} Page */
/** @typedef {import('../user-tasks.mjs').Task} Task */
/** @typedef {import('./pincite.mjs').Run} Run */
/** @typedef {import('./viewers.mjs').Surroundings} Surroundings */

const style = `<style>
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
mark { background: #ffd84d; }
</style>`;

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** @param {string} file @param {number} page */
const addressOf = (file, page) => `${path.basename(file, '.pdf')}/${page}.html`;

/** Writes the site and its index. @param {string} site */
async function publish(site) {
  for (const file of files) {
    for (const [pageIdx, lines] of (await linesOf(file)).entries()) {
      const title = `${file}, page ${pageIdx + 1}`;
      const text = lines.map(({ words }) => escaped(words)).join('\n');
      const target = path.join(site, addressOf(file, pageIdx + 1));
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(
        target,
        `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>${style}
<body><main data-pagefind-body><h1>${title}</h1><p>${text}</p></main>
<script type="module">
await import('/pagefind/pagefind-highlight.js');
new PagefindHighlight({ highlightParam: 'highlight' });
</script></body></html>`,
      );
    }
  }
  await writeFile(
    path.join(site, 'index.html'),
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pagefind</title>${style}
<link rel="stylesheet" href="/pagefind/pagefind-ui.css"><script src="/pagefind/pagefind-ui.js"></script>
<body><h1>Documents</h1><div id="search"></div>
<script>new PagefindUI({ element: '#search', showImages: false, highlightParam: 'highlight' });</script></body></html>`,
  );
  const library = new URL('../node_modules/pagefind/lib/index.js', import.meta.url).href;
  const { createIndex, close } = await import(library);
  const { index } = await createIndex();
  await index.addDirectory({ path: site });
  await index.writeFiles({ outputPath: path.join(site, 'pagefind') });
  await close();
}

/** @param {Browser} browser @param {Surroundings} surroundings @returns {Promise<Run[]>} */
export async function pagefind(browser, { outside, folder, camera }) {
  const site = path.join(folder, 'site');
  await mkdir(site, { recursive: true });
  await publish(site);
  const server = await serve(site, 0);
  const context = await browser.newContext({ viewport: { width: 1280, height: 760 }, colorScheme: 'light' });
  context.on('request', (request) => {
    const { host, origin } = new URL(request.url());
    if (origin !== new URL(server.url).origin) outside.add(host);
  });
  try {
    const page = await context.newPage();
    const person = new Person(page);
    const runs = [];
    for (const task of tasks) {
      await page.goto(server.url);
      runs.push(await hunt(person, task));
      await camera(page, task.name);
    }
    // The address of the page, from the browser's own bar: Ctrl+L, Ctrl+C.
    person.think();
    await person.press('Control+l');
    await person.press('Control+c');
    const colleague = await context.newPage();
    await colleague.goto(page.url());
    const isDone = await comes(colleague.locator('mark'));
    await camera(colleague, handing);
    runs.push({
      task: handing,
      counted: person.take(),
      waited: 0,
      isDone,
      way: 'an address, for those who reach the site',
    });
    return runs;
  } finally {
    await context.close();
    await server.close();
  }
}

/** @param {Person} person @param {Task} task @returns {Promise<Run>} */
async function hunt(person, task) {
  const { page } = person;
  const field = page.getByRole('textbox').first();
  await person.click(field);
  const titles = page.locator('.pagefind-ui__result-title');
  const words = contentWords(task.question);
  const tried = [];
  let waited = 0;
  for (const query of [task.question, words.join(' '), ...words]) {
    if (tried.length > 0) await person.press('Control+a');
    waited += await timed(async () => {
      await person.write(query);
      const message = page.locator('.pagefind-ui__message');
      await page.waitForFunction((query) => {
        const said = document.querySelector('.pagefind-ui__message')?.textContent?.trim() ?? '';
        return said.endsWith(` for ${query}`) && !said.startsWith('Searching');
      }, query);
      if (!(await message.innerText()).startsWith('No results')) await titles.first().waitFor();
    });
    const nResults = await titles.count();
    for (let resultIdx = 0; resultIdx < Math.min(nResults, maxHits); resultIdx += 1) {
      person.think();
      const link = titles.nth(resultIdx).locator('a');
      const address = (await link.getAttribute('href')) ?? '';
      if (!address.includes(addressOf(task.file, task.page))) continue;
      await person.click(link);
      await page.waitForURL((url) => url.pathname !== '/');
      // What is opened is the page: the answer is looked for in it.
      person.think();
      const isDone = await comes(page.locator('mark'), 5_000);
      tried.push(`“${query}”: result ${resultIdx + 1}`);
      return { task: task.name, counted: person.take(), waited, isDone, way: tried.join(', ') };
    }
    person.think();
    tried.push(`“${query}”: ${nResults === 0 ? 'nothing' : `not in ${nResults} results`}`);
  }
  return { task: task.name, counted: person.take(), waited, isDone: false, way: tried.join(', ') };
}

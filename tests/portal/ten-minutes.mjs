/**
 * The first ten minutes of a portal's developer: from a Vite app, an archive of the package and its README to a cited answer under
 * the strict policy. It takes the commands and lines out of the README's own blocks, the first of each kind, puts them where they
 * say, and does nothing else; so what the README forgets fails here. Counted are commands, lines that are written, the words that are
 * read on the way, and seconds of the machine. Prints a table; `ten_minutes.md` keeps it.
 *
 *   node tests/portal/ten-minutes.mjs > tests/portal/ten_minutes.md
 */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { serve } from '../../www/serve.mjs';
import { samplesFolder, searchable, type } from '../browser/harness.mjs';
import { archive, unpacked } from './archive.mjs';
import { startBrowser, stopBrowser, withApp } from './harness.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const question = 'What is the cap on liability?';

/** @type {{ step: string, command: string, lines: number, seconds: number }[]} */
const steps = [];
/** @param {string} step @param {{ command?: string, lines?: number }} what @param {() => Promise<unknown>} work */
async function walk(step, { command = '', lines = 0 }, work) {
  const begin = performance.now();
  await work();
  steps.push({ step, command, lines, seconds: (performance.now() - begin) / 1000 });
}

/** Lines of a text that somebody writes. @param {string} text */
const linesOf = (text) => text.split('\n').filter((line) => line.trim() !== '').length;

/** The first block of a language. @param {string} readme @param {string} language */
function block(readme, language) {
  const [, text] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(readme) ?? [];
  return text ?? assert.fail(`the README has no ${language}`);
}

/** An empty app of Vite. @param {string} app */
async function fresh(app) {
  await mkdir(path.join(app, 'public'));
  await cp(path.join(samplesFolder, 'contract.pdf'), path.join(app, 'public/contract.pdf'));
  await cp(archive, path.join(app, path.basename(archive)));
  await writeFile(path.join(app, 'package.json'), '{ "name": "app", "private": true, "type": "module" }\n');
  const head = '<meta charset="utf-8">\n<title>Portal</title>\n<link rel="icon" href="data:,">';
  await writeFile(
    path.join(app, 'index.html'),
    `<!doctype html>\n<html lang="en">\n<head>\n${head}\n</head>\n<body>\n<script type="module" src="/main.js"></script>\n</body>\n</html>\n`,
  );
  await writeFile(path.join(app, 'main.js'), '');
}

/** Puts lines into a file, before what is there. @param {string} file @param {string} place @param {string} text */
async function write(file, place, text) {
  const before = await readFile(file, 'utf8');
  assert.ok(before.includes(place));
  await writeFile(
    file,
    before.replace(place, () => text + place),
  );
}

const { npm, remove } = await unpacked();
const readme = await readFile(path.join(npm, 'README.md'), 'utf8');
const policy = /`(default-src 'none';[^`]+)`/.exec(readme)?.[1]?.replaceAll('\n', ' ') ?? '';
assert.match(policy, /trusted-types pincite$/);
const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">\n`;
const [install, element, script] = [block(readme, 'sh'), block(readme, 'html'), block(readme, 'js')];
const app = await mkdtemp(path.join(tmpdir(), 'pincite-ten-minutes-'));
const run = (/** @type {string} */ command) =>
  promisify(execFile)('sh', ['-c', command], {
    cwd: app,
    // Of npm nothing but the archive, and of Vite the one that is locked here.
    env: {
      ...process.env,
      npm_config_offline: 'true',
      npm_config_audit: 'false',
      PATH: `${path.join(here, 'node_modules/.bin')}:${process.env['PATH']}`,
    },
  });
await startBrowser();
try {
  await fresh(app);
  await walk('install the package', { command: install.trim() }, () => run(install));
  const page = path.join(app, 'index.html');
  await walk('element in the page', { lines: linesOf(element) }, () => write(page, '<script', element));
  await walk('script of the page', { lines: linesOf(script) }, () =>
    writeFile(path.join(app, 'main.js'), script),
  );
  await walk('strict policy', { lines: 1 }, () => write(page, '<title>', meta));
  await walk('build', { command: 'npx vite build' }, () => run('vite build'));
  const server = await serve(path.join(app, 'dist'), 0);
  let begin = performance.now();
  const lap = (/** @type {string} */ step) => {
    steps.push({ step, command: '', lines: 0, seconds: (performance.now() - begin) / 1000 });
    begin = performance.now();
  };
  await withApp(server.url, async (page) => {
    await page.waitForFunction(() => customElements.get('pincite-widget') !== undefined);
    await searchable(page, 1);
    lap('page opened, the document read');
    await type(page, question);
    await page.locator('.answer-card[data-state=answered] button.citation').first().waitFor();
    lap('first cited answer');
    await page.locator('button.citation').first().click();
    await page.locator('.light').first().waitFor({ state: 'attached' });
    lap('its words lit on the page');
  });
  await server.close();
} finally {
  await stopBrowser();
  await remove();
  await rm(app, { recursive: true });
}

const words = (/** @type {string} */ text) => text.split(/\s+/).filter(Boolean).length;
const upTo = readme.indexOf(policy.slice(0, 40));
const sum = (/** @type {(step: (typeof steps)[number]) => number} */ of) =>
  steps.reduce((all, step) => all + of(step), 0);
const cells = steps.map(
  ({ step, command, lines, seconds }) =>
    `| ${step} | ${command && `\`${command}\``} | ${lines || ''} | ${seconds.toFixed(1)} |`,
);
const nCommands = sum(({ command }) => (command ? 1 : 0));
console.log(`# From the package to a cited answer

Written by \`node tests/portal/ten-minutes.mjs\`, which says what it counts, on ${new Date().toISOString().slice(0, 10)}:
${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}. The README has ${words(readme)} words, ${words(readme.slice(0, upTo))} of them up to
its policy, which is as far as the walk goes. The browser's console stayed empty, so nothing broke the policy.

| Step | Command | Lines written | Seconds |
|---|---|---|---|
${cells.join('\n')}
| all | ${nCommands} | ${sum(({ lines }) => lines)} | ${sum(({ seconds }) => seconds).toFixed(1)} |`);

import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import * as esbuild from 'esbuild';
import { oneChunk } from './one-chunk.mjs';

const sources = {
  'page.js': `import { a } from './a.js'; import { b } from './b.js'; console.log(a, b);
    onclick = () => import('./first.js'); onkeydown = () => import('./second.js'); onpaste = () => import('./apart.js');`,
  'a.js': `export const a = 'what one dialog shares with the page';`,
  'b.js': `export const b = 'what the other shares with it';`,
  'first.js': `import { a } from './a.js'; console.log(a);`,
  'second.js': `import { b } from './b.js'; console.log(b);`,
  'apart.js': `console.log('shares nothing');`,
};

test('what the page always loads is in one chunk, whichever dialogs share it', async (t) => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'pincite-chunks-')));
  t.after(() => rm(folder, { recursive: true }));
  for (const [name, source] of Object.entries(sources)) await writeFile(path.join(folder, name), source);
  const page = path.join(folder, 'page.js');
  /** @type {esbuild.BuildOptions} */
  const options = {
    bundle: true,
    format: 'esm',
    splitting: true,
    entryPoints: [page],
    outdir: path.join(folder, 'out'),
    write: false,
  };
  /** @param {esbuild.Plugin[]} plugins */
  const chunks = async (plugins) => {
    const { outputFiles = [] } = await esbuild.build({ ...options, plugins });
    return outputFiles.filter((file) => path.basename(file.path).startsWith('chunk-'));
  };
  assert.equal((await chunks([])).length, 2);
  const [chunk, ...others] = await chunks([await oneChunk(options, page)]);
  assert.equal(others.length, 0);
  for (const shared of ['a.js', 'b.js']) assert.match(chunk?.text ?? '', new RegExp(`// .*${shared}`));
});

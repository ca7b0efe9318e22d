/**
 * Bytes of each entry point of the npm package: its own file with the modules that it imports, as they are packed and as a
 * portal's build sends them (minified, then gzip), and what is imported later, when somebody uses it. Without `assets/`, whose sizes
 * `./build.sh dist` prints. Prints a table; `entries.txt` keeps it.
 *
 *   node tests/bench/entries.mjs [--package dist/npm] > tests/bench/entries.txt
 */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import * as esbuild from '../../www/node_modules/esbuild/lib/main.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: { package: { type: 'string', default: path.join(root, 'dist/npm') } },
});
const folder = path.resolve(values.package);

/** @typedef {{ raw: number, gzip: number }} Size */
/** @typedef {Pick<import('../../www/node_modules/esbuild/lib/main.js').Metafile, 'outputs'>['outputs']} Outputs */

/** An entry as a build makes it. @param {string} entry @param {boolean} minify */
async function built(entry, minify) {
  const { metafile, outputFiles } = await esbuild.build({
    entryPoints: [path.join(folder, entry)],
    bundle: true,
    splitting: true,
    minify,
    // Of each module as it is packed nothing is taken out.
    treeShaking: minify,
    format: 'esm',
    target: 'es2022',
    write: false,
    metafile: true,
    outdir: folder,
    absWorkingDir: folder,
  });
  const bytes = new Map(
    outputFiles.map(({ path: file, contents }) => [path.relative(folder, file), contents]),
  );
  const { now, later } = reached(metafile.outputs, entry);
  return { now: sizeOf(now, bytes), later: sizeOf(later, bytes) };
}

/** Files that an entry imports as it is loaded, and those that it imports later. @param {Outputs} outputs @param {string} entry */
function reached(outputs, entry) {
  const now = new Set([entry]);
  for (const file of now)
    for (const { path: other, kind } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement') now.add(other);
  return { now: [...now], later: Object.keys(outputs).filter((file) => !now.has(file)) };
}

/** @param {string[]} files @param {Map<string, Uint8Array>} bytes @returns {Size} each file compressed by itself, as servers do */
function sizeOf(files, bytes) {
  const contents = files.map((file) => bytes.get(file) ?? new Uint8Array());
  return {
    raw: contents.reduce((sum, each) => sum + each.length, 0),
    gzip: contents.reduce((sum, each) => sum + gzipSync(each, { level: 9 }).length, 0),
  };
}

/** @param {string} entry a script without imports @returns {Promise<Size>} */
async function whole(entry) {
  return sizeOf([entry], new Map([[entry, await readFile(path.join(folder, entry))]]));
}

/** @param {number} bytes */
const kilobytes = (bytes) => (bytes / 1000).toFixed(1);
/** @param {string} name @param {Size[]} sizes */
const row = (name, ...sizes) =>
  name.padEnd(18) +
  sizes.map(({ raw, gzip }) => `${kilobytes(raw)} / ${kilobytes(gzip)}`.padStart(20)).join('');

const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
console.log(`node tests/bench/entries.mjs, of ${manifest.name} ${manifest.version}\n`);
console.log(
  `${'kB, raw / gzip'.padEnd(18)}${['as packed', 'minified', 'later, minified'].map((head) => head.padStart(20)).join('')}`,
);
for (const [name, target] of Object.entries(manifest.exports)) {
  const file = typeof target === 'string' ? target : target.default;
  if (!file.endsWith('.js')) continue;
  const entry = path.join('pincite', name);
  // An entry without types is a script by itself, minified as it is packed.
  if (typeof target === 'string') console.log(row(entry, await whole(path.normalize(file))));
  else {
    const [packed, sent] = [
      await built(path.normalize(file), false),
      await built(path.normalize(file), true),
    ];
    console.log(row(entry, packed.now, sent.now, sent.later));
  }
}

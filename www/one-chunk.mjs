/**
 * A plugin of esbuild that keeps what the page always loads in few files. esbuild puts modules in one chunk that the same entry points
 * and dynamic imports reach: each set of dialogs that share a module gives a chunk of its own, some of a hundred bytes, and the page
 * waits for them all. With the plugin each module that is loaded later and shares one of them also imports all the others, which are
 * there by then; so esbuild sees one set.
 */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';

/**
 * @param {esbuild.BuildOptions} options of the build, without the plugin
 * @param {string} main the module whose static imports are always loaded
 * @returns {Promise<esbuild.Plugin>} to stand behind those that load files of their own
 */
export async function oneChunk(options, main) {
  const { metafile } = await esbuild.build({ ...options, write: false, metafile: true, logLevel: 'silent' });
  const { inputs } = metafile ?? { inputs: {} };
  const absolute = (/** @type {string} */ input) => path.resolve(input);
  /** A module with all that it imports statically, directly or not. @param {string} module @param {Set<string>} reached */
  const reach = (module, reached = new Set()) => {
    if (reached.has(module)) return reached;
    reached.add(module);
    for (const { path: imported, kind } of inputs[module]?.imports ?? [])
      if (kind === 'import-statement' && inputs[imported]) reach(imported, reached);
    return reached;
  };
  const modules = Object.keys(inputs);
  const start = modules.find((input) => absolute(input) === main);
  if (start === undefined) throw new Error(`${main} is not in the bundle`);
  const always = reach(start);
  const later = modules
    .flatMap((input) => inputs[input]?.imports ?? [])
    .filter(({ kind, path: imported }) => kind === 'dynamic-import' && inputs[imported])
    .map(({ path: imported }) => imported)
    .filter((input) => !always.has(input) && [...reach(input)].some((reached) => always.has(reached)));
  const files = new Set(later.map(absolute));
  return {
    name: 'one-chunk',
    setup(build) {
      // What another plugin made has no file to be imported by.
      const imports = [...always]
        .filter((input) => !/^[\w-]+:/.test(input))
        .map((input) => `import ${JSON.stringify(absolute(input))};`)
        .join('\n');
      build.onLoad({ filter: /\.js$/ }, async ({ path: file }) =>
        files.has(file) ? { contents: `${await readFile(file, 'utf8')}\n${imports}` } : null,
      );
    },
  };
}

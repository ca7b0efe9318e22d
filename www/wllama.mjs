/**
 * The module `device/wllama.js` for bundles, made of the npm package `@wllama/wllama`: `device/wllama.d.ts` says what is in
 * it. The bindings are a script that declares variables for a whole worker; here they are the body of a function.
 */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'node_modules/@wllama/wllama');
/** llama.cpp as WebAssembly. */
export const runtimeFile = path.join(folder, 'src/wasm/wllama.wasm');
/** Files of the package that a build depends on. */
export const wllamaFiles = [
  runtimeFile,
  path.join(folder, 'src/wasm/wllama.js'),
  path.join(folder, 'src/glue/glue.ts'),
];

/** @type {import('esbuild').Plugin} */
export const wllama = {
  name: 'wllama',
  setup(build) {
    build.onResolve({ filter: /^\.\/wllama\.js$/ }, () => ({ path: 'wllama', namespace: 'wllama' }));
    build.onLoad({ filter: /^wllama$/, namespace: 'wllama' }, async () => {
      const bindings = await readFile(path.join(folder, 'src/wasm/wllama.js'), 'utf8');
      return {
        resolveDir: folder,
        contents: `export { glueDeserialize, glueSerialize } from './src/glue/glue.ts';
          export function emscripten(Module) { const require = undefined, module = undefined; ${bindings} }`,
      };
    });
    build.onLoad({ filter: /device[/\\]runtime-hash\.js$/ }, async () => {
      const hash = createHash('sha256')
        .update(await readFile(runtimeFile))
        .digest('hex');
      return { contents: `export const runtimeHash = '${hash}';` };
    });
  },
};

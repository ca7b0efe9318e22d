/**
 * Values of the build put into the sources as they are bundled: its id (`build-id.mjs`), and the list of its files.
 */

import { readFile } from 'node:fs/promises';

/** @param {string} id @returns {import('esbuild').Plugin} */
export const buildStamp = (id) => ({
  name: 'build-stamp',
  setup(build) {
    build.onLoad({ filter: /engine[/\\]protocol\.js$/ }, async ({ path: file }) => {
      const source = await readFile(file, 'utf8');
      const stamped = source.replace("export const build = 'source';", `export const build = '${id}';`);
      if (stamped === source) throw new Error('engine/protocol.js no longer holds the build stamp');
      return { contents: stamped, loader: 'js' };
    });
  },
});

/** @param {Readonly<Record<string, string>>} files path and SHA-256 @returns {import('esbuild').Plugin} */
export const fileList = (files) => ({
  name: 'file-list',
  setup(build) {
    build.onLoad({ filter: /offline[/\\]files-of-build\.js$/ }, () => ({
      contents: `export const files = ${JSON.stringify(files)};`,
      loader: 'js',
    }));
  },
});

/**
 * The build's id (`build-id.mjs`) put into the sources as they are bundled.
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

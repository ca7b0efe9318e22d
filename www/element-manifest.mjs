/**
 * The contract of the element as data: `custom-elements.json`, which editors, Storybook and generators of framework wrappers
 * read. It is made from the comment of the widget's class and from what the class offers in public.
 */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as analyzer from '@custom-elements-manifest/analyzer';

// Its own types know only its configuration.
const { create, ts } = /** @type {any} */ (analyzer);

/** Modules that are the element's face, below `www/`. */
const faces = ['widget/pincite-widget.js', 'widget/events.js'];

/** @param {string} www @returns {Promise<any>} a manifest of schema 1 */
export async function elementManifest(www) {
  const modules = await Promise.all(
    faces.map(async (name) =>
      ts.createSourceFile(name, await readFile(path.join(www, name), 'utf8'), ts.ScriptTarget.ES2022, true),
    ),
  );
  return create({ modules, plugins: [publicOnly], dev: false });
}

/** Leaves out what is no one's to call, and what the analyzer guesses from calls inside the class: neither is described. */
const publicOnly = {
  name: 'public-only',
  packageLinkPhase(/** @type {{ customElementsManifest: any }} */ { customElementsManifest }) {
    const isPublic = (/** @type {{ name?: string, description?: string }} */ { name, description }) =>
      description && name && !name.startsWith('#');
    for (const { declarations } of customElementsManifest.modules)
      for (const declaration of declarations) {
        declaration.members = declaration.members?.filter(isPublic);
        declaration.events = declaration.events?.filter(isPublic);
      }
  },
};

/**
 * Pictures of every state of the page, light and dark, wide and narrow, on one page: `gallery.html` beside the built
 * site. The states are those of `scenes.mjs`, played by the harness of the browser tests: a console that is not empty, or a
 * state that does not come, fails here too.
 *
 *   node tests/browser/pictures/gallery.mjs --site dist/site --samples target/samples --out dist [--only WORD]
 */

import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    site: { type: 'string', default: 'dist/site' },
    samples: { type: 'string', default: 'target/samples' },
    out: { type: 'string', default: 'dist' },
    only: { type: 'string', default: '' },
  },
});
process.env['PINCITE_SITE'] = path.resolve(values.site);
process.env['PINCITE_SAMPLES'] = path.resolve(values.samples);
const { start, stop, withPage } = await import('../harness.mjs');
const { startServer } = await import('../../llm/server.mjs');
const { scenes } = await import('./scenes.mjs');

const wide = { width: 1280, height: 760 };
const narrow = { width: 390, height: 760 };
/** @type {readonly { name: string, colorScheme: 'light' | 'dark', viewport: { width: number, height: number } }[]} */
const looks = [
  { name: 'wide-light', colorScheme: 'light', viewport: wide },
  { name: 'wide-dark', colorScheme: 'dark', viewport: wide },
  { name: 'narrow-light', colorScheme: 'light', viewport: narrow },
  { name: 'narrow-dark', colorScheme: 'dark', viewport: narrow },
];

const folder = path.join(values.out, 'gallery');
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await start();
const server = await startServer();
/** Captions of each scene, in the order in which its pictures are taken. @type {Map<string, string[]>} */
const captions = new Map();
try {
  for (const [sceneIdx, scene] of scenes.entries()) {
    if (!scene.title.includes(values.only)) continue;
    if (scene.font && !hasFont(scene.font)) {
      console.log(`${scene.title}: left out, since no font of this machine has the language ${scene.font}`);
      continue;
    }
    for (const { name, ...look } of looks) {
      /** @type {string[]} */
      const taken = [];
      await withPage(
        (page, context) =>
          scene.play(
            page,
            async (caption, shown = page) => {
              taken.push(caption);
              await shown.mouse.move(0, 0);
              await shown.evaluate(settled);
              const file = path.join(folder, `${sceneIdx + 1}-${taken.length}-${name}.jpg`);
              await shown.screenshot({ path: file, type: 'jpeg', quality: 80 });
            },
            { context, server },
          ),
        { ...look, ...scene.options },
      );
      captions.set(scene.title, taken);
    }
    console.log(`${scene.title}: ${captions.get(scene.title)?.length} states`);
  }
} finally {
  await stop();
  await server.close();
}
await writeFile(path.join(values.out, 'gallery.html'), await page());
console.log(
  `${path.join(values.out, 'gallery.html')}: ${[...captions.values()].flat().length} states, ${looks.length} pictures each`,
);

/** @param {string} language */
function hasFont(language) {
  return execFileSync('fc-list', [`:lang=${language}`, 'family']).length > 0;
}

/** Two frames: what was changed last has been laid out and painted. */
async function settled() {
  await document.fonts.ready;
  for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** The gallery: the frame in `www/gallery.html` with the pictures in it. */
async function page() {
  const frame = await readFile(new URL('../../../www/gallery.html', import.meta.url), 'utf8');
  const place = '<!-- pictures -->';
  if (!frame.includes(place)) throw new Error(`www/gallery.html has no ${place}`);
  const sections = scenes.flatMap(({ title }, sceneIdx) => {
    const states = captions.get(title) ?? [];
    return states.length === 0 ? [] : [section(title, sceneIdx + 1, states)];
  });
  return frame.replace(place, () => sections.join('\n'));
}

/** @param {string} title @param {number} scene 1-based @param {readonly string[]} states captions */
function section(title, scene, states) {
  const figures = states.map((caption, at) => {
    const pictures = looks.map(({ name, viewport: { width, height } }) => {
      const file = `gallery/${scene}-${at + 1}-${name}.jpg`;
      return `<a href="${file}"><img src="${file}" alt="${name.replace('-', ', ')}" width="${width}" height="${height}" loading="lazy"></a>`;
    });
    return `<figure>\n<figcaption>${caption}</figcaption>\n<div>${pictures.join('')}</div>\n</figure>`;
  });
  return `<section>\n<h2>${title}</h2>\n${figures.join('\n')}\n</section>`;
}

/**
 * Pictures of every state of the page, light and dark, wide and narrow, on one page: `gallery.html` beside the built
 * site. The states are those of the scenes, played by the harness of the browser tests: a console that is not empty, or a
 * state that does not come, fails here too. A scene is played once in each window, and seen in each scheme of colours.
 *
 *   node tests/browser/pictures/gallery.mjs --site dist/site --samples target/samples --npm dist/npm --out dist [--only WORD]
 */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    site: { type: 'string', default: 'dist/site' },
    samples: { type: 'string', default: 'target/samples' },
    npm: { type: 'string', default: 'dist/npm' },
    out: { type: 'string', default: 'dist' },
    only: { type: 'string', default: '' },
  },
});
process.env['PINCITE_SITE'] = path.resolve(values.site);
process.env['PINCITE_SAMPLES'] = path.resolve(values.samples);
const npm = path.resolve(values.npm);
const { start, stop, withPage } = await import('../harness.mjs');
const { startServer } = await import('../../llm/server.mjs');
const { scenes } = await import('./scenes.mjs');

/** @typedef {import('./gestures.mjs').Scene} Scene */

const windows = {
  wide: { width: 1280, height: 760 },
  narrow: { width: 390, height: 760 },
};
/** Of WebP. The pictures of a state in both windows and schemes have some 110 kB. */
const quality = 75;

/** @param {Scene} scene */
const windowsOf = (scene) =>
  /** @type {(keyof typeof windows)[]} */ (Object.keys(windows)).filter(
    (name) => scene.windows?.includes(name) ?? true,
  );
/** @param {Scene} scene */
const schemesOf = (scene) => scene.schemes ?? /** @type {const} */ (['light', 'dark']);

const folder = path.join(values.out, 'gallery');
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await start();
const server = await startServer();
/** Captions of each scene, in the order in which its pictures are taken. @type {Map<string, string[]>} */
const captions = new Map();
let nPictures = 0;
let nBytes = 0;
try {
  for (const [sceneIdx, scene] of scenes.entries()) {
    if (!scene.title.includes(values.only)) continue;
    const missing = missingFor(scene);
    if (missing !== '') {
      console.log(`${scene.title}: left out, since ${missing}`);
      continue;
    }
    for (const name of windowsOf(scene)) {
      /** @type {string[]} */
      const taken = [];
      await withPage(
        (page, context) =>
          scene.play(
            page,
            async (caption, shown = page) => {
              taken.push(caption);
              await shown.mouse.move(0, 0);
              const session = await context.newCDPSession(shown);
              for (const colorScheme of schemesOf(scene)) {
                await shown.emulateMedia({ colorScheme });
                await shown.evaluate(settled);
                const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
                const bytes = Buffer.from(data, 'base64');
                await writeFile(fileOf(sceneIdx, taken.length, name, colorScheme, values.out), bytes);
                nPictures += 1;
                nBytes += bytes.length;
              }
              await shown.emulateMedia({ colorScheme: schemesOf(scene)[0] ?? null });
              await session.detach();
            },
            { context, server, npm },
          ),
        { colorScheme: schemesOf(scene)[0] ?? null, viewport: windows[name], ...scene.options },
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
const nStates = [...captions.values()].flat().length;
console.log(
  `${path.join(values.out, 'gallery.html')}: ${nStates} states, ${nPictures} pictures, ${(nBytes / 1e6).toFixed(1)} MB`,
);

/** Why a scene cannot be played here; empty where it can. @param {Scene} scene */
function missingFor({ font, needsPackage }) {
  if (font && execFileSync('fc-list', [`:lang=${font}`, 'family']).length === 0)
    return `no font of this machine has the language ${font}`;
  if (needsPackage && !existsSync(npm)) return `there is no npm package in ${values.npm}`;
  return '';
}

/** Two frames: what was changed last has been laid out and painted. */
async function settled() {
  await document.fonts.ready;
  for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** @param {number} sceneIdx @param {number} state from 1 on @param {string} window @param {string} scheme @param {string} [root] */
function fileOf(sceneIdx, state, window, scheme, root = '') {
  return path.join(root, `gallery/${sceneIdx + 1}-${state}-${window}-${scheme}.webp`);
}

/** The gallery: the frame in `www/gallery.html` with the pictures in it. */
async function page() {
  const frame = await readFile(new URL('../../../www/gallery.html', import.meta.url), 'utf8');
  const place = '<!-- pictures -->';
  if (!frame.includes(place)) throw new Error(`www/gallery.html has no ${place}`);
  const sections = scenes.flatMap((scene, sceneIdx) => {
    const states = captions.get(scene.title) ?? [];
    return states.length === 0 ? [] : [section(scene, sceneIdx, states)];
  });
  return frame.replace(place, () => sections.join('\n'));
}

/** @param {Scene} scene @param {number} sceneIdx @param {readonly string[]} states captions */
function section(scene, sceneIdx, states) {
  const figures = states.map((caption, at) => {
    const pictures = windowsOf(scene).flatMap((window) =>
      schemesOf(scene).map((scheme) => {
        const { width, height } = scene.options?.viewport ?? windows[window];
        const file = fileOf(sceneIdx, at + 1, window, scheme);
        return `<a href="${file}"><img src="${file}" alt="${window}, ${scheme}" width="${width}" height="${height}" loading="lazy"></a>`;
      }),
    );
    return `<figure>\n<figcaption>${caption}</figcaption>\n<div>${pictures.join('')}</div>\n</figure>`;
  });
  return `<section>\n<h2>${scene.title}</h2>\n${figures.join('\n')}\n</section>`;
}

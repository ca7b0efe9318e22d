/**
 * Builds the site: bundles page, widget, viewer and worker with esbuild, and lays engine, model, samples and
 * the data of pdf.js beside them. Names are plain, so that a portal can embed `pincite-widget.js` by name; the
 * build's id (`build-id.mjs`) is put into page and worker, which refuse each other when they differ. Beside them lie
 * what the site is made of (`sbom.cdx.json`), under which licences (`licences.txt`), and its files by hash (`SHA256SUMS`).
 *
 *   node www/build.mjs --pkg target/wasm-pkg --model models/build --samples target/samples --out dist/site
 *
 * Same sources, engine, model and samples: same bytes. `--pkg` is the output of `wasm-bindgen --target web`. A missing model or samples folder is an error unless
 * `--allow-missing` is given: the page works without them (words only, no samples on offer).
 */

import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { billOfMaterials } from './bill/cyclonedx.mjs';
import { licences } from './bill/licences.mjs';
import { compiledLibraries, crates, model, npmPackages, standardLibrary } from './bill/packages.mjs';
import { hashesOf, sums, sumsName } from './bill/sums.mjs';
import {
  buildId,
  engineFiles,
  filesBelow,
  labFiles,
  modelFiles,
  sampleFiles,
  thesaurusFile,
} from './build-id.mjs';
import { buildStamp, fileList } from './build-stamp.mjs';
import { checklist, policyOf } from './hosting.mjs';
import { iconPng, iconSvg } from './icons/draw.mjs';
import { oneChunk } from './one-chunk.mjs';
import { runtimeFile, wllama } from './wllama.mjs';

const www = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(www);
const { values: args } = parseArgs({
  options: {
    pkg: { type: 'string', default: path.join(root, 'target/wasm-pkg') },
    model: { type: 'string', default: path.join(root, 'models/build') },
    samples: { type: 'string', default: path.join(root, 'target/samples') },
    out: { type: 'string', default: path.join(root, 'dist/site') },
    'allow-missing': { type: 'boolean', default: false },
  },
});
const out = path.resolve(args.out);
const pdfjs = path.join(www, 'node_modules/pdfjs-dist');
const { version: pdfjsVersion } = JSON.parse(await readFile(path.join(pdfjs, 'package.json'), 'utf8'));

/** @param {string} from @param {string} to */
async function copy(from, to) {
  try {
    await stat(from);
  } catch {
    if (args['allow-missing']) return console.warn(`left out: ${from} is not there`);
    throw new Error(`${from} is not there; build it first, or pass --allow-missing`);
  }
  await cp(from, path.join(out, to), { recursive: true, dereference: true });
}

/** A module, or its glue, without the comments of wasm-bindgen, which are a third of it. @param {string} file @param {string} folder */
async function copyBound(file, folder) {
  const from = path.join(path.resolve(args.pkg), file);
  if (!file.endsWith('.js')) return copy(from, `${folder}/${file}`);
  const { code } = await esbuild.transform(await readFile(from, 'utf8'), {
    minifyWhitespace: true,
    minifySyntax: true,
    charset: 'utf8',
  });
  await mkdir(path.join(out, folder), { recursive: true });
  await writeFile(path.join(out, folder, file), code);
}

/** js-sys may bring code that the policy forbids; it would fail only when it is reached. @param {string} file */
async function refuseEval(file) {
  const source = await readFile(file, 'utf8');
  if (/new Function\(|\beval\(/.test(source)) {
    throw new Error(
      `${file} builds code from text, which the policy forbids; js-sys must be built without unsafe-eval`,
    );
  }
}

const id = await buildId({
  www,
  pkg: path.resolve(args.pkg),
  model: path.resolve(args.model),
  pdfjs,
  samples: path.resolve(args.samples),
});
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });

/** @type {esbuild.BuildOptions} */
const common = {
  bundle: true,
  format: 'esm',
  target: ['es2022'],
  minify: true,
  // Modules are UTF-8 whatever a host says. Han characters as escapes would be twice as long.
  charset: 'utf8',
  legalComments: 'external',
  outdir: out,
  plugins: [buildStamp(id), wllama],
  logLevel: 'warning',
};
const widget = path.join(www, 'widget/pincite-widget.js');
/** @type {esbuild.BuildOptions} */
const page = {
  ...common,
  entryPoints: {
    page: path.join(www, 'page.js'),
    'pincite-widget': widget,
    // Loaded by those alone who open a model file or the lab, or offer tools to agents, so each has a name of its own and is weighed apart.
    'device/index': path.join(www, 'device/index.js'),
    'lab/index': path.join(www, 'lab/index.js'),
    'agents/tools': path.join(www, 'agents/tools.js'),
  },
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
};
const bundled = await esbuild.build({
  ...page,
  plugins: [...(page.plugins ?? []), await oneChunk(page, widget)],
  metafile: true,
});
const worker = await esbuild.build({
  ...common,
  entryPoints: {
    'engine/worker': path.join(www, 'engine/worker.js'),
    'device/worker': path.join(www, 'device/worker.js'),
    'lab/worker': path.join(www, 'lab/worker.js'),
  },
  metafile: true,
});

await Promise.all([
  writeIndex(),
  copy(path.join(www, 'page.css'), 'page.css'),
  copy(path.join(www, 'manifest.webmanifest'), 'manifest.webmanifest'),
  writeIcons(),
  ...engineFiles.map((file) => copyBound(file, 'engine')),
  ...labFiles.map((file) => copyBound(file, 'lab')),
  ...modelFiles.map((file) => copy(path.join(path.resolve(args.model), file), `model/${file}`)),
  copy(thesaurusFile, 'model/thesaurus.txt'),
  copy(runtimeFile, 'device/llama.wasm'),
  copy(path.join(pdfjs, 'legacy/build/pdf.worker.min.mjs'), 'viewer/pdf.worker.min.mjs'),
  ...['cmaps', 'standard_fonts', 'iccs', 'wasm'].map((folder) =>
    copy(path.join(pdfjs, folder), `viewer/${pdfjsVersion}/${folder}`),
  ),
  copySamples(),
]);
for (const glue of engineFiles.filter((file) => file.endsWith('.js')))
  await refuseEval(path.join(out, 'engine', glue));
await refuseEval(path.join(out, 'lab/pincite_lab.js'));
await writeBill([...Object.keys(bundled.metafile.inputs), ...Object.keys(worker.metafile.inputs)]);

/**
 * The page, with what it will ask for named in its head: the browser loads the engine beside the scripts that start it, and
 * not after them.
 */
async function writeIndex() {
  const outputs = Object.entries(bundled.metafile.outputs);
  const page = outputs.find(([, { entryPoint }]) => entryPoint?.endsWith('/page.js'))?.[0] ?? '';
  /** @type {string[]} */
  const scripts = [];
  const follow = (/** @type {string} */ output) => {
    for (const { path: name, kind } of bundled.metafile.outputs[output]?.imports ?? [])
      if (kind === 'import-statement' && !scripts.includes(name)) {
        scripts.push(name);
        follow(name);
      }
  };
  follow(page);
  const below = (/** @type {string} */ name) =>
    path.relative(path.dirname(page), name).split(path.sep).join('/');
  const engine = `engine/pincite_wasm_bg.wasm?v=${id}`;
  const hints = [
    ...scripts.map((name) => `<link rel="modulepreload" href="${below(name)}">\n`),
    `<link rel="preload" as="fetch" crossorigin type="application/wasm" href="${engine}">\n`,
  ];
  const html = await readFile(path.join(www, 'index.html'), 'utf8');
  const script = '<script type="module" src="page.js"></script>';
  const style = '<link rel="stylesheet" href="page.css">';
  for (const part of [script, style])
    if (!html.includes(part)) throw new Error(`index.html has changed: ${part} is not in it`);
  const built = html
    .replace(style, style.replace('page.css', `page.css?v=${id}`))
    .replace(script, `${hints.join('')}${script.replace('page.js', `page.js?v=${id}`)}`);
  await writeFile(path.join(out, 'index.html'), built);
  await writeFile(path.join(out, 'HOSTING.txt'), checklist(policyOf(html) ?? '', id));
}

/** Icons that the manifest names. */
async function writeIcons() {
  await mkdir(path.join(out, 'icons'), { recursive: true });
  /** @type {Record<string, string | Buffer>} */
  const icons = {
    'icon.svg': iconSvg(),
    'icon-192.png': iconPng(192),
    'icon-512.png': iconPng(512),
    'maskable-512.png': iconPng(512, { isMaskable: true }),
  };
  await Promise.all(
    Object.entries(icons).map(([name, bytes]) => writeFile(path.join(out, 'icons', name), bytes)),
  );
}

/** The sample PDFs and their list; what else lies in that folder is for tests. */
async function copySamples() {
  const folder = path.resolve(args.samples);
  const files = await sampleFiles(folder);
  if (files.length === 0) await copy(path.join(folder, 'samples.json'), 'samples/samples.json');
  for (const file of files) await copy(file, `samples/${path.relative(folder, file)}`);
}

/** The service worker with the list of all that it keeps, made when everything else is there. */
async function writeServiceWorker() {
  // The page never asks for the widget of portals, nor for what is about the build. The program that runs models is kept
  // with a model, for those who open one.
  const isKept = (/** @type {string} */ name) =>
    !/^pincite-widget\.js$|^device\/llama\.wasm$|^sbom\.cdx\.json$|^HOSTING\.txt$|\.LEGAL\.txt$/.test(name);
  const kept = Object.entries(await hashesOf(out)).filter(([name]) => isKept(name));
  await esbuild.build({
    ...common,
    format: 'iife',
    entryPoints: { 'service-worker': path.join(www, 'offline/service-worker.js') },
    plugins: [buildStamp(id), fileList(Object.fromEntries(kept))],
  });
}

/** @param {string[]} inputs of the bundles */
async function writeBill(inputs) {
  const read = (/** @type {string} */ name) => readFile(path.join(root, name), 'utf8');
  const packages = [
    ...(await crates(root)),
    await standardLibrary(root),
    ...(await npmPackages(www, [...inputs, path.join(pdfjs, 'package.json')])),
    ...(await compiledLibraries(www)),
    await model(root),
  ];
  const bill = billOfMaterials(packages, { version: packages[0]?.version ?? '', build: id });
  const standard = { apache: await read('LICENSE-APACHE'), mit: await read('LICENSE-MIT') };
  await writeFile(path.join(out, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
  await writeFile(path.join(out, 'licences.txt'), await licences(packages, standard));
  await writeServiceWorker();
  await writeFile(path.join(out, sumsName), await sums(out));
}

/** @param {string} label @param {string[]} files */
async function sizes(label, files) {
  let raw = 0;
  let packed = 0;
  for (const file of files) {
    const bytes = await readFile(file);
    raw += bytes.length;
    packed += gzipSync(bytes, { level: 9 }).length;
  }
  console.log(`${label.padEnd(34)}${kb(raw).padStart(10)}${kb(packed).padStart(10)} gz`);
  return { raw, packed };
}

/** @param {number} bytes */
const kb = (bytes) => `${Math.round(bytes / 1024)} kB`;

const all = (await filesBelow(out)).filter((file) => !file.endsWith('.LEGAL.txt'));
/** @param {(name: string) => boolean} test */
const named = (test) => all.filter((file) => test(path.relative(out, file)));
console.log(`site ${id} in ${path.relative(process.cwd(), out) || '.'}`);
await sizes(
  'page and widget',
  named((name) => /^(index\.html|page\.(js|css)|pincite-widget\.js)$/.test(name)),
);
await sizes(
  'service worker',
  named((name) => name === 'service-worker.js'),
);
await sizes(
  'shared chunks, viewer with pdf.js',
  named((name) => name.startsWith('chunks/')),
);
await sizes(
  'worker and engine glue',
  named((name) => /^engine\/.*\.js$/.test(name)),
);
await sizes(
  'engine (wasm)',
  named((name) => name.endsWith('pincite_wasm_bg.wasm')),
);
await sizes(
  'ingest (wasm), loaded for files',
  named((name) => name.endsWith('pincite_ingest_bg.wasm')),
);
await sizes(
  'encoder (wasm), loaded after it',
  named((name) => /pincite_(encoder_bg|relaxed)\.wasm$/.test(name)),
);
await sizes(
  'model',
  named((name) => name.startsWith('model/')),
);
await sizes(
  'model files: settings and worker',
  named((name) => /^device\/.*\.js$/.test(name)),
);
await sizes(
  'lab, trainer and measures',
  named((name) => name.startsWith('lab/')),
);
await sizes(
  'llama.cpp (wasm), for model files',
  named((name) => name === 'device/llama.wasm'),
);
await sizes(
  'pdf.js worker',
  named((name) => name === 'viewer/pdf.worker.min.mjs'),
);
await sizes(
  'pdf.js data, loaded when needed',
  named((name) => /^viewer\/.+\//.test(name)),
);
await sizes(
  'samples',
  named((name) => name.startsWith('samples/')),
);

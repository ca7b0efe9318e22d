/**
 * Builds the npm package: the element, the engine and the bound modules as ES modules, the element as a classic script
 * too, and below `assets/` the files that they load. Every such file has an address of its own (`npm/locate.js`), and the
 * worker has the bindings inside, so that a bundler finds all there is by reading literals. The types of what crosses from Rust are
 * those that wasm-bindgen wrote, the others come from JSDoc. It is packed and never published.
 *
 *   node www/build-npm.mjs --site dist/site --pkg target/wasm-pkg --model models/build --out dist/npm
 *
 * Same site and sources: same bytes. The archive lies beside the folder: `dist/pincite-VERSION.tgz`.
 */

import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import * as esbuild from 'esbuild';
import { buildId, filesBelow, modelFiles, thesaurusFile } from './build-id.mjs';
import { buildStamp } from './build-stamp.mjs';
import { elementManifest } from './element-manifest.mjs';
import { writeArchive } from './npm/archive.js';
import { runtimeFile, wllama } from './wllama.mjs';

const run = promisify(execFile);
const www = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(www);
const { values: args } = parseArgs({
  options: {
    site: { type: 'string', default: path.join(root, 'dist/site') },
    pkg: { type: 'string', default: path.join(root, 'target/wasm-pkg') },
    model: { type: 'string', default: path.join(root, 'models/build') },
    out: { type: 'string', default: path.join(root, 'dist/npm') },
  },
});
const site = path.resolve(args.site);
const pkg = path.resolve(args.pkg);
const model = path.resolve(args.model);
const out = path.resolve(args.out);
const pdfjs = path.join(www, 'node_modules/pdfjs-dist');
const bindings = ['pincite_wasm', 'pincite_ingest', 'pincite_encoder', 'pincite_lab'];

/** Modules of the site that the package has others for. @type {esbuild.Plugin} */
const packaged = {
  name: 'packaged',
  setup(build) {
    build.onResolve({ filter: /\/locate\.js$/ }, () => ({ path: path.join(www, 'npm/locate.js') }));
    for (const glue of ['glue', 'lab-glue'])
      build.onResolve({ filter: new RegExp(`/${glue}\\.js$`) }, () => ({
        path: path.join(www, `single/${glue}.js`),
      }));
    for (const name of bindings)
      build.onResolve({ filter: new RegExp(`^${name.replace('_', '-')}$`) }, () => ({
        path: path.join(pkg, `${name}.js`),
      }));
  },
};

const id = await buildId({ www, pkg, model, pdfjs, more: ['npm'] });
await rm(out, { recursive: true, force: true });
await mkdir(path.join(out, 'assets'), { recursive: true });
await scripts();
await assets();
await types();
await documents();
const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', path.dirname(out)], {
  cwd: out,
});
console.log(`package ${id} in ${path.relative(process.cwd(), out)}, packed as ${stdout.trim()}`);

async function scripts() {
  /** @type {esbuild.BuildOptions} */
  const common = {
    bundle: true,
    format: 'esm',
    target: ['es2022'],
    plugins: [buildStamp(id), wllama, packaged],
    logLevel: 'warning',
    outdir: out,
  };
  const npm = (/** @type {string} */ name) => path.join(www, 'npm', name);
  await Promise.all([
    // Not minified: the portal's own build does that, and whoever reviews it can read it.
    esbuild.build({
      ...common,
      entryPoints: [npm('index.js'), npm('engine.js'), npm('wasm.js')],
      splitting: true,
      // Beside the entries: an asset's address is relative to the file that names it.
      chunkNames: '[name]-[hash]',
    }),
    esbuild.build({
      ...common,
      entryPoints: {
        'assets/engine/worker': path.join(www, 'engine/worker.js'),
        'assets/lab/worker': path.join(www, 'lab/worker.js'),
        'assets/device/worker': path.join(www, 'device/worker.js'),
      },
      minify: true,
    }),
    esbuild.build({
      ...common,
      entryPoints: { script: npm('index.js') },
      format: 'iife',
      minify: true,
      define: { 'import.meta.url': 'scriptAddress' },
      inject: [npm('script-address.js')],
    }),
  ]);
}

async function assets() {
  const copy = (/** @type {string} */ from, /** @type {string} */ to) =>
    cp(from, path.join(out, 'assets', to));
  await mkdir(path.join(out, 'assets/viewer'), { recursive: true });
  await Promise.all([
    ...['pincite_wasm_bg', 'pincite_ingest_bg', 'pincite_encoder_bg', 'pincite_relaxed'].map((name) =>
      copy(path.join(pkg, `${name}.wasm`), `engine/${name}.wasm`),
    ),
    copy(path.join(pkg, 'pincite_lab_bg.wasm'), 'lab/pincite_lab_bg.wasm'),
    ...modelFiles.map((name) => copy(path.join(model, name), `model/${name}`)),
    copy(thesaurusFile, 'model/thesaurus.txt'),
    copy(runtimeFile, 'device/llama.wasm'),
    copy(path.join(site, 'evidence.bin'), 'evidence.bin'),
    copy(path.join(pdfjs, 'legacy/build/pdf.worker.min.mjs'), 'viewer/pdf.worker.min.mjs'),
    ...['cmaps', 'standard_fonts', 'wasm'].map(pdfData),
  ]);
}

/** Data of pdf.js of one kind, as an archive. @param {string} kind */
async function pdfData(kind) {
  const folder = path.join(pdfjs, kind);
  const names = (await readdir(folder)).filter((name) => /\.(bcmap|pfb|ttf|wasm)$/.test(name)).sort();
  const files = await Promise.all(
    names.map(async (name) => /** @type {const} */ ([name, await readFile(path.join(folder, name))])),
  );
  await writeFile(path.join(out, `assets/viewer/${kind}.bin`), writeArchive(new Map(files)));
}

/** Declarations of the entries and of what they reach, with those from Rust beside them. */
async function types() {
  const folder = path.join(out, 'types');
  const tsc = path.join(www, 'node_modules/.bin/tsc');
  await run(tsc, ['-p', path.join(www, 'tsconfig.npm.json'), '--outDir', folder]);
  // wasm-bindgen's classes are disposable, which TypeScript does not know of by itself.
  const disposable = '/// <reference lib="esnext.disposable" />\n';
  for (const name of bindings) {
    const made = await readFile(path.join(pkg, `${name}.d.ts`), 'utf8');
    await writeFile(path.join(folder, `${name}.d.ts`), disposable + made);
  }
  for (const file of await filesBelow(folder)) {
    const up = path.relative(path.dirname(file), folder).split(path.sep).join('/') || '.';
    const text = await readFile(file, 'utf8');
    await writeFile(
      file,
      text.replace(
        /(['"])pincite-(wasm|ingest|encoder|lab)\1/g,
        (_, quote, name) => `${quote}${up}/pincite_${name}.js${quote}`,
      ),
    );
  }
  const index = path.join(folder, 'npm/index.d.ts');
  await writeFile(
    index,
    (await readFile(index, 'utf8')) + (await readFile(path.join(www, 'npm/globals.d.ts'), 'utf8')),
  );
  const reached = new Set();
  for (const entry of ['index', 'engine', 'wasm'])
    await reach(path.join(folder, `npm/${entry}.d.ts`), reached);
  for (const file of await filesBelow(folder)) if (!reached.has(file)) await rm(file);
}

/** Adds a declaration file and those that it names. @param {string} file @param {Set<string>} reached */
async function reach(file, reached) {
  if (reached.has(file)) return;
  reached.add(file);
  const text = await readFile(file, 'utf8');
  for (const [, name = ''] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)\.js['"]/g))
    await reach(path.resolve(path.dirname(file), `${name}.d.ts`), reached);
}

/** What goes with every copy: description, contract, licences, the list of what it is made of. */
async function documents() {
  const { version } = JSON.parse(await readFile(path.join(www, 'package.json'), 'utf8'));
  await writeFile(path.join(out, 'package.json'), `${JSON.stringify(manifest(version), null, 2)}\n`);
  const contract = await elementManifest(www);
  await writeFile(path.join(out, 'custom-elements.json'), `${JSON.stringify(contract, null, 2)}\n`);
  await cp(path.join(www, 'npm/README.md'), path.join(out, 'README.md'));
  for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) await cp(path.join(root, name), path.join(out, name));
  for (const name of ['licences.txt', 'sbom.cdx.json']) await cp(path.join(site, name), path.join(out, name));
}

/** @param {string} version */
function manifest(version) {
  const entry = (/** @type {string} */ name) => ({
    types: `./types/npm/${name}.d.ts`,
    default: `./${name}.js`,
  });
  return {
    name: 'pincite',
    version,
    description:
      'Answers questions over legal documents in the browser, each statement pinned to the words on the page',
    keywords: ['web-component', 'custom-element', 'pdf', 'legal', 'compliance', 'question-answering', 'wasm'],
    license: 'MIT OR Apache-2.0',
    type: 'module',
    exports: {
      '.': entry('index'),
      './engine': entry('engine'),
      './wasm': entry('wasm'),
      './script': './script.js',
      './worker': './assets/engine/worker.js',
      './custom-elements.json': './custom-elements.json',
      './package.json': './package.json',
    },
    customElements: 'custom-elements.json',
    files: ['custom-elements.json', '*.js', 'assets', 'types', 'licences.txt', 'sbom.cdx.json', 'LICENSE-*'],
  };
}

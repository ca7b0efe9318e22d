/**
 * Builds the page in one file, which opens by double click and loads nothing from beside it: the page's script and
 * style, and below them, compressed and in base 85, every file of the site that the page may need. Scripts are classic and
 * workers start from the file's own text, since `file://` lets neither modules nor addresses be loaded; the policy names
 * script and style by hash.
 *
 * Beside the site's page it puts `evidence.bin`, the same page without model and samples: what the site saves answers with
 * their documents in.
 *
 *   node www/build-single.mjs --site dist/site --pkg target/wasm-pkg --out dist/pincite.html
 *
 * Same site: same bytes.
 */

import { createHash } from 'node:crypto';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { constants, gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { buildId, engineFiles, filesBelow } from './build-id.mjs';
import { buildStamp } from './build-stamp.mjs';
import { sums, sumsName } from './bill/sums.mjs';
import { iconAddress } from './icons/draw.mjs';
import { runtimeFile, wllama } from './wllama.mjs';
import { blocksOf, ending, frameName, headOf, isForEvidence } from './single/template.js';

const www = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(www);
const { values: args } = parseArgs({
  options: {
    site: { type: 'string', default: path.join(root, 'dist/site') },
    pkg: { type: 'string', default: path.join(root, 'target/wasm-pkg') },
    model: { type: 'string', default: path.join(root, 'models/build') },
    out: { type: 'string', default: path.join(root, 'dist/pincite.html') },
  },
});
const site = path.resolve(args.site);
const pkg = path.resolve(args.pkg);
const pdfjs = path.join(www, 'node_modules/pdfjs-dist');

/** Most bytes of the page. */
const MOST = 33_000_000;
/** Modules of the site that the page in one file has others for. */
const replaced = {
  './files.js': 'files.js',
  '../engine/files.js': 'files.js',
  './glue.js': 'glue.js',
  './lab-glue.js': 'lab-glue.js',
  './offline/site.js': 'site.js',
};

/** @type {esbuild.Plugin} */
const singleFile = {
  name: 'single-file',
  setup(build) {
    build.onResolve({ filter: /\/(files|glue|lab-glue|site)\.js$/ }, ({ path: name, importer }) => {
      const inside = /** @type {Record<string, string>} */ (replaced)[name];
      const fromSingle = path.dirname(importer) === path.join(www, 'single');
      return inside && !fromSingle ? { path: path.join(www, 'single', inside) } : null;
    });
    build.onResolve({ filter: /^pincite-(wasm|ingest|encoder|lab)$/ }, ({ path: name }) => ({
      path: path.join(pkg, `${name.replace('-', '_')}.js`),
    }));
  },
};

const samples = path.join(site, 'samples');
const id = await buildId({ www, pkg, model: path.resolve(args.model), pdfjs, samples });

/** A classic script of one file. @param {string} entry */
async function classic(entry) {
  const { outputFiles } = await esbuild.build({
    bundle: true,
    format: 'iife',
    target: ['es2022'],
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    entryPoints: [entry],
    // Addresses beside a module, which nothing asks for where all is inside.
    define: { 'import.meta.url': '""' },
    plugins: [buildStamp(id), wllama, singleFile],
    logLevel: 'error',
    write: false,
  });
  return Buffer.from(/** @type {esbuild.OutputFile} */ (outputFiles[0]).contents);
}

/** Name in the page → bytes. @type {[string, Buffer][]} */
const files = [
  ...(await compiledFiles()),
  ['engine/worker.js', await classic(path.join(www, 'engine/worker.js'))],
  ['device/worker.js', await classic(path.join(www, 'device/worker.js'))],
  ['lab/worker.js', await classic(path.join(www, 'lab/worker.js'))],
  ['lab/pincite_lab_bg.wasm', await readFile(path.join(site, 'lab/pincite_lab_bg.wasm'))],
  ['viewer/pdf.worker.min.mjs', await classic(path.join(pdfjs, 'legacy/build/pdf.worker.min.mjs'))],
  ...(await below('samples', 'samples')),
  ...(await below('model', 'model')),
  ...(await pdfjsData()),
  ['licences.txt', await readFile(path.join(site, 'licences.txt'))],
];

/** @returns {Promise<[string, Buffer][]>} */
async function compiledFiles() {
  const names = engineFiles.filter((file) => file.endsWith('.wasm')).map((file) => `engine/${file}`);
  return Promise.all(names.map(async (name) => [name, await readFile(path.join(site, name))]));
}

/** @param {string} folder of the site @param {string} name @returns {Promise<[string, Buffer][]>} */
async function below(folder, name) {
  const from = path.join(site, folder);
  const found = await filesBelow(from);
  return Promise.all(
    found.map(async (file) => [
      `${name}/${path.relative(from, file).split(path.sep).join('/')}`,
      await readFile(file),
    ]),
  );
}

/** Data files that pdf.js asks `BinaryDataFactory` for. */
async function pdfjsData() {
  const { version } = JSON.parse(await readFile(path.join(pdfjs, 'package.json'), 'utf8'));
  const folders = ['cmaps', 'standard_fonts', 'wasm'];
  const all = await Promise.all(
    folders.map((folder) => below(`viewer/${version}/${folder}`, `viewer/${folder}`)),
  );
  return all.flat().filter(([name]) => /\.(bcmap|pfb|ttf|wasm)$/.test(name));
}

/** Source of a policy for what stands in the page. @param {string | Buffer} text */
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const script = (await classic(path.join(www, 'single-page.js'))).toString('utf8').trim();
const style = (await readFile(path.join(www, 'page.css'), 'utf8')).trim();
if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style))
  throw new Error('script or style would end too early');
const strict = [
  "default-src 'none'",
  `script-src ${hash(script)} 'wasm-unsafe-eval'`,
  'worker-src blob:',
  `style-src ${hash(style)}`,
  'img-src blob: data:',
  'font-src blob: data:',
  "require-trusted-types-for 'script'",
  'trusted-types pincite',
];
const index = await readFile(path.join(www, 'index.html'), 'utf8');
const page = framed(index, [...strict, 'connect-src https: http://localhost:* http://127.0.0.1:*']);
// An evidence file asks nobody for anything.
const evidence = framed(evidenceIndex(), [...strict, "base-uri 'none'", "form-action 'none'"]);

/** The page without its script and style. @param {string} html @param {string[]} policy */
function framed(html, policy) {
  const frame = html
    .replace(
      /<meta http-equiv="Content-Security-Policy" content="[^"]*">/,
      () => `<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">`,
    )
    .replace('<link rel="license" href="licences.txt">\n', '')
    .replace('<link rel="manifest" href="manifest.webmanifest">\n', '')
    .replace('href="icons/icon.svg"', `href="${iconAddress()}"`)
    .replace('<link rel="stylesheet" href="page.css">', '<style></style>')
    .replace('<script type="module" src="page.js"></script>\n', '')
    .replace(ending, `<script></script>\n${ending}`);
  for (const left of [
    'src="page.js"',
    'href="page.css"',
    'rel="manifest"',
    'href="icons/',
    "script-src 'self'",
  ])
    if (frame.includes(left)) throw new Error(`index.html has changed: ${left} is still in it`);
  return frame;
}

/** The page of an evidence file. Neither its name nor its title tells what is in it. */
function evidenceIndex() {
  const described =
    'content="Questions over legal documents, answered in this browser with the words on the page."';
  const widget = '<pincite-widget src="./" lang="en" tour></pincite-widget>';
  const connecting = /<!-- connect-src:[^>]*-->\n/;
  if (![described, widget].every((part) => index.includes(part)) || !connecting.test(index))
    throw new Error('index.html has changed: the page of an evidence file cannot be made of it');
  return index
    .replace(connecting, '')
    .replace(
      described,
      'content="Answers with the documents that they cite, to be read and checked offline."',
    )
    .replace('<title>Pincite</title>', '<title>Pincite: answers with their documents</title>')
    .replace(widget, '<pincite-evidence lang="en"></pincite-evidence>');
}

/**
 * Bytes compressed in the shorter of two ways: a larger state and no short matches are better for weights, and worse for code.
 * @param {Buffer} bytes
 */
function packed(bytes) {
  const usual = gzipSync(bytes, { level: 9 });
  const filtered = gzipSync(bytes, { level: 9, memLevel: 9, strategy: constants.Z_FILTERED });
  return filtered.length < usual.length ? filtered : usual;
}

/** @param {string} frame @param {[string, Buffer][]} inside */
function whole(frame, inside) {
  const blocks = inside.flatMap(([name, bytes]) => [...blocksOf(name, packed(bytes))]);
  return [headOf(frame, { style, script }), ...blocks, ending].join('');
}

const single = whole(page, [...files, [frameName, Buffer.from(evidence)]]);
await writeFile(args.out, single);
// The program that runs models would take the page over its size. It lies beside it, for those who open a model.
await copyFile(runtimeFile, path.join(path.dirname(args.out), 'llama.wasm'));
if (Buffer.byteLength(single) > MOST)
  throw new Error(`the page has ${Buffer.byteLength(single)} bytes, ${MOST} at most are wanted`);
const template = whole(
  evidence,
  files.filter(([name]) => isForEvidence(name)),
);
await writeFile(path.join(site, 'evidence.bin'), template);
await writeFile(path.join(site, sumsName), await sums(site));
const sha256 = createHash('sha256').update(single).digest('hex');
const megabytes = (/** @type {string} */ text) => `${(Buffer.byteLength(text) / 1e6).toFixed(1)} MB`;
console.log(`${path.relative(process.cwd(), args.out)}: build ${id}, ${megabytes(single)}`);
console.log(`SHA-256 ${sha256}`);
console.log(`evidence.bin of the site: ${megabytes(template)}`);

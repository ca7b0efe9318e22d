/**
 * Builds the page in one file, which opens by double click and loads nothing from beside it: the page's script and
 * style, and below them, compressed and in base 85, every file of the site that the page may need. Scripts are classic and
 * workers start from the file's own text, since `file://` lets neither modules nor addresses be loaded; the policy names
 * script and style by hash.
 *
 *   node www/build-single.mjs --site dist/site --pkg target/wasm-pkg --out dist/pincite.html
 *
 * Same site: same bytes.
 */

import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { buildId, engineFiles, filesBelow } from './build-id.mjs';
import { buildStamp } from './build-stamp.mjs';
import { iconAddress } from './icons/draw.mjs';
import { encode } from './single/base85.js';

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
const MOST = 40_000_000;
/** Most bytes of a block: a block is decoded at a time, and the page answers between two. */
const BLOCK = 1 << 20;
/** Modules of the site that the page in one file has others for. */
const replaced = {
  './files.js': 'files.js',
  '../engine/files.js': 'files.js',
  './glue.js': 'glue.js',
  './offline/site.js': 'site.js',
};

/** @type {esbuild.Plugin} */
const singleFile = {
  name: 'single-file',
  setup(build) {
    build.onResolve({ filter: /\/(files|glue|site)\.js$/ }, ({ path: name, importer }) => {
      const inside = /** @type {Record<string, string>} */ (replaced)[name];
      const fromSingle = path.dirname(importer) === path.join(www, 'single');
      return inside && !fromSingle ? { path: path.join(www, 'single', inside) } : null;
    });
    build.onResolve({ filter: /^pincite-wasm$/ }, () => ({ path: path.join(pkg, 'pincite_wasm.js') }));
    build.onResolve({ filter: /^pincite-encoder$/ }, () => ({ path: path.join(pkg, 'pincite_encoder.js') }));
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
    legalComments: 'none',
    entryPoints: [entry],
    // Addresses beside a module, which nothing asks for where all is inside.
    define: { 'import.meta.url': '""' },
    plugins: [buildStamp(id), singleFile],
    logLevel: 'error',
    write: false,
  });
  return Buffer.from(/** @type {esbuild.OutputFile} */ (outputFiles[0]).contents);
}

/** Name in the page → bytes. @type {[string, Buffer][]} */
const files = [
  ...(await compiledFiles()),
  ['engine/worker.js', await classic(path.join(www, 'engine/worker.js'))],
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

/** Blocks of a file. @param {string} name @param {Buffer} bytes */
function blocks(name, bytes) {
  const packed = gzipSync(bytes, { level: 9 });
  const out = [];
  for (let at = 0; at < packed.length; at += BLOCK) {
    const text = encode(packed.subarray(at, at + BLOCK));
    out.push(`<script type="text/plain" data-file="${name}">${text}</script>\n`);
  }
  return out.join('');
}

/** Source of a policy for what stands in the page. @param {string | Buffer} text */
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const script = (await classic(path.join(www, 'page.js'))).toString('utf8').trim();
const style = (await readFile(path.join(www, 'page.css'), 'utf8')).trim();
if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style))
  throw new Error('script or style would end too early');
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)} 'wasm-unsafe-eval'`,
  'worker-src blob:',
  'connect-src https: http://localhost:* http://127.0.0.1:*',
  `style-src ${hash(style)}`,
  'img-src blob: data:',
  'font-src blob: data:',
  "require-trusted-types-for 'script'",
  'trusted-types pincite',
].join('; ');

const page = (await readFile(path.join(www, 'index.html'), 'utf8'))
  .replace(
    /<meta http-equiv="Content-Security-Policy" content="[^"]*">/,
    () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
  )
  .replace('<link rel="license" href="licences.txt">\n', '')
  .replace('<link rel="manifest" href="manifest.webmanifest">\n', '')
  .replace('href="icons/icon.svg"', `href="${iconAddress()}"`)
  .replace('<link rel="stylesheet" href="page.css">', () => `<style>${style}</style>`)
  .replace('<script type="module" src="page.js"></script>\n', '')
  .replace(
    '</body>',
    () => `<script>${script}</script>\n${files.map(([name, bytes]) => blocks(name, bytes)).join('')}</body>`,
  );
for (const left of [
  'src="page.js"',
  'href="page.css"',
  'rel="manifest"',
  'href="icons/',
  "script-src 'self'",
])
  if (page.includes(left)) throw new Error(`index.html has changed: ${left} is still in it`);
await writeFile(args.out, page);
if (Buffer.byteLength(page) > MOST)
  throw new Error(`the page has ${Buffer.byteLength(page)} bytes, ${MOST} at most are wanted`);
const sha256 = createHash('sha256').update(page).digest('hex');
console.log(
  `${path.relative(process.cwd(), args.out)}: build ${id}, ${(Buffer.byteLength(page) / 1e6).toFixed(1)} MB`,
);
console.log(`SHA-256 ${sha256}`);

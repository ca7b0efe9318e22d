import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv';
import { billOfMaterials } from './cyclonedx.mjs';
import { licences } from './licences.mjs';
import {
  checksums,
  compiledLibraries,
  crates,
  edges,
  key,
  model,
  npmPackages,
  standardLibrary,
} from './packages.mjs';
import { sums, sumsName } from './sums.mjs';

/** @typedef {import('./packages.mjs').Package} Package */

const www = fileURLToPath(new URL('..', import.meta.url));
const root = path.dirname(path.resolve(www));
const read = (/** @type {string} */ name) => readFile(path.join(root, name), 'utf8');
const site = { version: '0.1.0', build: '0123456789abcdef' };
/** Packages of the repository, as the site is built from it. @type {Package[]} */
let packages = [];

before(async () => {
  const pdfjs = path.join(www, 'node_modules/pdfjs-dist/package.json');
  const [ours, std, npm, encoder] = await Promise.all([
    crates(root),
    standardLibrary(root),
    npmPackages(www, [pdfjs]),
    model(root),
  ]);
  packages = [...ours, std, ...npm, ...(await compiledLibraries(www)), encoder];
});

test('the graph of crates is read from a tree in which each is printed whole once', () => {
  const tree = '0|a v1.0.0 (/a)\n1|b v2.0.0\n2|c v3.0.0\n1|c v3.0.0\n1|d v4.0.0+x\n2|b v2.0.0 (*)\n';
  const read = [...edges(tree)].map(([id, needs]) => [id, [...needs]]);
  assert.deepEqual(read, [
    ['a@1.0.0', ['b@2.0.0', 'c@3.0.0', 'd@4.0.0+x']],
    ['b@2.0.0', ['c@3.0.0']],
    ['c@3.0.0', []],
    ['d@4.0.0+x', ['b@2.0.0']],
  ]);
});

test('what ships is listed with the hash of its lock: no tool, no test, no macro that ran at build time', async () => {
  const names = packages.map(({ name }) => name);
  for (const name of ['lopdf', 'tract-core', 'wasm-bindgen', 'rust-std', 'pdfjs-dist', 'all-MiniLM-L6-v2'])
    assert.ok(names.includes(name), name);
  for (const name of ['proptest', 'serde_derive', 'clap', 'rustls', 'playwright-core', 'syn'])
    assert.ok(!names.includes(name), name);
  const sumsOfLock = checksums(await read('Cargo.lock'));
  for (const { kind, name, version, hash } of packages) {
    if (kind === 'cargo' && name.startsWith('pincite-')) continue;
    if (kind === 'cargo') assert.equal(hash?.hex, sumsOfLock.get(key({ name, version })), name);
    else if (kind !== 'rust' && kind !== 'compiled')
      assert.match(hash?.hex ?? '', /^[0-9a-f]{64,128}$/, name);
  }
});

test('the bill of materials is CycloneDX 1.6, and the same for the same packages', async () => {
  const schemas = path.join(www, 'node_modules/@cyclonedx/cyclonedx-library/res/schema');
  const schema = async (/** @type {string} */ name) =>
    JSON.parse(await readFile(path.join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8'));
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(await schema('spdx'), 'http://cyclonedx.org/schema/spdx.SNAPSHOT.schema.json');
  ajv.addSchema(await schema('jsf-0.82'), 'http://cyclonedx.org/schema/jsf-0.82.SNAPSHOT.schema.json');
  const valid = ajv.compile(await schema('bom-1.6'));
  const bill = billOfMaterials(packages, site);
  assert.ok(valid(bill), JSON.stringify(valid.errors));
  assert.deepEqual(billOfMaterials(packages, site), bill);
  assert.ok(!valid({ ...bill, components: [{ name: 'without a type' }] }));
  const ids = new Set(bill.components.map((each) => each['bom-ref']));
  assert.equal(ids.size, packages.length);
  for (const { dependsOn = [] } of bill.dependencies) for (const id of dependsOn) assert.ok(ids.has(id), id);
  const above = new Set(bill.dependencies.flatMap(({ dependsOn = [] }) => dependsOn));
  for (const id of ids) assert.ok(above.has(id), `${id} is needed by nothing`);
});

test('every package has the text of its licence', async () => {
  const text = await licences(packages, {
    apache: await read('LICENSE-APACHE'),
    mit: await read('LICENSE-MIT'),
  });
  for (const { name, version } of packages) {
    const row = text.split('\n').find((line) => line.startsWith(`${name} ${version}, `)) ?? '';
    const numbers = [...row.matchAll(/\[(\d+)\]/g)].map(([number]) => number);
    assert.ok(numbers.length > 0, `${name} has no text`);
    for (const number of numbers) assert.ok(text.includes(`\n${number}\n\n`), `${name} names ${number}`);
  }
  assert.match(
    text,
    /Universit. catholique de Louvain/,
    'the image decoder within pdf.js has a licence of its own',
  );
});

test('a package without a licence file has that of its repository, or the standard text with its authors', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'pincite-licences-'));
  /** @type {(name: string, more: Partial<Package>) => Package} */
  const made = (name, more) => ({
    kind: 'cargo',
    name,
    version: '1.0.0',
    licence: 'MIT',
    hash: null,
    folder: path.join(folder, name),
    authors: ['A. Writer'],
    source: null,
    needs: [],
    ...more,
  });
  const standard = { apache: 'Apache License', mit: 'MIT License\n\nCopyright (c) Pincite\n' };
  const all = [
    made('with', { source: 'https://example.org/a' }),
    made('sibling', { source: 'https://example.org/a.git' }),
    made('alone', {}),
  ];
  try {
    for (const each of all) await mkdir(each.folder);
    await writeFile(path.join(all[0]?.folder ?? '', 'LICENSE'), 'Licence of a repository\r\n');
    const text = await licences(all, standard);
    assert.match(text, /with 1\.0\.0, MIT: \[1\]\nsibling 1\.0\.0, MIT: \[1\]\nalone 1\.0\.0, MIT: \[2\]\n/);
    assert.match(text, /\[1\]\n\nLicence of a repository\n/);
    assert.match(text, /\[2\]\n\nMIT License\n\nCopyright \(c\) A\. Writer\n/);
    const odd = [made('alone', { licence: 'Zlib' })];
    await assert.rejects(licences(odd, standard), /alone \(Zlib\) has no licence text/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('sha256sum finds a file that is not the one that was built', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'pincite-sums-'));
  const check = () =>
    execFileSync('sha256sum', ['--check', '--strict', sumsName], { cwd: folder, stdio: 'pipe' });
  try {
    await mkdir(path.join(folder, 'engine'));
    await writeFile(path.join(folder, 'index.html'), 'page');
    await writeFile(path.join(folder, 'engine/a b.wasm'), 'engine');
    await writeFile(path.join(folder, sumsName), await sums(folder));
    assert.match(check().toString(), /^engine\/a b\.wasm: OK\nindex\.html: OK\n$/);
    assert.equal(await sums(folder), await readFile(path.join(folder, sumsName), 'utf8'));
    await writeFile(path.join(folder, 'engine/a b.wasm'), 'another');
    assert.throws(check, /1 computed checksum did NOT match/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

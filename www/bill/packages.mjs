/**
 * Packages of others that the site is made of, and ours: crates that are compiled to wasm, npm packages of which a file is
 * bundled or copied, the standard library, the model. What only builds or tests is left out.
 */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * @typedef {object} Package
 * @property {'cargo' | 'npm' | 'rust' | 'model' | 'compiled'} kind
 * @property {string} name
 * @property {string} version
 * @property {string} licence SPDX expression, as the package declares it
 * @property {{ algorithm: 'SHA-256' | 'SHA-512', hex: string } | null} hash of the file that the registry serves; ours have none
 * @property {string} folder of its licence files; '' where it has none
 * @property {string[]} authors
 * @property {string | null} source address of its repository
 * @property {string[]} needs keys of packages
 */

/** @param {{ name: string, version: string }} each */
export const key = ({ name, version }) => `${name}@${version}`;

/** The modules. */
const wasmCrates = ['pincite-wasm', 'pincite-wasm-ingest', 'pincite-wasm-encoder', 'pincite-wasm-lab'];
const target = 'wasm32-unknown-unknown';
const run = promisify(execFile);

/** @param {string} root @param {string[]} args */
async function cargo(root, args) {
  const { stdout } = await run('cargo', args, { cwd: root, maxBuffer: 1 << 28 });
  return stdout;
}

/**
 * The edges of `cargo tree --prefix depth --format '|{p}'`: what each package needs, by its key. A line is the depth, the
 * name and the version; what was printed before comes again with a star and without its own lines.
 * @param {string} tree
 */
export function edges(tree) {
  /** @type {Map<string, Set<string>>} */
  const needs = new Map();
  /** @type {string[]} */
  const open = [];
  for (const line of tree.split('\n')) {
    const found = /^(\d+)\|(\S+) v(\S+)/.exec(line);
    if (!found) continue;
    const [, depth, name = '', version = ''] = found;
    const id = key({ name, version });
    if (!needs.has(id)) needs.set(id, new Set());
    open.length = Number(depth);
    const parent = open.at(-1);
    if (parent !== undefined) needs.get(parent)?.add(id);
    open.push(id);
  }
  return needs;
}

/** The checksums of a Cargo.lock, by key. @param {string} lock */
export function checksums(lock) {
  const entry = /name = "([^"]+)"\nversion = "([^"]+)"\nsource = "[^"]+"\nchecksum = "([0-9a-f]{64})"/g;
  return new Map(
    [...lock.matchAll(entry)].map(([, name, version, sum]) => [`${name}@${version}`, sum ?? '']),
  );
}

/** Crates that are compiled into engine and encoder, first one of ours. @param {string} root @returns {Promise<Package[]>} */
export async function crates(root) {
  const [tree, metadata, lock] = await Promise.all([
    cargo(root, [
      ...['tree', '--locked', '--target', target],
      ...wasmCrates.flatMap((name) => ['--package', name]),
      ...['--edges', 'normal,no-proc-macro', '--prefix', 'depth', '--format', '|{p}'],
    ]),
    cargo(root, ['metadata', '--locked', '--format-version', '1', '--filter-platform', target]),
    readFile(path.join(root, 'Cargo.lock'), 'utf8'),
  ]);
  const needs = edges(tree);
  const sums = checksums(lock);
  /** @type {{ name: string, version: string, license: string | null, authors: string[], repository: string | null, manifest_path: string }[]} */
  const all = JSON.parse(metadata).packages;
  return [...needs.keys()].map((id) => {
    const found = all.find((each) => key(each) === id);
    if (!found) throw new Error(`cargo metadata has no ${id}, which cargo tree has`);
    const sum = sums.get(id);
    return {
      kind: 'cargo',
      name: found.name,
      version: found.version,
      // Old manifests write a slash for OR.
      licence: (found.license ?? 'NOASSERTION').replaceAll(/\s*\/\s*/g, ' OR '),
      hash: sum ? { algorithm: 'SHA-256', hex: sum } : null,
      folder: sum ? path.dirname(found.manifest_path) : root,
      authors: found.authors,
      source: found.repository,
      needs: [...(needs.get(id) ?? [])],
    };
  });
}

/** The standard library, which is compiled into both too. @param {string} root @returns {Promise<Package>} */
export async function standardLibrary(root) {
  const { stdout } = await run('rustc', ['--version', '--verbose'], { cwd: root });
  return {
    kind: 'rust',
    name: 'rust-std',
    version: /^release: (.+)$/m.exec(stdout)?.[1] ?? '',
    licence: 'MIT OR Apache-2.0',
    hash: null,
    folder: '',
    authors: ['The Rust Project Developers'],
    source: 'https://github.com/rust-lang/rust',
    needs: [],
  };
}

/**
 * npm packages of which one of these files is a part.
 * @param {string} www @param {string[]} files @returns {Promise<Package[]>}
 */
export async function npmPackages(www, files) {
  const lock = JSON.parse(await readFile(path.join(www, 'package-lock.json'), 'utf8')).packages;
  const inside = /node_modules\/((?:@[^/]+\/)?[^/]+)\//;
  const names = new Set(files.flatMap((file) => inside.exec(file.replaceAll('\\', '/'))?.[1] ?? []));
  return Promise.all(
    [...names].sort().map(async (name) => {
      const folder = path.join(www, 'node_modules', name);
      const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
      const sum = /^sha512-(.+)$/.exec(lock[`node_modules/${name}`]?.integrity ?? '')?.[1];
      if (!sum) throw new Error(`www/package-lock.json has no hash of ${name}`);
      return {
        kind: /** @type {const} */ ('npm'),
        name,
        version: manifest.version,
        licence: manifest.license,
        hash: {
          algorithm: /** @type {const} */ ('SHA-512'),
          hex: Buffer.from(sum, 'base64').toString('hex'),
        },
        folder,
        authors: [manifest.author?.name ?? manifest.author].filter(Boolean),
        source: manifest.repository?.url?.replace(/^git\+/, '') ?? null,
        needs: [],
      };
    }),
  );
}

/**
 * Libraries that are compiled into the program that runs models: its npm package brings the notice of its own part alone.
 * @param {string} www @returns {Promise<Package[]>}
 */
export async function compiledLibraries(www) {
  const generated = path.join(www, 'node_modules/@wllama/wllama/src/workers-code/generated.ts');
  const version = /LIBLLAMA_VERSION = 'b(\d+)-/.exec(await readFile(generated, 'utf8'))?.[1];
  if (!version) throw new Error(`${generated} does not say which llama.cpp it has`);
  const library = (
    /** @type {string} */ name,
    /** @type {string} */ author,
    /** @type {string} */ source,
  ) => ({
    kind: /** @type {const} */ ('compiled'),
    name,
    version: `as-in-llama.cpp-b${version}`,
    licence: 'MIT',
    hash: null,
    folder: '',
    authors: [author],
    source,
    needs: [],
  });
  return [
    {
      ...library('llama.cpp', 'The ggml authors', 'https://github.com/ggml-org/llama.cpp'),
      version: `b${version}`,
    },
    library('nlohmann-json', 'Niels Lohmann', 'https://github.com/nlohmann/json'),
    library('emscripten', 'The Emscripten Authors', 'https://github.com/emscripten-core/emscripten'),
  ];
}

/** The embedding model, as `models/manifest.json` declares it. @param {string} root @returns {Promise<Package>} */
export async function model(root) {
  const manifest = JSON.parse(await readFile(path.join(root, 'models/manifest.json'), 'utf8'));
  return {
    kind: 'model',
    name: manifest.name,
    version: /^PyPI \S+ ([^\s,]+)/.exec(manifest.source)?.[1] ?? '',
    licence: manifest.licence,
    hash: { algorithm: 'SHA-256', hex: manifest.files.model.sha256 },
    folder: '',
    authors: [],
    source: manifest.source,
    needs: [],
  };
}

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const script = fileURLToPath(new URL('build.mjs', import.meta.url));

test('two builds of the same sources are the same to the byte, and each lists its files by hash', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'pincite-site-'));
  const pkg = path.join(folder, 'pkg');
  const none = path.join(folder, 'none');
  try {
    await mkdir(pkg);
    for (const module of ['pincite_wasm', 'pincite_ingest', 'pincite_encoder', 'pincite_lab']) {
      await writeFile(path.join(pkg, `${module}.js`), 'export default null;');
      await writeFile(path.join(pkg, `${module}_bg.wasm`), module);
    }
    const lists = [];
    for (const name of ['first', 'second']) {
      const out = path.join(folder, name);
      await run('node', [
        script,
        '--pkg',
        pkg,
        '--model',
        none,
        '--samples',
        none,
        '--out',
        out,
        '--allow-missing',
      ]);
      await run('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: out });
      lists.push(await readFile(path.join(out, 'SHA256SUMS'), 'utf8'));
    }
    assert.equal(lists[0], lists[1]);
    for (const file of [
      'index.html',
      'engine/pincite_wasm_bg.wasm',
      'engine/pincite_ingest_bg.wasm',
      'engine/pincite_encoder_bg.wasm',
      'lab/pincite_lab_bg.wasm',
      'licences.txt',
      'sbom.cdx.json',
      'pincite-widget.js',
    ])
      assert.ok(lists[0]?.includes(`  ${file}\n`), file);
  } finally {
    await rm(folder, { recursive: true });
  }
});

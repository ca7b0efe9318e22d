import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { policyOf, resolveFile, serve } from './serve.mjs';

const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self' https: http://localhost:* http://127.0.0.1:*; style-src 'self'; img-src 'self' blob: data:; font-src blob: data:; manifest-src 'self'; require-trusted-types-for 'script'; trusted-types pincite";
let outer = '';
let site = '';

before(async () => {
  outer = await mkdtemp(path.join(tmpdir(), 'pincite-serve-'));
  site = path.join(outer, 'site');
  await mkdir(path.join(site, 'engine'), { recursive: true });
  await writeFile(path.join(outer, 'secret.txt'), 'secret');
  await writeFile(path.join(site, 'index.html'), await readFile(new URL('index.html', import.meta.url)));
  await writeFile(path.join(site, 'engine/x.wasm'), 'wasm');
  await symlink(path.join(outer, 'secret.txt'), path.join(site, 'link.txt'));
});
after(() => rm(outer, { recursive: true }));

test('the page states the policy that portals require', async () => {
  assert.equal(policyOf(await readFile(new URL('index.html', import.meta.url), 'utf8')), policy);
});

test('nothing outside the folder has an address', async () => {
  for (const address of [
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/engine/../../secret.txt',
    '/link.txt',
    '/%00',
    '/%zz',
    '/engine',
    '/none',
  ]) {
    assert.equal(await resolveFile(site, address), null, address);
  }
  assert.equal(await resolveFile(site, '/'), path.join(site, 'index.html'));
});

test('files come with their type and the policy', async () => {
  const { url, close } = await serve(site, 0);
  try {
    const wasm = await fetch(new URL('engine/x.wasm?v=0123456789abcdef', url));
    assert.equal(wasm.headers.get('content-type'), 'application/wasm');
    assert.equal(wasm.headers.get('content-security-policy'), policy);
    assert.match(wasm.headers.get('cache-control') ?? '', /immutable/);
    const page = await fetch(url);
    assert.equal(page.headers.get('cache-control'), 'no-cache');
    const again = await fetch(url, { headers: { 'if-none-match': page.headers.get('etag') ?? '' } });
    assert.equal(again.status, 304);
    assert.equal((await fetch(new URL('none', url))).status, 404);
    assert.equal((await fetch(url, { method: 'POST' })).status, 405);
  } finally {
    await close();
  }
});

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { checklist, isImmutable, policyOf, types } from './hosting.mjs';
import { resolveFile, serve } from './serve.mjs';

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

test('only addresses whose content never changes may be cached for good', () => {
  for (const address of [
    '/page.js?v=0123456789abcdef',
    '/pincite/chunks/chunk-433PAMSC.js',
    '/viewer/5.6.205/cmaps/UniGB-UTF16-H.bcmap',
  ])
    assert.ok(isImmutable(address), address);
  for (const address of [
    '/',
    '/index.html',
    '/service-worker.js',
    '/manifest.webmanifest',
    '/pincite-widget.js',
    '/viewer/pdf.worker.min.mjs',
    '/page.js?v=latest',
  ])
    assert.ok(!isImmutable(address), address);
});

test('the checklist for hosts has every type, the whole policy and the build', () => {
  const text = checklist(policy, '0123456789abcdef');
  for (const [ending, type] of Object.entries(types))
    assert.match(text, new RegExp(`\\${ending} +${type.replaceAll(/[+.]/g, '\\$&')}\n`));
  for (const directive of policy.split('; ')) assert.ok(text.includes(directive), directive);
  assert.match(text, /^Hosting Pincite, build 0123456789abcdef\n/);
  assert.ok(text.split('\n').every((line) => line.length <= 130));
});

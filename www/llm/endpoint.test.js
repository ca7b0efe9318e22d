import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { test } from 'node:test';
import { isLocal, isLoopback, isOpenWay, resolve, withoutSecrets } from './endpoint.js';
import { LlmError } from './errors.js';

/** @param {string} url @param {Partial<import('./endpoint.js').EndpointConfig>} [config] */
const at = (url, config = {}) => resolve({ kind: 'openai', url, model: 'm', ...config });

test('addresses are made complete, with or without the version', () => {
  const cases = [
    ['http://localhost:11434', 'http://localhost:11434/v1/chat/completions'],
    ['http://localhost:11434/', 'http://localhost:11434/v1/chat/completions'],
    [' http://localhost:11434/v1 ', 'http://localhost:11434/v1/chat/completions'],
    ['http://localhost:11434/v1///', 'http://localhost:11434/v1/chat/completions'],
    ['https://x.example/v1/chat/completions', 'https://x.example/v1/chat/completions'],
    ['https://x.example/gateway', 'https://x.example/gateway/v1/chat/completions'],
    ['https://x.example/api/v1', 'https://x.example/api/v1/chat/completions'],
    ['https://x.example/v1beta/openai/', 'https://x.example/v1beta/openai/chat/completions'],
    [
      'https://x.openai.azure.example/openai/deployments/d',
      'https://x.openai.azure.example/openai/deployments/d/chat/completions',
    ],
    ['HTTPS://X.example', 'https://x.example/v1/chat/completions'],
  ];
  for (const [url = '', expected] of cases) assert.equal(at(url).url.href, expected, url);
  assert.equal(at('https://x.example/v1').models.href, 'https://x.example/v1/models');
  assert.equal(at('https://x.example', { kind: 'anthropic' }).url.href, 'https://x.example/v1/messages');
  assert.equal(
    at('https://x.example/v1/messages', { kind: 'anthropic' }).models.href,
    'https://x.example/v1/models',
  );
});

test('parameters go into the request and nowhere else', () => {
  const endpoint = at('https://x.example/openai/deployments/d?api-version=1#x', {
    query: { extra: 'a b&c' },
  });
  assert.equal(endpoint.url.search, '');
  assert.equal(
    endpoint.sign(endpoint.url).address,
    'https://x.example/openai/deployments/d/chat/completions?api-version=1&extra=a+b%26c',
  );
});

test('invalid addresses, and those that hold secrets, are refused', () => {
  for (const url of [
    '',
    'localhost:11434',
    'ftp://x.example',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    '//x.example',
    'https://',
    'http://a:b@x.example',
    'https://x y.example',
    'blob:https://x.example/1',
  ]) {
    assert.throws(
      () => at(url),
      (error) =>
        error instanceof LlmError && error.code === 'bad-config' && !error.message.includes('x.example'),
      url,
    );
  }
});

test('a key goes over http to this machine only', () => {
  for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]', '0x7f.1'])
    at(`http://${host}:8080`, { key: 'secret' });
  for (const host of [
    'x.example',
    '192.168.1.5',
    '10.0.0.1',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '[::2]',
    '0.0.0.0',
  ]) {
    at(`http://${host}`);
    at(`https://${host}`, { key: 'secret' });
    assert.throws(() => at(`http://${host}`, { key: 'secret' }), { code: 'bad-config' }, host);
    assert.throws(() => at(`http://${host}`, { headers: { 'x-api-key': 'secret' } }), { code: 'bad-config' });
    assert.throws(() => at(`http://${host}?api_key=secret`), { code: 'bad-config' });
  }
});

test('parameters with secrets are known by name: they count as keys and are taken out of texts', () => {
  for (const name of ['code', 'sig', 'key', 'api_key', 'token', 'access_token', 'X-Amz-Signature', 'pwd']) {
    assert.throws(() => at(`http://x.example/v1?${name}=s3cr3t`), { code: 'bad-config' }, name);
    at(`http://localhost/v1?${name}=s3cr3t`);
    const { scrub } = at(`https://x.example/v1?api-version=1&${name}=s3cr3t`);
    assert.equal(scrub('wrong s3cr3t'), 'wrong •••', name);
    assert.deepEqual(withoutSecrets(`https://x.example/v1?api-version=1&${name}=s3cr3t#top`), {
      url: 'https://x.example/v1?api-version=1',
      query: { [name]: 's3cr3t' },
    });
  }
  for (const url of ['https://x.example/v1', 'https://x.example?api-version=1&region=eu', ''])
    assert.deepEqual(withoutSecrets(url), { url, query: {} });
});

test('a way that is open to others is known', () => {
  for (const url of ['http://x.example', 'http://192.168.1.5:11434/v1', ' HTTP://nas/v1']) {
    assert.ok(isOpenWay(url), url);
    assert.ok(at(url).isOpen);
  }
  for (const url of ['https://x.example', 'http://localhost:1', 'http://127.0.0.1', 'http://[::1]:8', 'nas'])
    assert.ok(!isOpenWay(url), url);
});

test('only the configured server is asked', () => {
  const { sign } = at('https://x.example/v1', { key: 'secret' });
  for (const url of ['https://y.example/v1', 'http://x.example/v1', 'https://x.example:8443/v1'])
    assert.throws(() => sign(new URL(url)), { code: 'bad-config' });
});

test('the key goes into the header that the server wants', () => {
  /** @param {Partial<import('./endpoint.js').EndpointConfig>} config */
  const headers = (config) => {
    const endpoint = at('https://x.example', config);
    return endpoint.sign(endpoint.url).headers;
  };
  assert.deepEqual(headers({ key: ' k1\n' }), { authorization: 'Bearer k1' });
  assert.deepEqual(headers({ key: 'k1', auth: 'api-key' }), { 'api-key': 'k1' });
  assert.deepEqual(headers({ key: 'k1', kind: 'anthropic' }), { 'x-api-key': 'k1' });
  assert.deepEqual(headers({ headers: { 'X-Extra': 'v' } }), { 'x-extra': 'v' });
  assert.deepEqual(headers({ key: '' }), {});
});

test('headers that are not for settings, or that no header can hold, are refused without showing them', () => {
  for (const name of [
    'Cookie',
    'Host',
    'Origin',
    'Content-Type',
    'Sec-Fetch-Mode',
    'Proxy-Authorization',
    'a b',
    '',
  ]) {
    assert.throws(() => at('https://x.example', { headers: { [name]: 'v' } }), { code: 'bad-config' }, name);
  }
  for (const key of ['a\nb: c', 'schlüssel', '钥匙']) {
    assert.throws(
      () => at('https://x.example', { key }),
      (/** @type {any} */ error) => error.code === 'bad-config' && !error.message.includes(key),
    );
  }
});

test('an endpoint can be printed without harm, and takes secrets out of texts', () => {
  const endpoint = at('https://x.example?sig=parameter-secret', {
    key: 'the+key/1',
    headers: { 'x-team': 'header-secret' },
  });
  const shown = inspect(endpoint, { depth: 9, showHidden: true }) + JSON.stringify(endpoint);
  for (const secret of ['the+key/1', 'header-secret', 'parameter-secret'])
    assert.ok(!shown.includes(secret), secret);
  assert.equal(
    endpoint.scrub('bad the+key/1, the%2Bkey%2F1, header-secret\u202e\nsk-abcdefgh12 Bearer abcdefghijk'),
    'bad •••, •••, ••• ••• Bearer •••',
  );
  assert.equal(endpoint.scrub('x'.repeat(1000)).length, 300);
});

test('settings that are not numbers fall back to the defaults', () => {
  const { timeoutMs, attempts } = at('https://x.example', { timeoutMs: NaN, attempts: 99 });
  assert.deepEqual([timeoutMs, attempts], [300_000, 10]);
});

test('hosts are known as this machine, the local network or neither', () => {
  for (const host of ['localhost', '127.0.0.1', '[::1]']) assert.ok(isLoopback(host) && isLocal(host));
  for (const host of [
    '192.168.0.2',
    '10.1.1.1',
    '172.16.0.1',
    '169.254.1.1',
    'nas.local',
    'nas',
    '[fd00::1]',
    '[fe80::1]',
  ])
    assert.ok(!isLoopback(host) && isLocal(host), host);
  for (const host of ['x.example', '8.8.8.8', '172.32.0.1', '11.0.0.1', '[2001:db8::1]'])
    assert.ok(!isLocal(host), host);
});

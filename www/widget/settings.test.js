import assert from 'node:assert/strict';
import { test } from 'node:test';
import { en } from '../strings/en.js';
import { describeFault } from '../strings/errors.js';
import { nothing } from './endpoint-choice.js';
import { AnsweringSettings, ledger, readHeaders } from './settings.js';

/** A storage that can be looked into. */
function box() {
  /** @type {Map<string, string>} */
  const map = new Map();
  return {
    map,
    getItem: (/** @type {string} */ name) => map.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ value) => void map.set(name, value),
    removeItem: (/** @type {string} */ name) => void map.delete(name),
  };
}

const local = {
  ...nothing,
  kind: /** @type {const} */ ('openai'),
  url: 'http://localhost:11434/v1',
  model: 'small',
};
const key = 'sk-test-0123456789';
const request = {
  call: 1,
  endpoint: null,
  model: null,
  messages: [],
  maxTokens: 1,
  temperature: 0,
  schema: null,
  passages: [],
};

test('an address and a model are remembered, a key, headers and parameters never', () => {
  const storage = box();
  const settings = new AnsweringSettings({ name: 'm', storage });
  settings.choose(
    { ...local, url: 'https://gate.example/v1?code=s3cr3tcode' },
    { key, headers: { 'x-gate': 'gatesecret' } },
    true,
  );
  const kept = [...storage.map.values()].join();
  assert.ok(kept.includes('https://gate.example/v1'));
  for (const secret of [key, 'gatesecret', 's3cr3tcode']) assert.ok(!kept.includes(secret));
  const again = new AnsweringSettings({ name: 'm', storage });
  assert.equal(again.model, null, 'without its key it is not asked');
  assert.deepEqual(again.status, { state: 'locked', name: 'small', where: 'gate.example', given: false });
  again.choose(again.choice, { key, headers: {} }, true);
  assert.equal(again.status.state, 'ready');
});

test('a secret in an address is held like a key: asked with, never shown or stored', async (t) => {
  const storage = box();
  const settings = new AnsweringSettings({ name: 'm', storage });
  const url = 'https://gate.example/v1?api-version=1&code=s3cr3t';
  settings.choose({ ...local, url }, { key: '', headers: {} }, true);
  settings.putNamed('small', { ...local, url }, { key: '', headers: {} }, null);
  const shown = JSON.stringify([settings.choice, settings.status, settings.named, [...storage.map]]);
  assert.ok(!shown.includes('s3cr3t'), shown);
  assert.equal(settings.choice.url, 'https://gate.example/v1?api-version=1');
  /** @type {string[]} */
  const asked = [];
  t.mock.method(globalThis, 'fetch', async (/** @type {string} */ address) => {
    asked.push(address);
    return new Response('{}', { status: 401 });
  });
  const ask = { ...request, step: /** @type {const} */ ('filter') };
  // As it is shown, it can be chosen again: the secret is still there for this server, and for no other.
  settings.choose(settings.choice, { key: '', headers: {} }, true);
  await assert.rejects(async () => settings.model?.complete(ask, {}));
  await assert.rejects(async () => settings.model?.complete({ ...ask, endpoint: 'small' }, {}));
  for (const address of asked) assert.ok(address.endsWith('?api-version=1&code=s3cr3t'), address);
  assert.equal(asked.length, 2);
  assert.deepEqual(
    settings.config({ ...local, url: 'https://other.example/v1' }, { key: '', headers: {} }).query,
    {},
  );
  assert.equal(new AnsweringSettings({ name: 'm', storage }).status.state, 'locked');
});

test('servers that are reached over an open way are named before anything is sent', () => {
  const settings = new AnsweringSettings({ name: 'm', storage: null });
  assert.deepEqual(settings.openServers, []);
  settings.choose(local, { key: '', headers: {} }, false);
  assert.deepEqual(settings.openServers, []);
  settings.putNamed('small', { ...local, url: 'http://nas.example:1/v1' }, { key: '', headers: {} }, null);
  assert.deepEqual(settings.openServers, ['nas.example:1']);
  settings.give({ kind: 'openai', url: 'http://far.example/v1', model: 'm' });
  assert.deepEqual(settings.openServers, ['far.example']);
});

test('a model that needs no key is there again', () => {
  const storage = box();
  new AnsweringSettings({ name: 'm', storage }).choose(local, { key: '', headers: {} }, true);
  const again = new AnsweringSettings({ name: 'm', storage });
  assert.deepEqual(again.status, { state: 'ready', name: 'small', where: 'localhost:11434', given: false });
  again.forget();
  assert.equal(storage.map.size, 0);
  assert.equal(again.model, null);
});

test('a key is not carried over to another server', () => {
  const settings = new AnsweringSettings({ name: 'm', storage: null });
  settings.choose(
    { ...local, url: 'https://one.example/v1' },
    { key, headers: { 'x-gate': 'gatesecret' } },
    false,
  );
  assert.equal(
    settings.config({ ...local, url: 'https://one.example/v2' }, { key: '', headers: {} }).key,
    key,
  );
  const other = settings.config({ ...local, url: 'https://two.example/v1' }, { key: '', headers: {} });
  assert.deepEqual([other.key, other.headers], ['', {}]);
  assert.equal(settings.hasKey({ ...local, url: 'https://two.example/v1' }), false);
});

test('an endpoint that cannot be asked is refused, and nothing changes', () => {
  const settings = new AnsweringSettings({ name: 'm', storage: null });
  assert.throws(() => settings.choose({ ...local, url: 'ftp://x' }, { key: '', headers: {} }, true), /http/);
  assert.throws(
    () => settings.choose({ ...local, model: ' ' }, { key: '', headers: {} }, true),
    /model is missing/,
  );
  assert.throws(
    () => settings.choose({ ...local, url: 'http://far.example/v1' }, { key, headers: {} }, true),
    /key is not sent/,
  );
  assert.equal(settings.model, null);
});

test('storage that is forbidden, full or holds something else does no harm', () => {
  const broken = {
    getItem: () => {
      throw new Error('no');
    },
    setItem: () => {
      throw new Error('no');
    },
    removeItem: () => {
      throw new Error('no');
    },
  };
  const settings = new AnsweringSettings({ name: 'm', storage: broken });
  settings.choose(local, { key: '', headers: {} }, true);
  settings.forget();
  for (const odd of [
    '',
    '{',
    '[]',
    '{"format":1,"choice":{"kind":"openai","url":7}}',
    '{"format":1,"choice":{"kind":"openai","url":"x"}}',
    '{"format":2}',
  ]) {
    assert.equal(
      new AnsweringSettings({ name: 'm', storage: { ...box(), getItem: () => odd } }).model,
      null,
      odd,
    );
  }
});

test('the model that the page sets has precedence, and its requests are listed', async () => {
  const settings = new AnsweringSettings({ name: 'm', storage: null });
  settings.choose(local, { key: '', headers: {} }, false);
  settings.give({ complete: async () => ({ text: 'yes', finish: 'stop' }) });
  assert.deepEqual([settings.status.given, settings.status.where], [true, 'this site']);
  const before = ledger.totals.requests;
  const reply = await settings.model?.complete(
    {
      call: 1,
      step: 'read',
      endpoint: null,
      model: null,
      messages: [{ role: 'user', content: 'x' }],
      maxTokens: 1,
      temperature: 0,
      schema: null,
      passages: [],
    },
    {},
  );
  assert.equal(reply?.text, 'yes');
  assert.equal(ledger.totals.requests, before + 1);
  assert.equal(ledger.entries.at(-1)?.where, 'this site');
  assert.ok(ledger.hasLeft);
  assert.throws(() => settings.give([]), /no model is set/);
  settings.give(null);
  assert.equal(settings.status.name, 'small');
});

test('headers are read a line at a time', () => {
  assert.deepEqual(readHeaders('X-One: a:b\n\n x-two:c '), { 'X-One': 'a:b', 'x-two': 'c' });
  assert.throws(() => readHeaders('no colon'), /name: value/);
});

test('endpoints for single steps are kept apart: each with its own key, remembered without it', async () => {
  const storage = box();
  const settings = new AnsweringSettings({ name: 'm', storage });
  settings.choose(local, { key: '', headers: {} }, true);
  settings.putNamed(
    'small',
    { ...local, url: 'https://one.example/v1', model: 'tiny' },
    { key, headers: {} },
    null,
  );
  settings.putNamed('open', { ...local, model: 'tiny' }, { key: '', headers: {} }, null);
  for (const [name, choice, told] of /** @type {const} */ ([
    ['', local, /missing/],
    ['default', local, /in use/],
    ['small', local, /of this name/],
    ['x', { ...local, model: '' }, /model is missing/],
    ['x', { ...local, url: 'ftp://x' }, /http/],
    ['x', { ...local, url: 'http://far.example/v1' }, /key is not sent/],
  ])) {
    assert.throws(() => settings.putNamed(name, choice, { key, headers: {} }, null), told);
  }
  assert.deepEqual(
    settings.named.map(({ name, model, where, isLocked }) => [name, model, where, isLocked]),
    [
      ['small', 'tiny', 'one.example', false],
      ['open', 'tiny', 'localhost:11434', false],
    ],
  );
  assert.equal(
    settings.namedConfig({ ...local, url: 'https://one.example/v2' }, { key: '', headers: {} }, 'small').key,
    key,
  );
  assert.equal(
    settings.namedConfig({ ...local, url: 'https://two.example/v1' }, { key: '', headers: {} }, 'small').key,
    '',
    'a key stays with its server',
  );
  const authorOf = settings.authors();
  assert.deepEqual(
    [authorOf('small', null), authorOf('small', 'tinier'), authorOf(null, null)],
    [
      { name: 'tiny', where: 'one.example' },
      { name: 'tinier', where: 'one.example' },
      { name: 'small', where: 'localhost:11434' },
    ],
  );
  settings.putNamed(
    'smaller',
    { ...local, url: 'https://one.example/v1', model: 'tiny' },
    { key: '', headers: {} },
    'small',
  );
  assert.equal(
    settings.namedConfig({ ...local, url: 'https://one.example/v1' }, { key: '', headers: {} }, 'smaller')
      .key,
    key,
    'renamed, it keeps its key',
  );

  assert.ok(![...storage.map.values()].join().includes(key));
  const again = new AnsweringSettings({ name: 'm', storage });
  assert.deepEqual(
    again.named.map(({ name, isLocked }) => [name, isLocked]),
    [
      ['smaller', true],
      ['open', false],
    ],
  );
  const request = {
    call: 1,
    step: /** @type {const} */ ('filter'),
    endpoint: 'smaller',
    model: null,
    messages: [],
    maxTokens: 1,
    temperature: 0,
    schema: null,
    passages: [],
  };
  await assert.rejects(
    async () => again.model?.complete(request, {}),
    /key of the model “smaller” is missing/,
  );
  again.removeNamed('smaller');
  await assert.rejects(async () => again.model?.complete(request, {}), /not set up/);
  again.forget();
  assert.deepEqual([again.named, storage.map.size], [[], 0]);
});

test('an endpoint for single steps is remembered or forgotten as chosen when it is kept', () => {
  const storage = box();
  const settings = new AnsweringSettings({ name: 'm', storage });
  settings.putNamed('small', local, { key: '', headers: {} }, null, true);
  assert.deepEqual(
    [settings.remembered, new AnsweringSettings({ name: 'm', storage }).named.length],
    [true, 1],
  );
  settings.putNamed('small', local, { key: '', headers: {} }, 'small');
  assert.equal(storage.map.size, 1, 'as it was');
  settings.putNamed('small', local, { key: '', headers: {} }, 'small', false);
  assert.deepEqual([settings.remembered, settings.named.length, storage.map.size], [false, 1, 0]);
  settings.removeNamed('small', true);
  assert.deepEqual(new AnsweringSettings({ name: 'm', storage }).named, []);
  assert.equal(storage.map.size, 1);
});

test('an endpoint whose key is missing is asked only when something secret was entered, or the server is another', () => {
  const storage = box();
  const far = { ...local, url: 'https://one.example/v1' };
  new AnsweringSettings({ name: 'm', storage }).putNamed('small', far, { key, headers: {} }, null, true);
  /** @param {Partial<typeof far>} change @param {{ key: string, headers: Record<string, string> }} secrets */
  const isLocked = (change, secrets) => {
    const settings = new AnsweringSettings({ name: 'm', storage: { ...box(), getItem: storage.getItem } });
    settings.putNamed('renamed', { ...far, ...change }, secrets, 'small');
    return settings.named[0]?.isLocked;
  };
  assert.equal(isLocked({ model: 'other', url: 'https://one.example/v2' }, { key: '', headers: {} }), true);
  assert.equal(isLocked({}, { key, headers: {} }), false);
  assert.equal(isLocked({}, { key: '', headers: { 'x-gate': 'g' } }), false);
  assert.equal(isLocked({ url: 'https://one.example/v1?code=c' }, { key: '', headers: {} }), false);
  assert.equal(isLocked({ url: 'https://two.example/v1' }, { key: '', headers: {} }), false);
});

test('of two endpoints without their keys each is named, with what can be done', async () => {
  const storage = box();
  const settings = new AnsweringSettings({ name: 'm', storage });
  settings.choose(local, { key: '', headers: {} }, true);
  for (const name of ['one', 'two'])
    settings.putNamed(name, { ...local, url: `https://${name}.example/v1` }, { key, headers: {} }, null);
  const again = new AnsweringSettings({ name: 'm', storage });
  const request = {
    call: 1,
    step: /** @type {const} */ ('filter'),
    model: null,
    messages: [],
    maxTokens: 1,
    temperature: 0,
    schema: null,
    passages: [],
  };
  const hints = [];
  for (const endpoint of ['one', 'two']) {
    const error = await Promise.resolve(again.model?.complete({ ...request, endpoint }, {})).then(
      () => null,
      (error) => error,
    );
    hints.push(describeFault(en, error).hint);
  }
  assert.deepEqual(hints, [
    'Enter the key of “one” in the settings.',
    'Enter the key of “two” in the settings.',
  ]);
});

test('an answer is of the model that was asked, whatever is set by the time it comes', () => {
  const settings = new AnsweringSettings({ name: 'm', storage: null });
  settings.choose(local, { key: '', headers: {} }, false);
  settings.putNamed(
    'writer',
    { ...local, url: 'https://one.example/v1', model: 'large' },
    { key, headers: {} },
    null,
  );
  const authorOf = settings.authors();
  settings.choose(
    { ...local, url: 'https://two.example/v1', model: 'other' },
    { key: '', headers: {} },
    false,
  );
  settings.removeNamed('writer');
  assert.deepEqual(
    [authorOf(null, null), authorOf('writer', null)],
    [
      { name: 'small', where: 'localhost:11434' },
      { name: 'large', where: 'one.example' },
    ],
  );
  settings.give({ complete: async () => ({ text: 'yes', finish: 'stop' }) });
  assert.equal(authorOf(null, null).where, 'localhost:11434');
});

test('a glossary is remembered with the rest, and a faulty one changes nothing', () => {
  const storage = box();
  const settings = new AnsweringSettings({ name: 'm', storage });
  settings.choose(local, { key: '', headers: {} }, true);
  settings.chooseGlossary('MTF = multilateral trading facility');
  assert.throws(() => settings.chooseGlossary('nothing'), { line: 1 });
  assert.deepEqual(settings.glossary, { MTF: ['multilateral trading facility'] });
  const again = new AnsweringSettings({ name: 'm', storage });
  assert.deepEqual(again.glossary, settings.glossary);
  again.forget();
  assert.deepEqual([again.glossary, again.glossaryText], [{}, '']);
});

test('a model file of this device is asked without an address, listed as staying here, and remembered by its name', async () => {
  const storage = box();
  const hadLeft = ledger.hasLeft;
  let opened = 0;
  const reply = { text: 'OK', finish: /** @type {const} */ ('stop'), usage: null, model: '' };
  const openDevice = /** @type {import('./settings.js').OpenDevice} */ (
    /** @type {unknown} */ (
      async () => {
        opened += 1;
        return { complete: async () => reply };
      }
    )
  );
  const settings = new AnsweringSettings({ name: 'm', storage, openDevice });
  const choice = { ...nothing, kind: /** @type {const} */ ('device'), model: 'tiny.gguf' };
  assert.throws(() => settings.choose({ ...choice, model: '' }, { key: '', headers: {} }, true), {
    reason: 'model-file-missing',
  });
  settings.choose(choice, { key: '', headers: {} }, true);
  const expected = { state: 'ready', name: 'tiny.gguf', where: 'this device', given: false };
  assert.deepEqual(settings.status, expected);
  assert.deepEqual(settings.openServers, []);
  assert.equal(opened, 0, 'it is opened when it is asked');
  const again = new AnsweringSettings({ name: 'm', storage, openDevice });
  assert.deepEqual(again.status, expected);
  const answer = await again.model?.complete({ ...request, step: 'read' }, {});
  assert.deepEqual([answer, opened], [{ ...reply, model: 'tiny.gguf' }, 1]);
  const entry = ledger.entries.at(-1);
  assert.deepEqual(
    [entry?.where, entry?.method, entry?.bytesOut, entry?.outcome],
    ['this device', 'local', 0, 'ok'],
  );
  assert.equal(ledger.hasLeft, hadLeft);
});

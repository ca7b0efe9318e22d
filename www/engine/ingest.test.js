import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf } from './content.js';
import { EngineError, toPlain } from './errors.js';
import { Ingest } from './ingest.js';
import { libraryOf, packedDocument, segmentOf, vectorsOf } from './packed.fixture.js';
import { sha256 } from './sha256.js';

/** @param {{ stored?: Promise<void>, commit?: (request: any) => void, hash?: (file: Blob) => Promise<string | null>, parse?: (request: any) => Promise<any>, isNew?: boolean, model?: string | null }} [options] */
function setUp({
  stored = Promise.resolve(),
  commit = () => {},
  hash = sha256,
  parse = async () => ({ segment: new Uint8Array(1), info: { id: 'id' } }),
  isNew = true,
  model = null,
} = {}) {
  /** @type {any[]} */
  const requests = [];
  /** @type {Map<string, any>} */
  const documents = new Map();
  const pool = {
    run: async (/** @type {any} */ request) =>
      request.type === 'hash' ? hash(request.file) : parse(request),
  };
  const document = { id: 'id', name: 'a.pdf' };
  const owner = {
    request: async (/** @type {any} */ request) => {
      requests.push(request);
      if (request.type === 'commit-all')
        return request.commits.map((/** @type {any} */ each) => {
          try {
            commit(each);
          } catch (error) {
            return { problem: toPlain(error) };
          }
          return { document: { ...document, id: each.info.id }, isNew, namesake: null };
        });
      if (request.type !== 'commit') return null;
      commit(request);
      await stored;
      return { document, isNew, namesake: null };
    },
  };
  const ingest = new Ingest({
    pool: async () => /** @type {any} */ (pool),
    owner: () => /** @type {any} */ (owner),
    limits: () => ({ maxBytes: 100, maxPages: 10 }),
    document: (id) => documents.get(id),
    model: () => model,
    onCommit: ({ document }) => documents.set(document.id, document),
    changed: () => {},
  });
  return { ingest, requests, documents };
}

const file = new Blob(['%PDF']);

/** A packed library of files with these contents. @param {string[]} contents */
const packedLibrary = async (contents) => libraryOf(contents.map((content) => packedDocument(content)));

/** Id of a document with this content. @param {string} content */
const idOf = async (content) => (await sha256(new Blob([content]))) ?? '';

test('a file over the limit is refused before it is read', async () => {
  const { ingest } = setUp({ parse: async () => assert.fail('not parsed') });
  const large = new Blob(['x'.repeat(101)]);
  large.arrayBuffer = () => assert.fail('not read');
  await assert.rejects(ingest.add(large, 'a.pdf', null), { code: 'limit-exceeded' });
  assert.deepEqual(
    ingest.jobs.map(({ stage }) => stage),
    ['failed'],
  );
});

test('a file that is parsed is committed, and its job is gone', async () => {
  const { ingest, documents } = setUp();
  assert.equal((await ingest.add(file, 'a.pdf', null)).id, 'id');
  assert.deepEqual([ingest.jobs, [...documents.keys()]], [[], ['id']]);
});

test('equal files are told apart before and after parsing', async () => {
  const { ingest, documents } = setUp();
  const both = await Promise.allSettled([ingest.add(file, 'a.pdf', null), ingest.add(file, 'b.pdf', null)]);
  // Whichever is hashed first is taken.
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await assert.rejects(ingest.add(file, 'c.pdf', null), { code: 'document-exists' });
  documents.set('id', { id: 'id', name: 'a.pdf', problem: { code: 'index-damaged' } });
  await assert.doesNotReject(ingest.add(file, 'a.pdf', null), 'one that cannot be read is indexed again');
});

test('of equal files at once the first that is hashed is read, and no other', async () => {
  let nParsed = 0;
  /** @type {((hash: string) => void)[]} */
  const hashed = [];
  const { ingest } = setUp({
    hash: () => new Promise((resolve) => hashed.push(resolve)),
    parse: async () => {
      nParsed += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { segment: new Uint8Array(1), info: { id: 'id' } };
    },
  });
  const both = Promise.allSettled([ingest.add(file, 'a.pdf', null), ingest.add(file, 'b.pdf', null)]);
  while (hashed.length < 2) await new Promise((resolve) => setTimeout(resolve));
  // That of the file that came last is there first.
  hashed[1]?.('id');
  await new Promise((resolve) => setTimeout(resolve));
  hashed[0]?.('id');
  assert.deepEqual(
    (await both).map(({ status }) => status),
    ['rejected', 'fulfilled'],
  );
  assert.equal(nParsed, 1);
});

test('a file of one address that is asked for twice at once is added once, for both who ask', async (t) => {
  t.mock.method(globalThis, 'fetch', async () => new Response(file));
  const { ingest, requests } = setUp({ hash: async () => 'id' });
  const url = new URL('https://example.org/a.pdf');
  const both = await Promise.all([ingest.addLink(url, 'a.pdf', {}), ingest.addLink(url, 'a.pdf', {})]);
  assert.deepEqual(
    both.map(({ id }) => id),
    ['id', 'id'],
  );
  assert.deepEqual([requests.map(({ type }) => type), ingest.jobs], [['commit'], []]);
});

test('a file of one address that fails, fails for all who ask', async (t) => {
  t.mock.method(globalThis, 'fetch', async () => new Response(file));
  const { ingest } = setUp({
    hash: async () => 'id',
    parse: async () => {
      throw new EngineError('pdf-invalid', 'no header');
    },
  });
  const url = new URL('https://example.org/a.pdf');
  const both = [ingest.addLink(url, 'a.pdf', {}), ingest.addLink(url, 'a.pdf', {})];
  await Promise.all(both.map((each) => assert.rejects(each, { code: 'pdf-invalid' })));
  assert.deepEqual(
    ingest.jobs.map(({ stage }) => stage),
    ['failed'],
    'it is listed once',
  );
});

test('a locked file waits for its password and says when it was wrong', async () => {
  const { ingest } = setUp({
    parse: async ({ password }) => {
      if (password !== 'right') throw new EngineError('pdf-encrypted', 'locked');
      return { segment: new Uint8Array(1), info: { id: 'id' } };
    },
  });
  await assert.rejects(ingest.add(file, 'a.pdf', null), { code: 'pdf-encrypted' });
  const [job] = ingest.jobs;
  assert.deepEqual([job?.stage, job?.wrongPassword], ['locked', false]);
  await assert.rejects(ingest.unlock(job?.key ?? 0, 'wrong'));
  assert.equal(ingest.jobs[0]?.wrongPassword, true);
  await ingest.unlock(job?.key ?? 0, 'right');
  assert.deepEqual(ingest.jobs, []);
});

/** Adds a file and cancels it while it is stored. @param {ReturnType<typeof setUp>} world @param {() => void} store */
async function cancelWhileStoring({ ingest, requests }, store) {
  const added = ingest.add(file, 'a.pdf', null);
  added.catch(() => {});
  while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve));
  const [job] = ingest.jobs;
  assert.equal(job?.stage, 'saving');
  ingest.cancel(job?.key ?? 0);
  store();
  return { added };
}

test('a file cancelled while it is stored is withdrawn, and removed when that comes too late', async () => {
  let store = () => {};
  const world = setUp({ stored: new Promise((resolve) => (store = resolve)) });
  const { added } = await cancelWhileStoring(world, store);
  await assert.rejects(added, { code: 'cancelled' });
  assert.deepEqual(
    world.requests.map(({ type }) => type),
    ['commit', 'cancel-commit', 'remove'],
  );
  assert.equal(world.documents.size, 0);
  assert.deepEqual(
    world.ingest.jobs.map(({ stage }) => stage),
    ['cancelled'],
  );
});

test('a file that was there before it was indexed again is there after that is cancelled', async () => {
  let store = () => {};
  const world = setUp({ stored: new Promise((resolve) => (store = resolve)), isNew: false });
  const { added } = await cancelWhileStoring(world, store);
  assert.equal((await added).id, 'id');
  assert.deepEqual(
    world.requests.map(({ type }) => type),
    ['commit', 'cancel-commit'],
  );
  assert.deepEqual([[...world.documents.keys()], world.ingest.jobs], [['id'], []]);
});

test('of a packed library what is not there yet is stored with its vectors, and nothing is parsed', async () => {
  const { ingest, requests, documents } = setUp({ parse: async () => assert.fail('parsed') });
  const library = await packedLibrary(['there', 'new']);
  documents.set(await idOf('there'), { id: 'there', name: 'there.pdf', problem: null });
  const added = await ingest.addPacked(library, 'policies.pincite', {});
  assert.equal(added.length, 2);
  const [{ type, commits }] = requests;
  const [{ info, bytes, segment, vectors }] = commits;
  assert.deepEqual([requests.length, type, commits.length], [1, 'commit-all', 1]);
  const id = await idOf('new');
  assert.deepEqual([info.id, bytes, segment], [id, 3, segmentOf(id)]);
  assert.deepEqual(vectors, [{ start: 0, count: 1, fingerprint: 'model', bytes: vectorsOf(id) }]);
  assert.deepEqual(ingest.jobs, []);
});

test('vectors of another model than the one that is loaded are left out, to be made anew', async () => {
  for (const [model, n] of /** @type {const} */ ([
    ['model', 1],
    ['another', 0],
  ])) {
    const { ingest, requests } = setUp({ model });
    await ingest.addPacked(await packedLibrary(['one']), 'policies.pincite', {});
    assert.equal(requests[0].commits[0].vectors.length, n);
  }
});

/** Jobs as the list shows them. @param {Ingest} ingest */
const listed = (ingest) => ingest.jobs.map(({ name, stage, error }) => [name, stage, error?.code]);

/** Adds a packed library; returns what was added, and what the caller was told of. @param {ReturnType<typeof setUp>} world @param {Blob} library */
async function adding({ ingest }, library) {
  /** @type {string[][]} */
  const failed = [];
  const onFailed = (/** @type {{ code: string }} */ { code }, /** @type {string} */ name) =>
    failed.push([name, code]);
  const added = await ingest.addPacked(library, 'p.pincite', { onFailed });
  return { added: added.map(({ id }) => id), failed };
}

/** A packed library of three documents with another byte in the file of the second, which its segment follows. */
async function withDamage() {
  const bytes = await bytesOf(await packedLibrary(['first', 'second', 'third']));
  const at = Buffer.from(bytes).lastIndexOf('secondpincite');
  bytes[at] = 0;
  return new Blob([bytes]);
}

test('a document of a packed library over the limit is named, is not read, and keeps no other out', async () => {
  const world = setUp();
  const library = await packedLibrary(['first', 'x'.repeat(101), 'third']);
  const name = `${'x'.repeat(101)}.pdf`;
  const { added, failed } = await adding(world, library);
  assert.deepEqual(added, [await idOf('first'), await idOf('third')]);
  assert.deepEqual(failed, [[name, 'limit-exceeded']]);
  assert.deepEqual(listed(world.ingest), [[name, 'failed', 'limit-exceeded']]);
  assert.match(world.ingest.jobs[0]?.error?.hint ?? '', /at most/);
  assert.deepEqual([...world.documents.keys()], added, 'nothing of it is there');
  world.ingest.dismiss(world.ingest.jobs[0]?.key ?? 0);
  assert.deepEqual(world.ingest.jobs, []);
});

test('a damaged document of a packed library is named, and those before and after it are added', async () => {
  const world = setUp();
  const { added, failed } = await adding(world, await withDamage());
  assert.deepEqual(added, [await idOf('first'), await idOf('third')]);
  assert.deepEqual(failed, [['second.pdf', 'packed-document']]);
  assert.deepEqual(listed(world.ingest), [['second.pdf', 'failed', 'packed-document']]);
  assert.deepEqual(
    world.requests.flatMap(({ commits }) => commits.map((/** @type {any} */ { info }) => info.name)),
    ['first.pdf', 'third.pdf'],
  );
  await adding(world, await packedLibrary(['first', 'second', 'third']));
  assert.equal(world.documents.size, 3, 'from a whole file it is added later');
});

test('a document that the engine refuses is named, and those stored with it are added', async () => {
  const world = setUp({
    commit: ({ info }) => {
      if (info.name === 'second.pdf') throw new EngineError('limit-exceeded', 'too many passages');
    },
  });
  const { added, failed } = await adding(world, await packedLibrary(['first', 'second', 'third']));
  assert.deepEqual(added, [await idOf('first'), await idOf('third')]);
  assert.deepEqual(failed, [['second.pdf', 'limit-exceeded']]);
  assert.deepEqual(listed(world.ingest), [['second.pdf', 'failed', 'limit-exceeded']]);
});

/** A world in which each segment is of another version, so that files are read. @param {(request: any) => Promise<any>} parse */
const ofAnotherVersion = (parse) =>
  setUp({
    parse,
    commit: ({ vectors }) => {
      if (vectors) throw new EngineError('index-version', 'format 2, expected 3');
    },
  });

test('a document that is read from its file, and has too many pages or a password, keeps no other out', async () => {
  const world = ofAnotherVersion(async ({ name }) => {
    if (name === 'long.pdf') throw new EngineError('limit-exceeded', '11 pages, at most 10 are read');
    if (name === 'locked.pdf') throw new EngineError('pdf-encrypted', 'locked');
    return { segment: new Uint8Array(1), info: { id: 'id' } };
  });
  const { added, failed } = await adding(world, await packedLibrary(['long', 'locked', 'short']));
  assert.deepEqual(added, ['id']);
  assert.deepEqual(failed, [
    ['long.pdf', 'limit-exceeded'],
    ['locked.pdf', 'pdf-encrypted'],
  ]);
  assert.deepEqual(listed(world.ingest), [
    ['long.pdf', 'failed', 'limit-exceeded'],
    ['locked.pdf', 'locked', 'pdf-encrypted'],
  ]);
});

test('a packed library that is cancelled takes the document with it that is being read', async () => {
  const controller = new AbortController();
  const world = ofAnotherVersion(async () => {
    controller.abort();
    return { segment: new Uint8Array(1), info: { id: 'id' } };
  });
  const { signal } = controller;
  const library = await packedLibrary(['first', 'second']);
  await assert.rejects(
    world.ingest.addPacked(library, 'p.pincite', { signal, onFailed: () => assert.fail('told') }),
    { code: 'cancelled' },
  );
  assert.deepEqual(listed(world.ingest), [
    ['p.pincite', 'cancelled', undefined],
    ['first.pdf', 'cancelled', undefined],
  ]);
  assert.equal(world.documents.size, 0);
  assert.equal(world.requests.at(-1).type, 'remove', 'it was stored before the owner heard of it');
});

test('no more than the table is fetched where all that is missing is over the limits', async (t) => {
  const { ingest, documents } = setUp();
  const library = await packedLibrary(['there', 'x'.repeat(101)]);
  documents.set(await idOf('there'), { id: await idOf('there'), name: 'there.pdf', problem: null });
  const parts = [library.slice(0, library.size - 400), library.slice(library.size - 400)];
  const body = new ReadableStream(
    {
      pull: async (stream) => {
        const part = parts.shift();
        if (part) stream.enqueue(await bytesOf(part));
        else stream.close();
      },
    },
    { highWaterMark: 0 },
  );
  t.mock.method(globalThis, 'fetch', async () => new Response(body));
  const added = await ingest.addPacked(new URL('https://example.org/p.pincite'), 'p.pincite', {});
  assert.deepEqual([added.length, parts.length], [1, 1]);
  assert.deepEqual(
    ingest.jobs.map(({ error }) => error?.code),
    ['limit-exceeded'],
  );
});

test('a document that another version packed is read from its file', async () => {
  let isParsed = false;
  const { ingest, requests } = setUp({
    parse: async () => {
      isParsed = true;
      return { segment: new Uint8Array(1), info: { id: 'id' } };
    },
    commit: ({ vectors }) => {
      if (vectors) throw new EngineError('index-version', 'format 2, expected 3');
    },
  });
  await ingest.addPacked(await packedLibrary(['old']), 'policies.pincite', {});
  assert.deepEqual([isParsed, requests.length, ingest.jobs], [true, 2, []]);
});

test('a packed library that is cut off, or cancelled, leaves what was added before', async () => {
  const { ingest, documents } = setUp();
  const whole = await packedLibrary(['first', 'second']);
  await assert.rejects(ingest.addPacked(whole.slice(0, whole.size - 3), 'p', {}), { code: 'packed-invalid' });
  assert.equal(documents.size, 1);
  assert.equal(ingest.jobs[0]?.stage, 'failed');
  const controller = new AbortController();
  controller.abort();
  await assert.rejects(ingest.addPacked(whole, 'p', { signal: controller.signal }), { code: 'cancelled' });
  assert.equal(documents.size, 1);
});

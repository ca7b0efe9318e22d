import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { decode, encode } from '../single/base85.js';
import { citedDocuments, contentsOf, readContents } from './contents.js';
import { EvidenceError } from './errors.js';
import { readHeader } from './envelope.js';
import { fingerprintOf } from './fingerprint.js';
import { isLocked, opened } from './open.js';
import { packed } from './pack.js';
import { isLock, newLock, rounds, strengthOf } from './seal.js';

/** @typedef {import('./contents.js').Contents} Contents */

const sha256 = (/** @type {Uint8Array | string} */ bytes) => createHash('sha256').update(bytes).digest('hex');

/** Bytes over two blocks and a little more. */
const large = Uint8Array.from({ length: (2 << 20) + 7 }, (_, at) => (at * 7919) >> 3);
const small = new TextEncoder().encode('%PDF small');
const files = [new Blob([small]), new Blob([large])];

/** @param {string} documentId */
const citation = (documentId) => ({
  id: 1,
  quote: 'The fee is due.',
  status: /** @type {const} */ ('verified'),
  document: 'deed.pdf',
  documentId,
  page: 2,
  pageLabel: null,
  sectionPath: ['Fees'],
  legalStatus: null,
  quads: [[1, 2, 3, 4, 5, 6, 7, 8]],
  spans: [{ page: 2, range: [10, 25], quads: [[1, 2, 3, 4, 5, 6, 7, 8]] }],
  places: [],
  caveats: [],
  secret: 'left out',
});

/** Contents as the page would give them, with more than may go in. @param {object} [changes] */
function source(changes = {}) {
  return /** @type {any} */ ({
    title: 'Fees <script>alert(1)</script>',
    by: 'A. Lawyer',
    date: '2026-11-24',
    endpoint: 'https://example.test',
    answers: [
      {
        question: 'When is the fee due?',
        answer: {
          statements: [
            { text: 'The fee is due.', citations: [1], unsupported: [], unknown: [], continues: false },
          ],
          citations: [citation(sha256(small))],
          supporting: [],
          conflicts: [],
          notes: [
            {
              kind: 'later-edition',
              citation: 1,
              date: '2019',
              later: 'client-secret.pdf',
              laterDate: '2021',
            },
          ],
          verdict: null,
          message: '',
          answerability: 'answers',
          sufficient: true,
          by: 'extraction',
          trace: { question: 'earlier turn' },
        },
        searched: {
          n: 1,
          nReading: 0,
          scope: {
            nChosen: 1,
            nAll: 3,
            document: 'client-secret.pdf',
            section: 'Fees',
            from: '',
            to: '',
            inForce: false,
          },
        },
      },
    ],
    documents: [
      { id: sha256(small), name: 'deed.pdf', title: null, nPages: 3, bytes: small.length, addedAt: 1 },
      { id: sha256(large), name: 'act.pdf', title: 'Act', nPages: 9, bytes: large.length },
    ],
    ...changes,
  });
}

const template = new Blob(['<!doctype html><body>']);
const contents = contentsOf(source());

/** @param {string | null} passphrase @param {Contents} [what] @param {Blob[]} [of] */
const packedWith = (passphrase, what = contents, of = files) =>
  packed({ template, contents: what, files: of, passphrase });

/** Header and blocks of a file. @param {string} html */
function envelopeOf(html) {
  const elements = [...html.matchAll(/<script type="text\/plain" data-evidence="(\w+)">([^<]*)<\/script>/g)];
  const of = (/** @type {string} */ kind) =>
    elements.filter(([, is]) => is === kind).map(([, , text = '']) => text);
  return {
    header: of('header')[0] ?? '',
    blocks: of('block').map((textContent) => ({ textContent, remove: () => {} })),
  };
}

/** @param {string | null} passphrase */
const envelopeWith = async (passphrase) => envelopeOf(await (await packedWith(passphrase)).file.text());

/** @param {() => unknown} work @param {import('./errors.js').EvidenceFault} fault */
const faults = (work, fault) =>
  assert.rejects(
    async () => work(),
    (error) => error instanceof EvidenceError && error.fault === fault,
  );

test('what is saved comes back, with the documents’ bytes and their hashes', async () => {
  for (const passphrase of [null, 'correct horse battery']) {
    const { file, fingerprint, sha256: whole } = await packedWith(passphrase);
    assert.equal(whole, sha256(new Uint8Array(await file.arrayBuffer())));
    const envelope = envelopeOf(await file.text());
    assert.equal(isLocked(envelope), passphrase !== null);
    const back = await opened(envelope, passphrase ?? '');
    assert.deepEqual(back.contents, contents);
    assert.equal(back.fingerprint, fingerprint);
    assert.equal(back.isAsSaved, true);
    assert.deepEqual(
      await Promise.all(
        back.documents.map(async ({ file }) => sha256(new Uint8Array(await file.arrayBuffer()))),
      ),
      back.documents.map(({ id }) => id),
    );
    assert.deepEqual(
      back.documents.map((document) => document.sha256),
      back.documents.map(({ id }) => id),
    );
  }
});

test('nothing goes in but what is cited: no trace, no endpoint, no name of another document', () => {
  const text = JSON.stringify(contents);
  for (const secret of ['earlier turn', 'example.test', 'left out', 'client-secret', 'addedAt'])
    assert.ok(!text.includes(secret), secret);
  assert.equal(contents.answers[0]?.searched.scope?.section, 'Fees', 'what was searched does');
  assert.deepEqual(citedDocuments(contents.answers), [sha256(small)]);
});

test('the fingerprint is of the contents, twenty characters in fives of four', async () => {
  assert.equal(fingerprintOf(new Uint8Array(32).fill(255)), 'ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ');
  assert.equal(
    fingerprintOf(Uint8Array.of(0b00001_000, 0b10_00011_0, 0b0100_0010, 0b1_0000000, ...Array(28))).slice(
      0,
      9,
    ),
    '1234-5000',
  );
  const one = await packedWith(null);
  const other = await packedWith(null, { ...contents, by: 'B. Lawyer' });
  assert.notEqual(one.fingerprint, other.fingerprint);
  assert.equal(one.fingerprint, (await packedWith('correct horse battery')).fingerprint, 'locked or not');
});

test('under a passphrase nothing can be read, and no two files are alike', async () => {
  const files = await Promise.all([1, 2].map(() => packedWith('correct horse battery')));
  const texts = await Promise.all(files.map(({ file }) => file.text()));
  const blocks = texts.map((text) => envelopeOf(text).blocks.map(({ textContent }) => textContent));
  const bytes = blocks.map((each) => Buffer.concat(each.map((text) => decode(text))).toString('latin1'));
  for (const secret of [
    'Fees <script',
    'A. Lawyer',
    'deed.pdf',
    'act.pdf',
    'fee is due',
    sha256(small),
    files[0]?.fingerprint ?? '',
  ])
    assert.ok(![...texts, ...bytes].some((text) => text.includes(secret)), secret);
  assert.ok(blocks[0]?.every((block, at) => block !== blocks[1]?.[at]));
});

test('a wrong passphrase and a changed block are told apart', async () => {
  const envelope = await envelopeWith('correct horse battery');
  await faults(() => opened(envelope, 'wrong horse battery'), 'passphrase');
  const first = envelope.blocks[1];
  const other = envelope.blocks[2];
  assert.ok(first && other);
  const changed = [...envelope.blocks];
  changed[1] = {
    ...first,
    textContent: first.textContent.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  };
  await faults(() => opened({ ...envelope, blocks: changed }, 'correct horse battery'), 'changed');
  const swapped = [envelope.blocks[0], other, first, ...envelope.blocks.slice(3)];
  await faults(
    () => opened({ ...envelope, blocks: /** @type {any} */ (swapped) }, 'correct horse battery'),
    'changed',
  );
});

test('the same passphrase typed on another system opens the file', async () => {
  const envelope = envelopeOf(await (await packedWith('caf\u00e9 garden wall')).file.text());
  assert.ok((await opened(envelope, 'cafe\u0301 garden wall')).isAsSaved);
});

test('without a passphrase, changed contents and changed documents are seen', async () => {
  const { file } = await packedWith(null);
  const envelope = envelopeOf(await file.text());
  const change = (/** @type {(bytes: Uint8Array) => void} */ how, at = 1) =>
    envelope.blocks.map((block, blockIdx) => {
      if (blockIdx !== at) return block;
      const bytes = decode(block.textContent);
      how(bytes);
      return { ...block, textContent: encode(bytes) };
    });
  const replaced = change((bytes) => {
    const text = new TextDecoder('latin1').decode(bytes);
    bytes.set(new TextEncoder().encode('not'), text.indexOf('due'));
  });
  const contentsChanged = await opened({ ...envelope, blocks: replaced }, '');
  assert.equal(contentsChanged.isAsSaved, false);
  const documentChanged = await opened(
    { ...envelope, blocks: change((bytes) => bytes.fill(1, 100, 200), 2) },
    '',
  );
  assert.equal(documentChanged.isAsSaved, true);
  assert.deepEqual(
    documentChanged.documents.map((document) => document.sha256 === document.id),
    [true, false],
  );
});

test('files that were cut, made up or made to be large are refused before they are read', async () => {
  const envelope = await envelopeWith(null);
  await faults(() => opened({ ...envelope, blocks: envelope.blocks.slice(0, -1) }, ''), 'damaged');
  await faults(
    () => opened({ ...envelope, blocks: [...envelope.blocks, ...envelope.blocks.slice(1, 2)] }, ''),
    'damaged',
  );
  const cut = envelope.blocks.map((block, at) =>
    at === 1 ? { ...block, textContent: block.textContent.slice(0, 1000) } : block,
  );
  await faults(() => opened({ ...envelope, blocks: cut }, ''), 'damaged');
  const strange = envelope.blocks.map((block) => ({
    ...block,
    textContent: block.textContent.replaceAll('0', '~'),
  }));
  await faults(() => opened({ ...envelope, blocks: strange }, ''), 'damaged');
  /** @type {[string, import('./errors.js').EvidenceFault][]} */
  const headers = [
    ['', 'damaged'],
    ['[]', 'damaged'],
    ['{"format":1}', 'damaged'],
    ['{"format":2,"bytes":1,"lock":null}', 'format'],
    ['{"format":1,"bytes":1e12,"lock":null}', 'too-large'],
    ['{"format":1,"bytes":-1,"lock":null}', 'damaged'],
    ['{"format":1,"bytes":1.5,"lock":null}', 'damaged'],
    [`{"format":1,"bytes":1,"lock":null,"x":"${'x'.repeat(2000)}"}`, 'damaged'],
  ];
  for (const [text, fault] of headers) await faults(() => readHeader(text), fault);
});

test('a file may neither weaken its lock nor make the page count for minutes', () => {
  const lock = newLock();
  assert.ok(isLock(lock) && lock.rounds >= 600_000);
  for (const bad of [
    { ...lock, rounds: rounds - 1 },
    { ...lock, rounds: 1e9 },
    { ...lock, rounds: '600000' },
    { ...lock, salt: '' },
    { ...lock, salt: 'zz'.repeat(16) },
    { ...lock, iv: `${lock.iv}00` },
    null,
  ])
    assert.equal(isLock(bad), false);
});

test('contents of any other shape are refused', () => {
  const encoded = (/** @type {unknown} */ value) => new TextEncoder().encode(JSON.stringify(value));
  assert.deepEqual(readContents(encoded(contents)), contents);
  const [first] = contents.answers;
  assert.ok(first);
  const [cited] = first.answer.citations;
  const answering = (/** @type {object} */ changes) => ({
    ...contents,
    answers: [{ ...first, answer: { ...first.answer, ...changes } }],
  });
  for (const bad of [
    null,
    [],
    { ...contents, title: 'x'.repeat(301) },
    { ...contents, title: { toString: 'x' } },
    { ...contents, answers: [] },
    { ...contents, answers: Array(101).fill(first) },
    { ...contents, documents: [...contents.documents, ...contents.documents] },
    { ...contents, documents: contents.documents.slice(1) },
    { ...contents, documents: contents.documents.map((each) => ({ ...each, id: '../x' })) },
    answering({ citations: [{ ...cited, quads: [[1, 2, 3]] }] }),
    answering({ citations: [{ ...cited, quads: [[1, 2, 3, 4, 5, 6, 7, 1e300]] }] }),
    answering({ citations: [cited, cited] }),
    answering({ citations: [{ ...cited, status: 'perfect' }] }),
    answering({ citations: [{ ...cited, page: -1 }] }),
    answering({ notes: [{ kind: 'constructor' }] }),
    answering({ by: 'a court' }),
  ])
    assert.throws(() => readContents(encoded(bad)), EvidenceError);
  assert.throws(() => readContents(Uint8Array.of(255, 254)), EvidenceError);
});

test('stopping ends the writing', async () => {
  const controller = new AbortController();
  const writing = packed(
    { template, contents, files, passphrase: null },
    { signal: controller.signal, onProgress: (done) => done > 0 && controller.abort() },
  );
  await assert.rejects(writing, { name: 'AbortError' });
});

test('a stored file that is not the one that was read is not saved', () =>
  faults(() => packedWith(null, contents, [new Blob(['other']), new Blob([large])]), 'changed'));

test('a passphrase is called strong by length and variety', () => {
  /** @type {[string, string][]} */
  const cases = [
    ['', 'short'],
    ['1234567', 'short'],
    ['aaaaaaaaaaaaaaaaaaaaaaaa', 'weak'],
    ['password1', 'weak'],
    ['garden-wall-42', 'fair'],
    ['correct horse battery staple', 'strong'],
  ];
  for (const [passphrase, expected] of cases) assert.equal(strengthOf(passphrase), expected, passphrase);
});

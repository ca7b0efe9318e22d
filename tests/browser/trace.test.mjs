/**
 * The same question over the same document, asked by the page and by the native command of the same scripted endpoint:
 * the same requests go out, word for word, and the same trace comes back. Needs the command (`PINCITE`, else
 * `target/debug/pincite`).
 */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { startServer } from '../llm/server.mjs';
import {
  ask,
  drop,
  embedded,
  sample,
  samplesFolder,
  searchable,
  setModel,
  siteFolder,
  start,
  stop,
  withPage,
} from './harness.mjs';

/** @typedef {import('../llm/server.mjs').Script} Script */

const command =
  process.env['PINCITE'] ?? fileURLToPath(new URL('../../target/debug/pincite', import.meta.url));
const skip = existsSync(command) ? false : `skipped: ${command} is not built (cargo build -p pincite-cli)`;
const key = 'sk-test-key-of-the-server';
const run = promisify(execFile);
let folder = '';
/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;

before(async () => {
  await start();
  server = await startServer({ key });
  folder = await mkdtemp(path.join(tmpdir(), 'pincite-trace-'));
});
after(async () => {
  await stop();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** A place as both sides report it. @param {any} place */
const placed = ({ document, page, sectionPath, section_path }) => ({
  document,
  page,
  path: sectionPath ?? section_path,
});

/** The part of an answer that must be equal. Messages of faults are each side's own. @param {any} answer */
const compared = ({
  by,
  sufficient,
  answer,
  statements,
  citations,
  supporting = [],
  conflicts,
  verdict,
  trace,
}) => ({
  by,
  sufficient,
  answer,
  statements: statements.map((/** @type {any} */ { text, citations, unsupported, unknown }) => ({
    text,
    citations,
    unsupported,
    unknown,
  })),
  citations: citations.map((/** @type {any} */ citation) => ({
    ...placed(citation),
    id: citation.id,
    quote: citation.quote,
    status: citation.status,
  })),
  supporting,
  conflicts: conflicts ?? trace.conflicts ?? [],
  verdict,
  question: trace.question,
  rewrites: trace.rewrites,
  passage: trace.passage,
  queries: trace.queries,
  kept: trace.kept.map(placed),
  extracts: trace.extracts.map(placed),
  selected: trace.selected.map(placed),
  reflection: trace.reflection,
  calls: trace.calls.map(
    (/** @type {any} */ { call, step, endpoint, model, prompt, sent, received, outcome }) => ({
      call,
      step,
      endpoint,
      model,
      prompt,
      sent,
      received,
      outcome,
    }),
  ),
  degraded: trace.degraded.map((/** @type {any} */ { step }) => step),
});

/** Requests that the endpoint received; one without a valid key is not read. */
const asked = () =>
  server.requests.map(({ step, body }) => ({
    step,
    messages: body?.messages,
    maxTokens: body?.max_tokens,
    temperature: body?.temperature,
    schema: body?.response_format?.json_schema?.name,
  }));

/** @type {[name: string, script: Script][]} */
const scripts = [
  ['a good model', {}],
  ['replies with prose around them', { faults: [{ kind: 'extra-prose', times: 0 }] }],
  ['a broken form, put right when it is named', { faults: [{ kind: 'not-json', step: 'extract', nth: 1 }] }],
  ['quotations that never come in form', { faults: [{ kind: 'not-json', step: 'extract', times: 0 }] }],
  [
    'a check that is not content',
    {
      replies: {
        reflect: [
          JSON.stringify({
            grounded: true,
            consistent: true,
            complete: false,
            problem: 'the exceptions are missing',
            missing: ['Which liability is not limited?'],
          }),
          JSON.stringify({ grounded: true, consistent: true, complete: true, problem: '', missing: [] }),
        ],
      },
    },
  ],
  ['a model of a short context', { faults: [{ kind: 'too-long', step: 'read' }] }],
  [
    'a server that refuses one step',
    { faults: [{ kind: 'status', status: 400, step: 'extract', times: 0 }] },
  ],
  ['a key that is refused', { key: 'another' }],
];

test('page and command ask the same and answer the same', { skip }, () =>
  withPage(
    async (page) => {
      const question = 'What is the cap on liability?';
      // The command makes the vectors that this browser makes.
      const model = ['--embedder', path.join(siteFolder, 'model'), '--activations', '7'];
      const library = path.join(folder, 'library');
      await run(command, ['index', path.join(samplesFolder, 'contract.pdf'), '--out', library, ...model]);
      await drop(page, [await sample('contract.pdf')]);
      await searchable(page, 1);
      await embedded(page);
      await setModel(page, { kind: 'openai', url: server.url, model: 'scripted', key });
      for (const [name, script] of scripts) {
        server.reset({ key, ...script });
        const shown = compared(await ask(page, question));
        const here = asked();
        server.reset({ key, ...script });
        const { stdout } = await run(
          command,
          [
            'ask',
            library,
            '--question',
            question,
            '--llm',
            server.url,
            '--model',
            'scripted',
            '--json',
            ...model,
          ],
          { env: { ...process.env, PINCITE_API_KEY: key }, maxBuffer: 64 * 1024 * 1024 },
        );
        assert.deepEqual(here, asked(), `${name}: the requests`);
        assert.deepEqual(shown, compared(JSON.parse(stdout)), `${name}: the trace`);
        await page.getByRole('button', { name: 'New conversation' }).click();
      }
    },
    { vectors: true, provoked: /status of 40[01]/ },
  ),
);

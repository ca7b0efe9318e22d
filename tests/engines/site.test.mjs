/** The served site in three engines: the main job, stopping, an engine that stops, and the second visit without a network. */

import assert from 'node:assert/strict';
import {
  drop,
  embedded,
  pdf,
  ready,
  sample,
  searchable,
  setModel,
  snapshot,
  stored,
} from '../browser/harness.mjs';
import { startServer } from '../llm/server.mjs';
import { inEachEngine } from './harness.mjs';

const question = 'What is the cap on liability?';

inEachEngine(({ test, atSite }) => {
  test('a document, a question, its citation lit; library and conversation after a reload', () =>
    atSite(
      async (tab) => {
        await ready(tab);
        await tab.click('button', 'Add the sample');
        await drop(tab, [await sample('contract.pdf')]);
        await searchable(tab, 2);
        await embedded(tab);
        await tab.ask(question);
        await tab.click('button.citation');
        await tab.shows('.page-view canvas');
        await tab.shows('.light');
        await tab.press('Escape');
        const before = (await snapshot(tab)).documents.map(({ name, nEmbedded }) => [name, nEmbedded]);
        await tab.reload();
        await ready(tab);
        const after = (await snapshot(tab)).documents.map(({ name, nEmbedded }) => [name, nEmbedded]);
        assert.deepEqual(after, before);
        await tab.shows('.thread .asked', question);
      },
      { vectors: true },
    ));

  test('a file that is cancelled while it is read leaves nothing', () =>
    atSite(async (tab) => {
      await ready(tab);
      // The tour of a first visit lies over the list.
      await tab.reload();
      await ready(tab);
      const lines = Array.from(
        { length: 40 },
        (_, line) => `Section ${line}. The fee is due in ${line} days.`,
      );
      // As many pages as are allowed: reading them takes longer than finding the button.
      const kids = '3 0 R '.repeat(19_999);
      await drop(tab, [pdf('long.pdf', lines, `<< /Type /Pages /Kids [${kids}] /Count 19999 >>`)]);
      await tab.click('button', 'Cancel long.pdf');
      await tab.shows('.documents', 'Cancelled. Nothing of this file was kept.');
      await drop(tab, [await sample('contract.pdf')]);
      await searchable(tab, 1);
      assert.equal((await stored(tab))['files'], 1);
    }));

  test('an answer that is stopped ends its request and keeps what was there', async () => {
    const server = await startServer({ faults: [{ kind: 'drip', step: 'read', bytes: 60, delayMs: 60 }] });
    try {
      await atSite(async (tab) => {
        await ready(tab);
        await drop(tab, [await sample('contract.pdf')]);
        await searchable(tab, 1);
        await setModel(tab, { kind: 'openai', url: server.url, model: 'scripted' });
        await tab.click('textarea');
        await tab.type(question);
        await tab.press('Enter');
        await tab.shows('.draft-text', 'The text');
        await tab.click('button', 'Stop');
        assert.match(await tab.shows('.answer-card[data-state=cancelled]'), /Stopped\.[\s\S]*The text/);
      });
    } finally {
      await server.close();
    }
  });

  test('an engine that stops comes back with its library, and answers', () =>
    atSite(
      async (tab) => {
        await ready(tab);
        await drop(tab, [await sample('contract.pdf')]);
        await searchable(tab, 1);
        await tab.evaluate(() => {
          const { engine } = /** @type {import('../browser/harness.mjs').PinciteWidget} */ (
            document.querySelector('pincite-widget')
          );
          Object.assign(globalThis, { firstOpened: engine.opened });
          new BroadcastChannel('trap').postMessage('now');
        });
        // Another owner opens the library.
        await tab.waitForFunction(
          () =>
            /** @type {import('../browser/harness.mjs').PinciteWidget} */ (
              document.querySelector('pincite-widget')
            ).engine.opened !== Reflect.get(globalThis, 'firstOpened'),
        );
        await searchable(tab, 1);
        await tab.ask(question);
        await tab.shows('button.citation');
      },
      {
        provoked: /unreachable/,
        site: (host) => {
          const { send } = host;
          host.send = (name, bytes) =>
            name === 'engine/worker.js'
              ? Buffer.concat([
                  bytes,
                  Buffer.from(
                    `\nnew BroadcastChannel('trap').onmessage = () => setTimeout(() => { throw new WebAssembly.RuntimeError('unreachable'); });\n`,
                  ),
                ])
              : send(name, bytes);
        },
      },
    ));

  test('from the second visit on, no network is needed', () =>
    atSite(
      async (tab, host) => {
        await ready(tab);
        await tab.waitForFunction(
          () =>
            /** @type {import('../browser/harness.mjs').PinciteWidget} */ (
              document.querySelector('pincite-widget')
            ).site?.state.isKept,
          null,
          { timeout: 180_000 },
        );
        await host.close();
        await tab.reload();
        await ready(tab);
        await tab.click('button', 'Add the sample');
        await searchable(tab, 1);
        await tab.ask(question);
        await tab.click('button.citation');
        await tab.shows('.light');
      },
      { vectors: true },
    ));
});

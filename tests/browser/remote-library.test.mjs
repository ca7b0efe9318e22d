/**
 * A library on a server beside the documents of the browser, through the built page and a real server: asked, cited, lit by
 * ranges, filtered, stopped, with a token that expires, without a network, and under a strict policy. What a server may do
 * that means harm: `remote-hostile.test.mjs`.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { download } from './evidence-file.mjs';
import { eventually, sent, site, siteFolder, snapshot, stored, violations, withPage } from './harness.mjs';
import { Host } from './host.mjs';
import {
  addContract,
  asks,
  cited,
  complaint,
  connect,
  held,
  lens,
  lensPage,
  lensQuestion,
  lights,
  newest,
  server,
  skip,
  status,
  useLibrary,
} from './remote.mjs';

/** @typedef {import('./harness.mjs').Page} Page */
/** @typedef {import('./harness.mjs').PinciteWidget} PinciteWidget */

useLibrary();

/** Row of a document of the library. @param {Page} page @param {string} name */
const listed = (page, name) => page.locator('.remote-library').getByRole('button', { name });

/** @param {Page} page @param {string} name */
const box = (page, name) => page.getByRole('checkbox', { name });

test('both libraries answer as one, each citation says where its document lies, and is lit', { skip }, () =>
  withPage(async (page) => {
    await addContract(page);
    await connect(page);
    assert.deepEqual(await page.locator('.remote-library .row-name').allInnerTexts(), [
      'Client protection rulebook',
      'Manual of all plants',
      'opinion.docx',
    ]);
    await asks(page, 'Within how many days must a breach or incident be notified?');
    const where = new URL(server.url).host;
    const rows = await cited(page);
    assert.deepEqual(
      rows.map(({ id }) => id),
      rows.map((_, at) => at + 1),
    );
    assert.deepEqual([...new Set(rows.map(({ library }) => library))].sort(), [where, null].sort());
    assert.ok(
      rows.every(({ document, library }) => (document === 'Services Agreement') === (library === null)),
    );
    assert.deepEqual(
      rows.flatMap(({ statuses }) => statuses),
      [],
      'all were looked up and found',
    );
    assert.match(await newest(page), /looked up on this device/);
    assert.deepEqual(await violations(page), []);
    const remote = page.locator('.answer-card button.citation', { hasText: where }).first();
    const quote = await remote.locator('.citation-quote').innerText();
    await remote.click();
    await page.locator('.light').first().waitFor({ state: 'attached' });
    assert.equal(await page.locator('.viewer-title').innerText(), 'Client protection rulebook');
    const text = page.locator('.page-view .text-layer').first();
    await eventually(async () => /\w/.test(await text.innerText()), 'the text of the page');
    assert.ok(quote.length > 10);
    assert.deepEqual(await violations(page), []);
  }),
);

test(
  'what is sent is the question with the token; all of it is in the ledger, nothing is stored',
  { skip },
  () =>
    withPage(async (page, context) => {
      await context.addCookies([{ name: 'session', value: 'secret', url: server.url }]);
      await addContract(page);
      const before = await stored(page);
      await connect(page);
      await asks(page, complaint);
      await asks(page, 'And to whom must it be sent?');
      const [first, second] = server.seen('/v1/ask');
      assert.deepEqual(first?.body, { question: complaint });
      assert.equal(second?.body.history.length, 1);
      assert.equal(second?.body.history[0].question, complaint);
      assert.ok(
        !JSON.stringify(server.requests).includes('Services Agreement'),
        'nothing of a document of this browser',
      );
      for (const { authorization, cookie, origin, path } of server.requests.filter(
        ({ method }) => method !== 'OPTIONS',
      )) {
        assert.equal(authorization, 'Bearer token-a', path);
        assert.deepEqual([cookie, origin], [undefined, site().slice(0, -1)]);
      }
      const entries = await sent(page);
      const asked = server.requests.filter(({ method }) => method !== 'OPTIONS');
      assert.deepEqual(
        entries.map(({ where, method }) => `${method} ${where}`),
        asked.map(({ path, method }) => `${method} ${new URL(path, server.url).href}`),
      );
      assert.ok(entries.every(({ outcome }) => outcome === 'ok'));
      assert.ok(!JSON.stringify(entries).includes('token-a'));
      await page.getByRole('button', { name: /requests?, .* sent/ }).click();
      const table = await page.locator('dialog.ledger table').innerText();
      for (const name of [
        'List of a library',
        'Question to a library',
        'Document of a library',
        '1 earlier answer',
      ])
        assert.ok(table.includes(name), name);
      assert.match(await page.locator('dialog.ledger').innerText(), /libraries on servers/);
      await page.keyboard.press('Escape');
      assert.deepEqual(await stored(page), before);
      await page.reload();
      await page.waitForFunction(() => customElements.get('pincite-widget') !== undefined);
      await eventually(async () => (await snapshot(page)).state === 'open', 'the library of this browser');
      assert.equal(await page.locator('.answer-card').count(), 0, 'its answers are not kept');
    }),
);

test('page 412 of 900 is compared and opened without the rest', { skip }, () =>
  withPage(async (page) => {
    await connect(page);
    await asks(page, lensQuestion);
    const [row] = await cited(page);
    assert.deepEqual([row?.quote, row?.statuses], [lens, []]);
    const bytes = () => server.seen('/v1/documents').reduce((sum, { sent }) => sum + sent, 0);
    const compared = bytes();
    assert.ok(compared < held.manual.bytes.length / 3, `${compared} of ${held.manual.bytes.length} bytes`);
    assert.ok(server.seen('/v1/documents').every(({ range, status }) => range && status === 206));
    await page.locator('button.citation').first().click();
    await page.locator('.light').first().waitFor({ state: 'attached' });
    assert.deepEqual(await lights(page), [lensPage]);
    assert.equal(await page.locator('.viewer .of-pages input').inputValue(), String(lensPage));
    await page.locator(`.page-view[data-page="${lensPage}"] canvas`).waitFor();
    assert.ok(bytes() < held.manual.bytes.length / 3, 'the page that was compared is the one that is shown');
    // Another page comes when it is wanted.
    await page.locator('.viewer .of-pages input').fill('200');
    await page.keyboard.press('Enter');
    await page.locator('.page-view[data-page="200"] canvas').waitFor();
    assert.ok(bytes() > compared);
    assert.ok(bytes() < held.manual.bytes.length / 2);
  }),
);

test('a Word file is read here, and its cited words are lit as text', { skip }, () =>
  withPage(async (page) => {
    await connect(page);
    await box(page, 'Look in Client protection rulebook').uncheck();
    await box(page, 'Look in Manual of all plants').uncheck();
    await asks(page, 'What does an opinion of counsel bind?');
    assert.deepEqual(server.seen('/v1/ask')[0]?.body.documents, [held.word.id]);
    const rows = await cited(page);
    assert.deepEqual(
      rows.flatMap(({ statuses }) => statuses),
      [],
    );
    await page.locator('button.citation').first().click();
    const light = page.locator('.text-light').first();
    await light.waitFor();
    const lit = (await page.locator('.text-light').allInnerTexts()).join('');
    assert.equal(lit.replaceAll(/\s+/g, ' '), rows[0]?.quote?.replaceAll(/\s+/g, ' '));
  }),
);

test('a document opens from the list, and can be looked through', { skip }, () =>
  withPage(async (page) => {
    await connect(page);
    await listed(page, 'Client protection rulebook').click();
    await page.locator('.page-view canvas').first().waitFor();
    await page.keyboard.press('Escape');
    await listed(page, 'opinion.docx').click();
    await page.locator('.viewer-text').getByText('Levels of Comfort').first().waitFor();
  }),
);

test('a question goes where the chosen documents lie, and nowhere else', { skip }, () =>
  withPage(async (page) => {
    await addContract(page);
    await connect(page);
    await box(page, 'Look in Services Agreement').uncheck();
    await asks(page, complaint);
    assert.equal(server.seen('/v1/ask')[0]?.body.documents, undefined, 'all of the library');
    assert.ok((await cited(page)).every(({ library }) => library !== null));
    await page.locator('.filter summary').click();
    await page.getByRole('combobox', { name: 'Document' }).selectOption({ label: 'contract.pdf' });
    await asks(page, 'What is the cap on liability?');
    assert.equal(server.seen('/v1/ask').length, 1, 'no document of the library is chosen: nothing is sent');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await box(page, `Also ask ${new URL(server.url).host}`).uncheck();
    await asks(page, 'Who may end the agreement?');
    assert.equal(server.seen('/v1/ask').length, 1);
    assert.match(await page.locator('.remote-line').innerText(), /Questions are not sent to/);
    await box(page, `Also ask ${new URL(server.url).host}`).check();
    await asks(page, complaint);
    assert.equal(server.seen('/v1/ask').length, 2);
  }),
);

test('a filter holds for the documents of both', { skip }, () =>
  withPage(async (page) => {
    await addContract(page);
    await connect(page);
    await page.locator('.filter summary').click();
    await page.getByRole('textbox', { name: 'Section' }).fill('Part 4');
    await page.getByRole('checkbox', { name: 'Exclude repealed provisions' }).check();
    await asks(page, complaint);
    assert.deepEqual(server.seen('/v1/ask')[0]?.body, {
      question: complaint,
      filter: { sections: ['Part 4'], inForce: true },
    });
    const rows = (await cited(page)).filter(({ isSupporting }) => !isSupporting);
    assert.ok(rows.length > 0);
    assert.ok(
      rows.every(
        ({ document, path }) => document === 'Client protection rulebook' && /^PART 4\b/.test(path ?? ''),
      ),
    );
    // A date that no document here has: those there decide for themselves.
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('to', { exact: true }).fill('1990-12-31');
    await asks(page, `${complaint} `);
    assert.deepEqual(server.seen('/v1/ask')[1]?.body.filter, { to: '1990-12-31' });
    assert.equal(server.seen('/v1/ask')[1]?.body.documents, undefined);
    assert.equal((await cited(page)).length, 0);
  }),
);

test('stopping closes the stream', { skip }, () =>
  withPage(
    async (page) => {
      await addContract(page);
      await connect(page);
      server.stream = async (send, _, response) => {
        send({ event: 'progress', step: 'read', done: 1, total: 3 });
        await new Promise((resolve) => response.on('close', resolve));
      };
      await page.getByRole('textbox', { name: 'Your question' }).fill(complaint);
      await page.keyboard.press('Enter');
      await page.getByText(/writing the answer, 1 of 3/).waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText('Stopped.').first().waitFor();
      await eventually(async () => server.seen('/v1/ask')[0]?.aborted === true, 'the server to see the end');
      assert.equal((await sent(page)).at(-1)?.outcome, 'cancelled');
    },
    { provoked: /ERR_ABORTED/ },
  ),
);

test('who does not want to wait goes on without it', { skip }, () =>
  withPage(async (page) => {
    await addContract(page);
    await connect(page);
    server.stream = async (_, __, response) =>
      void (await new Promise((resolve) => response.on('close', resolve)));
    await page.getByRole('textbox', { name: 'Your question' }).fill('What is the cap on liability?');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Do not wait for it' }).click();
    await page.locator('.answer-card[data-state=answered]').waitFor();
    assert.match(await newest(page), /was not waited for/);
    assert.ok((await cited(page)).every(({ library }) => library === null));
    await eventually(async () => server.seen('/v1/ask')[0]?.aborted === true, 'the server to see the end');
  }),
);

test('a token that expires in the middle of an answer is renewed, and the answer comes', { skip }, () =>
  withPage(
    async (page) => {
      await connect(page, { tokens: ['token-a', 'token-a2', 'token-a3'] });
      const { stream } = server;
      server.stream = async (send, answer, response, token) => {
        if (token !== 'token-a') return stream(send, answer, response, token);
        send({ event: 'progress', step: 'search', done: 1, total: 2 });
        // From here on only a new one is taken.
        server.tokens = new Map([['token-a2', 'a']]);
        server.expired = new Set(['token-a']);
        const error = { code: 'token-expired', message: 'the token has expired', hint: '', requestId: 'r' };
        send({ event: 'error', error });
      };
      await asks(page, complaint);
      assert.deepEqual(
        server.seen('/v1/ask').map(({ authorization }) => authorization),
        ['Bearer token-a', 'Bearer token-a2'],
      );
      assert.ok((await cited(page)).length > 0);
      // Once more, while a document is opened by ranges.
      server.stream = stream;
      server.tokens = new Map([['token-a3', 'a']]);
      server.expired = new Set(['token-a2']);
      await listed(page, 'Manual of all plants').click();
      await page.locator('.page-view canvas').first().waitFor();
      assert.equal(await page.evaluate(() => Reflect.get(globalThis, 'asked')), 3);
      assert.equal((await status(page))?.state, 'open');
    },
    { provoked: /401/ },
  ),
);

test(
  'a token that is not taken is asked for again once, and then said so; a new one is enough',
  { skip },
  () =>
    withPage(
      async (page) => {
        await page.evaluate(() => {
          /** @type {unknown[]} */
          const states = [];
          Reflect.set(globalThis, 'states', states);
          document.addEventListener('pincite-library', (event) => {
            const { state, reason } = Reflect.get(event, 'status');
            states.push([state, reason]);
          });
        });
        await connect(page, { tokens: ['stale'], state: 'failed' });
        assert.equal(await page.evaluate(() => Reflect.get(globalThis, 'asked')), 2);
        assert.equal(server.seen('/v1/library').length, 2);
        const line = page.locator('.remote-line');
        assert.match(await line.innerText(), /does not accept the sign-in\.\s+Sign in again/);
        assert.match(await line.innerText(), /Request r\d+\./);
        assert.deepEqual(await violations(page), []);
        assert.equal((await status(page))?.reason, 'unauthorized');
        await page.evaluate(() => Reflect.get(globalThis, 'tokens').splice(0, 1, 'token-a'));
        await line.getByRole('button', { name: 'Try again' }).click();
        await listed(page, 'Client protection rulebook').waitFor();
        assert.deepEqual(await page.evaluate(() => Reflect.get(globalThis, 'states')), [
          ['connecting', null],
          ['failed', 'unauthorized'],
          ['connecting', null],
          ['open', null],
        ]);
      },
      { provoked: /401/ },
    ),
);

test(
  'a server that is killed in the middle leaves this browser’s answer, and is asked again when it is back',
  { skip },
  () =>
    withPage(
      async (page) => {
        await addContract(page);
        await connect(page);
        const begun = page.waitForResponse(
          (response) => response.url().endsWith('/v1/ask') && response.request().method() === 'POST',
        );
        server.stream = async (send) => {
          send({ event: 'progress', step: 'search', done: 1, total: 2 });
          await begun;
          setTimeout(() => void server.kill(), 50);
          await new Promise(() => {});
        };
        await asks(page, 'What is the cap on liability?');
        assert.match(
          await newest(page),
          /The connection to .* broke in the middle of the answer\. Ask again\./,
        );
        assert.ok((await cited(page)).length > 0);
        assert.ok((await cited(page)).every(({ library }) => library === null));
        // Gone altogether: a question to it alone fails, in words.
        await page.locator('.filter summary').click();
        await page.getByRole('combobox', { name: 'Document' }).selectOption({ label: 'rulebook.pdf' });
        await asks(page, complaint);
        assert.match(await newest(page), /cannot be reached\.\s+It may be down/);
        assert.equal((await status(page))?.state, 'failed');
        server.reset();
        await server.start();
        await page.locator('.remote-line').getByRole('button', { name: 'Try again' }).click();
        await eventually(async () => (await status(page))?.state === 'open', 'the library to be back');
        await asks(page, `${complaint} `);
        assert.ok((await cited(page)).length > 0);
      },
      { provoked: /ERR_|net::/ },
    ),
);

test('pages that do not come are said to be missing, and come when the server is back', { skip }, () =>
  withPage(
    async (page) => {
      await connect(page);
      await listed(page, 'Manual of all plants').click();
      await page.locator('.page-view[data-page="1"] canvas').waitFor();
      await server.kill();
      await page.locator('.viewer .of-pages input').fill('700');
      await page.keyboard.press('Enter');
      const missing = page.locator('.library-missing');
      await missing.waitFor();
      assert.match(await missing.innerText(), /A part of this document did not come from/);
      await server.start();
      await missing.getByRole('button', { name: 'Try again' }).click();
      await page.locator('.page-view[data-page="700"] canvas').waitFor();
      await missing.waitFor({ state: 'hidden' });
    },
    { provoked: /ERR_|net::/ },
  ),
);

test('without a network that is said, and with one the library is looked for by itself', { skip }, () =>
  withPage(
    async (page, context) => {
      await connect(page);
      await context.setOffline(true);
      await connect(page, { state: 'failed' });
      assert.equal((await status(page))?.reason, 'offline');
      assert.match(await page.locator('.remote-line').innerText(), /There is no network to ask/);
      await context.setOffline(false);
      await listed(page, 'Client protection rulebook').waitFor();
    },
    { provoked: /ERR_INTERNET_DISCONNECTED/ },
  ),
);

test('an answer is saved with documents of both', { skip }, () =>
  withPage(async (page) => {
    await addContract(page);
    await connect(page);
    await asks(page, 'Within how many days must a breach or incident be notified?');
    await page.getByRole('button', { name: 'Save with documents' }).first().click();
    const { told } = await download(page, 'both.html');
    assert.match(told, /Fingerprint/);
  }),
);

test('under a strict policy nothing but the library’s origin is needed; without it, the page says so', {
  skip,
}, async () => {
  // A host of its own: a page that a test makes up is none of this machine's, and may not ask its servers.
  const host = await new Host().open(siteFolder);
  const policy = (/** @type {string} */ origin) => ({
    'content-security-policy': `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self' ${origin}; style-src 'self'; img-src blob: data:; font-src blob: data:; require-trusted-types-for 'script'; trusted-types pincite`,
  });
  host.send = (name, bytes) =>
    name === 'index.html'
      ? Buffer.from(
          '<!doctype html><html lang="en"><title>Portal</title><link rel="icon" href="data:,"><script type="module" src="pincite-widget.js"></script><pincite-widget src="./"></pincite-widget>',
        )
      : bytes;
  /** @param {Page} page */
  const open = async (page) => {
    await page.goto(host.url);
    await page.waitForFunction(() => customElements.get('pincite-widget') !== undefined);
  };
  try {
    await withPage(async (page) => {
      host.headers = policy(new URL(server.url).origin);
      await open(page);
      await connect(page);
      await asks(page, lensQuestion);
      await page.locator('button.citation').first().click();
      await page.locator('.light').first().waitFor({ state: 'attached' });
    });
    await withPage(
      async (page) => {
        host.headers = policy('');
        await open(page);
        await connect(page, { state: 'failed' });
        assert.equal((await status(page))?.reason, 'policy');
        assert.match(await page.locator('.remote-line').innerText(), /add its origin to connect-src/);
      },
      { provoked: /Content Security Policy|Refused to connect/ },
    );
  } finally {
    await host.close();
  }
});

test('in the other layouts, and where there is little room, it is asked and said too', { skip }, () =>
  withPage(
    async (page) => {
      await page.evaluate(() => {
        // As a portal has it: a page with a heading and content of its own.
        const [main, heading] = [document.createElement('main'), document.createElement('h1')];
        heading.textContent = 'Policies';
        main.append(heading);
        document.body.prepend(main);
        document.querySelector('pincite-widget')?.setAttribute('layout', 'answer');
      });
      await connect(page);
      assert.equal(await page.locator('.remote-library').isVisible(), false);
      assert.ok(await box(page, `Also ask ${new URL(server.url).host}`).isVisible());
      await asks(page, complaint);
      await page.locator('button.citation').first().click();
      await page.locator('.light').first().waitFor({ state: 'attached' });
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press('Escape');
      await page.evaluate(() => document.querySelector('pincite-widget')?.setAttribute('layout', 'full'));
      await page.locator('.library-toggle').click();
      await listed(page, 'Client protection rulebook').waitFor();
      assert.deepEqual(await violations(page), []);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 360, `${width} px`);
    },
    { viewport: { width: 360, height: 740 } },
  ),
);

test('the property is taken before the element is defined, changes with it, and goes with it', { skip }, () =>
  withPage(async (page) => {
    await connect(page);
    await page.evaluate(() => document.querySelector('pincite-widget')?.setAttribute('lang', 'zh'));
    await page.getByText('同时询问').waitFor();
    assert.equal(await page.locator('.remote-library').count(), 1);
    await page.evaluate(() => {
      const widget = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
      widget.library = null;
    });
    assert.deepEqual(
      [await page.locator('.remote-library').count(), await page.locator('.remote-line').count()],
      [0, 0],
    );
    const nBefore = server.requests.length;
    const state = await page.evaluate(async (url) => {
      const old = document.querySelector('pincite-widget');
      const widget = /** @type {PinciteWidget} */ (document.createElement('pincite-widget'));
      widget.setAttribute('src', './');
      widget.library = { url, token: () => 'token-a' };
      const open = new Promise((resolve) =>
        widget.addEventListener('pincite-library', (event) => {
          if (/** @type {any} */ (event).status.state === 'open') resolve(null);
        }),
      );
      old?.replaceWith(widget);
      await open;
      const before = widget.library?.nDocuments;
      widget.remove();
      return [before, widget.library];
    }, server.url);
    assert.deepEqual(state, [3, null]);
    assert.ok(server.requests.length > nBefore);
  }),
);

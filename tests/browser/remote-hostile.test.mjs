/**
 * A library's server that lies, fails and means harm: what it says of quotations is looked up, its words stay text, its
 * replies are bounded, and a document that the person may not see stays where it is.
 */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';
import { eventually, sample, violations, withPage } from './harness.mjs';
import { fail } from './library-server.mjs';
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
/** @typedef {import('../../www/engine/protocol.js').Answer} Answer */
/** @typedef {import('../../www/engine/protocol.js').Citation} Citation */

useLibrary();

/** Changes the first citation of every answer, and the sentence that quotes it. @param {(citation: Citation) => Partial<Citation>} change */
function lie(change) {
  server.alter = (answer) => {
    const [first, ...rest] = answer.citations;
    if (!first) return answer;
    const changed = { ...first, ...change(first) };
    const statements = answer.statements.map((statement) =>
      statement.text === first.quote ? { ...statement, text: changed.quote } : statement,
    );
    return { ...answer, statements, citations: [changed, ...rest] };
  };
}

/** Opens the first citation of the newest answer. @param {Page} page */
const openFirst = (page) => page.locator('.answer-card').first().locator('button.citation').first().click();

/** Boxes that are lit, as shares of their page. @param {Page} page */
const boxes = (page) =>
  page.locator('.light').evaluateAll((all) =>
    all.map((light) => {
      const style = /** @type {HTMLElement} */ (light).style;
      return ['left', 'top', 'width', 'height'].map((name) =>
        Math.round(parseFloat(style.getPropertyValue(name))),
      );
    }),
  );

test(
  'a quotation that is not on the page is not shown as verified, in a small file and a large one',
  { skip },
  () =>
    withPage(async (page) => {
      await connect(page);
      const lies = [
        {
          question: complaint,
          change: (/** @type {string} */ quote) => quote.replace(/\bmust\b/, 'need not'),
        },
        {
          question: lensQuestion,
          change: (/** @type {string} */ quote) => quote.replace('nineteen', 'ninety'),
        },
      ];
      for (const { question, change } of lies) {
        lie(({ quote }) => ({ quote: change(quote), status: 'verified' }));
        await asks(page, question);
        const [row] = await cited(page);
        assert.deepEqual(row?.statuses, ['Not found'], row?.quote ?? '');
        assert.ok(
          !(await page.locator('.answer-card .statements').allInnerTexts()).join().includes(row?.quote ?? ''),
        );
        assert.match(
          await newest(page),
          /1 of .* does not stand in the document cited, whatever the server says/,
        );
        assert.match(
          await newest(page),
          /quotes? below are marked|match their sources; the others are marked|Marked where they differ/,
        );
        await openFirst(page);
        await page.locator('.page-view canvas').first().waitFor();
        assert.deepEqual(await lights(page), [], 'nothing is lit for it');
        await page.keyboard.press('Escape');
      }
      assert.deepEqual(await violations(page), []);
    }),
);

test('words are lit where they stand, wherever the server says', { skip }, () =>
  withPage(async (page) => {
    await connect(page);
    for (const question of [lensQuestion, complaint]) {
      server.alter = (answer) => answer;
      await asks(page, question);
      await openFirst(page);
      await page.locator('.light').first().waitFor({ state: 'attached' });
      const honest = await boxes(page);
      const pages = await lights(page);
      await page.keyboard.press('Escape');
      await page.locator('.viewer').waitFor({ state: 'hidden' });
      const shifted = (/** @type {Citation['quads']} */ quads) =>
        quads.map(
          (quad) => /** @type {typeof quad} */ (quad.map((value, at) => (at % 2 ? value - 60 : value))),
        );
      lie(({ quads, spans }) => ({
        quads: shifted(quads),
        spans: spans.map((span) => ({ ...span, quads: shifted(span.quads) })),
      }));
      await asks(page, `${question} Again.`.replace('? Again.', '?  '));
      const [row] = await cited(page);
      assert.deepEqual(row?.statuses, [], 'the words stand there');
      await openFirst(page);
      await page.locator('.light').first().waitFor({ state: 'attached' });
      assert.deepEqual(await lights(page), pages);
      const found = await boxes(page);
      assert.equal(found.length, honest.length);
      for (const [at, box] of found.entries())
        for (const [side, value] of box.entries())
          assert.ok(Math.abs(value - (honest[at]?.[side] ?? 99)) <= 2, `${box} beside ${honest[at]}`);
      await page.keyboard.press('Escape');
      await page.locator('.viewer').waitFor({ state: 'hidden' });
    }
  }),
);

test('words on another page than the server says are found, and shown there', { skip }, () =>
  withPage(async (page) => {
    await connect(page);
    lie(({ spans }) => ({ page: 5, spans: spans.map((span) => ({ ...span, page: 5 })) }));
    await asks(page, lensQuestion);
    const [row] = await cited(page);
    assert.deepEqual([row?.quote, row?.statuses], [lens, []]);
    await openFirst(page);
    await page.locator('.light').first().waitFor({ state: 'attached' });
    assert.deepEqual(await lights(page), [lensPage]);
  }),
);

test('a status is never better than this page finds it, nor than the server says', { skip }, () =>
  withPage(async (page) => {
    const scan = await server.add('c', await sample('claims/scan.pdf'), { nPages: 1 });
    server.tokens.set('token-c', 'c');
    await connect(page, { tokens: ['token-c'] });
    server.alter = (answer) => ({
      ...answer,
      citations: answer.citations.map((citation) => ({ ...citation, status: 'verified', caveats: [] })),
    });
    await asks(page, 'When shall the tenant pay the deposit?');
    const rows = await cited(page);
    assert.ok(
      rows.length > 0 && rows.every(({ statuses }) => statuses.includes('Text by OCR')),
      JSON.stringify(rows),
    );
    server.alter = (answer) => ({
      ...answer,
      citations: answer.citations.map((citation) => ({ ...citation, status: 'repaired' })),
    });
    await asks(page, 'When must the tenant pay the deposit?');
    assert.ok((await cited(page)).every(({ statuses }) => statuses[0] === 'Repaired'));
    server.documents.splice(server.documents.indexOf(scan), 1);
  }),
);

test(
  'figures that a model of the server writes are looked up here, where the document came whole',
  { skip },
  () =>
    withPage(async (page) => {
      await connect(page);
      const written = (/** @type {string} */ text) => {
        server.alter = (answer) => ({
          ...answer,
          by: 'model',
          statements: [{ text, citations: [1], unsupported: [], unknown: [], continues: false }],
        });
      };
      written('A firm must send a final response within 75 Business Days.');
      await asks(page, complaint);
      assert.match(await newest(page), /“75.*” is not in what is cited here/);
      assert.match(await newest(page), /was written by a model there/);
      written('The keeper polishes the lens every 75 days.');
      await asks(page, lensQuestion);
      assert.match(await newest(page), /of 1 sentence could not be looked up here/);
    }),
);

const markup = '<img src=x onerror="globalThis.harmed=1"><b>bold</b> javascript:alert(1)';

test('markup of the server stays text, wherever it stands', { skip }, () =>
  withPage(async (page) => {
    const named = held.rulebook.name;
    held.rulebook.name = `${markup}.pdf`;
    held.rulebook.title = markup;
    try {
      await connect(page);
      server.alter = (answer) => ({
        ...answer,
        by: 'model',
        message: markup,
        statements: [
          {
            text: markup,
            citations: [1],
            unsupported: [{ kind: 'number', text: markup }],
            unknown: [],
            continues: false,
          },
        ],
        citations: answer.citations.map((citation) => ({
          ...citation,
          document: markup,
          pageLabel: markup,
          sectionPath: [markup],
        })),
      });
      await asks(page, complaint);
      assert.match(await newest(page), /was written by a model there/);
      assert.ok((await newest(page)).includes(markup));
      await openFirst(page);
      await page.locator('.page-view canvas').first().waitFor();
      server.stream = async (send) =>
        send({
          event: 'error',
          error: { code: 'server-error', message: markup, hint: '', requestId: markup },
        });
      await asks(page, 'Who may complain?');
      assert.ok((await newest(page)).includes('<img src=x'));
      server.stream = async (send, answer) => {
        send({ event: 'progress', step: markup, done: 1, total: 2 });
        send({ event: 'answer', answer: await answer() });
      };
      await asks(page, 'Who may complain now?');
      const found = await page.evaluate(() => {
        const root = document.querySelector('pincite-widget')?.shadowRoot;
        return [
          root?.querySelectorAll('img, b, script, a[href]').length,
          Reflect.get(globalThis, 'harmed') ?? null,
        ];
      });
      assert.deepEqual(found, [0, null]);
    } finally {
      held.rulebook.name = named;
      held.rulebook.title = 'Client protection rulebook';
    }
  }),
);

test(
  'replies of other shapes and sizes are refused in words, and this browser’s answer stands',
  { skip },
  () =>
    withPage(
      async (page) => {
        await addContract(page);
        await connect(page);
        const question = 'What is the cap on liability?';
        /** @type {[string, () => void, RegExp][]} */
        const cases = [
          ['an answer that is a text', () => (server.alter = () => 'yes'), /is none of a library/],
          [
            'no citations',
            () => (server.alter = (answer) => ({ ...answer, citations: null })),
            /is none of a library/,
          ],
          [
            'an extracted sentence of its own',
            () =>
              (server.alter = (answer) => ({
                ...answer,
                statements: answer.statements.map((statement) => ({ ...statement, text: 'Nothing is due.' })),
              })),
            /is none of a library/,
          ],
          [
            'a great many citations',
            () =>
              (server.alter = (answer) => ({
                ...answer,
                citations: Array.from({ length: 400 }, (_, at) => ({ ...answer.citations[0], id: at + 1 })),
              })),
            /is none of a library/,
          ],
          [
            'a line that never ends',
            () =>
              (server.stream = async (_, __, response) => {
                for (let n = 0; n < 12 && !response.destroyed; n += 1) {
                  response.write('x'.repeat(1024 * 1024));
                  await new Promise((resolve) => setTimeout(resolve, 5));
                }
              }),
            /is larger than this page takes/,
          ],
          [
            'values nested without end',
            () =>
              (server.stream = async (_, __, response) => void response.write(`${'['.repeat(2_000_000)}\n`)),
            /is none of a library/,
          ],
          [
            'a stream that ends',
            () =>
              (server.stream = async (send) =>
                send({ event: 'progress', step: 'search', done: 1, total: 2 })),
            /broke in the middle/,
          ],
          [
            'a page to sign in',
            () =>
              (server.intercept = ({ url }, response) => {
                if (url !== '/v1/ask') return false;
                response.writeHead(200, { 'content-type': 'text/html' }).end('<form>sign in</form>');
                return true;
              }),
            /is none of a library/,
          ],
          [
            'too many requests',
            () =>
              (server.intercept = ({ url }, response) => {
                if (url !== '/v1/ask') return false;
                response.setHeader('retry-after', '7');
                fail(response, 429, 'rate-limited', 'slow down');
                return true;
              }),
            /has too many requests\. Wait a little and try again\. It asks to wait 7 seconds\. The server says: “slow down”\. Request r\d+\./,
          ],
          [
            'a store that is gone',
            () =>
              (server.intercept = ({ url }, response) => {
                if (url !== '/v1/ask') return false;
                fail(response, 503, 'store-unavailable', 'no store');
                return true;
              }),
            /cannot be reached by its server/,
          ],
        ];
        for (const [at, [name, arrange, said]] of cases.entries()) {
          server.reset();
          arrange();
          await asks(page, `${question.slice(0, -1)} ${at}?`);
          assert.match((await newest(page)).replaceAll(/\s+/g, ' '), said, name);
          assert.ok((await cited(page)).length > 0, name);
          assert.ok(
            (await cited(page)).every(({ library }) => library === null),
            name,
          );
        }
        assert.equal((await status(page))?.state, 'open', 'the library itself is there');
      },
      { provoked: /status of (429|503)|ERR_ABORTED/ },
    ),
);

test('a list of another shape, or a redirect, is no library', { skip }, () =>
  withPage(
    async (page) => {
      let followed = 0;
      const elsewhere = createServer((_, response) => {
        followed += 1;
        response.end('{}');
      }).listen(0, '127.0.0.1');
      await once(elsewhere, 'listening');
      const { port } = /** @type {import('node:net').AddressInfo} */ (elsewhere.address());
      server.intercept = (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"documents":{"length":1e9}}');
        return true;
      };
      await connect(page, { state: 'failed' });
      assert.equal((await status(page))?.reason, 'bad-reply');
      server.intercept = (_, response) => {
        response.writeHead(302, { location: `http://127.0.0.1:${port}/v1/library` }).end();
        return true;
      };
      await connect(page, { state: 'failed' });
      assert.deepEqual([(await status(page))?.reason, followed], ['unreachable', 0]);
      elsewhere.close();
    },
    { provoked: /redirect|ERR_FAILED|net::/i },
  ),
);

test('only https, or this machine, is asked', { skip }, () =>
  withPage(async (page, context) => {
    /** @type {string[]} */
    const asked = [];
    context.on('request', (request) => asked.push(request.url()));
    for (const url of ['http://library.example/', 'javascript:alert(1)', 'https://a:b@library.example/']) {
      await connect(page, { url, state: 'failed' });
      assert.equal((await status(page))?.reason, 'address', url);
      assert.match(await page.locator('.remote-line').innerText(), /address of the library cannot be used/);
    }
    assert.deepEqual(
      asked.filter((url) => url.includes('example')),
      [],
    );
  }),
);

test('a document of another tenant is never had, whoever names it', { skip }, () =>
  withPage(
    async (page) => {
      await connect(page);
      assert.ok(!(await page.locator('.remote-library').innerText()).includes('Secret agreement'));
      const secret = await server.ask('What is the cap on liability?', [held.other]);
      server.alter = () => secret;
      await asks(page, 'What is the cap on liability?');
      const rows = await cited(page);
      assert.ok(
        rows.length > 0 && rows.every(({ statuses }) => statuses[0] === 'Not compared'),
        JSON.stringify(rows),
      );
      assert.match(await newest(page), /could not be looked up, since the documents did not come/);
      await openFirst(page);
      await page.getByText('does not have this document, or not for you').waitFor();
      const asked = server.seen(`/v1/documents/${held.other.id}`);
      assert.ok(asked.length > 0 && asked.every(({ status, sent }) => status === 404 && sent === 0));
    },
    { provoked: /404/ },
  ),
);

test('a document with other bytes than it was cited with is not believed', { skip }, () =>
  withPage(async (page) => {
    await connect(page);
    server.serve = (document) => (document === held.rulebook ? held.other.bytes : document.bytes);
    await asks(page, complaint);
    const rows = await cited(page);
    assert.ok(
      rows.every(({ statuses }) => statuses[0] === 'Not compared'),
      JSON.stringify(rows),
    );
    await openFirst(page);
    await page.getByText('is no longer the one that was cited').waitFor();
    // Of a large one, whose pages come by themselves: what it was compared with is what it is shown with.
    server.serve = ({ bytes }) => bytes;
    await asks(page, lensQuestion);
    assert.deepEqual((await cited(page))[0]?.statuses, []);
    const changed = held.manual.bytes.slice();
    changed.fill(32, changed.length / 2);
    server.serve = (document) => (document === held.manual ? changed : document.bytes);
    await openFirst(page);
    await page.locator('.light').first().waitFor({ state: 'attached' });
    await page.locator(`.page-view[data-page="${lensPage}"] canvas`).waitFor();
  }),
);

test('a library of very many documents is listed in part, and found by name', { skip }, () =>
  withPage(async (page) => {
    server.intercept = ({ url }, response) => {
      if (url !== '/v1/library') return false;
      const documents = Array.from({ length: 1_000 }, (_, at) => ({
        ...{
          id: at.toString(16).padStart(64, '0'),
          name: `rule-${at}.pdf`,
          title: null,
          date: null,
          nPages: 3,
        },
      }));
      const page = { documents, nDocuments: 6_000, next: documents.at(-1)?.id };
      const list = { ...page, version: '1', model: null, profiles: [], hasModel: false };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list));
      return true;
    };
    await connect(page);
    assert.equal((await status(page))?.nDocuments, 6_000);
    const column = page.locator('.remote-library');
    await eventually(async () => (await column.locator('li').count()) === 100, 'the first hundred rows');
    assert.match(await column.innerText(), /The library has 6,000 documents; the first 1,000 are listed/);
    await column.getByRole('searchbox').fill('rule-999');
    await eventually(async () => (await column.locator('li').count()) === 1, 'the one that is looked for');
    await column.getByRole('searchbox').fill('nowhere');
    await column.getByText('No match for “nowhere”.').waitFor();
    assert.deepEqual(await violations(page), []);
  }),
);

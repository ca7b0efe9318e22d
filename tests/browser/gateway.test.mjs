/**
 * The widget asks a real gateway over each embedded store: asked, cited, lit; a token that expires; two tenants; a gateway that is
 * killed while it answers and comes back. What the widget makes of every reply: `remote-library.test.mjs`.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startServer } from '../llm/server.mjs';
import { Gateway, skip } from './gateway.mjs';
import { eventually, site, start, stop, violations, withPage } from './harness.mjs';
import { asks, cited, complaint, connect, lights, newest, status } from './remote.mjs';

before(start);
after(stop);

/** @typedef {'postgres' | 'milvus'} Store */

for (const store of /** @type {Store[]} */ (['postgres', 'milvus']))
  describe(`over ${store}`, { skip }, () => {
    const gateway = new Gateway(store);
    before(() => gateway.start(site().slice(0, -1)));
    after(() => gateway.close());

    test('a question is answered, its citations are looked up in the page and lit', () =>
      withPage(async (page) => {
        await connect(page, { url: gateway.url, tokens: [await gateway.token('tenant-a')] });
        await asks(page, complaint);
        const rows = await cited(page);
        assert.ok(rows.length > 0);
        assert.ok(rows.every(({ library }) => library === new URL(gateway.url).host));
        assert.deepEqual(
          rows.flatMap(({ statuses }) => statuses),
          [],
          'all were found in the bytes that came',
        );
        await page.locator('.answer-card button.citation').first().click();
        await page.locator('.light').first().waitFor({ state: 'attached' });
        assert.ok((await lights(page)).length > 0);
        assert.deepEqual(await violations(page), []);
      }));

    test('under a filter only passages of it are cited', () =>
      withPage(async (page) => {
        await connect(page, { url: gateway.url, tokens: [await gateway.token('tenant-a')] });
        await page.locator('.filter summary').click();
        await page.getByRole('checkbox', { name: 'Exclude repealed provisions' }).check();
        const paths = [];
        for (const section of ['Part 4', 'Part 5']) {
          await page.getByRole('textbox', { name: 'Section' }).fill(section);
          const asked = page.waitForRequest((request) => request.url().endsWith('/v1/ask'));
          await asks(page, `In ${section}: for how long must a firm keep records of a complaint?`);
          assert.deepEqual((await asked).postDataJSON().filter, { sections: [section], inForce: true });
          const rows = (await cited(page)).filter(({ isSupporting }) => !isSupporting);
          assert.ok(rows.length > 0, section);
          for (const { document, path, library, statuses } of rows) {
            assert.match(path ?? '', new RegExp(`^${section}\\b`, 'i'));
            assert.deepEqual([library, statuses], [new URL(gateway.url).host, []], document ?? '');
          }
          paths.push(rows[0]?.path);
        }
        assert.notEqual(paths[0], paths[1]);
        // No document is of that time.
        await page.getByRole('textbox', { name: 'Section' }).fill('');
        await page.getByLabel('to', { exact: true }).fill('1990-12-31');
        await asks(page, complaint);
        assert.deepEqual(await cited(page), []);
      }));

    test('a token that expires is fetched anew, once', () =>
      withPage(
        async (page) => {
          const tokens = [await gateway.token('tenant-a', 2), await gateway.token('tenant-a')];
          await connect(page, { url: gateway.url, tokens });
          await pause(2_500);
          await asks(page, complaint);
          assert.ok((await cited(page)).length > 0);
          assert.equal(await page.evaluate(() => Reflect.get(globalThis, 'asked')), 2);
        },
        { provoked: /401/ },
      ));

    test('a token that expires while an answer is made is fetched anew, and its citations are looked up', () =>
      withPage(
        async (page, context) => {
          const expired = await gateway.token('tenant-a', 0.001);
          const [first, second] = [await gateway.token('tenant-a'), await gateway.token('tenant-a', 599)];
          await connect(page, { url: gateway.url, tokens: [first, second] });
          // When the documents that the answer cites are fetched, the token that the page holds has run out.
          await context.route(`${gateway.url}/v1/documents/**`, async (route) => {
            const headers = route.request().headers();
            const isFirst = headers['authorization'] === `Bearer ${first}`;
            await route.continue(
              isFirst ? { headers: { ...headers, authorization: `Bearer ${expired}` } } : {},
            );
          });
          await asks(page, complaint);
          const rows = await cited(page);
          assert.ok(rows.length > 0);
          assert.deepEqual(
            rows.flatMap(({ statuses }) => statuses),
            [],
          );
          assert.equal(await page.evaluate(() => Reflect.get(globalThis, 'asked')), 2);
        },
        { provoked: /401/ },
      ));

    test('a tenant never sees what another has, whatever a page asks for', () =>
      withPage(
        async (page) => {
          const other = (await gateway.documents('tenant-b')).find(({ name }) => name === 'opinion.pdf');
          const token = await gateway.token('tenant-a');
          await connect(page, { url: gateway.url, tokens: [token] });
          const listed = await page.locator('.remote-library .row-name').allInnerTexts();
          assert.equal(listed.length, 2);
          const seen = await page.evaluate(forge, {
            url: gateway.url,
            token,
            id: other?.id ?? '',
          });
          assert.ok(seen.tries >= 200, `${seen.tries} tries, no two alike`);
          assert.deepEqual(seen.leaks, []);
        },
        { provoked: /status of 4\d\d/ },
      ));

    test('a gateway that is killed while it answers is named, and asked again when it is back', (t) =>
      withPage(
        async (page) => {
          // A model that never replies: the gateway is at its answer until it is killed.
          const model = await startServer({
            models: ['default'],
            faults: [{ kind: 'stall-first', times: 0 }],
          });
          t.after(() => model.close());
          await gateway.kill();
          await gateway.start(site().slice(0, -1), { llm: model.url });
          await page.exposeFunction('freshToken', () => gateway.token('tenant-a'));
          await page.evaluate((url) => {
            const widget = /** @type {import('./harness.mjs').PinciteWidget} */ (
              document.querySelector('pincite-widget')
            );
            widget.library = { url, token: () => Reflect.get(globalThis, 'freshToken')() };
          }, gateway.url);
          await eventually(async () => (await status(page))?.state === 'open', 'the library is open');
          await page.getByRole('textbox', { name: 'Your question' }).fill(complaint);
          const answering = page.waitForResponse(
            (response) => response.url().endsWith('/v1/ask') && response.request().method() === 'POST',
          );
          await page.keyboard.press('Enter');
          assert.equal((await answering).status(), 200);
          await eventually(async () => model.requests.length > 0, 'the gateway is at the answer');
          await gateway.kill();
          await eventually(
            async () => /broke in the middle of the answer\.\s+Ask again\./.test(await newest(page)),
            'what failed is said',
          );
          // The library is the one that was set. Its issuer has other keys now, so the token that it holds is refused.
          await gateway.start(site().slice(0, -1));
          await asks(page, 'How long must a firm keep a record of each complaint?');
          assert.ok((await cited(page)).length > 0);
        },
        { provoked: /ERR_|net::|Failed to load|401/ },
      ));
  });

/**
 * Requests for a document of another tenant in every way that a page can ask, in the page. Leaks are replies with its id or bytes.
 * @param {{ url: string, token: string, id: string }} options
 */
async function forge({ url, token, id }) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = (/** @type {unknown} */ body) => ({ method: 'POST', headers, body: JSON.stringify(body) });
  const ids = [
    id,
    id.toUpperCase(),
    ` ${id}`,
    `${id}%00`,
    `../${id}`,
    `${id}' OR '1'='1`,
    `%25${id.slice(2)}`,
    id.slice(0, 63),
  ];
  const query = 'opinion tax treatment withholding';
  const ways = ids.flatMap((each) => {
    const path = `${url}/v1/documents/${encodeURIComponent(each)}`;
    return [
      [path, { headers }],
      [path, { headers: { ...headers, range: 'bytes=0-99' } }],
      [`${path}/text?start=0&end=500`, { headers }],
      [`${url}/v1/documents/${each}`, { headers }],
      [`${url}/v1/search`, post({ query, documents: [each] })],
      [`${url}/v1/search`, post({ query, documents: [each], tenant: 'tenant-b' })],
      [`${url}/v1/search?tenant=tenant-b`, post({ query, k: 50 })],
      [`${url}/v1/ask`, post({ question: query, documents: [each] })],
      [`${url}/v1/search`, post({ query, filter: { documents: [each] } })],
      [`${url}/v1/search`, post({ query, documents: [each], filter: { sections: ['1'], inForce: true } })],
      [`${url}/v1/search`, post({ query, documents: [each], filter: { tenant: 'tenant-b' } })],
      [`${url}/v1/search`, post({ query: each })],
      [`${url}/v1/ask`, post({ question: `What does ${each} say?`, filter: { documents: [each] } })],
      [`${url}/v1/library?after=${encodeURIComponent(each)}`, { headers }],
      [`${url}/v1/library?after=${encodeURIComponent(each)}&tenant=tenant-b`, { headers }],
      [`${url}/v1/library?limit=1000&documents=${encodeURIComponent(each)}`, { headers }],
      [path, { headers: { ...headers, 'x-tenant': 'tenant-b' } }],
      [path, { headers: { ...headers, 'x-forwarded-user': each, 'x-original-url': '/v1/library' } }],
      [path, { headers: { ...headers, range: 'bytes=-100' } }],
      [path, { headers: { ...headers, authorization: `bearer ${token}`, 'if-none-match': each } }],
      [`${path}?tenant=tenant-b`, { headers }],
      [`${path}/text?start=0&end=1000000&tenant=tenant-b`, { headers }],
      [`${path}/verify`, post({ quotation: 'withholding tax' })],
      [`${url}/v1/verify`, post({ document: each, quotation: 'withholding tax' })],
      ...['pincite_search', 'pincite_ask', 'pincite_open_citation'].map((tool) => [
        `${url}/mcp`,
        {
          ...post({
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: tool, arguments: { query, question: query, document: each, documents: [each] } },
          }),
          headers: { ...headers, accept: 'application/json, text/event-stream' },
        },
      ]),
    ];
  });
  /** @type {string[]} */
  const leaks = [];
  for (let at = 0; at < ways.length; at += 1) {
    const [path, options] = /** @type {[string, RequestInit]} */ (ways[at]);
    const reply = await fetch(path, options);
    if (reply.status === 429) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      at -= 1;
      continue;
    }
    const text = await reply.text();
    const isFile = reply.ok && path.includes('/v1/documents/');
    const said = [id, 'opinion.pdf'].some((each) => text.includes(each));
    if (isFile || (reply.ok && said)) leaks.push(`${reply.status} ${path}`);
  }
  return { leaks, tries: new Set(ways.map((way) => JSON.stringify(way))).size };
}

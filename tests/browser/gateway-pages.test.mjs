/**
 * A manual of 900 pages that `python -m pincite.ingest` has read into the store of a gateway: the widget compares the cited page
 * and opens it, and the gateway sends that page's ranges of bytes and not the file.
 */

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Gateway, skip } from './gateway.mjs';
import { site, start, stop, withPage } from './harness.mjs';
import { bookPdf } from './pdf-file.mjs';
import { asks, cited, connect, lens, lensPage, lensQuestion, lights, manual } from './remote.mjs';

const gateway = new Gateway('milvus');
const file = bookPdf(manual());

before(async () => {
  await start();
  if (skip) return;
  const folder = await mkdtemp(join(tmpdir(), 'pincite-manual-'));
  await writeFile(join(folder, 'plants.pdf'), file);
  await gateway.ingest(folder);
  await gateway.start(site().slice(0, -1));
  await rm(folder, { recursive: true });
});
after(async () => {
  await stop();
  if (!skip) await gateway.close();
});

test('page 412 of 900 is compared and opened by its ranges of bytes alone', { skip }, () =>
  withPage(async (page) => {
    /** @type {{ status: number, length: number }[]} */
    const sent = [];
    page.on('response', (response) => {
      if (!new URL(response.url()).pathname.startsWith('/v1/documents/')) return;
      if (response.request().method() !== 'GET') return;
      sent.push({
        status: response.status(),
        length: Number(response.headers()['content-length'] ?? file.length),
      });
    });
    const bytes = () => sent.reduce((sum, { length }) => sum + length, 0);
    await connect(page, { url: gateway.url, tokens: [await gateway.token('tenant-a')] });
    await asks(page, lensQuestion);
    const [row] = await cited(page);
    assert.ok(row?.quote?.includes(lens), row?.quote ?? '');
    assert.deepEqual([row?.statuses, row?.library], [[], new URL(gateway.url).host]);
    assert.ok(sent.length > 0);
    assert.ok(sent.every(({ status }) => status === 206));
    assert.ok(bytes() < file.length / 3, `${bytes()} of ${file.length} bytes`);
    await page.locator('button.citation').first().click();
    await page.locator('.light').first().waitFor({ state: 'attached' });
    assert.deepEqual([...new Set(await lights(page))], [lensPage]);
    await page.locator(`.page-view[data-page="${lensPage}"] canvas`).waitFor();
    assert.ok(bytes() < file.length / 3, 'the page that was compared is the one that is shown');
  }),
);

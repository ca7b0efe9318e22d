/**
 * The scripted endpoint of `tests/llm` behind the page: started once a file, with the page set to ask it.
 */

import { after, before } from 'node:test';
import { startServer } from '../llm/server.mjs';
import { drop, sample, searchable, setModel, start, stop } from './harness.mjs';

/** @typedef {import('./harness.mjs').Page} Page */

export const key = 'sk-test-key-of-the-server';
export const question = 'What is the cap on liability?';

/** @type {Awaited<ReturnType<typeof startServer>>} */
export let server;

/** Starts browser, site and endpoint before the tests of a file, and ends them after. */
export function useScriptedEndpoint() {
  before(async () => {
    await start();
    server = await startServer({ key });
  });
  after(async () => {
    await stop();
    await server.close();
  });
}

/** The endpoint as a portal sets it. Its short limits keep a server that stalls from holding up the test. */
export const endpoint = () =>
  /** @type {const} */ ({
    kind: 'openai',
    url: server.url,
    model: 'scripted',
    key,
    firstByteMs: 2000,
    stallMs: 2000,
    attempts: 2,
  });

/** @param {Page} page @param {string} name */
export const button = (page, name) => page.getByRole('button', { name, exact: true });

/** The card of the newest answer. @param {Page} page */
export const card = (page) => page.locator('.answer-card').first();

/** Opens a document and sets the model. @param {Page} page */
export async function prepared(page) {
  await drop(page, [await sample('contract.pdf')]);
  await searchable(page, 1);
  await setModel(page, endpoint());
}

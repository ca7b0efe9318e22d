/** The part of owner.mjs that runs in the page: the calls that the owner's worker makes, one after the other, timed. */

import { started } from './started-page.mjs';
import { Vectors } from './search-page.mjs';

const FINGERPRINT = 'bench: vectors of no model';
/** Passages in one batch of vectors, as the page stores them. */
const BATCH = 32;

/**
 * @param {string} url of a file
 * @param {number} nRounds each with a library of its own
 * @returns {Promise<{ stored: number, nSteps: number, tasks: Record<string, number> }>} bytes stored of the document, calls
 *   in which it is read, prepared and freed, and the longest of each call in milliseconds
 */
export async function owner(url, nRounds) {
  /** @type {{ glue: typeof import('pincite-wasm') }} */
  const { glue } = await started('pincite_wasm');
  const { glue: ingest } = await started('pincite_ingest');
  const file = new Uint8Array(await (await fetch(url)).arrayBuffer());
  const { segment, info } = new ingest.Parser().parse(file, url, undefined, undefined);
  const { id, nPassages } = info;

  let nSteps = 0;
  /** @type {Record<string, number>} */
  const tasks = {};
  /** @template T @param {string} task @param {() => T} call @returns {T} */
  const timed = (task, call) => {
    const begin = performance.now();
    const value = call();
    tasks[task] = Math.max(tasks[task] ?? 0, performance.now() - begin);
    return value;
  };
  const vectors = new Vectors();
  const rows = Math.min(BATCH, nPassages);
  for (let round = 0; round < nRounds; round += 1) {
    const library = new glue.Library();
    const reader = new glue.SegmentReader(segment);
    while (timed('read', () => reader.read())) nSteps += 1;
    timed('add', () => library.addRead(reader));
    while (timed('prepare', () => library.prepare())) nSteps += 1;
    timed('list', () => library.passagesWithoutVectors(id));
    for (const start of [0, Math.max(0, nPassages - BATCH)])
      timed('passages', () => library.passages(id, start, BATCH));
    for (const start of [0, 100_000]) timed('text', () => library.documentText(id, start, 200));
    timed('vectors', () => library.putVectors(id, 0, rows, vectors.rows(rows), FINGERPRINT));
    const asked = /** @type {const} */ (['first', 'next']);
    for (const which of asked) {
      const question = 'How long must records of a complaint be kept?';
      const asking = timed(`${which} question`, () => library.asking(question, {}));
      timed('wanted', () => asking.wanted());
      timed(`${which} search`, () => library.search(question, { k: 20 }));
      while (asking.need().kind === 'search') {
        timed('search of a question', () => asking.search({}));
        timed('compared', () => asking.compared([]));
      }
      timed('answer', () => asking.finish());
    }
    timed('remove', () => library.remove(id));
    while (timed('free', () => library.prepare())) nSteps += 1;
  }
  return { stored: segment.byteLength, nSteps: nSteps / nRounds, tasks };
}

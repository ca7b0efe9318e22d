/**
 * The library of a page that is opened again after a kill, held against what must be: every document of the library whole,
 * found by its words, shown to its last line and stored with nothing besides; conversations as they were; and no messages
 * that are not needed.
 */

import { snapshot, stored } from '../harness.mjs';

/** @typedef {import('../harness.mjs').Page} Page */
/** @typedef {import('../harness.mjs').PinciteWidget} PinciteWidget */
/** @typedef {import('./deeds.mjs').Deed} Deed */

/**
 * @typedef {object} Expected
 * @property {ReadonlySet<string>} must documents that have to be there
 * @property {ReadonlySet<string>} gone documents that must not
 * @property {ReadonlyMap<string, Deed>} deeds all that there ever were, by id
 * @property {number} nAnswers in the conversation, at least
 * @property {boolean | null} isLost true if the browser has thrown documents away, which the page has to say; null where it may
 */

/** Faults of the library, a line each. @param {Page} page @param {Expected} expected @returns {Promise<string[]>} */
export async function wrongs(page, { must, gone, deeds, nAnswers, isLost }) {
  const { documents } = await snapshot(page);
  const there = new Set(documents.map(({ id }) => id));
  const counts = await stored(page);
  const n = documents.length;
  if (nAnswers > 0)
    await page
      .locator('.answer-card')
      .nth(nAnswers - 1)
      .waitFor({ timeout: 5_000 })
      .catch(() => {});
  const nShown = await page.locator('.answer-card').count();
  // Those of an answer belong to it.
  const messages = await page
    .locator(':is(.note, .failure, .bar-warning):not(.answer-card *)')
    .filter({ visible: true })
    .allInnerTexts();
  const told = messages.filter((message) => message.includes(lost));
  const others = messages.length - told.length;
  return [
    ...(isLost !== null && told.length !== Number(isLost)
      ? [`${told.length} messages that all is lost`]
      : []),
    ...[...must].filter((id) => !there.has(id)).map((id) => `${id} is lost`),
    ...[...there].filter((id) => gone.has(id)).map((id) => `${id} was removed and is back`),
    ...[...there].filter((id) => !deeds.has(id)).map((id) => `${id} is of no file`),
    ...documents.flatMap(({ id, problem }) => (problem ? `${id} cannot be read: ${problem.code}` : [])),
    ...(new Set(documents.map(({ name }) => name)).size < n ? ['two have one name'] : []),
    ...['documents', 'files', 'segments'].flatMap((table) =>
      counts[table] === n ? [] : `${counts[table]} ${table} are stored of ${n} documents`,
    ),
    ...(await halves(
      page,
      [...there].flatMap((id) => deeds.get(id) ?? []),
    )),
    ...(nShown < nAnswers ? [`${nShown} answers are shown of ${nAnswers}`] : []),
    ...(others > 1 ? [`messages: ${messages.join(' | ')}`] : []),
  ];
}

/** Words by which the page says that the browser has lost the library. */
export const lost = 'no longer has the documents that were kept here';

/** Documents that are not whole: in their file, in their text, in the search. @param {Page} page @param {Deed[]} deeds @returns {Promise<string[]>} */
function halves(page, deeds) {
  const wanted = deeds.map(({ id, bytes, first, last }) => ({ id, size: bytes.length, first, last }));
  return page.evaluate(async (wanted) => {
    const { engine } = /** @type {PinciteWidget} */ (document.querySelector('pincite-widget'));
    const wrong = [];
    for (const { id, size, first, last } of wanted) {
      const file = await engine.file(id);
      if (file?.size !== size) wrong.push(`${id}: its file has ${file?.size} bytes of ${size}`);
      const text = (await engine.text(id, 0, 1_000)).map((block) => block.text).join('\n');
      if (!text.includes(first) || !text.includes(last)) wrong.push(`${id}: its text is not whole`);
      const { hits } = await engine.search(last, { vectors: 'none' });
      if (hits[0]?.documentId !== id) wrong.push(`${id}: not found by “${last}”`);
    }
    return wrong;
  }, wanted);
}

/** Answers that are stored of the conversation that was changed last. @param {Page} page @returns {Promise<number>} */
export function keptAnswers(page) {
  return page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open('pincite:conversations');
        request.onupgradeneeded = () => {
          // One that is not there is not to be made.
          request.transaction?.abort();
          resolve(0);
        };
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
          const database = request.result;
          if (!database.objectStoreNames.contains('heads')) return resolve(0);
          const heads = database.transaction('heads').objectStore('heads').getAll();
          heads.onsuccess = () => {
            database.close();
            const [newest] = heads.result.sort((a, b) => b.changedAt - a.changedAt);
            resolve(newest?.nTurns ?? 0);
          };
        };
      }),
  );
}

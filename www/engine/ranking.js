/**
 * Ranking of the library's searches: the settings and the ranker that the person has chosen in the lab, kept beside the
 * library, and a ranker on trial. The engine has one ranker at a time; it is set when another one is asked for, so a question
 * that comes while the lab measures is ranked as always.
 *
 * What is kept lies in the lab's database, which is never made here: most libraries have none. It is tried before it is
 * used, since anybody who can write there could else end every search.
 */

import { isFatal } from './errors.js';
import { openDatabase, settled, transact } from './idb.js';

/** @typedef {import('./protocol.js').KeptRanking} KeptRanking */
/** @typedef {import('./protocol.js').RankerChoice} RankerChoice */
/** @typedef {Pick<import('pincite-wasm').Library, 'search' | 'candidates' | 'setRanker' | 'shippedRanker'>} RankedLibrary */

/** Tables of the lab's database: single values by name, and results by run and question. */
export const labTables = /** @type {const} */ (['values', 'results']);

/** Name under which the ranking is kept. */
const rankingKey = 'ranking';

const settingNames = ['units', 'ann', 'fusion', 'k1', 'b', 'headerWeight', 'denseWeight'];

/** @type {KeptRanking} */
const shipped = { settings: {}, ranker: null };

export class Ranking {
  #library;
  /** Name of the library; null where nothing is kept. @type {string | null} */
  #name = null;
  /** @type {KeptRanking} */
  #kept = shipped;
  /** @type {string | null} */
  #trial = null;
  /** The ranker that the engine has. @type {string | null} */
  #set = null;

  /** @param {RankedLibrary} library */
  constructor(library) {
    this.#library = library;
  }

  /** Takes up what is kept of a library. @param {string} name */
  async open(name) {
    this.#name = name;
    const database = await openDatabase(labName(name), 1, (_, upgrade) => upgrade?.abort()).catch(() => null);
    if (database === null) return;
    try {
      const kept = await transact(database, ['values'], 'readonly', (t) =>
        settled(t.objectStore('values').get(rankingKey)),
      );
      if (kept) this.#take(kept);
    } catch (error) {
      if (isFatal(error)) throw error;
      // It cannot be used, as after a change of the engine: searches are as they ship.
      this.#kept = shipped;
    } finally {
      database.close();
    }
  }

  /** Sets and keeps a ranking. @param {KeptRanking} ranking */
  async #keep(ranking) {
    this.#take(ranking);
    if (this.#name === null) return null;
    const database = await openLab(this.#name);
    try {
      await transact(database, ['values'], 'readwrite', (t) =>
        settled(t.objectStore('values').put(ranking, rankingKey)),
      );
    } finally {
      database.close();
    }
    return null;
  }

  /**
   * A question with the parameters that answers use: its own, else those kept for the ranking that is theirs.
   * @template {{ ranking?: import('./protocol.js').AnswerRanking }} R
   * @param {R} request
   * @returns {R}
   */
  asked(request) {
    this.use('kept');
    const { fusion, k1, b, headerWeight, denseWeight } = this.#kept.settings;
    return { ranking: fusion === 'answers' ? { k1, b, headerWeight, denseWeight } : {}, ...request };
  }

  /** Gives the engine a ranker. @param {RankerChoice} choice */
  use(choice) {
    this.#give({ kept: this.#kept.ranker, trial: this.#trial, shipped: null }[choice]);
  }

  /** @param {import('./protocol.js').RankingRequest | Extract<import('./protocol.js').OwnerRequest, { type: 'search' }>} request */
  handle(request) {
    switch (request.type) {
      case 'search': {
        const { query, vector, k, filter, glossary, ann } = request;
        this.use('kept');
        return this.#library.search(query, { ann, ...this.#kept.settings, k, filter, glossary, ...vector });
      }
      case 'try-search':
        this.use(request.ranker);
        return this.#library.search(request.query, { ...request.options, ...request.vector });
      case 'candidates':
        return this.#library.candidates(request.query, { ...request.options, ...request.vector });
      case 'shipped-ranker':
        return this.#library.shippedRanker();
      case 'try-ranker':
        this.#give(request.ranker);
        this.#trial = request.ranker;
        return null;
      case 'keep-ranking':
        return this.#keep(request.ranking);
    }
  }

  /** Ranks as what ships: what was kept is gone. */
  forget() {
    this.#kept = shipped;
    this.#trial = null;
  }

  /** Nothing is left of the lab: its questions quote the documents. */
  async clear() {
    this.forget();
    try {
      if (this.#name !== null) await settled(indexedDB.deleteDatabase(labName(this.#name)));
    } catch {
      // Where nothing can be stored, nothing is there.
    }
  }

  /** @param {unknown} ranking as it was stored @throws {Error} where it is none, or the engine refuses it */
  #take(ranking) {
    const { settings, ranker } = keptOf(ranking);
    this.#library.search('a', { ...settings, k: 1 });
    this.#give(ranker);
    this.#kept = { settings, ranker };
  }

  /** @param {string | null} ranker */
  #give(ranker) {
    if (ranker === this.#set) return;
    this.#library.setRanker(ranker ?? undefined);
    this.#set = ranker;
  }
}

/**
 * A stored ranking. Of its settings those that searches may have are taken.
 * @param {unknown} value
 * @returns {KeptRanking}
 */
function keptOf(value) {
  const { settings, ranker } = /** @type {KeptRanking} */ (Object(value));
  if (Object(settings) !== settings || (ranker !== null && typeof ranker !== 'string')) throw new TypeError();
  const own = Object.entries(settings).filter(([name]) => settingNames.includes(name));
  return { settings: Object.fromEntries(own), ranker };
}

/** Opens the lab's database of a library, and makes it where it is not there. @param {string} library */
export function openLab(library) {
  return openDatabase(labName(library), 1, (database) => {
    for (const table of labTables) database.createObjectStore(table);
  });
}

/** @param {string} library */
const labName = (library) => `${library}:lab`;

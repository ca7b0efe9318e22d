/**
 * Conversations kept in this browser, beside the library: questions, answers, and what an answer needs to be shown again.
 * They lie in a database of their own, so that pages of other versions find the library as it was. An answer is added in one
 * transaction, so tabs do not overwrite each other; the oldest conversations go when there are too many. What comes out of
 * storage is read by `stored-turn.js`; a turn that it does not know is left out. Where the browser stores nothing, or the
 * person forbids it, nothing is kept.
 */

import { storageOf } from '../engine/small-storage.js';
import { openDatabase, settled, transact } from '../engine/idb.js';
import { number, shape, text } from './shape.js';
import { storedTurn, withoutServers } from './stored-turn.js';

/** @typedef {import('./stored-turn.js').StoredTurn} StoredTurn */

/**
 * A conversation without its answers.
 * @typedef {{ id: string, question: string, startedAt: number, changedAt: number, nTurns: number, bytes: number }} Head
 */
/** A conversation as it was taken out, to be put back. @typedef {{ head: Head, turns: unknown }} TakenConversation */

/** Most conversations, turns of one, and characters of all as JSON. */
export const limits = { conversations: 50, turns: 30, size: 16_000_000 };

const tables = ['heads', 'turns'];
const readHead = shape({
  id: text,
  question: text,
  startedAt: number,
  changedAt: number,
  nTurns: number,
  bytes: number,
});

/** Those of the widgets in this page. @type {Set<KeptConversations>} */
const inPage = new Set();

export class KeptConversations {
  #name;
  /** Which widget of the page this is, among those of the library: the id of its element, else a number; empty for the first. */
  #place = '';
  /** The conversation that the widget has. @type {string | null} */
  #held = null;
  #local;
  #session;
  /** Lets other tabs take up the conversation. */
  #release = () => {};

  /**
   * @param {string} library
   * @param {{ local?: Storage | null, session?: Storage | null }} [storage] null where there is none
   */
  constructor(library, { local = storageOf('localStorage'), session = storageOf('sessionStorage') } = {}) {
    this.#name = `${library}:conversations`;
    this.#local = local;
    this.#session = session;
  }

  /** Takes a place in the page. @param {string} id of the widget's element */
  open(id) {
    const others = this.#others().map((each) => each.#place);
    let place = id;
    for (let n = 1; id === '' && others.includes(place); n += 1) place = `${n}`;
    this.#place = place;
    // Its own from before, which no other widget is to take up meanwhile.
    this.#held = this.#session?.getItem(this.#key) || null;
    inPage.add(this);
  }

  /** Of the other widgets of the library in this page. */
  #others() {
    return [...inPage].filter((each) => each !== this && each.#name === this.#name);
  }

  get #key() {
    return this.#place === '' ? this.#name : `${this.#name}:${this.#place}`;
  }

  /** False if the person forbids keeping. */
  get isAllowed() {
    return this.#local?.getItem(`pincite:${this.#name}`) !== 'never';
  }

  /** Allows keeping or, with what is there deleted, forbids it. @param {boolean} isAllowed */
  async allow(isAllowed) {
    try {
      if (isAllowed) this.#local?.removeItem(`pincite:${this.#name}`);
      else this.#local?.setItem(`pincite:${this.#name}`, 'never');
    } catch {
      // Storage that is full or forbidden remembers nothing.
    }
    if (!isAllowed) await this.clear();
  }

  /** Those that are there, the newest first. @returns {Promise<Head[]>} */
  async list() {
    const heads = await this.#transact('readonly', ({ heads }) => settled(heads.getAll()));
    return (heads ?? []).flatMap(read(readHead)).sort((a, b) => b.changedAt - a.changedAt);
  }

  /** Turns of a conversation, the oldest first. @param {string} id @returns {Promise<StoredTurn[]>} */
  async turns(id) {
    const turns = await this.#transact('readonly', ({ turns }) => settled(turns.get(id)));
    return Array.isArray(turns) ? turns.slice(-limits.turns).flatMap(read(storedTurn)) : [];
  }

  /**
   * Adds a turn to a conversation, which it begins if it is the first.
   * @param {string} id @param {StoredTurn} turn
   * @throws {DOMException} where it could not be stored
   */
  async append(id, turn) {
    if (!this.isAllowed) return;
    const done = await this.#transact('readwrite', async ({ heads, turns }) => {
      /** @type {unknown} */
      const before = await settled(turns.get(id));
      const kept = [...(Array.isArray(before) ? before : []), turn].slice(-limits.turns);
      let bytes = JSON.stringify(kept).length;
      while (bytes > limits.size && kept.length > 1) bytes -= JSON.stringify(kept.shift()).length;
      const [first] = kept.flatMap(read(storedTurn));
      turns.put(kept, id);
      heads.put({
        id,
        question: first?.question ?? turn.question,
        startedAt: first?.at ?? turn.at,
        changedAt: turn.at,
        nTurns: kept.length,
        bytes,
      });
      await dropOldest(heads, turns);
      return true;
    });
    if (done === null) throw new DOMException('nothing is stored here', 'InvalidStateError');
  }

  /** Takes a conversation out of storage. @param {string} id @returns {Promise<TakenConversation | null>} */
  async take(id) {
    return this.#transact('readwrite', async ({ heads, turns }) => {
      const [head] = [await settled(heads.get(id))].flatMap(read(readHead));
      const taken = head ? { head, turns: await settled(turns.get(id)) } : null;
      heads.delete(id);
      await settled(turns.delete(id));
      return taken;
    });
  }

  /** Puts back what was taken. @param {TakenConversation} taken */
  async putBack({ head, turns: taken }) {
    await this.#transact('readwrite', async ({ heads, turns }) => {
      heads.put(head);
      await settled(turns.put(taken, head.id));
    });
  }

  /** Deletes all of them. */
  async clear() {
    await this.#transact('readwrite', async ({ heads, turns }) => {
      heads.clear();
      await settled(turns.clear());
    });
  }

  /** Takes names and addresses of models out of what is kept. */
  async forgetServers() {
    await this.#transact('readwrite', async ({ turns }) => {
      for (const id of await settled(turns.getAllKeys())) {
        /** @type {unknown} */
        const kept = await settled(turns.get(id));
        const known = Array.isArray(kept) ? kept.flatMap(read(storedTurn)) : [];
        if (known.some(({ servers }) => servers)) await settled(turns.put(known.map(withoutServers), id));
      }
    });
  }

  /**
   * The conversation that this widget goes on with: its own from before a reload of the tab, else the newest that no other has.
   * @returns {Promise<{ id: string, turns: StoredTurn[] } | null>}
   */
  async resume() {
    if (!this.isAllowed) return null;
    const own = this.#session?.getItem(this.#key) ?? null;
    const heads = await this.list();
    const open = own === null ? await this.#openElsewhere() : new Set();
    for (const other of this.#others()) open.add(this.#lockOf(other.#held ?? ''));
    const head = heads.find(({ id }) => (own === null ? !open.has(this.#lockOf(id)) : id === own));
    this.#held = head?.id ?? null;
    const turns = head ? await this.turns(head.id) : [];
    return head && turns.length > 0 ? { id: head.id, turns } : null;
  }

  /** Says which conversation this widget has; null for one that has not begun. @param {string | null} id */
  hold(id) {
    this.#release();
    this.#held = id;
    try {
      this.#session?.setItem(this.#key, id ?? '');
    } catch {
      // A reload goes on with the newest then.
    }
    const locks = /** @type {LockManager | undefined} */ (navigator.locks);
    if (id === null || !locks) return;
    const held = new Promise((resolve) => (this.#release = () => resolve(undefined)));
    locks.request(this.#lockOf(id), { mode: 'shared' }, () => held).catch(() => {});
  }

  /** Gives up place and conversation: the widget is closed. */
  release() {
    inPage.delete(this);
    this.#held = null;
    this.#release();
  }

  /** @param {string} id */
  #lockOf(id) {
    return `pincite:${this.#name}:${id}`;
  }

  /** Names of the locks of other tabs. @returns {Promise<Set<unknown>>} */
  async #openElsewhere() {
    const locks = /** @type {LockManager | undefined} */ (navigator.locks);
    const { held = [] } = (await locks?.query().catch(() => null)) ?? {};
    return new Set(held.map(({ name }) => name));
  }

  /**
   * The database is open for the one transaction: an answer may come when its widget has left the page, and a connection
   * would outlive it.
   * @template T
   * @param {IDBTransactionMode} mode
   * @param {(tables: { heads: IDBObjectStore, turns: IDBObjectStore }) => Promise<T>} work
   * @returns {Promise<T | null>} null where there is no storage
   */
  async #transact(mode, work) {
    const database = await openDatabase(this.#name, 1, (database) => {
      database.createObjectStore('heads', { keyPath: 'id' });
      database.createObjectStore('turns');
    }).catch(() => null);
    if (database === null) return null;
    try {
      return await transact(database, tables, mode, (t) =>
        work({ heads: t.objectStore('heads'), turns: t.objectStore('turns') }),
      );
    } finally {
      database.close();
    }
  }
}

/** Deletes the oldest conversations until the others are within the limits. @param {IDBObjectStore} heads @param {IDBObjectStore} turns */
async function dropOldest(heads, turns) {
  const all = (await settled(heads.getAll())).flatMap(read(readHead));
  let size = 0;
  for (const [at, { id, bytes }] of all.sort((a, b) => b.changedAt - a.changedAt).entries()) {
    size += bytes;
    if (at === 0 || (at < limits.conversations && size <= limits.size)) continue;
    heads.delete(id);
    await settled(turns.delete(id));
  }
}

/** A reader for `flatMap`: what it refuses is left out. @template T @param {import('./shape.js').Reader<T>} reader @returns {(value: unknown) => T[]} */
function read(reader) {
  return (value) => {
    try {
      return [reader(value)];
    } catch {
      return [];
    }
  };
}

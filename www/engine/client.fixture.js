/**
 * An engine for tests without a browser. Its workers run in this thread: the owner as it is, over a store of the test and the fake
 * of the engine that the owner's tests have; a pool that takes the text of a file for its id.
 */

import { Engine } from './client.js';
import { isFatal, toPlain } from './errors.js';
import { openTab, parsed, SharedStore, wasm } from './owner.fixture.js';
import { Owner } from './owner.js';

/** Where workers find their store. @type {{ store: any, owners: ThreadWorker[] }} */
let world = { store: null, owners: [] };

/** Handles messages and says replies in later turns, in order, as a worker does. */
export class ThreadWorker {
  /** @type {((event: { data: any }) => void) | null} */
  onmessage = null;
  onerror = null;
  onmessageerror = null;
  /** @type {Owner | null} */
  #owner = null;
  #hasEnded = false;

  /** @param {any} message */
  postMessage(message) {
    setImmediate(() => void this.#handle(message));
  }

  terminate() {
    this.#hasEnded = true;
  }

  /** Says something to the page. @param {any} data */
  say(data) {
    setImmediate(() => {
      if (!this.#hasEnded) this.onmessage?.({ data });
    });
  }

  /** @param {any} request */
  async #handle(request) {
    if (this.#hasEnded) return;
    if (request.type === 'init') return this.#start(request.start.role);
    const { id } = request;
    try {
      const onDocument = (/** @type {any} */ document) => this.say({ type: 'document', id, document });
      const result = await (this.#owner ? this.#owner.handle(request, onDocument) : poolTask(request));
      this.say({ type: 'done', id, result });
    } catch (error) {
      if (isFatal(error)) this.say({ type: 'fatal', message: 'unreachable', document: this.#owner?.working });
      else this.say({ type: 'error', id, error: toPlain(error) });
    }
  }

  /** @param {'owner' | 'pool'} role */
  #start(role) {
    if (role !== 'owner') return;
    const { store } = world;
    world.owners.push(this);
    this.#owner = new Owner(
      wasm,
      (event) => this.say(event),
      null,
      async () => store,
      (_, onChange) => openTab(store, onChange),
    );
  }
}

/** @param {any} request */
async function poolTask({ type, file, name }) {
  if (type === 'take-ingest') return null;
  const id = await file.text();
  if (type === 'hash') return id;
  const { segment, info } = parsed(id, { name });
  return { segment, info };
}

const emptyModule = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

/** Small storage as browsers have it, of one page. @returns {Storage} */
export function smallStorage() {
  /** @type {Map<string, string>} */
  const items = new Map();
  const storage = {
    getItem: (/** @type {string} */ key) => items.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void items.set(key, value),
    removeItem: (/** @type {string} */ key) => void items.delete(key),
  };
  return /** @type {any} */ (storage);
}

/**
 * An engine over a store of its own, which is closed after the test.
 * @param {{ after: (work: () => void) => void }} t
 */
export async function openedEngine(t) {
  Object.defineProperty(globalThis, 'localStorage', { value: smallStorage(), configurable: true });
  return reopenedEngine(t, new SharedStore());
}

/** An engine of the next page with a store. @param {{ after: (work: () => void) => void }} t @param {SharedStore} store */
export async function reopenedEngine(t, store) {
  world = { store, owners: [] };
  const { owners } = world;
  Object.assign(globalThis, { Worker: ThreadWorker, customElements: {} });
  globalThis.fetch = async () => new Response(emptyModule);
  Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
  const base = { folder: new URL('http://localhost/'), workers: {} };
  const engine = new Engine({ base, library: 'test', vectors: false });
  t.after(() => engine.close());
  await engine.opened;
  /** Adds a file whose id is its text. @param {string} id @param {string} [name] */
  const add = (id, name = `${id}.pdf`) => engine.add(new Blob([id]), { name });
  /** Something that the owner says now, before it answers what it was asked. @param {any} data */
  const hear = (data) => owners.at(-1)?.onmessage?.({ data });
  /** Ends the owner as a trap does. */
  const lose = () => hear({ type: 'fatal', message: 'unreachable', document: null });
  const ids = () => engine.snapshot.documents.map(({ id }) => id);
  return { engine, store, add, hear, lose, ids };
}

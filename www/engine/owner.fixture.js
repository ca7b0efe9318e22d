/** An owner over the engine's library, as far as it sees that, with a store and other tabs. */

import assert from 'node:assert/strict';
import { EngineError } from './errors.js';
import { Owner } from './owner.js';
import { MemoryStore } from './store.js';

export const version = 3;

/** The engine's library, as far as the owner sees it: a segment is the JSON of its info. */
class FakeLibrary {
  /** @type {Map<string, any>} */
  #documents = new Map();
  /** Steps that are left before a question. */
  nUnprepared = 0;
  /** Passages with a vector. @type {Map<string, Set<number>>} */
  #embedded = new Map();

  /** @param {FakeReader} reader @param {string} name */
  addRead({ segment }, name) {
    const info = { ...JSON.parse(new TextDecoder().decode(segment)), name };
    if (info.format !== version)
      throw new EngineError('index-version', `format ${info.format}, expected ${version}`);
    if (info.name === 'trap') throw new WebAssembly.RuntimeError('unreachable');
    this.#documents.set(info.id, info);
    this.nUnprepared = 4;
    this.#embedded.set(info.id, new Set());
    return info;
  }

  /** @param {string} id */
  remove(id) {
    return this.#documents.delete(id);
  }

  prepare() {
    this.nUnprepared = Math.max(0, this.nUnprepared - 1);
    return this.nUnprepared > 0;
  }

  documents() {
    return [...this.#documents.values()];
  }

  /** @param {string} _id @param {number} start @param {number} limit */
  passages(_id, start, limit) {
    return Array.from({ length: limit }, (_, at) => `passage ${start + at}`);
  }

  /** @param {string} _id @param {Uint32Array} rows */
  passagesAt(_id, rows) {
    return Array.from(rows, (row) => `passage ${row}`);
  }

  /** @param {string} id */
  passagesWithoutVectors(id) {
    const { nPassages, nToEmbed } = this.#documents.get(id);
    /** @type {[number, number][]} */
    const gaps = [];
    // Those that the model cannot read stand first.
    for (let row = nPassages - nToEmbed; row < nPassages; row += 1) {
      if (this.#embedded.get(id)?.has(row)) continue;
      const last = gaps.at(-1);
      if (last?.[1] === row) last[1] += 1;
      else gaps.push([row, row + 1]);
    }
    return gaps;
  }

  /** @param {string} id @param {Uint32Array} rows */
  putSingleVectors(id, rows) {
    /** @type {{ start: number, count: number, bytes: Uint8Array }[]} */
    const runs = [];
    for (const row of [...rows].sort((a, b) => a - b)) {
      if (this.#embedded.get(id)?.has(row)) continue;
      this.#embedded.get(id)?.add(row);
      const last = runs.at(-1);
      if (last && last.start + last.count === row) last.count += 1;
      else runs.push({ start: row, count: 1, bytes: new Uint8Array() });
    }
    for (const run of runs) run.bytes = new TextEncoder().encode(`${id}/${run.start}/${run.count}`);
    return runs;
  }

  /** @param {Uint8Array} bytes */
  addVectors(bytes) {
    if (bytes[0] === 33) throw new EngineError('index-damaged', 'bad batch');
    const [id = '', start, count] = new TextDecoder().decode(bytes).split('/');
    for (let row = Number(start); row < Number(start) + Number(count); row += 1)
      this.#embedded.get(id)?.add(row);
  }

  ask() {
    return { answer: '' };
  }

  search() {
    assert.equal(this.nUnprepared, 0, 'a search waits until the documents are prepared');
    return { hits: [] };
  }
}

/** Reads a segment in three steps. */
class FakeReader {
  #nSteps = 3;

  /** @param {Uint8Array} segment */
  constructor(segment) {
    this.segment = segment;
  }

  read() {
    this.#nSteps -= 1;
    return this.#nSteps > 0;
  }
}

export const wasm = /** @type {any} */ ({
  Library: FakeLibrary,
  SegmentReader: FakeReader,
  distinctName: (/** @type {string} */ name, /** @type {string[]} */ marks, /** @type {string[]} */ taken) =>
    [name, ...[...marks, '2', '3'].map((mark) => `${mark} ${name}`)].find((each) => !taken.includes(each)),
  version: () => 'test',
  formatVersion: () => version,
});

/** @param {string} id @param {object} [rest] */
export function parsed(id, rest = {}) {
  const info = {
    id,
    name: `${id}.pdf`,
    title: null,
    date: null,
    nPages: 1,
    nPassages: 70,
    nToEmbed: 70,
    nEmbedded: 0,
    diags: [],
    format: version,
    ...rest,
  };
  return {
    type: 'commit',
    file: new Blob(['%PDF']),
    bytes: 4,
    folder: '',
    segment: new TextEncoder().encode(JSON.stringify(info)),
    info,
  };
}

/** @param {MemoryStore} [store] */
export async function opened(store = new MemoryStore(), /** @type {string[]} */ skip = []) {
  /** @type {any[]} */
  const listed = [];
  /** @type {any[]} */
  const told = [];
  const owner = new Owner(
    wasm,
    (event) => told.push(event),
    null,
    async () => store,
    (_, onChange) => openTab(store, onChange),
  );
  /** @param {any} request @returns {Promise<any>} */
  const ask = (request) => owner.handle(request, (document) => listed.push(document));
  await ask({ type: 'open', library: 'test', skip });
  return { owner, ask, store, listed, told };
}

/** A store that outlasts the page, as far as tabs see it. */
export class SharedStore extends MemoryStore {
  persistent = true;
  /** @type {((change: any) => void)[]} */
  tabs = [];
  /** @type {Promise<unknown>} */
  turn = Promise.resolve();
}

/** @param {any} store @param {(change: any) => void} onChange */
export function openTab(store, onChange) {
  store.tabs.push(onChange);
  return {
    alone: (/** @type {() => Promise<any>} */ work) => (store.turn = store.turn.then(work, work)),
    tell: (/** @type {any} */ change) => {
      for (const tab of store.tabs) if (tab !== onChange) tab(structuredClone(change));
    },
  };
}

/** Time for what was begun to be done, on a busy machine too. */
export const turns = () => new Promise((resolve) => setTimeout(resolve, 50));

/** @param {number} start */
export const vectors = (start) => single(Array.from({ length: 32 }, (_, at) => start + at));

/** @param {number[]} rows */
export const single = (rows) => ({
  type: 'put-vectors',
  document: 'a',
  rows,
  vectors: new Float32Array(rows.length),
  fingerprint: 'm1',
});

/** Parts that are stored of a document. @param {string} id */
export async function recordOf(id) {
  const { ask, store } = await opened();
  await ask(parsed(id));
  return /** @type {import('./store.js').StoredDocument} */ ((await store.list())[0]);
}

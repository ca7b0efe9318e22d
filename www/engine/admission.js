/**
 * Admission of a file, or of a removed document, to the library: under a name that no other has, in the engine first
 * and then in the store, or in memory where that has no room.
 */

import { entryOf, namingOf, storedOf } from './entry.js';
import { cancelled, fromPlain, isFatal, toPlain } from './errors.js';

/** @typedef {import('./entry.js').Entry} Entry */
/** @typedef {import('./errors.js').PlainError} PlainError */
/** @typedef {import('./loaded-library.js').LoadedLibrary} LoadedLibrary */
/** @typedef {import('./protocol.js').Commit} Commit */
/** @typedef {import('./protocol.js').Committed} Committed */
/** @typedef {import('./protocol.js').LibraryDocument} LibraryDocument */
/** @typedef {import('./store.js').Kept} Kept */
/** @typedef {import('./store.js').StoredDocument} StoredDocument */

/** @typedef {{ kept: Kept, entry: Entry, before: Entry | null, isNew: boolean, namesake: string | null }} Admitted a document that was taken into the library; `before` is what stood in its place */

export class Admission {
  #wasm;
  #library;
  #tell;
  /** When the last document was added: no two at once, since their order is by this time. */
  #addedAt = 0;

  /**
   * @param {Pick<typeof import('pincite-wasm'), 'distinctName' | 'formatVersion'>} wasm
   * @param {LoadedLibrary} library
   * @param {(change: import('./tabs.js').Change) => void} tell tells other tabs
   */
  constructor(wasm, library, tell) {
    this.#wasm = wasm;
    this.#library = library;
    this.#tell = tell;
  }

  /** Makes a file a document. Cancelled before it is stored, it leaves what was stored of it as it was. @param {Commit} commit @param {AbortSignal} signal */
  async commit(commit, signal) {
    signal.throwIfAborted();
    const admitted = await this.#admit(commit, await this.#library.records());
    const isStored = await this.#tryToStore([admitted.kept], signal);
    if (!isStored && signal.aborted) {
      await this.#takeBack(admitted);
      throw cancelled();
    }
    await this.#settle(admitted, isStored);
    return this.#committed(admitted);
  }

  /**
   * Makes files documents, which are stored in one transaction or, where that fails, one by one.
   * @param {Commit[]} commits
   * @returns {Promise<(Committed | { problem: PlainError })[]>}
   */
  async commitAll(commits) {
    let others = await this.#library.records();
    /** @type {(Admitted | { problem: PlainError })[]} */
    const all = [];
    let lost = null;
    for (const commit of commits) {
      try {
        const admitted = await this.#admit(commit, others);
        const { document } = admitted.kept;
        others = [...others.filter(({ id }) => id !== document.id), document];
        all.push(admitted);
      } catch (error) {
        if (isFatal(error)) lost = { error, working: this.#library.working };
        if (lost !== null) break;
        all.push({ problem: toPlain(error) });
      }
    }
    // Also where this instance is lost: the next one reads from the store those before the document that ended it.
    const whole = all.flatMap((each) => ('kept' in each ? each : []));
    const areStored = await this.#tryToStore(whole.map(({ kept }) => kept));
    for (const each of whole) await this.#settle(each, areStored || (await this.#tryToStore([each.kept])));
    if (lost !== null) {
      this.#library.working = lost.working;
      throw lost.error;
    }
    return all.map((each) => ('kept' in each ? this.#committed(each) : each));
  }

  /** Puts a removed document back. @param {Kept} kept @returns {Promise<LibraryDocument | null>} null where it was added again */
  async restore(kept) {
    const { id } = kept.document;
    const others = await this.#library.records();
    // It was added again meanwhile.
    if (others.some((other) => other.id === id)) return null;
    const isTaken = others.some((other) => other.name === kept.document.name);
    const name = isTaken
      ? this.#nameFor(kept.document.fileName, kept.document, others).name
      : kept.document.name;
    const back = { ...kept, document: { ...kept.document, name } };
    const isStored = await this.#tryToStore([back]);
    if (!isStored) await this.#library.unstored.put(back);
    const entry = await this.#library.load(back.document, null, isStored);
    this.#tell({ type: 'put', document: id });
    return this.#library.listed(entry);
  }

  /** Stores documents, all or none. @param {Kept[]} all @param {AbortSignal} [signal] @returns {Promise<boolean>} false where that failed */
  #tryToStore(all, signal) {
    return this.#library.stored.putAll(all, signal).then(
      () => true,
      () => false,
    );
  }

  /**
   * Takes a file into the library, which is not stored yet.
   * @param {Commit} commit
   * @param {StoredDocument[]} others documents of the library, also of other tabs
   * @returns {Promise<Admitted>}
   */
  async #admit(commit, others) {
    const { file, folder, segment, info, vectors = [] } = commit;
    const { id, date } = info;
    const known = others.find((other) => other.id === id) ?? null;
    const isSameFile = known !== null && [known.name, known.fileName].includes(info.name);
    const { name, fileName, namesake } = isSameFile
      ? { name: known.name, fileName: known.fileName, namesake: null }
      : this.#nameFor(
          info.name,
          { folder, date },
          others.filter((other) => other.id !== id),
        );
    const added = await this.#library.read(id, segment, name);
    this.#addedAt = Math.max(Date.now(), this.#addedAt + 1);
    const formatVersion = this.#wasm.formatVersion();
    const stored = storedOf(commit, added, { name, fileName, addedAt: this.#addedAt, formatVersion });
    const before = this.#library.entries.get(id) ?? null;
    const entry = { ...entryOf(stored, true), info: added };
    this.#library.entries.set(id, entry);
    for (const batch of vectors) this.#library.addBatch(entry, batch);
    const kept = { document: stored, file, segment, vectors };
    return { kept, entry, before, isNew: known === null, namesake };
  }

  /**
   * Notes whether a document could be stored. If not, since space ran out or the file has changed on disk, it can be used until
   * the page closes.
   * @param {Admitted} admitted @param {boolean} isStored
   */
  async #settle({ kept, entry }, isStored) {
    const { id } = kept.document;
    entry.kept = isStored;
    if (isStored) await this.#library.unstored.take(id);
    else await this.#library.unstored.put(kept);
    this.#tell({ type: 'put', document: id });
  }

  /** @param {Admitted} admitted @returns {Committed} */
  #committed({ entry, isNew, namesake }) {
    return { document: this.#library.listed(entry), isNew, namesake };
  }

  /** The library as it was before a document was taken in. @param {Admitted} admitted */
  async #takeBack({ kept, before }) {
    const { id } = kept.document;
    this.#library.entries.delete(id);
    this.#library.unload(id);
    // One that cannot be read is not read again: it may have ended the engine before.
    if (before)
      await this.#library.load(before.stored, before.problem && fromPlain(before.problem), before.kept);
  }

  /** A name for a new document, as `namingOf` has it. @param {string} fileName @param {{ folder: string, date: string | null }} given @param {StoredDocument[]} others */
  #nameFor(fileName, given, others) {
    const { marks, taken, namesake } = namingOf(fileName, given, others);
    const name = this.#library.timed('name', null, () => this.#wasm.distinctName(fileName, marks, taken));
    return { name, fileName, namesake };
  }
}
